"""Words of mirrored and recoloured tasks, and the pieces of them that are quoted."""

from __future__ import annotations

import pytest

from tests.taskkit.variant.drafts import draft, recolor
from vbench_env.svg.document import apply_edits
from vbench_env.taskkit.variant.color_names import WORDS, distance_to, fits, name_of, said
from vbench_env.taskkit.variant.directions import mirrored_evidence, mirrored_words
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.meanings import color_words, meanings
from vbench_env.taskkit.variant.wordings import cased_like, reworded


def mirrored(text: str, *kept: str) -> str:
    return apply_edits(text, mirrored_words(kept)(text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The left half is as strong as the right half.", "The right half is as strong as the left half."),
        ("Right cloud: upper left corner.", "Left cloud: upper right corner."),
        ("the right-hand door, far left", "the left-hand door, far right"),
        ("a quarter turn clockwise, then anticlockwise", "a quarter turn anticlockwise, then clockwise"),
        ("It stands right behind the wall.", "It stands right behind the wall."),
        ("It hangs right at the bottom.", "It hangs right at the bottom."),
        ("It starts in the right place.", "It starts in the right place."),
        ("Somebody left a wall on the left edge.", "Somebody left a wall on the right edge."),
        ("the left one, the left one", "the right one, the right one"),
        ("It was left over from a review.", "It was left over from a review."),
        ("Leave its left end alone.", "Leave its right end alone."),
        ('The sign "Keep right" is on the right.', 'The sign "Keep right" is on the left.'),
        ("the western block", "the eastern block"),
    ],
)  # fmt: skip
def test_sides_are_swapped_where_they_are_sides(old: str, new: str) -> None:
    assert mirrored(old) == new


def test_phrases_to_keep_are_kept() -> None:
    assert (
        mirrored("Put the picture right: the right bar.", "picture right")
        == "Put the picture right: the left bar."
    )


def test_evidence_swaps_edges_rows_and_sides() -> None:
    evidence = {
        "kind": "equals", "of": "a", "property": "left",
        "except": {"x": {"kind": "spacing", "row": ["a", "b", "c"], "axis": "x"},
                   "y": {"kind": "aligned", "edge": "top"}},
    }  # fmt: skip
    mirrored_evidence(evidence)
    assert evidence["property"] == "right"
    assert evidence["except"]["x"]["row"] == ["c", "b", "a"]
    assert evidence["except"]["y"]["edge"] == "top"
    with pytest.raises(Unvaried, match="a clock cannot be mirrored"):
        mirrored_evidence({"kind": "convention", "name": "clock"})


def test_quotations_follow_the_wording_that_they_quote() -> None:
    task = draft(
        "<rect id='a'/>",
        recolor("a", "#f00", named="Left bar", evidence={"kind": "stated", "words": "the left   one"}),
        instruction="The left bar, I mean the left one.",
        paraphrases={"terse": "It is the left one."},
    )
    data = reworded(task.copied(), mirrored_words())
    assert data["instruction"] == "The right bar, I mean the right one."
    assert data["paraphrases"] == {"terse": "It is the right one."}
    assert data["repairs"][0]["named"] == "right bar"
    assert data["repairs"][0]["evidence"]["words"] == "the right one"


def test_words_that_are_not_there_cannot_follow() -> None:
    task = draft("<rect id='a'/>", recolor("a", "#f00", named="blue bar"), instruction="The left bar.")
    with pytest.raises(Unvaried, match="the words 'blue bar' cannot be found in the plain wording"):
        reworded(task.copied(), mirrored_words())


def test_capitals_stay() -> None:
    assert [cased_like("green", old) for old in ("red", "Red", "RED")] == ["green", "Green", "GREEN"]


@pytest.mark.parametrize(
    ("digits", "name"),
    [
        ("d8433d", "red"), ("ff9800", "orange"), ("ffd54f", "yellow"), ("4caf50", "green"), ("1d7a78", "turquoise"),
        ("2f6fa8", "blue"), ("7b1fa2", "purple"), ("f48fb1", "pink"), ("795548", "brown"), ("f5e8cb", "beige"),
        ("ffffff", "white"), ("8d949c", "grey"), ("101012", "black"),
    ],
)  # fmt: skip
def test_colours_have_the_names_that_people_say(digits: str, name: str) -> None:
    rgb = (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    assert name_of(rgb) == name
    assert fits(rgb, frozenset({name}))


def test_dark_turquoise_is_called_teal() -> None:
    assert said("turquoise", [(0, 90, 85)]) == "teal"
    assert said("turquoise", [(64, 224, 208)]) == "turquoise"
    assert distance_to((64, 224, 208), WORDS["teal"]) < 1


def test_colour_words_are_no_quotations_and_no_file_names() -> None:
    text = 'The red one says "Blue line"; see green-roof.jpg and the orange slice.'
    assert [match[0] for match in color_words(text, ["orange slice"])] == ["red"]


def test_a_word_means_the_colours_of_the_object_that_its_sentence_names() -> None:
    task = draft(
        '<rect id="a" fill="#d32f2f"/><rect id="b" fill="#d32f2f"/><rect id="c" fill="#ff5722"/>'
        '<circle fill="#8b0000"/>',
        recolor("a", "#1565c0", named="first bar", evidence={"kind": "equals", "of": "b"}),
        instruction="The first bar has turned blue; make it red again.",
    )
    everything = frozenset({(211, 47, 47), (255, 87, 34), (139, 0, 0), (21, 101, 192)})
    found = meanings(task, everything, ())
    assert found["blue"].colors == {(21, 101, 192)}
    assert found["red"].colors == {(211, 47, 47)}
    assert (255, 87, 34) in found["red"].others


def test_a_word_that_means_nothing_is_named() -> None:
    task = draft(
        "<rect id='a' fill='#fff'/>", recolor("a", "#000", named="bar"), instruction="The bar is purple."
    )
    with pytest.raises(Unvaried, match="no colour of the drawing is purple"):
        meanings(task, frozenset({(255, 255, 255)}), ())
