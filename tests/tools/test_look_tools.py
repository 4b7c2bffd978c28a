"""What the look tools show, and that they change nothing."""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np
import pytest

from tests.sources import DECLARED, ONE_LINE, PLAIN, SVG
from vbench_env.render import Picture, RenderRequest, get_renderer
from vbench_env.svg.document import SourceDocument
from vbench_env.tools import ToolContext, ToolResult, call_tool
from vbench_env.tools.address import resolve
from vbench_env.tools.boxes import canvas_box
from vbench_env.tools.compare import difference
from vbench_env.tools.paint import computed


def look(tool: str, text: str = PLAIN, **arguments: Any) -> ToolResult:
    context = ToolContext.begin(text, get_renderer())
    result = call_tool(context, tool, arguments)
    assert result.document is context.document
    return result


def test_objects_are_listed_in_paint_order_with_box_paint_and_text() -> None:
    lines = look("list_objects").text.split("\n")
    assert lines[0] == "9 objects, 5 elements are not painted where they stand"
    assert lines[2] == "2 rect bg [shape] box=0,0,100,100 fill=url(#sky) stroke=none"
    assert lines[4] == "4 rect wall [shape] box=15,30,30,20 fill=#c0392b stroke=none"
    assert lines[6] == "6 path smoke [shape] box=20,20.384,7.983,4.616 fill=none stroke=#888"
    assert re.fullmatch(
        r"8 text label \[text\] box=~10,90\.2,[0-9.]+,6 fill=black stroke=none font-size=6 "
        r'text="Home & garden here" \(1 children\)',
        lines[8],
    )


def test_a_list_comes_in_pages_and_of_one_part() -> None:
    text = look("list_objects", limit=2, offset=3).text
    assert text.split("\n")[0].endswith("; 4 to 5 shown")
    assert [line.split()[2] for line in text.split("\n")[1:]] == ["wall", "roof"]
    assert look("list_objects", offset=99).text.endswith("; none at this offset")
    assert [line.split()[2] for line in look("list_objects", object="house").text.split("\n")[1:]] == [
        "house",
        "wall",
        "roof",
        "smoke",
    ]


def test_definitions_are_listed_when_asked_for() -> None:
    assert (
        "2 linearGradient sky [definition] (2 children)"
        in look("list_objects", object="defs", definitions=True).text
    )
    assert "objects" in look("list_objects", object="sky").text


def test_endless_use_and_endless_text_do_not_hold_up_a_list() -> None:
    definitions = ['<g id="g0">' + '<rect width="1" height="1"/>' * 20 + "</g>"]
    for level in range(3):
        definitions.append(f'<g id="g{level + 1}">' + f'<use href="#g{level}"/>' * 9 + "</g>")
    words = "<text>" + "<tspan>word </tspan>" * 5000 + "</text>"
    body = (
        f"<defs>{''.join(definitions)}</defs>"
        + '<use href="#g3"/>' * 300
        + words
        + '<use id="loop" href="#loop"/>'
    )
    start = time.process_time()
    text = look("list_objects", f'<svg xmlns="{SVG}" viewBox="0 0 9 9">{body}</svg>', limit=500).text
    assert time.process_time() - start < 5
    assert "box=0,0,1,1" in text


def test_find_counts_and_shows_paths_and_ids() -> None:
    assert look("find", query="rect").text == "2 matches\nsvg/rect[1] id=bg\nsvg/g[1]/rect[1] id=wall"
    assert (
        look("find", query="rect", limit=1, offset=1).text
        == "2 matches, 2 to 2 shown\nsvg/g[1]/rect[1] id=wall"
    )
    assert look("find", query="count(//stop)", syntax="xpath").text == "value: 2.0"
    assert look("find", query="image").text == "0 matches"


def test_get_element_shows_the_source_as_it_stands() -> None:
    text = look("get_element", DECLARED, object="r1").text
    assert text.startswith(
        "rect r1 at svg/g[1]/rect[1], lines 18-23, 0 child elements\ncomputed: fill=#123456"
    )
    assert DECLARED[DECLARED.index("<rect\n") :].split("/>")[0] + "/>" in text


def test_get_element_numbers_the_points_that_edit_path_point_takes() -> None:
    text = f'<svg xmlns="{SVG}"><path id="p" d="M1 1l2 3 4 5c0 1 2 3 4 5H0z"/></svg>'
    lines = look("get_element", text, object="p", points=True).text.split("\n")[3:]
    assert lines == [
        "1 M end 1,1", "2 l end 3,4", "3 l end 7,9", "4 c control1 7,10 control2 9,12 end 11,14", "5 H end 0,14", "6 z",
    ]  # fmt: skip


def test_get_element_cuts_the_middle_of_a_long_source() -> None:
    text = look("get_element", object="svg", max_chars=100).text
    assert f"{len(PLAIN.strip()) - 100} characters left out" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", {"fill": "blue", "stroke": "red"}),
        ("b", {"fill": "green", "opacity": ".5", "stroke": "red"}),
        ("c", {"fill": "black", "stroke": "red"}),
        ("d", {"fill": "teal", "stroke": "red"}),
    ],
)
def test_computed_paint_follows_the_cascade(name: str, expected: dict[str, str]) -> None:
    text = f"""<svg xmlns="{SVG}">
<style>.x {{fill: blue}} #b {{fill: green !important}} g > .y {{fill: initial}}</style>
<g stroke="red" opacity=".9" fill="teal"><a id="a" class="x" fill="pink"/><a id="b" style="fill: pink; opacity:.5"/>
<a id="c" class="y"/><a id="d" fill="inherit"/></g></svg>"""
    document = SourceDocument.read(text)
    found = computed(document).of(resolve(document, name).node)
    assert {key: value for key, value in found.items() if key in {"fill", "stroke", "opacity"}} == expected


def test_measure_gives_box_length_scale_and_rotation() -> None:
    text = f"""<svg xmlns="{SVG}"><g transform="rotate(90) scale(2)"><line id="l" x2="3" y2="4"/></g></svg>"""
    assert look("measure", text, object="l").text == (
        "line l: box x -8, y 0, width 8, height 6; centre -4,3; length 5 in its own units; "
        "its own units are scaled 2 by 2 and rotated 90 degrees on the canvas"
    )


def test_measure_compares_two_objects() -> None:
    assert look("measure", ONE_LINE, object="a", other="b").text.split("\n")[-1] == (
        "centres: dx 4, dy 0, distance 4; gap 1 horizontally and 0 vertically; aligned: top, centre y, bottom"
    )
    assert "boxes overlap by 8 horizontally and 8 vertically" in look(
        "measure", object="sun", other="bg"
    ).text.replace("16", "8")
    error = look("measure", object="sky").error
    assert error is not None
    assert error.kind == "unavailable"


def test_an_estimated_text_box_covers_the_text_that_is_drawn() -> None:
    label = '<text id="t" x="150" y="60" font-size="30" text-anchor="middle">Harbour</text>'
    text = f'<svg xmlns="{SVG}" viewBox="0 0 300 100">{label}</svg>'
    placed = canvas_box(resolve(SourceDocument.read(text), "t"))
    picture = get_renderer().render(RenderRequest(text, 300, 100))
    assert placed is not None
    assert isinstance(picture, Picture)
    rows, columns = np.nonzero(picture.array().min(axis=2) < 128)
    assert placed.box.left <= columns.min() + 3 <= placed.box.left + 8
    assert placed.box.right >= columns.max() - 3 >= placed.box.right - 8
    assert placed.box.top <= rows.min()
    assert rows.max() <= placed.box.bottom


def test_diff_shows_changed_lines_only() -> None:
    context = ToolContext.begin(PLAIN)
    context = context.after(call_tool(context, "set_attribute", {"object": "sun", "name": "r", "value": "9"}))
    assert call_tool(context, "diff", {"context_lines": 0}).text == (
        '--- start\n+++ now\n@@ -12 +12 @@\n-  <circle id="sun" cx="80" cy="15" r="8" fill="gold"/>'
        '\n+  <circle id="sun" cx="80" cy="15" r="9" fill="gold"/>'
    )
    assert look("diff").text == "no difference from the start"


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("a\r\nb\r\n", "a\r\nc\r\n", ["-b", "+c"]),
        ("a\r\nb\n", "a\r\nb\r\n", ["-b", "+b\\r"]),
        ("<a>" + "x" * 500 + "</a><b/>", "<a>" + "x" * 500 + "</a><c/>", ["-<b/>", "+<c/>"]),
    ],
)
def test_differences_stay_short(old: str, new: str, shown: list[str]) -> None:
    lines = difference(old, new, 0).split("\n")
    assert [line for line in lines if line[:1] in "+-" and line[:3] not in {"---", "+++"}] == shown


def test_a_difference_too_big_to_align_is_shown_as_one_stretch() -> None:
    old = "\n".join(map(str, range(4000)))
    assert difference(old, old[::-1]).startswith("from line 1: ")
    assert len(difference(old, old[::-1])) < 30_000


def pixels(result: ToolResult) -> Any:
    assert result.error is None, result.error
    (picture,) = result.pictures
    return picture.array()


def test_render_draws_the_document_in_the_size_of_the_protocol() -> None:
    image = pixels(look("render"))
    assert image.shape == (512, 512, 3)
    assert tuple(image[77, 410]) == (255, 215, 0)


def test_render_shows_a_region_an_object_and_a_closer_look() -> None:
    gold = (255, 215, 0)
    assert tuple(pixels(look("render", region=[76, 11, 8, 8]))[256, 256]) == gold
    assert tuple(pixels(look("render", object="sun"))[256, 256]) == gold
    assert (pixels(look("render", region=[70, 5, 20, 20], zoom=5)) == gold).all()
    assert look("render", zoom=2).text == "picture of region 25, 25, 50, 50 in user units"


def test_a_ring_is_drawn_round_a_highlighted_object_and_not_in_the_document() -> None:
    result = look("render", highlight=["sun", "sky", "wall"])
    image = pixels(result)
    assert (image == (255, 0, 255)).all(axis=2).sum() > 300
    assert (image == (0, 140, 255)).all(axis=2).sum() > 300
    assert tuple(image[77, 410]) == (255, 215, 0)
    assert result.text == (
        "picture of the whole drawing\nmagenta ring: circle sun box=72,7,16,16\n"
        "no ring: the box of linearGradient sky is not known\nblue ring: rect wall box=15,30,30,20"
    )


def test_start_and_present_are_shown_side_by_side() -> None:
    context = ToolContext.begin(PLAIN, get_renderer())
    context = context.after(
        call_tool(context, "set_attribute", {"object": "sun", "name": "fill", "value": "#010203"})
    )
    result = call_tool(context, "render", {"side_by_side": True, "object": "sun"})
    image = pixels(result)
    assert image.shape == (512, 512, 3)
    assert tuple(image[256, 126]) == (255, 215, 0)
    assert tuple(image[256, 386]) == (1, 2, 3)


@pytest.mark.parametrize(
    ("text", "arguments", "kind", "words"),
    [
        (PLAIN, {"object": "sun", "region": [0, 0, 1, 1]}, "bad_arguments", "object or region, not both"),
        (PLAIN, {"region": [0, 0, 0, 1]}, "bad_arguments", "must be positive"),
        (PLAIN, {"region": [0, 0, 1]}, "bad_arguments", "at least 4 items"),
        (PLAIN, {"object": "sky"}, "unavailable", "give a region"),
        (PLAIN, {"highlight": ["sum"]}, "not_found", "did you mean 'sun'"),
        ("<svg>", {}, "unavailable", "preview unavailable"),
    ],
)
def test_what_cannot_be_drawn_says_why(text: str, arguments: Any, kind: str, words: str) -> None:
    error = look("render", text, **arguments).error
    assert error is not None
    assert error.kind == kind
    assert words in error.message


def test_without_a_renderer_there_is_no_picture() -> None:
    error = call_tool(ToolContext.begin(PLAIN), "render").error
    assert error is not None
    assert error.message == "there is no renderer in this episode"


def test_validate_says_that_a_document_is_sound() -> None:
    assert look("validate").text == (
        "valid: well-formed, ids are unique, references resolve, values follow their grammars; it can be drawn"
    )


def test_validate_lists_faults_and_tells_old_ones_apart() -> None:
    text = PLAIN.replace('fill="gold"', 'fill="url(#nope)"')
    context = ToolContext.begin(text)
    context = context.after(
        call_tool(context, "set_attribute", {"object": "wall", "name": "x", "value": "1o"})
    )
    lines = call_tool(context, "validate").text.split("\n")
    assert lines[0] == "not valid: 2 faults; not drawn here"
    assert any("1o" in line and "wall" in line and "already" not in line for line in lines[1:])
    assert any(
        "nope" in line and line.endswith("[already in the document that you started with]")
        for line in lines[1:]
    )


def test_validate_works_on_a_malformed_document() -> None:
    text = look("validate", PLAIN.replace("</g>", "")).text
    assert text.startswith("not valid: 1 fault; cannot be drawn")
    assert "mismatched tag" in text
