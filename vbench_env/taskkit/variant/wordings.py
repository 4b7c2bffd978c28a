"""Changing words of all wordings at once, with the pieces of them that `named` and `evidence` quote."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from vbench_env.svg.document import Edit, apply_edits
from vbench_env.taskkit.question import PLAIN
from vbench_env.taskkit.variant.draft import Data, Unvaried

Editor = Callable[[str], Sequence[Edit]]
"""Finds what changes in a text."""

_QUOTES = re.compile(r""""[^"]*"|“[^”]*”|‘[^’]*’|«[^»]*»|(?<!\w)'[^']+'(?!\w)""")


def wordings(data: Data) -> dict[str, str]:
    """The texts of the instruction, by the name of the wording."""
    return {PLAIN: data["instruction"], **(data.get("paraphrases") or {})}


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Where something stands in quotes."""
    return [match.span() for match in _QUOTES.finditer(text)]


def outside_quotes(text: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Matches of a pattern that do not touch what stands in quotes."""
    spans = quoted_spans(text)
    return [
        match
        for match in pattern.finditer(text)
        if not any(match.start() < end and start < match.end() for start, end in spans)
    ]


def reworded(data: Data, editor: Editor) -> Data:
    """`data` (changed in place) with every wording edited, quotations following."""
    old = wordings(data)
    edits = {name: sorted(editor(text)) for name, text in old.items()}
    for repair in data["repairs"]:
        if repair.get("named"):
            repair["named"] = _followed(repair["named"], PLAIN, old, edits)
        if repair.get("evidence"):
            _quotations(repair["evidence"], old, edits)
    new = {name: apply_edits(text, edits[name]) for name, text in old.items()}
    data["instruction"] = new.pop(PLAIN)
    if new:
        data["paraphrases"] = new
    return data


def _quotations(evidence: Any, old: dict[str, str], edits: dict[str, list[Edit]]) -> None:
    for key in ("words", "time"):
        piece = evidence.get(key)
        if isinstance(piece, dict) and "text" not in piece:
            evidence[key] = {name: _followed(part, name, old, edits) for name, part in piece.items()}
        elif isinstance(piece, str):
            found = {name: _followed(piece, name, old, edits) for name in old}
            same = len(set(found.values())) == 1
            if not same and key == "time":
                raise Unvaried("the wordings name a time in different words")
            evidence[key] = found[PLAIN] if same else found
    for nested in (evidence.get("except") or {}).values():
        _quotations(nested, old, edits)


def _followed(piece: str, name: str, old: dict[str, str], edits: dict[str, list[Edit]]) -> str:
    """A piece of a wording as it reads after the edits."""
    text = old.get(name, "")
    match = _find(text, piece)
    if match is None:
        raise Unvaried(f"the words {piece!r} cannot be found in the {name} wording")
    inside = [edit for edit in edits[name] if edit.start < match.end() and match.start() < edit.end]
    start = min([match.start(), *(edit.start for edit in inside)])
    end = max([match.end(), *(edit.end for edit in inside)])
    shifted = [Edit(edit.start - start, edit.end - start, edit.new) for edit in inside]
    return apply_edits(text[start:end], shifted)


_LOOSE = {"'": "['’‘]", '"': '["“”]', "-": r"[\s\-–]+", "–": r"[\s\-–]+"}


def _find(text: str, piece: str) -> re.Match[str] | None:
    """Where a piece stands in a text; case, white space, hyphens and the form of quotes aside."""
    words = re.split(r"[\s\-–]+", piece.replace("’", "'").replace("‘", "'").strip())
    patterns = ("".join(_LOOSE.get(letter, re.escape(letter)) for letter in word) for word in words)
    return re.search(r"[\s\-–]+".join(patterns), text, re.IGNORECASE)


def cased_like(new: str, old: str) -> str:
    """`new` with a capital first letter where `old` has one."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new
