"""Small drawings and verdicts that the scoring tests share."""

from __future__ import annotations

from typing import Any

from vbench_env.scoring import Scorecard, judge


def drawing(body: str, attributes: str = 'viewBox="0 0 100 100"') -> str:
    """An SVG document round some markup."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f"{attributes}>{body}</svg>"
    )


def same(target: str, candidate: str, **options: Any) -> bool:
    """Whether a candidate preserves a target, both given as markup."""
    card = judge(drawing(target), drawing(candidate), **options)
    assert card.valid, card.faults
    return card.preserved


def repaired(
    target: str, candidate: str, start: str, part: str, attribute: str, before: object = None, after: object = None,
    **options: Any,
) -> Scorecard:  # fmt: skip
    """The scorecard of one requested repair, all drawings given as markup."""
    change = {"part": part, "attribute": attribute, "before": before, "after": after}
    return judge(
        drawing(target), drawing(candidate), corrupted_svg=drawing(start), repairs=[change], **options
    )
