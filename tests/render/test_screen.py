from __future__ import annotations

import re

import pytest
from hostile_documents import HOSTILE, data_uri, png, svg, uses

from vbench_env.render import Prepared, RenderFailure, RenderLimits, RenderRequest, prepare
from vbench_env.svg.parse import parse


def screened(document, size=(100, 100), region=None, limits=None) -> Prepared | RenderFailure:
    return prepare(RenderRequest(document, *size, region), limits or RenderLimits())


def body(document: str) -> str:
    """What an engine gets inside the root."""
    result = screened(document)
    assert isinstance(result, Prepared), result
    return re.sub(r"^<svg[^>]*>|</svg>$", "", result.svg.decode())


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ('<use href="#a"/>', '<use href="#a"/>'),
        ('<use xlink:href=" #a "/>', '<use xlink:href="#a"/>'),
        ('<use href="a.svg#a"/>', "<use/>"),
        ('<a href="http://example.org"><g/></a>', "<a><g/></a>"),
        ('<rect fill="url(#g)"/>', '<rect fill="url(#g)"/>'),
        ("<rect fill=\"url( '#g' ) red\"/>", "<rect fill=\"url( '#g' ) red\"/>"),
        ('<rect fill="url(a.svg#g) red"/>', '<rect fill="red"/>'),
        ('<rect fill="URL(a.svg#g)"/>', '<rect fill="none"/>'),
        ('<rect fill="url(a.svg#g"/>', '<rect fill="none"/>'),
        ('<rect style="fill:url(//h/a);stroke:red"/>', '<rect style="fill:none;stroke:red"/>'),
        (r'<rect style="fill:u\72l(a.svg)"/>', '<rect style="fill:none"/>'),
        ('<rect style="mask:image-set(url(#a) 1x)"/>', '<rect style="mask:none"/>'),
        ('<style>@import "a"; rect{fill:red}</style>', "<style>rect{fill:red}</style>"),
        ("<style>rect{fill:url(a)}</style>", "<style>rect{fill:none}</style>"),
        ("<style><![CDATA[g>rect{fill:red}]]></style>", "<style>g&gt;rect{fill:red}</style>"),
        ("<text>a<!-- b -->c<?d e?>&amp;&lt;</text>", "<text>ac&amp;&lt;</text>"),
        ('<rect xml:base="http://h/" x:y="1" xmlns:x="urn:x"/>', "<rect/>"),
        ('<x:y xmlns:x="urn:x"><rect/></x:y><rect/>', "<metadata/><rect/>"),
        ("<script>a()</script><title>b</title>", "<script/><title/>"),
        ('<text xml:space="preserve"> a\tb </text>', '<text xml:space="preserve"> a\tb </text>'),
        ('<rect id="&quot;&#10;&lt;"/>', '<rect id="&quot;&#10;&lt;"/>'),
        ('<feTurbulence numOctaves="99"/>', '<feTurbulence numOctaves="10"/>'),
        ('<text font-family="Georgia, serif">a</text>', "<text font-family=\"'Tinos','Tinos'\">a</text>"),
    ],
)
def test_an_engine_gets_a_document_that_refers_to_itself_only(given, kept):
    assert body(svg(given)) == kept


def test_declarations_encodings_and_doctypes_do_not_reach_the_engine():
    document = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE svg [<!ENTITY e "é">]>' + svg(
        "<text>&e;</text>"
    )
    result = screened(document.encode("utf-16"))
    assert result.svg.startswith(b"<svg ")
    assert "<text>é</text>".encode() in result.svg


def test_what_an_engine_gets_is_well_formed_for_every_document_that_is_let_through():
    for name, document in HOSTILE.items():
        result = screened(document)
        if isinstance(result, Prepared):
            assert not parse(result.svg).faults, name


def test_each_reference_left_out_is_noted_once_with_its_place():
    result = screened(svg('<g id="a"><image href="x.png"/></g><use id="b" href="c.svg#d"/>' * 1))
    assert result.notes == (
        "svg/g[1]/image[1]: the reference to 'x.png' leads outside the document and is not drawn",
        "b: the reference to 'c.svg#d' leads outside the document and is not drawn",
    )


def test_a_font_that_stands_in_is_noted():
    document = svg('<style>text{font-family:"Comic Neue"}</style><text font-family="Inter">a</text><text '
                   'style="font-family:Arial">b</text>')  # fmt: skip
    assert screened(document).notes == (
        "font family 'Comic Neue' is not bundled; its text is drawn with Arimo",
        "font family 'Inter' is not bundled; its text is drawn with Arimo",
    )


def test_a_raster_is_known_by_its_bytes_and_labelled_anew():
    href = data_uri("image/jpg", png(3, 3))
    assert 'href="data:image/png;base64,' in body(svg(f'<image href="{href}"/>'))


@pytest.mark.parametrize(
    ("document", "kind", "words"),
    [
        (uses(10, 6), "refused", "expand to more than 100000 elements; nest fewer of them"),
        (HOSTILE["pattern-4-8"], "refused", "expand to more than 100000 elements"),
        (HOSTILE["convolve-500"], "refused", "order='500' is not drawn; use 50 or less"),
        (HOSTILE["morphology-huge"], "refused", "radius='1e9' is not drawn; use 1000 or less"),
        (
            HOSTILE["dash-list"],
            "refused",
            "svg/path[1]: a dash pattern of more than 1000 lengths is not drawn",
        ),
        (HOSTILE["text-1MB"], "refused", "text of 1020000 characters is not drawn; keep it under 50000"),
        (HOSTILE["png-bomb"], "refused", "too large to draw; embed a smaller one"),
        (HOSTILE["groups-50000"], "refused", "nested deeper than 200; make the document smaller"),
        (HOSTILE["elements-60000"], "refused", "more than 50000 elements; make the document smaller"),
        (HOSTILE["entities-7"], "refused", "entities grow the document by more than"),
        (HOSTILE["size-zero"], "malformed", "width of the root is 0 px; make it positive and below 1e9"),
        ("<svg/>", "malformed", 'the root element has to be <svg xmlns="http://www.w3.org/2000/svg">'),
        ('<g xmlns="http://www.w3.org/2000/svg"/>', "malformed", "the root element has to be <svg"),
        ("<svg", "malformed", "the document is not well-formed XML: line 1"),
    ],
)
def test_what_is_not_drawn_says_why_and_what_to_do(document, kind, words):
    result = screened(document)
    assert isinstance(result, RenderFailure)
    assert result.kind == kind
    assert words in result.message


def test_references_nested_too_deeply_are_refused():
    document = svg(
        '<g id="u0"/>' + "".join(f'<g id="u{n}"><use href="#u{n - 1}"/></g>' for n in range(1, 90))
    )
    assert screened(document).message == "references are nested more than 64 deep; refer to shapes directly"


def test_many_shapes_may_share_a_gradient_or_a_clip():
    stops = '<stop offset="0"/>' * 50
    shapes = '<rect width="9" height="9" fill="url(#g)" clip-path="url(#c)"/>' * 4000
    document = svg(f'<linearGradient id="g">{stops}</linearGradient><clipPath id="c"><g/></clipPath>{shapes}')
    assert isinstance(screened(document), Prepared)


def test_embedded_pictures_share_one_budget_of_pixels():
    images = [f'<image href="{data_uri("image/png", png(100, side))}"/>' for side in (100, 101, 102)]
    limits = RenderLimits(image_pixels=25_000)
    assert isinstance(screened(svg("".join(images[:2])), limits=limits), Prepared)
    failure = screened(svg("".join(images)), limits=limits)
    assert failure == RenderFailure(
        "refused", "embedded pictures hold more than 25000 pixels; embed smaller ones"
    )


@pytest.mark.parametrize(
    "region", [(0.0, 0.0, 0.0, 5.0), (0.0, 0.0, -1.0, 5.0), (float("nan"), 0.0, 1.0, 1.0)]
)
def test_a_region_without_area_is_refused(region):
    failure = screened(svg(""), region=region)
    assert failure.kind == "refused"
    assert failure.message == "the region needs a positive width and height in user units of the root"
