"""Episodes and runs on every kind of task: what agents are told, which tools work, how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vbench_agents.oracle import OracleAgent
from vbench_agents.scripted import ScriptedAgent

from vbench_env.agent import AgentTurn
from vbench_env.episode import Episode
from vbench_env.experiments import runner
from vbench_env.experiments.config import make_config
from vbench_env.experiments.store import RunFolder
from vbench_env.protocol import load_protocol, protocol_names
from vbench_env.report import write_report
from vbench_env.report.best_of import best_of
from vbench_env.report.comparing import read_runs, traits_of
from vbench_env.report.findings import findings_of
from vbench_env.task import Task, load_corpus
from vbench_env.tools import TOOLS

CORPUS = load_corpus("vbench-kinds")
TIDE = CORPUS.task("tide-clock")
ON_TEXT = {
    "replace_text",
    "apply_patch",
    "rewrite",
    "batch",
    "undo",
    "reset_document",
    "submit",
    "diff",
    "validate",
}


def played(task: Task, protocol: str, agent: Any, **settings: Any) -> Episode:
    episode = Episode(task, protocol, preview_size=64, **settings)
    agent.reset(task.public, episode.protocol, 0)
    if hasattr(agent, "reset_privileged"):
        agent.reset_privileged(task)
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        episode.step(agent.act(turn).message())
    return episode


def script(*calls: tuple[str, dict[str, Any]]) -> ScriptedAgent:
    return ScriptedAgent(json.dumps({"tool": name, "args": args}) for name, args in calls)


@pytest.mark.parametrize("protocol", protocol_names())
@pytest.mark.parametrize("name", ["tide-clock", "harbour-bus", "rain-report"])
def test_every_protocol_plays_every_kind(name: str, protocol: str) -> None:
    episode = played(CORPUS.task(name), protocol, OracleAgent())
    assert episode.failure is None
    assert episode.scorecards["surgical"].passed


@pytest.mark.parametrize("name", sorted(set(load_protocol("interactive-raster-on-demand").tools) - ON_TEXT))
def test_tools_that_work_on_elements_say_where_a_document_breaks(name: str) -> None:
    if name == "render":
        pytest.skip("a picture is refused by the renderer, not by the document")
    values: dict[str, Any] = {
        "name": "fill",
        "property": "fill",
        "value": "red",
        "text": "x",
        "points": "0,0",
    }
    values |= {"d": "M0 0", "index": 1, "markup": "<g/>", "to": "front", "query": "circle"}
    fields = TOOLS.get(name).Args.model_fields
    arguments = {
        key: values.get(key, "sun" if key == "object" else 2) for key in fields if fields[key].is_required()
    }
    episode = Episode(TIDE, "interactive-raster-on-demand", preview_size=64)
    step = episode.step({"tool": name, "args": arguments})
    error = step.observation.last_error
    assert error is not None, step.observation.last_result
    assert (error.kind, error.place) == ("malformed_document", "line 25"), error
    assert "line 25, column 69" in error.message and "replace_text" in error.message
    assert episode.document == TIDE.corrupted_svg


def test_a_picture_of_a_malformed_document_is_unavailable_and_says_why() -> None:
    episode = Episode(TIDE, "interactive-raster", preview_size=64)
    preview = episode.observe().preview
    assert preview is not None and not preview.ok
    assert "not well-formed" in str(preview.reason)
    assert "preview unavailable" in str(episode.messages[-1]["content"])


def test_text_tools_mend_it_step_by_step_until_it_can_be_seen() -> None:
    agent = script(
        ("replace_text", {"find": 'fill="#b3322c transform', "replace": 'fill="#b3322c" transform'}),
        ("replace_text", {"find": "Ebb & Flood", "replace": "Ebb &amp; Flood"}),
        ("replace_text", {"find": "< 3 knots", "replace": "&lt; 3 knots"}),
        ("replace_text", {"find": 'r="4" fill="#f2b632"/>\n', "replace": 'r="4" fill="#f2b632"/></g>\n'}),
        ("set_attribute", {"object": "sun", "name": "fill", "value": "#f2b632"}),
        ("submit", {}),
    )  # fmt: skip
    episode = played(TIDE, "interactive-raster", agent)
    assert episode.scorecards["surgical"].passed
    hashes = [event["preview_hash"] for event in episode.events]
    assert hashes[:3] == [None, None, None] and None not in hashes[3:5]


def test_a_mend_that_is_missing_leaves_the_file_invalid() -> None:
    agent = script(("replace_text", {"find": "Ebb & Flood", "replace": "Ebb &amp; Flood"}), ("submit", {}))
    card = played(TIDE, "interactive-text", agent).scorecards["surgical"]
    assert (card.status, card.reward) == ("INVALID", 0)
    assert card.faults[0].line == 25


def test_a_rewrite_may_not_break_it_again() -> None:
    episode = Episode(TIDE, "interactive-text")
    step = episode.step({"tool": "rewrite", "args": {"svg": "<svg><g></svg>"}})
    assert step.observation.last_error is not None
    assert step.observation.last_error.kind == "malformed_result"


def test_the_kind_is_told_beside_the_request_and_never_for_repairs() -> None:
    for task in CORPUS:
        system = Episode(task, "interactive-text").messages[0]["content"]
        assert system.endswith(task.goal.advice)
    repair = load_corpus("vbench-40")[0]
    plain = load_protocol("single-shot").prompts.system
    assert Episode(repair, "single-shot").messages[0]["content"] == plain


def test_the_progress_reward_of_an_optimisation_is_the_share_saved() -> None:
    badge = CORPUS.task("summit-badge")
    shorter = badge.corrupted_svg.replace(".000000", "")
    agent = script(("rewrite", {"svg": shorter}), ("submit", {}))
    episode = Episode(badge, "interactive-text", reward="progress")
    agent.reset(badge.public, episode.protocol, 0)
    rewards = []
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        rewards.append(episode.step(agent.act(turn).message()).reward)
    assert rewards[-1] == episode.scorecards["surgical"].graded
    assert 0 < rewards[-1] < 1


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kinds") / "run"
    config = make_config({
        "corpus": "vbench-kinds", "models": ["noop", "oracle"], "protocols": ["interactive-text"],
        "samples": 2, "executor": "inline",
    })  # fmt: skip
    summary = runner.run(config, folder)
    assert summary.complete
    return folder


def test_a_run_on_every_kind_is_recorded_and_scored(run: Path) -> None:
    records = list(RunFolder(run).episodes())
    assert len(records) == len(CORPUS) * 4
    assert all(record.reward_valid for record in records)
    passed = {(record.model, record.score.passed) for record in records if record.score}
    assert passed == {("noop", False), ("oracle", True)}
    assert {record.score.kind for record in records if record.score} == {"malformed", "optimisation", "style"}


def test_a_run_is_added_up_by_kind(run: Path) -> None:
    found = findings_of(read_runs([run]), traits=traits_of([run], "kind"))
    by_kind = {
        key.model: {kind: tally.full for kind, tally in tallies.items()}
        for key, tallies in found.traits.items()
    }
    assert by_kind["oracle"] == {"malformed": 4, "optimisation": 4, "style": 4}
    assert set(by_kind["noop"].values()) == {0}


def test_a_run_on_every_kind_has_a_page_and_choices(run: Path) -> None:
    page = write_report(run, run.parent / "report.html").read_text(encoding="utf-8")
    assert "not well-formed" in page and "Saving share" in page and "no change" in page
    assert {found.key.model for found in best_of([run])} == {"noop", "oracle"}
