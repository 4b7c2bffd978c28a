"""Whatever a tool is asked: an error and the same bytes, or a sound document that differs only where it says."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

import pytest

from tests.sources import FILES, MALFORMED, real_files
from tests.tools.calls import ARGUMENTS, Caller
from vbench_env.svg.document import SourceDocument, apply_edits
from vbench_env.svg.spans import scan
from vbench_env.tools import TOOLS, ToolContext, ToolResult, call_tool

EDIT_TOOLS = [name for name in TOOLS.names() if TOOLS.get(name).group == "edit"] + ["batch"]
FULL = bool(os.environ.get("VBENCH_FULL_TESTS"))
CALLS, REAL_CALLS = (200, 20) if FULL else (12, 2)
RANDOM_CALLS = 10_000 if FULL else 2_000


def check(context: ToolContext, result: ToolResult) -> None:
    """The promise of every tool, whatever it was asked."""
    old, new = context.document, result.document
    if result.error is not None:
        assert result.error.kind != "internal", result.error
        assert new is old
        assert not result.edits
        result.error.message.encode()
        return
    result.text.encode()
    assert apply_edits(old.text, result.edits) == new.text
    assert all(one.end <= two.start for one, two in itertools.pairwise(result.edits))
    if new is old:
        return
    if SourceDocument(old.text).fault is None:
        assert SourceDocument(new.text).fault is None
        outline, spans = scan(new.text)
        assert new.outline == outline
        assert (new.spans == spans).all()
    written = SourceDocument.read(new.to_bytes())
    assert written.encoding.startswith("iso8859") or written.text.removeprefix(
        "\ufeff"
    ) == new.text.removeprefix("\ufeff")
    assert [(n.tag, n.attrs, n.text) for n in written.parsed.nodes] == [
        (n.tag, n.attrs, n.text) for n in new.parsed.nodes
    ]
    undone = call_tool(context.after(result), "undo")
    if result.history is None:
        assert undone.document.to_bytes() == old.to_bytes()


def contexts() -> Iterator[tuple[str, ToolContext]]:
    for name, data in FILES.items():
        yield name, ToolContext.begin(data)
    for path in real_files():
        yield path.name, ToolContext.begin(path.read_bytes())
    yield "malformed", ToolContext.begin(MALFORMED)


@pytest.mark.parametrize("tool", EDIT_TOOLS)
def test_an_edit_tool_changes_what_it_says_or_nothing(tool: str) -> None:
    changes = 0
    for number, (name, first) in enumerate(contexts()):
        caller = Caller(number)
        context = first
        for _ in range(CALLS if name in FILES else REAL_CALLS):
            result = call_tool(context, tool, caller.arguments(tool, context.document))
            check(context, result)
            changes += result.document is not context.document
            context = context.after(result) if caller.random.random() < 0.7 else first
    assert changes >= 5


def test_every_tool_has_random_calls() -> None:
    assert sorted(ARGUMENTS) == TOOLS.names()


def test_random_calls_raise_nothing() -> None:
    caller = Caller(7)
    starts = [ToolContext.begin(data) for data in [*FILES.values(), MALFORMED.encode()]]
    context = starts[0]
    kinds: dict[str, int] = {}
    for number in range(RANDOM_CALLS):
        if number % 25 == 0:
            context = caller.one(starts)
        tool, arguments = caller.call(TOOLS.names(), context.document)
        result = call_tool(context, tool, arguments)
        check(context, result)
        kinds[result.error.kind if result.error else "ok"] = (
            kinds.get(result.error.kind if result.error else "ok", 0) + 1
        )
        context = context.after(result)
    assert kinds["ok"] > RANDOM_CALLS / 5
    assert {"unknown_tool", "bad_arguments", "not_found", "ambiguous", "not_applicable"} <= set(kinds)
    assert {"malformed_document", "malformed_result", "patch_failed"} <= set(kinds)
