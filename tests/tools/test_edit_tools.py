"""What the edit tools say: old and new values, notes, and reasons for doing nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.sources import DECLARED, ONE_LINE, PLAIN, SVG
from vbench_env.tools import ToolContext, ToolResult, call_tool


def call(tool: str, source: str = PLAIN, /, **arguments: Any) -> ToolResult:
    return call_tool(ToolContext.begin(source), tool, arguments)


def error(tool: str, source: str = PLAIN, /, **arguments: Any) -> tuple[str, str]:
    result = call(tool, source, **arguments)
    assert result.error is not None
    return result.error.kind, result.error.message


def test_set_attribute_says_when_the_style_wins() -> None:
    assert call("set_attribute", object="smoke", name="stroke", value="red").text == (
        'path smoke: stroke (none) -> "red". '
        "Note: the style attribute also sets stroke and wins over the attribute; use set_style"
    )


def test_set_attribute_says_when_an_id_is_double_or_missed() -> None:
    text = call("set_attribute", object="sky", name="id", value="sun").text
    assert "Note: the id 'sun' is now used more than once" in text
    assert "Note: the document still refers to #sky" in text


def test_remove_attribute_names_what_is_there() -> None:
    assert error("remove_attribute", object="sun", name="opacity") == (
        "not_found",
        "sun has no attribute 'opacity'; it has: id, cx, cy, r, fill",
    )
    assert call("remove_attribute", object="sun", name="fill").text == 'circle sun: fill "gold" -> (none)'


@pytest.mark.parametrize(
    ("arguments", "line", "text"),
    [
        (
            {"property": "stroke", "value": "#999"},
            'style="fill: none; stroke:#999"',
            'style stroke "#888" -> "#999"',
        ),
        ({"property": "STROKE", "value": None}, 'style="fill: none;"', 'style stroke "#888" -> (none)'),
        ({"property": "opacity", "value": 0.5}, "stroke:#888; opacity: 0.5", 'style opacity (none) -> "0.5"'),
    ],
)
def test_set_style_changes_one_declaration(arguments: Any, line: str, text: str) -> None:
    result = call("set_style", object="smoke", **arguments)
    assert line in result.document.text
    assert text in result.text


def test_set_style_removes_the_attribute_with_its_last_declaration() -> None:
    text = f'<svg xmlns="{SVG}"><a id="a" style="fill:red" x="1"/></svg>'
    assert (
        '<a id="a" x="1"/>' in call("set_style", text, object="a", property="fill", value=None).document.text
    )
    assert error("set_style", text, object="a", property="stroke", value=None)[0] == "not_found"


def test_set_text_leaves_the_rest_of_the_line_alone() -> None:
    result = call("set_text", object="where", text="there & back")
    assert "Home &amp; garden <tspan" in result.document.text
    assert ">there &amp; back</tspan>" in result.document.text
    assert result.text == 'tspan where: text "here" -> "there & back"'


def test_long_values_are_shortened_in_the_middle() -> None:
    text = call("set_text", object="where", text="x" * 500 + "end").text
    assert len(text) < 200
    assert text.endswith('xxxend"')


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "words"),
    [
        (
            "set_path",
            {"object": "smoke", "d": "M0 0L"},
            "bad_arguments",
            "not valid path data: .* at character",
        ),
        ("set_path", {"object": "sun", "d": "M0 0"}, "not_applicable", "sun is a circle, not a path"),
        ("set_points", {"object": "roof", "points": "1 2 3"}, "bad_arguments", "even number of coordinates"),
        ("set_points", {"object": "sun", "points": "1 2"}, "not_applicable", "not a polygon or polyline"),
        ("edit_path_point", {"object": "smoke", "index": 1}, "bad_arguments", "give x, y or both"),
        ("edit_path_point", {"object": "smoke", "index": 99, "x": 1}, "not_found", "there is no number 99"),
        (
            "reorder_element",
            {"object": "sun", "to": "before"},
            "bad_arguments",
            "reference goes with before and after",
        ),
        (
            "reorder_element",
            {"object": "sun", "to": "before", "reference": "wall"},
            "not_applicable",
            "not a sibling",
        ),
        ("reorder_element", {"object": "svg", "to": "front"}, "not_applicable", "root element"),
        (
            "duplicate_element",
            {"object": "sun", "new_id": "a b"},
            "bad_arguments",
            "must not hold white space",
        ),
        ("replace_text", {"find": "", "replace": "x"}, "bad_arguments", "find is empty"),
        ("replace_text", {"find": "nope", "replace": "x"}, "not_found", "must match to the letter"),
        ("replace_text", {"find": "<rect", "replace": "x"}, "ambiguous", r"several places \(lines 6, 8\)"),
        (
            "replace_text",
            {"find": "</g>", "replace": ""},
            "malformed_result",
            "not well-formed .*mismatched tag",
        ),
        ("rewrite", {"svg": "<svg>"}, "malformed_result", "the new document is not well-formed"),
        ("apply_patch", {"patch": "x"}, "patch_failed", "no hunk"),
    ],
)
def test_what_cannot_be_done_says_why(tool: str, arguments: dict[str, Any], kind: str, words: str) -> None:
    found = error(tool, **arguments)
    assert found[0] == kind
    assert re.search(words, found[1])


def test_an_overlapping_repetition_is_not_unique() -> None:
    text = f'<svg xmlns="{SVG}"><!--aaa--></svg>'
    assert error("replace_text", text, find="aa", replace="b")[0] == "ambiguous"


def test_replace_text_reads_line_ends_as_the_document_writes_them() -> None:
    text = PLAIN.replace("\n", "\r\n")
    result = call("replace_text", text, find="  </g>\n  <circle", replace="  </g>\n\n  <circle")
    assert result.document.text == text.replace("  </g>\r\n  <circle", "  </g>\r\n\r\n  <circle")


def test_path_points_change_inside_a_value_with_line_breaks() -> None:
    text = f'<svg xmlns="{SVG}"><path id="p" d="M 0 0\n L 1 1\n L 2 2"/></svg>'
    result = call("edit_path_point", text, object="p", index=2, x=5)
    assert result.document.text == text.replace("L 1 1", "L 5 1")
    assert result.text == 'path p: command 2 end "1,1" -> "5,1"'


@pytest.mark.parametrize(
    ("to", "order"),
    [("front", "bcda"), ("forward", "bacd"), ("back", "abcd"), ("backward", "abcd")],
)
def test_reorder_steps_over_what_is_painted(to: str, order: str) -> None:
    body = "<title/><defs/>" + "".join(f'<rect id="{name}"/>' for name in "abcd")
    result = call("reorder_element", f'<svg xmlns="{SVG}">{body}</svg>', object="a", to=to)
    assert "".join(re.findall('id="(.)"', result.document.text)) == order
    assert result.text.startswith("unchanged") == (order == "abcd")
    assert "<title/><defs/><rect" in result.document.text


def test_delete_warns_of_references_that_are_left() -> None:
    assert call("delete_element", object="sky").text == (
        "deleted linearGradient sky. Note: the document still refers to #sky"
    )
    assert call("delete_element", object="sun").text == "deleted circle sun"


def test_insert_says_where_the_element_is_and_which_id_is_double() -> None:
    result = call("insert_element", object="house", markup='<rect id="sun"/>', where="first_in")
    assert result.text == (
        "inserted svg/g[1]/rect[1] at svg/g[1]/rect[1] (first in g house). Note: the id 'sun' is used more than once"
    )


def test_duplicate_tells_the_new_ids() -> None:
    assert call("duplicate_element", object="house", new_id="barn").text == (
        "duplicated g house; new ids: wall -> wall-copy, roof -> roof-copy, smoke -> smoke-copy, house -> barn"
    )


def test_a_patch_and_a_rewrite_tell_what_they_changed() -> None:
    line = '  <circle id="sun" cx="80" cy="15" r="8" fill="gold"/>'
    patch = f"@@\n-{line}\n+{line.replace('8', '9')}"
    assert call("apply_patch", patch=patch).text == "patch applied: 1 change at line 12"
    assert call("rewrite", ONE_LINE, svg=DECLARED).text.startswith("document replaced: ")
    assert call("rewrite", svg=PLAIN).text == "unchanged: the new document is the old one"


def test_a_rewrite_that_declares_another_encoding_is_written_in_it() -> None:
    result = call("rewrite", svg=f'<?xml version="1.0" encoding="UTF-16"?><svg xmlns="{SVG}"/>')
    assert result.document.to_bytes().startswith(b"\xff\xfe<\x00")
    assert call_tool(ToolContext.begin(PLAIN).after(result), "undo").document.to_bytes() == PLAIN.encode()
