"""Transforms and outlines in new coordinates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg.path_data import parse_path
from vbench_env.svg.transform import Matrix, parse_transform
from vbench_env.taskkit.outlines import mapped
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.frames import Frame, carried
from vbench_env.taskkit.variant.moved import moved_path, moved_points, scaled, scaled_property

NUMBERS = st.integers(-40, 40).map(lambda n: n / 4)
SCALES = st.sampled_from([-2.0, -0.5, 0.5, 1.0, 2.0])
FUNCTIONS = st.one_of(
    st.builds("translate({} {})".format, NUMBERS, NUMBERS),
    st.builds("translate({})".format, NUMBERS),
    st.builds("rotate({})".format, NUMBERS),
    st.builds("rotate({}, {}, {})".format, NUMBERS, NUMBERS, NUMBERS),
    st.builds("scale({})".format, SCALES),
    st.builds("scale({},{})".format, SCALES, SCALES),
    st.builds("skewX({})".format, NUMBERS),
    st.builds("skewY({})".format, NUMBERS),
    st.builds("matrix(1 {} 0.5 -1 {} {})".format, NUMBERS, NUMBERS, NUMBERS),
)
FRAMES = st.builds(
    lambda sign, scale, tx, ty: Frame(sign * scale, scale, tx, ty),
    st.sampled_from([-1, 1]), st.sampled_from([0.5, 1.0, 2.5]), NUMBERS, NUMBERS,
)  # fmt: skip
POINTS = [(0.0, 0.0), (10.0, 3.0), (-4.0, 7.0)]


def rounding(functions: list[str], outer: Frame) -> float:
    """How far numbers rounded to hundredths can move a point: each is stretched by all that stands before it."""
    error = 0.02
    for count in range(1, len(functions) + 1):
        matrix = parse_transform(" ".join(functions[:count]))
        assert matrix is not None
        error += 0.01 * (abs(matrix.a) + abs(matrix.b) + abs(matrix.c) + abs(matrix.d)) * max(1.0, outer.sy)
    return error


def as_matrix(frame: Frame) -> Matrix:
    return Matrix(frame.sx, 0.0, 0.0, frame.sy, frame.tx, frame.ty)


@given(st.lists(FUNCTIONS, min_size=1, max_size=4), FRAMES)
def test_a_transform_leads_from_the_new_inner_space_to_the_new_outer_one(
    functions: list[str], outer: Frame
) -> None:
    text = " ".join(functions)
    new, inner = carried(text, outer)
    old = parse_transform(text)
    there = parse_transform(new)
    assert old is not None and there is not None
    allowed = rounding(functions, outer)
    for point in POINTS:
        wanted = as_matrix(outer).apply(*old.apply(*point))
        got = there.apply(*as_matrix(inner).apply(*point))
        assert got == pytest.approx(wanted, abs=allowed, rel=1e-3)


@given(st.lists(FUNCTIONS, min_size=1, max_size=3), FRAMES, FRAMES)
def test_a_given_inner_space_is_reached(functions: list[str], outer: Frame, other: Frame) -> None:
    inner = outer.at(other.tx, other.ty)
    new, got = carried(" ".join(functions), outer, inner)
    old, there = parse_transform(" ".join(functions)), parse_transform(new)
    assert old is not None and there is not None
    assert got.close_to(inner)
    wanted, allowed = as_matrix(outer).apply(*old.apply(3.0, 5.0)), rounding(functions, outer)
    assert there.apply(*as_matrix(inner).apply(3.0, 5.0)) == pytest.approx(wanted, abs=allowed, rel=1e-3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("translate(310 146) rotate(4)", "translate(90 146) rotate(-4)"),
        ("translate(38.000000, 52.000000)", "translate(362.000000, 52.000000)"),
        ("rotate(28 24 24)", "rotate(-28 376 24)"),
        ("translate(20,10)scale(.5)", "translate(380,10)scale(.5)"),
        ("matrix(1,0,0,1,53,44)", "matrix(1,0,0,1,347,44)"),
    ],
)
def test_a_mirrored_transform_keeps_its_spelling(old: str, new: str) -> None:
    assert carried(old, Frame(-1.0, 1.0, 400.0, 0.0))[0] == new


def test_a_transform_that_cannot_be_read_is_named() -> None:
    with pytest.raises(Unvaried, match=r"the transform 'turn\(3\)' cannot be read"):
        carried("turn(3)", Frame())


PATHS = [
    "M10 20L30 40H50V60C1 2 3 4 5 6S7 8 9 10Q1 2 3 4T5 6Z",
    "m10 20l30 40h50v60c1 2 3 4 5 6s7 8 9 10q1 2 3 4t5 6zm1 1l2 2",
    "M-54-64H54V-28L-4 26H6V64z",
    "M0 0A10 5 30 0 1 20 20a3 3 0 0110 10",
    "M.5.5l1.5-.5",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "frame", [Frame(-1.0, 1.0, 200.0, 0.0), Frame(2.0, 2.0, -7.0, 5.0), Frame(-1.25, 1.25, 0.0, 3.0)]
)
def test_path_data_draws_the_image_of_the_old_outline(path: str, frame: Frame) -> None:
    wanted = mapped(parse_path(path), as_matrix(frame))
    got = parse_path(moved_path(path, frame))
    assert [command.letter for command in got] == [command.letter for command in wanted]
    for one, other in zip(got, wanted, strict=True):
        if one.letter == "A":
            assert one.args[2] % 180 == pytest.approx(other.args[2] % 180)
            assert (*one.args[:2], *one.args[3:]) == pytest.approx((*other.args[:2], *other.args[3:]))
        else:
            assert one.args == pytest.approx(other.args)


def test_points_and_lengths_follow() -> None:
    frame = Frame(-2.0, 2.0, 100.0, 0.0)
    assert moved_points("0,0 10,5", frame) == "100,0 80,10"
    assert scaled("4 2px 50% 1.5em none", 2.0) == "8 4px 50% 1.5em none"
    assert scaled_property("font", "700 14px/1.2 Arial", 1.5) == "700 21px/1.2 Arial"
    assert scaled_property("filter", "blur(3px) opacity(.5)", 2.0) == "blur(6px) opacity(.5)"
    assert scaled_property("opacity", "0.5", 2.0) == "0.5"
