"""Which elements a selector names."""

from __future__ import annotations

import pytest

from vbench_env.svg.parse import parse
from vbench_env.svg.selecting import select

TREE = parse(
    """<svg xmlns="http://www.w3.org/2000/svg" id="root" xmlns:o="urn:o">
    <g id="one" class="a b" lang="de-CH"><rect id="r1"/><circle id="c1" class="b"/>
        <rect id="r2" data-x="left right"/><rect id="r3"/></g>
    <g id="two"><path id="p"/><g id="deep" class="A"><rect id="r4" class="ab"/></g><text id="t">x</text></g>
    <o:rect id="foreign"/></svg>"""
)


def named(css: str) -> str:
    """Ids of what a selector names, in document order."""
    return " ".join(node.id or "-" for node in select(TREE, css))


@pytest.mark.parametrize(
    ("css", "ids"),
    [
        ("rect", "r1 r2 r3 r4"),
        ("*|rect", "r1 r2 r3 r4 foreign"),
        ("#p, #r4", "p r4"),
        (".b", "one c1"),
        (".a.b", "one"),
        ("circle.b", "c1"),
        (".A", "deep"),
        ("g rect", "r1 r2 r3 r4"),
        ("svg > g", "one two"),
        ("g g > rect", "r4"),
        ("svg > rect", ""),
        ("circle + rect", "r2"),
        ("circle ~ rect", "r2 r3"),
        ("rect ~ circle", "c1"),
        ("#one ~ * rect", "r4"),
        ("[class]", "one c1 deep r4"),
        ('[class="a b"]', "one"),
        ('[class="A" i]', "deep"),
        ('[class~="b"]', "one c1"),
        ('[class~=""]', ""),
        ('[lang|="de"]', "one"),
        ('[lang|="d"]', ""),
        ('[data-x^="left"]', "r2"),
        ('[data-x^=""]', ""),
        ('[data-x$="right"]', "r2"),
        ('[data-x$="left"]', ""),
        ('[data-x*="t r"]', "r2"),
        (":root", "root"),
        ("rect:first-child", "r1 r4"),
        ("g > :last-child", "r3 r4 t"),
        ("rect:only-child", "r4"),
        ("circle:only-of-type, path:only-of-type", "c1 p"),
        ("rect:only-of-type", "r4"),
        ("g:first-of-type", "one deep"),
        ("rect:last-of-type", "r3 r4"),
        ("g:empty", ""),
        ("path:empty, text:empty", "p"),
        ("#one > :nth-child(2)", "c1"),
        ("#one > :nth-child(2n+1)", "r1 r2"),
        ("#one > :nth-child(-n+2)", "r1 c1"),
        ("#one > :nth-last-child(1)", "r3"),
        ("#one > :nth-last-child(n+3)", "r1 c1"),
        ("#one > rect:nth-of-type(2)", "r2"),
        ("#one > rect:nth-of-type(odd)", "r1 r3"),
        ("#one > rect:nth-last-of-type(1)", "r3"),
        ("#one > rect:nth-last-of-type(2)", "r2"),
        ("rect:not(.ab)", "r1 r2 r3"),
        ("rect:not(.ab, #r1)", "r2 r3"),
        (":is(path, circle)", "c1 p"),
        (":where(g) > text", "t"),
    ],
)
def test_what_a_selector_names(css: str, ids: str) -> None:
    assert named(css) == ids


def test_an_element_without_text_or_elements_is_empty() -> None:
    assert [node.id for node in select(parse(EMPTIES), "g:empty")] == ["a", "b"]


EMPTIES = '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/><g id="b"></g><g id="c"> </g><g id="d"><g>x</g></g></svg>'


@pytest.mark.parametrize(
    "css", ["rect:hover", "rect::before", ":lang(de)", "[*|x]", "rect:nth-child(2 of g)"]
)
def test_what_a_still_picture_does_not_decide_is_refused(css: str) -> None:
    with pytest.raises(ValueError, match="can be decided"):
        named(css)
