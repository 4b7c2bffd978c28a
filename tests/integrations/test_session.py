from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vbench_env import ConfigError, SvgRepairEnv, UnknownName, VBenchError, load_corpus
from vbench_env.integrations.session import Session, Source, SourceConfig

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def source():
    return Source()


def test_a_seed_picks_the_task_that_the_gymnasium_environment_plays(source):
    env = SvgRepairEnv()
    for seed in (0, 1, 2, 12345):
        _, info = env.reset(seed=seed)
        session = Session(source)
        session.begin(seed=seed)
        assert session.episode.task.task_id == info["task_id"]
        assert session.episode.episode_id == info["episode_id"]


def test_an_index_counts_the_tasks_of_the_corpus(source):
    ids = load_corpus("vbench-40").ids
    assert source.task(index=3).task_id == ids[3]
    with pytest.raises(ConfigError, match=f"from 0 to {len(ids) - 1}"):
        source.task(index=len(ids))
    with pytest.raises(ConfigError, match="by task"):
        source.task()


def test_an_unknown_task_is_answered_with_the_nearest_name(source):
    with pytest.raises(UnknownName, match="did you mean 'harbor-dawn'"):
        Session(source).begin(task="harbour-dawn")
    session = Session(source)
    reply = session.try_begin(task="harbour-dawn")
    assert reply.error == "bad_request" and "harbor-dawn" in reply.text and session.done


@given(task=JSON, index=JSON, seed=JSON)
@settings(deadline=None, max_examples=25)
def test_a_request_from_outside_never_raises(source, task, index, seed):
    reply = Session(source).try_begin(task=task, index=index, seed=seed)
    assert reply.text


@given(st.lists(st.tuples(JSON, JSON), max_size=3))
@settings(deadline=None, max_examples=25)
def test_whatever_a_client_calls_is_answered(source, calls):
    session = Session(source)
    session.begin(task="harbor-dawn")
    for tool, args in calls:
        reply = session.call(tool, args)
        assert reply.text
        json.dumps(reply.text.encode("utf-8").decode())
    assert session.outcome().final_svg == session.document


def test_calls_before_the_start_and_after_the_end_say_so(source):
    session = Session(source)
    assert session.call("submit").error == "no_episode"
    with pytest.raises(VBenchError, match="no episode"):
        session.outcome()
    session.begin(task="harbor-dawn")
    assert "the episode is over (submit)" in session.call("submit").text
    late = session.call("submit")
    assert late.error == "episode_over" and late.done and late.reward == 0


def test_a_session_is_used_again_and_forgets_the_episode_before(source):
    session = Session(Source(SourceConfig(reward="progress")))
    session.begin(task="harbor-dawn")
    session.call("set_text", {"object": "sign-bottom", "text": "MARKET"})
    first = session.outcome()
    session.begin(task="harbor-dawn")
    second = session.outcome()
    assert first.reward > second.reward == 0
    assert first.episode_id == second.episode_id


def test_an_episode_that_is_left_is_scored_as_it_stands(source):
    session = Session(Source(SourceConfig(reward="progress")))
    session.begin(task="harbor-dawn")
    session.call("set_text", {"object": "sign-bottom", "text": "MARKET"})
    outcome = session.outcome("disconnect")
    assert outcome.stop_reason == "disconnect" and outcome.reward > 0 and "MARKET" in outcome.final_svg
    assert session.outcome() == outcome


def test_the_summary_of_an_outcome_tells_nothing_of_the_target(source):
    session = Session(source)
    session.begin(task="harbor-dawn")
    session.call("submit")
    outcome = session.outcome()
    assert outcome.gates == {"valid": True, "repaired": False, "preserved": True}
    assert set(outcome.summary()) >= {"reward", "status", "valid", "edit_completion"}
    assert not {"repairs", "changes", "final_svg", "score"} & set(outcome.summary())


def test_calls_from_many_threads_run_in_turn(source):
    session = Session(source)
    session.begin(task="harbor-dawn")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: session.call("diff"), range(20)))
    assert session.episode.turn == 20
    assert len({reply.text for reply in replies}) == 20  # each says its own turn


def test_a_protocol_without_tool_calls_is_refused_by_adapters_that_need_them():
    for protocol in ("single-shot", "interactive-text-json"):
        with pytest.raises(ConfigError, match="choose an interactive protocol"):
            Source(SourceConfig(protocol=protocol)).require_tools("MCP")


def test_the_reason_of_a_mistake_without_a_call_is_told(source):
    session = Session(source)
    session.begin(task="harbor-dawn")
    reply = session.call("set_text", ["no", "mapping"])
    assert reply.error == "bad_call" and "args must be an object" in reply.text
    assert session.play("just words").error == "no_action"
    assert session.call(None).done  # three in a row


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"protocol": 5}, "protocol"),
        ({"turns": 3}, "Known: corpus, split, protocol"),
        ({"max_turns": "many"}, "max_turns"),
    ],
)
def test_settings_of_the_wrong_kind_are_refused_with_what_there_is(wrong, told):
    with pytest.raises(ConfigError, match=told):
        SourceConfig.of(**wrong)


@pytest.mark.parametrize(
    "wrong", [{"preview_size": 3}, {"max_turns": 0}, {"reward": "most"}, {"split": "all"}]
)
def test_settings_that_no_episode_could_have_are_refused_before_the_first_one(wrong):
    with pytest.raises(ConfigError):
        Source(SourceConfig(**wrong))
