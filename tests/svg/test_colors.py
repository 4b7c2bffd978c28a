"""One sRGB colour has one value, whatever its CSS Color 4 spelling."""

from __future__ import annotations

import coloraide
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg import colors
from vbench_env.svg.colors import Color, Paint, parse_color, parse_paint

bits = st.integers(0, 255)
TOMATO = Color(255, 99, 71)


@pytest.mark.parametrize(
    "text",
    [
        "tomato",
        "TOMATO",
        "#ff6347",
        "#FF6347FF",
        "rgb(255,99,71)",
        "rgb(255 99 71)",
        "rgba(255, 99, 71, 1)",
        "rgb(100%,38.82%,27.84%)",
        "rgb(255 99 71 / 100%)",
        "hsl(9.13 100% 63.92%)",
        "hsl(9.13deg, 100%, 63.92%)",
        "hsla(9.13,100%,63.92%,1)",
        "hwb(9.13 27.84% 0%)",
        "rgb(300, 99, 71)",
        "rgb(255 99 71/1.5)",
        "color(srgb 1 .3882 .2784)",
        "/* red */ tomato",
        "rgb(100% 99 71)",
        "hsl(9.13 100 63.92)",
    ],
)
def test_spellings_of_tomato(text: str) -> None:
    assert parse_color(text) == TOMATO


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("transparent", Color(0, 0, 0, 0)),
        ("#f008", Color(255, 0, 0, 0x88)),
        ("rgb(0 0 0 / 50%)", Color(0, 0, 0, 128)),
        ("rgb(none 0 0 / none)", Color(0, 0, 0, 0)),
        ("rgb(50% 50% 50%)", Color(128, 128, 128)),
        ("rebeccapurple", Color(102, 51, 153)),
        ("hsl(0.5turn 100% 50%)", Color(0, 255, 255)),
        ("hsl(200grad, 100%, 50%)", Color(0, 255, 255)),
        ("hwb(0 60% 60%)", Color(128, 128, 128)),
        ("lab(100% 0 0)", Color(255, 255, 255)),
        ("lch(54.29 106.84 40.86)", Color(255, 0, 0)),
        ("lch(54.29 106.84 40.86deg)", Color(255, 0, 0)),
        ("lch(54.29% 71.227% .1135turn)", Color(255, 0, 0)),
        ("oklch(86.644% 73.708% 158.3278grad)", Color(0, 255, 0)),
        ("lch(53.585 -20 40.86)", Color(128, 128, 128)),
        ("oklch(0.59987 -0.2 142)", Color(128, 128, 128)),
        ("oklab(62.796% 0.22486 0.12585)", Color(255, 0, 0)),
        ("oklch(0.86644 0.29483 142.495)", Color(0, 255, 0)),
        ("color(srgb-linear 1 0 0)", Color(255, 0, 0)),
        ("color(xyz 0.95046 1 1.08906)", Color(255, 255, 255)),
        ("currentColor", "currentcolor"),
    ],
)
def test_colour_values(text: str, expected: Color | str) -> None:
    assert parse_color(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "#27ae6",
        "#27ae6g",
        "#1",
        "ff0000",
        "rgb(1,2)",
        "rgb(1,2,3",
        "rgb(1 2, 3)",
        "rgb(1,2,3,4,5)",
        "rgb(10%,2,3)",
        "rgb(none,0,0)",
        "hwb(0,0%,0%)",
        "hsl(0,50,50)",
        "lab(1,2,3)",
        "rgb(1_0,0,0)",
        "canvas",
        "rgb(nan 0 0)",
        "color(display-p3 1 0 0)",
        "oklch(0.7 0.4 150)",
        "lch(54 20 11%)",
        "oklch(0.5 0.1 11%)",
        "lab(54deg 20 11)",
        "color(foo 1 0 0)",
        "url(#a)",
        "color()",
        "hsl(50% 50% 50%)",
        "rgb(1deg 2 3)",
        "rgb(calc(1) 2 3)",
        "#٣٣٣",
        "color(lab 50 2 3)",
    ],
)
def test_no_srgb_colour(text: str) -> None:
    assert parse_color(text) is None


def test_there_are_148_names_beside_transparent() -> None:
    assert len(colors.NAMED_COLORS) == 149
    assert all(parse_color(name.upper()) == value for name, value in colors.NAMED_COLORS.items())


@given(bits, bits, bits)
def test_hex_and_functions_agree(red: int, green: int, blue: int) -> None:
    color = Color(red, green, blue)
    assert parse_color(color.hex) == color
    assert parse_color(f"rgb({red}, {green}, {blue})") == color
    converted = coloraide.Color("srgb", [red / 255, green / 255, blue / 255])
    for space in ("hsl", "hwb", "lab", "oklch"):
        text = converted.convert(space).to_string(precision=9, none=False)
        assert parse_color(text) == color, text


@given(st.text(alphabet="rgbhsl(),/% .-e0123456789#°none", max_size=24))
def test_any_text_is_a_colour_or_none(text: str) -> None:
    found = parse_color(text)
    assert found is None or isinstance(found, Color)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", Paint("none")),
        ("red", Paint("color", Color(255, 0, 0))),
        ("currentColor", Paint("currentcolor")),
        ("url(#a)", Paint("url", reference="#a")),
        ("url( '#a' ) red", Paint("url", Color(255, 0, 0), "#a", "color")),
        ("url(#a) none", Paint("url", None, "#a", "none")),
        ("context-fill", Paint("context", fallback="context-fill")),
        ("url(#a) url(#b)", None),
        ("blue-ish", None),
    ],
)
def test_paint(text: str, expected: Paint | None) -> None:
    assert parse_paint(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#F00", (255, 0, 0)),
        ("#ff0000", (255, 0, 0)),
        ("rgb( 1, 2,3 )", (1, 2, 3)),
        ("Orange", (255, 165, 0)),
        ("grey", (128, 128, 128)),
        ("tomato", None),
        ("#ff0000ff", None),
        ("rgb(100%,0%,0%)", None),
        ("rgb(1,2,300)", None),
        ("#yellow", None),
    ],
)
def test_published_colours(text: str, expected: tuple[int, int, int] | None) -> None:
    assert colors.published_color(text) == expected


def test_lab_of_red_and_distances() -> None:
    assert colors.lab((255, 0, 0)) == pytest.approx((53.2408, 80.0925, 67.2032), abs=1e-3)
    assert colors.delta_e76((12, 34, 56), (12, 34, 56)) == 0
    assert colors.delta_e76((0, 0, 0), (255, 255, 255)) == pytest.approx(100, abs=1e-3)
