"""Positions, distances and areas of paths, against `svg.path`, closed forms and the recorded distances."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from svg.path import parse_path as library_path

from vbench_env.svg import path_shape as shape
from vbench_env.svg.path_area import area_difference
from vbench_env.svg.path_data import Commands, parse_path, published_commands

SQUARE = "M20 20H80V80H20Z"
PATHS = [
    "M8 24 C42 20 74 20 108 24 S176 28 212 24",
    "M0 0 L10 0 L10 30 Z",
    "M0 0 h10 v30 z m5 5 l10 10",
    "M0 0 Q50 100 100 0 T200 0",
    "M0 0 A50 25 30 0 1 100 0",
    "M0 0 A10 10 0 1 0 100 0 L5 5",
    "M0 0 A50 25 0 0 0 0 0 L50 50",
    "M0 0 C100 100 0 100 100 0",
    "L10 10 20 0",
    "M5 5",
    "M5 5 M6 6 L7 9 M1 1",
    "M0 0 L0 0",
    "M0 0 L10 0 Z L 0 50 Z",
    "M10 10 s20 30 40 0 t10 10 S1 1 80 80",
    "M0 0 A5 5 0 0 1 10 10 -5 5 0 0 1 20 20 L90 90",
    "M0 0 c0 0 0 0 0 0 l 5 5",
]


def p(text: str) -> Commands:
    return parse_path(text)


@pytest.mark.parametrize("text", PATHS)
def test_published_positions_are_those_of_the_library(text: str) -> None:
    found = shape.sample_segment_parameter(text)
    path = library_path(text)
    expected = [path.point(i / 128) for i in range(129)]
    assert found is not None
    np.testing.assert_allclose(found[:, 0] + 1j * found[:, 1], expected, atol=2e-4)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(-99, 99), min_size=6, max_size=6), min_size=1, max_size=4), st.randoms())
def test_published_positions_of_random_curves(rows: list[list[int]], random: Any) -> None:
    text = "M3 4"
    for row in rows:
        letter = random.choice("CcSsQqTtLlHvz")
        count = {"C": 6, "S": 4, "Q": 4, "T": 2, "L": 2, "H": 1, "V": 1, "Z": 0}[letter.upper()]
        text += letter + " ".join(map(str, row[:count]))
    found = shape.sample_segment_parameter(text)
    segments = library_path(text)
    fractions = [each.length(error=1e-7) for each in segments]
    total = sum(fractions)
    assert found is not None
    if total == 0:
        return
    segments._length, segments._lengths = total, [each / total for each in fractions]
    segments._fractions = list(np.cumsum(segments._lengths))
    for index in range(1, 128):
        position = index / 128
        if min(abs(edge - position) for edge in segments._fractions) < 1e-4:
            continue
        # Of a curve that turns back on itself the library measures 17.3035 where 17.3205 is right.
        assert complex(*found[index]) == pytest.approx(segments.point(position), abs=0.1)


@pytest.mark.parametrize("text", ["", "M.5.5L9 9", "nonsense", "M0 0 L1"])
def test_what_the_published_evaluator_cannot_read_has_no_positions(text: str) -> None:
    assert shape.sample_segment_parameter(text) is None


def test_arc_length_positions_are_equally_spaced() -> None:
    samples = shape.sample_arc_length(p("M0 0C0 300 10 0 100 0L100 50"))
    assert samples is not None
    steps = np.hypot(*np.diff(samples, axis=0).T)
    assert samples.shape == (129, 2)
    np.testing.assert_allclose(samples[[0, -1]], [[0, 0], [100, 50]])
    assert steps.max() / np.median(steps) < 1.01


def test_arc_length_jumps_over_movetos_and_takes_dots() -> None:
    samples = shape.sample_arc_length(p("M0 0H10M90 0H100"), 5)
    assert samples is not None
    assert set(samples[:, 0]) <= {0, 5, 10, 90, 95, 100}
    dot = shape.sample_arc_length(p("M5 6h0"), 3)
    assert dot is not None
    assert dot.tolist() == [[5, 6]] * 3
    assert shape.sample_arc_length(p("M5 5")) is None


def test_flatten_keeps_subpaths_ends_and_closedness() -> None:
    parts = shape.flatten(p("M0 0A50 50 0 0 1 100 0M9 9M50 70h0M0 0H5V5Z"), 8)
    assert [(len(vertices), closed) for vertices, closed in parts] == [
        (9, False),
        (1, False),
        (2, False),
        (4, True),
    ]
    arc = parts[0][0]
    np.testing.assert_allclose(np.hypot(arc[:, 0] - 50, arc[:, 1]), 50)
    assert arc[-1].tolist() == [100, 0]


def test_path_distance_takes_the_larger_of_rms_and_percentile() -> None:
    a = np.zeros((100, 2))
    b = np.zeros((100, 2))
    b[:11, 0] = 10.0
    assert shape.path_distance(a, b) == 10.0
    b[:11, 0] = 0.0
    b[0, 0] = 10.0
    assert shape.path_distance(a, b) == pytest.approx(math.sqrt(100 / 200))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("M0 0H100", "M0 0H50M50 0H100", 0),
        ("M0 0H100", "M0 0H50V30V0H100", 30),
        ("M0 0H100", "M0 0H40M60 0H100", 10),
        ("M10 20H90", "M10 20H90M50 70h0", 50),
        ("M0 0H100", "M0 0H100", 0),
        ("M0 0H100V100H0Z", "M0 0H100V100H0V0", 0),
        ("M0 0H9", "", math.inf),
    ],
)
def test_max_deviation_sees_spurs_gaps_and_dots(a: str, b: str, expected: float) -> None:
    assert shape.max_deviation(p(a), p(b)) == pytest.approx(expected, abs=0.5)
    assert shape.max_deviation(p(a), p(b)) == shape.max_deviation(p(b), p(a))


def test_max_deviation_of_one_arc_drawn_as_two_is_small() -> None:
    one, two = p("M0 0A50 50 0 0 1 100 0"), p("M0 0A50 50 0 0 1 50-50A50 50 0 0 1 100 0")
    assert shape.max_deviation(one, two) < 0.02


@pytest.mark.parametrize(
    ("a", "b", "rule_a", "rule_b", "expected"),
    [
        (SQUARE, SQUARE + SQUARE, "nonzero", "nonzero", 0),
        (SQUARE, SQUARE + SQUARE, "evenodd", "evenodd", 3600),
        (SQUARE, SQUARE, "nonzero", "evenodd", 0),
        (SQUARE, "M20 20V80H80V20Z", "nonzero", "nonzero", 0),
        (SQUARE, "M20 20H80V80H20", "nonzero", "nonzero", 0),
        (SQUARE, SQUARE + "M40 40H60V60H40Z", "nonzero", "nonzero", 0),
        (SQUARE, SQUARE + "M40 40H60V60H40Z", "evenodd", "evenodd", 400),
        (SQUARE, SQUARE + "M40 40V60H60V40Z", "nonzero", "nonzero", 400),
        (SQUARE, "M30 20H90V80H30Z", "nonzero", "nonzero", 1200),
        (SQUARE, "", "nonzero", "nonzero", 3600),
        ("M0 0L10 10H0L10 0Z", "M0 0L10 10H0L10 0Z", "nonzero", "evenodd", 0),
        ("M0 0H9", "M5 5V9", "nonzero", "nonzero", 0),
        ("M5 5", "M5 5h0", "nonzero", "nonzero", 0),
    ],
)
def test_area_difference(a: str, b: str, rule_a: str, rule_b: str, expected: float) -> None:
    assert area_difference(p(a), p(b), rule_a, rule_b) == pytest.approx(expected, abs=1e-3)


def test_lengths() -> None:
    assert shape.path_length(p("M0 0H30V40")) == 70
    assert shape.perimeter(p("M0 0H30V40")) == 120
    assert shape.path_length(p("M0 0A50 50 0 0 1 100 0")) == pytest.approx(50 * math.pi, rel=1e-3)
    assert shape.path_length(()) == shape.perimeter(()) == 0


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="MLZAC0123456789 -", max_size=60))
def test_every_readable_path_has_a_shape(text: str) -> None:
    if published_commands(text):
        shape.sample_segment_parameter(text)
    try:
        commands = parse_path(text)
    except ValueError:
        return
    samples = shape.sample_arc_length(commands)
    assert samples is None or np.isfinite(samples).all()
    assert shape.max_deviation(commands, p("M0 0L1 1")) >= 0
    assert area_difference(commands, p(SQUARE)) >= 0


def _published() -> Path:
    named = os.environ.get("VBENCH_PUBLISHED")
    return Path(named) if named else Path(__file__).parents[3] / "shared" / "vector-bench"


def _recorded() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    folder = _published()
    tasks = {path.stem: json.loads(path.read_text()) for path in folder.glob("tasks/*.json")}
    for line in (folder / "published_outcomes.jsonl").read_text().splitlines():
        row = json.loads(line)
        for check in row["checks"] or ():
            if check["comparison"] != "path-shape" or check["distance"] is None:
                continue
            change = next(
                change
                for change in tasks[row["task_id"]]["expected_diff"]
                if (change["part"], change["attribute"]) == (check["part"], "d")
            )
            root = ElementTree.fromstring(row["produced"])
            found = next(item for item in root.iter() if item.get("id") == check["part"])
            yield change["before"], change["after"], found.get("d", ""), check


@pytest.mark.published
def test_recorded_distances_are_reproduced() -> None:
    if not (_published() / "published_outcomes.jsonl").is_file():
        pytest.skip(
            "the published outcomes are not beside the checkout; VBENCH_PUBLISHED may name their folder"
        )
    compared = 0
    for before, after, produced, check in _recorded():
        target, corrupted, candidate = map(shape.sample_segment_parameter, (after, before, produced))
        assert target is not None
        assert corrupted is not None
        assert candidate is not None
        assert shape.path_distance(candidate, target) == pytest.approx(check["distance"], abs=1e-5)
        assert shape.path_distance(corrupted, target) == pytest.approx(check["baseline_distance"], abs=1e-5)
        compared += 1
    assert compared > 300
