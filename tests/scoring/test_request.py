"""What a caller states about a drawing has to be what the drawing holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scoring.drawings import drawing
from vbench_env.errors import TaskError, UnknownName, VBenchError
from vbench_env.repair import Repair
from vbench_env.scoring import judge
from vbench_env.task import load_corpus

TARGET = drawing(
    '<style>.wide { stroke-width: 4 }</style><circle id="sun" cx="20" cy="50" r="9" fill="#f39c12"/>'
    '<text id="sign" x="5">MARKET  HALL</text><path id="hill" class="wide" d="M0 90H100" stroke="green"/>'
)
START = (
    TARGET.replace("#f39c12", "#95a5a6")
    .replace("MARKET", "MUSEUM")
    .replace("</svg>", '<rect id="extra"/></svg>')
)


def verdict(part: str, attribute: str, after: object, rules: str = "surgical", **more: Any) -> None:
    change = {"part": part, "attribute": attribute, "before": None, "after": after}
    judge(TARGET, START, corrupted_svg=START, repairs=[change], rules=rules, **more)


@pytest.mark.parametrize("rules", ["surgical", "published"])
@pytest.mark.parametrize(
    ("part", "attribute", "after"),
    [
        ("sun", "fill", "#f39c12"),
        ("sun", "fill", "rgb(243, 156, 18)"),
        ("sun", "fill", None),
        ("sun", "cx", 20),
        ("sun", "cx", "20.0"),
        ("sign", "text", "MARKET HALL"),
        ("sign", "y", 0),
        ("hill", "stroke-width", 4),
        ("hill", "d", "M 0 90 H 100"),
        ("sun", "exists", True),
        ("extra", "exists", False),
    ],
)
def test_what_agrees_is_judged(part: str, attribute: str, after: object, rules: str) -> None:
    verdict(part, attribute, after, rules)


@pytest.mark.parametrize(
    ("part", "attribute", "after", "words"),
    [
        ("sun", "fill", "blue", "fill of 'sun' is 'blue' after the repair, but '#f39c12' in the target"),
        ("sun", "cx", 25, "cx of 'sun' is 25 after the repair, but '20.0' in the target"),
        ("sign", "text", "MUSEUM HALL", "'MUSEUM HALL' after the repair"),
        ("hill", "d", "M0 80H100", "d of 'hill'"),
        ("hill", "stroke-width", 5, "stroke-width of 'hill'"),
        ("sun", "exists", False, "'sun' is to be gone (after: False), but the target has it"),
    ],
)
def test_an_after_that_says_something_else_is_refused(
    part: str, attribute: str, after: object, words: str
) -> None:
    with pytest.raises(TaskError) as caught:
        verdict(part, attribute, after)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("part", "attribute", "after"),
    [("son", "fill", "#f39c12"), ("son", "exists", True), ("extr", "exists", False)],
)
def test_a_part_that_no_drawing_has_is_refused_with_the_nearest(
    part: str, attribute: str, after: object
) -> None:
    with pytest.raises(UnknownName, match="did you mean 'sun'" if part == "son" else "did you mean 'extra'"):
        verdict(part, attribute, after)


def test_a_protected_name_that_the_target_lacks_is_refused() -> None:
    verdict("sun", "fill", "#f39c12", protected=["sign", "svg/path"])
    with pytest.raises(
        UnknownName, match="unknown protected object of the target 'sing'; did you mean 'sign'"
    ):
        verdict("sun", "fill", "#f39c12", protected=["sing"])


def test_every_repair_of_the_corpus_agrees_with_its_target() -> None:
    for task in list(load_corpus("vbench-40"))[::4]:
        try:
            judge(task.target_svg, task.target_svg, corrupted_svg=task.corrupted_svg, repairs=task.repairs)
        except VBenchError as error:
            pytest.fail(f"{task.task_id}: {error}")


@pytest.mark.parametrize(
    ("accept", "told"),
    [({"range": [20, 5]}, "least, greatest"), ({"within": 3}, "Extra inputs"), ({"choice": []}, "at least 1 item")],
)  # fmt: skip
def test_accepted_values_of_no_known_form_are_refused_before_they_are_needed(
    accept: dict[str, Any], told: str
) -> None:
    repair = Repair(object="sun", operation="recolor", property="fill", corrupted="#95a5a6", accept=accept)
    with pytest.raises(TaskError, match=rf"accept of fill of 'sun': .*{told}"):
        judge(TARGET, TARGET, corrupted_svg=START, repairs=[repair])
