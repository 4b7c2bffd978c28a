"""From a request and a drawing to a list of candidate edits, and everything as arrays of fixed size.

    clauses and objects -> the likeliest objects of each clause -> offers of each operation -> the first N

Both arguments are what an agent is shown; there is no third one. The order of candidates and the choice of
those that fit into N come from a plain rule (how well the words pick out the object and the operation). Which
candidate is right, and when to submit, is left to whoever chooses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from vbench_env.numeric import offers, places
from vbench_env.numeric.features import candidate_rows, instruction_row, object_rows
from vbench_env.numeric.lexicon import OPERATIONS, Clause, clauses
from vbench_env.numeric.match import Array, Surveyor, total
from vbench_env.numeric.offers import Case, Offer, Proposer
from vbench_env.numeric.view import Item, View, look
from vbench_env.repair import Operation

PROPOSERS: dict[Operation, Proposer] = {
    "recolor": offers.recolor, "move": places.move, "resize": offers.resize, "rotate": offers.rotate,
    "reshape": offers.reshape, "restroke": offers.restroke, "opacity": offers.opacity, "text": offers.text,
    "insert": places.insert, "delete": offers.delete, "reorder": offers.reorder, "relink": offers.relink,
}  # fmt: skip
"""One for each operation."""
SUBJECTS, OTHERS = 6, 3
"""Objects that a clause may be about, and objects that it may compare with."""
_CUE_WEIGHT, _VALUE_WEIGHT = 2.0, 0.5


class Subject(NamedTuple):
    """An object as a clause speaks of it."""

    clause: int
    item: Item
    match: Array
    total: float
    rank: int
    """0 for the object that the words pick out best."""
    lead: float
    """How much better than the next best it is, or how much worse than the best."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit to choose, with what speaks for it."""

    offer: Offer
    subject: Subject
    cue: float
    other_total: float
    prior: float

    @property
    def call(self) -> dict[str, Any]:
        """The tool call: `{"tool", "args"}`."""
        return self.offer.call

    @property
    def place(self) -> tuple[str, str]:
        """The object and property that it sets; of two candidates for one place the later one wins."""
        return self.subject.item.label, self.offer.prop


@dataclass(frozen=True, slots=True)
class Proposal:
    """Candidates of one drawing and request, at most `slots`, and their arrays (read-only)."""

    candidates: tuple[Candidate, ...]
    clauses: int
    rows: Array
    """`(slots, CANDIDATE_FEATURES)`; rows beyond the candidates are 0."""
    objects: Array
    """`(objects, OBJECT_FEATURES)`."""
    instruction: Array
    """`(INSTRUCTION_FEATURES,)`."""


@lru_cache(maxsize=1024)
def propose(instruction: str, svg: str, slots: int = 96, objects: int = 48) -> Proposal:
    """Candidate edits for a request; the last thousand proposals are kept (about 50 kB each).

    Args:
        instruction: the words of the request.
        svg: the drawing as it is shown.
        slots: most candidates.
        objects: rows of the object table.
    """
    view, said = look(svg), clauses(instruction)
    surveyor = Surveyor(view)
    lists = [_of_clause(view, surveyor, clause, n) for n, clause in enumerate(said)]
    mixed = (candidate for turn in zip_longest(*lists) for candidate in turn if candidate is not None)
    chosen = tuple(_different(mixed, slots))
    tables = (
        candidate_rows(chosen, said, slots), object_rows(view, objects), instruction_row(instruction, said)
    )  # fmt: skip
    for table in tables:
        table.setflags(write=False)
    return Proposal(chosen, len(said), *tables)


def _different(candidates: Iterator[Candidate], most: int) -> Iterator[Candidate]:
    seen: set[str] = set()
    for candidate in candidates:
        key = json.dumps(candidate.call, sort_keys=True)
        if key not in seen and len(seen) < most:
            seen.add(key)
            yield candidate


def _of_clause(view: View, surveyor: Surveyor, clause: Clause, number: int) -> list[Candidate]:
    """Candidates of one clause, the likeliest first."""
    if not view.items:
        return []
    subject = surveyor.match(clause.subject)
    whole = 0.6 * total(subject) + 0.4 * total(surveyor.match(clause.said))
    beside = total(surveyor.match(clause.other)) if clause.parts[1] else np.zeros(len(view.items), np.float32)
    order = np.argsort(-whole, kind="stable")[:SUBJECTS]
    found: list[Candidate] = []
    for rank, place in enumerate(order):
        item = view.items[place]
        rival = whole[order[1]] if rank == 0 and len(order) > 1 else whole[order[0]]
        person = Subject(number, item, subject[place], float(whole[place]), rank, float(whole[place] - rival))
        best = [int(n) for n in np.argsort(-beside, kind="stable") if n != place and beside[n] > 0][:OTHERS]
        case = Case(view, item, clause, tuple(view.items[n] for n in best))
        found += _of_case(case, person, beside)
    return sorted(found, key=lambda candidate: -candidate.prior)


def _of_case(case: Case, subject: Subject, beside: Array) -> Iterator[Candidate]:
    for operation, cue in zip(OPERATIONS, case.clause.cues, strict=True):
        if cue == 0 and max(case.clause.cues) > 0:
            continue
        for offer in PROPOSERS[operation](case):
            other = float(beside[offer.other]) if offer.other >= 0 else 0.0
            value = offer.fit + offer.agree + offer.odd
            prior = subject.total + _CUE_WEIGHT * cue + _VALUE_WEIGHT * (value + min(1.0, other))
            yield Candidate(offer, subject, cue, other, prior)
