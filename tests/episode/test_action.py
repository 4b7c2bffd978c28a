"""Reading what an agent sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.action import Call, Message, ToolCall, read_message
from vbench_env.protocol import Protocol, load_protocol

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'
NATIVE = load_protocol("interactive-text")
MOVE = Call("move", {"object": "sun", "dx": 3})
MOVE_JSON = '{"tool": "move", "args": {"object": "sun", "dx": 3}}'
OPENAI = {
    "id": "c1",
    "type": "function",
    "function": {"name": "move", "arguments": '{"object": "sun", "dx": 3}'},
}


def read(action: object, protocol: Protocol = NATIVE) -> Message:
    return read_message(action, protocol)


@pytest.mark.parametrize(
    "action",
    [
        MOVE_JSON,
        f"  {MOVE_JSON}\n",
        f"I move it.\n```json\n{MOVE_JSON}\n```\nThen I check.",
        f"Move: {MOVE_JSON}",
        f"<think>{{ {SVG} </think>{MOVE_JSON}",
        '<tool_call>\n{"name": "move", "arguments": {"object": "sun", "dx": 3}}\n</tool_call>',
        {"tool": "move", "args": {"object": "sun", "dx": 3}},
        {"name": "move", "arguments": {"object": "sun", "dx": 3}},
        ToolCall(tool="move", args={"object": "sun", "dx": 3}),
    ],
)
def test_one_call_is_read_from_every_form(action: object) -> None:
    message = read(action)
    assert message.error is None
    assert [(call.tool, dict(call.arguments or {})) for call in message.calls] == [("move", MOVE.arguments)]  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [OPENAI, {"role": "assistant", "content": None, "tool_calls": [OPENAI]}])
def test_openai_calls_keep_their_id_and_their_argument_text(action: object) -> None:
    assert read(action).calls == (Call("move", '{"object": "sun", "dx": 3}', "c1"),)


def test_several_calls_keep_their_order() -> None:
    text = f"{MOVE_JSON}\n" + '{"tool": "submit", "args": {}}'
    assert [call.tool for call in read(text).calls] == ["move", "submit"]
    message = {"content": "both", "tool_calls": [OPENAI, {"tool": "submit"}]}
    assert [call.tool for call in read(message).calls] == ["move", "submit"]
    assert read(message).content == "both"


@pytest.mark.parametrize("text", [SVG, f"```svg\n{SVG}\n```", f"Done:\n{SVG}\nBye"])
def test_a_document_is_a_rewrite(text: str) -> None:
    assert read(text).calls == (Call("rewrite", {"svg": SVG}),)


def test_a_document_inside_a_call_is_no_rewrite() -> None:
    text = "I send: " + json.dumps({"tool": "rewrite", "args": {"svg": SVG}})
    assert read(text).calls == (Call("rewrite", {"svg": SVG}),)
    cut = read(text[:-12])
    assert cut.error is not None
    assert (cut.error.kind, cut.calls) == ("bad_json", ())


WRONG: list[tuple[Any, str]] = [
    ("", "no_action"),
    ("I am thinking about it.", "no_action"),
    ("<think>never ends", "no_action"),
    ('{"tool": "move", "args": {"obj', "bad_json"),
    ("{", "bad_json"),
    ("[]", "bad_call"),
    ('[{"tool": "submit"}]', "bad_call"),
    ('{"tool": 5}', "bad_call"),
    ('{"args": {}}', "bad_call"),
    ('{"tool": "move", "args": [1]}', "bad_call"),
    ('{"tool": "move", "dx": 3}', "bad_call"),
    ('{"tool": "undo", "args": ' + "[" * 100_000, "bad_json"),
    ('{"tool": "undo", "args": {"steps": ' + "9" * 5000 + "}}", "bad_json"),
    (5, "bad_action"),
    (None, "bad_action"),
    ([MOVE_JSON], "bad_action"),
    ({}, "bad_call"),
    ({5: 6}, "bad_call"),
    ({"content": None}, "no_action"),
    ({"tool_calls": ["move"]}, "bad_call"),
    ({"tool_calls": [OPENAI] * 33}, "too_many_calls"),
    ({"content": "x", "tool_calls": [OPENAI], "finish_reason": "length"}, "cut_off"),
    ({"content": SVG[:20], "finish_reason": "length"}, "cut_off"),
    ("y" * 5_000_000, "message_too_long"),
]


@pytest.mark.parametrize(("action", "kind"), WRONG, ids=[f"{kind}-{n}" for n, (_, kind) in enumerate(WRONG)])
def test_what_cannot_be_read_is_a_stated_mistake_without_calls(action: object, kind: str) -> None:
    message = read(action)
    assert message.error is not None
    assert (message.error.kind, message.calls) == (kind, ())
    assert len(message.error.message) > 20


def test_mistakes_say_what_to_do() -> None:
    assert "call one of the tools" in read("hm").error.message  # type: ignore[union-attr]
    assert "submit" in read("hm", load_protocol("interactive-text-json")).error.message  # type: ignore[union-attr]
    cut = read({"content": "", "tool_calls": [OPENAI, OPENAI], "finish_reason": "length"})
    assert cut.error is not None
    assert cut.error.message == (
        "the message hit the output limit and none of its 2 calls was run; send a shorter one"
    )
    broken = read('{"tool": "move", "args": {"obj')
    assert broken.error is not None
    assert broken.error.place == "character 26 of 30"
    assert "nothing was run; send the whole call again" in broken.error.message


def test_unreadable_arguments_stay_as_sent_for_the_tool_to_refuse() -> None:
    call = {"function": {"name": "undo", "arguments": '{"steps": 1'}}
    assert read({"tool_calls": [call]}).calls == (Call("undo", '{"steps": 1'),)


def test_a_rewrite_that_is_not_granted_is_refused() -> None:
    protocol = NATIVE.vary(actions=("tools",))
    message = read(SVG, protocol)
    assert message.error is not None
    assert message.error.kind == "not_granted"


def test_single_shot_text_is_never_read_as_calls() -> None:
    message = read(MOVE_JSON, load_protocol("single-shot"))
    assert (message.content, message.calls, message.error) == (MOVE_JSON, (), None)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["tool", "args", "name", "arguments", "function", "tool_calls", "content", "id"]
                )
                | st.text()
                | st.integers(),
                inner,
            )
        ),
        max_leaves=8,
    )
)
def test_nothing_raises(action: object) -> None:
    message = read(action)
    assert (message.error is None) == bool(message.calls)


@given(st.text(alphabet=st.sampled_from(list('{}[]"\\:, toladrgsnme<sv>`\n'))))
def test_no_text_raises(action: str) -> None:
    message = read(action)
    assert (message.error is None) == bool(message.calls)


def deep(levels: int) -> object:
    nested: object = 1
    for _ in range(levels):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    "action",
    [
        {"tool": "move", "args": {"object": "sun", "dx": 10**5_000}},
        {"tool": "move", "args": {"object": "sun", "dx": deep(100_000)}},
        ToolCall(tool="move", args={"dx": 10**5_000}),
        {"dx": 10**5_000},
        10**5_000,
        '{"tool": "move", "args": {"object": "sun", "dx": 1' + "0" * 5_000 + "}}",
        {"tool_calls": [{"function": {"name": "move", "arguments": '{"dx": 1' + "0" * 5_000 + "}"}}]},
    ],
    ids=["number", "nesting", "ToolCall", "no call", "no action", "text", "argument text"],
)
def test_what_python_cannot_write_down_is_an_answer_too(action: object) -> None:
    message = read(action)
    assert message.error is not None or isinstance(message.calls[0].arguments, str)


def nested(levels: int) -> Any:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("levels", [200, 990, 50_000])
@pytest.mark.parametrize(
    "made",
    [
        lambda deep: {"tool": "batch", "args": {"calls": deep}},
        lambda deep: ToolCall(tool="batch", args={"calls": deep}),
        lambda deep: {"tool": deep, "args": {}},
        lambda deep: {"role": "assistant", "content": deep},
        lambda deep: {
            "role": "assistant",
            "tool_calls": [{"function": {"name": "batch", "arguments": deep}}],
        },
    ],
)
def test_what_is_nested_too_deep_is_refused_unread(levels: int, made: Any) -> None:
    message = read(made(nested(levels)))
    assert message.calls == ()
    assert message.error is not None and message.error.kind == "bad_action"
    assert "levels deep" in str(message.error)


def test_a_value_that_holds_itself_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    assert read({"tool": "batch", "args": {"calls": value}}).error is not None
