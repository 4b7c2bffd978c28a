"""One class and one line of evidence for every failed episode."""

from __future__ import annotations

from typing import get_args

import pytest

import vbench_env
from vbench_env.report.failing import MEANING, FailingClass, failing
from vbench_env.scoring.scorecard import Scorecard

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{}</svg>'
TARGET = '<circle id="sun" cx="20" cy="20" r="9" fill="#f39c12"/><rect id="sea" x="0" y="60" width="100" height="40"/>'
START = TARGET.replace('cx="20"', 'cx="60"').replace("#f39c12", "#888888")
REPAIRS = [
    {"part": "sun", "attribute": "cx", "before": 60, "after": 20},
    {"part": "sun", "attribute": "fill", "before": "#888888", "after": "#f39c12"},
]
RIGHT_PLACE = START.replace('cx="60"', 'cx="20"')


def card(candidate: str | None) -> Scorecard:
    return vbench_env.judge(
        SVG.format(TARGET), candidate, corrupted_svg=SVG.format(START), repairs=REPAIRS, protected=["sea"]
    )


def darker(inner: str) -> str:
    return inner.replace('height="40"', 'height="20"')


@pytest.mark.parametrize(
    ("candidate", "kind", "evidence"),
    [
        (None, "no_answer", "no text came back"),
        ("<svg><g></svg>", "not_well_formed", "mismatched tag"),
        (SVG.format(TARGET + "<script/>"), "unsafe", "script"),
        (SVG.format(TARGET.replace("#f39c12", "#zz")), "not_valid", "fill is no valid"),
        (
            SVG.format(START),
            "no_change",
            "missed: sun cx untouched, sun fill untouched; nothing else differs",
        ),
        (SVG.format(darker(START)), "wrong_place", "changed: sea height 40 to 20"),
        (SVG.format(darker(TARGET)), "side_effects", "changed: sea height 40 to 20"),
        (SVG.format(RIGHT_PLACE), "incomplete", "missed: sun fill untouched"),
        (
            SVG.format(RIGHT_PLACE.replace("#888888", "blue")),
            "wrong_value",
            "sun fill is #0000ff for #f39c12",
        ),
        (SVG.format(darker(RIGHT_PLACE)), "incomplete_and_side_effects", "sun fill untouched; changed: sea"),
        (
            SVG.format(darker(RIGHT_PLACE.replace("#888888", "blue"))),
            "wrong_value_and_side_effects",
            "is #0000ff for #f39c12; changed: sea height",
        ),
    ],
)
def test_the_first_question_with_the_answer_no_gives_the_class(
    candidate: str | None, kind: str, evidence: str
) -> None:
    found = failing(card(candidate))
    assert found is not None
    assert found.kind == kind
    assert evidence in found.evidence


def test_what_passes_has_no_class() -> None:
    assert failing(card(SVG.format(TARGET))) is None


def test_an_answer_that_was_cut_off_is_no_document_for_that_reason() -> None:
    broken = card(SVG.format(TARGET)[:-20])
    found = failing(broken, ["length"])
    assert found is not None
    assert found.kind == "cut_off"
    assert found.evidence.startswith("length: ")


def test_an_answer_beyond_the_size_budget_is_not_blamed_for_where_the_record_of_it_breaks_off() -> None:
    found = failing(card(SVG.format(TARGET)[:-20]), (), "document_size")
    assert found is not None
    assert found.kind == "too_long"
    assert "larger than the size budget" in found.evidence
    read = failing(card(SVG.format(START)), (), "document_size")
    assert read is not None
    assert read.kind == "no_change"


def test_a_cut_off_answer_that_can_be_read_is_judged_by_what_it_holds() -> None:
    found = failing(card(SVG.format(START)), ["token_limit"])
    assert found is not None
    assert found.kind == "no_change"


def test_evidence_is_one_short_line() -> None:
    found = failing(card(SVG.format(START.replace('id="sea"', f'id="{"s" * 400}"'))))
    assert found is not None
    assert len(found.evidence) <= 200
    assert "\n" not in found.evidence


def test_every_class_says_what_it_means() -> None:
    assert set(MEANING) == set(get_args(FailingClass))
