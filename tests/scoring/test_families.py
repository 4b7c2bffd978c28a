"""Which property belongs to which family of tolerances, name by name."""

from __future__ import annotations

import pytest

from vbench_env.scoring.tolerance import family

NAMES = {
    "horizontal": "x cx rx width x1 x2",
    "vertical": "y cy ry height y1 y2",
    "color": "fill stroke color stop-color flood-color lighting-color",
    "exact": "exists text order href class id role style title desc aria-label data-x xml:space {urn:a}b",
    "opacity": "opacity fill-opacity stroke-opacity stop-opacity flood-opacity",
    "stroke-width": "stroke-width",
    "numbers": "points",
    "path": "d",
    "path-numbers": "d-numbers",
    "rotation": "rotate rotation orient",
    "offset": "offset",
    "font-size": "font-size",
    "stroke-dasharray": "stroke-dasharray",
    "letter-spacing": "letter-spacing",
    "scalar": "r stdDeviation stroke-miterlimit",
}
PUBLISHED_SCALARS = (
    "fill-opacity rotate offset font-size stroke-dasharray letter-spacing transform gradientTransform".split()
)


@pytest.mark.parametrize(
    ("name", "expected"), [(name, row) for row, names in NAMES.items() for name in names.split()]
)
def test_family_of_a_property(name: str, expected: str) -> None:
    assert family(name).name == expected


@pytest.mark.parametrize("name", ["transform", "gradientTransform", "patternTransform"])
def test_transforms_are_measured_by_displacement(name: str) -> None:
    assert family(name).distance == "displacement"


@pytest.mark.parametrize("name", PUBLISHED_SCALARS)
def test_the_published_table_lacks_some(name: str) -> None:
    assert family(name, "published").name == "scalar"
