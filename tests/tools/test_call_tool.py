"""One way to call a tool: nothing an agent sends raises, and every error says what to do."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest

from tests.sources import MALFORMED, ONE_LINE, PLAIN
from vbench_env.svg.document import Refusal
from vbench_env.tools import TOOLS, ErrorKind, ToolContext, ToolResult, call_tool
from vbench_env.tools.base import Arguments, Tool, ToolError


def error_of(name: Any, arguments: Any, text: str = PLAIN, offered: list[str] | None = None) -> ToolError:
    context = ToolContext.begin(text)
    result = call_tool(context, name, arguments, offered)
    assert result.document is context.document
    assert result.error is not None
    return result.error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            '{"object": "sun", "name": "r", "val',
            "not valid JSON .*nothing was executed, send the whole call again",
        ),
        ("[1]", "must be a JSON object, not list"),
        ("null", "must be a JSON object, not NoneType"),
        ('"{}"', "must be a JSON object, not str"),
        ("[" * 100_000, "not valid JSON"),
        ('{"a": ' * 20_000, "not valid JSON"),
        ("1" * 5000, "not valid JSON"),
        (["object"], "must be a JSON object, not list"),
        (b"{}", "must be a JSON object, not bytes"),
        (3, "must be a JSON object, not int"),
    ],
)
def test_arguments_that_are_no_object_are_refused(arguments: Any, words: str) -> None:
    error = error_of("set_attribute", arguments)
    assert error.kind == "bad_arguments"
    assert re.search(words, error.message)
    assert error.raw == (arguments if isinstance(arguments, str) else None)


def test_enormous_arguments_are_not_read() -> None:
    assert error_of("rewrite", '{"svg": "' + "x" * 9_000_000).kind == "too_large"


@pytest.mark.parametrize(
    ("arguments", "place", "words"),
    [
        ({"object": "sun"}, "name", "name: Field required"),
        ({"object": "sun", "name": "r", "value": None}, "value", "value: Input should be a valid string"),
        (
            {"object": "sun", "name": "r", "value": "1", "valeu": "1"},
            "valeu",
            "valeu: Extra inputs are not permitted",
        ),
        ({"object": 5.5, "name": [], "value": "1"}, "name", "set_attribute takes: object, name, value"),
        ({"object": "x" * 2000, "name": "r", "value": "1"}, "object", "at most 1000 characters"),
    ],
)
def test_wrong_arguments_are_named_with_what_the_tool_takes(arguments: Any, place: str, words: str) -> None:
    error = error_of("set_attribute", arguments)
    assert (error.kind, error.place) == ("bad_arguments", place)
    assert words in error.message


@pytest.mark.parametrize("number", [float("nan"), float("inf"), "1e400", 1e10, "x"])
def test_numbers_that_no_drawing_holds_are_refused(number: Any) -> None:
    assert error_of("move", {"object": "sun", "dx": number, "dy": 0}).kind == "bad_arguments"


def test_a_json_number_does_for_a_text_value() -> None:
    result = call_tool(
        ToolContext.begin(PLAIN), "set_attribute", '{"object": "sun", "name": "r", "value": 9.5}'
    )
    assert result.text == 'circle sun: r "8" -> "9.5"'


@pytest.mark.parametrize("arguments", [None, "", "  ", "{}", {}])
def test_a_tool_without_arguments_takes_nothing_at_all(arguments: Any) -> None:
    assert call_tool(ToolContext.begin(PLAIN), "submit", arguments).ends


@pytest.mark.parametrize("name", ["set_atribute", "", None, 5, ["submit"], "x" * 10_000, "\ud800"])
def test_an_unknown_tool_is_refused_with_the_nearest_name(name: Any) -> None:
    error = error_of(name, {})
    assert (error.kind, error.place) == ("unknown_tool", "tool")
    assert len(error.message) < 700
    error.message.encode()
    assert ("did you mean 'set_attribute'?" in error.message) == (name == "set_atribute")


def test_only_offered_tools_can_be_called_in_a_batch_too() -> None:
    offered = ["batch", "submit", "set_text"]
    assert error_of("set_attribute", {}, offered=offered).message.endswith("Known: batch, set_text, submit")
    calls = {"calls": [{"tool": "set_attribute", "args": {"object": "sun", "name": "r", "value": "1"}}]}
    assert error_of("batch", calls, offered=offered).kind == "unknown_tool"


def test_lone_surrogates_never_reach_texts_or_documents() -> None:
    arguments = json.dumps({"object": "sun", "name": "r", "value": "x\ud800"})
    assert error_of("set_attribute", arguments).kind == "bad_arguments"
    assert "unicode" in error_of("set_attribute", {"object": "\ud800", "name": "r", "value": ""}).message
    assert error_of("replace_text", {"find": "gold", "replace": "\ud800"}).kind == "bad_arguments"
    assert error_of("replace_text", {"find": "gold", "replace": "\ud800"}, MALFORMED).kind == "bad_arguments"
    assert error_of("rewrite", {"svg": "\ud800"}, MALFORMED).kind == "malformed_result"


def test_structural_tools_explain_a_malformed_document_and_text_tools_repair_it() -> None:
    error = error_of("set_attribute", {"object": "sun", "name": "r", "value": "1"}, MALFORMED)
    assert error.kind == "malformed_document"
    assert "repair it with replace_text, apply_patch or rewrite first" in error.message
    context = ToolContext.begin(MALFORMED)
    repaired = call_tool(context, "replace_text", {"find": "  <circle", "replace": "  </g>\n  <circle"})
    assert (
        call_tool(
            context.after(repaired), "set_attribute", {"object": "sun", "name": "r", "value": "1"}
        ).error
        is None
    )


def test_a_tool_that_breaks_down_is_an_error_and_not_an_exception(caplog: pytest.LogCaptureFixture) -> None:
    def run(context: ToolContext, args: Arguments) -> ToolResult:
        raise ZeroDivisionError

    TOOLS.add("broken", Tool("broken", "", Arguments, "look", run))
    try:
        error = error_of("broken", {})
    finally:
        TOOLS._entries.pop("broken")
    assert (error.kind, error.message) == (
        "internal",
        "broken failed on this input (ZeroDivisionError); the document is unchanged",
    )
    assert "ZeroDivisionError" in caplog.text


def test_error_kinds_are_the_documented_ones() -> None:
    assert {str(kind) for kind in ErrorKind} == {
        "unknown_tool", "bad_arguments", "not_found", "ambiguous", "not_applicable", "malformed_document",
        "malformed_result", "patch_failed", "too_large", "unavailable", "internal",
    }  # fmt: skip
    assert all(kind.meaning.endswith(".") for kind in ErrorKind)
    assert pickle.loads(pickle.dumps(ErrorKind.AMBIGUOUS)) is ErrorKind.AMBIGUOUS


def test_results_and_contexts_can_be_copied_and_pickled() -> None:
    context = ToolContext.begin(PLAIN)
    result = call_tool(context, "set_attribute", {"object": "sun", "name": "r", "value": "1"})
    context = context.after(result)
    assert copy.deepcopy(context).document is context.document
    for twin in (copy.deepcopy(context), pickle.loads(pickle.dumps(context))):
        assert twin.document.text == context.document.text
        assert call_tool(twin, "undo").document.to_bytes() == PLAIN.encode()


def test_undo_goes_back_step_by_step_and_reset_can_be_undone() -> None:
    context = ToolContext.begin(ONE_LINE)
    texts = [ONE_LINE]
    for value in ("1", "2", "3"):
        context = context.after(
            call_tool(context, "set_attribute", {"object": "a", "name": "x", "value": value})
        )
        texts.append(context.document.text)
    context = context.after(call_tool(context, "undo"))
    assert context.document.text == texts[2]
    context = context.after(call_tool(context, "reset_document"))
    assert context.document.text == texts[0]
    context = context.after(call_tool(context, "undo", {"steps": 2}))
    assert context.document.text == texts[1]
    error = call_tool(context, "undo", {"steps": 2}).error
    assert error is not None
    assert error.message == "only 1 changes can be undone, not 2"


def test_a_call_that_changes_nothing_adds_nothing_to_undo() -> None:
    context = ToolContext.begin(ONE_LINE)
    result = call_tool(context, "set_attribute", {"object": "a", "name": "width", "value": "3"})
    assert result.text == 'unchanged: rect a already has "3"'
    assert context.after(result) is context


def test_a_batch_is_one_change_and_sees_its_own_edits() -> None:
    context = ToolContext.begin(ONE_LINE)
    calls = [
        {"tool": "set_attribute", "args": {"object": "a", "name": "id", "value": "z"}},
        {"tool": "set_attribute", "args": {"object": "z", "name": "x", "value": "1"}},
        {"tool": "find", "args": {"query": "#z"}},
    ]
    result = call_tool(context, "batch", {"calls": calls})
    assert '<rect id="z" width="3" height="3" x="1"/>' in result.document.text
    assert result.text.endswith("3. find: 1 match\nsvg/rect[1] id=z")
    assert call_tool(context.after(result), "undo").document.text == ONE_LINE


def test_a_batch_does_all_or_nothing() -> None:
    calls = [
        {"tool": "set_attribute", "args": {"object": "a", "name": "x", "value": "1"}},
        {"tool": "set_attribute", "args": {"object": "q", "name": "x", "value": "1"}},
    ]
    error = error_of("batch", {"calls": calls}, ONE_LINE)
    assert (error.kind, error.place) == ("not_found", "calls.1.object")
    assert error.message.startswith(
        "call 2 of 2 (set_attribute) failed, nothing was changed: 'q' matches no element"
    )


@pytest.mark.parametrize("inner", ["submit", "undo", "batch", "reset_document"])
def test_a_batch_holds_no_control_calls(inner: str) -> None:
    error = error_of("batch", {"calls": [{"tool": inner}]})
    assert (error.kind, error.place) == ("not_applicable", "calls.0")


def test_a_tool_of_ones_own_is_called_like_any_other() -> None:
    class Args(Arguments):
        word: str
        """What to look for."""

    def count(context: ToolContext, args: Args) -> ToolResult:
        if not args.word:
            raise Refusal(ErrorKind.BAD_ARGUMENTS, "word is empty", "word")
        return ToolResult(str(context.document.text.count(args.word)), context.document)

    TOOLS.add("count", Tool("count", "Count a word.", Args, "look", count))
    try:
        assert call_tool(ToolContext.begin(PLAIN), "count", {"word": "rect"}).text == "2"
        assert error_of("count", {"word": ""}).message == "word is empty"
    finally:
        TOOLS._entries.pop("count")
