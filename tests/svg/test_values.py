"""Numbers, lengths and declarations read by the SVG and CSS grammars, and nothing beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg import values
from vbench_env.svg.values import Declaration, Length, ViewBox

finite = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.mark.parametrize("text", ["1", "+1", "1.0", "1e0", "10E-1", " 1\n", "0.1e1", "01"])
def test_spellings_of_one(text: str) -> None:
    assert values.parse_number(text) == 1.0


@pytest.mark.parametrize(
    "text",
    ["", "1_0", "nan", "inf", "Infinity", "1.", "١", "１", "1e", "--1", "1 2", "1px", "1e999", "\xa01"],
)
def test_what_python_or_eye_reads_as_a_number_is_none(text: str) -> None:
    assert values.parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-2.5.5e3,4 , 5", (1.0, -2.5, 500.0, 4.0, 5.0)),
        ("", ()),
        (" 1 ", (1.0,)),
        ("1,,2", None),
        (",1", None),
        ("1,", None),
        ("1;2", None),
    ],
)
def test_number_list(text: str, expected: tuple[float, ...] | None) -> None:
    assert values.parse_number_list(text) == expected


def test_a_long_bad_list_is_refused_in_linear_time() -> None:
    assert values.parse_number_list("1" * 100_000 + "a") is None
    assert values.parse_number_list("1 " * 100_000 + "a") is None


@given(st.lists(finite, min_size=1), st.sampled_from([" ", ",", " , ", "\n"]))
def test_number_list_reads_what_was_written(numbers: list[float], separator: str) -> None:
    assert values.parse_number_list(separator.join(map(repr, numbers))) == tuple(numbers)


def test_points_need_pairs() -> None:
    assert values.parse_points("1,2 3-4") == ((1.0, 2.0), (3.0, -4.0))
    assert values.parse_points("1,2 3") is None


@pytest.mark.parametrize("text", ["0 0 100 100", " 0,0 1e2,100.0 "])
def test_viewbox_separators(text: str) -> None:
    assert values.parse_viewbox(text) == ViewBox(0, 0, 100, 100)


@pytest.mark.parametrize("text", ["0 0 0 100", "0 0 10 -1", "0 0 10", "0 0 10 10 10", "0 0 10px 10"])
def test_viewbox_needs_four_numbers_and_a_positive_size(text: str) -> None:
    assert values.parse_viewbox(text) is None


def test_lengths_keep_unit_and_convert_absolute_ones() -> None:
    assert values.parse_length("1.5MM") == Length(1.5, "mm")
    assert values.parse_length("1em") == Length(1, "em")
    assert values.parse_length("72pt").to_px() == pytest.approx(96)  # type: ignore[union-attr]
    assert values.parse_length("2.54cm").to_px() == pytest.approx(96)  # type: ignore[union-attr]
    assert values.parse_length("50%").to_px() is None  # type: ignore[union-attr]
    assert values.parse_length("50%").to_px(reference=80) == 40  # type: ignore[union-attr]
    assert values.parse_length("2ex").to_px(font_size=10) == 10  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("unit", "px"),
    [
        ("", 1),
        ("px", 1),
        ("in", 96),
        ("cm", 37.795),
        ("mm", 3.7795),
        ("Q", 0.94488),
        ("pt", 1.3333),
        ("pc", 16),
    ],
)
def test_absolute_units(unit: str, px: float) -> None:
    length = values.parse_length(f"1{unit}")
    assert length is not None
    assert length.to_px() == pytest.approx(px, rel=1e-4)


@pytest.mark.parametrize("unit", "% em ex rem ch ic lh rlh cap vw vh vi vb vmin vmax".split())
def test_relative_units_need_to_know_what_of(unit: str) -> None:
    length = values.parse_length(f"2{unit.upper()}")
    assert length == Length(2, unit)
    assert length.to_px() is None


@pytest.mark.parametrize("text", ["10 px", "10dog", "px", "1_0px", "", "10px 5"])
def test_bad_lengths(text: str) -> None:
    assert values.parse_length(text) is None


def test_css_wants_a_unit_unless_zero() -> None:
    assert values.parse_length("12") == Length(12, "")
    assert values.parse_length("12", css=True) is None
    assert values.parse_length("0", css=True) == Length(0, "")
    assert values.parse_length("12px", css=True) == Length(12, "px")


def test_opacity_as_number_or_percentage_is_clamped() -> None:
    assert values.parse_opacity("40%") == values.parse_opacity("0.4") == 0.4
    assert values.parse_opacity("7") == 1.0
    assert values.parse_opacity("-.5") == 0.0
    assert values.parse_opacity("half") is None


def test_length_list() -> None:
    assert values.parse_lengths("1, 2px 3%") == (Length(1, ""), Length(2, "px"), Length(3, "%"))
    assert values.parse_lengths("1 none") is None
    assert values.parse_lengths("") is None


@pytest.mark.parametrize("text", ["1.0", "1", "+1", "1e0", " 1 ", "1."])
def test_published_number_has_one_decimal_spelling(text: str) -> None:
    assert values.published_number(text) == "1"


def test_published_numbers_abut_only_at_a_sign() -> None:
    assert values.published_numbers("10-5 1.50,2e1") == ("10", "-5", "1.5", "20")
    assert values.published_numbers(".5.5") is None
    assert values.published_numbers("none") is None
    assert values.published_numbers("") is None


@given(finite)
def test_decimal_spelling_is_stable_and_keeps_the_value(number: float) -> None:
    text = values.decimal_text(repr(number))
    assert values.decimal_text(text) == text
    assert float(text) == number


def test_published_declarations() -> None:
    assert values.published_declarations(" fill : red;; a:b:c; ") == (("fill", "red"), ("a", "b:c"))
    assert values.published_declarations("fill") is None
    assert values.published_declarations("fill:") is None


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("FILL: red ;stroke:url(#a);", [("fill", "red", False), ("stroke", "url(#a)", False)]),
        ("fill:red;nonsense;stroke:blue", [("fill", "red", False), ("stroke", "blue", False)]),
        ("fill:red !important", [("fill", "red", True)]),
        ("/* a:b; */fill:/**/red", [("fill", "red", False)]),
        ("font-family:'Acme; Sans',serif", [("font-family", '"Acme; Sans",serif', False)]),
        ("mask:url(data:a;b);fill:red", [("mask", "url(data:a;b)", False), ("fill", "red", False)]),
        ("--My-Var:1", [("--My-Var", "1", False)]),
        ("", []),
        ("fill:f(a;b:c);stroke:red", [("fill", "f(a;b:c)", False), ("stroke", "red", False)]),
    ],
)
def test_declarations_split_as_css_says(style: str, expected: list[tuple[str, str, bool]]) -> None:
    assert values.split_declarations(style) == tuple(Declaration(*item) for item in expected)


@given(st.text(alphabet="ab:;(){}'\"\\/*! \n-@#1", max_size=40))
def test_any_style_text_is_split_without_error(style: str) -> None:
    for name, value, _ in values.split_declarations(style):
        assert name
        assert value


@given(
    st.lists(
        st.tuples(st.sampled_from(["fill", "stroke", "--x"]), st.sampled_from(["red", "url(#a)", "1px"]))
    )
)
def test_fast_and_full_split_agree(pairs: list[tuple[str, str]]) -> None:
    style = ";".join(f"{name}: {value}" for name, value in pairs)
    assert values.split_declarations(style) == values._split_css(style)
