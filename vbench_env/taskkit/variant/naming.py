"""Other names for everything in a drawing: synonyms, another way to join words, a word for the kind of thing.

Which synonym a word gets is drawn once for the whole drawing, so that names that go together still do
(`upper-band`, `lower-band`). An id that has no synonym is joined otherwise or gets a word for its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from vbench_env.svg.document import SourceDocument
from vbench_env.svg.parse import Node
from vbench_env.taskkit.variant.draft import Draft, Step, Unvaried
from vbench_env.taskkit.variant.ids import renamed
from vbench_env.taskkit.variant.synonyms import BY_TAG, SYNONYMS
from vbench_env.taskkit.wording import giveaway, looks_generated

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\dA-Za-z_]+")
_NUMBERED_CLASS = re.compile(r"([A-Za-z]+)([-_]?)(\d+)")
_CLASS_STEMS = ("st", "cls-", "s", "fil", "c", "sty-")
_SYNONYM_RATE = 0.7
"""Share of the words with synonyms that change."""

Joiner = Callable[[Sequence[str]], str]


def _camel(words: Sequence[str]) -> str:
    return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])


def _pascal(words: Sequence[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


JOINERS: dict[str, Joiner] = {
    "hyphens": "-".join, "underscores": "_".join, "capitals": _camel, "initial capitals": _pascal,
}  # fmt: skip


def with_names(draft: Draft, random: Random, words: Mapping[str, str]) -> Step:
    """The draft with other ids and classes, and what was done.

    Args:
        draft: to rename.
        random: decides words and the way to join them.
        words: words of ids that must become others, since they no longer tell the truth.

    Raises:
        Unvaried: there is nothing to rename.
    """
    document = SourceDocument(draft.svg)
    nodes = {node.id: node for node in document.parsed.nodes if node.id}
    if not nodes:
        raise Unvaried("nothing in the drawing has an id")
    style = random.choice([name for name in JOINERS if name != _style_of(list(nodes))])
    namer = _Namer(random, JOINERS[style], words)
    ids = namer.names(nodes)
    classes = _class_names(document, random, JOINERS[style])
    note = f"{len(ids)} ids and {len(classes)} classes renamed, joined by {style}"
    return Step(renamed(draft, ids, classes), note)


def _style_of(names: Sequence[str]) -> str:
    """How most of the names join their words."""
    counts = {
        "hyphens": sum("-" in name for name in names),
        "underscores": sum("_" in name for name in names),
        "capitals": sum(re.search("[a-z][A-Z]", name) is not None and name[0].islower() for name in names),
        "initial capitals": sum(name[0].isupper() for name in names),
    }
    return max(counts, key=lambda style: counts[style])


class _Namer:
    """Names drawn by lot; the same word gets the same synonym everywhere."""

    def __init__(self, random: Random, join: Joiner, words: Mapping[str, str]) -> None:
        self.random, self.join = random, join
        self._words: dict[str, str] = dict(words)

    def names(self, nodes: dict[str, Node]) -> dict[str, str]:
        """A new name for every id, all different."""
        taken = set(nodes)
        found: dict[str, str] = {}
        for old, node in nodes.items():
            found[old] = self._free(old, node, taken)
            taken.add(found[old])
        return found

    def _free(self, old: str, node: Node, taken: set[str]) -> str:
        words = [self._word(word) for word in split_words(old)]
        kinds = list(BY_TAG.get(node.tag, ("part",)))
        self.random.shuffle(kinds)
        options = [words, *([*words, kind] for kind in kinds if kind not in words), [*words, "part", "piece"]]
        for option in options:
            name = self.join(option)
            if name not in taken and not giveaway(name) and not looks_generated(name):
                return name
        raise Unvaried(f"no other name is left for {old!r}")

    def _word(self, word: str) -> str:
        if word not in self._words:
            self._words[word] = self._drawn(word)
        return self._words[word]

    def _drawn(self, word: str) -> str:
        rings = SYNONYMS.get(word, ())
        return self.random.choice(rings) if rings and self.random.random() < _SYNONYM_RATE else word


def split_words(name: str) -> list[str]:
    """The words of an id, in lower case."""
    return [word.lower() for word in _WORDS.findall(name)] or [name]


def _class_names(document: SourceDocument, random: Random, join: Joiner) -> dict[str, str]:
    """New names for classes: numbered ones get another stem, others are joined otherwise."""
    classes = dict.fromkeys(
        word for node in document.parsed.nodes for word in node.attrs.get("class", "").split()
    )
    stems = {match[1] for name in classes if (match := _NUMBERED_CLASS.fullmatch(name))}
    stem = random.choice([item for item in _CLASS_STEMS if item.rstrip("-") not in stems])
    found: dict[str, str] = {}
    for name in classes:
        match = _NUMBERED_CLASS.fullmatch(name)
        new = f"{stem}{match[3]}" if match else join(split_words(name))
        if new not in found.values() and (new not in classes or new == name):
            found[name] = new
    return {old: new for old, new in found.items() if old != new}
