"""The state machine: turns, calls, ends, budgets, rewards, forks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from vbench_env.episode import Episode, EpisodeOver, Step
from vbench_env.errors import ConfigError, UnknownName
from vbench_env.protocol import Protocol, load_protocol
from vbench_env.task import Task

from .conftest import CORRUPTED, SOLUTION, TARGET

SUBMIT = {"tool": "submit", "args": {}}
MOVE = {"tool": "set_attribute", "args": {"object": "sun", "name": "cx", "value": "50"}}
LONG = '<svg xmlns="http://www.w3.org/2000/svg"><!--' + "x" * 3000 + "--></svg>"


def native(*calls: dict[str, Any], content: str | None = None, **more: Any) -> dict[str, Any]:
    made = [
        {"id": f"id{n}", "function": {"name": call["tool"], "arguments": json.dumps(call["args"])}}
        for n, call in enumerate(calls)
    ]
    return {"role": "assistant", "content": content, "tool_calls": made, **more}


def small(protocol: Protocol, **budgets: int) -> Protocol:
    return protocol.vary(budgets={**protocol.budgets.model_dump(), **budgets})


def test_solving_it_step_by_step_gives_reward_one_at_submit(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    for call in SOLUTION:
        step = episode.step(call)
        assert (step.reward, step.terminated, step.truncated) == (0.0, False, False)
        assert not {"score", "scores", "reward_valid", "stop_reason"} & set(step.info)
    step = episode.step(SUBMIT)
    assert (step.reward, step.terminated, step.truncated) == (1.0, True, False)
    assert episode.final_svg == TARGET
    assert step.info["score"]["status"] == "PASS"
    assert step.info["reward_valid"] is True
    assert step.info["stop_reason"] == "submit"
    assert set(episode.scorecards) == {"surgical", "published"}


def test_info_holds_plain_json_types(task: Task) -> None:
    episode = Episode(task, "interactive-text", seed=4)
    first = episode.info()
    last = episode.step(SUBMIT).info
    assert json.loads(json.dumps(first)) == first
    assert json.loads(json.dumps(last)) == last
    assert set(first) == {"task_id", "task_hash", "episode_id", "seed", "turn", "messages"}
    assert (first["seed"], first["turn"], last["turn"]) == (4, 0, 1)
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert [message["role"] for message in last["messages"]] == ["assistant", "tool"]


def test_a_wrong_drawing_is_scored_zero_with_its_reasons(task: Task) -> None:
    step = Episode(task, "interactive-text").step(SUBMIT)
    assert (step.reward, step.terminated) == (0.0, True)
    assert step.info["score"]["valid"] is True
    assert [repair["passed"] for repair in step.info["score"]["repairs"]] == [False, False]


def test_stepping_after_the_end_raises(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    episode.step(SUBMIT)
    with pytest.raises(EpisodeOver, match="start a new one"):
        episode.step(SUBMIT)
    with pytest.raises(EpisodeOver):
        episode.stop("budget_usd")


def test_parallel_calls_run_in_order_until_submit_in_one_turn(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    step = episode.step(native(*SOLUTION, SUBMIT, MOVE))
    assert (step.reward, step.observation.turn, episode.final_svg) == (1.0, 1, TARGET)
    tools = [message for message in episode.messages if message["role"] == "tool"]
    assert [message["tool_call_id"] for message in tools] == ["id0", "id1", "id2", "id3"]
    assert tools[-1]["content"] == "not run: the episode is over"
    assert [event["action"]["tool"] for event in episode.events] == [*["set_attribute"] * 2, "submit"]


def test_a_failing_call_changes_nothing_and_the_next_still_runs(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    wrong = {"tool": "set_attribute", "args": {"object": "moon", "name": "cx", "value": "1"}}
    step = episode.step(native(wrong, MOVE))
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "not_found"
    assert 'cx="50"' in step.observation.svg
    assert episode.events[0]["error"]["kind"] == "not_found"
    assert episode.events[1]["error"] is None


@pytest.mark.parametrize("action", ["hello", "", '{"tool": "nope"}', '{"tool": "move", "args": {"o', 7, None])
def test_a_mistake_spends_the_turn_and_leaves_the_document(task: Task, action: object) -> None:
    episode = Episode(task, "interactive-text")
    step = episode.step(action)
    assert (step.reward, step.terminated, step.truncated) == (0.0, False, False)
    assert step.observation.svg == CORRUPTED
    assert (step.observation.turn, step.observation.turns_left) == (1, episode.max_turns - 1)
    assert step.observation.last_error is not None
    error = json.loads(step.observation.last_error.as_json())
    assert set(error) == {"kind", "place", "message"}
    assert error["message"]


def test_the_agent_is_told_of_its_mistake_in_the_conversation(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    episode.step("hello")
    assert "error no_action: the message holds no tool call" in episode.messages[-1]["content"]
    episode.step(native({"tool": "nope", "args": {}}))
    assert "error unknown_tool" in episode.messages[-2]["content"]


def test_three_unusable_messages_in_a_row_end_the_episode_which_is_scored(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    for action in (*SOLUTION, "hm", MOVE, "hm", "hm"):
        step = episode.step(action)
        assert not step.truncated
    step = episode.step("hm")
    assert (step.terminated, step.truncated, step.info["stop_reason"]) == (False, True, "format_errors")
    assert step.info["score"]["edit_completion"] == 0.5


def test_the_turn_budget_truncates_and_the_document_is_scored(task: Task) -> None:
    episode = Episode(task, "interactive-text", max_turns=2)
    episode.step(SOLUTION[0])
    step = episode.step(SOLUTION[1])
    assert (step.reward, step.terminated, step.truncated) == (1.0, False, True)
    assert step.info["stop_reason"] == "turns"
    assert step.observation.turns_left == 0


def test_submit_in_the_last_turn_terminates(task: Task) -> None:
    step = Episode(task, "interactive-text", max_turns=1).step(native(*SOLUTION, SUBMIT))
    assert (step.terminated, step.truncated, step.reward) == (True, False, 1.0)


def test_the_size_budget_refuses_the_document_and_truncates(task: Task) -> None:
    protocol = small(load_protocol("interactive-text"), max_document_bytes=2000)
    step = Episode(task, protocol).step(LONG)
    assert (step.truncated, step.info["stop_reason"]) == (True, "document_size")
    assert step.observation.svg == CORRUPTED
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "document_too_large"


def test_stop_from_outside_truncates_and_scores(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    for call in SOLUTION:
        episode.step(call)
    step = episode.stop("budget_usd")
    assert (step.reward, step.truncated, step.info["stop_reason"]) == (1.0, True, "budget_usd")
    unanswered = Episode(task, "single-shot").stop("budget_usd")
    assert unanswered.info["score"]["status"] == "ERR"


def test_a_cut_off_call_is_never_run(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    step = episode.step(native(*SOLUTION, SUBMIT, finish_reason="length"))
    assert (step.terminated, step.observation.svg) == (False, CORRUPTED)
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "cut_off"
    broken = native(MOVE)
    broken["tool_calls"][0]["function"]["arguments"] = '{"object": "sun", "na'
    step = episode.step(broken)
    assert step.observation.svg == CORRUPTED
    resent = next(message for message in reversed(episode.messages) if message["role"] == "assistant")
    assert json.loads(resent["tool_calls"][0]["function"]["arguments"]) == {
        "unreadable": '{"object": "sun", "na'
    }


def test_undo_takes_changes_back_one_by_one(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    for call in SOLUTION:
        episode.step(call)
    undo = {"tool": "undo", "args": {}}
    assert 'cx="70"' in episode.step(undo).observation.svg
    assert episode.step(undo).observation.svg == CORRUPTED
    assert episode.step(undo).observation.last_error is not None


def test_a_fork_goes_its_own_way(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    episode.step(SOLUTION[0])
    fork = episode.fork()
    fork.step("hm")
    assert fork.step(native(SOLUTION[1], SUBMIT)).reward == 1.0
    assert (episode.done, episode.turn, len(episode.events)) == (False, 1, 1)
    assert 'fill="#3a5a40"' in episode.document
    assert len(episode.messages) < len(fork.messages)
    assert episode.step(SUBMIT).reward == 0.0


def test_changing_the_messages_does_not_change_the_history(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    before = json.dumps(episode.messages)
    for message in episode.messages:
        message.clear()
    assert json.dumps(episode.messages) == before


# Single shot


def answer(task: Task, text: object, protocol: str | Protocol = "single-shot", **more: Any) -> Step:
    return Episode(task, protocol, **more).step(text)


@pytest.mark.parametrize(
    "text", [TARGET, f"```svg\n{TARGET}```", f"<think>no {CORRUPTED}</think>Here: {TARGET}"]
)
@pytest.mark.parametrize("protocol", ["single-shot", "single-shot-paper"])
def test_a_right_answer_terminates_with_reward_one(task: Task, text: str, protocol: str) -> None:
    step = answer(task, text, protocol)
    assert (step.reward, step.terminated, step.info["stop_reason"]) == (1.0, True, "answer")


@pytest.mark.parametrize(
    ("text", "scored"),
    [
        ("I cannot do that.", "I cannot do that."),
        (f"Sure: {TARGET[:-8]}", TARGET[:-8]),
        ('{"tool": "submit"}', '{"tool": "submit"}'),
        ("", ""),
    ],
)
def test_a_wrong_answer_is_scored_as_it_stands(task: Task, text: str, scored: str) -> None:
    episode = Episode(task, "single-shot")
    step = episode.step({"content": text, "finish_reason": "length"})
    assert (step.reward, step.terminated, episode.final_svg) == (0.0, True, scored)
    assert step.info["score"]["valid"] is False


def test_no_answer_at_all_is_an_error_row(task: Task) -> None:
    step = answer(task, {"role": "assistant", "content": None})
    assert (step.terminated, step.info["score"]["status"]) == (True, "ERR")


def test_calls_in_a_single_shot_protocol(task: Task) -> None:
    assert answer(task, {"tool": "rewrite", "args": {"svg": TARGET}}).reward == 1.0
    step = answer(task, SOLUTION[0])
    assert (step.terminated, step.observation.svg) == (True, CORRUPTED)
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "not_granted"


def test_an_answer_beyond_the_size_budget_truncates(task: Task) -> None:
    step = answer(task, LONG, small(load_protocol("single-shot"), max_document_bytes=2000))
    assert (step.truncated, step.info["stop_reason"], step.reward) == (True, "document_size", 0.0)
    assert step.observation.svg == CORRUPTED


def test_the_headline_follows_the_protocol_or_the_caller(task: Task) -> None:
    assert answer(task, TARGET, "single-shot-paper").info["score"]["rules"] == "published"
    assert answer(task, TARGET).info["score"]["rules"] == "surgical"
    assert answer(task, TARGET, rules="published").info["score"]["rules"] == "published"


BLOCKS = """Two places:
<<<<<<< SEARCH
cx="31"
=======
cx="70"
>>>>>>> REPLACE
<<<<<<< SEARCH
#3a5a40
=======
#ffb703
>>>>>>> REPLACE
"""
DIFF = """Here is the diff.
```diff
--- a/drawing.svg
+++ b/drawing.svg
@@ -4 +4 @@
-  <circle id="sun" cx="31" cy="18" r="9" fill="#3a5a40"/>
+  <circle id="sun" cx="70" cy="18" r="9" fill="#ffb703"/>
```
It moves the sun.
"""


@pytest.mark.parametrize("text", [BLOCKS, DIFF, f"<think>{CORRUPTED}</think>{DIFF}"])
def test_a_patch_is_applied_and_scored(task: Task, text: str) -> None:
    step = answer(task, text, "single-shot-patch")
    assert (step.reward, step.observation.svg) == (1.0, TARGET)


@pytest.mark.parametrize(
    "text", [BLOCKS.replace("#3a5a40", "#000"), DIFF.replace('cx="31"', 'cx="5"'), TARGET, "no"]
)
def test_a_patch_that_does_not_fit_changes_nothing(task: Task, text: str) -> None:
    step = answer(task, text, "single-shot-patch")
    assert (step.terminated, step.reward, step.observation.svg) == (True, 0.0, CORRUPTED)
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "patch_failed"


# Rewards


def test_progress_reward_counts_repairs_and_preservation(task: Task) -> None:
    assert answer(task, TARGET, reward="progress").reward == 1.0
    assert answer(task, CORRUPTED, reward="progress").reward == 0.0
    half = CORRUPTED.replace('cx="31"', 'cx="70"')
    assert answer(task, half, reward="progress").reward == pytest.approx(0.5, abs=0.01)
    damaged = half.replace("#1d3557", "#000000")
    assert 0 < answer(task, damaged, reward="progress").reward < 0.4
    assert answer(task, half[:-8], reward="progress").reward == 0.0


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaped_reward_telescopes_to_the_gates(task: Task, gamma: float) -> None:
    episode = Episode(task, "interactive-text", reward="shaped", gamma=gamma)
    rewards = [episode.step(action).reward for action in (*SOLUTION, "hm", SUBMIT)]
    assert rewards[0] > 0
    discounted = sum(reward * gamma**turn for turn, reward in enumerate(rewards))
    assert discounted == pytest.approx(gamma**3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reward": "points"}, "reward must be one of gates, progress, shaped"),
        ({"gamma": 2.0}, "gamma must be between 0 and 1"),
        ({"max_turns": 0}, "max_turns must be a whole number of at least 1"),
        ({"preview_size": (3, 3)}, "preview_size is a side"),
        ({"preview_size": (300, 300, 3)}, "preview_size is a side"),
    ],
)
def test_wrong_settings_are_the_callers_mistake(task: Task, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Episode(task, "interactive-text", **settings)


def test_unknown_names_suggest_the_nearest(task: Task) -> None:
    with pytest.raises(UnknownName, match="interactive-text"):
        Episode(task, "interactive-txt")
    protocol = load_protocol("interactive-text")
    with pytest.raises(UnknownName, match="did you mean 'set_text'"):
        Episode(task, protocol.vary(tools=("set_txt", "submit")))
    with pytest.raises(UnknownName, match="rule set"):
        Episode(task, protocol, rules="strict")


# Identity


def test_the_same_seed_names_the_same_episode(task: Task) -> None:
    one, two = Episode(task, "single-shot", seed=3), Episode(task, "single-shot", seed=3)
    assert one.episode_id == two.episode_id
    assert one.observe() == two.observe()
    other = Episode(task, "single-shot-paper", seed=3)
    assert len({one.episode_id, other.episode_id, Episode(task, "single-shot", seed=4).episode_id}) == 3


def test_events_say_what_happened(task: Task) -> None:
    episode = Episode(task, "interactive-text")
    episode.step(SOLUTION[0])
    episode.step("\ud800 hm")
    first, second = episode.events
    assert first["action"] == SOLUTION[0]
    assert first["document_hash"] == second["document_hash"]
    assert second["action"] == {"text": "\\ud800 hm"}
    assert second["error"]["kind"] == "no_action"
    assert json.dumps(episode.events).encode("utf-8")
    assert json.dumps(episode.messages, ensure_ascii=False).encode("utf-8")
