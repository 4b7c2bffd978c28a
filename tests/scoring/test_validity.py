"""The validity gate: what makes a document unsound, and what of it is forgiven."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing
from vbench_env.scoring import SURGICAL, judge
from vbench_env.svg.parse import Limits
from vbench_env.svg.values import CSS_DEPTH, CSS_DIGITS

RECT = '<rect id="r" width="9" height="9"/>'
TARGET = drawing(RECT)


def kinds(candidate: str | bytes, target: str = TARGET) -> set[str]:
    return {fault.kind for fault in judge(target, candidate).faults}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('<rect width="5_0"/>', "number"),
        ('<rect width="nan"/>', "number"),
        ('<rect width="١"/>', "number"),
        ('<rect opacity="half"/>', "number"),
        ('<rect fill="#12345 icc-color(a, 1)"/>', "color"),
        ('<rect fill="#123456 icc(a, 1)"/>', "color"),
        ('<rect stroke-dasharray="1,,2"/>', "number"),
        ('<rect fill="#12345"/>', "color"),
        ('<rect fill="rgb(1,2)"/>', "color"),
        ('<rect style="fill:#12345"/>', "color"),
        ('<path d="M1 1 L"/>', "path"),
        ('<path d="L1 1"/>', "path"),
        ('<polygon points="1 2 3"/>', "points"),
        ('<g transform="rotate(1 2)"/>', "transform"),
        ('<g transform="turn(1)"/>', "transform"),
        ('<svg viewBox="0 0 0 9"/>', "viewbox"),
        ('<use href="#nothing"/>', "reference"),
        ('<use href="#"/>', "reference"),
        ('<rect style="fill:url(#nothing)"/>', "reference"),
        ("<style>rect{fill:url(#nothing)}</style>", "reference"),
        ('<rect aria-labelledby="nothing"/>', "reference"),
        ('<g id="a"><use href="#a"/></g>', "reference"),
        ('<rect id=""/>', "id"),
        ('<rect id="b"/><rect id="b"/>', "id"),
    ],
)
def test_an_unsound_value_is_named(body: str, kind: str) -> None:
    assert kind in kinds(drawing(RECT + body))


@pytest.mark.parametrize(
    "body",
    [
        '<rect fill="inherit" width="auto" rx="auto"/>',
        '<rect fill="#123456 icc-color(acme, 0.11, 0.48)" stroke="url(#r) none" color="var(--c)" width="calc(1px)"/>',
        '<rect fill="var(--c)" stroke="var(--c, red)" opacity="var(--o)" style="fill:var(--c)"/>',
        '<rect fill="color(display-p3 1 0 0)" stroke="Canvas"/>',
        '<rect stroke-dasharray="none" opacity="120%"/>',
        '<text x="1 2,3" rotate="0 9">abc</text>',
        '<path d=""/><polygon points=""/>',
        '<animate fill="freeze" attributeName="x" to="3" dur="1s"/>',
        '<marker refX="center" orient="auto-start-reverse"/>',
        '<g data-note="url(http://example.org)" style="--a:b"/>',
    ],
)
def test_sound_values_are_let_pass(body: str) -> None:
    assert "number" not in kinds(drawing(RECT + body))
    assert "color" not in kinds(drawing(RECT + body))


@pytest.mark.parametrize(
    "text", ["", "no svg", "<svg>", "<svg></rect>", "<svg a='1' a='2'/>", "<svg>&nbsp;</svg>", "<a/><b/>"]
)
def test_what_is_not_well_formed_is_malformed(text: str) -> None:
    card = judge(TARGET, text)
    assert card.status == "INVALID"
    assert {fault.kind for fault in card.faults} == {"malformed"}


def test_no_text_at_all_is_another_thing_than_an_empty_one() -> None:
    assert judge(TARGET, None).status == "ERR"
    assert judge(TARGET, "").status == "INVALID"


def test_the_root_is_svg_in_the_svg_namespace() -> None:
    assert kinds('<svg viewBox="0 0 100 100"/>') == {"root"}
    assert kinds('<g xmlns="http://www.w3.org/2000/svg"/>') == {"root"}


@pytest.mark.parametrize(
    "body",
    [
        "<script/>",
        '<rect onclick="x()"/>',
        '<a href="https://example.org/"/>',
        '<image href="//example.org/a.png"/>',
        '<image xlink:href="../a.png"/>',
        '<image href="data:image/svg+xml;base64,AAAA"/>',
        '<a href=" java&#10;script:x()"/>',
        '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
        "<style>@import 'a.css';</style>",
        r"<style>@\69mport 'a.css';</style>",
        "<style>rect{fill:url(http://example.org/a)}</style>",
        '<rect style="fill:u\\72l(//example.org)"/>',
        '<set attributeName="href" to="#r"/>',
        '<g xml:base="http://example.org/"/>',
    ],
)
def test_nothing_that_executes_or_fetches_may_be_introduced(body: str) -> None:
    assert "security" in kinds(drawing(RECT + body))


@pytest.mark.parametrize(
    "prologue",
    [
        '<?xml-stylesheet href="a.css"?>',
        '<!DOCTYPE svg [<!ENTITY a "b">]>',
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE svg [<!ATTLIST rect fill CDATA "red">]>',
    ],
)
def test_nothing_outside_the_root_may_be_introduced(prologue: str) -> None:
    assert "security" in kinds(prologue + TARGET)


def test_an_external_identifier_alone_carries_nothing() -> None:
    doctype = (
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    )
    assert judge(TARGET, doctype + TARGET).reward == 1


@pytest.mark.parametrize(
    "body",
    [
        '<rect fill="#12345"/>',
        '<use href="#gone"/>',
        '<rect id="b"/><rect id="b"/>',
        '<a href="http://e.org/"/>',
    ],
)
def test_faults_that_the_start_has_are_forgiven(body: str) -> None:
    target = drawing(RECT + body)
    assert judge(target, target).reward == 1
    assert not judge(target, target, rules=SURGICAL.vary(introduced_only=False)).valid


def test_one_more_fault_of_a_kind_that_is_there_is_introduced() -> None:
    target = drawing('<use href="#gone"/>')
    assert not judge(target, drawing('<use href="#gone"/><use href="#gone"/>')).valid


def test_entities_of_the_start_do_not_let_others_in() -> None:
    start = '<!DOCTYPE svg [<!ENTITY a "b">]>' + TARGET
    assert judge(start, start).reward == 1
    assert not judge(start, '<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c SYSTEM "d">]>' + TARGET).valid


@pytest.mark.parametrize(
    ("limit", "candidate"),
    [
        ("bytes", drawing(RECT + "<g/>" * 60)),
        ("elements", drawing("<g/>" * 30)),
        ("depth", drawing("<g>" * 30 + "</g>" * 30)),
        ("attribute_length", drawing(f'<rect class="{"x" * 99}"/>')),
        ("attributes", drawing("<rect a='1' b='2' c='3' d='4' e='5'/>")),
        ("instances", drawing('<g id="a"><rect/><rect/></g>' + '<use href="#a"/>' * 9)),
        ("instances", drawing('<pattern id="a"><rect/><rect/></pattern>' + '<rect fill="url(#a)"/>' * 9)),
        ("instances", drawing('<mask id="a"><rect/><rect/></mask>' + '<g style="mask:url(#a)"/>' * 9)),
        ("style_rules", drawing("<style>a{}b{}c{}d{}</style>")),
        ("style_text", drawing(f"<style>{'a' * 99}{{}}</style>")),
        ("style_text", drawing(f'<rect style="--a:[{"x" * 99}]"/>')),
    ],
)  # fmt: skip
def test_each_limit_is_named(limit: str, candidate: str) -> None:
    tight = {
        "bytes": 300, "elements": 20, "depth": 20, "attribute_length": 90, "attributes": 4, "instances": 20,
        "style_rules": 3, "style_text": 90,
    }  # fmt: skip
    card = judge(TARGET, candidate, rules=SURGICAL.vary(limits=Limits(**{limit: tight[limit]})))
    assert card.status == "INVALID"
    assert [fault.limit for fault in card.faults if fault.limit] == [limit]


@pytest.mark.parametrize(
    ("limit", "value", "candidate"),
    [
        ("elements", 20, drawing("<g/>" * 19)),
        ("depth", 20, drawing("<g>" * 19 + "</g>" * 19)),
        ("attribute_length", 90, drawing(f'<rect class="{"x" * 90}"/>')),
        ("attributes", 4, drawing("<rect a='1' b='2' c='3' d='4'/>")),
        ("style_rules", 3, drawing("<style>a{}b{}c{}</style>")),
        ("style_text", 12, drawing(f"<style>{'a' * 10}{{}}</style>")),
        ("style_text", 12, drawing('<rect style="--a:[234567]"/>')),
    ],
)
def test_what_just_keeps_a_limit_is_let_pass(limit: str, value: int, candidate: str) -> None:
    for bound, crossed in ((value, False), (value - 1, True)):
        card = judge(TARGET, candidate, rules=SURGICAL.vary(limits=Limits(**{limit: bound})))
        assert [fault.limit for fault in card.faults if fault.limit] == ([limit] if crossed else [])


@pytest.mark.parametrize("home", ["<style>--a:{}</style>", '<rect style="--a:{}"/>'])
@pytest.mark.parametrize(
    ("limit", "piece", "most"), [("css_depth", "[{}]", CSS_DEPTH), ("css_digits", "1{}", CSS_DIGITS)]
)
def test_how_deep_and_long_css_may_be(home: str, limit: str, piece: str, most: int) -> None:
    for count, named in ((most, []), (most + 1, [limit])):
        text = "[]" if limit == "css_digits" else ""
        for _ in range(count):
            text = piece.format(text)
        card = judge(TARGET, drawing(home.format(text)))
        assert [fault.limit for fault in card.faults if fault.limit] == named


def test_a_candidate_may_be_ten_times_as_long_and_a_little() -> None:
    rules = SURGICAL.vary(limits=Limits(growth=50))
    room = 9 * len(TARGET) + 50 - len("<!---->")
    for extra, limits in ((0, []), (1, ["growth"])):
        card = judge(TARGET, TARGET + f"<!--{'x' * (room + extra)}-->", rules=rules)
        assert [fault.limit for fault in card.faults] == limits


def test_bytes_are_read_in_their_encoding() -> None:
    target = drawing("<text>Bär – 東</text>")
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert judge(target, target.encode(encoding)).reward == 1
    latin = '<?xml version="1.0" encoding="iso-8859-1"?>' + target
    assert judge(target, latin.encode("iso-8859-1", "xmlcharrefreplace")).reward == 1
