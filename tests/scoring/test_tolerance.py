"""The tolerance table: published rows, added families, and the formula around them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.scoring import tolerance as table
from vbench_env.scoring.tolerance import family, progress, rms, tolerance, within

SIZE: dict[str, Any] = {"width": 220, "height": 140, "target": 3.0}
positive = st.floats(1e-3, 1e4, allow_nan=False)
names = st.sampled_from(sorted(name for name, row in table.EXTENDED_FAMILIES.items() if not row.exact))


@pytest.mark.parametrize(
    ("name", "delta", "expected"),
    [
        ("x", 11, 5.5),
        ("x", 4, 2.0),
        ("x", 1, 0.75),
        ("x", 0.5, 0.45),
        ("y", 100, 3.5),
        ("width", 100, 5.5),
        ("r", 100, 2.8),
        ("opacity", 0.1, 0.05),
        ("opacity", 1, 0.12),
        ("opacity", 0.02, 0.018),
        ("stroke-width", 3, 1.2),
        ("fill", 106.852806, 18),
        ("fill", 20, 9),
        ("fill", 5, 4),
        ("points", 7.28011, 4.0040605),
        ("d", 6, 4.2),
        ("d", 60, 4.2),
        ("unheard-of", 2, 1.0),
        ("x", None, 5.5),
        ("x", 0, 0.75),
        ("opacity", 0, 0.03),
    ],
)
def test_published_tolerances(name: str, delta: float | None, expected: float) -> None:
    assert tolerance(family(name, "published"), delta, **SIZE) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "delta", "size", "expected"),
    [
        ("fill-opacity", 1, SIZE, 0.12),
        ("offset", 0.5, SIZE, 0.05),
        ("offset", 0.01, SIZE, 0.009),
        ("font-size", 10, {"target": 20}, 1.6),
        ("font-size", 2, {"target": 20}, 1.0),
        ("rotation", 90, SIZE, 5),
        ("rotation", 4, SIZE, 2),
        ("stroke-dasharray", 8, {"target": (4, 2)}, 0.75),
        ("letter-spacing", 9, {"font_size": 12}, 1.2),
        ("transform", 50, SIZE, 3.5),
    ],
)
def test_added_families(name: str, delta: float, size: dict[str, Any], expected: float) -> None:
    assert tolerance(family(name), delta, **size) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["offset", "fill-opacity", "font-size", "rotation"])
def test_the_published_table_takes_them_for_scalars(name: str) -> None:
    assert family(name, "published") is table.SCALAR
    assert family(name) is not table.SCALAR


@pytest.mark.parametrize("name", ["exists", "text", "order", "href", "aria-label", "data-x", "class"])
def test_exact_families_have_no_tolerance(name: str) -> None:
    assert family(name).exact
    assert tolerance(family(name), 5.0) == 0


@given(names, positive, st.floats(0.1, 10))
def test_the_corruption_never_passes(name: str, delta: float, k: float) -> None:
    allowed = tolerance(family(name), delta, target=1e6, width=1e6, height=1e6, font_size=1e6, scale=k)
    assert allowed <= 0.9 * delta
    assert not within(delta, allowed)


@given(names, positive, st.floats(0.1, 1))
def test_a_smaller_factor_never_allows_more(name: str, delta: float, k: float) -> None:
    scaled, plain = tolerance(family(name), delta, **SIZE, scale=k), tolerance(family(name), delta, **SIZE)
    assert k * plain - 1e-9 <= scaled <= plain


def test_factor_stands_before_the_last_bound() -> None:
    assert tolerance(family("x"), 1.0, **SIZE, scale=0.5) == 0.375
    assert tolerance(family("x"), 1.0, **SIZE, scale=2.0) == 0.9
    assert tolerance(family("x"), None, **SIZE, scale=0.5) == 2.75


def test_passing_has_a_slack_of_a_billionth() -> None:
    assert within(1.0 + 1e-10, 1.0)
    assert not within(1.0 + 1e-8, 1.0)
    assert not within(None, 1.0)


@pytest.mark.parametrize(
    ("distance", "delta", "expected"),
    [
        (0, 4, 1),
        (1, 4, 0.75),
        (4, 4, 0),
        (9, 4, 0),
        (0, 0, 1),
        (1, 0, 0),
        (1, None, 0),
        (0, None, 1),
        (None, 4, 0),
    ],
)
def test_progress(distance: float | None, delta: float | None, expected: float) -> None:
    assert progress(distance, delta) == expected


def test_rms_of_lists() -> None:
    assert rms([0, 0], [3, 4]) == pytest.approx(12.5**0.5)
    assert rms([], []) == 0
    assert rms([1], [1, 2]) is None


def test_caps_read_as_text() -> None:
    assert str(family("x").cap) == "max(0.75, 2.5 % of width)"
    assert str(family("opacity").cap) == "0.12"
    assert str(family("font-size").cap) == "8 % of target"


@pytest.mark.published
def test_recorded_tolerances_are_reproduced() -> None:
    named = os.environ.get("VBENCH_PUBLISHED")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "vector-bench"
    if not (folder / "published_outcomes.jsonl").is_file():
        pytest.skip(
            "the published outcomes are not beside the checkout; VBENCH_PUBLISHED may name their folder"
        )
    tasks = {path.stem: json.loads(path.read_text()) for path in folder.glob("tasks/*.json")}
    compared = 0
    for line in (folder / "published_outcomes.jsonl").read_text().splitlines():
        row = json.loads(line)
        task = tasks[row["task_id"]]
        for check in row["checks"] or ():
            delta, recorded = check["baseline_distance"], check["tolerance"]
            if recorded is None or check["comparison"] == "inserted-subtree":
                continue
            kind = table.PATH_NUMBERS if check["comparison"] == "path-coordinate-rms" else None
            target = next(
                change["after"]
                for change in task["expected_diff"]
                if (change["part"], change["attribute"]) == (check["part"], check["attribute"])
            )
            width, height = _viewport(task["target_svg"])
            size = target if isinstance(target, float | int) else None
            found = tolerance(
                kind or family(check["attribute"], "published"),
                delta,
                width=width,
                height=height,
                target=size,
            )
            assert found == pytest.approx(recorded, abs=2e-6), check
            if row["validity_pass"] and check["distance"] is not None and delta is not None:
                expected = progress(check["distance"], delta)
                assert (expected is None and delta is None) or expected == pytest.approx(
                    check["progress"], abs=2e-6
                )
            compared += 1
    assert compared > 1000


def _viewport(svg: str) -> tuple[float, float]:
    numbers = svg.split('viewBox="')[1].split('"')[0].split()
    return float(numbers[2]), float(numbers[3])


class TestTheTableInTheDocumentation:
    ROWS = re.findall(
        r"^\| ([a-z-]+) \| (.+?) \| ([\d.]+) \| ([\d.]+)[^|]* \| ([^|]+) \| [^|]+ \| (published|`surgical`) \|$",
        (Path(__file__).parents[2] / "docs/evaluator.md").read_text("utf-8"),
        re.MULTILINE,
    )

    def cap(self, row: table.Family) -> str:
        text = str(row.cap).replace("mean target", "the mean dash").replace("font size", "the font size")
        for short, long in (("W", "width"), ("H", "height"), ("m", "smaller side"), ("the target", "target")):
            text = text.replace(f" of {long}", f" of {short}")
        return text

    def test_says_what_the_rules_do(self) -> None:
        families = {
            row.name: row
            for row in (*table.EXTENDED_FAMILIES.values(), table.SCALAR, table.NUMBERS, table.PATH_NUMBERS)
        }
        written = {name: (float(ratio), float(floor), cap) for name, _, ratio, floor, cap, _ in self.ROWS}
        expected = {
            name: (row.ratio, row.floor, self.cap(row)) for name, row in families.items() if not row.exact
        }
        units = {"rotation": " degrees"}
        assert written == {
            name: (ratio, floor, cap + units.get(name, "")) for name, (ratio, floor, cap) in expected.items()
        }

    def test_says_which_properties_they_hold_for(self) -> None:
        for name, properties, *_, origin in self.ROWS:
            for word in re.findall(r"[a-z][a-zA-Z0-9-]*", " ".join(re.findall(r"`([^`]+)`", properties))):
                if word != "surgical":
                    assert table.family(word).name == {"path-numbers": "path"}.get(name, name)
            assert origin == "published" or name not in {
                row.name for row in table.PUBLISHED_FAMILIES.values()
            }
