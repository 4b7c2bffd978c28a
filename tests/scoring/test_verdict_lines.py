"""Verdicts on every attribute, and on some hundred candidates of whole tasks, are as they were decided."""

from __future__ import annotations

import pytest

from tests.scoring.verdict_lines import CARDS, card_lines, row_verdict, rows

BY_ELEMENT: dict[str, list[tuple[str, ...]]] = {}
for row in rows():
    BY_ELEMENT.setdefault(row[0], []).append(row)


@pytest.mark.parametrize("tag", sorted(BY_ELEMENT))
def test_verdicts_on_attributes(tag: str) -> None:
    for row in BY_ELEMENT[tag]:
        assert row_verdict(*row[:4]) == row[4], row[:4]


def test_verdicts_on_candidates_of_tasks() -> None:
    """`python -m tests.scoring.verdict_lines --bless` writes them anew, where the difference is meant."""
    assert list(card_lines()) == CARDS.read_text(encoding="utf-8").splitlines()
