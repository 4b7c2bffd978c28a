"""Changes that nobody asked for, those that are alike taken together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vbench_env.report import words
from vbench_env.report.repair_view import Value, swatch
from vbench_env.scoring.scorecard import Change

MOST_OBJECTS = 6
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_PLACES = {
    "added_object": ("", "at"),
    "deleted_object": ("was at", ""),
    "deleted_definition": ("was at", ""),
    "nesting": ("was at", "now at"),
    "reorder": ("was at", "now at"),
}


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A change made to one object, or alike to several.

    Attributes:
        letter: of its rings; empty without one.
        objects: the first of the changed objects, and `others`, how many more there are.
        values: what was and what is now, each with a word before it.
    """

    letter: str
    objects: tuple[str, ...]
    others: int
    subtype: str
    detail: str
    values: tuple[tuple[str, Value], ...]
    protected: bool


def change_views(changes: Sequence[Change]) -> tuple[ChangeView, ...]:
    """Changes in order of appearance; a letter for each row of few objects, the same for the same objects."""
    alike: dict[tuple[str | None, ...], list[Change]] = {}
    for change in changes:
        places = change.subtype in _PLACES
        key = (change.object,) if places else (change.detail, change.before, change.after)
        alike.setdefault((change.subtype, *key), []).append(change)
    letters: dict[tuple[str, ...], str] = {}
    return tuple(_view(group, letters) for group in alike.values())


def _view(group: Sequence[Change], letters: dict[tuple[str, ...], str]) -> ChangeView:
    first = group[0]
    objects = tuple(dict.fromkeys(change.object for change in group))
    letter = ""
    if first.subtype != "root" and len(objects) <= MOST_OBJECTS and (objects in letters or len(letters) < 26):
        letter = letters.setdefault(objects, _LETTERS[len(letters) % 26])
    return ChangeView(
        letter=letter, objects=objects[:MOST_OBJECTS], others=max(0, len(objects) - MOST_OBJECTS),
        subtype=words.SUBTYPE[first.subtype], detail=first.detail, values=_values(first),
        protected=any(change.protected for change in group),
    )  # fmt: skip


def _values(change: Change) -> tuple[tuple[str, Value], ...]:
    was, now = _PLACES.get(change.subtype, ("was", "now"))
    shown = ((was, change.before), (now, change.after))
    return tuple((word, Value(words.value_text(value), swatch(value))) for word, value in shown if word)
