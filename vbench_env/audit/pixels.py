"""Pictures beside verdicts: where both part, the reason, or that there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vbench_env.audit.cases import Case, Subject, build
from vbench_env.audit.rewriters import REWRITERS
from vbench_env.render import Picture, RenderFailure, RenderRequest, get_renderer
from vbench_env.render.compare import changed_pixels
from vbench_env.scoring.scorecard import Scorecard

SIDE_PX = 256
SHARE = 0.0004
"""Share of pixels up to which two pictures count as one: about 26 of 256 x 256, what rounding moves at edges."""


@dataclass(frozen=True, slots=True)
class Look:
    """What two pictures say about one case.

    Attributes:
        share: pixels that differ, 0 to 1; None without both pictures.
        agrees: whether picture and verdict say the same.
        reason: why they need not; empty where they agree, or where nothing explains it.
    """

    share: float | None
    agrees: bool
    reason: str = ""


def share_changed(first: str | bytes, second: str | bytes, side_px: int = SIDE_PX) -> float | None:
    """Share of pixels that differ between two drawings; None where one cannot be drawn."""
    renderer = get_renderer("resvg")
    pictures = [renderer.render(RenderRequest(svg, side_px, side_px)) for svg in (first, second)]
    one, other = pictures
    if isinstance(one, RenderFailure) or isinstance(other, RenderFailure):
        return None
    assert isinstance(one, Picture) and isinstance(other, Picture)
    return float(changed_pixels(one, other).mean())


def look(subject: Subject, case: Case, card: Scorecard) -> Look:
    """Draw the target and the candidate and compare with the verdict."""
    share = share_changed(subject.target, case.candidate)
    if share is None:
        return Look(None, True, "no picture")
    same_picture = share <= SHARE
    same_verdict = card.reward == 1
    if same_picture == same_verdict:
        return Look(share, True)
    if same_verdict:
        return Look(share, False, _why_seen(subject, case))
    return Look(share, False, _why_unseen(case, card))


def _why_seen(subject: Subject, case: Case) -> str:
    """Why an accepted candidate looks different; empty unless it does not without what the renderer does not know."""
    if case.plan.kind == "route":
        return "a repair within its tolerance"
    known = tuple(s for s in case.plan.steps if s.what != "rewriter" or not REWRITERS[s.name].unseen)
    reasons = {REWRITERS[s.name].unseen for s in case.plan.steps if s not in known}
    rest = build(subject, replace(case.plan, steps=known)) if known else None
    if rest is not None and (share_changed(subject.target, rest.candidate) or 0.0) > SHARE:
        return ""
    return "; ".join(sorted(reasons))


_UNSEEN = {
    "metadata": "says nothing to a renderer",
    "nesting": "groups are not drawn",
    "reference": "a name or link without a picture of its own",
    "root": "the picture is drawn in a fixed size",
    "text": "title or description, or a letter too small to see",
    "reorder": "painted in another order, nothing overlapping",
    "added_object": "covered, off the canvas, hidden or empty",
    "deleted_object": "covered, off the canvas, hidden or empty",
    "deleted_definition": "not used, or used where it is not seen",
}
_FAINT = "too small to see, covered, off the canvas, or without effect where it stands"


def _why_unseen(case: Case, card: Scorecard) -> str:
    """Why a rejected candidate may look the same."""
    if not card.valid:
        return f"invalid: {card.faults[0].kind}" if card.faults else "invalid"
    kinds = sorted({change.subtype for change in card.changes})
    if not kinds:
        return "a repair was missed that moves too little to see"
    return "; ".join(sorted({_UNSEEN.get(kind, _FAINT) for kind in kinds}))
