"""Repairs of path data: distance along the curve, and what sampling cannot see."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing, repaired
from vbench_env.scoring import SURGICAL, Scorecard, get_rules, judge

SQUARE = "M10 10H50V50H10Z"
START = "M10 10H50V90H10Z"


def reshaped(d: str, paint: str = 'fill="red"', target: str = SQUARE, **options: object) -> Scorecard:
    body = f'<path id="p" {paint} d="{{}}"/>'
    return repaired(
        body.format(target), body.format(d), body.format(START), "p", "d", START, target, **options
    )


@pytest.mark.parametrize(
    "d",
    [SQUARE, "m10 10h40v40h-40z", "M50 10V50H10V10Z", "M10 10L30 10L50 10L50 50L10 50Z", "M10 10H50V52H10Z"],
)
def test_the_same_outline_in_other_words(d: str) -> None:
    assert reshaped(d).passed


@pytest.mark.parametrize(
    "d", [START, "M10 10H50V56H10Z", "M10 10H50V50", "M10 10", "", "M10 10H50V50H10ZM60 60h30v30z"]
)
def test_another_outline(d: str) -> None:
    assert not reshaped(d).repaired


def test_a_spur_between_samples_counts() -> None:
    spur = "M10 10H29.9L30 20L30.1 10H50V50H10Z"
    assert not reshaped(spur).repaired
    loose = SURGICAL.vary(path_distance="segment-parameter")
    assert reshaped(spur, 'fill="none" stroke="red"', rules=loose).repaired


def test_a_doubled_subpath_under_evenodd_is_empty() -> None:
    assert not reshaped(SQUARE + SQUARE, 'fill="red" fill-rule="evenodd"').repaired
    assert reshaped(SQUARE + SQUARE, 'fill="red"').repaired


def test_an_outline_that_is_stroked_has_to_be_closed() -> None:
    opened = "M10 10H50V50H10V10"
    card = reshaped(opened, 'fill="none" stroke="red"')
    assert not card.repaired
    assert card.repairs[0].comparison == "path-area"
    assert reshaped(opened, 'fill="red"').repaired


def test_unreadable_data_has_no_distance() -> None:
    card = reshaped("M10 10 H")
    assert not card.valid
    assert card.repairs[0].distance is None
    assert not card.repairs[0].passed


def test_an_empty_path_is_one_value() -> None:
    assert not reshaped("").repaired
    assert reshaped("", target="").passed
    assert not reshaped("M10 10H50", target="").repaired


def test_what_the_published_grammar_cannot_sample_is_one_value() -> None:
    rules, compact = SURGICAL.vary(path_distance="segment-parameter"), "M10 10a5 5 0 0110 0H50"
    assert reshaped(compact, target=compact, rules=rules).passed
    assert not reshaped("M10 10a5 5 0 0111 0H50", target=compact, rules=rules).repaired
    assert not reshaped("M10 10H50", target=compact, rules=rules).repaired


def test_data_that_nobody_can_read_are_no_repair() -> None:
    body = '<path id="p" d="{}"/>'
    start, target = body.format("M10 10 X"), body.format("M10 10 Y")
    for d, counts in (("M10 10 X", False), ("M10 10 Z", False)):
        assert repaired(target, body.format(d), start, "p", "d").repairs[0].passed is counts


def test_nothing_but_the_data_is_free() -> None:
    body = '<path id="p" fill="{}" d="{}"/>'
    card = repaired(
        body.format("red", SQUARE), body.format("blue", SQUARE), body.format("red", START), "p", "d"
    )
    assert card.status == "SIDE_EFFECTS"


def test_progress_follows_the_distance() -> None:
    assert 0.4 < reshaped("M10 10H50V70H10Z").repair_progress < 0.6


def test_points_compare_over_the_flat_list() -> None:
    body = '<polygon id="p" points="{}"/>'
    target, start = "10,10 50,10 50,50", "10,10 90,10 90,90"
    for points, passes in (("10,10 51,10 50,51", True), ("10,10 60,10 60,60", False), ("10,10 50,10", False)):
        card = repaired(
            body.format(target), body.format(points), body.format(start), "p", "points", start, target
        )
        assert card.repaired is passes


def test_samples_may_follow_the_parameter_of_segments() -> None:
    """Even steps of a curve's parameter are uneven steps along it."""
    body = '<path id="p" d="{}" fill="none" stroke="red"/>'
    target, candidate, start = "M0 50H100", "M0 50C0 50 0 50 100 50", "M0 0H100"
    bodies = [drawing(body.format(d)) for d in (target, candidate, start)]
    change = {"part": "p", "attribute": "d", "before": start, "after": target}
    distances = [
        judge(bodies[0], bodies[1], corrupted_svg=bodies[2], repairs=[change], rules=rules)
        .repairs[0]
        .distance
        for rules in (SURGICAL, SURGICAL.vary(path_distance="segment-parameter"))
    ]
    even, uneven = distances
    assert even == pytest.approx(0, abs=0.01)
    assert uneven is not None
    assert uneven > 0.5


@pytest.mark.parametrize("switch", ["path_distance=arc-length", "path_distance=segment-parameter"])
def test_without_any_tolerance_the_target_itself_passes(switch: str) -> None:
    rules = get_rules(f"surgical+tolerance_scale=0,{switch}")
    assert reshaped(SQUARE, rules=rules).passed
    assert reshaped("M10 10L50 10L50 50L10 50L10 10Z", rules=rules).repaired
    assert not reshaped("M10 10H50V50.001H10Z", rules=rules).repaired


def test_a_path_that_passes_by_its_numbers_has_their_progress() -> None:
    body = '<path id="p" d="M0 0{}" fill="none" stroke="red"/>'
    spikes = [
        body.format("".join(f"L{8 * i} {height if i == 6 else 0}" for i in range(1, 13)))
        for height in (0, 5, 30)
    ]
    card = repaired(spikes[0], spikes[1], spikes[2], "p", "d")
    assert card.repairs[0].comparison == "path-numbers"
    assert card.repaired
    assert card.repair_progress == pytest.approx(5 / 6)
    start = body.format("L9 9")
    assert repaired(spikes[0], spikes[1], start, "p", "d").repair_progress == 1.0
