"""Repairs of what is there and in which order: insertions, deletions, reorderings."""

from __future__ import annotations

import itertools

import pytest

from tests.scoring.drawings import drawing, repaired
from vbench_env.scoring import Scorecard, judge

WALL = '<rect id="wall" x="10" y="30" width="80" height="60" fill="#e0c097"/>'
TREE = '<circle id="tree" cx="95" cy="10" r="3" fill="green"/>'
DOOR = '<rect id="door" x="40" y="60" width="20" height="30" fill="#7f4f24"/>'
TARGET = WALL + DOOR + TREE


def inserted(candidate: str, target: str = TARGET, start: str = WALL + TREE, part: str = "door") -> Scorecard:
    return repaired(target, candidate, start, part, "exists", False, True)


class TestInsertions:
    @pytest.mark.parametrize(
        "door",
        [
            DOOR,
            DOOR.replace('id="door"', 'id="gate"'),
            DOOR.replace('id="door" ', ""),
            DOOR.replace('x="40"', 'x="42"'),
            DOOR.replace('fill="#7f4f24"', 'style="fill:rgb(127 79 36)"'),
            DOOR.replace('x="40"', 'x="30" transform="translate(10)"'),
            DOOR.replace("fill=", 'aria-label="way in" fill='),
        ],
    )
    def test_the_same_object_in_other_words(self, door: str) -> None:
        assert inserted(WALL + door + TREE).passed

    @pytest.mark.parametrize(
        "door",
        [
            "",
            DOOR.replace('x="40"', 'x="50"'),
            DOOR.replace("#7f4f24", "#24507f"),
            DOOR.replace("<rect", "<image"),
            DOOR.replace("fill=", 'class="way" fill='),
            DOOR.replace("fill=", 'visibility="hidden" fill='),
            DOOR.replace("fill=", 'display="none" fill='),
            DOOR.replace("fill=", 'opacity="0" fill='),
            DOOR.replace("/>", "><title>door</title></rect>"),
            DOOR + DOOR.replace('id="door"', 'id="gate"'),
        ],
    )
    def test_another_object(self, door: str) -> None:
        assert inserted(WALL + door + TREE).reward == 0

    def test_the_order_counts_where_boxes_overlap(self) -> None:
        assert inserted(DOOR + WALL + TREE).repairs[0].comparison == "inserted-order"
        assert not inserted(DOOR + WALL + TREE).repaired
        assert inserted(WALL + TREE + DOOR).passed

    def test_a_box_that_cannot_be_measured_overlaps_everything(self) -> None:
        label = '<text id="label" x="90" y="5">A</text>'
        card = inserted(label + WALL + DOOR + TREE, WALL + DOOR + TREE + label, WALL + TREE + label)
        assert card.reward == 0
        assert not inserted(WALL + label + DOOR, WALL + DOOR + label, WALL + label).repaired

    def test_the_parent_counts(self) -> None:
        target = f'<g id="house">{WALL}{DOOR}</g>{TREE}'
        start = f'<g id="house">{WALL}</g>{TREE}'
        assert inserted(target, target, start).passed
        assert inserted(f'<g id="house">{WALL}</g>{DOOR}{TREE}', target, start).reward == 0

    def test_distance_is_counted_in_tolerances(self) -> None:
        card = inserted(WALL + DOOR.replace('x="40"', 'x="41"') + TREE)
        assert (card.repairs[0].tolerance, card.repairs[0].unit) == (1.0, "tolerances")
        assert card.repairs[0].distance == pytest.approx(0.4)

    def test_the_best_match_is_found_among_twins(self) -> None:
        row = "".join(f'<circle id="b{n}" cx="{10 * n}" cy="50" r="3"/>' for n in range(1, 6))
        start = row.replace('<circle id="b3" cx="30" cy="50" r="3"/>', "")
        assert inserted(row.replace('"b3"', '"new"'), row, start, "b3").passed
        everything = row.replace('id="b', 'id="x')
        assert inserted(everything, row, start, "b3").passed

    def test_text_of_an_inserted_object_is_exact(self) -> None:
        text = '<text id="t" x="5" y="9">a<tspan>b</tspan>c</text>'
        assert inserted(WALL + text, WALL + text, WALL, "t").passed
        assert inserted(WALL + text.replace(">c<", ">d<"), WALL + text, WALL, "t").reward == 0
        assert inserted(WALL + text.replace(">b<", ">d<"), WALL + text, WALL, "t").reward == 0

    def test_it_may_refer_to_a_renamed_definition(self) -> None:
        body = '<linearGradient id="{0}"/>' + WALL + '<circle id="c" r="9" fill="url(#{0})"/>'
        assert inserted(body.format("n"), body.format("g"), '<linearGradient id="g"/>' + WALL, "c").passed

    def test_two_insertions_find_one_object_each(self) -> None:
        twins = '<g id="g"><rect id="a" width="4" height="4"/><rect id="b" width="4" height="4"/></g>'
        repairs = [{"part": name, "attribute": "exists", "before": False, "after": True} for name in "ab"]
        start = drawing('<g id="g"/>')
        both = drawing(twins.replace('"a"', '"x"').replace('"b"', '"y"'))
        one = drawing('<g id="g"><rect id="x" width="4" height="4"/></g>')
        assert judge(drawing(twins), both, corrupted_svg=start, repairs=repairs).reward == 1
        assert judge(drawing(twins), one, corrupted_svg=start, repairs=repairs).edit_completion == 0.5

    @pytest.mark.parametrize("body", ['<use id="u" href="#d" {}/>', '<rect id="u" width="8" height="8" {}/>'])
    def test_a_transform_that_all_but_moves_is_all_but_a_move(self, body: str) -> None:
        defs = '<defs><rect id="d" width="8" height="8"/></defs>'
        target = defs + body.format('x="50" y="40"')

        def distance(transform: str) -> float:
            card = inserted(defs + body.format(f'transform="{transform}"'), target, defs, "u")
            return card.repairs[0].distance or 0.0

        for last in ("scale({})", "rotate({})", "skewX({})"):
            still = 1 if "scale" in last else 0
            steps = [
                distance(f"translate(50 40) {last.format(still + slip)}") for slip in (0, 1e-7, 1e-4, 0.01)
            ]
            assert steps[0] == 0
            assert all(near <= far + 1e-9 for near, far in itertools.pairwise(steps))
            assert steps[2] < 0.01
            assert steps[3] < 1

    @pytest.mark.parametrize(
        ("transform", "counts"),
        [
            ("translate(50 40) scale(1.01)", True),
            ("translate(51 40) rotate(1)", True),
            ("translate(50 40) scale(2)", False),
            ("translate(50 40) rotate(40)", False),
            ("scale(50 40)", False),
        ],
    )
    def test_an_inserted_use_is_where_its_transform_puts_it(self, transform: str, counts: bool) -> None:
        defs = '<defs><rect id="d" width="8" height="8"/></defs>'
        target = defs + '<use id="u" href="#d" x="50" y="40"/>'
        candidate = defs + f'<use id="u" href="#d" transform="{transform}"/>'
        assert inserted(candidate, target, defs, "u").repaired is counts

    @pytest.mark.parametrize("change", ['fill="red"', 'stroke="red"', 'color="red"'])
    def test_what_an_inserted_use_hands_on_counts(self, change: str) -> None:
        defs = '<defs><rect id="d" width="4" height="4"/></defs>'
        use = '<use id="u" href="#d" x="50"/>'
        assert inserted(defs + use.replace("x=", f"{change} x="), defs + use, defs, "u").reward == 0

    @pytest.mark.parametrize(
        ("d", "counts"),
        [
            ("M10 10h40v41h-40z", True),
            ("M10 10h40v40h-40v-40", False),
            ("M10 10h40v40h-40zM10 10h40v40h-40z", False),
        ],
    )
    def test_paths_compare_as_repaired_ones(self, d: str, counts: bool) -> None:
        path = '<path id="p" fill="red" stroke="blue" fill-rule="evenodd" d="{}"/>'
        assert bool(inserted(path.format(d), path.format("M10 10h40v40h-40z"), "", "p").reward) is counts


class TestDeletions:
    EXTRA = '<circle id="spot" cx="20" cy="40" r="4"/>'

    def verdict(self, candidate: str) -> Scorecard:
        return repaired(WALL, candidate, WALL + self.EXTRA, "spot", "exists", True, False)

    def test_it_is_gone(self) -> None:
        assert self.verdict(WALL).passed

    @pytest.mark.parametrize(
        "extra",
        [
            EXTRA,
            EXTRA.replace("spot", "other"),
            EXTRA.replace("r=", 'display="none" r='),
            EXTRA.replace('r="4"', 'r="0"'),
            f"<defs>{EXTRA}</defs>",
        ],
    )
    def test_it_is_there_in_some_way(self, extra: str) -> None:
        assert self.verdict(WALL + extra).reward == 0

    def test_leaving_it_is_no_side_effect(self) -> None:
        card = self.verdict(WALL + self.EXTRA)
        assert card.preserved
        assert card.repairs[0].failure == "untouched"

    def test_deleting_something_else(self) -> None:
        assert self.verdict(self.EXTRA).status == "FAIL"
        assert self.verdict("").status == "SIDE_EFFECTS"

    def test_an_extra_object_without_an_id(self) -> None:
        row = '<rect x="1" width="4"/><rect x="9" width="4"/>'
        extra = '<rect x="9" width="4"/>'
        name = "svg/rect[3]"
        assert repaired(row, row, row + extra, name, "exists", True, False).passed
        assert not repaired(row, row + extra, row + extra, name, "exists", True, False).repaired


class TestReordering:
    SUN = '<circle id="sun" cx="50" cy="40" r="20" fill="gold"/>'
    HILL = '<rect id="hill" y="50" width="100" height="50" fill="green"/>'

    def verdict(self, candidate: str) -> Scorecard:
        return repaired(self.SUN + self.HILL + TREE, candidate, self.HILL + self.SUN + TREE, "sun", "order")

    def test_behind_the_hill(self) -> None:
        assert self.verdict(self.SUN + self.HILL + TREE).passed

    def test_still_before_it(self) -> None:
        card = self.verdict(self.HILL + self.SUN + TREE)
        assert card.status == "FAIL"
        assert card.preserved

    def test_places_among_what_it_does_not_touch_are_free(self) -> None:
        target = self.HILL + self.SUN + TREE
        card = repaired(target, self.HILL + TREE + self.SUN, self.SUN + self.HILL + TREE, "sun", "order")
        assert card.passed

    @pytest.mark.parametrize("change", ['fill="gray"', 'cx="60"', 'opacity=".5"', 'data-a="1"'])
    def test_the_object_itself_is_protected(self, change: str) -> None:
        name = change.split("=")[0]
        sun = self.SUN
        if f"{name}=" in sun:
            value = sun.split(f'{name}="')[1].split('"')[0]
            sun = sun.replace(f'{name}="{value}"', change)
        else:
            sun = sun.replace("r=", f"{change} r=")
        card = self.verdict(sun + self.HILL + TREE)
        assert card.repaired
        assert card.status == "SIDE_EFFECTS"
        assert {item.object for item in card.changes} == {"sun"}

    def test_the_others_keep_their_order(self) -> None:
        assert self.verdict(self.SUN + TREE + self.HILL).reward == 0
