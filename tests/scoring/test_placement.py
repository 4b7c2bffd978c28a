"""Repairs of where an object is: moves by attribute or transform, and transforms themselves."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing, repaired
from vbench_env.scoring import Scorecard, judge

DISC = '<circle id="c" cx="{}" cy="50" r="9"{}/>'


def moved(attributes: str, around: str = "{}", disc: str = DISC) -> Scorecard:
    """The verdict on a disc that was to go from cx 20 to 60, left at 20 and given some attributes."""
    target, start = around.format(disc.format(60, "")), around.format(disc.format(20, ""))
    return repaired(target, around.format(disc.format(20, attributes)), start, "c", "cx", 20, 60)


@pytest.mark.parametrize(
    "transform", ["translate(40)", "matrix(1 0 0 1 40 0)", "translate(20)translate(20 0)"]
)
def test_the_same_move_by_transform_counts(transform: str) -> None:
    assert moved(f' transform="{transform}"').passed


@pytest.mark.parametrize(
    "transform",
    [
        "translate(40 3)",
        "translate(40)scale(1.1)",
        "translate(40)rotate(5)",
        "translate(4)",
        "translate(-40)",
    ],
)
def test_another_move_does_not(transform: str) -> None:
    assert moved(f' transform="{transform}"').reward == 0


def test_the_move_is_measured_in_the_frame_of_the_object() -> None:
    turned = '<circle id="c" cx="{}" cy="50" r="9" transform="{}"/>'
    target, start = turned.format(60, "rotate(90)"), turned.format(20, "rotate(90)")
    assert repaired(target, turned.format(20, "rotate(90) translate(40)"), start, "c", "cx", 20, 60).passed
    assert not repaired(
        target, turned.format(20, "translate(40) rotate(90)"), start, "c", "cx", 20, 60
    ).passed


@pytest.mark.parametrize(
    "definition",
    [
        '<linearGradient id="f" gradientUnits="userSpaceOnUse"/>',
        '<linearGradient id="f" href="#h"/><linearGradient id="h" gradientUnits="userSpaceOnUse"/>',
        '<pattern id="f" patternUnits="userSpaceOnUse" width="5" height="5"/>',
        '<pattern id="f" width=".1" height=".1" patternTransform="rotate(30)"/>',
    ],
)
def test_a_paint_that_is_tied_to_user_space_would_move_too(definition: str) -> None:
    assert (
        moved(' transform="translate(40)"', definition + "{}", DISC.replace("r=", 'fill="url(#f)" r=')).reward
        == 0
    )
    assert moved(' transform="translate(40)"', definition + '<g fill="url(#f)">{}</g>').reward == 0


def test_a_paint_of_the_box_moves_along() -> None:
    around = '<linearGradient id="f"/>{}'
    assert moved(' transform="translate(40)"', around, DISC.replace("r=", 'fill="url(#f)" r=')).passed


@pytest.mark.parametrize("name", ["clip-path", "mask"])
def test_clips_and_masks_are_tied_to_user_space(name: str) -> None:
    around = '<clipPath id="clip-path"/><mask id="mask"/>{}'
    assert (
        moved(' transform="translate(40)"', around, DISC.replace("r=", f'{name}="url(#{name})" r=')).reward
        == 0
    )


@pytest.mark.parametrize(
    ("inner", "counts"),
    [("<feGaussianBlur/>", True), ("<feTurbulence/>", False), ('<feFlood x="3"/>', False)],
)
def test_a_filter_is_tied_by_its_primitives(inner: str, counts: bool) -> None:
    around = f'<filter id="f">{inner}</filter>{{}}'
    card = moved(' transform="translate(40)"', around, DISC.replace("r=", 'filter="url(#f)" r='))
    assert bool(card.reward) is counts


def test_an_animation_may_take_the_place_of_a_transform() -> None:
    disc = '<circle id="c" cx="{}" cy="50" r="9"{}><animateTransform attributeName="transform"/></circle>'
    assert moved(' transform="translate(40)"', disc=disc).reward == 0


def test_both_axes_may_move_where_both_are_requested() -> None:
    disc = '<circle id="c" cx="{}" cy="{}" r="9"{}/>'
    repairs = [{"part": "c", "attribute": name, "before": 20, "after": 60} for name in ("cx", "cy")]
    target, start = drawing(disc.format(60, 60, "")), drawing(disc.format(20, 20, ""))
    both = drawing(disc.format(20, 20, ' transform="translate(40 40)"'))
    mixed = drawing(disc.format(60, 20, ' transform="translate(0 40)"'))
    for candidate in (both, mixed, target):
        assert judge(target, candidate, corrupted_svg=start, repairs=repairs).reward == 1
    assert judge(target, both, corrupted_svg=start, repairs=repairs[:1]).reward == 0


def test_a_line_moves_when_both_ends_were_to() -> None:
    line = '<line id="l" x1="{}" x2="{}" y1="5" y2="5" stroke="red"{}/>'
    repairs = [
        {"part": "l", "attribute": n, "before": b, "after": b + 40} for n, b in (("x1", 10), ("x2", 30))
    ]
    target, start = drawing(line.format(50, 70, "")), drawing(line.format(10, 30, ""))
    shifted = drawing(line.format(10, 30, ' transform="translate(40)"'))
    assert judge(target, shifted, corrupted_svg=start, repairs=repairs).reward == 1
    one_end = drawing(line.format(50, 30, ""))
    assert judge(one_end, shifted, corrupted_svg=start, repairs=repairs[:1]).reward == 0
