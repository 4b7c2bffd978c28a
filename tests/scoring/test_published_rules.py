"""The rule set `published` in detail: what the published evaluator reads, normalises, masks and reports."""

from __future__ import annotations

from typing import Any

import pytest

from vbench_env.scoring import Scorecard, judge, score
from vbench_env.task import task_from_published

RECT = '<rect id="a" x="10" y="10" width="20" height="20" fill="#ff0000"/>'
GRADIENT = '<linearGradient id="g"><stop offset="0"/></linearGradient>'
PAINTED = f'<defs>{GRADIENT}</defs><rect id="a" width="9" height="9" fill="url(#g)"/><rect id="b"/>'
LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def drawing(body: str, root: str = 'viewBox="0 0 100 100"') -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {root}>{body}</svg>'


def judged(target: str, candidate: str, *changes: dict[str, Any], protected: tuple[str, ...] | None = None
           ) -> Scorecard:  # fmt: skip
    """Bodies of drawings under `published`."""
    return judge(drawing(target), drawing(candidate), repairs=changes, protected=protected, rules="published")


def same(target: str, candidate: str) -> bool:
    return judged(target, candidate).preserved


def changed(part: str, attribute: str, before: Any, after: Any) -> dict[str, Any]:
    return {"part": part, "attribute": attribute, "before": before, "after": after}


def valid(body: str) -> bool:
    return judged(RECT, body).valid


# Texts and parsing

UNREADABLE = {
    "empty": "",
    "blank": " \n",
    "prose": "I cannot do that.",
    "fence": "```svg\n" + drawing(RECT) + "\n```",
    "prose before": "Here you are:\n" + drawing(RECT),
    "prose after": drawing(RECT) + "\nI moved it.",
    "cut off": drawing(RECT)[:-9],
    "two roots": drawing(RECT) + drawing(RECT),
    "declaration after a line": "\n<?xml version='1.0'?>" + drawing(RECT),
    "control character": drawing(RECT.replace("a", "\x0b", 1)),
    "null character": drawing(RECT + "\x00"),
    "lone surrogate": drawing("<text>\ud83d</text>"),
    "undeclared entity": drawing("<text>&nbsp;</text>"),
    "undeclared prefix": drawing('<use xlink:href="#a"/>' + RECT),
    "attribute twice": drawing('<rect x="1" x="1"/>'),
    "bare ampersand": drawing("<text>a & b</text>"),
    "bare less-than": drawing("<text>a < b</text>"),
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_text_that_is_no_document_is_invalid_with_every_flag_false(text: str) -> None:
    change = changed("a", "x", 30, 10)
    card = judge(drawing(RECT), text, repairs=[change], protected=["a"], rules="published")
    assert card.status == "INVALID"
    flags = (
        card.valid,
        card.repaired,
        card.preserved,
        card.near,
        card.source_preservation,
        card.target_match,
    )
    assert not any(flags)
    assert (card.edit_completion, card.repair_progress, card.unintended_change_rate) == (0, 0, 1)
    assert (card.repairs[0].distance, card.repairs[0].tolerance) == (None, None)


def test_no_text_at_all_is_err() -> None:
    card = judge(drawing(RECT), None, repairs=[changed("a", "x", 30, 10)], rules="published")
    assert (card.status, card.reward, card.valid, card.unintended_change_rate) == ("ERR", 0, False, 1.0)


HARMLESS = {
    "byte-order mark": "\ufeff" + drawing(RECT),
    "declaration": '<?xml version="1.0" encoding="UTF-8"?>\n' + drawing(RECT),
    "declared as something else": '<?xml version="1.0" encoding="ISO-8859-1"?>' + drawing(RECT),
    "doctype": '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">' + drawing(RECT),
    "entity": '<!DOCTYPE svg [<!ENTITY red "#ff0000">]>' + drawing(RECT.replace("#ff0000", "&red;")),
    "blank before": "\n  " + drawing(RECT),
    "comments": "<!-- a -->" + drawing("<!-- b -->" + RECT + "<!-- c -->") + "<!-- d -->",
    "instruction": drawing("<?keep this?>" + RECT),
    "prefix": drawing(RECT).replace("<svg xmlns", "<s:svg xmlns:s").replace("<rect", "<s:rect").replace(
        "</svg", "</s:svg"),
    "white space": drawing(f"\n\t{RECT}\r\n"),
    "reference": drawing(RECT.replace("#ff0000", "&#35;ff0000")),
    "quotes": drawing(RECT.replace('"', "'")),
}  # fmt: skip


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_a_parser_drops_makes_no_difference(text: str) -> None:
    card = judge(drawing(RECT), text, rules="published")
    assert card.passed
    assert card.target_match


def test_without_the_namespace_a_root_is_valid_and_repairs_count_but_nothing_equals_the_target() -> None:
    text = drawing(RECT).replace(' xmlns="http://www.w3.org/2000/svg"', "")
    card = judge(drawing(RECT), text, repairs=[changed("a", "x", 30, 10)], protected=["a"], rules="published")
    assert (card.valid, card.repaired, card.preserved) == (True, True, False)
    assert card.status == "SIDE_EFFECTS"
    assert card.unintended_change_rate == 1.0


@pytest.mark.parametrize("text", ["<html/>", drawing(RECT).replace("svg ", "SVG ").replace("/svg>", "/SVG>")])
def test_a_root_of_another_name_is_invalid(text: str) -> None:
    assert [fault.kind for fault in judge(drawing(RECT), text, rules="published").faults] == ["root"]


def test_a_foreign_root_keeps_its_distances() -> None:
    text = f'<answer xmlns:s="http://www.w3.org/2000/svg">{RECT}</answer>'
    card = judge(drawing(RECT), text, repairs=[changed("a", "x", 30, 10)], rules="published")
    assert (card.valid, card.repairs[0].distance, card.repairs[0].passed) == (False, 0.0, False)


def test_of_two_attributes_that_collide_the_later_one_counts() -> None:
    first = f'<use {LINK} href="#a" xlink:href="#b"/>'
    body = RECT + '<rect id="b"/>'
    assert same(body + f'<use {LINK} xlink:href="#b"/>', body + first)
    assert not same(body + f'<use {LINK} xlink:href="#a"/>', body + first)


def test_a_foreign_attribute_that_comes_later_is_read_masked_and_compared_as_the_real_one() -> None:
    shadowed = RECT.replace("#ff0000", "#0000ff").replace("/>", ' xmlns:z="urn:z" z:fill="#ff0000"/>')
    assert judged(RECT, shadowed, changed("a", "fill", "#0000ff", "#ff0000")).passed
    assert same(RECT, shadowed)
    before = RECT.replace("<rect", '<rect xmlns:z="urn:z" z:fill="#0000ff"')
    assert judged(RECT, before, changed("a", "fill", "#0000ff", "#ff0000")).passed


def test_only_the_later_of_two_links_has_to_resolve() -> None:
    assert valid(RECT + f'<use {LINK} href="#none" xlink:href="#a"/>')
    assert not valid(RECT + f'<use {LINK} href="#a" xlink:href="#none"/>')


def test_white_space_in_text_and_tails_collapses_as_python_sees_it() -> None:
    assert same("<text>a b</text>", "<text>\u00a0a\u2003\n b\x1f </text>".replace("\x1f", " "))
    assert same('<text xml:space="preserve">a  b</text>', '<text xml:space="preserve">a b</text>')
    assert not same("<text>a b</text>", "<text>ab</text>")


def test_tail_text_takes_part() -> None:
    assert not same(f"<g>{RECT}</g>", f"<g>{RECT}stray</g>")
    card = judged(f"<g>{RECT}</g>", f"<g>{RECT}stray</g>", protected=("a",))
    assert card.unintended_change_rate == 1.0


def test_comments_and_cdata_join_the_text_round_them() -> None:
    assert same("<text>abc</text>", "<text>a<!-- x -->b<![CDATA[c]]></text>")


# Reading a value


@pytest.mark.parametrize(
    ("attributes", "distance"),
    [
        ('stroke-width="2"', 0.0),
        ('stroke-width="6" style="stroke-width: 2"', 0.0),
        ('stroke-width="6" style="stroke-width:2;stroke-width:3"', 1.0),
        ('strokeWidth="2"', 0.0),
        ('stroke-width="6" strokeWidth="2"', 4.0),
        ('style="strokeWidth:2"', None),
        ('stroke-width="2px"', None),
        ('stroke-width=" 2.0 "', 0.0),
        ('stroke-width="2e0"', 0.0),
        ('stroke-width="nan"', None),
        ('stroke-width=""', None),
        ("", None),
    ],
)
def test_a_value_is_read_where_it_is_stored(attributes: str, distance: float | None) -> None:
    target = RECT.replace("/>", ' stroke-width="2"/>')
    candidate = RECT.replace("/>", f" {attributes}/>")
    (repair,) = judged(target, candidate, changed("a", "stroke-width", 6, 2)).repairs
    assert repair.distance == distance
    assert repair.passed is (distance is not None and distance <= 1.0)


def test_class_rules_and_inheritance_are_not_read() -> None:
    target = "<style>.k{fill:#ff0000}</style>" + RECT.replace("/>", ' class="k"/>')
    candidate = target.replace(' fill="#ff0000"', "")
    (repair,) = judged(target, candidate, changed("a", "fill", "#0000ff", "#ff0000")).repairs
    assert (repair.passed, repair.distance) == (False, None)


@pytest.mark.parametrize(
    ("transform", "x", "y"),
    [
        ("translate(10 20)", 10, 20),
        ("translate(10,20)", 10, 20),
        ("translate(10)", 10, 0),
        ("rotate(3) translate(10 20) translate(5 5)", 10, 20),
        ("translate(10 20) spin(3)", 10, 20),
        ("rotate(3)", None, None),
    ],
)
def test_x_and_y_fall_back_to_the_first_translate(transform: str, x: float | None, y: float | None) -> None:
    target = '<g id="a" transform="translate(10 20)"/>'
    candidate = f'<g id="a" transform="{transform}"/>'
    changes = (changed("a", "x", 90, 10), changed("a", "y", 90, 20))
    found = judged(target, candidate, *changes).repairs
    assert [repair.found for repair in found] == [x, y]


def test_cx_does_not_fall_back_to_a_translate() -> None:
    candidate = '<circle id="a" transform="translate(10)"/>'
    (repair,) = judged('<circle id="a" cx="10"/>', candidate, changed("a", "cx", 30, 10)).repairs
    assert (repair.found, repair.passed) == (None, False)


@pytest.mark.parametrize(
    ("points", "distance"),
    [
        ("0,0 10,0 10,10", 0.0),
        ("0 0 10 0 10 10", 0.0),
        ("0,0\n10,0\t10,16", pytest.approx(6 / 6**0.5)),
        ("0,0 10,0", None),
        ("0, 0 10, 0 10, 10", None),
        ("0,0 10,0 10,ten", None),
        ("", None),
    ],
)
def test_points_split_at_white_space_and_then_at_commas(points: str, distance: Any) -> None:
    target = '<polygon id="a" points="0,0 10,0 10,10"/>'
    change = changed("a", "points", [[0, 0], [10, 0], [40, 40]], [[0, 0], [10, 0], [10, 10]])
    (repair,) = judged(target, f'<polygon id="a" points="{points}"/>', change).repairs
    assert repair.distance == distance


def test_an_attribute_that_the_target_does_not_have_must_be_gone() -> None:
    change = changed("a", "opacity", 0.5, None)
    assert judged(RECT, RECT, change).passed
    assert not judged(RECT, RECT.replace("/>", ' opacity="0.5"/>'), change).repaired
    assert not judged(RECT, "", change).repaired


# Numbers


@pytest.mark.parametrize("spelling", ["10", "+10", "10.0", "10.", "1e1", "1.0E+1", "0010", " 10 ", "100e-1"])
def test_numbers_agree_as_decimals(spelling: str) -> None:
    assert same(RECT, RECT.replace('x="10"', f'x="{spelling}"'))


@pytest.mark.parametrize(
    "spelling", ["10px", "10%", "10.0000001", "1_0", "ten", "10 10", "--10", "1e", "0xA"]
)
def test_anything_else_is_another_value(spelling: str) -> None:
    assert not same(RECT, RECT.replace('x="10"', f'x="{spelling}"'))


def test_huge_and_tiny_exponents_are_only_other_values() -> None:
    for spelling in ("1e9999999", "1e-9999999", "1e999999999999999999999"):
        assert judged(RECT, RECT.replace('x="10"', f'x="{spelling}"')).valid
        assert not same(RECT, RECT.replace('x="10"', f'x="{spelling}"'))


def test_minus_zero_is_zero() -> None:
    assert same(RECT.replace('x="10"', 'x="0"'), RECT.replace('x="10"', 'x="-0.0"'))


@pytest.mark.parametrize("dashes", ["4,2", "4 2", "4.0 , 2", "4\n2"])
def test_a_plain_list_of_numbers_normalises_as_one(dashes: str) -> None:
    assert same('<rect stroke-dasharray="4 2"/>', f'<rect stroke-dasharray="{dashes}"/>')


@pytest.mark.parametrize(
    ("d", "sound"),
    [
        ("M0 0L5-5", True), ("M0,0 5,5", True), ("M 0 0 , 5 5", True), ("M.5 .5", True), ("M1.5-.5", True),
        ("", True), ("M0 0zm1 1", True), ("L5 5", True), ("M0 0 L5 5 7", True), ("M0 0 0 0 7", True),
        ("M.5.5 1 1", False), ("M0 0a5 5 0 00 1 1", False), ("M0 0a5 5 0 0110 10", False),
        ("M0 0a5 5 0 0 1 10 10", True), ("M0 0a-5 5 0 0 1 10 10", False), ("M0 0L", False), ("0 0", False),
        ("M,0 0", False), ("z", False), ("M0 0z5", False), ("M0 0 X 5", False), ("M0 0 L5 5px", False),
        ("M0 0 L1e 5", False), ("none", False), ("M0 0 C1 1 2 2 3 3 4 4", False),
    ],
)  # fmt: skip
def test_path_data_is_tokens_that_the_path_library_reads(d: str, sound: bool) -> None:
    assert valid(f'<path d="{d}"/>') is sound


def test_path_data_compares_token_by_token() -> None:
    path = '<path d="M10 10 L20 20"/>'
    assert same(path, '<path d="M 10.0,10L+20 2e1"/>')
    assert not same(path, '<path d="m10 10 L20 20"/>')
    assert not same(path, '<path d="M10 10 20 20"/>')


@pytest.mark.parametrize(
    ("points", "sound"),
    [("0,0 1,1", True), ("0 0 1 1", True), ("", True), ("0-1", True), ("0,0 1", False), (".5.5", False),
     ("0,0 a,b", False)],
)  # fmt: skip
def test_points_come_in_pairs(points: str, sound: bool) -> None:
    assert valid(f'<polygon points="{points}"/>') is sound


@pytest.mark.parametrize(
    ("box", "sound"),
    [("0 0 9 9", True), ("0,0,9,9", True), ("-1-1 9 9", True), ("0 0 9", False), ("0 0 0 9", False),
     ("0 0 -9 9", False), ("0 0 9 9 9", False), ("", False), ("0 0 9px 9", False)],
)  # fmt: skip
def test_a_viewbox_is_four_numbers_of_positive_size(box: str, sound: bool) -> None:
    card = judge(drawing(RECT), drawing(RECT, f'viewBox="{box}"'), rules="published")
    assert card.valid is sound


@pytest.mark.parametrize(
    ("transform", "sound"),
    [
        ("", True), ("translate(1)", True), ("translate(1,2)", True), ("translate (1 2)", True),
        ("scale(2) rotate(1 2 3),skewX(4)", True), ("matrix(1 0 0 1 0 0)", True), ("rotate(1 2)", False),
        ("translate(1 2 3)", False), ("matrix(1 0 0 1 0)", False), ("skewX(1 2)", False), ("spin(1)", False),
        ("translate(1px)", False), ("translate(1", False), ("translate()", False), ("none", False),
        ("Translate(1)", False),
    ],
)  # fmt: skip
def test_transforms_are_known_functions_with_the_right_count(transform: str, sound: bool) -> None:
    assert valid(f'<g transform="{transform}"/>') is sound


def test_transforms_compare_function_by_function() -> None:
    assert same(
        '<g transform="translate(5,0) rotate(90)"/>', '<g transform="translate( 5.0 0 ),rotate(9e1)"/>'
    )
    assert not same('<g transform="translate(5,0)"/>', '<g transform="translate(5)"/>')
    assert not same('<g transform="translate(5,0)"/>', '<g transform="matrix(1 0 0 1 5 0)"/>')


# Colours


@pytest.mark.parametrize(
    "spelling", ["#F00", "#FF0000", "red", "RED", "rgb(255,0,0)", "rgb( 255 , 0 , 0 )", " red "]
)
def test_known_colours_agree(spelling: str) -> None:
    assert same(RECT, RECT.replace("#ff0000", spelling))
    (repair,) = judged(
        RECT, RECT.replace("#ff0000", spelling), changed("a", "fill", "blue", "#ff0000")
    ).repairs
    assert repair.distance == pytest.approx(0)


@pytest.mark.parametrize(
    "spelling",
    ["hsl(0,100%,50%)", "rgb(100%,0%,0%)", "rgba(255,0,0,1)", "#ff0000ff", "#f00f", "rgb(255 0 0)", "rgb(256,0,0)",
     "tomato", "#ff000", "none", ""],
)  # fmt: skip
def test_other_colours_are_text(spelling: str) -> None:
    assert not same(RECT, RECT.replace("#ff0000", spelling))
    (repair,) = judged(
        RECT, RECT.replace("#ff0000", spelling), changed("a", "fill", "blue", "#ff0000")
    ).repairs
    assert (repair.distance, repair.passed) == (None, False)


NAMES = "aqua black blue fuchsia gray green lime maroon navy olive purple red silver teal white yellow orange grey"


def test_eighteen_names_are_known() -> None:
    from vbench_env.svg.colors import NAMED_COLORS

    known = [
        name
        for name, color in NAMED_COLORS.items()
        if color.alpha == 255 and same(RECT.replace("#ff0000", color.hex), RECT.replace("#ff0000", name))
    ]
    assert sorted(known) == sorted(NAMES.split())


def test_unknown_colours_compare_in_lower_case_and_pass_on_equality_alone() -> None:
    gold = RECT.replace("#ff0000", "Gold")
    assert same(gold, RECT.replace("#ff0000", "gold"))
    change = changed("a", "fill", "#ff0000", "gold")
    assert judged(gold, RECT.replace("#ff0000", "GOLD"), change).passed
    assert not judged(gold, RECT.replace("#ff0000", "#ffd700"), change).repaired


def test_only_six_attributes_hold_colours() -> None:
    assert same('<rect stop-color="#F00"/>', '<rect stop-color="red"/>')
    assert not same('<rect data-color="#F00"/>', '<rect data-color="red"/>')


def test_a_colour_without_a_known_corruption_has_the_cap_as_tolerance() -> None:
    (repair,) = judged(RECT, RECT, changed("a", "fill", "url(#g)", "#ff0000")).repairs
    assert (repair.tolerance, repair.baseline) == (18.0, None)


# Style attributes


@pytest.mark.parametrize(
    ("style", "sound"),
    [("fill:red", True), ("fill:red;", True), (";;", True), ("", True), ("fill:url(a:b)", True), ("fill", False),
     ("fill:", False), (":red", False), ("fill:red;stroke", False)],
)  # fmt: skip
def test_a_declaration_without_both_sides_makes_the_document_invalid(style: str, sound: bool) -> None:
    assert valid(f'<rect style="{style}"/>') is sound


def test_style_declarations_override_attributes_of_that_name() -> None:
    assert same(RECT, RECT.replace('fill="#ff0000"', 'style="fill:#F00"'))
    assert same(RECT, RECT.replace('fill="#ff0000"', 'fill="#0000ff" style=" fill : red "'))
    assert same(
        RECT.replace("<rect", '<rect style="a:1;b:2"'), RECT.replace("<rect", '<rect style="b:2;a:1.0"')
    )
    assert not same(RECT, RECT.replace('fill="#ff0000"', 'style="fill:red !important"'))


def test_storage_in_another_place_shows_in_the_source_only() -> None:
    card = judged(RECT, RECT.replace('fill="#ff0000"', 'style="fill:#ff0000"'))
    assert (card.preserved, card.source_preservation, card.target_match) == (True, False, False)


def test_rules_in_a_style_element_are_text() -> None:
    assert same("<style>.k { fill:red }</style>", "<style> .k  { fill:red }\n</style>")
    assert not same("<style>.k{fill:red}</style>", "<style>.k{fill:#f00}</style>")
    assert not same(RECT, f"<style/>{RECT}")


def test_an_unreadable_style_makes_its_object_differ() -> None:
    card = judged(RECT + "<g/>", RECT.replace("/>", ' style="junk"/>') + "<g/>", protected=("a",))
    assert (card.valid, card.unintended_change_rate) == (False, 1.0)


# Ids and references


def test_ids_drop_out_when_renamed_consistently() -> None:
    renamed = PAINTED.replace('"g"', '"h"').replace("#g", "#h").replace('id="a"', 'id="q"')
    card = judged(PAINTED, renamed, protected=("a", "b"))
    assert (card.preserved, card.unintended_change_rate) == (True, 0.0)
    assert not card.source_preservation


def test_an_id_that_is_dropped_or_added_makes_no_difference() -> None:
    assert same(RECT, RECT.replace(' id="a"', ""))
    assert same("<g/>" + RECT, '<g id="new"/>' + RECT)


def test_paired_ids_are_replaced_in_links_and_style_text_too() -> None:
    sheet = "<style>#a{fill:url(#g)}</style>" + PAINTED + f'<use {LINK} xlink:href="#a"/>'
    renamed = sheet.replace("#g", "#h").replace('"g"', '"h"').replace("#a", "#z").replace('"a"', '"z"')
    assert same(sheet, renamed)
    assert not same(sheet, sheet.replace("{fill", ",#b{fill"))


def test_an_exchange_of_ids_is_followed_at_once() -> None:
    both = PAINTED.replace("</defs>", GRADIENT.replace('"g"', '"h"') + "</defs>")
    exchanged = both.replace('"g"', '"-"').replace('"h"', '"g"').replace('"-"', '"h"')
    assert not same(both, exchanged)
    assert same(both, exchanged.replace("#g", "#h"))


def test_ids_below_another_number_of_children_are_not_paired() -> None:
    more = PAINTED.replace("</defs>", "<g/></defs>").replace('"g"', '"h"').replace("#g", "#h")
    assert judged(PAINTED, more, protected=("a",)).unintended_change_rate == 1.0


def test_an_unpaired_id_stays_as_written() -> None:
    assert same(PAINTED, PAINTED.replace('fill="url(#g)"', "fill=\"url('#g')\""))
    other = PAINTED.replace("</defs>", '<g id="k"/></defs>')
    assert not same(other, other.replace("url(#g)", "url(#k)"))


@pytest.mark.parametrize(
    ("body", "sound"),
    [
        (PAINTED, True),
        (PAINTED.replace("url(#g)", "url(#none)"), False),
        ('<rect style="fill:url(#none)"/>', False),
        ('<style>rect{fill:url("#none")}</style>', False),
        (f'<use {LINK} xlink:href="#none"/>', False),
        ('<use href="#"/>', False),
        ('<image href="other.png"/>', True),
        ('<a href="other.svg#part"/>', True),
        ('<rect fill="url(other.svg#g)"/>', True),
        ('<use href="#here"/><g id="here"/>', True),
        ('<g id=""/>', False),
        ('<g id=" "/>', False),
        ('<g id="a"/><g id="a"/>', False),
        ('<script>x</script><rect onclick="x"/>', True),
        ('<rect fill="#12345" x="1_0" opacity="lots"/>', True),
    ],
)
def test_ids_are_unique_and_local_references_resolve(body: str, sound: bool) -> None:
    assert valid(body) is sound


def test_of_two_objects_with_one_id_the_first_is_read() -> None:
    candidate = RECT + RECT.replace('x="10"', 'x="50"')
    card = judged(RECT, candidate, changed("a", "x", 50, 10))
    assert (card.valid, card.repairs[0].distance, card.repairs[0].passed) == (False, 0.0, False)


def test_aria_attributes_are_ignored_and_other_metadata_is_not() -> None:
    assert same(RECT, RECT.replace("/>", ' aria-label="a" aria-hidden="true"/>'))
    for extra in ('role="img"', 'class="k"', 'data-x="1"', 'tabindex="0"', 'xml:space="preserve"'):
        assert not same(RECT, RECT.replace("/>", f" {extra}/>"))


# Objects, masks, change rates


def test_an_object_is_found_by_id_wherever_it_is() -> None:
    (repair,) = judged(RECT, f"<g/><g>{RECT}</g>", changed("a", "x", 50, 10)).repairs
    assert repair.passed


def test_an_object_without_its_id_is_found_by_place() -> None:
    body = f"<g>{RECT}<g/></g>"
    anonymous = body.replace(' id="a"', ' id="z"')
    assert judged(body, anonymous, changed("a", "x", 50, 10)).passed
    assert not judged(body, anonymous.replace("<g/>", ""), changed("a", "x", 50, 10)).repaired
    wrapped = f"<a>{RECT}<g/></a>".replace(' id="a"', "")
    assert not judged(body, wrapped, changed("a", "x", 50, 10)).repaired


def test_a_deletion_is_looked_up_by_id_only() -> None:
    change = changed("extra", "exists", True, False)
    assert judged(RECT, RECT, change).passed
    assert judged(RECT, RECT + '<circle id="other"/>', change).repaired
    card = judged(RECT, RECT + '<circle id="extra"/>', change)
    assert (card.repaired, card.preserved) == (False, True)


def test_the_mask_takes_out_the_attribute_its_camel_case_and_its_declaration() -> None:
    target = RECT.replace("/>", ' stroke-width="2"/>')
    candidate = RECT.replace("/>", ' stroke-width="9" strokeWidth="5" style="stroke-width:2.1"/>')
    card = judged(target, candidate, changed("a", "stroke-width", 9, 2))
    assert card.passed
    assert card.source_preservation


def test_the_mask_leaves_everything_else_on_the_object() -> None:
    change = changed("a", "x", 50, 10)
    assert not judged(RECT, RECT.replace('y="10"', 'y="10.1"'), change).preserved
    assert not judged(RECT, RECT.replace("/>", ' transform="translate(0)"/>'), change).preserved


def test_an_object_that_cannot_be_found_is_not_masked() -> None:
    card = judged(RECT, "<g/>", changed("a", "x", 50, 10))
    assert (card.repaired, card.preserved) == (False, False)


def test_change_rates_compare_whole_unmasked_subtrees() -> None:
    body = f'<g id="house">{RECT}<circle id="b" r="2"/></g><g id="c"/>'
    moved = body.replace('x="10"', 'x="11"')
    card = judged(body, moved, changed("a", "x", 50, 10), protected=("house", "b", "c"))
    assert card.preserved
    assert card.unintended_change_rate == pytest.approx(1 / 3)


def test_a_protected_object_is_found_by_place_too_and_counts_as_changed_when_it_is_gone() -> None:
    body = RECT + '<circle id="b" r="2"/>'
    assert judged(body, body.replace('"b"', '"z"'), protected=("a", "b")).unintended_change_rate == 0
    assert judged(body, RECT, protected=("a", "b")).unintended_change_rate == 0.5


def test_an_invalid_document_keeps_its_distances_and_its_change_rate() -> None:
    candidate = RECT.replace('x="10"', 'x="12"') + '<path d="oops"/>'
    card = judged(RECT + "<path/>", candidate, changed("a", "x", 50, 10), protected=("a",))
    assert (card.status, card.repair_progress, card.edit_completion) == ("INVALID", 0.0, 0.0)
    (repair,) = card.repairs
    assert (repair.distance, repair.tolerance, repair.passed, repair.progress) == (2.0, 2.5, False, 0.0)
    assert card.unintended_change_rate == 1.0


# Insertions

STAR = '<polygon id="star" points="5,5 9,9 1,9" fill="#ffff00"/>'
INSERTION = changed("star", "exists", False, True)


@pytest.mark.parametrize(
    ("star", "ratio"),
    [
        (STAR, 0.0),
        (STAR.replace("5,5", "6.8,5"), pytest.approx((1.8**2 / 6) ** 0.5 / 3)),
        (STAR.replace("#ffff00", "yellow"), 0.0),
        (STAR.replace("<polygon", "<polyline"), None),
        (STAR.replace("/>", ' stroke="red"/>'), None),
        (STAR.replace(' fill="#ffff00"', ""), None),
        (STAR.replace(' fill="#ffff00"', ' style="fill:#ff0"'), 0.0),
        (STAR.replace("/>", ' aria-label="star"/>'), 0.0),
        (STAR.replace("/>", "><title>s</title></polygon>"), None),
        (STAR.replace("/>", ">text</polygon>"), None),
        (STAR.replace("#ffff00", "gold"), None),
        (STAR.replace(' 1,9"', '"'), None),
        ("", None),
    ],
)
def test_an_insertion_agrees_in_type_keys_text_and_count_and_its_values_within_tolerance(
    star: str, ratio: Any
) -> None:
    card = judged(RECT + STAR, RECT + star, INSERTION)
    (repair,) = card.repairs
    assert repair.distance == ratio
    assert repair.passed is (ratio is not None)
    assert repair.tolerance == (None if ratio is None else 1.0)
    assert repair.progress == float(repair.passed)
    assert card.preserved


def test_an_insertion_may_stand_anywhere() -> None:
    assert judged(RECT + STAR, STAR + RECT, INSERTION).passed
    assert judged(RECT + "<g/>" + STAR, f"{RECT}<g>{STAR}</g>", INSERTION).passed


def test_an_insertion_of_another_name_at_its_place_is_found() -> None:
    assert judged(RECT + STAR, RECT + STAR.replace("star", "new"), INSERTION).passed


def test_values_in_an_inserted_subtree_count_too() -> None:
    group = '<g id="star"><circle cx="5" cy="5" r="2"/></g>'
    near, far = group.replace('cx="5"', 'cx="7"'), group.replace('cx="5"', 'cx="8"')
    assert judged(RECT + group, RECT + near, INSERTION).repairs[0].distance == pytest.approx(2 / 2.5)
    assert not judged(RECT + group, RECT + far, INSERTION).repaired


# Near misses


@pytest.mark.parametrize(
    ("x", "fill", "status"),
    [("13", "#ff0000", "NEAR"), ("20", "#ff0000", "PARTIAL"), ("13", "#0000ff", "FAIL"), ("12", "#ff0000", "PASS")],
)  # fmt: skip
def test_a_near_miss_misses_one_repair_and_has_progress_of_four_fifths(
    x: str, fill: str, status: str
) -> None:
    changes = (changed("a", "x", 30, 10), changed("a", "fill", "#0000ff", "#ff0000"))
    candidate = RECT.replace('x="10"', f'x="{x}"').replace("#ff0000", fill)
    card = judged(RECT, candidate, *changes)
    assert card.status == status
    assert card.near is (status == "NEAR")


def test_a_check_without_a_distance_counts_nothing_in_the_mean_progress() -> None:
    changes = (changed("a", "x", 30, 10), changed("a", "y", 30, 10))
    card = judged(RECT, RECT.replace(' y="10"', ""), *changes)
    assert card.repair_progress == 0.5


def test_the_size_of_the_target_sets_the_caps() -> None:
    for root, expected in (
        ('viewBox="0 0 400 100"', 10.0), ('width="400" height="100"', 10.0), ("", 2.5), ('width="100%"', 2.5)
    ):  # fmt: skip
        task = task_from_published({
            "task_id": "t", "instruction": "", "initial_svg": drawing(RECT, root), "target_svg": drawing(RECT, root),
            "expected_diff": [changed("a", "x", 90, 10)], "should_preserve": [],
        })  # fmt: skip
        assert score(task, task.target_svg, "published").repairs[0].tolerance == expected


@pytest.mark.parametrize(
    "d", ["M0 0 L1e308 0 L0 0 L1e308 0", "M0 0C1e308 0 1e308 1e308 -1e308 0", "m1e308 0 1e308 0"]
)
def test_a_path_too_long_to_measure_has_no_distance(d: str) -> None:
    change = changed("p", "d", "M0 0 L9 9", "M0 0 L5 5")
    (repair,) = judged('<path id="p" d="M0 0 L5 5"/>', f'<path id="p" d="{d}"/>', change).repairs
    assert (repair.distance, repair.passed) == (None, False)


def spiked(height: float) -> str:
    """A line along the x axis with one vertex off it."""
    return "M0 0" + "".join(f"L{8 * i} {height if i == 6 else 0}" for i in range(1, 13))


@pytest.mark.parametrize(
    ("before", "height", "comparison", "limit"),
    [
        (None, 4, "path-shape", 3.0),
        (None, 5, "path-numbers", 2.5),
        ("M0 0L96 30", 5, "path-numbers", 2.5),
        ("M0 0Q96 30 9 9", 5, "path-numbers", 2.5),
        (spiked(30), 5, "path-numbers", 2.5),
        (spiked(6), 5, "path-shape", 2.731),
    ],
)
def test_a_path_that_misses_by_its_shape_may_pass_by_its_numbers(
    before: str | None, height: float, comparison: str, limit: float
) -> None:
    body = '<path id="p" d="{}"/>'
    card = judged(body.format(spiked(0)), body.format(spiked(height)), changed("p", "d", before, spiked(0)))
    assert card.repairs[0].comparison == comparison
    assert card.repairs[0].tolerance == pytest.approx(limit, abs=1e-3)
    assert card.repairs[0].passed is (limit in (3.0, 2.5))


def test_a_root_of_another_namespace_is_named() -> None:
    card = judge(drawing(RECT), f'<svg viewBox="0 0 100 100">{RECT}</svg>', rules="published")
    assert {(change.object, change.detail) for change in card.changes} >= {("svg", "element")}


@pytest.mark.parametrize(("value", "counts"), [("url(#g)", True), ("url(#h)", False), ("#g", False)])
def test_a_reference_in_an_insertion_has_to_be_the_same(value: str, counts: bool) -> None:
    around = GRADIENT + GRADIENT.replace('"g"', '"h"') + "{}"
    new = '<rect id="n" width="9" height="9" fill="{}"/>'
    target, candidate = around.format(new.format("url(#g)")), around.format(new.format(value))
    assert judged(target, candidate, changed("n", "exists", False, True)).repairs[0].passed is counts
