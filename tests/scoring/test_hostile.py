"""Documents made to hang, crash or fill memory: a verdict in bounded time, naming the limit that is crossed."""

from __future__ import annotations

import time

import pytest

from vbench_env.scoring import SURGICAL, judge
from vbench_env.svg.parse import Limits

ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">%s</svg>'
TARGET = ROOT % (
    '<style>.a{fill:red}</style><g id="g"><path id="p" d="M10 10H50V50Z" fill="red"/><text id="t" x="3" y="9">'
    + "".join(f"<tspan>a{number}</tspan>" for number in range(60))
    + "</text></g>"
)
REPAIRS = [{"part": "p", "attribute": "d", "before": "M10 10H50V90Z", "after": "M10 10H50V50Z"}]
SECONDS = 5.0
"""Far above what any of these takes (below one second), so that a busy machine does not fail the test."""


def styled(css: str, body: str = "<rect/>") -> str:
    return ROOT % f"<style>{css}</style>{body}"


def copies(name: str, times: int) -> str:
    return f'<use href="#{name}"/>' * times


def paths(count: int) -> str:
    return "".join(f'<path d="M{number} 1C3 4 5 6 7 {number}Z"/>' for number in range(count))


LIMITED = {
    "style rules": (styled(".a{fill:red}" * 2001), "style_rules"),
    "style text": (styled(".a{" + "fill:red;" * 4_000 + "}"), "style_text"),
    "brackets in a sheet": (styled("a{b:" + "(" * 40), "css_depth"),
    "digits in a sheet": (styled(f"rect{{opacity:1{'0' * 5_000}}}"), "css_digits"),
    "digits in a selector": (styled(f"rect:nth-child(1{'0' * 5_000}){{opacity:1}}"), "css_digits"),
    "digits in a style attribute": (ROOT % f'<rect style="opacity:/**/1{"0" * 5_000}"/>', "css_digits"),
    "brackets in a style attribute": (ROOT % ("<rect style=\"--a:''" + "(" * 40 + '"/>'), "css_depth"),
    "selectors against elements": (
        styled("* * * *{fill:red}" * 1500, "<g><g>" + "<rect/>" * 4000 + "</g></g>"),
        "style_matches",
    ),
    "sibling selectors": (styled("a ~ b ~ c ~ rect{fill:red}" * 300, "<rect/>" * 8000), "style_matches"),
    "nth-of-type": (styled(":nth-of-type(2n){fill:red}", "<rect/>" * 8000), "style_matches"),
    "use of use of use": (
        ROOT
        % (
            '<g id="a0"><rect/></g>'
            + "".join(f'<g id="a{n}">{copies(f"a{n - 1}", 10)}</g>' for n in range(1, 8))
        ),
        "instances",
    ),
    "references in a chain": (
        ROOT
        % (
            '<g id="a0"><rect/></g>'
            + "".join(f'<g id="a{n}">{copies(f"a{n - 1}", 1)}</g>' for n in range(1, 60))
            + '<use href="#a59"/>'
        ),
        "reference_depth",
    ),
    "depth": (ROOT % ("<g>" * 300 + "</g>" * 300), "depth"),
    "elements": (ROOT % ("<g/>" * 50_001), "elements"),
    "a document that dwarfs its task": (ROOT % f"<title>{'x' * 400_000}</title>", "growth"),
    "entities": (
        '<!DOCTYPE svg [<!ENTITY a "' + "x" * 1000 + '">]>' + ROOT % f"<title>{'&a;' * 5000}</title>",
        "entity_growth",
    ),
}

BOUNDED = {
    "unclosed comments in a colour": ROOT % f'<rect fill="{"/*" * 90_000}"/>',
    "negation inside negation": styled(":not(" * 20 + "a" + ")" * 20 + "{fill:red}"),
    "selectors nobody decides": styled(
        "[*|x]{fill:red} :lang(){} :nth-child(2n of){} a||b{} ::x{} :has(a){}"
    ),
    "descendants that all fail": styled(
        " ".join(["g"] * 16) + " q rect{fill:red}", "<g>" * 150 + "<rect/>" * 50 + "</g>" * 150
    ),
    "many tspans": ROOT % f'<g id="g"><text id="t">{"<tspan>b</tspan>" * 9000}</text></g>',
    "many paths": ROOT % f'<g id="g">{paths(5000)}</g>',
    "a long path": ROOT % f'<g id="g"><path id="p" d="M10 10{"l.1.1" * 30_000}"/></g>',
    "arcs without end": ROOT % f'<g id="g"><path id="p" d="M10 10{"a1 1 0 111 1" * 12_000}"/></g>',
    "a path of huge numbers": ROOT % '<g id="g"><path id="p" d="M1e38 1e38L-1e38 3e38Z"/></g>',
    "numbers with a tail": ROOT % f'<polygon points="{"1 " * 90_000}x"/>',
    "spaces": ROOT % f'<rect x="{" " * 190_000}1"/>',
    "brackets in a transform": ROOT % f'<rect transform="{"rotate(" * 25_000}"/>',
    "dangling names": ROOT % f'<rect aria-labelledby="{" ".join(f"n{n}" for n in range(25_000))}"/>',
    "timing lists": ROOT % f'<rect><animate begin="{"a.b;" * 40_000}"/></rect>',
    "percent escapes": ROOT % f'<use href="#{"%25" * 60_000}"/>',
    "a cycle of font sizes": ROOT
    % '<g id="a"><use href="#a" font-size=".9em"/><use href="#a" font-size="1.1em"/></g>',
    "digits wherever a number stands": ROOT
    % (
        '<rect x="#" fill="rgb(#,0,0)" stroke="color(srgb # 0 0)" transform="scale(#)" style="opacity:#"/>'
        '<text rotate="#" font-size="#px" fill="lab(# 0 0)">a</text><path d="M# 1z"/>'
    ).replace("#", "9" * 5_000),
    "colours of other spaces": ROOT
    % "".join(f'<rect fill="lab({n % 100} {n // 100} 3)"/>' for n in range(1500)),
}


@pytest.mark.parametrize("name", LIMITED)
def test_a_crossed_limit_is_an_invalid_verdict_with_its_name(name: str) -> None:
    svg, limit = LIMITED[name]
    rules = SURGICAL.vary(limits=Limits(style_text=20_000)) if limit == "style_text" else SURGICAL
    started = time.process_time()
    card = judge(TARGET, svg, rules=rules)
    assert time.process_time() - started < SECONDS
    assert card.reward == 0
    assert not card.valid
    assert limit in {fault.limit for fault in card.faults}


@pytest.mark.parametrize(
    "repairs",
    [(), REPAIRS, [{"part": "p", "attribute": "exists", "before": False, "after": True}]],
    ids=["plain", "path", "insertion"],
)
@pytest.mark.parametrize("name", BOUNDED)
def test_a_hostile_document_gets_a_verdict_in_time(name: str, repairs: list[dict[str, object]]) -> None:
    started = time.process_time()
    card = judge(TARGET, BOUNDED[name], repairs=repairs)
    assert time.process_time() - started < SECONDS
    assert card.reward == 0
    assert len(card.faults) <= 100
    assert len(card.changes) <= 200


def test_a_scribble_inside_the_tolerance_is_measured_in_time() -> None:
    outline = "M10 10H50V50H10Z"
    target = ROOT % f'<path id="p" d="{outline}" fill="red"/>'
    arcs = "M10 10" + "".join(f"A.3 .3 0 0 1 {10 + n / 180:.3f} 10" for n in range(7200)) + "V50H10Z"
    started = time.process_time()
    judge(
        target, ROOT % f'<path id="p" d="{arcs}" fill="red"/>', corrupted_svg=target.replace("V50", "V90"),
        repairs=[{"part": "p", "attribute": "d", "before": "M10 10H50V90H10Z", "after": outline}],
    )  # fmt: skip
    assert time.process_time() - started < SECONDS


def test_a_task_whose_own_sheet_is_over_the_limit_can_still_be_judged() -> None:
    heavy = styled(".a{fill:red}" * 2500, '<rect class="a" width="9" height="9"/>')
    assert judge(heavy, heavy).reward == 1
    assert judge(heavy, heavy.replace('width="9"', 'width="8"')).reward == 0
    assert judge(heavy, heavy.replace("fill:red", "fill:blue", 1)).reward == 0
