"""What is found beyond counts: pairs by kind, ranks, repeated samples, fronts, breakdowns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report.runs import CORRUPTED, HALF, SIDE_EFFECT, TARGET, TASK, owed_record, record_of
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.report.aggregate import GroupKey, aggregate, compare
from vbench_env.report.findings import breakdown, findings_of, fronts_of, pairs_of, ranks_of, repeated_of
from vbench_env.report.outcomes import Outcome, Outcomes, Pairs, Place
from vbench_env.report.statistics import adjusted
from vbench_env.report.tally import Tally
from vbench_env.task import task_from_published

TASKS = [task_from_published({**TASK, "task_id": name}) for name in ("a", "b", "c", "d")]


def records(model: str, answers: list[list[str]], **fields: Any) -> list[EpisodeRecord]:
    """Samples of every task."""
    return [
        record_of(task, model, svg, sample=sample, **fields)
        for task, samples in zip(TASKS, answers, strict=True)
        for sample, svg in enumerate(samples)
    ]


GOOD = [[TARGET, TARGET], [TARGET, TARGET], [TARGET, HALF], [HALF, TARGET]]
POOR = [[CORRUPTED, CORRUPTED], [TARGET, CORRUPTED], [CORRUPTED, HALF], [CORRUPTED, CORRUPTED]]


def test_a_task_counts_once_whatever_its_samples():
    first, second = aggregate([*records("good", GOOD), *records("poor", POOR)]).models
    found = compare(first, second)
    assert (found.passes.pairs, found.tasks) == (8, 4)
    assert (found.passes.only_first, found.passes.only_second) == (5, 0)
    assert found.passed is not None
    assert found.passed.value == pytest.approx((1 + 0.5 + 0.5 + 0.5) / 4)
    assert found.passes.p_value == pytest.approx(2 / 2**5)
    assert found.p_value == pytest.approx(2 / 2**4)
    assert found.odds is not None
    assert found.odds.low > 0
    assert found.effect is not None
    assert found.effect > 1


def test_only_samples_that_both_have_are_compared():
    some = [record for record in records("poor", POOR) if (record.task_id, record.sample) != ("a", 1)]
    found = compare(*aggregate([*records("good", GOOD), *some]).models)
    assert (found.passes.pairs, found.tasks) == (7, 4)
    none = compare(*aggregate([*records("good", GOOD)[:2], *records("poor", POOR)[2:]]).models)
    assert (none.passes.pairs, none.tasks, none.passed, none.p_value) == (0, 0, None, 1.0)


def test_pairs_are_of_three_kinds_and_corrected_together():
    everything = [
        *records("good", GOOD), *records("good", POOR, protocol="interactive-text"),
        *records("poor", POOR), *records("poor", POOR, wording="terse"),
    ]  # fmt: skip
    pairs = pairs_of(aggregate(everything))
    kinds = {pair.by: {(pair.comparison.first, pair.comparison.second)} for pair in pairs}
    assert len(pairs) == 3
    assert kinds["models"] == {(GroupKey("good", "single-shot"), GroupKey("poor", "single-shot"))}
    assert kinds["protocols"] == {(GroupKey("good", "single-shot"), GroupKey("good", "interactive-text"))}
    plain, terse = GroupKey("poor", "single-shot, plain"), GroupKey("poor", "single-shot, terse")
    assert kinds["wordings"] == {(plain, terse)}
    assert [pair.p_adjusted for pair in pairs] == adjusted([pair.comparison.p_value for pair in pairs])
    assert {pair.by for pair in pairs_of(aggregate(everything), ("wordings",))} == {"wordings"}


def test_wordings_of_an_episode_do_not_overwrite_each_other():
    group = aggregate([*records("m", GOOD), *records("m", POOR, wording="chatty")]).models[0]
    assert len(group.outcomes) == 16
    assert group.outcomes.wordings == ("plain", "chatty")
    assert len(group.outcomes.only("chatty")) == 8
    assert group.outcomes[Place("a", 0)].passed
    assert not group.outcomes[Place("a", 0, "chatty")].passed


def test_outcomes_are_a_mapping_that_keeps_what_was_put_in():
    outcomes = Outcomes()
    outcomes.add(Place("t", 3), Outcome(True, 1.0))
    outcomes.add(Place("t", 0), Outcome(False, 0.25))
    outcomes.add(Place("t", 0), Outcome(True, 0.5))
    assert dict(outcomes) == {Place("t", 0): Outcome(True, 0.5), Place("t", 3): Outcome(True, 1.0)}
    assert len(outcomes) == 2
    assert ("t", 3) in outcomes
    for missing in (Place("t", 1), Place("t", 9), Place("t", -1), Place("u", 0), Place("t", 0, "terse")):
        assert missing not in outcomes
    assert Pairs.of(outcomes, Outcomes()).task_passes == ([], [])


def test_ranks_are_of_models_under_one_protocol():
    everything = [*records("good", GOOD), *records("poor", POOR), *records("good", GOOD, protocol="other")]
    (name, found), *more = ranks_of(aggregate(everything)).items()
    assert (name, more) == ("single-shot", [])
    assert [(one.key, one.rank) for one in found.ranks] == [("good", 1), ("poor", 2)]
    assert found.tasks == 4


def test_repeated_samples_tell_chances_and_variances():
    found = repeated_of(aggregate(records("good", GOOD)).models[0])
    assert [one.k for one in found.any] == [one.k for one in found.all] == [1, 2]
    assert [one.rate.value for one in found.any] == pytest.approx([6 / 8, 1.0])
    assert [one.rate.value for one in found.all] == pytest.approx([6 / 8, 0.5])
    assert found.passed is not None
    assert (found.passed.tasks, found.passed.samples) == (4, 8)
    assert found.passed.decoding == pytest.approx((0.5 + 0.5) / 4)
    assert found.progress is not None
    once = repeated_of(aggregate(records("m", [[TARGET], [HALF], [TARGET], [HALF]])).models[0])
    assert ([one.k for one in once.any], once.passed) == ([1], None)


def test_fronts_leave_out_who_is_beaten_who_calls_nobody_and_whose_price_is_unknown():
    tokens = {"prompt_tokens": 10, "completion_tokens": 0}
    everything = [
        *records("cheap", POOR, cost_usd=0.01, usage=tokens),
        *records("dear", GOOD, cost_usd=1.0, usage=tokens),
        *records("waste", POOR, cost_usd=2.0, usage=tokens),
        *records("offline", POOR, cost_usd=0.0),
        *records("secret", GOOD, cost_usd=None, usage={"prompt_tokens": 5, "completion_tokens": 0}),
    ]
    fronts = {kind: [key.model for key in keys] for kind, keys in fronts_of(aggregate(everything)).items()}
    assert fronts == {"usd": ["cheap", "dear"], "tokens": ["secret"]}


def test_a_breakdown_adds_tasks_up():
    cut = [record_of(TASKS[3], "m", None, sample=5, cut_off=["length"]), owed_record(TASKS[0], "m", sample=6)]
    group = aggregate([*records("m", GOOD), *cut]).models[0]
    found = breakdown(group, {"a": "easy", "b": "easy", "c": "hard", "d": "hard"})
    assert {name: (tally.full, tally.scored, tally.cut_off) for name, tally in found.items()} == {
        "easy": (4, 4, 0),
        "hard": (2, 5, 1),
    }
    whole = Tally()
    for tally in found.values():
        whole.take(tally)
    assert whole == group.total
    assert breakdown(group, {"a": "easy"}).keys() == {"easy"}


def test_progress_of_finished_answers_leaves_out_those_cut_off():
    cut = record_of(TASKS[0], "m", None, sample=1, cut_off=["length"])
    tally = aggregate([record_of(TASKS[0], "m", HALF), cut]).models[0].total
    assert tally.progress.value == pytest.approx(0.25)
    assert tally.progress_finished.value == pytest.approx(0.5)
    assert (tally.cut_off_rate.successes, tally.cut_off_rate.total) == (1, 2)


def test_all_findings_together_leave_controls_apart():
    everything = [
        *records("good", GOOD),
        *records("noop", POOR, control=True),
        *records("poor", [[SIDE_EFFECT]] * 4),
    ]
    found = findings_of(aggregate(everything), traits={"a": "x", "b": "x", "c": "y", "d": "y"})
    assert len(found.pairs) == 1
    assert set(found.repeated) == {GroupKey("good", "single-shot"), GroupKey("poor", "single-shot")}
    assert set(found.traits) == {*found.repeated, GroupKey("noop", "single-shot")}
    assert findings_of(aggregate([])).pairs == []
