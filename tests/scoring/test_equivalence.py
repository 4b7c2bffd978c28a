"""More pairs of drawings that say the same, or not: values without effect, white space, sheets beyond a limit."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing, same
from vbench_env.scoring import PUBLISHED, SURGICAL, judge
from vbench_env.svg.parse import Limits


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('<g fill="red"><rect fill="#12345"/></g>', '<g fill="red"><rect/></g>'),
        ('<g font-size="20"><text font-size="inherit" letter-spacing="1em">a</text></g>',
         '<g font-size="20"><text letter-spacing="20">a</text></g>'),
        ('<g font-size="20"><text font-size="2em" letter-spacing="1em">a</text></g>',
         '<g font-size="20"><text font-size="40" letter-spacing="40">a</text></g>'),
        ('<text letter-spacing="normal">a</text>', '<text letter-spacing="0">a</text>'),
        ('<style>@namespace s url(http://www.w3.org/2000/svg); s|rect{fill:red}</style><rect/>',
         '<style>@namespace s url(http://www.w3.org/2000/svg); s|rect{fill:red}</style><rect fill="blue"/>'),
        ('<style>@namespace "http://www.w3.org/2000/svg"; rect{fill:red}</style><rect/>',
         '<style>@namespace "http://www.w3.org/2000/svg"; rect{fill:red}</style><rect fill="blue"/>'),
        ('<style>@namespace url("urn:x"); rect{fill:red}</style><rect/>',
         '<style>@namespace url("urn:x"); rect{fill:red}</style><rect style="fill:black"/>'),
        ('<style>.k{fill:red}</style><g fill="blue"><use href="#r"/></g><defs><rect id="r" class="k"/></defs>',
         '<style>.k{fill:red}</style><g><use href="#r"/></g><defs><rect id="r" class="k"/></defs>'),
        ('<text glyph-orientation-vertical="90">a</text>', '<text glyph-orientation-vertical=" 90 ">a</text>'),
        ('<text glyph-orientation-vertical="AUTO">a</text>', '<text>a</text>'),
        (r'<rect style="fill:red;cursor:url(a\ b)"/>', r'<rect style="fill:#f00;cursor:url(a\ b)"/>'),
        ('<rect width="1in"/>', '<rect width="96"/>'),
        ('<rect width="1q"/>', '<rect width=".25mm"/>'),
    ],
)  # fmt: skip
def test_the_same(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<script>a // b\nc</script>", "<script>a // b c</script>"),
        ('<text glyph-orientation-vertical="90">a</text>', '<text glyph-orientation-vertical="180">a</text>'),
        ('<text glyph-orientation-horizontal="90">a</text>', '<text>a</text>'),
        ('<rect width="1vmin"/>', '<rect width="1vmax"/>'),
        ('<g font-size="20"><text font-size="inherit" letter-spacing="1em">a</text></g>',
         '<g font-size="20"><text letter-spacing="16">a</text></g>'),
    ],
)  # fmt: skip
def test_not_the_same(one: str, other: str) -> None:
    card = judge(drawing(one), drawing(other))
    assert not card.preserved


@pytest.mark.parametrize(
    ("parent", "bolder", "lighter"),
    [
        (100, 400, 100), (300, 400, 100), (349, 400, 100), (350, 700, 100), (400, 700, 100), (549, 700, 100),
        (550, 900, 400), (600, 900, 400), (749, 900, 400), (750, 900, 700), (800, 900, 700), (900, 900, 700),
        (950, 950, 700), (50, 400, 50),
    ],
)  # fmt: skip
def test_relative_weights_refer_to_the_parent(parent: int, bolder: int, lighter: int) -> None:
    """The table of CSS Fonts 4 section 2.2.1."""
    body = f'<g font-weight="{parent}"><text font-weight="{{}}">a</text></g>'
    for word, weight in (("bolder", bolder), ("lighter", lighter)):
        assert same(body.format(word), body.format(weight))
        assert not same(body.format(word), body.format(weight + 1))


def test_a_sheet_beyond_a_limit_compares_as_text() -> None:
    rules = SURGICAL.vary(limits=Limits(style_rules=1), introduced_only=True)
    body = "<style>rect{{fill:{}}}a{{}}</style><rect/>"
    target = drawing(body.format("#f00"))
    assert judge(target, target, rules=rules).preserved
    assert not judge(target, drawing(body.format("red")), rules=rules).preserved
    assert judge(target, drawing(body.format("red"))).preserved


@pytest.mark.parametrize("name", ["labelledby", "describedby", "controls", "owns", "flowto", "details", "errormessage",
                                  "activedescendant"])  # fmt: skip
def test_aria_lists_of_ids_are_references(name: str) -> None:
    body = '<title id="{0}">x</title><rect aria-{1}="{0} {0}"/>'
    assert same(body.format("a", name), body.format("b", name))
    assert not judge(
        drawing(body.format("a", name)), drawing(body.format("a", name).replace('id="a"', ""))
    ).valid


@pytest.mark.parametrize("rules", [SURGICAL, PUBLISHED], ids=lambda rules: rules.name)
def test_an_object_that_became_another_element_is_named_once(rules: object) -> None:
    card = judge(drawing('<rect id="a" width="9"/>'), drawing('<circle id="a" r="9"/>'), rules=rules)  # type: ignore[arg-type]
    assert [(change.object, change.detail, change.before, change.after) for change in card.changes] == [
        ("a", "element", "rect", "circle")
    ]


def test_published_rules_pair_ids_of_elements_of_one_name() -> None:
    body = '<{} id="{}"/><use href="#{}"/>'
    target = body.format("rect", "a", "a")
    for tag, preserved in (("rect", True), ("circle", False)):
        card = judge(drawing(target), drawing(body.format(tag, "b", "b")), rules=PUBLISHED)
        assert card.preserved is preserved
        assert any(change.detail == "href" for change in card.changes) is not preserved


def test_published_rules_look_into_a_sheet_without_a_namespace_for_references() -> None:
    body = '<style xmlns="">rect{fill:url(#gone)}</style>'
    assert not judge(drawing(body), drawing(body), rules=PUBLISHED).valid
    assert judge(drawing(body), drawing(body)).valid


def test_colours_may_be_read_by_css_under_the_published_rules() -> None:
    one, other = drawing('<rect fill="hsl(0 100% 50%)"/>'), drawing('<rect fill="red"/>')
    assert not judge(one, other, rules=PUBLISHED).preserved
    assert judge(one, other, rules=PUBLISHED.vary(color_form="css")).preserved


@pytest.mark.parametrize(("metadata", "kept"), [("strict", False), ("no-aria", False), ("ignored", True)])
@pytest.mark.parametrize("name", ["class", "role", "data-k"])
def test_metadata_may_be_ignored_under_the_published_rules(metadata: str, kept: bool, name: str) -> None:
    rules = PUBLISHED.vary(metadata=metadata)
    assert judge(drawing(f'<rect {name}="a"/>'), drawing("<rect/>"), rules=rules).preserved is kept


INTERLOCKED = (
    '<g id="one"{0}><rect width="90" height="9"/><rect width="9" height="90"/></g>',
    '<g id="two"{0}><rect x="20" y="20" width="60" height="60"/></g>',
)


@pytest.mark.parametrize(
    ("first", "second", "moved", "free"),
    [
        ("", "", "", True),
        (' transform="translate(2 1)"', ' transform="translate(2 1)"', "", True),
        (' transform="scale(.5)"', ' transform="scale(.5)"', "", True),
        (' transform="translate(15 15)"', "", "", False),
        ("", ' transform="translate(-15 0)"', "", False),
        ("", "", ' transform="translate(-15 0)"', False),
        (' filter="url(#f)"', "", "", False),
        (' style="transform:translate(1px)"', "", "", False),
    ],
)
def test_groups_whose_parts_lie_apart_may_change_places(
    first: str, second: str, moved: str, free: bool
) -> None:
    """Their boxes overlap; what decides is whether their parts do."""
    one, two = INTERLOCKED[0].format(first), INTERLOCKED[1].format(second).replace("<rect", f"<rect{moved}")
    around = '<filter id="f"><feOffset/></filter><circle id="far" r="50"/>'
    start, target, candidate = (
        around.replace("<circle", two + "<circle") + one,
        around + one + two,
        around + two + one,
    )
    change = {"part": "two", "attribute": "order"}
    card = judge(drawing(target), drawing(candidate), corrupted_svg=drawing(start), repairs=[change])
    assert bool(card.reward) is free


def test_an_inserted_object_stands_in_its_own_group_also_without_ids() -> None:
    groups = "<g><rect/>{}</g><g><rect/>{}</g>"
    new = '<circle id="n" r="9"/>'
    start, change = (
        drawing(groups.format("", "")),
        {"part": "n", "attribute": "exists", "before": False, "after": True},
    )
    target = drawing(groups.format(new, ""))
    for candidate, counts in ((target, True), (drawing(groups.format("", new)), False)):
        card = judge(target, candidate, corrupted_svg=start, repairs=[change])
        assert card.repaired is counts


def test_an_object_keeps_its_parent_when_it_changes_its_place_in_the_order() -> None:
    """Neither group has an id; they are told apart by where they stand."""
    groups, disc, dot = "<g>{}</g><g>{}</g>", '<circle r="50"/>', '<circle id="a" r="9"/>'
    start, target = drawing(groups.format(dot + disc, disc)), drawing(groups.format(disc + dot, disc))
    for candidate, counts in (
        (target, True),
        (drawing(groups.format(disc, disc + dot)), False),
        (start, False),
    ):
        card = judge(target, candidate, corrupted_svg=start, repairs=[{"part": "a", "attribute": "order"}])
        assert card.repaired is counts
