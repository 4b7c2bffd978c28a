"""What must hold for any bytes: one function per target, bytes in, an exception out where something is wrong.

A target raises nothing for what its input holds. `scripts/fuzz.py` runs them for as long as one likes,
`test_fuzz.py` for a moment, and on every input that was a finding once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from tests.fuzz.fuzz_tasks import PROBLEMS, TASK
from tests.tools.calls import Caller
from vbench_env.action import read_message
from vbench_env.episode import Episode
from vbench_env.errors import VBenchError
from vbench_env.protocol import load_protocol
from vbench_env.scoring import judge
from vbench_env.scoring.scorer import score_problem
from vbench_env.svg import colors, path_data, transform, values
from vbench_env.svg.cascade import parse_sheet
from vbench_env.svg.document import Refusal, SourceDocument
from vbench_env.svg.extract import extract_svg, strip_reasoning, svg_start
from vbench_env.svg.parse import parse
from vbench_env.tools import TOOLS, ToolContext, call_tool

Target = Callable[[bytes], None]
TARGETS: dict[str, Target] = {}


def target(function: Target) -> Target:
    """Register a target under its function's name."""
    TARGETS[function.__name__] = function
    return function


def text_of(data: bytes) -> str:
    """Any bytes as text; lone surrogates occur, as they do in JSON."""
    return data.decode("utf-8", "surrogatepass" if b"\xed" in data else "replace") if _decodes(data) else (
        data.decode("latin-1")
    )  # fmt: skip


def _decodes(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


@target
def parser(data: bytes) -> None:
    """Both readings of a document: neither raises, the faithful one loses no byte."""
    for source in (data, text_of(data)):
        document = parse(source)
        assert (document.root is None) <= bool(document.faults)
        assert all(fault.message for fault in document.faults)
    read = SourceDocument.read(data)
    assert read.to_bytes() == data
    if read.fault is None:
        assert "".join(read.text[token.start : token.end] for token in read.tokens()) == read.text
        for element in read.elements:
            assert read.text.startswith("<", element.start)
    else:
        _refuses(lambda: read.elements)


def _refuses(what: Callable[[], object]) -> None:
    try:
        what()
    except Refusal:
        return


READERS: tuple[Callable[[str], Any], ...] = (
    values.parse_number, values.parse_number_list, values.parse_points, values.parse_viewbox, values.parse_length,
    values.parse_lengths, values.parse_fraction, values.parse_opacity, values.published_number,
    values.published_numbers, values.published_float, values.published_declarations, values.css_depth,
    values.split_declarations, values.plain_declarations, colors.parse_color, colors.parse_paint, colors.parse_url,
    colors.published_color, transform.parse_functions, transform.parse_transform, transform.published_transform,
    transform.published_translate, path_data.read_path, path_data.path_tokens, path_data.published_commands,
    path_data.numbers,
)  # fmt: skip


@target
def value(data: bytes) -> None:
    """Readers of values give the value or None; what is written again reads the same."""
    text = text_of(data)[:20_000]
    for read in READERS:
        read(text)
    parse_sheet(text)
    commands = path_data.read_path(text)
    if not isinstance(commands, path_data.PathError):
        again = path_data.parse_path(path_data.format_path(commands))
        assert [command.letter for command in again] == [command.letter for command in commands]
        path_data.bounds(commands)
    matrix = transform.parse_transform(text)
    if matrix is not None:
        assert transform.parse_transform(transform.format_matrix(matrix)) is not None
    color = colors.parse_color(text)
    if isinstance(color, colors.Color):
        assert colors.parse_color(color.hex) == color


@target
def scorer(data: bytes) -> None:
    """Any candidate gets a verdict, twice the same."""
    place, candidate = (data[0] if data else 0) % len(PROBLEMS), data[1:]
    for problem in PROBLEMS[place]():
        for svg in (candidate, text_of(candidate)):
            card = score_problem(problem, svg)
            assert card.reward in (0, 1)
            assert 0 <= card.edit_completion <= 1
            assert card.valid or card.faults
            assert card == score_problem(problem, svg)
            card.model_dump_json() if hasattr(card, "model_dump_json") else repr(card)


@target
def own_target(data: bytes) -> None:
    """A drawing of any kind is its own solution, or is refused as a target; nothing else happens."""
    head, _, rest = data.partition(b"\x00")
    for rules in ("surgical", "published"):
        try:
            judge(head, rest or head, corrupted_svg=rest or None, rules=rules)
            card = judge(head, head, rules=rules)
        except VBenchError:
            continue
        assert card.reward == 1 or card.faults, card.changes


@target
def tools(data: bytes) -> None:
    """Any call of any tool gives a result; an error changes nothing, and is never ours."""
    seed, source = int.from_bytes(data[:3], "little"), data[3:]
    caller, context = Caller(seed), ToolContext.begin(source)
    drawn = {"render_preview", "compare_to_start"}
    names = [name for name in TOOLS.names() if name not in drawn]
    for _ in range(6):
        name, arguments = caller.call(names, context.document)
        result = call_tool(context, name, arguments, names)
        if result.error is not None:
            assert result.error.kind != "internal", (name, arguments, result.error.message)
            assert result.document is context.document
        context = context.after(result)
        context.document.to_bytes()


@target
def extraction(data: bytes) -> None:
    """What is taken from an answer stands in it; a well-formed document is taken again whole."""
    text = text_of(data)
    found = extract_svg(text)
    assert found is None or (found and found in text)
    if found is not None and not parse(found).faults:
        assert extract_svg(found) == found
    extract_svg(data)
    assert strip_reasoning(text) in text
    start = svg_start(text)
    assert start is None or text.startswith("<", start)


@cache
def _protocols() -> tuple[Any, ...]:
    return tuple(load_protocol(name) for name in ("interactive-text", "single-shot"))


@target
def action(data: bytes) -> None:
    """Any action is a turn: a call, an answer or a stated mistake; the episode ends with a reward."""
    text = text_of(data)
    actions: list[object] = [text, data]
    with suppress(ValueError, RecursionError):
        actions.append(json.loads(text))
    for protocol in _protocols():
        for act in actions:
            message = read_message(act, protocol)
            assert not (message.error and message.calls)
            episode = Episode(TASK, protocol, max_turns=2)
            step = episode.step(act)
            if not step.terminated and not step.truncated:
                step = episode.stop("end of the input")
            assert step.reward in (0, 1)
            json.dumps(episode.events)


def seeded(data: bytes, seed: int) -> bytes:
    """Input of `tools` for a drawing: the seed of the calls, then the drawing."""
    return Random(seed).randbytes(3) + data
