"""Published outcomes scored anew: agreement with verdicts worked out by hand, figures, flips and their reasons."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.published_folders import (
    OTHER_TASK,
    ROWS,
    TARGET,
    checks,
    plain_folder,
    published_data,
    repository,
    repository_row,
    verdict,
)
from vbench_env.report.decomposition import PAPER
from vbench_env.report.reproduce import Reproduction, reproduce
from vbench_env.report.reproduction_view import disagreement_table, flip_table


def shown(renderable: Any) -> str:
    console = Console(width=200, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


@pytest.fixture
def found(tmp_path: Path) -> Reproduction:
    return reproduce(plain_folder(tmp_path))


def test_every_outcome_agrees(found: Reproduction) -> None:
    assert found.agreement.disagreements == ()
    assert found.headline == "6 of 6 outcomes agree"
    assert found.ok
    assert {row.field for row in found.agreement.fields} >= {"reward", "status", "check distance"}
    assert all(row.agreeing == row.comparable and not row.not_comparable for row in found.agreement.fields)


def test_both_layouts_agree(tmp_path: Path) -> None:
    rows = [repository_row(row, raw=True) for row in ROWS]
    assert reproduce(repository(tmp_path, rows)).headline == "6 of 6 outcomes agree"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reward", 0), ("validity_pass", False), ("repair_pass", False), ("preservation_pass", False),
        ("near_pass", True), ("source_preservation_pass", False), ("target_match", False), ("status", "NEAR"),
        ("unintended_change_rate", 0.001), ("edit_completion", 0.9), ("repair_progress", 0.997),
    ],
)  # fmt: skip
def test_a_verdict_that_differs_is_listed(tmp_path: Path, field: str, value: Any) -> None:
    wrong = {**ROWS[0], field: value}
    found = reproduce(plain_folder(tmp_path, [wrong, *ROWS[1:]]))
    assert found.headline == "5 of 6 outcomes agree"
    assert not found.ok
    (item,) = found.agreement.disagreements
    assert (item.task_id, item.model, item.field, item.recorded) == ("sv_001", "exact", field, value)
    assert "exact" in shown(disagreement_table(found.agreement))


@pytest.mark.parametrize(
    ("name", "value", "agrees"),
    [
        ("distance", 6.02, True), ("distance", 6.05, False), ("tolerance", 5.02, True), ("tolerance", 5.03, False),
        ("distance", None, False), ("passed", True, False),
    ],
)  # fmt: skip
def test_a_check_agrees_within_half_a_percent(tmp_path: Path, name: str, value: Any, agrees: bool) -> None:
    sun, wall = ROWS[2]["checks"]
    found = reproduce(plain_folder(tmp_path, [{**ROWS[2], "checks": [{**sun, name: value}, wall]}]))
    assert found.ok is agrees
    assert [item.field for item in found.agreement.disagreements] == ([] if agrees else [f"sun.cx {name}"])


def test_progress_agrees_within_two_thousandths(tmp_path: Path) -> None:
    assert reproduce(plain_folder(tmp_path, [{**ROWS[2], "repair_progress": 0.8515}])).ok


def test_a_missing_field_is_not_comparable_and_no_disagreement(tmp_path: Path) -> None:
    row = {name: value for name, value in ROWS[0].items() if name not in ("near_pass", "checks")}
    found = reproduce(plain_folder(tmp_path, [row, ROWS[1]]))
    assert found.headline == "2 of 2 outcomes agree"
    counts = {row.field: (row.comparable, row.not_comparable) for row in found.agreement.fields}
    assert counts["near_pass"] == (1, 1)
    assert counts["check distance"] == (2, 1)
    assert found.beside is None
    assert found.tolerances_beside == ()


def test_a_row_without_any_verdict_is_not_counted_as_agreeing(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, [ROWS[0], {"model": "bare", "produced": TARGET}]))
    assert found.headline == "1 of 1 outcomes agree"
    assert found.agreement.not_comparable == 1


def test_a_check_that_only_one_side_has_is_a_disagreement(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, [{**ROWS[0], "checks": checks(0.0, 0.0)[:1]}]))
    assert [item.field for item in found.agreement.disagreements] == ["wall.fill"]


def test_the_decomposition_counts_outcomes(found: Reproduction) -> None:
    figures = found.decomposition
    assert (figures.outcomes, figures.passed, figures.near, figures.repaired) == (6, 1, 1, 2)
    assert (figures.preserved, figures.source_preserved, figures.target_match) == (3, 3, 1)
    assert (figures.side_effects, figures.valid_incomplete, figures.invalid_or_missing) == (1, 2, 2)
    assert figures.progress == pytest.approx(2.85 / 6)
    assert figures.progress_valid == pytest.approx(2.85 / 4)
    assert figures.change_rate_pooled == pytest.approx(0.5 / 4)
    assert figures.validity == pytest.approx(4 / 6)
    assert figures.length_limited == pytest.approx(1 / 6)
    assert figures.provider_errors == pytest.approx(1 / 6)


def test_pooled_and_macro_change_rates_differ_where_models_answer_unequally_often(tmp_path: Path) -> None:
    again = {**ROWS[0], "model": "clumsy"}
    figures = reproduce(plain_folder(tmp_path, [ROWS[3], again, ROWS[0]])).decomposition
    assert figures.change_rate_pooled == pytest.approx(0.5 / 3)
    assert figures.change_rate_macro == pytest.approx((0.25 + 0) / 2)


def test_a_part_of_the_outcomes_stands_beside_its_recorded_figures(found: Reproduction) -> None:
    assert found.reference == "recorded"
    assert found.beside == found.decomposition
    assert "recorded verdicts of these rows" in shown(found)


def test_all_outcomes_stand_beside_the_published_figures(tmp_path: Path) -> None:
    rows = [{**ROWS[5], "model": f"model-{number}"} for number in range(PAPER.outcomes)]
    found = reproduce(plain_folder(tmp_path, rows))
    assert found.reference == "published"
    assert found.beside == PAPER
    assert {(row.factor, row.how, row.full) for row in found.tolerances_beside} >= {
        (0.5, "distances", 11), (1.5, "distances", 46), (0.5, "re-scored", 13), (1.5, "re-scored", 64)
    }  # fmt: skip


def test_models_are_ranked_by_passes_then_near_misses(found: Reproduction) -> None:
    assert [row.model for row in found.models][:3] == ["exact", "near", "clumsy"]


def test_tolerances_are_scaled_both_ways(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, [ROWS[0], ROWS[2]]))
    counts = {(row.factor, row.how): row.full for row in found.tolerances}
    assert counts == {
        (0.5, "distances"): 1, (1.0, "distances"): 1, (1.5, "distances"): 2,
        (0.5, "re-scored"): 1, (1.0, "re-scored"): 1, (1.5, "re-scored"): 2,
    }  # fmt: skip
    assert [row.full for row in found.tolerances_beside] == [1, 1, 2]


ARIA = TARGET.replace('id="hill"', 'id="hill" aria-label="steep"')
HSL = TARGET.replace("#0000ff", "hsl(240 100% 50%)")
EVENT = TARGET.replace('id="hill"', 'id="hill" onclick="run()"')
FLIPS = [
    {"model": "aria", "produced": ARIA, "checks": checks(0.0, 0.0),
     **verdict("PASS", repaired=True, preserved=True, source=False, completion=1.0, progress=1.0)},
    {"model": "hsl", "produced": HSL, "checks": [checks(0.0, 0.0)[0], checks(0.0, None)[1]],
     **verdict("PARTIAL", preserved=True, completion=0.5, progress=0.5)},
    {"model": "event", "produced": EVENT, "checks": checks(0.0, 0.0),
     **verdict("SIDE_EFFECTS", repaired=True, completion=1.0, progress=1.0, rate=0.5)},
]  # fmt: skip


def test_published_agrees_where_surgical_will_differ(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, FLIPS))
    assert found.agreement.disagreements == ()
    assert found.flips == ()


def test_every_verdict_that_surgical_flips_has_its_reason(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, [*ROWS, *FLIPS]), "surgical")
    flips = {flip.model: flip for flip in found.flips}
    assert set(flips) == {"aria", "hsl", "event"}
    assert [flip.model for flip in found.flips if flip.decisive] == ["aria", "hsl"]
    (aria,) = flips["aria"].gates
    assert (aria.gate, aria.before, aria.after) == ("preserved", True, False)
    assert "aria-label" in aria.reason
    assert "hill" in aria.reason
    (hsl,) = flips["hsl"].gates
    assert (hsl.gate, hsl.after) == ("repaired", True)
    assert "wall.fill missed" in hsl.reason
    assert hsl.reason.endswith("(published)")
    (event, lost) = flips["event"].gates
    assert (event.gate, lost.gate) == ("valid", "repaired")
    assert "onclick" in event.reason
    assert "wall.fill missed" in shown(flip_table(found.flips))


def test_rules_other_than_published_are_free_to_differ(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, FLIPS), "surgical")
    assert found.ok
    assert found.headline == "3 outcomes under surgical: 3 outcomes differ at a gate, 2 in the reward"


def test_controls_are_part_of_it(tmp_path: Path) -> None:
    found = reproduce(plain_folder(tmp_path, tasks=(OTHER_TASK, {**OTHER_TASK, "task_id": "sv_001"})))
    assert [row.tasks for row in found.controls.rows] == [2, 2, 2, 2]


def test_everything_is_printed_and_written_as_json(found: Reproduction) -> None:
    text = shown(found)
    for title in ("Table 2", "Table 3", "Table 4", "side effects", "6 of 6 outcomes agree"):
        assert title in text
    data = json.loads(json.dumps(found.to_json()))
    assert data["headline"] == "6 of 6 outcomes agree"
    assert data["agreement"]["ok"] is True
    assert data["decomposition"]["passed"] == 1


def test_progress_is_told(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    reproduce(plain_folder(tmp_path), progress=lambda done, total: calls.append((done, total)))
    assert calls[:6] == [(number, 6) for number in range(1, 7)]


@pytest.mark.published
def test_the_published_outcomes_agree() -> None:
    found = reproduce(published_data(), "published")
    assert found.agreement.disagreements == ()
    assert found.agreement.not_comparable == 0
    assert found.headline == f"{found.outcomes} of {found.outcomes} outcomes agree"
    assert found.ok
    if found.beside is not None:
        ours, theirs = asdict(found.decomposition), asdict(found.beside)
        assert ours == {name: pytest.approx(value, abs=6e-4) for name, value in theirs.items()}
    assert [row.full for row in found.controls.rows] == [0, 100, 0, 0]
