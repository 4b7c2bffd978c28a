"""The repair gate: tolerances, computed values, masks no wider than they must be, where objects are found."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing, repaired
from vbench_env.scoring import judge
from vbench_env.task import Repair

RECT = '<rect id="r" x="{x}" y="10" width="30" height="20" fill="{fill}" opacity="{opacity}"/>'


def rect(x: float = 10, fill: str = "#c0392b", opacity: object = 1) -> str:
    return RECT.format(x=x, fill=fill, opacity=opacity)


class TestTolerance:
    """`t = min(c, max(f, r * delta), 0.9 * delta)`, 2.5 % of 100 being the cap of a position."""

    @pytest.mark.parametrize(
        ("x", "passes"), [(10, True), (12.5, True), (7.5, True), (12.51, False), (30, False)]
    )
    def test_of_a_position_far_off(self, x: float, passes: bool) -> None:
        card = repaired(rect(10), rect(x), rect(30), "r", "x", 30, 10)
        assert card.repaired is passes
        assert card.repairs[0].tolerance == pytest.approx(2.5)

    def test_of_a_small_corruption_stops_short_of_it(self) -> None:
        card = repaired(rect(10), rect(10.95), rect(11), "r", "x", 11, 10)
        assert card.repairs[0].tolerance == pytest.approx(0.75)
        assert not card.repaired
        assert not repaired(rect(10), rect(10.5), rect(10.5), "r", "x", 10.5, 10).repaired

    def test_of_a_colour_is_a_distance_in_lab(self) -> None:
        card = repaired(rect(), rect(fill="#c43c2e"), rect(fill="#0000ff"), "r", "fill", "#0000ff", "#c0392b")
        assert card.repaired
        assert card.repairs[0].unit == "CIE76"
        assert not repaired(
            rect(), rect(fill="#27ae60"), rect(fill="#0000ff"), "r", "fill", "#0000ff", "#c0392b"
        ).repaired

    def test_of_a_colour_leaves_its_alpha_no_room(self) -> None:
        card = repaired(rect(), rect(fill="#c0392b80"), rect(fill="#00f"), "r", "fill", "#00f", "#c0392b")
        assert not card.repaired

    @pytest.mark.parametrize(
        ("value", "passes"), [("80%", True), (".7", True), (".67", False), (".2", False)]
    )
    def test_of_an_opacity(self, value: str, passes: bool) -> None:
        card = repaired(rect(opacity=0.8), rect(opacity=value), rect(opacity=0.2), "r", "opacity", 0.2, 0.8)
        assert card.repaired is passes

    @pytest.mark.parametrize(
        ("name", "target", "near", "far", "start"),
        [
            ("fill-opacity", ".8", ".75", ".6", ".1"),
            ("stroke-width", "4", "5", "6", "20"),
            ("font-size", "20", "21", "23", "40"),
            ("letter-spacing", "2", "3", "4", "9"),
            ("stroke-dasharray", "8 4", "8.5 4.5", "12 9", "30 30"),
        ],
    )
    def test_of_other_families(self, name: str, target: str, near: str, far: str, start: str) -> None:
        body = f'<text id="r" stroke="red" {name}="{{}}">A</text>'
        for value, passes in ((near, True), (far, False)):
            card = repaired(
                body.format(target), body.format(value), body.format(start), "r", name, start, target
            )
            assert card.repaired is passes, card.repairs

    def test_of_a_stop(self) -> None:
        body = '<linearGradient><stop id="s" offset="{}"/></linearGradient>'
        for value, passes in ((".34", True), (".4", False)):
            card = repaired(
                body.format(".3"), body.format(value), body.format(".9"), "s", "offset", ".9", ".3"
            )
            assert card.repaired is passes

    def test_of_a_keyword_is_none(self) -> None:
        body = '<path id="p" stroke="red" stroke-linecap="{}" d="M1 1h9"/>'
        for value, passes in (("round", True), ("square", False)):
            card = repaired(
                body.format("round"),
                body.format(value),
                body.format("butt"),
                "p",
                "stroke-linecap",
                "butt",
                "round",
            )
            assert card.repaired is passes


class TestWhereAValueIsSet:
    def test_style_beats_a_stale_attribute(self) -> None:
        body = '<rect id="r" width="9" fill="#00f" style="{}"/>'
        card = repaired(
            '<rect id="r" width="9" fill="red"/>',
            body.format("fill:red"),
            '<rect id="r" width="9" fill="#00f"/>',
            "r",
            "fill",
            "#00f",
            "red",
        )
        assert card.passed

    def test_a_stale_style_beats_the_attribute(self) -> None:
        start = '<rect id="r" width="9" style="fill:#00f"/>'
        card = repaired(
            '<rect id="r" width="9" style="fill:red"/>',
            start.replace("width", 'fill="red" width'),
            start,
            "r",
            "fill",
            "#00f",
            "red",
        )
        assert not card.repaired

    def test_a_rule_may_carry_the_repair(self) -> None:
        body = '<style>#r{{fill:{}}}</style><rect id="r" width="9"/>'
        assert repaired(
            body.format("red"), body.format("#f00"), body.format("#00f"), "r", "fill", "#00f", "red"
        ).passed

    def test_an_inherited_value_counts(self) -> None:
        body = '<g fill="{}"><rect id="r" width="9"/></g>'
        card = repaired(
            body.format("red"), body.format("red"), body.format("#00f"), "r", "fill", "#00f", "red"
        )
        assert card.passed

    def test_geometry_in_style_voids_the_attribute(self) -> None:
        card = repaired(
            '<circle id="c" cx="80" r="9"/>',
            '<circle id="c" cx="80" r="9" style="cx:80px"/>',
            '<circle id="c" cx="20" r="9"/>',
            "c",
            "cx",
            20,
            80,
        )
        assert not card.repaired

    def test_camel_case_is_another_attribute(self) -> None:
        body = '<path id="p" stroke="red" d="M1 1h9" {}/>'
        card = repaired(
            body.format('stroke-width="6"'),
            body.format('strokeWidth="6"'),
            body.format('stroke-width="1"'),
            "p",
            "stroke-width",
            1,
            6,
        )
        assert not card.repaired


class TestTheMask:
    """A repaired property is free on its object, and nothing else is."""

    def test_a_missed_repair_is_no_side_effect(self) -> None:
        card = repaired(rect(10), rect(50), rect(30), "r", "x", 30, 10)
        assert card.preserved
        assert card.status == "FAIL"

    @pytest.mark.parametrize("other", ['y="10"', 'width="30"', 'fill="#c0392b"', 'opacity="1"'])
    def test_another_property_of_the_object_is_protected(self, other: str) -> None:
        name = other.split("=")[0]
        candidate = rect(10).replace(other, f'{name}="{"#111" if name == "fill" else ".5"}"')
        card = repaired(rect(10), candidate, rect(30), "r", "x", 30, 10)
        assert card.repaired
        assert card.status == "SIDE_EFFECTS"

    def test_the_same_property_of_another_object_is_protected(self) -> None:
        two = '<rect id="a" x="{}" width="9"/><rect id="b" x="{}" width="9"/>'
        card = repaired(two.format(10, 5), two.format(10, 6), two.format(30, 5), "a", "x", 30, 10)
        assert card.status == "SIDE_EFFECTS"

    def test_what_children_inherit_from_a_repaired_object_follows_it(self) -> None:
        body = '<g id="g" fill="{}"><rect width="9"/><g><circle r="3"/></g></g>'
        card = repaired(
            body.format("#c0392b"),
            body.format("#c03a2c"),
            body.format("#00f"),
            "g",
            "fill",
            "#00f",
            "#c0392b",
        )
        assert card.passed

    def test_a_child_that_sets_its_own_value_is_protected(self) -> None:
        body = '<g id="g" fill="{}"><rect width="9"/><circle fill="{}" r="3"/></g>'
        card = repaired(
            body.format("#c0392b", "red"),
            body.format("#c0392b", "#0f0"),
            body.format("#00f", "red"),
            "g",
            "fill",
            "#00f",
            "#c0392b",
        )
        assert card.status == "SIDE_EFFECTS"


class TestFindingTheObject:
    TWO = '<g><rect id="{}" x="{}" width="9"/><circle r="3"/></g>'

    def test_by_its_place_where_the_id_is_gone(self) -> None:
        card = repaired(
            self.TWO.format("a", 10), self.TWO.format("z", 10), self.TWO.format("a", 30), "a", "x", 30, 10
        )
        assert card.passed

    def test_not_by_place_where_the_tree_is_another(self) -> None:
        candidate = self.TWO.format("z", 10).replace("<circle", "<line/><circle")
        card = repaired(self.TWO.format("a", 10), candidate, self.TWO.format("a", 30), "a", "x", 30, 10)
        assert not card.repaired
        assert card.repairs[0].failure == "wrong_object"

    def test_by_a_structural_path(self) -> None:
        body = '<g><rect x="5"/></g><g><rect x="{}" width="9"/></g>'
        card = repaired(body.format(10), body.format(10), body.format(30), "svg/g[2]/rect[1]", "x", 30, 10)
        assert card.passed

    def test_an_id_that_moved_to_another_element_fools_nobody(self) -> None:
        target = '<circle id="sun" fill="orange" r="9"/><circle id="fruit" fill="orange" r="5"/>'
        candidate = '<circle id="fruit" fill="gray" r="9"/><circle id="sun" fill="orange" r="5"/>'
        start = target.replace("orange", "gray", 1)
        assert not repaired(target, candidate, start, "sun", "fill", "gray", "orange").passed


class TestText:
    def test_characters_after_white_space_rules(self) -> None:
        body = '<text id="t">{}</text>'
        assert repaired(
            body.format("MARKET"),
            body.format("\n MARKET "),
            body.format("MARKT"),
            "t",
            "text",
            "MARKT",
            "MARKET",
        ).passed
        assert not repaired(
            body.format("MARKET"), body.format("Market"), body.format("MARKT"), "t", "text", "MARKT", "MARKET"
        ).repaired

    def test_style_of_the_text_is_protected(self) -> None:
        body = '<text id="t" font-size="{}">{}</text>'
        card = repaired(body.format(9, "A"), body.format(8, "A"), body.format(9, "B"), "t", "text", "B", "A")
        assert card.status == "SIDE_EFFECTS"


class TestAcceptedValues:
    def verdict(self, candidate: str, accept: dict[str, object]) -> bool:
        repair = Repair(object="r", operation="move", property="x", corrupted=60, target=10, accept=accept)
        return judge(
            drawing(rect(10)), drawing(candidate), corrupted_svg=drawing(rect(60)), repairs=[repair]
        ).passed

    def test_a_range(self) -> None:
        assert self.verdict(rect(18), {"range": [5, 20]})
        assert not self.verdict(rect(21), {"range": [5, 20]})

    def test_a_choice(self) -> None:
        assert self.verdict(rect(40), {"choice": [40, 80]})
        assert not self.verdict(rect(41), {"choice": [40, 80]})


class TestFailures:
    @pytest.mark.parametrize(
        ("x", "failure"), [(30, "untouched"), (20, "wrong_value"), (-20, "overshoot"), (10, None)]
    )
    def test_why_a_number_was_missed(self, x: float, failure: str | None) -> None:
        assert repaired(rect(10), rect(x), rect(30), "r", "x", 30, 10).repairs[0].failure == failure

    def test_the_value_went_to_another_object(self) -> None:
        two = '<rect id="a" fill="{}" width="9"/><rect id="b" fill="{}" width="9"/>'
        card = repaired(
            two.format("#ff0000", "#00ff00"),
            two.format("#0000ff", "#ff0000"),
            two.format("#0000ff", "#00ff00"),
            "a",
            "fill",
            "#0000ff",
            "#ff0000",
        )
        assert card.repairs[0].failure == "wrong_object"


def test_progress_is_the_share_of_the_way() -> None:
    assert repaired(rect(10), rect(15), rect(30), "r", "x", 30, 10).repair_progress == pytest.approx(0.75)
    assert repaired(rect(10), rect(90), rect(30), "r", "x", 30, 10).repair_progress == 0
    assert repaired(rect(10), rect("5_0"), rect(30), "r", "x", 30, 10).repair_progress == 0  # type: ignore[arg-type]


class TestLinks:
    TWO = '<defs><rect id="d" width="4"/><rect id="e" width="4" stroke="red"/></defs><use id="u" href="#{}" fill="{}"/>'

    def test_the_target_of_a_link(self) -> None:
        card = repaired(
            self.TWO.format("d", "red"),
            self.TWO.format("d", "red"),
            self.TWO.format("e", "red"),
            "u",
            "href",
            "#e",
            "#d",
        )
        assert card.passed

    def test_a_requested_link_does_not_free_what_the_use_hands_on(self) -> None:
        card = repaired(
            self.TWO.format("d", "red"),
            self.TWO.format("d", "blue"),
            self.TWO.format("e", "red"),
            "u",
            "href",
            "#e",
            "#d",
        )
        assert card.status == "SIDE_EFFECTS"

    def test_a_missed_link_is_no_side_effect(self) -> None:
        card = repaired(
            self.TWO.format("d", "red"),
            self.TWO.format("e", "red"),
            self.TWO.format("e", "red"),
            "u",
            "href",
            "#e",
            "#d",
        )
        assert card.preserved
        assert not card.repaired
