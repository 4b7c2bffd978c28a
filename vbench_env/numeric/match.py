"""How well words pick out each object of a drawing: one row of numbers in [0, 1] an object."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vbench_env.numeric.lexicon import Said, words
from vbench_env.numeric.view import Item, View, kinds

Array = NDArray[np.float32]

MATCHES = ("kind", "colour", "size", "side", "rank", "text", "label", "names")
_WEIGHTS = np.array([1.0, 1.0, 0.5, 0.6, 0.6, 1.5, 1.0, 1.2], np.float32)
_SAME_COLOUR = 30.0
"""CIE76 at which a colour is half as good as the one that the word means."""


class Surveyor:
    """What is measured once of a drawing, so that any words can be matched with its objects."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.kinds = [kinds(item) for item in view.items]
        self.paints = [item.paint() for item in view.items]
        self.texts = [words(item.text) for item in view.items]
        self.labels = [self._label(item) for item in view.items]
        self.ranks = [self._ranks(item) for item in view.items]
        self.sizes = [self._size(item) for item in view.items]

    def match(self, said: Said) -> Array:
        """Shape `(objects, len(MATCHES))`."""
        rows = [self._row(said, n, item) for n, item in enumerate(self.view.items)]
        return np.array(rows, np.float32).reshape(len(rows), len(MATCHES))

    def _row(self, said: Said, n: int, item: Item) -> list[float]:
        named = item.names & said.words
        return [
            float(bool(self.kinds[n] & said.kinds)),
            self._colour(said, n),
            max(0.0, said.size * self.sizes[n]),
            self._side(said, item),
            self._rank(said, n),
            _share(self.texts[n], said.words),
            0.0 if self.texts[n] else _share(self.labels[n], said.words),
            len(named) / math.sqrt(len(item.names)) / 1.5 if named else 0.2 * bool(item.around & said.words),
        ]

    def _colour(self, said: Said, n: int) -> float:
        paint = self.paints[n]
        if paint is None or not said.colors:
            return 0.0
        return max(likeness(paint[1], color) for color in said.colors)

    def _side(self, said: Said, item: Item) -> float:
        frame = self.view.frame
        x = 2 * (item.center[0] - frame.left) / max(frame.right - frame.left, 1e-9) - 1
        y = 2 * (item.center[1] - frame.top) / max(frame.bottom - frame.top, 1e-9) - 1
        parts = [0.5 + 0.5 * side * at for side, at in zip(said.side, (x, y), strict=True) if side]
        if said.middle and not parts:
            parts = [1 - min(1.0, math.hypot(x, y))]
        return float(np.clip(min(parts), 0, 1)) if parts else 0.0

    def _rank(self, said: Said, n: int) -> float:
        wanted = -1 if said.last else said.rank
        if wanted is not None and said.backwards:
            wanted = -1 - wanted
        count, *places = self.ranks[n]
        return float(wanted is not None and count > 1 and any(place == wanted % count for place in places))

    def _ranks(self, item: Item) -> tuple[int, int, int]:
        """How many of its kind there are, and its place among them from the left and from the top."""
        kin = self.view.kin[item.place]
        return (
            len(kin) + 1,
            sum(other.center[0] < item.center[0] - 1e-6 for other in kin),
            sum(other.center[1] < item.center[1] - 1e-6 for other in kin),
        )

    def _size(self, item: Item) -> float:
        """From -1, the smallest of its kind, to 1."""
        kin = self.view.kin[item.place]
        area = item.width * item.height + 1e-6 * (item.width + item.height)
        less = sum(o.width * o.height + 1e-6 * (o.width + o.height) < area for o in kin)
        return 2 * less / len(kin) - 1 if kin else 0.0

    def _label(self, item: Item) -> frozenset[str]:
        """Words of the nearest text."""
        if item.text:
            return frozenset()
        texts = [other for other in self.view.items if other.text and other.tag == "text"]
        nearest = min(texts, key=lambda other: gap(item, other), default=None)
        return (
            words(nearest.text) if nearest and gap(item, nearest) < 0.15 * self.view.diagonal else frozenset()
        )


def total(matches: Array) -> Array:
    """One number an object: how well the words pick it out by and large."""
    return matches @ _WEIGHTS


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    """1 for the same colour (CIE L*a*b*), towards 0 for a very different one."""
    return 1.0 / (1.0 + (math.dist(one, other) / _SAME_COLOUR) ** 2)


def gap(one: Item, other: Item) -> float:
    """Distance of two boxes, plus a little for that of their centres."""
    a, b = one.box, other.box
    across = max(a.left - b.right, b.left - a.right, 0.0)
    down = max(a.top - b.bottom, b.top - a.bottom, 0.0)
    return math.hypot(across, down) + 0.1 * math.dist(one.center, other.center)


def nearest(item: Item, others: Sequence[Item], reach: float) -> list[Item]:
    """Texts no farther than `reach`, the nearest first."""
    gaps = [
        (gap(item, other), other.place, other)
        for other in others
        if other.tag == "text" and other is not item
    ]
    return [other for away, _, other in sorted(gaps, key=lambda entry: entry[:2]) if away < reach]


def _share(own: frozenset[str], said: frozenset[str]) -> float:
    return len(own & said) / len(own) if own else 0.0
