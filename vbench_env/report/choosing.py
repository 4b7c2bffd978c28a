"""Criteria that choose one of several answers to a task, without looking at the hidden target.

What is known of an answer is the answer, the drawing that it started from and the other answers. A criterion gives
every answer a key; the least key is chosen. Only `oracle` looks at the verdict: it is the bound of all criteria.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from vbench_env.registry import Registry
from vbench_env.scoring.grammar import Key
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.validity import document_faults
from vbench_env.svg.document import changed_span
from vbench_env.svg.parse import Document, Node, parse

MOST_PAIRS = 4_000_000
"""Pieces of one text times pieces of the other, beyond which only the span that changed is measured."""
_PIECE = re.compile(r"<[^<>]*>|[^<]+|<")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, kept small.

    Attributes:
        sample: its number.
        passed: the verdict, and `progress`; for `oracle` alone.
        valid: whether it is a sound document, the faults of its start forgiven.
        edit: characters that differ from the start; 0 for an answer that changes nothing.
        size: characters.
        digest: the same for answers that say the same: elements, attributes in any order, texts.
    """

    sample: int
    passed: bool
    progress: float
    valid: bool
    edit: int
    size: int
    digest: str

    @property
    def unfit(self) -> bool:
        """Whether it is no document, or no edit at all; no such answer can be right."""
        return not self.valid or self.edit == 0


Keys = Callable[[Sequence[Answer]], list[tuple[Any, ...]]]
CRITERIA: Registry[Keys] = Registry("criterion")


@CRITERIA.register("first")
def first(answers: Sequence[Answer]) -> list[tuple[Any, ...]]:
    """The first answer, whatever it is."""
    return [(answer.sample,) for answer in answers]


@CRITERIA.register("smallest-diff")
def smallest_diff(answers: Sequence[Answer]) -> list[tuple[Any, ...]]:
    """A sound document that changes something, and least of all."""
    return [(answer.unfit, answer.edit, answer.sample) for answer in answers]


@CRITERIA.register("consensus")
def consensus(answers: Sequence[Answer]) -> list[tuple[Any, ...]]:
    """What most sound answers say; of as many, the smallest difference from the start."""
    counts = Counter(answer.digest for answer in answers if not answer.unfit)
    return [(answer.unfit, -counts[answer.digest], answer.edit, answer.sample) for answer in answers]


@CRITERIA.register("smallest-file")
def smallest_file(answers: Sequence[Answer]) -> list[tuple[Any, ...]]:
    """The shortest sound document that changes something."""
    return [(answer.unfit, answer.size, answer.sample) for answer in answers]


@CRITERIA.register("oracle")
def oracle(answers: Sequence[Answer]) -> list[tuple[Any, ...]]:
    """The answer with the best verdict: what no choice can be better than."""
    return [(not answer.passed, -answer.progress, answer.sample) for answer in answers]


def answer_of(
    sample: int,
    svg: str | None,
    verdict: tuple[bool, float],
    start: str,
    rules: Rules,
    baseline: Counter[Key],
) -> Answer:
    """What is kept of an answer.

    Args:
        sample: its number.
        svg: the text that was scored.
        verdict: whether it passed, and its progress.
        start: the drawing that the agent got.
        rules: whose grammar decides what a sound document is.
        baseline: faults of the start, from `validity.fault_keys`.
    """
    text = svg or ""
    document = parse(text, rules.limits)
    valid = document.root is not None and not document_faults(document, rules, baseline)
    return Answer(sample, *verdict, valid, edit_size(start, text), len(text), digest(document, text))


def edit_size(start: str, text: str) -> int:
    """Characters that were taken out and put in, tag by tag and text by text."""
    if start == text:
        return 0
    ours, theirs = _PIECE.findall(start), _PIECE.findall(text)
    if len(ours) * len(theirs) > MOST_PAIRS:
        return _span(start, text)
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    return sum(
        _span("".join(ours[a:b]), "".join(theirs[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    )


def _span(old: str, new: str) -> int:
    return sum(edit.end - edit.start + len(edit.new) for edit in changed_span(old, new))


def digest(document: Document, text: str) -> str:
    """A hash that is the same for documents whose elements, attributes and texts are; of the letters otherwise."""
    parts: list[str] = [] if document.root is not None else [text]
    depth: dict[Node, int] = {}
    for node in document.nodes:
        depth[node] = depth[node.parent] + 1 if node.parent is not None else 0
        attributes = sorted(f"{name}={' '.join(value.split())}" for name, value in node.attrs.items())
        parts += [str(depth[node]), node.tag, *attributes]
        parts += [" ".join(node.text.split()), " ".join(node.tail.split())]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
