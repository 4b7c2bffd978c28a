"""Edits of one declaration in a style text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg.document import Refusal
from vbench_env.svg.style_edit import drop_declaration, normal_name, places, put_declaration, winning
from vbench_env.svg.values import split_declarations


@pytest.mark.parametrize(
    ("style", "result"),
    [
        ("fill:red;stroke:blue", "fill:#123;stroke:blue"),
        ("fill : red ; stroke:blue;", "fill : #123 ; stroke:blue;"),
        ("FILL:red", "FILL:#123"),
        ("fill:red!important", "fill:#123!important"),
        ("fill:red;fill:blue", "fill:red;fill:#123"),
        ("fill:red !important;fill:blue", "fill:#123 !important;fill:blue"),
        ("/* fill:red */ fill:red", "/* fill:red */ fill:#123"),
        ("stroke:url(a;b:c);fill:url('x;y')", "stroke:url(a;b:c);fill:#123"),
        ("stroke:blue", "stroke:blue;fill:#123"),
        ("stroke:blue;", "stroke:blue;fill:#123;"),
        ("stroke: blue; opacity: 1", "stroke: blue; opacity: 1; fill: #123"),
        ("", "fill:#123"),
        ("fill:[a b]", "fill:#123"),
        ("--x:{a;b};fill:red", "--x:{a;b};fill:#123"),
        ("--x:[a;b];fill:red", "--x:[a;b];fill:#123"),
        ("--x:f(a;fill:b);fill:red", "--x:f(a;fill:b);fill:#123"),
    ],
)
def test_one_declaration_changes_and_the_others_stay_as_written(style: str, result: str) -> None:
    assert put_declaration(style, "fill", "#123") == result


@pytest.mark.parametrize(
    ("style", "result"),
    [
        ("fill:red;stroke:blue", "stroke:blue"),
        ("stroke:blue; fill:red", "stroke:blue;"),
        ("fill:red; stroke : blue ;fill:green", "stroke : blue ;"),
        ("fill:red", ""),
        ("stroke:blue", "stroke:blue"),
    ],
)
def test_a_declaration_is_dropped_with_its_semicolon(style: str, result: str) -> None:
    assert drop_declaration(style, "fill") == result


@pytest.mark.parametrize(
    "value",
    [
        "a;b:c",
        "",
        "red}",
        "a;",
        "red;;",
        "!important",
        "rgb(1,2",
        "'x",
        "/* x",
        "a)",
        "x\\",
        "a\nb",
        "[a)",
        "(a]",
        "{a)",
        "[a",
    ],
)
def test_what_is_no_single_value_is_refused(value: str) -> None:
    with pytest.raises(Refusal, match="not the value of one declaration"):
        put_declaration("fill:red", "fill", value)


@pytest.mark.parametrize("value", ["[a b]", "f([{a}])", "'(' a", "url(a)"])
def test_closed_brackets_may_stand_in_a_value(value: str) -> None:
    assert put_declaration("fill:red", "fill", value) == f"fill:{value}"


def test_an_important_value_stays_important_when_it_replaces_a_plain_one() -> None:
    assert put_declaration("fill:red", "fill", "blue !important") == "fill:blue !important"


@pytest.mark.parametrize("name", ["", "1x", "a b", "fill:", "日本"])
def test_what_is_no_property_name_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match="not a CSS property name"):
        normal_name(name)


@given(st.text(alphabet="fils:;()\"' !/*\\{}important\n", max_size=40))
def test_places_agree_with_the_css_parser_on_what_counts(style: str) -> None:
    for place in places(style):
        assert 0 <= place.start <= place.value_start <= place.value_end <= place.end <= len(style)
    if "\\" in style or "{" in style or "}" in style:
        return
    read = {name: value for name, value, _ in split_declarations(style)}
    for name in read:
        if name == "fill":
            assert winning(style, name) is not None
