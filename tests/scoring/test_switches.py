"""Every switch of the rules, varied alone, decides what its documentation says: one minimal case per value."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from vbench_env.errors import VBenchError
from vbench_env.report.sensitivity import variations
from vbench_env.scoring import SURGICAL, Scorecard, get_rules, judge

RECT = '<rect id="a" x="10" y="10" width="20" height="20" fill="#ff0000"/>'
FAR = '<rect id="b" x="60" y="60" width="20" height="20"/>'


def drawing(body: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{body}</svg>'


class Case(NamedTuple):
    """A candidate on which a switch value decides otherwise than `surgical` at a gate."""

    switch: str
    value: object
    gate: str
    surgical: bool
    target: str
    candidate: str
    corrupted: str | None = None
    repairs: tuple[dict[str, object], ...] = ()


def rewritten(old: str, new: str, body: str = RECT) -> str:
    assert old in body
    return body.replace(old, new)


MOVED = {"part": "a", "attribute": "x", "before": 30, "after": 10}
FILLED = {"part": "a", "attribute": "fill", "before": "#0000ff", "after": "#ff0000"}
INSERTED = {"part": "a", "attribute": "exists", "before": False, "after": True}
FADED = {"part": "a", "attribute": "fill-opacity", "before": 1, "after": 0.5}
SPUR = "M0 50 L50 50 L50 45 L50 50 L100 50"
RESHAPED = {"part": "p", "attribute": "d", "before": "M0 0 L100 0", "after": "M0 50 L100 50"}
STYLED = "<style>.k{fill:#ff0000}</style>"
GRADIENT = '<defs><linearGradient id="g"/></defs><rect id="a" width="9" height="9" fill="url(#g)"/>'
NEW = '<circle id="n" r="5"/>'
ADDED = {**INSERTED, "part": "n"}
LEFT_BEHIND = GRADIENT.replace('id="g"', 'id="h"') + NEW.replace('id="n"', 'id="g"')
"""The gradient is renamed, what refers to it is not, and the new object takes the old id."""
SPACED = '<text id="a" xml:space="preserve">a  b</text>'

CASES = [
    Case("form", "text", "preserved", True, RECT, rewritten('x="10"', 'x="10" opacity="1"')),
    Case("id_renaming", "literal", "preserved", True, GRADIENT,
         GRADIENT.replace('"g"', '"h"').replace("#g", "#h")),
    Case("id_renaming", "aligned", "preserved", False, GRADIENT + NEW, LEFT_BEHIND, GRADIENT, (ADDED,)),
    Case("style_storage", "literal", "preserved", True, RECT,
         rewritten('fill="#ff0000"', 'style="fill:#ff0000"')),
    Case("style_storage", "merged", "preserved", False, '<text id="a" font-size="12">A</text>',
         '<text id="a" style="font-size:12">A</text>'),
    Case("cascade", "none", "preserved", True, STYLED + rewritten('fill="#ff0000"', 'class="k"'),
         STYLED + rewritten('fill="#ff0000"', 'class="k" fill="#00ff00"')),
    Case("path_form", "tokens", "preserved", True, '<path id="p" d="M10 10 L20 20"/>',
         '<path id="p" d="m10 10 10 10"/>'),
    Case("transform_form", "functions", "preserved", True, rewritten("x=", 'transform="translate(5)" x='),
         rewritten("x=", 'transform="matrix(1 0 0 1 5 0)" x=')),
    Case("color_form", "basic", "preserved", True, RECT, rewritten("#ff0000", "hsl(0 100% 50%)")),
    Case("defaults", "explicit", "preserved", True, RECT, rewritten("x=", 'opacity="1" x=')),
    Case("nesting", "plain-groups", "preserved", False, RECT, f"<g>{RECT}</g>"),
    Case("order", "overlap", "preserved", False, RECT + FAR, FAR + RECT),
    Case("metadata", "no-aria", "preserved", False, rewritten("x=", 'aria-label="q" x='),
         rewritten("x=", 'aria-label="z" x=')),
    Case("metadata", "ignored", "preserved", False, rewritten("x=", 'data-k="q" x='),
         rewritten("x=", 'data-k="z" x=')),
    Case("number_form", "decimal", "preserved", True, RECT, rewritten('x="10"', 'x="10.00001"')),
    Case("attribute_names", "local", "preserved", False, RECT,
         rewritten('fill="#ff0000"', 'xmlns:z="urn:z" z:fill="#ff0000"')),
    Case("text_space", "collapsed", "preserved", False, SPACED, SPACED.replace("a  b", "a b")),
    Case("reading", "stored", "repaired", True, STYLED + rewritten('fill="#ff0000"', 'class="k"'),
         STYLED + rewritten('fill="#ff0000"', 'class="k" fill="#0000ff"'),
         STYLED + rewritten('fill="#ff0000"', 'fill="#0000ff"'), (FILLED,)),
    Case("mask", "property", "repaired", True, RECT, rewritten("x=", 'transform="translate(-20)" x=').replace(
         'x="10"', 'x="30"'), rewritten('x="10"', 'x="30"'), (MOVED,)),
    Case("path_distance", "segment-parameter", "repaired", False, '<path id="p" d="M0 50 L100 50"/>',
         f'<path id="p" d="{SPUR}"/>', '<path id="p" d="M0 0 L100 0"/>', (RESHAPED,)),
    Case("tolerances", "published", "repaired", False, rewritten("x=", 'fill-opacity="0.5" x='),
         rewritten("x=", 'fill-opacity="0.9" x='), rewritten("x=", 'fill-opacity="1" x='), (FADED,)),
    Case("insertion", "attributes", "repaired", True, FAR + RECT,
         FAR + rewritten('fill="#ff0000"', 'style="fill:#ff0000" opacity="1"'), FAR, (INSERTED,)),
    Case("grammar", "published", "valid", False, RECT, rewritten("#ff0000", "#ff000")),
    Case("security", False, "valid", False, RECT, rewritten("x=", 'onclick="x()" x=')),
    Case("introduced_only", False, "valid", True, rewritten("#ff0000", "#ff000"),
         rewritten("#ff0000", "#ff000")),
]  # fmt: skip


def verdict(case: Case, switched: bool) -> Scorecard:
    rules = SURGICAL.vary(**{case.switch: case.value}) if switched else SURGICAL
    corrupted = None if case.corrupted is None else drawing(case.corrupted)
    return judge(
        drawing(case.target), drawing(case.candidate), corrupted_svg=corrupted, repairs=case.repairs, rules=rules
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.switch}={case.value}")
def test_a_switch_decides_its_case(case: Case) -> None:
    assert getattr(verdict(case, False), case.gate) is case.surgical
    assert getattr(verdict(case, True), case.gate) is not case.surgical


def test_every_switch_value_has_a_case() -> None:
    assert {(case.switch, case.value) for case in CASES} == set(variations(SURGICAL))


def test_without_a_cascade_a_path_is_filled_and_stroked_as_it_says_itself() -> None:
    line = '<path id="p" fill="none" stroke="#000" d="M0 14 C42 28 74 2 100 14"/>'
    target, candidate = line.replace("14", "18"), line.replace("M0 14", "M0 24")
    change = {"part": "p", "attribute": "d", "before": "M0 14 C42 28 74 2 100 14",
              "after": "M0 18 C42 28 74 2 100 18"}  # fmt: skip
    distances = [
        judge(drawing(target), drawing(candidate), repairs=[change], rules=rules).repairs[0].distance
        for rules in (SURGICAL, SURGICAL.vary(cascade="none"))
    ]
    assert distances[0] == distances[1]


class TestRuleSetsByName:
    def test_switches_follow_the_name(self) -> None:
        named = get_rules("surgical+tolerance_scale=0.25,nesting=plain-groups")
        assert named == SURGICAL.vary(tolerance_scale=0.25, nesting="plain-groups")
        assert get_rules("published+security=true").security

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("surgica", "surgical"),
            ("surgical+nestin=strict", "nesting"),
            ("surgical+nesting=loose", "rule switch nesting: Input should be 'strict' or 'plain-groups'"),
            ("surgical+tolerance_scale=much", "rule switch tolerance_scale"),
            ("surgical+nesting", "surgical+SWITCH=VALUE"),
        ],
    )
    def test_a_wrong_name_says_what_is_wrong(self, name: str, words: str) -> None:
        with pytest.raises(VBenchError, match=re.escape(words)):
            get_rules(name)
