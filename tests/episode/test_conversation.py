"""What is said to the agent, and what of it is sent again."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from vbench_env.episode import Episode
from vbench_env.history import EARLIER_DOCUMENT, EARLIER_PICTURE
from vbench_env.protocol import load_protocol
from vbench_env.render import Picture, RenderRequest, get_renderer
from vbench_env.task import Task

from .conftest import CORRUPTED, SOLUTION, TARGET

HALF = CORRUPTED.replace('cx="31"', 'cx="70"')


def text_of(message: dict[str, Any]) -> str:
    content = message["content"]
    if not isinstance(content, list):
        return content or ""
    return "\n".join(part.get("text", "[picture]") for part in content)


def pictures_of(message: dict[str, Any]) -> list[bytes]:
    parts = message["content"] if isinstance(message["content"], list) else []
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert all(url.startswith("data:image/png;base64,") for url in urls)
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def drawn(svg: str, side: int = 64) -> bytes:
    picture = get_renderer().render(RenderRequest(svg, side, side))
    assert isinstance(picture, Picture)
    return picture.png


def test_single_shot_sends_request_then_source(task: Task) -> None:
    system, user = Episode(task, "single-shot-paper").messages
    assert (system["role"], user["role"]) == ("system", "user")
    assert user["content"] == f"Request:\n{task.instruction}\n\nSVG source:\n{CORRUPTED}"
    assert "surgical precision" in system["content"]


def test_dollar_signs_in_a_task_are_no_slots(task: Task) -> None:
    from dataclasses import replace

    odd = replace(task, instruction="Pay $5 ${svg} $$", corrupted_svg=CORRUPTED.replace("sun", "${tools}"))
    text = text_of(Episode(odd, "single-shot").messages[1])
    assert "Pay $5 ${svg} $$" in text
    assert 'id="${tools}"' in text


def test_raster_differs_from_text_by_the_picture_only(task: Task) -> None:
    text = Episode(task, "single-shot").messages
    raster = Episode(task, "single-shot-raster", preview_size=64).messages
    assert raster[0] == text[0]
    assert raster[1]["content"][0]["text"] == text[1]["content"]
    assert raster[1]["content"][1]["text"] == "The drawing as it is now, rendered at 64 x 64 pixels:"
    assert pictures_of(raster[1]) == [drawn(CORRUPTED)]


@pytest.mark.parametrize("protocol", ["interactive-text", "interactive-raster", "interactive-feedback"])
def test_interactive_protocols_share_their_texts(task: Task, protocol: str) -> None:
    episode, base = Episode(task, protocol, preview_size=64), Episode(task, "interactive-text")
    assert episode.tools == base.tools
    assert text_of(episode.messages[0]) == text_of(base.messages[0])
    assert text_of(episode.messages[1]).startswith(text_of(base.messages[1]))


def test_after_a_turn_the_agent_learns_result_budget_and_change(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    episode.step(SOLUTION[0])
    call, result, note = episode.messages[2:]
    assert json.loads(call["tool_calls"][0]["function"]["arguments"]) == SOLUTION[0]["args"]
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]
    assert note["content"] == (
        "Turn 1 of 24; 23 left.\nChange of the document:\n@@ -4 +4 @@\n"
        '-  <circle id="sun" cx="31" cy="18" r="9" fill="#3a5a40"/>\n'
        '+  <circle id="sun" cx="70" cy="18" r="9" fill="#3a5a40"/>'
    )
    episode.step({"tool": "diff", "args": {}})
    assert text_of(episode.messages[-1]) == "Turn 2 of 24; 22 left.\nThe document did not change."


def test_a_whole_rewrite_is_shown_as_difference_or_whole_whichever_is_shorter(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    episode.step({"tool": "rewrite", "args": {"svg": TARGET}})
    assert "@@" in text_of(episode.messages[-1])
    other = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    episode.step({"tool": "rewrite", "args": {"svg": other}})
    assert text_of(episode.messages[-1]).endswith(f"The document now:\n{other}")


@pytest.mark.parametrize(("policy", "documents"), [("all", 3), ("latest", 1), ("diff", 1)])
def test_history_policy_decides_how_many_documents_are_sent(task: Task, policy: str, documents: int) -> None:
    episode = Episode(task, load_protocol("interactive-text").vary(documents=policy))
    for call in SOLUTION:
        episode.step(call)
    texts = [text_of(message) for message in episode.messages if message["role"] == "user"]
    assert sum("</svg>" in text for text in texts) == documents
    assert (EARLIER_DOCUMENT in texts[0]) == (policy == "latest")
    assert (TARGET in texts[-1]) == (policy != "diff")
    assert task.instruction in texts[0]


def test_the_delta_of_a_turn_is_sent_in_full_whatever_the_policy(task: Task) -> None:
    episode = Episode(task, load_protocol("interactive-text").vary(documents="latest"))
    assert CORRUPTED in text_of(episode.info()["messages"][1])
    delta = episode.step(SOLUTION[0]).info["messages"]
    assert [message["role"] for message in delta] == ["assistant", "tool", "user"]
    assert HALF in text_of(delta[-1])
    assert episode.info()["messages"] == delta


def test_pictures_come_in_our_message_after_all_tool_results(task: Task) -> None:
    episode = Episode(task, "interactive-raster", preview_size=64)
    calls = [
        {"id": f"c{n}", "function": {"name": call["tool"], "arguments": json.dumps(call["args"])}}
        for n, call in enumerate(SOLUTION)
    ]
    episode.step({"content": None, "tool_calls": calls})
    roles = [message["role"] for message in episode.messages]
    assert roles == ["system", "user", "assistant", "tool", "tool", "user"]
    assert all(isinstance(message["content"], str) for message in episode.messages[2:5] if message["content"])
    assert pictures_of(episode.messages[-1]) == [drawn(TARGET)]


@pytest.mark.parametrize(("keep", "count"), [("latest", 1), ("all", 3)])
def test_earlier_pictures_are_kept_as_the_protocol_says(task: Task, keep: str, count: int) -> None:
    protocol = load_protocol("interactive-raster")
    protocol = protocol.vary(preview={**protocol.preview.model_dump(), "keep": keep})
    episode = Episode(task, protocol, preview_size=64)
    for call in SOLUTION:
        episode.step(call)
    assert sum(len(pictures_of(message)) for message in episode.messages) == count
    assert sum(EARLIER_PICTURE in text_of(message) for message in episode.messages) == 3 - count


def test_a_turn_without_a_change_shows_no_picture(task: Task) -> None:
    episode = Episode(task, "interactive-raster", preview_size=64)
    step = episode.step({"tool": "diff", "args": {}})
    assert isinstance(episode.messages[-1]["content"], str)
    assert step.observation.preview is not None
    assert step.observation.preview.picture is not None
    assert step.observation.preview.picture.png == drawn(CORRUPTED)


def test_pictures_on_demand_come_from_the_render_tool(task: Task) -> None:
    episode = Episode(task, "interactive-raster-on-demand", preview_size=64)
    assert episode.observe().preview is not None
    assert not episode.observe().preview.ok  # type: ignore[union-attr]
    assert not pictures_of(episode.messages[1])
    step = episode.step({"tool": "render", "args": {}})
    assert len(pictures_of(episode.messages[-1])) == 1
    assert "Picture from a tool, " in text_of(episode.messages[-1])
    assert step.observation.preview is not None
    assert step.observation.preview.ok
    assert episode.events[-1]["preview_hash"] == step.observation.preview.picture.digest  # type: ignore[union-attr]
    step = episode.step(SOLUTION[0])
    assert not pictures_of(episode.messages[-1])


def test_the_render_tool_is_granted_on_demand_only(task: Task) -> None:
    step = Episode(task, "interactive-text").step({"tool": "render", "args": {}})
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "unknown_tool"


def test_feedback_follows_every_call_and_knows_the_start_only(task: Task) -> None:
    episode = Episode(task, "interactive-feedback")
    result = episode.step(SOLUTION[0]).observation.last_result
    assert "validity: " in result
    assert "changed since the start: " in result
    assert "rendering: ok" in result
    assert result in f"set_attribute: {episode.messages[-2]['content']}"
    unchanged = episode.step({"tool": "undo", "args": {}}).observation.last_result
    assert "changed since the start: nothing" in unchanged


def test_calls_in_text_are_described_and_answered_in_text(task: Task) -> None:
    episode = Episode(task, "interactive-text-json")
    assert episode.tools == []
    assert "set_attribute" in text_of(episode.messages[0])
    assert '{"tool": "set_attribute", "args": {"object": "door"' in text_of(episode.messages[0])
    episode.step("I move it.\n```json\n" + json.dumps(SOLUTION[0]) + "\n```")
    assistant, note = episode.messages[2:]
    assert "tool_calls" not in assistant
    assert note["content"].startswith('set_attribute: circle sun: cx "31" -> "70"\n\nTurn 1 of 24')
    episode.step("hm")
    assert "error no_action" in text_of(episode.messages[-1])
