"""Path data by the grammar of SVG 2, its normal form, its box, and the published token form."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from svg.path import parse_path as library_path

from vbench_env.svg import path_data
from vbench_env.svg.path_data import Command, PathError, bounds, format_path, parse_path, path_tokens

coordinates = st.floats(-1e3, 1e3, allow_nan=False).map(lambda value: round(value, 3))


@st.composite
def path_texts(draw: st.DrawFn) -> str:
    """Valid path data with every command, relative and absolute."""
    out = ["M", *(repr(draw(coordinates)) for _ in range(2))]
    for letter in draw(st.lists(st.sampled_from("MmLlHhVvCcSsQqTtAaZz"), max_size=8)):
        count = path_data.COUNTS[letter.upper()]
        numbers = [repr(draw(coordinates)) for _ in range(count)]
        if count == 7:
            numbers[:5] = [
                *map(repr, (abs(draw(coordinates)), 7.5, draw(coordinates))),
                *draw(st.sampled_from(["00", "01", "10", "11"])),
            ]
        out.extend([letter, *numbers])
    return " ".join(out)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("m10 10h20v20z m30 30h20v20z", "M10 10L30 10L30 30ZM40 40L60 40L60 60Z"),
        ("M10.5.5L80.5.5 80.5 40.5l-20-.5Z", "M10.5 0.5L80.5 0.5L80.5 40.5L60.5 40Z"),
        ("M20 50a30 30 0 1160 0z", "M20 50A30 30 0 1 1 80 50Z"),
        ("M20 50a30 30 0 1,1,60 0,30-30 0 00 5 5", "M20 50A30 30 0 1 1 80 50A30 30 0 0 0 85 55"),
        ("M0 0 10 10 20 0", "M0 0L10 10L20 0"),
        ("m5 5 10 10", "M5 5L15 15"),
        ("M0 0C0 10 10 10 10 0S20-10 20 0", "M0 0C0 10 10 10 10 0C10 -10 20 -10 20 0"),
        ("M0 0Q5 10 10 0T20 0t10 0", "M0 0Q5 10 10 0Q15 -10 20 0Q25 10 30 0"),
        ("M0 0L1 1S2 2 3 3", "M0 0L1 1C1 1 2 2 3 3"),
        ("M0 0Q1 1 2 0S2 2 3 3", "M0 0Q1 1 2 0C2 0 2 2 3 3"),
        ("M1 2h3ZL9 9", "M1 2L4 2ZM1 2L9 9"),
        ("M1 2h3Zm1 1h1", "M1 2L4 2ZM2 3L3 3"),
        ("M50 70h0", "M50 70L50 70"),
        ("M0 0A-5 5 0 0 1 9 9", "M0 0A5 5 0 0 1 9 9"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert format_path(parse_path(text)) == normal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("L1 1", "path data starts with a moveto, not L at character 1 of the path data"),
        ("  5 5", "path data starts with a moveto, M or m at character 3 of the path data"),
        ("M 1", "M takes numbers in sets of 2, not 1 at character 4 of the path data"),
        ("M0 0,L1 1", "unexpected ',' at character 5 of the path data"),
        ("M0 0L1_0 1", "unexpected '_' at character 7 of the path data"),
        ("M0 0L1. 1", "unexpected '.' at character 7 of the path data"),
        ("M0 0L1,,1", "unexpected ',' at character 7 of the path data"),
        ("M0 0X", "unexpected 'X' at character 5 of the path data"),
        ("M0 0L٣ 1", "unexpected '٣' at character 6 of the path data"),
        ("M0 0Z1", "closepath takes no numbers at character 6 of the path data"),
        ("M0 0L", "L takes numbers in sets of 2, not 0 at character 6 of the path data"),
        ("M0 0L1e99 1", "a number is too large at character 6 of the path data"),
        (
            "M0 0a1 1 0 2 0 1 1",
            "an arc takes rx ry rotation flag flag x y, flags being 0 or 1 at character 6 of the path data",
        ),
    ],
)
def test_errors_name_the_place(text: str, message: str) -> None:
    with pytest.raises(PathError) as caught:
        parse_path(text)
    assert str(caught.value) == message


@given(path_texts())
def test_normal_form_is_idempotent_and_keeps_every_digit(text: str) -> None:
    commands = parse_path(text)
    assert parse_path(format_path(commands)) == commands
    assert {command.letter for command in commands} <= set("MLCQAZ")


@given(path_texts())
def test_relative_rewriting_has_the_same_normal_form(text: str) -> None:
    commands = parse_path(text)
    x = y = start_x = start_y = 0.0
    out = []
    for letter, args in commands:
        if letter == "Z":
            out.append("z")
            x, y = start_x, start_y
            continue
        fixed = 5 if letter == "A" else 0
        shifted = [value - (y if index % 2 else x) for index, value in enumerate(args[fixed:])]
        out.append(letter.lower() + " ".join(f"{value:.17g}" for value in [*args[:fixed], *shifted]))
        x, y = args[-2:]
        if letter == "M":
            start_x, start_y = x, y
    again = parse_path(" ".join(out))
    assert [command.letter for command in again] == [command.letter for command in commands]
    for one, other in zip(again, commands, strict=True):
        assert one.args == pytest.approx(other.args, abs=1e-6)


@given(st.text(alphabet="MmLzAaCc0123456789.-+eE, #", max_size=30))
def test_any_text_is_a_path_or_an_error(text: str) -> None:
    found = path_data.read_path(text)
    assert isinstance(found, PathError) or all(isinstance(item, Command) for item in found)


def test_a_long_bad_path_is_refused_in_linear_time() -> None:
    assert isinstance(path_data.read_path("M0 0L" + "1" * 200_000 + "x"), PathError)
    assert isinstance(path_data.read_path("M0 0A" + "1 " * 200_000 + "x"), PathError)


def test_numbers_as_written() -> None:
    assert path_data.numbers("M1 2l3 4 5 6z") == ("Mllz", (1, 2, 3, 4, 5, 6))
    assert path_data.numbers("nonsense") is None


def test_closed_flags_per_subpath() -> None:
    assert path_data.closed_flags(parse_path("M0 0H9V9ZM1 1H2 M3 3")) == (True, False, False)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("M10 20H80V50", (10, 20, 80, 50)),
        ("M0 0C0 40 100 40 100 0", (0, 0, 100, 30)),
        ("M0 0Q50 100 100 0", (0, 0, 100, 50)),
        ("M0 0A50 50 0 0 1 100 0", (0, -50, 100, 0)),
        ("M0 0A50 50 0 0 0 100 0", (0, 0, 100, 50)),
        ("M0 0A1 1 0 0 0 100 0", (0, 0, 100, 50)),
        ("M50 0A50 25 90 1 1 49.99999 0", (25, 0, 75, 100)),
        ("M50 70h0", (50, 70, 50, 70)),
        ("M5 5Z", (5, 5, 5, 5)),
        ("M0 0M10 10H20", (10, 10, 20, 10)),
        ("M5 5", None),
        ("", None),
    ],
)
def test_bounds(text: str, box: tuple[float, ...] | None) -> None:
    found = bounds(parse_path(text))
    assert found == (box if box is None else pytest.approx(box, abs=1e-3))


@pytest.mark.parametrize("seed", range(60))
def test_bounds_are_those_of_very_many_points(seed: int) -> None:
    """Curves and arcs between random places, against points on them by another library."""
    random = Random(seed)
    numbers = [round(random.uniform(-90, 90), 1) for _ in range(8)]
    letter = "CQA"[seed % 3]
    if letter == "A":
        radii = f"{abs(numbers[2]) + 1} {abs(numbers[3]) + 1} {numbers[4]}"
        inner = f"{radii} {random.randrange(2)} {random.randrange(2)} {numbers[5]} {numbers[6]}"
    else:
        inner = " ".join(map(str, numbers[2 : 8 if letter == "C" else 6]))
    text = f"M{numbers[0]} {numbers[1]}{letter}{inner}"
    points = [library_path(text)[1].point(k / 2000) for k in range(2001)]
    xs, ys = [point.real for point in points], [point.imag for point in points]
    assert bounds(parse_path(text)) == pytest.approx((min(xs), min(ys), max(xs), max(ys)), abs=2e-3)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("M0 0 L 1.0,+2", "M 0 0 L 1 2"),
        ("M10-5l1e1-.5z", "M 10 -5 l 10 -0.5 z"),
        ("L1 1", "L 1 1"),
        ("M0 0A5 5 0 0 1 9 9", "M 0 0 A 5 5 0 0 1 9 9"),
        ("", ""),
        ("M.5.5", None),
        ("M0 0a5 5 0 0110 0", None),
        ("M0 0a5 5 0 0 1.0 9 9", None),
        ("M0 0A-5 5 0 0 1 9 9", None),
        ("M0 0L1", None),
        ("M0 0L", None),
        ("Z", None),
        ("M,0 0", None),
        ("1 1", None),
        ("M0 0#", None),
    ],
)
def test_published_tokens(text: str, tokens: str | None) -> None:
    assert path_tokens(text) == (None if tokens is None else tuple(tokens.split()))
