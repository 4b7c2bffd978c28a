"""Other palettes: equal colours stay equal, greys stay grey, words and values follow."""

from __future__ import annotations

from random import Random

import pytest

from tests.taskkit.variant.drafts import draft, drawing, recolor
from vbench_env.svg.colors import lab
from vbench_env.svg.document import SourceDocument, apply_edits
from vbench_env.taskkit.variant.draft import Draft, Unvaried
from vbench_env.taskkit.variant.paints import repaint, repainted, used_colors
from vbench_env.taskkit.variant.palette import Turn, turned, with_palette, word_edits
from vbench_env.taskkit.variant.policy import Policy

BARS = '<rect id="a" fill="#d32f2f"/><rect id="b" fill="#d32f2f"/><rect fill="#777"/><rect fill="#fff"/>'
INSTRUCTION = "The first bar has turned blue, make it a red bar again."


def bars(markup: str = BARS) -> Draft:
    return draft(
        markup,
        recolor("a", "#1565c0", named="first bar", evidence={"kind": "equals", "of": "b"}),
        instruction=INSTRUCTION,
    )


def test_a_turn_keeps_lightness_and_greys() -> None:
    for rgb in ((211, 47, 47), (21, 101, 192), (255, 213, 79)):
        new = turned(rgb, Turn(120, 1.0))
        assert abs(lab(new)[0] - lab(rgb)[0]) < 6
        assert new != rgb
    assert turned((119, 119, 119), Turn(120, 1.0)) == (119, 119, 119)


def swap(rgb: tuple[int, int, int]) -> tuple[int, int, int]:
    return rgb[::-1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#f80", "#0088ff"), ("#FF8800", "#0088FF"), ("orange", "#00a5ff"), ("rgb(255, 136, 0)", "rgb(0, 136, 255)"),
        ("rgba(255,136,0,.5)", "rgba(0,136,255,.5)"), ("rgb(255 136 0 / 50%)", "rgb(0 136 255 / 50%)"),
        ("url(#orange) #f80", "url(#orange) #0088ff"), ("none", "none"), ("currentColor", "currentColor"),
        ("drop-shadow(2px 2px 3px #f80)", "drop-shadow(2px 2px 3px #0088ff)"), ("#ff880080", "#0088ff80"),
    ],
)  # fmt: skip
def test_colours_keep_their_notation(old: str, new: str) -> None:
    assert repainted(old, swap) == new


def test_colours_are_found_wherever_they_stand_but_in_masks() -> None:
    markup = (
        "<style>.a{fill:#102030;stroke-width:2px} :root{--ink:#112233}</style><mask><rect fill='#ff0000'/></mask>"
        "<g style='stop-color:#203040;opacity:.5'/><rect stroke='#304050' data-fill='#aabbcc'/>"
    )
    document = SourceDocument(drawing(markup))
    assert set(used_colors(document)) == {(16, 32, 48), (17, 34, 51), (32, 48, 64), (48, 64, 80)}
    text = repaint(document, swap).text
    for piece in (
        "fill:#302010",
        "--ink:#332211",
        "stop-color:#403020",
        "stroke='#504030'",
        "#aabbcc",
        "fill='#ff0000'",
    ):
        assert piece in text


def test_words_and_corrupted_values_turn_with_the_drawing() -> None:
    step = with_palette(bars(), Random(3), Policy())
    colors = [node.attrs["fill"] for node in SourceDocument(step.draft.svg).parsed.nodes[1:]]
    assert colors[0] == colors[1] != "#d32f2f"
    assert colors[2:] == ["#777", "#fff"]
    text = step.draft.data["instruction"]
    assert "red" not in text.split()
    assert "blue, make" not in text
    assert step.draft.data["repairs"][0]["corrupted"] != "#1565c0"
    assert "red is " in step.note
    assert step.words["red"] in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A red bar and the Blue one.", "An orange bar and the Green one."),
        ("An amber bar, an\n red line", "A blue bar, an\n orange line"),
        ("Reds, a red-roofed house", "Oranges, an orange-roofed house"),
    ],
)
def test_articles_and_capitals_fit_the_new_word(old: str, new: str) -> None:
    words = {"red": "orange", "blue": "green", "amber": "blue"}
    assert apply_edits(old, word_edits(old, words, Policy())) == new


def test_a_near_turn_keeps_every_word() -> None:
    step = with_palette(bars(), Random(1), Policy(palette="near"))
    assert step.draft.data["instruction"] == INSTRUCTION
    assert step.draft.svg != bars().svg
    assert step.words == {}


def test_drawn_colour_words_allow_only_a_near_turn() -> None:
    step = with_palette(bars(BARS + "<text>Red line</text>"), Random(1), Policy())
    assert step.draft.data["instruction"] == INSTRUCTION


def test_what_must_stay_is_left_out_with_its_reason() -> None:
    with pytest.raises(Unvaried, match="road signs have colours"):
        with_palette(bars(), Random(1), Policy(palette="keep", because="road signs have colours"))
    with pytest.raises(Unvaried, match="it has no colours but greys"):
        with_palette(draft('<rect id="a" fill="#777"/>', recolor("a", "#333")), Random(1), Policy())
    animated = '<rect id="a" fill="#d32f2f"><animate attributeName="fill" to="#00f"/></rect>'
    with pytest.raises(Unvaried, match="a colour is animated"):
        with_palette(draft(animated, recolor("a", "#1565c0")), Random(1), Policy())
