"""Which colours of a drawing the colour words of an instruction mean.

A word is read in its sentence: it speaks of the repaired objects that the sentence names, of the colours that
they have and should have, and of what their evidence refers to. A word in a sentence that names none is looked
for in the whole drawing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from vbench_env.protected import find_object
from vbench_env.svg.colors import lab
from vbench_env.svg.parse import Node
from vbench_env.svg.references import href_target, split_urls
from vbench_env.taskkit.scene import Scene
from vbench_env.taskkit.variant.color_names import NEUTRAL, WORDS, distance_to, name_of
from vbench_env.taskkit.variant.draft import Data, Draft, Unvaried
from vbench_env.taskkit.variant.paints import RGB, colors_in
from vbench_env.taskkit.variant.wordings import outside_quotes, wordings
from vbench_env.taskkit.wording import says

COLOR_WORD = re.compile(r"\b(" + "|".join(sorted(WORDS, key=len, reverse=True)) + r")(?=s?\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?;]+[.!?;]*")
_REFERENCE = re.compile(r"(?:url\(\s*[\"']?)?#([\w.-]+?)[\"']?\s*\)?")
_FILE = re.compile(r"\b[\w-]+\.\w+")
_FARTHEST = 26.0
"""CIE76 distance to its examples beyond which a word does not mean a colour."""
_GREY = 4.0
"""CIE L*a*b* chroma below which only words for greys mean a colour."""


class Meaning(NamedTuple):
    """Colours that a word means, and those beside them that it must be told from."""

    colors: frozenset[RGB]
    others: frozenset[RGB]


def color_words(text: str, kept: Sequence[str]) -> list[re.Match[str]]:
    """Colour words of a text that are no quotations, no file names, and in none of the phrases to keep."""
    spared = [m.span() for phrase in kept for m in re.finditer(re.escape(phrase), text, re.IGNORECASE)]
    spared += [match.span() for match in _FILE.finditer(text)]
    return [
        match
        for match in outside_quotes(text, COLOR_WORD)
        if not any(start <= match.start() and match.end() <= end for start, end in spared)
    ]


def meanings(draft: Draft, everything: frozenset[RGB], kept: Sequence[str]) -> dict[str, Meaning]:
    """The meaning of every colour word in use.

    Raises:
        Unvaried: a word means no colour of the drawing.
    """
    scene = Scene(draft.svg)
    ties = [_tied(scene, repair) for repair in draft.data["repairs"]]
    found: dict[str, Meaning] = {}
    for name, text in wordings(draft.data).items():
        for match in color_words(text, kept):
            word = match[0].lower()
            near = _in_sentence(draft.data, text, match.start(), ties) if name == "plain" else ties
            meaning = _meaning(word, near, everything)
            known = found.get(word, Meaning(frozenset(), frozenset()))
            if name == "plain" or not known.colors:
                found[word] = Meaning(known.colors | meaning.colors, known.others | meaning.others)
    return found


def _meaning(word: str, ties: list[Meaning], everything: frozenset[RGB]) -> Meaning:
    for pool in (frozenset().union(*(tie.colors for tie in ties)), everything):
        colors = _best(word, pool)
        if colors:
            others = frozenset().union(*(tie.others for tie in ties)) - colors
            return Meaning(colors, frozenset(rgb for rgb in others if name_of(rgb) not in WORDS[word]))
    raise Unvaried(f"no colour of the drawing is {word}")


def _best(word: str, pool: frozenset[RGB]) -> frozenset[RGB]:
    """The colours of a pool that a word fits about as well as any; first those that would be called so."""
    grey = WORDS[word] <= NEUTRAL
    pool = frozenset(rgb for rgb in pool if name_of(rgb) in WORDS[word]) or pool
    far = {rgb: distance_to(rgb, WORDS[word]) for rgb in pool if grey or math.hypot(*lab(rgb)[1:]) > _GREY}
    nearest = min(far.values(), default=_FARTHEST)
    limit = min(1.3 * nearest + 3.0, _FARTHEST)
    return frozenset(rgb for rgb, distance in far.items() if distance <= limit)


def _in_sentence(data: Data, text: str, place: int, ties: list[Meaning]) -> list[Meaning]:
    """What the repairs named in the sentence at `place`, else in the one before, are tied to."""
    sentences = [match for match in _SENTENCE.finditer(text) if match.start() <= place]
    for sentence in reversed(sentences[-2:]):
        near = [
            tie
            for repair, tie in zip(data["repairs"], ties, strict=True)
            if repair.get("named") and says(sentence[0], repair["named"])
        ]
        if near:
            return near
    return ties


def _tied(scene: Scene, repair: Data) -> Meaning:
    """Colours of the repaired object, of its corrupted value and of its evidence; those of their siblings apart."""
    names = (repair["object"], *_references(repair.get("evidence")), *_linked(repair.get("corrupted")))
    nodes = [find_object(scene.document, name) for name in names]
    colors: set[RGB] = set()
    others: set[RGB] = set()
    for node in nodes:
        if node is not None:
            colors.update(object_colors(scene, node))
            siblings = node.parent.children if node.parent is not None else []
            for sibling in siblings:
                if sibling.tag == node.tag and sibling is not node:
                    others.update(object_colors(scene, sibling))
    if isinstance(repair.get("corrupted"), str):
        colors.update(colors_in(repair["corrupted"]))
    return Meaning(frozenset(colors), frozenset(others - colors))


def _linked(corrupted: Any) -> Iterator[str]:
    """The id that a corrupted reference leads to."""
    match = _REFERENCE.fullmatch(corrupted) if isinstance(corrupted, str) else None
    if match is not None:
        yield match[1]


def _references(evidence: Any) -> Iterator[str]:
    if not isinstance(evidence, dict):
        return
    for key in ("of", "swatch", "label"):
        if isinstance(evidence.get(key), str):
            yield evidence[key]
    for nested in (evidence.get("except") or {}).values():
        yield from _references(nested)


def object_colors(scene: Scene, node: Node, depth: int = 0) -> Iterator[RGB]:
    """Colours with which an object and all that it holds or uses are painted."""
    for part in node.iter():
        for prop in ("fill", "stroke", "color", "stop-color"):
            yield from _paint(scene, part, prop, depth)
        target = scene.document.by_id(href_target(part) or "")
        if target is not None and depth < 4:
            yield from object_colors(scene, target, depth + 1)


def _paint(scene: Scene, node: Node, prop: str, depth: int) -> Iterator[RGB]:
    declared = scene.declared(node, prop)
    text = declared if node.tag in ("g", "use", "svg", "stop") else scene.text_of(node, prop)
    if text is None or (prop in ("color", "stop-color") and declared is None):
        return
    if text.lower() == "currentcolor":
        text = scene.text_of(node, "color") or ""
    yield from colors_in(text)
    referring = split_urls(text)
    for name in referring.ids if referring and depth < 4 else ():
        server = scene.document.by_id(name)
        if server is not None:
            yield from object_colors(scene, server, depth + 1)
