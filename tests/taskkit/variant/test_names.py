"""Other names: through every channel, all different, the same on every machine."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.taskkit.variant.drafts import draft, drawing, recolor
from vbench_env.svg.parse import parse
from vbench_env.taskkit.variant.draft import Draft, Unvaried
from vbench_env.taskkit.variant.ids import renamed
from vbench_env.taskkit.variant.naming import split_words, with_names
from vbench_env.taskkit.wording import giveaway

MARKUP = """<style>#sun, .warm > #sun { fill: url(#glow) } .warm{stroke:#abc}</style>
<linearGradient id="glow"/><linearGradient id="dawn" xlink:href="#glow"/><g class="warm st1" aria-labelledby="name sun">
<circle id="sun" style="fill:url('#glow');mask:url(#veil)" fill="url(#dawn) #fff"/></g><mask id="veil"/>
<use href="#sun"/><use xlink:href=" #sun "/><text id="name">sun</text><animate begin="sun.click;0s"/>"""


def test_every_reference_follows_an_id() -> None:
    new = renamed(
        Draft(drawing(MARKUP), draft("").data),
        {"sun": "disc", "glow": "shine", "name": "title"},
        {"warm": "hot"},
    )
    text = new.svg
    for piece in (
        "#disc, .hot > #disc { fill: url(#shine) } .hot{stroke:#abc}", 'id="shine"', 'xlink:href="#shine"',
        'class="hot st1" aria-labelledby="title disc"', "fill:url('#shine');mask:url(#veil)", 'href="#disc"',
        'xlink:href="#disc"', '<text id="title">sun</text>', 'begin="disc.click;0s"', 'fill="url(#dawn) #fff"',
    ):  # fmt: skip
        assert piece in text, piece


def test_task_data_follows_an_id() -> None:
    evidence: dict[str, Any] = {
        "kind": "equals", "of": "b",
        "except": {
            "x": {"kind": "spacing", "row": ["a", "b", "c"], "axis": "x"},
            "cx": {"kind": "symmetric", "of": "a", "at": "drawing", "axis": "vertical"},
            "y": {"kind": "legend", "value": "b", "others": {"a": "c"}},
            "cy": {"kind": "convention", "name": "sequence", "of": "months", "row": ["a", "b"]},
            "r": {"kind": "convention", "name": "clock", "time": {"text": "a"}},
        },
    }  # fmt: skip
    task = draft(
        "<rect id='a'/><rect id='b'/><rect id='c'/>",
        recolor("a", "url(#b)", evidence=evidence, accept={"choice": ["url(#c)", "#abc"]}),
        {"object": "b", "operation": "reorder", "property": "order", "corrupted": {"before": "c"}},
        {"object": "c", "operation": "relink", "property": "href", "corrupted": "#a"},
        {"object": "a", "operation": "text", "property": "text", "corrupted": "#b"},
        protected=["c"],
    )
    data = renamed(task, {"a": "ant", "b": "bee", "c": "cow"}, {}).data
    first, second, third, fourth = data["repairs"]
    assert (first["object"], first["corrupted"], first["accept"]) == (
        "ant",
        "url(#bee)",
        {"choice": ["url(#cow)", "#abc"]},
    )
    exceptions = first["evidence"]["except"]
    assert exceptions["x"]["row"] == ["ant", "bee", "cow"]
    assert exceptions["cx"]["at"] == "drawing"
    assert exceptions["y"] == {"kind": "legend", "value": "bee", "others": {"ant": "cow"}}
    assert exceptions["cy"]["of"] == "months"
    assert exceptions["r"]["time"] == {"text": "ant"}
    assert (second["corrupted"], third["corrupted"], fourth["corrupted"]) == ({"before": "cow"}, "#ant", "#b")
    assert data["protected"] == ["cow"]
    assert task.data["repairs"][0]["object"] == "a"


MANY = "".join(
    f'<rect id="{name}"/>' for name in ("upper-band", "lower-band", "sun", "tick-40", "left-buoy", "red-buoy")
)


def test_all_names_are_new_different_and_give_nothing_away() -> None:
    for seed in range(8):
        step = with_names(draft(MANY), Random(seed), {})
        old, new = (list(parse(svg).ids) for svg in (drawing(MANY), step.draft.svg))
        assert len(set(new)) == len(old)
        assert not set(new) & set(old), new
        assert not any(giveaway(name) for name in new)


def test_words_that_no_longer_tell_the_truth_become_others() -> None:
    step = with_names(draft(MANY), Random(5), {"left": "right", "red": "green"})
    words = [split_words(name) for name in parse(step.draft.svg).ids]
    assert words[4][0] == "right"
    assert words[5][0] == "green"


def test_a_word_has_one_synonym_in_the_whole_drawing() -> None:
    for seed in range(6):
        names = list(parse(with_names(draft(MANY), Random(seed), {}).draft.svg).ids)
        assert split_words(names[0])[1] == split_words(names[1])[1]
        assert split_words(names[4])[1] == split_words(names[5])[1]


def test_equal_seeds_give_equal_names() -> None:
    one, other = (with_names(draft(MANY), Random(4), {}) for _ in range(2))
    assert one == other
    assert with_names(draft(MANY), Random(5), {}).draft.svg != one.draft.svg


def test_classes_of_a_tool_get_the_counter_of_another_tool() -> None:
    markup = (
        '<style>.st0{fill:red}.big-sign{fill:blue}</style><rect id="a" class="st0"/><rect class="big-sign"/>'
    )
    step = with_names(draft(markup), Random(2), {})
    classes = [node.attrs["class"] for node in parse(step.draft.svg).nodes if "class" in node.attrs]
    assert classes[0].endswith("0") and not classes[0].startswith("st")
    assert all(f".{name}" in step.draft.svg for name in classes)


def test_a_drawing_without_ids_has_nothing_to_rename() -> None:
    with pytest.raises(Unvaried, match="nothing in the drawing has an id"):
        with_names(draft("<rect/>"), Random(1), {})


@pytest.mark.parametrize(
    ("name", "words"),
    [("upper-band", ["upper", "band"]), ("tick40", ["tick", "40"]), ("RedBuoy_top", ["red", "buoy", "top"]),
     ("SVGBox", ["svg", "box"])],
)  # fmt: skip
def test_ids_are_split_into_words(name: str, words: list[str]) -> None:
    assert split_words(name) == words
