"""Measures against values worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.measures import MEASURES, PLAIN, Drawings, Settings, Value, measure
from vbench_env.measures.chamfer import chamfer, outline_points, own_matrix
from vbench_env.measures.edit_distance import levenshtein, relative
from vbench_env.measures.lines import f1, lines_of, touched
from vbench_env.measures.mse import mse
from vbench_env.svg.parse import parse

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
FAULTY = Settings(as_published=True)


def drawing(body: str) -> str:
    return f"{HEAD}{body}</svg>"


def half(fill: str, width: int = 50) -> str:
    return drawing(f'<rect width="{width}" height="100" fill="{fill}"/>')


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("abc", "", 3),
        ("kitten", "sitting", 3),
        ("flaw", "lawn", 2),
        ("same", "same", 0),
        ("ab", "ba", 2),
    ],
)
def test_levenshtein_counts_insertions_deletions_and_substitutions(
    one: str, other: str, distance: int
) -> None:
    assert levenshtein(one, other) == distance == levenshtein(other, one)


def plain_distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


@settings(max_examples=60, deadline=None)
@given(st.text("abc<", max_size=80), st.text("abc<", max_size=80))
def test_levenshtein_is_that_of_the_plain_table(one: str, other: str) -> None:
    assert levenshtein(one, other) == plain_distance(one, other)


def test_edit_distance_is_relative_and_the_published_form_is_not() -> None:
    assert relative("kitten", "sitting") == 3 / 7
    assert relative("", "") == 0
    assert measure("edit-distance", "kitten", "sitting").value == 3 / 7
    assert measure("edit-distance", "kitten", "sitting", settings=FAULTY).value == 3
    assert measure("edit-distance", "abc", "abd", "abc").parts["from_start"] == 0
    assert measure("edit-distance", None, "a").value is None


def test_compression_is_bytes_over_bytes_of_the_start() -> None:
    found = measure("compression", "é" * 10, "whatever", "x" * 40)
    assert found.value == 0.5
    assert found.parts == {"bytes": 20.0, "saving": 0.5}
    assert measure("compression", "a", "bb", None).value == 0.5
    assert measure("compression", "a", "a", "").reason == "the start is empty"


def test_mse_is_the_mean_over_pixels_and_channels() -> None:
    black, white = np.zeros((2, 2, 3), np.uint8), np.full((2, 2, 3), 255, np.uint8)
    assert mse(black, white) == 1.0
    assert mse(black, black) == 0.0
    one = black.copy()
    one[0, 0, 0] = 51
    assert mse(one, black) == pytest.approx(0.2**2 / 12)
    assert measure("mse", half("black"), half("white")).value == pytest.approx(0.5, abs=1e-3)
    assert measure("mse", half("red"), half("white")).value == pytest.approx(0.5 * 2 / 3, abs=1e-3)


def test_relative_mse_is_1_for_doing_nothing_and_0_for_the_target() -> None:
    start, target = half("black", 20), half("black", 60)
    assert measure("rmse", start, target, start).value == 1
    assert measure("rmse", target, target, start).value == 0
    quarter = measure("rmse", half("black", 50), target, start)
    assert quarter.value == pytest.approx(0.25, abs=0.01)
    assert quarter.parts["gain"] == pytest.approx(0.75, abs=0.01)
    assert measure("rmse", half("black", 100), target, start).value == pytest.approx(1.0, abs=0.02)
    assert measure("rmse", target, target, target).reason == "start and target look the same"
    assert measure("rmse", target, target).reason == "there is no start"


@pytest.mark.parametrize("name", ["mse", "rmse"])
def test_what_cannot_be_drawn_has_no_number_but_a_reason(name: str) -> None:
    found = measure(name, "<svg", half("red"), half("blue"))
    assert found.value is None
    assert found.reason.startswith("the candidate cannot be drawn")


def test_repair_accuracy_is_about_what_is_said_and_the_published_one_about_letters() -> None:
    target = drawing('<text id="t" class="a b">is it</text><rect fill="red" width="9" height="9"/>')
    same = target.replace('fill="red" width="9"', 'width="9.0" fill="#f00"')
    assert measure("repair-accuracy", same, target).value == 1
    assert measure("repair-accuracy", same, target, settings=FAULTY).value == 0
    other = target.replace("is it", "isit")
    assert measure("repair-accuracy", other, target).value == 0
    assert measure("repair-accuracy", other, target, settings=FAULTY).value == 1
    assert measure("repair-accuracy", target[:-1], target).value == 0


def test_chamfer_of_points_is_the_mean_nearest_distance_both_ways() -> None:
    one, other = np.array([[0.0, 0.0], [10.0, 0.0]]), np.array([[0.0, 3.0]])
    assert chamfer(one, other) == pytest.approx((3 + math.hypot(10, 3)) / 2 + 3)
    assert chamfer(one, one) == 0


def test_chamfer_of_parallel_lines_is_twice_their_distance() -> None:
    line = '<line x1="10" y1="{0}" x2="90" y2="{0}" stroke="black"/>'
    found = measure("chamfer", drawing(line.format(20)), drawing(line.format(30)))
    assert found.value == pytest.approx(20)
    assert found.parts["relative"] == pytest.approx(20 / math.hypot(100, 100))


def test_chamfer_takes_shapes_for_what_they_outline() -> None:
    rect = drawing('<rect x="10" y="10" width="40" height="20"/>')
    path = drawing('<g transform="translate(10 10)"><path d="M0 0h40v20h-40z"/></g>')
    used = drawing('<defs><path id="p" d="M0 0h40v20h-40z"/></defs><use href="#p" x="10" y="10"/>')
    assert measure("chamfer", rect, path).value == pytest.approx(0, abs=1e-9)
    assert measure("chamfer", rect, used).value == pytest.approx(0, abs=1e-9)
    round_one = drawing('<circle cx="50" cy="50" r="20"/>')
    larger = measure("chamfer", round_one, drawing('<ellipse cx="50" cy="50" rx="25" ry="25"/>'))
    assert larger.value == pytest.approx(10, abs=0.05)


def test_chamfer_turns_about_the_given_point_and_the_published_code_does_not() -> None:
    turned = drawing('<path d="M50 50h20" transform="rotate(90 50 50)"/>')
    written_out = drawing('<path d="M50 50v20"/>')
    assert measure("chamfer", turned, written_out).value == pytest.approx(0, abs=1e-9)
    node = parse(turned).nodes[1]
    assert own_matrix(node).apply(70, 50) == pytest.approx((50, 70))
    assert own_matrix(node, faulty=True).apply(70, 50) == pytest.approx((-150, 70))
    assert measure("chamfer", turned, written_out, settings=FAULTY).value == pytest.approx(2 * 200)


def test_chamfer_of_what_has_no_outline_has_a_reason() -> None:
    assert measure("chamfer", drawing("<text>a</text>"), half("red")).reason == "a drawing has no outline"
    assert measure("chamfer", "<svg>", half("red")).reason == "the candidate is not well-formed"
    assert len(outline_points(parse(drawing('<path d="nonsense"/>')), 1.0)) == 0


START = drawing('<rect id="a"/><rect id="b"/><rect id="c"/><rect id="d"/>')


def test_lines_are_one_tag_each() -> None:
    assert lines_of("<svg>\n  <a/> <b/>\n\n</svg>") == ["<svg>", "<a/>", "<b/>", "</svg>"]
    assert lines_of("<svg><a/>\n<b/></svg>", as_written=True) == ["<svg><a/>", "<b/></svg>"]


def test_an_edit_touches_places_and_changes_lines() -> None:
    found = touched(["a", "b", "c"], ["a", "x", "c", "d"])
    assert found.places == {1: 1, ("gap", 3): 1}
    assert found.lines == {("-", "b"): 1, ("+", "x"): 1, ("+", "d"): 1}


def edited(*names: str, to: str = "z") -> str:
    text = START
    for name in names:
        text = text.replace(f'id="{name}"', f'id="{name}" class="{to}"')
    return text


@pytest.mark.parametrize(
    ("candidate", "location", "lines"),
    [
        (edited("a", "b"), (1, 1), (1, 1)),
        (edited("a"), (1, 1 / 2), (1, 1 / 2)),
        (edited("a", "b", "c", "d"), (1 / 2, 1), (1 / 2, 1)),
        (edited("a", "b", to="y"), (1, 1), (1 / 2, 1 / 2)),
        (START, (0, 0), (0, 0)),
        (edited("c"), (0, 0), (0, 0)),
    ],
)
def test_location_and_lines_have_precision_and_recall(
    candidate: str, location: tuple[float, float], lines: tuple[float, float]
) -> None:
    target = edited("a", "b")
    for name, (precision, recall) in (("location", location), ("lines", lines)):
        found = measure(name, candidate, target, START)
        assert (found.parts["precision"], found.parts["recall"]) == (precision, recall)
        both = 2 * precision * recall / (precision + recall) if precision + recall else 0
        assert found.value == pytest.approx(both)


def test_the_published_line_score_is_recall_alone() -> None:
    spread = "\n".join(lines_of(START))
    target, everything = ("\n".join(lines_of(edited(*names))) for names in (("a",), ("a", "b", "c", "d")))
    assert measure("lines", everything, target, spread, FAULTY).value == 1
    assert measure("lines", everything, target, spread).value == pytest.approx(2 * 0.25 / 1.25)
    assert measure("lines", everything, target).reason == "there is no start"


def test_f1_of_nothing_wanted_and_nothing_done_is_1() -> None:
    empty = touched(["a"], ["a"]).lines
    assert f1(empty, empty) == (1, 1, 1)
    assert f1(empty, touched(["a"], ["b"]).lines) == (0, 0, 0)


@pytest.mark.parametrize("name", PLAIN)
def test_the_target_is_best_and_nothing_handed_in_never_raises(name: str) -> None:
    start, target = half("red"), half("blue")
    best = {"higher": 1.0, "lower": 0.0}[MEASURES.get(name).better]
    if name != "compression":
        assert measure(name, target, target, start).value == pytest.approx(best)
    for text in (None, "", "prose", "<svg", HEAD + "</svg>"):
        found = measure(name, text, target, start)
        assert isinstance(found, Value)
        assert (found.value is None) == bool(found.reason)


def test_pictures_have_the_size_of_the_target() -> None:
    wide = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50"/>'
    assert Drawings(half("red"), wide, width_px=128).size_px == (128, 32)
    assert measure("mse", half("white"), wide).value == 0


def test_unknown_measures_and_missing_weights_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'chamfer'"):
        measure("chamfers", "", half("red"))
    for name in ("dino", "clip", "lpips"):
        with pytest.raises(ConfigError, match=f"--weights {name}=PATH"):
            measure(name, half("red"), half("red"))
        lost = Settings(weights={name: tmp_path / "none"})
        with pytest.raises(ConfigError, match="no such file or folder"):
            measure(name, half("red"), half("red"), settings=lost)


@pytest.mark.parametrize(
    "body",
    [
        '<defs><path id="p" d="M0 0H80"/></defs><use href="#p" x="10" y="20"/>',
        '<svg x="10" y="20" width="80" height="10" viewBox="0 0 8 1"><path d="M0 0H8"/></svg>',
        '<symbol id="s" viewBox="0 0 8 10"><path d="M0 0H8"/></symbol><use href="#s" x="10" y="20" width="80"/>',
        '<symbol id="s" viewBox="0 0 8 8"><path d="M1 2H9"/></symbol><use href="#s" width="80" height="80"/>',
        '<path d="M10 10H90" style="transform:translate(0, 10px)"/>',
        '<path d="M10 20H90"/><path d="M10 90H90" display="none"/><g style="display:none"><path d="M0 0H9"/></g>',
        '<path d="M10 20H90M500 500"/>',
    ],
)  # fmt: skip
def test_outlines_are_those_that_are_drawn(body: str) -> None:
    found = measure("chamfer", drawing(body), drawing('<path d="M10 20H90"/>'))
    assert found.value == pytest.approx(0, abs=1e-9)
