"""How each kind of task is judged: malformed files, optimisation, style rules; with the shipped tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vbench_env.kind import GOALS, OptimisationGoal, StyleGoal, StyleRule, parse_goal
from vbench_env.scoring import Scorecard, score
from vbench_env.scoring.kinds import KINDS
from vbench_env.scoring.kinds.malformed import readable
from vbench_env.task import Repair, Task, load_corpus, load_task
from vbench_env.verdict import progress

KINDS_CORPUS = load_corpus("vbench-kinds")
TIDE = KINDS_CORPUS.task("tide-clock")
BADGE = KINDS_CORPUS.task("summit-badge")
PLAN = KINDS_CORPUS.task("floor-plan")


def failed(card: Scorecard) -> list[str]:
    return [result.object for result in card.repairs if not result.passed]


def test_every_kind_of_goal_has_a_judge() -> None:
    assert GOALS.names() == KINDS.names()


@pytest.mark.parametrize("task", KINDS_CORPUS, ids=KINDS_CORPUS.ids)
def test_the_target_passes_and_the_start_does_not(task: Task) -> None:
    assert score(task, task.target_svg).passed
    start = score(task, task.corrupted_svg)
    assert not start.passed
    assert start.kind == task.kind
    assert KINDS.get(task.kind).start_fault(start) is None


@pytest.mark.parametrize("task", KINDS_CORPUS, ids=KINDS_CORPUS.ids)
def test_both_rule_sets_judge_every_kind(task: Task) -> None:
    assert score(task, task.target_svg, "published").passed
    assert not score(task, task.corrupted_svg, "published").passed


@pytest.mark.parametrize("task", KINDS_CORPUS, ids=KINDS_CORPUS.ids)
def test_nothing_and_the_mutated_target_fail(task: Task) -> None:
    assert score(task, None).status == "ERR"
    assert score(task, "").status == "INVALID"
    mutated = KINDS.get(task.kind).mutated(task)
    card = score(task, mutated)
    assert not card.preserved and not card.passed


class TestMalformed:
    def test_a_document_that_is_still_broken_fails_every_mend(self) -> None:
        card = score(TIDE, TIDE.corrupted_svg)
        assert (card.status, card.reward, card.repair_progress) == ("INVALID", 0, 0.0)
        assert card.faults[0].kind == "malformed" and card.faults[0].line == 25
        assert len(failed(card)) == len(TIDE.repairs)

    def test_what_differs_inside_a_broken_object_is_a_missed_mend(self) -> None:
        card = score(TIDE, TIDE.target_svg.replace("Ebb &amp; Flood", "Ebb and Flood"))
        assert failed(card) == ["board-name"]
        assert card.preserved and card.status == "NEAR"
        assert card.repairs[1].failure == "wrong_value" and "Ebb and Flood" in str(card.repairs[1].found)

    def test_a_group_that_is_closed_too_late_takes_others_in(self) -> None:
        moved = TIDE.target_svg.replace('    </g>\n  </g>\n  <g id="table"', '  </g>\n  <g id="table"')
        moved = moved.replace("</svg>", "</g></svg>")
        card = score(TIDE, moved)
        assert card.valid and not card.preserved
        assert {"table", "footer"} <= {change.object for change in card.changes}

    def test_what_differs_elsewhere_fails_preservation(self) -> None:
        card = score(TIDE, TIDE.target_svg.replace("06:12", "06:15"))
        assert failed(card) == [] and not card.preserved
        assert card.status == "SIDE_EFFECTS"
        assert [change.object for change in card.changes] == ["high-time"]

    def test_other_repairs_of_a_malformed_file_count_too(self) -> None:
        card = score(TIDE, TIDE.target_svg.replace('r="22" fill="#f2b632"', 'r="22" fill="#9a9a9a"'))
        assert failed(card) == ["sun"] and card.preserved

    def test_the_reward_is_that_of_the_drawing_whatever_gate_a_difference_belongs_to(self) -> None:
        for old, new in (("Ebb &amp;", "Ebb"), ("06:12", "06:15"), ('id="hub" r="6"', 'id="hub" r="7"')):
            assert score(TIDE, TIDE.target_svg.replace(old, new)).reward == 0

    def test_a_root_that_was_broken_owns_its_own_attributes_alone(self) -> None:
        label = KINDS_CORPUS.task("bakery-label")
        card = score(label, label.target_svg.replace('id="price"', 'id="price" opacity=".5"'))
        assert failed(card) == ["price"]
        card = score(label, label.target_svg.replace('id="border" x="14"', 'id="border" x="24"'))
        assert failed(card) == [] and not card.preserved

    @pytest.mark.parametrize("name", ["tide-clock", "bakery-label"])
    def test_an_emptied_file_has_mended_nothing(self, name: str) -> None:
        task = KINDS_CORPUS.task(name)
        empty = '<svg xmlns="http://www.w3.org/2000/svg"/>'
        hidden = (
            f"{empty[:-2]}><desc>{task.corrupted_svg.replace('&', '&amp;').replace('<', '&lt;')}</desc></svg>"
        )
        for svg in (empty, hidden):
            card = score(task, svg)
            assert card.valid and not card.preserved
            assert (
                len(failed(card)) == len(task.repairs) and card.edit_completion == card.repair_progress == 0
            )

    def test_how_far_a_text_can_be_read_is_measured(self) -> None:
        assert readable("<svg/>") == 1.0
        assert readable("<svg><g></svg>") == pytest.approx(10 / 14)
        assert readable("") == readable(None) == 0.0
        assert readable(b"\xff\xfe") < 1.0
        assert 0 < score(TIDE, TIDE.corrupted_svg).measures["readable"] < 1


class TestOptimisation:
    def test_the_start_is_kept_and_saves_nothing(self) -> None:
        card = score(BADGE, BADGE.corrupted_svg)
        assert (card.valid, card.repaired, card.preserved, card.graded) == (True, False, True, 0.0)
        assert card.repairs[0].failure == "untouched"

    def test_a_share_of_the_achievable_saving_is_the_graded_reward(self) -> None:
        start = BADGE.corrupted_svg
        shorter = start.replace(".000000", "").replace("stroke-width:1;stroke-linecap:butt;", "")
        card = score(BADGE, shorter)
        least, most = len(BADGE.target_svg.encode()), len(start.encode())
        share = (most - len(shorter.encode())) / (most - least)
        assert card.preserved and not card.repaired
        assert card.graded == card.repair_progress == pytest.approx(share)
        assert progress(card) == pytest.approx(share)
        assert card.measures["saving_share"] == pytest.approx(share)
        assert card.measures["bytes"] == len(shorter.encode())

    def test_a_declared_share_is_a_success(self) -> None:
        shorter = BADGE.corrupted_svg.replace(".000000", "")
        easy = replace(BADGE, goal=OptimisationGoal(share=0.05))
        assert not score(BADGE, shorter).passed
        assert score(easy, shorter).passed
        assert progress(score(easy, shorter)) < 1

    def test_a_small_object_that_disappears_is_seen(self) -> None:
        card = score(BADGE, BADGE.target_svg.replace('<circle cx="136" cy="78" r="2"/>', ""))
        assert card.repaired and not card.preserved
        assert "px wide differs" in card.changes[0].detail
        assert card.graded == 0.0

    @pytest.mark.parametrize(
        ("old", "new", "where"),
        [
            ('id="moon" ', "", "the id is gone"),
            ("Larchfell</text>", "Larchfel</text>", "text elements"),
            ("<title>Badge of the Larchfell hiking club</title>", "", "title elements"),
            ('id="moon"', 'id="rim"', None),
            ("#1f4d3f", "#1f4d4f", "differs"),
        ],
    )
    def test_what_has_to_stay_stays(self, old: str, new: str, where: str | None) -> None:
        assert old in BADGE.target_svg
        card = score(BADGE, BADGE.target_svg.replace(old, new))
        assert not card.preserved and card.reward == 0
        if where is not None:
            assert any(where in change.detail for change in card.changes)

    def test_an_id_on_another_object_is_seen(self) -> None:
        swapped = BADGE.target_svg.replace('id="moon"', 'id="x"').replace('id="peak"', 'id="moon"')
        card = score(BADGE, swapped.replace('id="x"', 'id="peak"'))
        assert {change.object for change in card.changes} >= {"moon", "peak"}
        assert {change.detail for change in card.changes} == {"the id names something else"}

    def test_how_the_file_is_written_is_free(self) -> None:
        other = BADGE.target_svg.replace(
            '<circle id="moon" cx="196" cy="92" r="20" fill="#fff3d6"/>',
            '<ellipse id="moon" cx="196" cy="92" rx="20" ry="20" style="fill:#fff3d6"/>',
        )
        assert other != BADGE.target_svg
        assert score(BADGE, other).passed

    def test_a_link_that_leads_elsewhere_is_seen(self) -> None:
        bus = KINDS_CORPUS.task("harbour-bus")
        card = score(bus, bus.target_svg.replace('href="#bus"', 'href="#road"'))
        assert [change.detail for change in card.changes if change.subtype == "text"]

    def test_an_animation_that_no_still_picture_shows_has_to_stay(self) -> None:
        moving = '<animate attributeName="r" values="20;22" dur="2s"/></circle>'

        def moved(svg: str, old: str) -> str:
            assert old in svg
            return svg.replace(old, old.replace("/>", ">") + moving)

        start = BADGE.corrupted_svg.replace('ry="20.000000" />', 'ry="20.000000"/>').replace(
            "ellipse", "circle"
        )
        start = start.replace('rx="20.000000"', 'r="20.000000"')
        task = replace(BADGE, corrupted_svg=moved(start, 'ry="20.000000"/>'))
        assert score(
            task, moved(BADGE.target_svg, '<circle id="moon" cx="196" cy="92" r="20" fill="#fff3d6"/>')
        ).passed
        card = score(task, BADGE.target_svg)
        assert [change.detail for change in card.changes] == ["animate is not what it was"]

    def test_a_file_that_grows_beyond_all_bounds_is_a_verdict(self) -> None:
        card = score(BADGE, BADGE.target_svg + " " * 400_000)
        assert (card.status, card.graded) == ("INVALID", 0.0)


class TestStyle:
    def recolored(self, *colors: str) -> str:
        """The start with each room's name in a colour of its own and walls as they should be."""
        text = PLAN.corrupted_svg.replace("stroke-width: 3;", "stroke-width: 6;")
        for name, color in zip(("hall", "library", "herbarium", "cafe", "shop"), colors, strict=True):
            text = text.replace(f'id="{name}-name"', f'id="{name}-name" style="fill:{color}"')
        return text

    def test_any_accepted_value_is_right_when_all_have_it(self) -> None:
        for color in ("#1f4fa3", "royalblue", "navy", "blue"):
            assert score(PLAN, self.recolored(*[color] * 5)).passed, color
        assert not score(PLAN, self.recolored(*["purple"] * 5)).passed

    def test_one_object_that_is_unlike_the_others_is_missed(self) -> None:
        card = score(PLAN, self.recolored("navy", "navy", "royalblue", "navy", "navy"))
        assert failed(card) == ["herbarium-name"]
        assert card.repairs[2].comparison == "alike" and card.status == "NEAR"

    def test_a_rule_that_is_not_alike_takes_several_values(self) -> None:
        goal = PLAN.goal
        assert isinstance(goal, StyleGoal)
        loose = tuple(rule.model_copy(update={"alike": False}) for rule in goal.rules)
        free = replace(PLAN, goal=StyleGoal(rules=loose))
        assert score(free, self.recolored("navy", "navy", "royalblue", "navy", "navy")).passed

    def test_the_rule_may_be_kept_in_a_style_sheet_in_a_class_or_on_the_objects(self) -> None:
        start = PLAN.corrupted_svg.replace("stroke-width: 3;", "stroke-width: 6;")
        sheet = start.replace("sans-serif; fill: #2b2b33;", "sans-serif; fill: navy;")
        assert score(PLAN, sheet).passed
        classes = start.replace(".note {", ".blue { fill: navy !important }\n    .note {")
        assert score(PLAN, classes.replace('class="room"', 'class="room blue"')).passed

    def test_an_object_that_no_rule_is_about_has_to_stay(self) -> None:
        card = score(PLAN, PLAN.target_svg.replace('fill="#2b2b33">Seed', 'fill="#1f4fa3">Seed'))
        assert failed(card) == [] and not card.preserved
        assert card.changes[0].object == "plan-title"

    def test_half_of_a_rule_is_partial(self) -> None:
        text = PLAN.corrupted_svg.replace('id="hall-wall"', 'id="hall-wall" style="stroke-width:6"')
        card = score(PLAN, text)
        assert 0 < card.repair_progress < 1
        assert "hall-wall" not in failed(card) and len(failed(card)) == len(PLAN.repairs) - 1

    def test_values_before_the_edit_may_differ_from_object_to_object(self) -> None:
        rule = StyleRule(select="x", named="x", property="fill", corrupted={"a": "red", "b": "blue"})
        assert [repair.corrupted for repair in rule.repairs(["a", "b", "c"])] == ["red", "blue", None]


def test_a_kind_and_its_goal_are_part_of_the_hash_of_a_task() -> None:
    other = replace(BADGE, goal=OptimisationGoal(share=0.5))
    assert len({BADGE.hash, other.hash, replace(BADGE, kind="style").hash}) == 3


def test_the_goals_of_kinds_are_checked() -> None:
    with pytest.raises(ValueError, match="16 to 2048"):
        parse_goal("optimisation", {"sizes": [8]})
    with pytest.raises(ValueError, match="rules"):
        parse_goal("style", {"rules": []})


def test_agents_are_told_of_the_kind_and_of_nothing_hidden() -> None:
    for task in KINDS_CORPUS:
        assert task.public.advice == task.goal.advice != ""
        assert task.canary not in task.public.advice
    assert load_task("harbor-dawn").public.advice == ""


def test_a_mend_is_a_repair_of_markup() -> None:
    repair = Repair(object="a", operation="mend", property="markup", corrupted={"find": "x", "put": "y"})
    assert repair.corrupted == {"find": "x", "put": "y"}
