"""Texts for an agent, kept within bounds."""

from __future__ import annotations


def shorten(text: str, limit: int) -> str:
    """`text`, or `limit` characters of its two ends with a note on how much was left out."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}\n[... {len(text) - limit} characters left out ...]\n{text[len(text) - tail :]}"
