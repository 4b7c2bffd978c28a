"""Suggested tolerances: where acceptance ends, how sure that is, and when nothing is said."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.review.labels import Judgement
from vbench_env.review.thresholds import (
    RepairLabel,
    Separation,
    repair_labels,
    separation,
    suggest,
    suggestions,
)
from vbench_env.review.verdicts import Judged, Measured


def labels(accepted: list[float], rejected: list[float], family: str = "color") -> list[RepairLabel]:
    return [RepairLabel(family, r, True) for r in accepted] + [
        RepairLabel(family, r, False) for r in rejected
    ]


def judgement(repaired: str, *missed: int, reviewer: str = "anna") -> Judgement:
    return Judgement.model_validate(
        {"plan_id": "p", "reviewer": reviewer, "at": "", "place": 1, "item": "i", "repaired": repaired,
         "preserved": "yes", "valid": "yes", "missed": missed}
    )  # fmt: skip


def judged(*distances: float | None) -> Judged:
    repairs = [
        Measured(object=str(n), operation="move", property="x", family="horizontal", passed=False, distance=distance,
                 tolerance=None if distance is None else 2.0)
        for n, distance in enumerate(distances)
    ]  # fmt: skip
    return Judged(status="NEAR", reward=0, valid=True, repaired=False, preserved=True, repairs=tuple(repairs))


def test_a_clean_separation_beyond_the_tolerance_is_found() -> None:
    found = suggest("color", labels([0, 0.5, 0.8, 1.1, 1.3, 1.4] * 4, [1.6, 1.8, 2.2, 3, 40] * 4))
    assert found.best == (1.4, 1.6)
    assert found.factor == pytest.approx(math.sqrt(1.4 * 1.6))
    assert (found.accepted, found.rejected, found.close) == (24, 20, 28)
    assert (found.errors_now, found.errors) == (12, 0)
    assert found.low is not None and found.high is not None
    assert 1 < found.low <= found.factor <= found.high < 2.2
    assert found.note == "people accept more"


def test_with_few_labels_the_same_separation_says_nothing_against_the_tolerance() -> None:
    found = suggest("color", labels([0, 0.5, 0.8, 1.1, 1.3, 1.4], [1.6, 1.8, 2.2, 3, 40]))
    assert (found.low, found.note) == (1.0, "no reason to change")


def test_of_equally_good_factors_the_present_one_is_kept() -> None:
    found = suggest("color", labels([0, 0.5, 0.6, 0.7, 0.9], [1.2, 1.3, 1.4, 1.8, 40]))
    assert (found.factor, found.best, found.note) == (1.0, (0.9, 1.2), "no reason to change")


def test_stricter_people_give_a_factor_below_one() -> None:
    found = suggest("color", labels([0, 0, 0.1, 0.2, 0.3, 0.3], [0.5, 0.55, 0.6, 0.7, 0.9, 3]))
    assert found.factor is not None and 0.3 < found.factor < 0.5
    assert found.note == "people accept less"


@pytest.mark.parametrize(("yes", "no"), [(4, 30), (30, 4), (0, 9), (9, 0)])
def test_too_few_labels_give_no_suggestion(yes: int, no: int) -> None:
    found = suggest("path", labels([0.5] * yes, [2.0] * no))
    assert (found.factor, found.low, found.best, found.errors) == (None, None, None, None)
    assert (found.accepted, found.rejected, found.note) == (yes, no, "too few labels")


def test_labels_far_from_the_tolerance_say_little() -> None:
    found = suggest("path", labels([0.0, 0.01, 0.0, 0.1, 0.2], [20, 30, 40, 50, 60]))
    assert (found.close, found.note) == (0, "hardly any near")


def test_a_distance_that_tells_nothing_is_called_that() -> None:
    found = suggest("path", labels([2.0] * 6, [0.5] * 6))
    assert found.note == "distance tells nothing"


def test_an_upper_end_that_does_not_exist_is_none() -> None:
    found = suggest("path", labels([1.5] * 6, [1.2] * 3 + [1.5] * 3))
    assert found.best is not None
    assert found.best[1] is None or math.isfinite(found.best[1])


@pytest.mark.parametrize(
    ("low", "high", "factor"),
    [(0.5, 2, 1), (1, 1.5, 1), (2, 8, 4), (0.25, 1, 0.5), (0, 0.5, 0.25), (3, math.inf, 3)],
)
def test_the_factor_of_a_stretch(low: float, high: float, factor: float) -> None:
    assert Separation(low, high, 1.0).factor == factor


RATIOS = st.lists(st.floats(0, 5), min_size=2, max_size=25)


@given(RATIOS, st.data())
def test_no_factor_separates_better_than_the_one_found(ratios, data):
    accepted = data.draw(st.lists(st.booleans(), min_size=len(ratios), max_size=len(ratios)))
    accepted[0], accepted[1] = True, False
    yes, far = np.array(accepted), np.array(ratios)
    found = separation(far, yes)

    def youden(factor: float) -> float:
        return float((far[yes] <= factor).mean() - (far[~yes] <= factor).mean())

    assert youden(found.low) == pytest.approx(found.youden)
    assert all(youden(factor) <= found.youden + 1e-9 for factor in [0.0, *ratios])


def test_a_yes_accepts_every_measured_repair() -> None:
    found = repair_labels(judged(1.0, None, 4.0), [judgement("yes")])
    assert found == [RepairLabel("horizontal", 0.5, True), RepairLabel("horizontal", 2.0, True)]


def test_marks_say_which_repair_is_rejected() -> None:
    found = repair_labels(judged(1.0, 4.0), [judgement("no", 2)])
    assert [label.accepted for label in found] == [True, False]


def test_a_no_without_marks_says_nothing_of_several_repairs_and_all_of_one() -> None:
    assert repair_labels(judged(1.0, 4.0), [judgement("no")]) == []
    assert repair_labels(judged(4.0), [judgement("no")]) == [RepairLabel("horizontal", 2.0, False)]
    assert repair_labels(judged(4.0), [judgement("unsure", 1)]) == []


def test_an_invalid_drawing_says_nothing_of_tolerances() -> None:
    broken = judged(0.0).model_copy(update={"valid": False})
    assert repair_labels(broken, [judgement("no", 1)]) == []


def test_reviewers_decide_by_majority_and_a_tie_says_nothing() -> None:
    three = [judgement("yes"), judgement("no", 1), judgement("no", 1)]
    assert [label.accepted for label in repair_labels(judged(1.0, 4.0), three)] == [False, True]
    assert len(repair_labels(judged(1.0, 4.0), three[:2])) == 1


def test_families_come_by_number_of_labels() -> None:
    found = suggestions([*labels([1.0], [], "path"), *labels([1.0, 1.0], [2.0], "color")])
    assert [row.family for row in found] == ["color", "path"]
