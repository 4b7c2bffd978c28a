"""Kappa against the tables of the papers and textbooks that define it, and what it says where it is not defined."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from vbench_env.errors import ConfigError
from vbench_env.review.statistics import FEW, ROUGH, bootstrapped, cohen, fleiss, weighted_share


def pairs(table: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Labels of two raters from their contingency table."""
    found = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [one for one, _ in found], [other for _, other in found]


def rows(counts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Labels by subject from the number of raters who chose each category."""
    return [[category for category, count in enumerate(row) for _ in range(count)] for row in counts]


COHEN_1960 = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
"""N = 200, 140 agreements, 82 by chance: kappa = .492."""
FLEISS_LEVIN_PAIK = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
"""Statistical Methods for Rates and Proportions, table 18.1: kappa = 0.68, standard error 0.087."""
FLEISS_1971 = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0],
    [0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0],
    [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
]  # fmt: skip
"""Thirty patients, six psychiatrists, five diagnoses: kappa = .430."""
FOURTEEN_RATERS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
"""The worked example of the encyclopedias: kappa = 0.210."""


def test_cohens_kappa_is_that_of_cohen_1960() -> None:
    assert cohen(*pairs(COHEN_1960), range(3)).value == pytest.approx(0.492, abs=5e-4)


def test_its_interval_is_that_of_fleiss_levin_and_paik() -> None:
    found = cohen(*pairs(FLEISS_LEVIN_PAIK), range(3))
    assert (found.n, found.note) == (100, "")
    assert found.value == pytest.approx(0.68, abs=0.005)
    assert (found.low, found.high) == (pytest.approx(0.51, abs=0.01), pytest.approx(0.85, abs=0.01))


def test_ordered_labels_are_weighted_by_squared_distance() -> None:
    near, far = [[10, 5, 0], [0, 10, 0], [0, 0, 10]], [[10, 0, 5], [0, 10, 0], [0, 0, 10]]
    assert cohen(*pairs(near), range(3)).value == pytest.approx(cohen(*pairs(far), range(3)).value, abs=0.02)
    weighted = [cohen(*pairs(table), range(3), "quadratic").value for table in (near, far)]
    observed, expected = 5 / 4 / 35, sum(
        (i - j) ** 2 / 4 * a * b for (i, a), (j, b) in
        itertools.product(enumerate((15 / 35, 10 / 35, 10 / 35)), enumerate((10 / 35, 15 / 35, 10 / 35)))
    )  # fmt: skip
    assert weighted[0] == pytest.approx(1 - observed / expected)
    assert weighted[1] < weighted[0]


@pytest.mark.parametrize(("counts", "kappa"), [(FLEISS_1971, 0.430), (FOURTEEN_RATERS, 0.210)])
def test_fleiss_kappa_is_the_published_one(counts: list[list[int]], kappa: float) -> None:
    found = fleiss(rows(counts), range(5))
    assert found.value == pytest.approx(kappa, abs=5e-4)
    assert found.low is not None and found.high is not None
    assert found.low < kappa < found.high


def test_the_interval_of_fleiss_kappa_depends_on_the_seed_alone() -> None:
    assert fleiss(rows(FLEISS_1971), range(5), 1) == fleiss(rows(FLEISS_1971), range(5), 1)
    assert fleiss(rows(FLEISS_1971), range(5), 1) != fleiss(rows(FLEISS_1971), range(5), 2)


def test_two_raters_of_fleiss_are_close_to_cohen() -> None:
    one, other = pairs(FLEISS_LEVIN_PAIK)
    assert fleiss(list(zip(one, other, strict=True)), range(3)).value == pytest.approx(0.676, abs=0.005)


def test_few_outcomes_are_called_rough() -> None:
    assert cohen([1, 0, 1] * 5, [1, 0, 0] * 5, (0, 1)).note == ROUGH
    assert cohen([1, 0, 1] * FEW, [1, 0, 0] * FEW, (0, 1)).note == ""


def test_without_disagreement_there_is_no_interval() -> None:
    found = cohen([1, 0, 1], [1, 0, 1], (0, 1))
    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert found.note == "no disagreement, so that there is no interval"
    assert fleiss([[1, 1], [0, 0]], (0, 1)).note == found.note


@pytest.mark.parametrize(("yes", "no"), [(4, 10), (12, 2), (9, 5), (1, 1)])
def test_where_one_side_always_says_the_same_kappa_is_0_without_an_interval(yes: int, no: int) -> None:
    always, other = ["yes"] * (yes + no), ["yes"] * yes + ["no"] * no
    for first, second in ((always, other), (other, always)):
        found = cohen(first, second, ["yes", "no"])
        assert (found.value, found.low, found.high) == (0.0, None, None)
        assert "always gave the same label" in found.note


def test_where_kappa_is_not_defined_it_says_why() -> None:
    assert cohen([1, 1], [1, 1], (0, 1)).note == "both gave one and the same label"
    assert cohen([], [], (0, 1)).note == "nothing in common"
    assert fleiss([[1, 1], [1, 1]], (0, 1)).note == "all gave one and the same label"
    assert fleiss([], (0, 1)).note == "nothing in common"
    assert fleiss([[1], [0]], (0, 1)).value is None


def test_labels_that_are_no_pairs_are_refused() -> None:
    with pytest.raises(ConfigError, match="1 and 2 labels are no pairs"):
        cohen([1], [1, 0], (0, 1))
    with pytest.raises(ConfigError, match="the same number of labels for every outcome"):
        fleiss([[1, 0], [1]], (0, 1))


def test_equal_weights_give_wilsons_interval() -> None:
    found = weighted_share([True] * 81 + [False] * 182, [2.5] * 263)
    assert found is not None
    assert (found.value, found.effective) == (pytest.approx(81 / 263), pytest.approx(263))
    # Newcombe 1998, table 1
    assert (found.low, found.high) == (pytest.approx(0.2553, abs=6e-5), pytest.approx(0.3662, abs=6e-5))


def test_an_outcome_that_stands_for_many_widens_the_interval() -> None:
    even = weighted_share([True] * 20, [5.0] * 20)
    uneven = weighted_share([True] * 20, [1.0] * 19 + [81.0])
    assert even is not None and uneven is not None
    assert uneven.effective == pytest.approx(100**2 / (19 + 81**2))
    assert (even.value, uneven.value) == (1, 1)
    assert uneven.low < 0.5 < 0.8 < even.low
    assert weighted_share([], []) is None


def test_weights_decide_the_share() -> None:
    found = weighted_share([True, False], [3.0, 1.0])
    assert found is not None and found.value == 0.75


def test_resamples_that_are_no_number_are_left_out() -> None:
    values = np.array([1.0, 2.0, np.nan])
    found = bootstrapped(lambda places: float(values[places].max()), 3, 0, resamples=200)
    assert found.low >= 1
    assert found.high == 2


def test_without_statsmodels_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "statsmodels"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    with pytest.raises(ConfigError, match=r"pip install 'vbench-env\[review\]'"):
        cohen([1, 0], [0, 1], (0, 1))


def test_reading_a_review_does_not_load_statsmodels() -> None:
    names = ("agreement", "desk", "tables")
    loaded = ", ".join(f"vbench_env.review.{name}" for name in names)
    code = f"import sys, {loaded}; print('statsmodels' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"
