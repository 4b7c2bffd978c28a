"""Words are read as people mean them."""

from __future__ import annotations

import pytest

from vbench_env.svg.colors import delta_e76, lab
from vbench_env.taskkit.color_words import color_words, from_lab, hex_of, spoken_colors
from vbench_env.taskkit.words import (
    Relation,
    angle,
    bearing,
    clock_time,
    everything,
    factor,
    numeral,
    order,
    quoted,
    relation,
    removal,
)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("twice as wide", 2), ("half as tall as the mast", 0.5), ("two thirds of it", 2 / 3), ("three times", 3),
        ("forty percent", 0.4), ("40 %", 0.4), ("fully opaque", 1), ("a quarter of", 0.25), ("just as solid", 1),
        ("one and a half times", 1.5), ("half transparent", 0.5), ("twenty-five percent", 0.25), ("wide", None),
    ],
)  # fmt: skip
def test_factors(words: str, value: float | None) -> None:
    assert factor(words) == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("thirty degrees", 30), ("a quarter turn counter-clockwise", -90), ("upside down", 180),
        ("45° to the left", -45), ("straight up", None),
    ],
)  # fmt: skip
def test_angles(words: str, value: float | None) -> None:
    assert angle(words) == value


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("straight up", 0), ("to the upper right", 45), ("north-west", 315), ("at three o'clock", 90), ("level", 90),
        ("points left", 270), ("down and to the left", 225), ("somewhere", None),
    ],
)  # fmt: skip
def test_bearings(words: str, value: float | None) -> None:
    assert bearing(words) == value


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("ten past ten", (10, 10)), ("half past three", (3, 30)), ("quarter to nine", (8, 45)), ("22:05", (10, 5)),
        ("noon", (0, 0)), ("four o’clock", (4, 0)), ("twenty-five to one", (0, 35)), ("late", None),
    ],
)  # fmt: skip
def test_times(words: str, value: tuple[int, int] | None) -> None:
    assert clock_time(words) == value


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("sits on the table", ("bottom", "top")), ("hangs from the beam", ("top", "bottom")),
        ("centred on the plate", ("center", "center")), ("touches the left edge of", ("right", "left")),
        ("starts at the left edge", ("left", "left")), ("lines up with the top of", ("top", "top")), ("near", None),
    ],
)  # fmt: skip
def test_relations(words: str, value: tuple[str, str] | None) -> None:
    assert relation(words) == (None if value is None else Relation(*value))


@pytest.mark.parametrize(
    ("words", "value"),
    [("behind the hill", "behind"), ("in front of it", "front"), ("on top of all", "front"), ("red", None)],
)
def test_order(words: str, value: str | None) -> None:
    assert order(words) == value


@pytest.mark.parametrize(
    "words", ["remove it", "take the spoon away", "get rid of", "does not belong", "one too many"]
)
def test_removals(words: str) -> None:
    assert removal(words)
    assert not removal("keep the spoon where it is")


def test_all_others() -> None:
    assert everything("behind everything else")
    assert not everything("behind the hill")


def test_quotes_of_every_sort() -> None:
    assert quoted("read \"Open\", “Now”, ‘Here’ and 'x', isn't it") == ["Open", "Now", "Here", "x"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("40 %", 40), ("$1,200", 1200), ("12k", 12000), ("−3", -3), ("1 234 567 t", 1234567), ("3.5M", 3.5e6),
     ("1.5 m", 1.5), ("Q3 2020", None), ("none", None)],
)  # fmt: skip
def test_numerals(text: str, value: float | None) -> None:
    assert numeral(text) == value


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("a dark green door", [("dark green", "#006400")]),
        ("sky-blue", [("sky blue", "#87ceeb")]),
        ("the navy blue one", [("navy blue", "#000080")]),
        ("red or blue", [("red", "#ff0000"), ("blue", "#0000ff")]),
        ("light grey", [("light grey", "#d3d3d3")]),
        ("no colour", []),
    ],
)
def test_color_phrases(words: str, found: list[tuple[str, str]]) -> None:
    assert [(color.phrase, hex_of(color.rgb)) for color in spoken_colors(words)] == found


@pytest.mark.parametrize(
    ("plain", "changed", "axis", "sign"),
    [("teal", "light teal", 0, 1), ("gray", "pale gray", 0, 1), ("gray", "deep gray", 0, -1),
     ("gray", "warm gray", 2, 1), ("gray", "cool gray", 2, -1), ("yellow", "warm yellow", 1, 1)],
)  # fmt: skip
def test_adjectives_move_a_color_the_right_way(plain: str, changed: str, axis: int, sign: int) -> None:
    (before,), (after,) = spoken_colors(plain), spoken_colors(changed)
    assert (lab(after.rgb)[axis] - lab(before.rgb)[axis]) * sign > 3


def test_lab_goes_back_to_the_same_color() -> None:
    for rgb in color_words().values():
        assert delta_e76(from_lab(*lab(rgb)), rgb) < 1.0
