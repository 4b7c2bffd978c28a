"""Evidence is computed from the drawing and the words, and says so when it leads nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from vbench_env.evidence import parse_evidence
from vbench_env.repair import Repair
from vbench_env.svg.parse import parse
from vbench_env.taskkit.check_evidence import circular
from vbench_env.taskkit.evidence import answer, repaired
from vbench_env.taskkit.question import Question
from vbench_env.taskkit.scene import Read, Scene, Unfounded

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
<style>.bar { fill: #336699 } #mark { stroke: rgb(200, 10, 10); fill: none }</style>
<defs><circle id="leaf" r="2"/><marker id="tip" orient="20"/><g id="tree"><rect width="10" height="20"/></g></defs>
<g id="bars" transform="translate(10 90) scale(1 -1)">
  <rect id="first" class="bar" x="0" y="0" width="10" height="20"/>
  <rect id="second" class="bar" x="15" y="0" width="10" height="40"/>
  <rect id="third" class="bar" x="41" y="7" width="6" height="11"/>
</g>
<g id="row"><circle id="dot-a" cx="100" cy="20" r="4"/><circle id="dot-b" cx="131" cy="20" r="4"/>
  <circle id="dot-c" cx="140" cy="20" r="4"/><circle id="dot-d" cx="160" cy="20" r="4"/></g>
<text id="one" x="10" y="95">20</text><text id="two" x="25" y="95">40</text><text id="three" x="40" y="95">35 %</text>
<path id="mark" d="M100 50L110 60"/>
<g id="hand" transform="translate(60 40) rotate(17)"><rect x="-1" y="-20" width="2" height="20"/></g>
<rect id="needle" x="60" y="10" width="4" height="30" transform="rotate(30 62 40)" opacity="0.2"/>
<use id="oak" href="#tree" x="150" y="60"/><use id="elm" href="#leaf" x="180" y="60"/>
<path id="vase" d="M50 90L40 70L45 60L50 60L57 63L50 90Z"/>
<polygon id="kite" points="150,40 160,50 150,60"/>
<text id="t0" x="0" y="99">0k</text><text id="t1" x="9" y="99">1,000</text><text id="t2" x="19" y="99">9</text>
<text id="t3" x="29" y="99">3,000</text><text id="mon" x="1" y="1">Mon</text><text id="tue" x="1" y="2">x</text>
<text id="wed" x="1" y="3">Wed</text><text id="clock" x="5" y="5">10:10</text>
</svg>"""


def _ask(repair: dict[str, Any], evidence: dict[str, Any], instruction: str = "", svg: str = DRAWING) -> Any:
    question = Question(Repair(**repair), Scene(svg), instruction)
    return answer(question, parse_evidence(evidence))


def _repair(name: str, operation: str, prop: str) -> dict[str, Any]:
    return {"object": name, "operation": operation, "property": prop}


RECOLOR = _repair("elm", "recolor", "fill")
MOVE_B = _repair("dot-b", "move", "cx")


@pytest.mark.parametrize(
    ("repair", "evidence", "value"),
    [
        (RECOLOR, {"of": "first"}, "#336699"),
        (RECOLOR, {"of": "mark", "property": "stroke"}, "rgb(200, 10, 10)"),
        (_repair("third", "resize", "width"), {"of": "first"}, "10"),
        (_repair("third", "move", "x"), {"of": "second", "like": ["second", "first"]}, "30"),
        (_repair("elm", "relink", "href"), {"of": "oak"}, "#tree"),
        (_repair("t2", "text", "text"), {"of": "t1"}, "1,000"),
        (_repair("vase", "reshape", "d"), {"of": "mark"}, "M100 50L110 60L45 60L50 60L57 63L50 90Z"),
        (_repair("vase", "reshape", "d"), {"of": "mark", "offset": "auto"}, "M40 60L50 70"),
        (_repair("hand", "rotate", "transform"), {"of": "needle"}, "translate(60 40) rotate(30)"),
        (_repair("dot-b", "move", "cy"), {"of": "kite", "property": "center-y"}, "50"),
    ],
)
def test_equals(repair: dict[str, Any], evidence: dict[str, Any], value: str) -> None:
    assert _ask(repair, {"kind": "equals", **evidence}) == value


def test_a_scale_needs_words_that_say_it() -> None:
    repair = _repair("third", "resize", "height")
    evidence = {"kind": "equals", "of": "second", "scale": 0.5}
    with pytest.raises(Unfounded, match="a scale or offset needs `words`"):
        _ask(repair, evidence)
    with pytest.raises(Unfounded, match=r"say the factor 2.0, not 0\.5"):
        _ask(repair, {**evidence, "words": "twice"}, "Make it twice as tall.")
    assert _ask(repair, {**evidence, "words": "half as tall"}, "It is half as tall.") == "20"


def test_an_insertion_is_a_copy_with_exceptions() -> None:
    repair = _repair("fourth", "insert", "exists")
    spacing = {"kind": "spacing", "row": ["first", "second", "fourth"], "axis": "x"}
    markup = _ask(repair, {"kind": "equals", "of": "second", "except": {"x": spacing}})
    assert markup == '<rect id="fourth" class="bar" x="30" y="0" width="10" height="40"/>'


@pytest.mark.parametrize(
    ("repair", "evidence", "value"),
    [
        (_repair("third", "move", "y"), {"with": ["first", "second"], "edge": "bottom"}, "0"),
        (_repair("third", "resize", "height"), {"with": ["second"], "edge": "top"}, "33"),
        (_repair("dot-b", "move", "cx"), {"with": ["drawing"], "edge": "center-x"}, "100"),
        (_repair("oak", "move", "y"), {"with": ["kite"], "edge": "bottom", "own": "top"}, "60"),
        (_repair("hand", "move", "transform"), {"with": ["dot-a"], "edge": "center-x"}, None),
        (
            _repair("mark", "reshape", "d"),
            {"with": ["kite"], "edge": "bottom", "vertex": 1},
            "M100 50L110 60",
        ),
        (_repair("t2", "move", "x"), {"with": ["oak"], "edge": "left"}, "150"),
    ],
)
def test_aligned(repair: dict[str, Any], evidence: dict[str, Any], value: str | None) -> None:
    found = _ask(repair, {"kind": "aligned", **evidence})
    if value is not None:
        assert found == value
        return
    scene = Scene(repaired(DRAWING, Repair(**repair), found))
    assert scene.measure("hand", "center-x") == pytest.approx(100, abs=1e-4)
    assert scene.measure("hand", "center-y") == pytest.approx(Scene(DRAWING).measure("hand", "center-y"))


def test_references_that_do_not_agree_lead_nowhere() -> None:
    with pytest.raises(Unfounded, match=r"differ by 20\.00 units"):
        _ask(MOVE_B, {"kind": "aligned", "with": ["dot-c", "dot-d"], "edge": "left"})
    with pytest.raises(Unfounded, match="lie along different axes"):
        _ask(MOVE_B, {"kind": "aligned", "with": ["dot-c"], "edge": "left", "own": "top"})
    with pytest.raises(Unfounded, match="cy of 'dot-b' does not move what the evidence measures"):
        _ask(_repair("dot-b", "move", "cy"), {"kind": "aligned", "with": ["dot-c"], "edge": "left"})


@pytest.mark.parametrize(
    ("repair", "evidence", "value"),
    [
        (MOVE_B, {"row": ["dot-a", "dot-b", "dot-c", "dot-d"], "axis": "x"}, "120"),
        (MOVE_B, {"row": ["dot-b", "dot-c", "dot-d"], "axis": "x"}, "120"),
        (MOVE_B, {"row": ["dot-a", "dot-b", "dot-c"], "axis": "x", "measure": "gap"}, "120"),
        (_repair("third", "move", "x"), {"row": ["first", "second", "third"], "axis": "x"}, "32"),
    ],
)
def test_spacing(repair: dict[str, Any], evidence: dict[str, Any], value: str) -> None:
    assert _ask(repair, {"kind": "spacing", **evidence}) == value


def test_an_uneven_row_leads_nowhere() -> None:
    repair = _repair("dot-d", "move", "cx")
    with pytest.raises(Unfounded, match="the steps of the row differ by"):
        _ask(repair, {"kind": "spacing", "row": ["dot-a", "dot-b", "dot-c", "dot-d"], "axis": "x"})
    with pytest.raises(Unfounded, match="the row must hold the repaired object 'dot-d' once"):
        _ask(repair, {"kind": "spacing", "row": ["dot-a", "dot-b", "dot-c"], "axis": "x"})


@pytest.mark.parametrize(
    ("repair", "evidence", "value"),
    [
        (MOVE_B, {"of": "dot-d", "axis": "vertical", "at": "dot-c"}, "120"),
        (_repair("dot-b", "move", "cy"), {"of": "dot-a", "axis": "horizontal", "at": "drawing"}, "80"),
        (_repair("dot-b", "resize", "r"), {"of": "third", "axis": "vertical"}, None),
        (
            _repair("vase", "reshape", "d"),
            {"of": "vase", "axis": "vertical", "at": "first", "keep": "left"},
            None,
        ),
        (
            _repair("kite", "reshape", "points"),
            {"of": "kite", "axis": "horizontal", "at": "drawing", "keep": "top"},
            "150.0,40.0 160.0,50.0 150.0,60.0",
        ),
        (
            _repair("hand", "rotate", "transform"),
            {"of": "needle", "axis": "vertical"},
            "translate(60 40) rotate(-30)",
        ),
    ],
)
def test_symmetric(repair: dict[str, Any], evidence: dict[str, Any], value: str | None) -> None:
    if value is None:
        with pytest.raises(Unfounded):
            _ask(repair, {"kind": "symmetric", **evidence})
        return
    assert _ask(repair, {"kind": "symmetric", **evidence}) == value


def test_a_mirrored_path_is_another_path_turned_over() -> None:
    svg = DRAWING.replace("M100 50L110 60", "M150 50A10 10 0 0 1 160 60")
    evidence = {"kind": "symmetric", "of": "mark", "axis": "vertical", "at": "drawing"}
    assert _ask(_repair("vase", "reshape", "d"), evidence, svg=svg) == "M50 50A10 10 0 0 0 40 60"


def test_a_half_completes_the_outline() -> None:
    evidence = {"kind": "symmetric", "of": "vase", "axis": "vertical", "at": ["dot-a"], "keep": "left"}
    svg = DRAWING.replace('id="dot-a" cx="100"', 'id="dot-a" cx="50"')
    assert _ask(_repair("vase", "reshape", "d"), evidence, svg=svg) == (
        "M50 90L40 70L45 60L50 60L55 60L60 70L50 90Z"
    )


def test_points_off_the_kept_side_are_the_images_of_their_partners() -> None:
    evidence = {"kind": "symmetric", "of": "kite", "axis": "vertical", "at": ["dot-a"], "keep": "right"}
    middle = DRAWING.replace('id="dot-a" cx="100"', 'id="dot-a" cx="50"')
    svg = middle.replace("150,40 160,50 150,60", "50,10 60,30 50,40 37,33")
    repair = _repair("kite", "reshape", "points")
    assert _ask(repair, evidence, svg=svg) == "50.0,10.0 60.0,30.0 50.0,40.0 40.0,30.0"
    svg = middle.replace("150,40 160,50 150,60", "50,10 37,33 30,20 20,10")
    with pytest.raises(Unfounded, match="no way to pair the points"):
        _ask(repair, evidence, svg=svg)


def test_legend() -> None:
    evidence = {"kind": "legend", "swatch": "first", "label": "one"}
    assert _ask(RECOLOR, evidence, "the colour of 20") == "#336699"
    with pytest.raises(Unfounded, match="the legend's text '20' does not stand in the plain instruction"):
        _ask(RECOLOR, evidence, "the colour of thirty")
    marks = {"kind": "legend", "value": "three", "others": {"first": "one", "second": "two"}}
    assert _ask(_repair("third", "resize", "height"), marks) == "35"
    assert _ask(_repair("third", "move", "y"), {**marks, "measure": "top"}) == "24"


def test_a_legend_must_be_a_straight_line_of_numbers() -> None:
    others = {"first": "one", "second": "two", "dot-a": "three"}
    with pytest.raises(Unfounded, match="off a straight line"):
        _ask(
            _repair("third", "move", "y"),
            {"kind": "legend", "value": "three", "others": others, "measure": "top"},
        )
    with pytest.raises(Unfounded, match="holds no single number"):
        _ask(RECOLOR, {"kind": "legend", "value": "mon", "measure": "top",
                       "others": {"first": "one", "second": "two"}})  # fmt: skip
    with pytest.raises(ValidationError, match="either `swatch` or `value`"):
        parse_evidence({"kind": "legend"})


@pytest.mark.parametrize(
    ("repair", "words", "more", "value"),
    [
        (RECOLOR, "make it dark green", {}, "#006400"),
        (_repair("needle", "opacity", "opacity"), "fully opaque", {}, "1"),
        (_repair("needle", "opacity", "opacity"), "just as solid as", {"of": "hand"}, "1"),
        (_repair("third", "resize", "height"), "twice as tall as", {"of": "first"}, "40"),
        (_repair("third", "resize", "height"), "three times as tall", {}, "33"),
        (_repair("hand", "rotate", "transform"), "straight up", {}, "translate(60 40) rotate(0)"),
        (
            _repair("hand", "rotate", "transform"),
            "to the left",
            {"points": "right"},
            "translate(60 40) rotate(180)",
        ),
        (
            _repair("hand", "rotate", "transform"),
            "a quarter turn clockwise",
            {},
            "translate(60 40) rotate(107)",
        ),
        (_repair("tip", "rotate", "orient"), "to the left", {"points": "right"}, "180"),
        (_repair("tip", "rotate", "orient"), "a quarter turn", {}, "110"),
        (_repair("oak", "move", "y"), "it stands on the kite", {"of": "kite"}, "20"),
        (_repair("dot-b", "move", "cx"), "centred on the kite", {"of": "kite"}, "155"),
        (_repair("t2", "text", "text"), 'read "Open"', {}, "Open"),
        (_repair("elm", "relink", "href"), "the same tree as", {"of": "oak"}, "#tree"),
        (_repair("mark", "restroke", "stroke-linecap"), "with round ends", {}, "round"),
        (_repair("dot-a", "reorder", "order"), "behind the last", {"of": "dot-d"}, {"before": "dot-d"}),
        (_repair("dot-a", "reorder", "order"), "in front of the next", {"of": "dot-c"}, {"before": "dot-d"}),
        (_repair("dot-a", "reorder", "order"), "in front of everything else", {}, {"before": None}),
        (_repair("dot-d", "reorder", "order"), "behind all the rest", {}, {"before": "dot-a"}),
        (_repair("dot-d", "delete", "exists"), "remove the last dot", {}, None),
    ],
)
def test_stated(repair: dict[str, Any], words: str, more: dict[str, Any], value: Any) -> None:
    assert _ask(repair, {"kind": "stated", "words": words, **more}, f"Please {words}.") == value


@pytest.mark.parametrize(
    ("repair", "words", "message"),
    [
        (RECOLOR, "make it pretty", "must hold one colour, not 0"),
        (RECOLOR, "red or blue", "must hold one colour, not 2"),
        (_repair("t2", "text", "text"), "read Open", "must hold one text in quotes"),
        (_repair("dot-d", "delete", "exists"), "keep the dot", "do not ask to take something away"),
        (_repair("hand", "rotate", "transform"), "nicely", "name no direction or angle"),
        (_repair("third", "resize", "height"), "taller", "hold no factor or share"),
        (_repair("oak", "move", "y"), "nearby", "say how it lies to another object"),
        (_repair("dot-a", "reorder", "order"), "behind it", "say which object"),
        (_repair("dot-a", "reorder", "order"), "red", "put nothing in front of or behind anything"),
    ],
)
def test_words_that_say_too_little(repair: dict[str, Any], words: str, message: str) -> None:
    with pytest.raises(Unfounded, match=message):
        _ask(repair, {"kind": "stated", "words": words}, words)


def test_words_must_stand_in_the_wording_they_are_for() -> None:
    with pytest.raises(Unfounded, match="the words 'red' do not stand in the plain instruction"):
        _ask(RECOLOR, {"kind": "stated", "words": "red"}, "blue")
    question = Question(Repair(**RECOLOR), Scene(DRAWING), "rot, red", "terse")
    assert answer(question, parse_evidence({"kind": "stated", "words": {"terse": "red"}})) == "#ff0000"
    with pytest.raises(Unfounded, match="no entry for the terse wording"):
        answer(question, parse_evidence({"kind": "stated", "words": {"plain": "red"}}))


@pytest.mark.parametrize(
    ("repair", "evidence", "value"),
    [
        (_repair("hand", "rotate", "transform"), {"name": "clock", "hand": "minute", "time": {"text": "clock"}},
         "translate(60 40) rotate(60)"),
        (_repair("hand", "rotate", "transform"), {"name": "clock", "hand": "hour", "time": "half past three"},
         "translate(60 40) rotate(105)"),
        (RECOLOR, {"name": "traffic-light", "lamp": "top"}, "#dc2626"),
        (RECOLOR, {"name": "status", "state": "info"}, "#2563eb"),
        (RECOLOR, {"name": "flag", "country": "France", "stripe": 3}, "#ef4135"),
        (_repair("t2", "text", "text"), {"name": "axis-tick", "row": ["t1", "t2", "t3"]}, "2,000"),
        (_repair("tue", "text", "text"), {"name": "sequence", "of": "weekdays", "row": ["mon", "tue", "wed"]}, "Tue"),
        (_repair("t2", "text", "text"), {"name": "total", "parts": ["one", "two"]}, "60"),
        (_repair("t2", "text", "text"), {"name": "remainder", "whole": 100, "parts": ["three"]}, "65"),
        (_repair("t2", "text", "text"), {"name": "compass", "direction": "north-east"}, "NE"),
    ],
)  # fmt: skip
def test_conventions(repair: dict[str, Any], evidence: dict[str, Any], value: str) -> None:
    assert _ask(repair, {"kind": "convention", **evidence}, "It is half past three.") == value


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"name": "flag", "country": "Atlantis", "stripe": 1}, "no stripe 1 of a flag of 'Atlantis'"),
        ({"name": "clock", "hand": "hour", "time": "It"}, "no time of day"),
        ({"name": "compass", "direction": "inwards"}, "no direction"),
        (
            {"name": "sequence", "of": "months", "row": ["mon", "hand", "wed"]},
            "no single item of the sequence",
        ),
    ],
)
def test_conventions_that_say_nothing(evidence: dict[str, Any], message: str) -> None:
    with pytest.raises(Unfounded, match=message):
        _ask(_repair("hand", "rotate", "transform"), {"kind": "convention", **evidence}, "It is.")


def test_a_convention_lists_what_it_needs() -> None:
    with pytest.raises(ValidationError, match="convention 'clock' needs hand, time"):
        parse_evidence({"kind": "convention", "name": "clock"})


def test_a_reference_must_be_there() -> None:
    with pytest.raises(Unfounded, match="has no object 'nobody' to go by"):
        _ask(RECOLOR, {"kind": "equals", "of": "nobody"})


@pytest.mark.parametrize(
    ("read", "later", "found"),
    [
        (Read("second", "fill"), _repair("second", "recolor", "fill"), True),
        (Read("second", "fill"), _repair("second", "resize", "height"), False),
        (Read("second", "fill"), _repair("bars", "recolor", "fill"), True),
        (Read("second", "box"), _repair("second", "resize", "height"), True),
        (Read("bars", "box"), _repair("second", "resize", "height"), True),
        (Read("second", "box"), _repair("bars", "move", "transform"), True),
        (Read("second", "box"), _repair("second", "recolor", "fill"), False),
        (Read("first", "box"), _repair("second", "resize", "height"), False),
    ],
)
def test_evidence_must_not_go_in_a_circle(read: Read, later: dict[str, Any], found: bool) -> None:
    repairs = (Repair(**RECOLOR), Repair(**later))
    message = circular(parse(DRAWING), [read], repairs, 0)
    assert (message is not None) == found
    assert not found or "put that repair first" in str(message)
    assert circular(parse(DRAWING), [read], (Repair(**later), Repair(**RECOLOR)), 1) is None
