"""Other corrupted values: of about the same size, to the same side, of the same kind."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.taskkit.variant.drafts import draft, recolor
from vbench_env.svg.colors import delta_e76
from vbench_env.taskkit.variant.color_names import name_of
from vbench_env.taskkit.variant.defects import with_values
from vbench_env.taskkit.variant.draft import Draft, Unvaried
from vbench_env.taskkit.variant.misspelling import misspelled
from vbench_env.taskkit.variant.paints import colors_in


def other(task: Draft, seed: int = 1) -> Any:
    return with_values(task, Random(seed)).draft.data["repairs"][0]["corrupted"]


def one(markup: str, operation: str, prop: str, corrupted: Any, **more: Any) -> Draft:
    return draft(
        markup, {"object": "a", "operation": operation, "property": prop, "corrupted": corrupted}, **more
    )


@pytest.mark.parametrize("seed", range(6))
def test_numbers_slide_along_the_line_from_the_target(seed: int) -> None:
    new = other(one('<rect id="a" x="100"/>', "move", "x", 160), seed)
    assert isinstance(new, int)
    assert new != 160
    assert 100 + 0.8 * 60 <= new <= 100 + 1.25 * 60


def test_opacities_stay_between_nothing_and_all() -> None:
    assert 0.03 <= other(one('<rect id="a"/>', "opacity", "opacity", 0.05), 3) <= 0.3


@pytest.mark.parametrize(
    ("markup", "operation", "prop", "old"),
    [
        (
            '<g id="a" transform="translate(10 20) rotate(4)"/>',
            "rotate",
            "transform",
            "translate(10 20) rotate(19)",
        ),
        (
            '<g id="a" transform="translate(38.000000, 52.000000)"/>',
            "move",
            "transform",
            "translate(64.000000, 52.000000)",
        ),
        ('<g id="a" transform="translate(8 9)"/>', "resize", "transform", "translate(8 9) scale(0.62)"),
        ('<g id="a"/>', "rotate", "transform", "rotate(26,10.5,0)"),
        ('<path id="a" d="M0 0L10 0a5 5 0 0110 10z"/>', "reshape", "d", "M0 0L40 0a5 5 0 0110 10z"),
        ('<polygon id="a" points="0,0 10,0 10,10"/>', "reshape", "points", "0,0 10,0 40,10"),
        ('<path id="a" stroke-dasharray="8 4"/>', "restroke", "stroke-dasharray", "2 18"),
    ],
)
def test_lists_of_numbers_slide_where_they_stand(markup: str, operation: str, prop: str, old: str) -> None:
    new = other(one(markup, operation, prop, old))
    assert new != old
    shape = [character for character in old if not character.isdigit() and character != "."]
    assert [character for character in new if not character.isdigit() and character != "."] == shape


@pytest.mark.parametrize(
    ("markup", "operation", "prop", "old"),
    [
        ('<g id="a" transform="rotate(90)"/>', "rotate", "transform", "rotate(-90)"),
        ('<g id="a" transform="scale(2) rotate(3)"/>', "rotate", "transform", "rotate(9)"),
        ('<path id="a" d="M0 0L9 9"/>', "reshape", "d", "M0 0H9"),
        ('<path id="a" stroke-dasharray="8 4"/>', "restroke", "stroke-dasharray", "none"),
        ('<path id="a" stroke-linecap="round"/>', "restroke", "stroke-linecap", "butt"),
        ('<rect id="a" fill="#fff"/>', "recolor", "fill", "none"),
    ],
)
def test_values_that_cannot_slide_stay(markup: str, operation: str, prop: str, old: str) -> None:
    with pytest.raises(Unvaried, match="no corrupted value can slide"):
        with_values(one(markup, operation, prop, old), Random(1))


def test_a_shade_keeps_its_name_and_its_distance() -> None:
    new = other(draft('<rect id="a" fill="#d32f2f"/>', recolor("a", "#2F6FA8")))
    (rgb,) = colors_in(new)
    assert new.startswith("#") and new == new.upper() != "#2F6FA8"
    assert name_of(rgb) == "blue"
    assert delta_e76(rgb, (211, 47, 47)) > 0.75 * delta_e76((47, 111, 168), (211, 47, 47))


def test_a_colour_that_the_drawing_has_elsewhere_stays() -> None:
    with pytest.raises(Unvaried):
        with_values(
            draft('<rect id="a" fill="#d32f2f"/><rect fill="#2F6FA8"/>', recolor("a", "#2F6FA8")), Random(1)
        )


def test_kept_repairs_and_relative_words_stay() -> None:
    task = one('<rect id="a" x="100"/>', "move", "x", 160)
    with pytest.raises(Unvaried):
        with_values(task, Random(1), kept={0})
    evidence = {"kind": "stated", "words": "twice as wide"}
    task = draft('<rect id="a" width="40"/>', {**task.data["repairs"][0], "operation": "resize", "property": "width",
                                              "corrupted": 20, "evidence": evidence})  # fmt: skip
    with pytest.raises(Unvaried):
        with_values(task, Random(1))


def test_a_text_that_is_spoken_of_or_drawn_elsewhere_stays() -> None:
    markup = '<text id="a">BAKERY</text>'
    assert other(one(markup, "text", "text", "BREWERY")) not in ("BREWERY", "BAKERY")
    with pytest.raises(Unvaried):
        with_values(one(markup, "text", "text", "BREWERY", instruction="We are no brewery."), Random(1))
    with pytest.raises(Unvaried):
        with_values(one(markup + "<text>BREWERY</text>", "text", "text", "BREWERY"), Random(1))


@pytest.mark.parametrize(
    ("right", "wrong", "fair"),
    [
        ("The animal cell", "The anmal cell", lambda new: len(new) == 14 and new != "The anmal cell"),
        ("Kitchen", "Kitcchen", lambda new: len(new) == 8 and new != "Kitcchen"),
        ("NIGHT", "NIHGT", lambda new: sorted(new) == sorted("NIGHT") and new not in ("NIGHT", "NIHGT")),
        ("MARKET", "MUSEUM", lambda new: sorted(new) == sorted("MARKET") and new != "MARKET"),
        ("42 %", "47 %", lambda new: new.endswith(" %") and int(new[:-2]) > 44 and new != "47 %"),
        ("1.5 m", "2.5 m", lambda new: new in ("2.2 m", "2.3 m", "2.4 m", "2.6 m", "2.7 m", "2.8 m")),
        ("12 of 30", "13 of 30", lambda new: new is None),
        ("ab", "ba", lambda new: new is None),
    ],
)  # fmt: skip
def test_a_spelling_mistake_is_another_of_its_kind(right: str, wrong: str, fair: Any) -> None:
    for seed in range(6):
        assert fair(misspelled(right, wrong, Random(seed)))
