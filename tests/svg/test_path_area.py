"""Areas of outlines of very many pieces, which are measured along lines: the closed forms hold there too."""

from __future__ import annotations

import pytest

from vbench_env.svg.path_area import area_difference
from vbench_env.svg.path_data import Commands, parse_path

Ring = tuple[tuple[float, float], ...]
SQUARE: Ring = ((0, 0), (100, 0), (100, 100), (0, 100))
RIGHT: Ring = ((50, 0), (150, 0), (150, 100), (50, 100))
HOLE: Ring = ((20, 20), (20, 60), (60, 60), (60, 20))
WEDGE: Ring = ((0, 0), (100, 0), (100, 100))
LOWER: Ring = ((0, 300), (100, 300), (100, 380), (0, 380))


def dense(*rings: Ring, pieces: int = 500, end: str = "Z") -> Commands:
    """Rings whose edges are cut into many pieces."""
    text = ""
    for ring in rings:
        points = [
            (x + (u - x) * k / pieces, y + (v - y) * k / pieces)
            for (x, y), (u, v) in zip(ring, (*ring[1:], ring[0]), strict=True)
            for k in range(pieces)
        ]
        text += "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + end
    return parse_path(text)


@pytest.mark.parametrize(
    ("a", "b", "rule_a", "rule_b", "expected"),
    [
        ((SQUARE,), (SQUARE[2:] + SQUARE[:2],), "nonzero", "nonzero", 0),
        ((SQUARE,), (RIGHT,), "nonzero", "nonzero", 10_000),
        ((SQUARE,), (WEDGE,), "nonzero", "nonzero", 5_000),
        ((WEDGE,), (SQUARE,), "nonzero", "nonzero", 5_000),
        ((WEDGE, WEDGE), (SQUARE,), "evenodd", "nonzero", 10_000),
        ((SQUARE,), (WEDGE, WEDGE), "nonzero", "evenodd", 10_000),
        ((SQUARE, SQUARE), (SQUARE,), "nonzero", "nonzero", 0),
        ((SQUARE, HOLE), (SQUARE,), "nonzero", "nonzero", 1_600),
        ((SQUARE, HOLE[::-1]), (SQUARE,), "nonzero", "nonzero", 0),
        ((SQUARE, HOLE[::-1]), (SQUARE,), "evenodd", "nonzero", 1_600),
        ((SQUARE, HOLE[::-1]), (SQUARE,), "unheard-of", "nonzero", 0),
        ((SQUARE, LOWER), (LOWER,), "nonzero", "nonzero", 10_000),
        ((SQUARE,), (LOWER,), "nonzero", "nonzero", 18_000),
    ],
)
def test_the_area_along_lines(
    a: tuple[Ring, ...], b: tuple[Ring, ...], rule_a: str, rule_b: str, expected: float
) -> None:
    found = area_difference(dense(*a), dense(*b), rule_a, rule_b)
    assert found == pytest.approx(expected, rel=0.004, abs=1e-6)
    few = area_difference(dense(*a, pieces=1), dense(*b, pieces=1), rule_a, rule_b)
    assert few == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_long_edges_beside_many_pieces() -> None:
    beside = dense(LOWER)
    found = area_difference(dense(WEDGE, pieces=1) + beside, dense(SQUARE, pieces=1) + beside)
    assert found == pytest.approx(5_000, rel=0.004)


def test_an_open_outline_of_many_pieces_is_closed_by_the_fill() -> None:
    assert area_difference(dense(SQUARE, end=""), dense(SQUARE)) == pytest.approx(0, abs=1e-6)


def test_dots_beside_many_pieces_enclose_nothing() -> None:
    assert area_difference((*dense(SQUARE), ("M", (7.0, 7.0))), dense(SQUARE)) == pytest.approx(0, abs=1e-6)


def test_outlines_without_extent_have_no_area() -> None:
    dot, line = parse_path("M5 5Z"), parse_path("M0 0H9Z")
    assert area_difference(dot, parse_path("M5 5h0Z")) == 0
    assert area_difference(line, ()) == area_difference((), line) == 0
