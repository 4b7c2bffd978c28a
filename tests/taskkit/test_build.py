"""Building the corrupted drawing: only the letters that must change do."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from vbench_env.errors import TaskError
from vbench_env.repair import Repair
from vbench_env.taskkit.build import build_task, derive, put_value, shown
from vbench_env.taskkit.stylesheet import blocks, style_rules

TEA = Path(__file__).parent / "corpus" / "tea-table"

DRAWING = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink='http://www.w3.org/1999/xlink' viewBox="0 0 100 100">
  <style><![CDATA[
    @media print { .a { fill: blue } }
    .a { fill: red; stroke:blue } /* .b{} */
    .b, .c { fill: green; }
    #only{opacity:.5;fill:#123456!important}
  ]]></style>
  <g id="group" fill='navy'>
    <rect id="only" class="b" x="1" y='2'
          width="5"/>
    <rect id="plain" class="b" style="font-family:&quot;A;B&quot;; fill: red;"/><circle id="dot" r="3"/>
    <text id="word">Hi &amp; bye</text>
    <use id="copy" xlink:href="#dot" />
  </g>
</svg>
"""


def _repair(name: str, operation: str, prop: str, corrupted: Any = None, **more: Any) -> Repair:
    return Repair(object=name, operation=operation, property=prop, corrupted=corrupted, **more)


def _changes(*repairs: Repair) -> list[tuple[str, str]]:
    """Lines of the drawing that differ, before and after."""
    before, after = DRAWING.split("\n"), derive(DRAWING, repairs).split("\n")
    assert len(before) == len(after)
    return [(old.strip(), new.strip()) for old, new in zip(before, after, strict=True) if old != new]


def test_nothing_to_corrupt_changes_nothing() -> None:
    assert derive(DRAWING, []) == DRAWING


@pytest.mark.parametrize(
    ("repair", "old", "new"),
    [
        (_repair("only", "move", "y", 3.5), '<rect id="only" class="b" x="1" y=\'2\'', None),
        (_repair("only", "recolor", "fill", "red"), "fill:#123456!important", "fill:red!important"),
        (_repair("only", "opacity", "opacity", 1), "opacity:.5", "opacity:1"),
        (_repair("plain", "recolor", "fill", "blue"), "fill: red;", "fill: blue;"),
        (_repair("dot", "recolor", "fill", "gold"), 'r="3"/>', 'r="3" fill="gold"/>'),
        (_repair("dot", "resize", "r", 4), 'r="3"', 'r="4"'),
        (_repair("word", "text", "text", "A<B"), "Hi &amp; bye", "A&lt;B"),
        (_repair("copy", "relink", "href", "#only"), 'xlink:href="#dot"', 'xlink:href="#only"'),
        (_repair("group", "recolor", "fill", None), " fill='navy'", ""),
    ],
)
def test_a_value_changes_where_it_is_stored(repair: Repair, old: str, new: str | None) -> None:
    ((before, after),) = _changes(repair)
    new = old.replace("'2'", "'3.5'") if new is None else new
    assert before.replace(old, new, 1) == after


def test_a_property_that_a_shared_rule_gives_is_overridden_in_style() -> None:
    shared = DRAWING.replace(' style="font-family:&quot;A;B&quot;; fill: red;"', "")
    out = derive(shared, [_repair("plain", "recolor", "fill", "red")])
    assert out == shared.replace(
        '<rect id="plain" class="b"/>', '<rect id="plain" class="b" style="fill:red"/>'
    )


def test_a_shared_rule_cannot_lose_its_property() -> None:
    shared = DRAWING.replace(' style="font-family:&quot;A;B&quot;; fill: red;"', "")
    with pytest.raises(TaskError, match="a rule that other objects share gives fill; give the object a rule"):
        derive(shared, [_repair("plain", "recolor", "fill", None)])


def test_a_new_property_goes_where_the_object_keeps_its_look() -> None:
    ((_, after),) = _changes(_repair("plain", "restroke", "stroke-width", 3))
    assert "fill: red; stroke-width:3;" in after


def test_removed_and_moved_elements_take_their_lines_along() -> None:
    gone = derive(DRAWING, [_repair("word", "insert", "exists", False)])
    assert gone == DRAWING.replace('    <text id="word">Hi &amp; bye</text>\n', "")
    moved = derive(DRAWING, [_repair("word", "reorder", "order", {"before": None})])
    lines = [line.strip() for line in moved.split("\n")]
    assert (
        lines.index('<text id="word">Hi &amp; bye</text>')
        == lines.index('<use id="copy" xlink:href="#dot" />') + 1
    )
    assert sorted(moved.split("\n")) == sorted(DRAWING.split("\n"))


@pytest.mark.parametrize("before", ["word", None])
def test_an_extra_element_stands_where_the_task_says(before: str | None) -> None:
    element = '<path id="more" d="M0 0"/>'
    repair = _repair("more", "delete", "exists", True, element=element, parent="group", before=before)
    lines = [line.strip() for line in derive(DRAWING, [repair]).split("\n")]
    neighbour = '<text id="word">Hi &amp; bye</text>' if before else "</g>"
    assert lines.index(neighbour) == lines.index(element) + 1


def test_repairs_of_every_sort_go_together() -> None:
    repairs = [
        _repair("svg/g[1]/rect[2]", "recolor", "fill", "blue"),
        _repair("dot", "insert", "exists", False),
        _repair(
            "more",
            "delete",
            "exists",
            True,
            element='<g id="more"><rect/></g>',
            parent="group",
            before="only",
        ),
        _repair("only", "reorder", "order", {"before": None}),
        _repair("only", "move", "x", 9),
        _repair("word", "text", "text", "Oh"),
        _repair("copy", "relink", "href", "#word"),
    ]
    out = derive(DRAWING, repairs)
    for piece in ('fill: blue;"', '<g id="more"><rect/></g>', 'x="9"', ">Oh<", 'xlink:href="#word"'):
        assert piece in out
    assert 'id="dot"' not in out
    assert out.index('id="copy"') < out.index('id="only"')


@pytest.mark.parametrize(
    ("repair", "message"),
    [
        (
            _repair("nobody", "move", "x", 1),
            r"repairs\[0\]\.object: the drawing has no object 'nobody'; name an id",
        ),
        (
            _repair("word", "reorder", "order", {"before": "nobody"}),
            r"corrupted\.before: the drawing has no object",
        ),
        (_repair("word", "reorder", "order", {"before": "group"}), "must be a sibling of 'word'"),
        (_repair("group", "text", "text", "a"), "repair of text of 'group': group holds elements"),
        (
            _repair("e", "delete", "exists", True, element="<g/><g/>", parent="group"),
            "repair of exists of 'e': markup must be exactly one element",
        ),
        (
            _repair("e", "delete", "exists", True, element="<g/>", parent="group", before="group"),
            r"repairs\[0\]\.before: 'group' is not inside 'group'",
        ),
        (_repair("svg", "insert", "exists", False), "the root element cannot be removed"),
    ],
)
def test_what_cannot_be_built_says_why(repair: Repair, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        derive(DRAWING, [repair])


def test_building_writes_the_drawing_without_the_canary(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TEA, tmp_path / "tea-table"))
    (folder / "corrupted.svg").unlink()
    text = build_task(folder)
    assert (folder / "corrupted.svg").read_bytes() == text.encode("utf-8")
    assert "canary" not in text
    assert text == (TEA / "corrupted.svg").read_text(encoding="utf-8")


def test_building_names_the_task_file_in_its_errors(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TEA, tmp_path / "tea-table"))
    path = folder / "task.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("object: jug", "object: kettle"), encoding="utf-8"
    )
    with pytest.raises(
        TaskError, match=r"task\.yaml: repairs\[8\]\.object: the drawing has no object 'kettle'"
    ):
        build_task(folder)


def test_a_value_can_be_put_anywhere_the_drawing_keeps_it() -> None:
    assert put_value(DRAWING, "dot", "r", "7") == DRAWING.replace('r="3"', 'r="7"')


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (0.1234567, "0.123457"),
        (True, "true"),
        ("a", "a"),
        ([[1, 2], [3, 4.5]], "1,2 3,4.5"),
    ],
)
def test_values_are_written_plainly(value: Any, text: str) -> None:
    assert shown(value) == text


def test_rules_are_found_between_comments_strings_and_at_rules() -> None:
    css = '@import "a;b"; /* .x{} */ .a{content:"}"} @media print{.b{fill:red}} .c , .d{}'
    assert [block.prelude.strip() for block in style_rules(css)] == ["/* .x{} */ .a", ".c , .d"]
    assert len(blocks(css)) == 3
