"""What a scorecard says: status, shares, localisation, and that it is data."""

from __future__ import annotations

import pytest

from tests.scoring.drawings import drawing
from vbench_env.errors import ConfigError, TaskError, UnknownName
from vbench_env.scoring import SURGICAL, Scorecard, judge
from vbench_env.scoring.assemble import rejudged

BODY = '<rect id="a" x="{}" width="9"/><rect id="b" y="{}" width="9"/><rect id="c" width="9"/>'
TARGET, START = drawing(BODY.format(10, 10)), drawing(BODY.format(50, 50))
REPAIRS = [
    {"part": "a", "attribute": "x", "before": 50, "after": 10},
    {"part": "b", "attribute": "y", "before": 50, "after": 10},
]


def card(a: object = 10, b: object = 10, extra: str = "") -> Scorecard:
    return judge(TARGET, drawing(BODY.format(a, b) + extra), corrupted_svg=START, repairs=REPAIRS)


@pytest.mark.parametrize(
    ("a", "b", "extra", "status"),
    [
        (10, 10, "", "PASS"),
        (10, 10, "<g/>", "SIDE_EFFECTS"),
        (10, 14, "", "NEAR"),
        (10, 30, "", "PARTIAL"),
        (10, 14, "<g/>", "PARTIAL"),
        (50, 50, "", "FAIL"),
        (14, 14, "", "FAIL"),
        (10, 10, '<rect id="a"/>', "INVALID"),
    ],
)
def test_status(a: float, b: float, extra: str, status: str) -> None:
    found = card(a, b, extra)
    assert found.status == status
    assert found.passed is (status == "PASS")
    assert found.near is (status == "NEAR")


def test_shares() -> None:
    half = card(10, 30)
    assert half.edit_completion == 0.5
    assert half.repair_progress == pytest.approx(0.75)
    assert half.unintended_change_rate == 0.0


def test_results_may_be_judged_anew() -> None:
    half = card(10, 30)
    wrong = half.repairs[0].model_copy(update={"passed": False})
    assert rejudged(half, half.repairs) == half
    assert rejudged(half, (half.repairs[0],)).edit_completion == 1.0
    assert rejudged(half, (wrong, half.repairs[1])).edit_completion == 0.0
    assert rejudged(half, half.repairs, preserved=False).status == "PARTIAL"
    assert rejudged(card(), card().repairs, preserved=False).status == "SIDE_EFFECTS"


def test_an_invalid_document_completes_nothing() -> None:
    found = card(10, 10, '<rect id="a"/>')
    assert (found.edit_completion, found.repair_progress, found.preserved) == (0.0, 0.0, False)
    assert all(not repair.passed for repair in found.repairs)


def test_no_text_at_all() -> None:
    found = judge(TARGET, None, corrupted_svg=START, repairs=REPAIRS)
    assert (found.status, found.valid, found.unintended_change_rate) == ("ERR", False, 1.0)


def test_target_match_and_source_preservation_are_about_the_source() -> None:
    assert card().target_match
    spelled = judge(TARGET, TARGET.replace('x="10"', 'x="1e1"'), corrupted_svg=START, repairs=REPAIRS)
    assert spelled.target_match
    styled = judge(
        TARGET, TARGET.replace('id="c"', 'id="c" fill="black"'), corrupted_svg=START, repairs=REPAIRS
    )
    assert styled.reward == 1
    assert not styled.target_match
    assert not styled.source_preservation


def test_localisation() -> None:
    both = card()
    assert (both.localisation_precision, both.localisation_recall) == (1.0, 1.0)
    found = judge(
        TARGET, drawing(BODY.format(10, 50)).replace('id="c" width="9"', 'id="c" width="8"'),
        corrupted_svg=START, repairs=REPAIRS,
    )  # fmt: skip
    assert (found.localisation_precision, found.localisation_recall) == (0.5, 0.5)


def test_a_scorecard_is_frozen_data_that_survives_json() -> None:
    found = card(10, 30, "<g/>")
    assert Scorecard.model_validate_json(found.model_dump_json()) == found
    with pytest.raises(ValueError, match="frozen"):
        found.reward = 1  # type: ignore[misc]


def test_the_rule_set_is_named() -> None:
    assert card().rules == "surgical"
    varied = judge(TARGET, TARGET, rules=SURGICAL.vary(nesting="plain-groups"))
    assert varied.rules == "surgical+nesting=plain-groups"


def test_callers_mistakes_say_what_to_do() -> None:
    with pytest.raises(UnknownName, match="rule set"):
        judge(TARGET, TARGET, rules="surgicall")
    with pytest.raises(UnknownName, match="rule switch"):
        SURGICAL.vary(nestling="strict")
    with pytest.raises(TaskError, match="the target cannot be read"):
        judge("<svg", TARGET)
    with pytest.raises(TaskError, match="part, attribute"):
        judge(TARGET, TARGET, repairs=[{"part": "a"}])
    with pytest.raises(ConfigError, match="name or a Rules value"):
        judge(TARGET, TARGET, rules=3)  # type: ignore[arg-type]


def test_protected_objects_may_be_named() -> None:
    moved = TARGET.replace('id="c" width="9"', 'id="c" width="8"')
    assert judge(TARGET, moved, protected=["a", "b"]).unintended_change_rate == 0.0
    assert judge(TARGET, moved, protected=["c", "svg/rect[1]"]).unintended_change_rate == 0.5


def test_verdicts_do_not_depend_on_what_was_judged_before() -> None:
    first = card(10, 14)
    for _ in range(3):
        card(10, 10, "<g/>")
        judge(TARGET, "<svg")
    assert card(10, 14) == first
