"""Arrays of fixed size: one row for each candidate and object, one for the request; all in [-1, 1]."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vbench_env.numeric.lexicon import OPERATIONS, Clause, words
from vbench_env.numeric.match import MATCHES, Array
from vbench_env.numeric.offers import SOURCES
from vbench_env.numeric.view import Item, View

if TYPE_CHECKING:
    from vbench_env.numeric.propose import Candidate

TAGS = ("rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "use", "g")
SAID_WORDS = 64
"""Places of the hashed bag of words."""

CANDIDATE_NAMES = (
    "submit", *(f"op-{name}" for name in OPERATIONS), *(f"cue-{name}" for name in OPERATIONS), "cue",
    *(f"from-{name}" for name in SOURCES), "fit", "agree", "odd", "change", *(f"match-{name}" for name in MATCHES),
    "match", "lead", "first", "second", "other", "same-kind-operation", "quotes", "prior", "order", "behind",
    "clause-done", "place-done", "done", "left",
)  # fmt: skip
"""What each column of the candidate table says; the last four change as the episode goes on."""
OBJECT_NAMES = (
    *(f"tag-{tag}" for tag in TAGS), "x", "y", "width", "height", "fill-l", "fill-a", "fill-b", "painted", "opacity",
    "stroke-width", "turn", "order", "depth", "text",
)  # fmt: skip
INSTRUCTION_NAMES = (
    *(f"word-{n}" for n in range(SAID_WORDS)),
    *(f"cue-{op}" for op in OPERATIONS),
    "clauses",
)
CANDIDATE_FEATURES, OBJECT_FEATURES = len(CANDIDATE_NAMES), len(OBJECT_NAMES)
INSTRUCTION_FEATURES = len(INSTRUCTION_NAMES)
STATE = ("clause-done", "place-done", "done", "left")
STATE_COLUMNS = tuple(CANDIDATE_NAMES.index(name) for name in STATE)


def candidate_rows(candidates: Sequence[Candidate], said: Sequence[Clause], slots: int) -> Array:
    """The candidate table without the state of the episode."""
    table = np.zeros((slots, CANDIDATE_FEATURES), np.float32)
    best = max((candidate.prior for candidate in candidates), default=0.0)
    for place, (row, candidate) in enumerate(zip(table, candidates, strict=False)):
        told = _candidate(candidate, said[candidate.subject.clause])
        row[: -len(STATE)] = [*told, 1 / (1 + place), (candidate.prior - best) / 2]
    return np.clip(table, -1.0, 1.0)


def _candidate(candidate: Candidate, clause: Clause) -> list[float]:
    offer, subject = candidate.offer, candidate.subject
    return [
        0.0,
        *(float(offer.operation == name) for name in OPERATIONS),
        *clause.cues,
        candidate.cue,
        *(float(offer.source == name) for name in SOURCES),
        offer.fit, offer.agree, offer.odd, offer.change,
        *(float(value) for value in subject.match),
        subject.total / 4, subject.lead / 2, float(subject.rank == 0), float(subject.rank == 1),
        candidate.other_total / 3,
        float(candidate.cue >= max(clause.cues)),
        float(bool(clause.quotes)),
        candidate.prior / 8,
    ]  # fmt: skip


def object_rows(view: View, count: int) -> Array:
    """The object table: the first `count` objects in paint order."""
    table = np.zeros((count, OBJECT_FEATURES), np.float32)
    for row, item in zip(table, view.items, strict=False):
        row[:] = _object(view, item)
    return np.clip(table, -1.0, 1.0)


def _object(view: View, item: Item) -> list[float]:
    frame, paint = view.frame, item.paint()
    across, down = max(frame.right - frame.left, 1e-9), max(frame.bottom - frame.top, 1e-9)
    lightness, a, b = paint[1] if paint else (0.0, 0.0, 0.0)
    opacity, stroke = item.number("opacity"), item.number("stroke-width")
    return [
        *(float(item.tag == tag) for tag in TAGS),
        2 * (item.center[0] - frame.left) / across - 1, 2 * (item.center[1] - frame.top) / down - 1,
        item.width / across, item.height / down,
        lightness / 100, a / 128, b / 128, float(paint is not None),
        1.0 if opacity is None else opacity, (stroke or 0.0) / 10 if item.value("stroke") != "none" else 0.0,
        item.turn / 180, item.order / 50, item.depth / 10, float(bool(item.text)),
    ]  # fmt: skip


def instruction_row(instruction: str, said: Sequence[Clause]) -> Array:
    """A hashed bag of words, how much each operation is spoken of, and the number of clauses."""
    row = np.zeros(INSTRUCTION_FEATURES, np.float32)
    for word in words(instruction):
        row[zlib.crc32(word.encode()) % SAID_WORDS] = 1.0
    cues = [max((clause.cues[n] for clause in said), default=0.0) for n in range(len(OPERATIONS))]
    row[SAID_WORDS:] = [*cues, min(1.0, len(said) / 10)]
    return row
