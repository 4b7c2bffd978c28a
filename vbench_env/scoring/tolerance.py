"""How far a repaired value may be from its target: the tolerance table as data.

`t = min(cap, max(floor, ratio * delta), 0.9 * delta)`, where `delta` is the distance from the corrupted value
to the target. The last term keeps the known corruption from passing. Without a corrupted value `t = cap`;
with `delta == 0`, `t = min(cap, floor)`. A sensitivity study multiplies what stands before the last term.
Lengths are user units of the target; W, H and m are the width, height and smaller side of its viewport.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SLACK = 1e-9
"""A distance passes when it is at most the tolerance plus this."""
CORRUPTION_SHARE = 0.9
"""No tolerance reaches this share of the way from the target to the corruption."""

Reference = Literal["width", "height", "smaller side", "target", "mean target", "font size"]
Distance = Literal["absolute", "circular", "cie76", "rms", "path", "displacement", "exact"]


@dataclass(frozen=True, slots=True)
class Cap:
    """The largest tolerance: `max(least, share * reference)`; `least` alone without a reference."""

    least: float = 0.0
    share: float = 0.0
    reference: Reference | None = None

    def __str__(self) -> str:
        if self.reference is None:
            return f"{self.least:g}"
        part = f"{100 * self.share:g} % of {self.reference}"
        return f"max({self.least:g}, {part})" if self.least else part


@dataclass(frozen=True, slots=True)
class Family:
    """One row of the table. `unit` is that of distance and tolerance."""

    name: str
    ratio: float
    floor: float
    cap: Cap
    distance: Distance
    unit: str = "user units"

    @property
    def exact(self) -> bool:
        """Whether only the target value passes."""
        return self.distance == "exact"


_POSITION_X = Family("horizontal", 0.50, 0.75, Cap(0.75, 0.025, "width"), "absolute")
_POSITION_Y = Family("vertical", 0.50, 0.75, Cap(0.75, 0.025, "height"), "absolute")
_OPACITY = Family("opacity", 0.50, 0.03, Cap(0.12), "absolute", "share")
_STROKE_WIDTH = Family("stroke-width", 0.50, 0.25, Cap(1.0, 0.4, "target"), "absolute")
_COLOR = Family("color", 0.45, 4.0, Cap(18.0), "cie76", "CIE76")

SCALAR = Family("scalar", 0.50, 0.75, Cap(0.75, 0.02, "smaller side"), "absolute")
"""Any other value that is one number."""
NUMBERS = Family("numbers", 0.55, 0.75, Cap(0.75, 0.03, "smaller side"), "rms")
"""`points` and any other list of numbers, over the flat list."""
PATH = Family("path", 0.70, 0.75, Cap(0.75, 0.03, "smaller side"), "path")
PATH_NUMBERS = Family("path-numbers", 0.70, 0.5, Cap(0.5, 0.025, "smaller side"), "rms")
"""`d-numbers`, the second route for `d`: tried when `PATH` fails, where letters and number counts agree."""
EXACT = Family("exact", 0.0, 0.0, Cap(), "exact", "")

_EXACT_NAMES = ("exists", "text", "order", "href", "class", "id", "role", "style", "title", "desc")

PUBLISHED_FAMILIES: dict[str, Family] = {
    **dict.fromkeys(("x", "cx", "rx", "width", "x1", "x2"), _POSITION_X),
    **dict.fromkeys(("y", "cy", "ry", "height", "y1", "y2"), _POSITION_Y),
    **dict.fromkeys(("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color"), _COLOR),
    **dict.fromkeys(_EXACT_NAMES, EXACT),
    "opacity": _OPACITY,
    "stroke-width": _STROKE_WIDTH,
    "points": NUMBERS,
    "d": PATH,
    "d-numbers": PATH_NUMBERS,
}
"""The published table; a property that it lacks is `SCALAR` (or `EXACT` where its values are no numbers)."""

_ROTATION = Family("rotation", 0.50, 1.0, Cap(5.0), "circular", "degrees")
_TRANSFORM = Family("transform", 0.50, 0.75, Cap(0.75, 0.025, "smaller side"), "displacement")

EXTENDED_FAMILIES: dict[str, Family] = {
    **PUBLISHED_FAMILIES,
    **dict.fromkeys(("fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity"), _OPACITY),
    **dict.fromkeys(("rotate", "rotation", "orient"), _ROTATION),
    "offset": Family("offset", 0.50, 0.01, Cap(0.05), "absolute", "share"),
    "font-size": Family("font-size", 0.50, 0.5, Cap(0.0, 0.08, "target"), "absolute"),
    "stroke-dasharray": Family("stroke-dasharray", 0.50, 0.25, Cap(0.0, 0.25, "mean target"), "rms"),
    "letter-spacing": Family("letter-spacing", 0.50, 0.1, Cap(0.0, 0.10, "font size"), "absolute"),
    "transform": _TRANSFORM,
    "gradientTransform": _TRANSFORM,
    "patternTransform": _TRANSFORM,
}
"""The published table and the families that it lets fall into `SCALAR`, where 0.9 delta accepts a tenth."""

_TABLES = {"published": PUBLISHED_FAMILIES, "extended": EXTENDED_FAMILIES}
_NON_VISUAL = ("aria-", "data-", "xml:", "{")


def family(name: str, tolerances: Literal["published", "extended"] = "extended") -> Family:
    """The table row of a property or attribute."""
    found = _TABLES[tolerances].get(name)
    if found is not None:
        return found
    return EXACT if name.startswith(_NON_VISUAL) else SCALAR


def tolerance(
    row: Family,
    delta: float | None,
    *,
    target: float | Sequence[float] | None = None,
    width: float = 100.0,
    height: float = 100.0,
    font_size: float | None = None,
    scale: float = 1.0,
) -> float:
    """The tolerance `t` of one repair; 0 for an exact family.

    Args:
        row: the family.
        delta: distance from the corrupted value to the target; None when there is no corrupted value.
        target: the target value, a list for `stroke-dasharray`.
        width: of the target's viewport.
        height: of the target's viewport.
        font_size: of the repaired object.
        scale: factor k of a sensitivity study, `min(k * t, 0.9 * delta)`.
    """
    cap = row.cap.least
    if row.cap.reference is not None:
        cap = max(cap, row.cap.share * _reference(row.cap.reference, target, width, height, font_size))
    if delta is None or not math.isfinite(delta):
        return scale * cap
    if delta == 0:
        return scale * min(cap, row.floor)
    return min(scale * min(cap, max(row.floor, row.ratio * delta)), CORRUPTION_SHARE * delta)


def _reference(
    name: Reference,
    target: float | Sequence[float] | None,
    width: float,
    height: float,
    font_size: float | None,
) -> float:
    """The number that a cap is a share of; 0 where it is unknown."""
    if name in ("target", "mean target"):
        values = [target] if isinstance(target, (int, float)) else (target or ())
        return sum(map(abs, values)) / len(values) if values else 0.0
    sizes = {
        "width": width,
        "height": height,
        "smaller side": min(width, height),
        "font size": font_size or 0.0,
    }
    return sizes[name]


def within(distance: float | None, allowed: float) -> bool:
    """Whether a distance passes; an unknown one does not."""
    return distance is not None and distance <= allowed + SLACK


def progress(distance: float | None, delta: float | None) -> float:
    """`clip(1 - d / delta, 0, 1)`; without a usable `delta`, 1 for a distance of zero, else 0."""
    if distance is None or math.isnan(distance):
        return 0.0
    if not delta:
        return 1.0 if distance <= SLACK else 0.0
    return min(1.0, max(0.0, 1 - distance / delta))


def rms(values: Sequence[float], target: Sequence[float]) -> float | None:
    """Root mean square difference of two lists; None when their lengths differ."""
    if len(values) != len(target):
        return None
    if not target:
        return 0.0
    return math.sqrt(sum((one - other) ** 2 for one, other in zip(values, target, strict=True)) / len(target))
