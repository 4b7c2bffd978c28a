"""Configurations: what is accepted, what is refused with which words, and what may change on resume."""

from __future__ import annotations

import pytest

from tests.experiments.conftest import config
from vbench_env.errors import ConfigError, UnknownName
from vbench_env.experiments.config import make_config, settings_of
from vbench_env.experiments.config_file import load_config
from vbench_env.experiments.plan import make_plan

BASE = {"corpus": "suns", "models": ["noop"]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"models": []}, "models"),
        ({"models": ["a/b", "a/b"]}, "'a/b' is listed twice"),
        ({"samples": 0}, "samples"),
        ({"sample": 2}, "unknown field 'sample'; did you mean 'samples'?"),
        ({"models": [{"name": "a/b", "params": {"api_key": "x"}}]}, "api_key may hold a secret"),
        ({"models": [{"name": "a/b", "params": {"extra_body": {"auth_token": "x"}}}]}, "auth_token may hold"),
        ({"models": [{"name": "a/b", "input_usd_per_million": 1}]}, "output_usd_per_million together"),
        ({"rules": "strict"}, "rules"),
        ({"budget": {"usd": -1}}, "budget.usd"),
    ],
)
def test_wrong_fields_are_named(change, words):
    with pytest.raises(ConfigError, match="is not valid") as caught:
        make_config({**BASE, **change})
    assert words in str(caught.value)


def test_a_file_with_overrides(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text(
        "corpus: suns\nmodels:\n  - noop\n  - {name: fast, model: openai/x, temperature: 0.5}\nsamples: 3\n"
    )
    found = load_config(path, {"samples": 2})
    assert [model.name for model in found.models] == ["noop", "fast"]
    assert found.models[1].temperature == 0.5
    assert found.samples == 2


@pytest.mark.parametrize(("text", "words"), [("- a", "must be a mapping"), ("a: [", "cannot be read")])
def test_a_file_that_is_no_configuration(tmp_path, text, words):
    path = tmp_path / "study.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_config(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "nowhere.yaml")


def test_a_server_on_this_machine_may_come_back_on_another_port():
    first, second, other = (
        settings_of(make_config({**BASE, "api_base": base}))
        for base in ("http://127.0.0.1:81/v1", "http://localhost:82/v1", "http://example.org:82/v1")
    )
    assert first == second != other


def test_addresses_are_kept_without_passwords():
    kept = (
        make_config({**BASE, "api_base": "https://me:secret@example.org/v1?key=abc"})
        .public()
        .model_dump_json()
    )
    assert "secret" not in kept
    assert "abc" not in kept


def test_the_plan_is_complete_in_a_fixed_order_and_its_ids_are_stable(corpus):
    wanted = config(
        corpus, models=["noop", "oracle"], protocols=["single-shot", "single-shot-patch"], samples=2
    )
    plan, again = make_plan(wanted), make_plan(wanted)
    assert len(plan.units) == 4 * 2 * 2 * 2
    assert [unit.key.episode_id for unit in plan.units] == [unit.key.episode_id for unit in again.units]
    assert len({unit.key.episode_id for unit in plan.units}) == len(plan.units)
    assert [unit.sample for unit in plan.units] == [0] * 16 + [1] * 16


def test_the_seed_of_a_run_changes_all_seeds_of_its_episodes(corpus):
    first, second = ({unit.seed for unit in make_plan(config(corpus, seed=seed)).units} for seed in (0, 1))
    assert not first & second


def test_tasks_are_chosen_by_name(corpus):
    assert [unit.task.task_id for unit in make_plan(config(corpus, tasks=["t2", "t1"])).units] == ["t2", "t1"]
    with pytest.raises(UnknownName, match="t3"):
        make_plan(config(corpus, tasks=["t33"]))
