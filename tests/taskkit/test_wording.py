"""What an instruction must not say, and ids that give the answer away."""

from __future__ import annotations

import pytest

from vbench_env.svg.parse import parse
from vbench_env.taskkit.wording import distinguishes, giveaway, looks_generated, says, wording_mistakes

DRAWING = parse(
    '<svg xmlns="http://www.w3.org/2000/svg"><text>Q3 <tspan>GitHub</tspan> px4</text>'
    '<g id="left-hand"/><g id="dot7"/></svg>'
)


@pytest.mark.parametrize(
    ("text", "piece", "message"),
    [
        ("make it #ff0000", "#ff0000", "hexadecimal"),
        ("make it ff00aa", "ff00aa", "hexadecimal"),
        ("put it at (3, 4)", "(3, 4)", "coordinates"),
        ("at x = 4", "x = 4", "coordinates"),
        ("five px, no: 5px", "5px", "units of the file"),
        ("12 pixels up", "12 pixels", "units of the file"),
        ("the left-hand door", "left-hand", "id of the drawing"),
        ("an iPhone", "iPhone", "camelCase"),
        ("the big_dot", "big_dot", "underscore"),
        ("dot7 is wrong", "dot7", "numbered"),
        ("draw M10 20 L30 40", "M10 20", "path data"),
        ("rotate(20) it", "rotate(", "function of the source"),
        ("the stroke-width", "stroke-width", "technical"),
        ("its cx", "cx", "technical"),
        ("the tspan", "tspan", "technical"),
        ("the viewBox", "viewBox", "technical"),
        ("an attribute of it", "attribute", "technical"),
    ],
)
def test_code_and_names_are_not_for_instructions(text: str, piece: str, message: str) -> None:
    found = [(mistake.piece, mistake.message) for mistake in wording_mistakes(text, DRAWING)]
    assert any(piece == one and message in other for one, other in found), found


@pytest.mark.parametrize(
    "text",
    [
        "The line and the colour of the circle, its outline and corner.",
        "In Q3, GitHub was px4.",
        'It should read "viewBox #fff (1, 2)".',
        "the top-right one, a half-open door, H2O and 1,200 people in 2020",
        "three times as wide, 40 % see-through",
    ],
)
def test_people_may_say_what_they_see(text: str) -> None:
    assert wording_mistakes(text, DRAWING) == []


def test_words_stand_in_a_text_whatever_their_case_and_spacing() -> None:
    assert says("The  left-hand\nDoor", "left hand door")
    assert not says("The door", "the doors")


@pytest.mark.parametrize(
    ("name", "word"),
    [("wrong-bar", "wrong"), ("strayDot", "stray"), ("corrupted", "corrupted"), ("dot_extra", "extra"),
     ("extraction-point", None), ("badge", None), ("fixture", None), ("old-pier", None)],
)  # fmt: skip
def test_ids_that_give_the_answer_away(name: str, word: str | None) -> None:
    assert giveaway(name) == word


@pytest.mark.parametrize(
    ("name", "generated"),
    [("path1234", True), ("rect-2", True), ("g_3-1", True), ("tick-40", False), ("sail", False)],
)
def test_ids_that_a_tool_counted(name: str, generated: bool) -> None:
    assert looks_generated(name) == generated


@pytest.mark.parametrize(
    ("named", "tells"),
    [("window", False), ("the door", False), ("left window", True), ("red window", True), ("Anna's window", True),
     ("GitHub box", True), ("biggest window", True), ("window over the door on the side", True)],
)  # fmt: skip
def test_words_that_pick_one_of_many(named: str, tells: bool) -> None:
    assert distinguishes(named, {"github"}) == tells
