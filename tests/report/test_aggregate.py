"""What episodes add up to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report.runs import CORRUPTED, HALF, SIDE_EFFECT, TARGET, TASK, owed_record, record_of
from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.aggregate import GroupKey, Results, aggregate, card_of, compare, comparisons
from vbench_env.report.tally import Tally
from vbench_env.task import task_from_published

MEADOW = task_from_published(TASK)
FIELD = task_from_published({**TASK, "task_id": "field"})


def tally_of(*records: EpisodeRecord, **options: Any) -> Tally:
    return aggregate(records, **options).groups[0].total


def five() -> list[EpisodeRecord]:
    """A pass, a half, a side effect, an invalid drawing and no text."""
    answers = [TARGET, HALF, SIDE_EFFECT, TARGET[:-4], None]
    return [record_of(MEADOW, "m", svg, sample=place) for place, svg in enumerate(answers)]


def test_gates_statuses_and_rates_are_counted_over_scored_episodes():
    tally = tally_of(*five())
    assert (tally.scored, tally.full, tally.valid, tally.repaired, tally.preserved) == (5, 1, 3, 2, 2)
    assert dict(tally.statuses) == {"PASS": 1, "PARTIAL": 1, "SIDE_EFFECTS": 1, "INVALID": 1, "ERR": 1}
    assert sum(tally.statuses.values()) == tally.scored
    assert tally.full_rate.value == 0.2
    assert tally.full_rate.high == pytest.approx(0.6245, abs=1e-4)
    assert tally.gate_rate("valid").value == 0.6


def test_progress_is_given_for_all_and_for_valid_drawings():
    tally = tally_of(*five())
    assert tally.progress.value == pytest.approx((1 + 0.5 + 1) / 5)
    assert tally.progress_valid.value == pytest.approx((1 + 0.5 + 1) / 3)


def test_unintended_changes_count_valid_drawings_only_and_are_pooled_by_protected_objects():
    records = [
        record_of(MEADOW, "m", SIDE_EFFECT),
        record_of(FIELD, "m", TARGET),
        record_of(FIELD, "m", None),
    ]
    tally = tally_of(*records, protected={"meadow": 1, "field": 3})
    assert tally.ucr.value == pytest.approx(0.5)
    assert tally.ucr_pooled == pytest.approx(1 / 4)


def test_the_pooled_rate_is_unknown_without_the_number_of_protected_objects():
    tally = tally_of(record_of(MEADOW, "m", SIDE_EFFECT))
    assert tally.ucr.value == 1.0
    assert tally.ucr_pooled is None


def test_failures_of_infrastructure_enter_no_rate():
    tally = tally_of(record_of(MEADOW, "m", TARGET), owed_record(MEADOW, "m", sample=1))
    assert (tally.episodes, tally.scored, tally.unscored) == (2, 1, 1)
    assert tally.full_rate.value == 1.0
    assert tally.progress.value == 1.0
    assert dict(tally.failures) == {"auth": 1}


def test_a_group_without_a_verdict_has_no_rate():
    tally = tally_of(owed_record(MEADOW, "m"))
    assert tally.full_rate.value is None
    assert tally.progress.value is None


def test_answers_that_were_cut_off_are_apart_with_the_rate_of_the_others():
    cut = record_of(MEADOW, "m", TARGET[:-4], sample=1, cut_off=["length", "document"])
    cut_and_passed = record_of(MEADOW, "m", TARGET, sample=2, cut_off=["token_limit"])
    tally = tally_of(
        record_of(MEADOW, "m", TARGET), cut, cut_and_passed, record_of(MEADOW, "m", HALF, sample=3)
    )
    assert tally.cut_off == 2
    assert (tally.full_rate.successes, tally.full_rate.total) == (2, 4)
    assert (tally.finished_rate.successes, tally.finished_rate.total) == (1, 2)


def test_effort_is_summed_and_unknown_prices_are_counted():
    usage = {"prompt_tokens": 100, "completion_tokens": 40}
    priced = record_of(MEADOW, "m", TARGET, usage=usage, cost_usd=0.25, wall_s=2.0)
    unpriced = record_of(MEADOW, "m", HALF, sample=1, usage=usage, cost_usd=None, wall_s=4.0)
    tally = tally_of(priced, unpriced)
    assert (tally.prompt_tokens, tally.completion_tokens) == (200, 80)
    assert (tally.cost.total, tally.unpriced, tally.wall_s.value) == (0.25, 1, 3.0)


def test_misses_changes_and_operations_are_broken_down():
    tally = tally_of(record_of(MEADOW, "m", HALF), record_of(MEADOW, "m", SIDE_EFFECT, sample=1))
    assert dict(tally.missed) == {"untouched": 1}
    assert dict(tally.changes) == {"paint": 1, "added_object": 1}
    assert {name: (one.passed, one.total) for name, one in tally.operations.items()} == {
        "move": (2, 2),
        "recolor": (1, 2),
    }


def test_controls_are_listed_apart_and_models_best_first():
    results = aggregate(
        [
            record_of(MEADOW, "oracle", TARGET, control=True),
            record_of(MEADOW, "weak", CORRUPTED),
            record_of(MEADOW, "strong", TARGET),
            record_of(MEADOW, "middling", HALF),
            owed_record(MEADOW, "absent"),
        ]
    )
    assert [group.key.model for group in results.models] == ["strong", "middling", "weak", "absent"]
    assert [group.key.model for group in results.controls] == ["oracle"]


def test_a_control_stays_one_when_an_episode_failed_before_it_could_say_so():
    records = [owed_record(MEADOW, "oracle"), record_of(MEADOW, "oracle", TARGET, sample=1, control=True)]
    results = aggregate(records)
    assert results.models == ()
    assert [group.key.model for group in results.controls] == ["oracle"]


def test_every_task_has_its_row():
    records = [
        record_of(MEADOW, "m", TARGET),
        record_of(FIELD, "m", HALF),
        record_of(FIELD, "m", TARGET, sample=1),
    ]
    results = aggregate(records)
    (group,) = results.groups
    assert results.tasks == ("field", "meadow")
    assert {name: (tally.full, tally.scored) for name, tally in group.tasks.items()} == {
        "meadow": (1, 1),
        "field": (1, 2),
    }


def test_protocols_of_one_model_are_groups_of_their_own():
    other = record_of(MEADOW, "m", HALF, protocol="interactive-text")
    results = aggregate([record_of(MEADOW, "m", TARGET), other])
    assert [group.key for group in results.groups] == [
        GroupKey("m", "single-shot"),
        GroupKey("m", "interactive-text"),
    ]


def test_another_rule_set_takes_its_own_verdicts():
    wide = TARGET.replace('<circle id="sun" cx="90"', '<circle id="sun" transform="translate(60)" cx="30"')
    record = record_of(MEADOW, "m", wide)
    assert tally_of(record).full == 1
    assert tally_of(record, rules="published").full == 0
    assert aggregate([record], rules="published").groups[0].rules == "published"


def test_rules_without_a_verdict_are_refused_by_name():
    record = record_of(MEADOW, "m", TARGET)
    with pytest.raises(
        ConfigError, match="no verdicts under the rules 'lenient'; choose one of: published, surg"
    ):
        card_of(record, "lenient")
    assert card_of(owed_record(MEADOW, "m"), "lenient") is None


def two_models() -> Results:
    answers = {"good": [TARGET, TARGET, HALF], "poor": [TARGET, CORRUPTED, CORRUPTED]}
    tasks = [MEADOW, FIELD, task_from_published({**TASK, "task_id": "yard"})]
    return aggregate(
        [
            record_of(task, model, svg)
            for model, given in answers.items()
            for task, svg in zip(tasks, given, strict=True)
        ]
    )


def test_models_are_compared_on_the_episodes_that_both_have():
    (found,) = comparisons(two_models())
    assert (found.first.model, found.second.model) == ("good", "poor")
    assert (found.passes.pairs, found.passes.only_first, found.passes.only_second) == (3, 1, 0)
    assert found.progress is not None
    assert found.progress.value == pytest.approx((0 + 1 + 0.5) / 3)


def test_groups_without_a_shared_episode_compare_to_nothing():
    results = aggregate([record_of(MEADOW, "a", TARGET), record_of(FIELD, "b", TARGET)])
    found = compare(*results.models)
    assert (found.passes.pairs, found.passes.p_value, found.progress) == (0, 1.0, None)


def test_controls_are_never_compared_with_models():
    records = [record_of(MEADOW, "m", TARGET), record_of(MEADOW, "noop", CORRUPTED, control=True)]
    assert comparisons(aggregate(records)) == []
