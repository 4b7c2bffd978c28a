"""The preservation gate: what is the same drawing, and what is a change, outside the requested repairs."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing, same
from vbench_env.scoring import judge

RECT = '<rect id="r" x="10" y="10" width="30" height="20" fill="#c0392b"/>'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('fill="#c0392b"', 'fill="rgb(192 57 43)"'),
        ('fill="#c0392b"', 'style="fill:#C0392B !important"'),
        ('opacity=".4"', 'opacity="40%"'),
        ('stroke-width="3pt"', 'stroke-width="4"'),
        ('font-family="Arial, serif"', "font-family=\"'arial' ,serif\""),
        ('transform="rotate(90 5 5)"', 'transform="translate(10)rotate(90)"'),
        ('transform="scale(2)"', 'transform="matrix(2 0 0 2 0 0)"'),
        ('stroke-dasharray="4"', 'stroke-dasharray="4 4"'),
        ("", 'opacity="1" transform="" fill="black" x="0"'),
        ('style="fill:red;fill:#00f"', 'fill="blue"'),
        ('stroke="red" color="red"', 'stroke="currentColor" color="red"'),
    ],
)
def test_spellings_of_one_thing(one: str, other: str) -> None:
    assert same(f"<rect {one}/>", f"<rect {other}/>")
    assert same(f"<rect {other}/>", f"<rect {one}/>")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('fill="#c0392b"', 'fill="#c0392c"'),
        ('x="10"', 'x="10.001"'),
        ('x="50%"', 'x="50"'),
        ('fill="#c0392b"', 'fill="#c0392bfe"'),
        ('fill="none"', 'fill="transparent"'),
        ('class="a b"', 'class="b a"'),
        ("", 'vector-effect="non-scaling-stroke"'),
        ('style="x:3px"', 'x="3"'),
        ('transform="translate(3)"', 'style="transform:translate(3px)"'),
        ('font-size="12"', 'style="font-size:12"'),
        ('style="fill:blue;fill:red"', 'style="fill:red;fill:blue"'),
        ("", 'data-a=""'),
        ('id="a"', ""),
    ],
)
def test_two_things(one: str, other: str) -> None:
    for tag in ("rect", "text"):
        assert not same(f"<{tag} {one}/>", f"<{tag} {other}/>") or tag != _shows(one + other)


def _shows(attributes: str) -> str:
    """The element on which the difference can be seen."""
    return "text" if "font-size" in attributes else "rect"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("M10 10L20 10V20", "m10,10h10v10"),
        ("M1 1C2 2 3 3 4 4S6 6 7 7", "M1 1C2 2 3 3 4 4 5 5 6 6 7 7"),
        ("M1 1Q2 2 3 1T5 1", "M1 1Q2 2 3 1 4 0 5 1"),
        ("M0 0a5 5 0 1 1 4 4z", "M0 0a5 5 0 114 4z"),
        ("M1 1 2 2 3 3", "M1 1L2 2L3 3"),
    ],
)
def test_path_data_compare_in_absolute_form(one: str, other: str) -> None:
    assert same(f'<path d="{one}"/>', f'<path d="{other}"/>')


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("M1 1L2 2L3 3", "M1 1L3 3"),
        ("M1 1L5 1L5 5Z", "M1 1L5 1L5 5L1 1"),
        ("M0 0A5 5 0 0 1 4 4", "M0 0A5 5 0 1 1 4 4"),
        ("M0 0C0 0 4 4 4 4", "M0 0L4 4"),
        ("M1 1L2 2", "M2 2L1 1"),
    ],
)
def test_another_path_is_a_change_whatever_it_looks_like(one: str, other: str) -> None:
    assert not same(f'<path d="{one}"/>', f'<path d="{other}"/>')


def test_arc_flags_never_agree_by_tolerance() -> None:
    large = 'viewBox="0 0 9000000 9000000"'
    one, other = (drawing(f'<path d="M0 0A9 9 0 {flag} 1 4 4"/>', large) for flag in "01")
    assert not judge(one, other).preserved


class TestNumbersAgreeAsDrawn:
    """Within 1e-6 of the viewBox diagonal (1.4e-4 of 100 x 100), measured where a person sees them."""

    def test_in_the_root(self) -> None:
        assert same('<rect x="10" width="9"/>', '<rect x="10.0001" width="9"/>')
        assert not same('<rect x="10" width="9"/>', '<rect x="10.0002" width="9"/>')

    def test_under_a_scale(self) -> None:
        body = '<g transform="scale(100)"><rect x="{}" width=".09"/></g>'
        assert same(body.format(".1"), body.format(".100001"))
        assert not same(body.format(".1"), body.format(".10001"))

    def test_under_a_small_scale(self) -> None:
        body = '<g transform="scale(.001)"><rect x="{}" width="9000"/></g>'
        assert same(body.format("10000"), body.format("10000.1"))
        assert not same(body.format("10000"), body.format("10001"))

    def test_in_a_symbol_that_is_drawn_large(self) -> None:
        body = (
            '<symbol id="s" viewBox="0 0 .1 .1"><rect x="{}" width=".05"/></symbol>'
            '<use href="#s" width="100" height="100"/>'
        )
        assert same(body.format(".01"), body.format(".0100001"))
        assert not same(body.format(".01"), body.format(".010001"))

    def test_in_a_marker_that_a_thick_stroke_enlarges(self) -> None:
        body = (
            '<marker id="m" overflow="visible"{}><rect x="{}" width="5" height="5"/></marker>'
            '<path d="M0 0H9" stroke="red" stroke-width="30" marker-end="url(#m)"/>'
        )
        fixed = ' markerUnits="userSpaceOnUse"'
        assert same(body.format(fixed, 1), body.format(fixed, 1.0001))
        assert not same(body.format("", 1), body.format("", 1.0001))

    @pytest.mark.parametrize(
        ("definition", "use"),
        [
            ("clipPath clipPathUnits", "clip-path"),
            ("mask maskContentUnits", "mask"),
            ("pattern patternContentUnits", "fill"),
        ],
    )
    def test_in_units_of_the_box(self, definition: str, use: str) -> None:
        tag, units = definition.split()
        body = (
            f'<{tag} id="d" width="1" height="1" {units}="{{}}"><rect width="{{}}" height=".5"/></{tag}>'
            f'<rect width="100" height="50" {use}="url(#d)"/>'
        )
        box, user = "objectBoundingBox", "userSpaceOnUse"
        assert same(body.format(box, ".5"), body.format(box, ".500001"))
        assert not same(body.format(box, ".5"), body.format(box, ".50001"))
        assert same(body.format(user, ".5"), body.format(user, ".5001"))

    @pytest.mark.parametrize(
        "body",
        [
            '<path d="M0 0H9" stroke="red" stroke-dasharray="4 {}"/>',
            '<path d="M0 0H9" stroke="red" stroke-dashoffset="{}"/>',
            '<path d="M0 0H9" stroke="red" stroke-width="{}"/>',
            '<path d="M0 0H{}"/>',
            '<polygon points="0 0 9 9 0 {}"/>',
            '<circle r="{}"/>',
            '<rect width="{}" height="9"/>',
            '<rect height="{}" width="9"/>',
            '<text x="1 {}" y="9">ab</text>',
            '<text font-size="{}">ab</text>',
            '<text letter-spacing="{}">ab</text>',
            '<svg viewBox="0 0 100 {}"><rect width="9" height="9"/></svg>',
        ],
    )
    def test_of_whatever_is_a_length(self, body: str) -> None:
        assert same(body.format("9"), body.format("9.00009"))
        assert not same(body.format("9"), body.format("9.001"))

    def test_of_a_transform_by_what_it_moves(self) -> None:
        body = '<rect width="{}" height="1" transform="scale({})"/>'
        assert same(body.format(10, 1), body.format(10, 1.00001))
        assert not same(body.format(90, 1), body.format(90, 1.00001))

    def test_of_a_transform_of_what_has_no_box(self) -> None:
        body = '<text x="100000" y="50000" font-size="20000" transform="scale({})">Hi</text>'
        assert not same(body.format(".001"), body.format(".001001"))

    def test_of_plain_numbers_without_a_scale(self) -> None:
        assert not same('<rect opacity=".5"/>', '<rect opacity=".50001"/>')


class TestInheritance:
    def test_on_the_parent_or_on_each_child(self) -> None:
        child = '<rect width="9" {}/><circle r="3" {}/>'
        each = 'stroke="red"'
        assert same(f"<g>{child.format(each, each)}</g>", f"<g {each}>{child.format('', '')}</g>")

    def test_it_reaches_what_did_not_have_it(self) -> None:
        assert not same('<g><rect stroke="red"/><circle/></g>', '<g stroke="red"><rect/><circle/></g>')

    def test_what_is_not_inherited_stays(self) -> None:
        assert not same('<g opacity=".5"><rect/></g>', '<g><rect opacity=".5"/></g>')

    def test_where_nothing_shows_it_there_is_no_change(self) -> None:
        assert same("<g><rect/></g>", '<g font-size="30"><rect/></g>')

    def test_relative_sizes_and_weights_refer_to_the_parent(self) -> None:
        assert (
            same('<g font-size="10"><text font-size="2em">a</text></g>', '<text font-size="20">a</text>')
            is False
        )
        assert same(
            '<g font-size="10"><text font-size="2em">a</text></g>',
            '<g font-size="10"><text font-size="20">a</text></g>',
        )
        assert same(
            '<g font-weight="600"><text font-weight="bolder">a</text></g>',
            '<g font-weight="600"><text font-weight="900">a</text></g>',
        )


class TestStyleSheets:
    def test_rules_and_attributes_compare_by_effect(self) -> None:
        assert same(
            '<style>.a{fill:red}</style><rect class="a"/>', '<style>.a{}</style><rect class="a" fill="red"/>'
        )

    def test_specificity_and_order_decide(self) -> None:
        rules = '<style>{}</style><rect class="a b"/>'
        assert not same(rules.format(".a{fill:red}.b{fill:blue}"), rules.format(".b{fill:blue}.a{fill:red}"))
        assert same(
            rules.format("rect.a{fill:red}.b{fill:blue}"), rules.format(".b{fill:blue}rect.a{fill:red}")
        )

    @pytest.mark.parametrize(
        "selector",
        ["g > rect", "g rect", "title + rect", "title ~ rect", "rect:first-of-type", ":nth-child(2)", "rect:not(.x)",
         ":is(rect, path)", '[x="1"]', '[class~="k"]', "svg rect:last-child", "*|rect"],
    )  # fmt: skip
    def test_selectors_match(self, selector: str) -> None:
        body = '<style>{} {{fill:red}}</style><g><title/><rect class="k" x="1"{}/></g>'
        css = selector.replace(">", "&gt;")
        assert same(body.format(css, ""), body.format(css, ' fill="blue"'))
        assert not same(body.format(css, ""), body.format(css, ' style="fill:blue"'))

    def test_what_cannot_be_evaluated_compares_as_written(self) -> None:
        body = "<style>{}</style><rect/>"
        assert not same(
            body.format("@media print{rect{fill:red}}"), body.format("@media print{rect{fill:blue}}")
        )
        assert not same(body.format("rect:hover{fill:red}"), body.format(""))
        assert same(body.format("rect:hover{fill:red}"), body.format("rect:hover {\n fill: red;\n}"))

    def test_adding_or_removing_a_sheet_is_a_change(self) -> None:
        assert not same("<rect/>", "<style/><rect/>")


class TestIds:
    BODY = '<linearGradient id="a"/><linearGradient id="b"/><rect fill="url(#a)" stroke="url(#b)"/>'

    def test_one_renaming_everywhere(self) -> None:
        renamed = self.BODY.replace('"a"', '"x"').replace("#a", "#x")
        assert same(self.BODY, renamed)

    @pytest.mark.parametrize("tag", ["animate", "animateMotion", "animateTransform", "set"])
    @pytest.mark.parametrize("when", ["{0}.click", "{0}.end+1s;2s", "1s; {0}.begin"])
    def test_also_in_the_timing_of_animations(self, tag: str, when: str) -> None:
        body = f'<g id="{{0}}"/><rect><{tag} attributeName="x" dur="1s" begin="{when}" end="{when}"/></rect>'
        assert same(body.format("one"), body.format("two"))
        stale = body.format("two").replace("two.", "one.", 1)
        assert not judge(drawing(body.format("one")), drawing(stale)).valid

    def test_two_ids_may_change_places_with_their_references(self) -> None:
        swapped = '<linearGradient id="b"/><linearGradient id="a"/><rect fill="url(#b)" stroke="url(#a)"/>'
        assert same(self.BODY, swapped)

    def test_not_without_them(self) -> None:
        assert not same(self.BODY, '<linearGradient id="b"/><linearGradient id="a"/>' + self.BODY[52:])

    def test_a_dropped_or_added_id_is_a_change(self) -> None:
        assert not same('<rect id="q"/>', "<rect/>")
        assert not same("<rect/>", '<rect id="q"/>')


class TestText:
    def test_white_space_collapses_as_svg_says(self) -> None:
        assert same("<text>a b</text>", "<text>\n a \t\n b </text>")
        assert not same("<text>a b</text>", "<text>a\u00a0b</text>")
        assert not same("<text>ab</text>", "<text>a b</text>")

    def test_where_it_is_kept_it_counts(self) -> None:
        for keep in ('xml:space="preserve"', 'style="white-space:pre"'):
            assert not same(f"<text {keep}>a  b</text>", f"<text {keep}>a b</text>")

    def test_comments_and_references_are_no_characters(self) -> None:
        assert same("<text>a&amp;b</text>", "<text>a<!--x-->&#38;<?y?>b</text>")


@pytest.mark.parametrize(
    ("target", "candidate", "subtype"),
    [
        (RECT, RECT + "<circle/>", "added_object"),
        (RECT + "<circle/>", RECT, "deleted_object"),
        ('<defs><filter id="f"/></defs>' + RECT, "<defs/>" + RECT, "deleted_definition"),
        (RECT + '<circle id="c"/>', '<circle id="c"/>' + RECT, "reorder"),
        (RECT, f"<g>{RECT}</g>", "nesting"),
        (RECT, RECT.replace('x="10"', 'x="12"'), "geometry"),
        ('<path d="M1 1L2 2"/>', '<path d="M1 1L2 3"/>', "path_rewrite"),
        (RECT, RECT.replace("#c0392b", "#123456"), "paint"),
        ("<text>a</text>", "<text>b</text>", "text"),
        ('<g id="q"/><g id="w"/><use href="#q"/>', '<g id="q"/><g id="w"/><use href="#w"/>', "reference"),
        (RECT, RECT.replace("x=", 'data-a="1" x='), "metadata"),
        ('<rect id="r" width="9"/>', '<path id="r" d="M0 0h9"/>', "geometry"),
        ('<defs><g id="q"><rect/></g></defs><use href="#q"/>',
         '<defs><g id="q"><rect/></g></defs><use href="#q" fill="red"/>', "paint"),
    ],
)  # fmt: skip
def test_a_change_is_named_by_its_subtype(target: str, candidate: str, subtype: str) -> None:
    card = judge(drawing(target), drawing(candidate))
    assert {change.subtype for change in card.changes} == {subtype}
    assert card.status == "SIDE_EFFECTS"


def test_changes_of_the_root_are_named_so() -> None:
    card = judge(drawing(RECT), drawing(RECT, 'viewBox="0 0 100 90"'))
    assert {change.subtype for change in card.changes} == {"root"}


def test_a_style_sheet_instruction_is_part_of_the_drawing() -> None:
    target = '<?xml-stylesheet href="a.css"?>' + drawing(RECT)
    card = judge(target, drawing(RECT))
    assert not card.preserved
    assert card.changes[0].detail == "xml-stylesheet instructions"


def test_the_change_rate_counts_protected_objects() -> None:
    body = '<rect id="a" x="1"/><rect id="b" x="1"/><rect id="c" x="1"/><rect id="d" x="1"/>'
    card = judge(drawing(body), drawing(body.replace('id="b" x="1"', 'id="b" x="5"')))
    assert card.unintended_change_rate == pytest.approx(0.25)
    assert card.preservation == pytest.approx(0.75)
