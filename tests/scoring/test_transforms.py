"""Repairs of a transform: what was asked for counts, and nothing else of the matrix may follow."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.drawings import drawing, repaired
from vbench_env.repair import Repair
from vbench_env.scoring import SURGICAL, Scorecard, judge


class TestTransforms:
    BOX = '<g id="g" transform="{}"><rect width="20" height="10"/></g>'

    def verdict(self, target: str, candidate: str, start: str, name: str = "transform") -> Scorecard:
        bodies = [self.BOX.format(transform) for transform in (target, candidate, start)]
        return repaired(*bodies, "g", name)  # type: ignore[arg-type]

    def test_by_how_far_corners_are_moved(self) -> None:
        card = self.verdict("translate(10 10)", "translate(12 10)", "translate(50 10)")
        assert card.passed
        assert card.repairs[0].comparison == "displacement"
        assert not self.verdict("translate(10 10)", "translate(13 10)", "translate(50 10)").repaired
        assert not self.verdict("translate(10 10)", "translate(10 10)rotate(20)", "translate(50 10)").repaired

    def test_by_angle(self) -> None:
        at = "translate(50 50) rotate({})"
        card = self.verdict(at.format(30), at.format(34), at.format(90), "rotate")
        assert card.repaired
        assert (card.repairs[0].unit, card.repairs[0].distance) == ("degrees", pytest.approx(4))
        assert not self.verdict(at.format(30), at.format(36), at.format(90), "rotate").repaired
        assert self.verdict(at.format(359), at.format(2), at.format(90), "rotate").repaired

    def test_a_turn_does_not_free_the_place(self) -> None:
        assert not self.verdict("rotate(30)", "translate(40) rotate(30)", "rotate(90)", "rotate").repaired

    def test_a_size_does_not_free_the_place(self) -> None:
        at = "translate({} 40) scale({})"
        assert self.verdict(at.format(40, 1), at.format(40, 1.05), at.format(40, 0.5), "size").repaired
        assert not self.verdict(at.format(40, 1), at.format(41, 1), at.format(40, 0.5), "size").repaired

    def test_a_css_transform_takes_its_place(self) -> None:
        body = '<g id="g" transform="{}"{}><rect width="20" height="10"/></g>'
        style = ' style="transform:none"'
        card = repaired(
            body.format("translate(9)", ""),
            body.format("translate(9)", style),
            body.format("translate(50)", ""),
            "g",
            "transform",
        )
        assert card.reward == 0
        assert not card.repaired


BOX = '<g id="g" transform="{}"><rect width="20" height="10"/></g>'


def verdict(operation: str, target: str, candidate: str, start: str | None, **options: object) -> Scorecard:
    """The verdict on one repair of a box's transform; `start` None: only the target is known."""
    bodies = [drawing(BOX.format(transform)) for transform in (target, candidate)]
    repair = Repair.model_validate({"object": "g", "operation": operation, "property": "transform"})
    corrupted = None if start is None else drawing(BOX.format(start))
    return judge(*bodies, corrupted_svg=corrupted, repairs=[repair], **options)  # type: ignore[arg-type]


SLANTED = "translate({}) rotate(17) scale(2 2)"
MOVES = [
    ("translate(11 10)", True),
    ("matrix(1 0 0 1 11 10)", True),
    ("translate(11 10) rotate(360)", True),
    ("translate(10 10) rotate(2)", False),
    ("translate(10 10) scale(1.05)", False),
    ("translate(10 10) scale(1 1.02)", False),
    ("translate(10 10) skewX(3)", False),
    ("translate(10 10) skewY(3)", False),
    ("translate(10 10) matrix(1.00000001 0 0 1 0 0)", True),
]


@pytest.mark.parametrize("start", ["translate(50 10)", None])
@pytest.mark.parametrize(("candidate", "counts"), MOVES)
def test_a_move_leaves_rotation_scale_and_skew_alone(candidate: str, counts: bool, start: str | None) -> None:
    card = verdict("move", "translate(10 10)", candidate, start)
    assert card.repaired is counts
    assert counts or card.repairs[0].comparison == "displacement-rest"


def test_a_move_of_a_turned_object_may_spell_the_turn_as_a_matrix() -> None:
    cosine, sine = 2 * math.cos(math.radians(17)), 2 * math.sin(math.radians(17))
    target, start = SLANTED.format("10 10"), SLANTED.format("50 10")
    for digits, counts in ((12, True), (6, True), (2, False)):
        a, b = round(cosine, digits), round(sine, digits)
        assert verdict("move", target, f"matrix({a} {b} {-b} {a} 10 10)", start).repaired is counts


@pytest.mark.parametrize(
    ("candidate", "counts"),
    [
        ("translate(50 50) rotate(33)", True),
        ("translate(50 50) rotate(33) scale(1.04)", False),
        ("translate(50 50) rotate(33) scale(1 1.02)", False),
        ("translate(50 50) rotate(33) skewX(2)", False),
        ("translate(50 50) rotate(33) scale(1 -1)", False),
        ("translate(50.5 50) rotate(30)", True),
    ],
)
def test_a_rotation_neither_scales_nor_skews(candidate: str, counts: bool) -> None:
    card = verdict("rotate", "translate(50 50) rotate(30)", candidate, "translate(50 50) rotate(90)")
    assert card.repaired is counts
    assert counts or card.repairs[0].comparison == "rotation-rest"


@pytest.mark.parametrize(
    ("angle", "about", "counts"), [(33, "90 5", True), (33, "5 5", False), (33, "90 90", False)]
)
def test_a_rotation_is_about_the_centre_of_the_object(angle: int, about: str, counts: bool) -> None:
    body = '<g id="g" transform="rotate({} {})"><rect x="80" width="20" height="10"/></g>'
    bodies = [drawing(body.format(*found)) for found in ((30, "90 5"), (angle, about), (90, "90 5"))]
    repair = Repair.model_validate({"object": "g", "operation": "rotate", "property": "transform"})
    assert judge(*bodies[:2], corrupted_svg=bodies[2], repairs=[repair]).repaired is counts


@pytest.mark.parametrize(
    ("candidate", "counts"),
    [
        ("translate(40 40) scale(1.04)", True),
        ("translate(40 40) scale(1.03 .98)", True),
        ("translate(40 40) rotate(2)", False),
        ("translate(40 40) skewX(3)", False),
        ("translate(40 40) scale(1 -1) translate(0 -1)", False),
        ("translate(40 40) scale(1.5)", False),
    ],
)
def test_a_resize_neither_turns_nor_skews(candidate: str, counts: bool) -> None:
    assert verdict("resize", "translate(40 40)", candidate, "translate(40 40) scale(.5)").repaired is counts


@pytest.mark.parametrize(
    ("candidate", "counts"),
    [("scale(1.04)", True), ("scale(1 3)", False), ("rotate(2)", False), ("skewX(1)", False)],
)
def test_a_size_is_that_of_both_sides(candidate: str, counts: bool) -> None:
    change = {"part": "g", "attribute": "size", "before": 10, "after": 20}
    bodies = [drawing(BOX.format(transform)) for transform in ("scale(1)", candidate, "scale(.5)")]
    assert judge(*bodies[:2], corrupted_svg=bodies[2], repairs=[change]).repaired is counts


@pytest.mark.parametrize(
    ("target", "start", "slip"),
    [
        ("rotate(30)", "rotate(80)", "rotate(30) scale(1.05)"),
        ("scale(2)", "scale(1)", "scale(2) rotate(1)"),
        ("translate(10)", "translate(50)", "translate(10) skewX(2)"),
    ],
)
def test_a_change_of_a_transform_is_read_from_the_matrices(target: str, start: str, slip: str) -> None:
    assert verdict("move", target, target, start).passed
    assert not verdict("move", target, slip, start).repaired


def test_a_change_that_mixes_a_turn_and_a_scale_is_held_by_its_corners_alone() -> None:
    card = verdict("move", "scale(2) rotate(40)", "scale(2.01) rotate(40)", "scale(1 3) rotate(80)")
    assert card.repaired
    assert card.repairs[0].comparison == "displacement"


def test_the_whole_transform_is_free_where_the_mask_frees_properties() -> None:
    loose = SURGICAL.vary(mask="property")
    slip = "translate(10 10) scale(1.05)"
    assert verdict("move", "translate(10 10)", slip, "translate(50 10)", rules=loose).repaired


@settings(max_examples=60)
@given(
    angle=st.floats(-180, 180), scale=st.floats(0.2, 5), x=st.floats(-40, 40), y=st.floats(-40, 40),
    slip=st.floats(0.001, 0.3), kind=st.sampled_from(["rotate", "scale", "skewX"]),
)  # fmt: skip
def test_no_slip_of_the_linear_part_is_a_move(
    angle: float, scale: float, x: float, y: float, slip: float, kind: str
) -> None:
    rest = f"rotate({angle!r}) scale({scale!r})"
    target, start = f"translate({x!r} {y!r}) {rest}", f"translate({x + 30!r} {y!r}) {rest}"
    assert verdict("move", target, target, start).passed
    amount = 1 + slip if kind == "scale" else 57.3 * slip
    assert not verdict("move", target, f"{target} {kind}({amount!r})", start).repaired
