"""How objects are named, and what is said when nothing or too much has the name."""

from __future__ import annotations

import time

import pytest

from tests.sources import DECLARED, ENTITIES, PLAIN, PREFIXED, SVG
from vbench_env.svg.document import Refusal, SourceDocument
from vbench_env.tools.address import resolve
from vbench_env.tools.query import evaluate, select


@pytest.mark.parametrize(
    ("text", "address", "path"),
    [
        (PLAIN, "sun", "svg/circle[1]"),
        (PLAIN, "#sun", "svg/circle[1]"),
        (PLAIN, " sun ", "svg/circle[1]"),
        (PLAIN, "svg", "svg"),
        (PLAIN, "svg/g[1]/polygon[1]", "svg/g[1]/polygon[1]"),
        (PLAIN, "/svg[1]/g/polygon", "svg/g[1]/polygon[1]"),
        (PLAIN, "circle", "svg/circle[1]"),
        (PLAIN, "g > rect", "svg/g[1]/rect[1]"),
        (PLAIN, "[fill=gold]", "svg/circle[1]"),
        (PLAIN, "linearGradient stop:last-child", "svg/defs[1]/linearGradient[1]/stop[2]"),
        (PREFIXED, "svg:svg/svg:g[1]/svg:rect", "svg/g[1]/rect[1]"),
        (PREFIXED, "svg|rect#box", "svg/g[1]/rect[1]"),
        (PREFIXED, "svg/{http://www.inkscape.org/namespaces/inkscape}meta[1]/ink:deep",
         "svg/{http://www.inkscape.org/namespaces/inkscape}meta[1]/{http://www.inkscape.org/namespaces/inkscape}deep[1]"),
        (DECLARED, ".a > rect", "svg/g[1]/rect[1]"),
        (ENTITIES, "a&b", "svg/rect[1]"),
        (PLAIN.replace(f' xmlns="{SVG}"', ""), "svg/g/rect", "{}svg/{}g[1]/{}rect[1]"),
    ],
)  # fmt: skip
def test_an_object_has_many_names(text: str, address: str, path: str) -> None:
    assert resolve(SourceDocument.read(text), address).path == path


@pytest.mark.parametrize(
    ("address", "kind", "words"),
    [
        ("", "bad_arguments", "object is empty"),
        ("sum", "not_found", r"'sum' matches no element; did you mean 'sun' or 'smoke'\?"),
        ("SUN", "not_found", "did you mean 'sun'"),
        ("#walls", "not_found", "did you mean 'wall'"),
        ("qqq", "not_found", "'qqq' matches no element$"),
        ("svg/g[2]", "not_found", r"svg has 1 g \(its children: title, defs, rect, g, circle, text\)"),
        ("svg/g/rect[1]/a", "not_found", r"has 0 a \(its children: none\)"),
        ("rect", "ambiguous", "'rect' matches 2 elements: bg, wall; name one of them"),
        ("stop", "ambiguous", r"svg/defs\[1\]/linearGradient\[1\]/stop\[1\]"),
        ("svg/defs/linearGradient/stop", "ambiguous", "has 2 stop children; number it"),
        ("sun[", "not_found", "no id or path of the document, and no CSS selector; did you mean 'sun'"),
        (":has(:has(:has(:has(*))))", "not_found", "matches no element"),
    ],
)
def test_a_name_that_is_not_one_object_is_explained(address: str, kind: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        resolve(SourceDocument.read(PLAIN), address)
    assert caught.value.kind == kind
    assert caught.value.place == "object"


def test_an_id_that_two_elements_carry_is_ambiguous_and_paths_still_work() -> None:
    document = SourceDocument.read(f'<svg xmlns="{SVG}"><a id="x"/><b id="x"/></svg>')
    with pytest.raises(Refusal, match=r"'x' matches 2 elements: svg/a\[1\], svg/b\[1\]"):
        resolve(document, "x")
    assert resolve(document, "svg/b[1]").name == "b"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("//rect", ["bg", "wall"]),
        ("//svg:g/svg:rect[@fill]", ["wall"]),
        ("//*[contains(., 'here')]/@id/..", ["label", "where"]),
        ("//rect[1] | //circle", ["bg", "wall", "sun"]),
    ],
)
def test_xpath_needs_no_prefix(query: str, found: list[str]) -> None:
    elements = evaluate(SourceDocument.read(PLAIN), query)
    assert not isinstance(elements, str)
    assert [element.label for element in elements if element.get("id")] == found


@pytest.mark.parametrize(
    ("query", "value"), [("count(//rect)", "2.0"), ("//circle/@fill", "gold"), ("1 = 1", "True")]
)
def test_xpath_values_are_given_as_text(query: str, value: str) -> None:
    assert evaluate(SourceDocument.read(PLAIN), query) == value


def test_xpath_knows_the_prefixes_of_the_document() -> None:
    found = evaluate(SourceDocument.read(PREFIXED), "//ink:deep")
    assert [element.name for element in found if not isinstance(element, str)] == ["ink:deep"]


@pytest.mark.parametrize("query", ["//[", "//nope:a", "foo(", "$x", "", "document('x')"])
def test_what_is_no_xpath_is_refused(query: str) -> None:
    with pytest.raises(Refusal, match="is not an XPath expression"):
        evaluate(SourceDocument.read(PLAIN), query)


COSTLY = [
    "//*[count(//*[count(//*)>0])>0]", "//*[. = //*]", "//*[contains(/, 'z')]", "//*[count(../../../*)>3]",
    "//*[1 or /*]", "//*/../*/../*/../*", "//*|//*|//*|//*", "//*[preceding::*]",
]  # fmt: skip


@pytest.mark.parametrize("query", COSTLY)
def test_costly_xpath_ends_soon(query: str) -> None:
    document = SourceDocument.read(
        f'<svg xmlns="{SVG}">{"<g><a/></g>" * 5000}<text>{"x" * 50_000}</text></svg>'
    )
    start = time.process_time()
    try:
        evaluate(document, query)
    except Refusal as refusal:
        assert refusal.kind == "too_large"  # noqa: PT017
    assert time.process_time() - start < 3


_NESTED = ":not(" * 90 + "a" + ")" * 90


@pytest.mark.parametrize(
    "query", ["* * * * * *", "* ~ * ~ * ~ *", ":has(* *)", "*:nth-last-of-type(2)", _NESTED], ids=range(5)
)
def test_costly_css_ends_soon(query: str) -> None:
    text = f'<svg xmlns="{SVG}">{"<g>" * 150}<a/>{"</g>" * 150}{"<b/>" * 3000}</svg>'
    start = time.process_time()
    try:
        select(SourceDocument.read(text), query)
    except Refusal as refusal:
        assert refusal.kind in {"too_large", "bad_arguments"}  # noqa: PT017
    assert time.process_time() - start < 3


def test_elements_from_entities_are_said_to_be_out_of_reach() -> None:
    text = f'<!DOCTYPE svg [<!ENTITY e "<rect/>">]><svg xmlns="{SVG}">&e;<circle id="c"/></svg>'
    document = SourceDocument.read(text)
    assert resolve(document, "c").path == "svg/circle[1]"
    with pytest.raises(Refusal, match="entities of this document bring in elements") as caught:
        select(document, "rect")
    assert caught.value.kind == "unavailable"
