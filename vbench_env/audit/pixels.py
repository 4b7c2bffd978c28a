"""Pictures beside verdicts: where both part, the reason, or that there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

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


def share_changed(target: str | bytes, candidate: str | bytes, side_px: int = SIDE_PX) -> float | None:
    """Share of pixels that differ between two drawings; None where one cannot be drawn."""
    one, other = _kept(target, side_px), _drawn(candidate, side_px)
    if isinstance(one, RenderFailure) or isinstance(other, RenderFailure):
        return None
    return float(changed_pixels(one, other).mean())


def _drawn(svg: str | bytes, side_px: int) -> Picture | RenderFailure:
    return get_renderer("resvg").render(RenderRequest(svg, side_px, side_px))


_kept = lru_cache(maxsize=160)(_drawn)
"""Pictures of targets, which many cases share."""


def look(subject: Subject, case: Case, card: Scorecard) -> Look:
    """Draw the candidate, and the drawing that it was made from, and compare with the verdict."""
    share = share_changed(_origin(subject, case), case.candidate)
    if share is None:
        return Look(None, True, "no picture")
    same_picture = share <= SHARE
    same_verdict = card.valid and card.preserved if case.plan.kind == "rewritten start" else card.reward == 1
    if same_picture == same_verdict:
        return Look(share, True)
    if same_verdict:
        return Look(share, False, _why_seen(subject, case))
    return Look(share, False, _why_unseen(subject, case, card))


def _origin(subject: Subject, case: Case) -> str | bytes:
    """The drawing that the case changes."""
    start = subject.start if case.plan.kind == "rewritten start" else None
    return subject.target if start is None else start


def _why_seen(subject: Subject, case: Case) -> str:
    """Why an accepted candidate looks different; empty unless it does not without what the renderer does not know."""
    if case.plan.steps[0].name == "within the tolerance":
        return "a repair within its tolerance"
    known = tuple(s for s in case.plan.steps if s.what != "rewriter" or not REWRITERS[s.name].unseen)
    reasons = {REWRITERS[s.name].unseen for s in case.plan.steps if s not in known}
    rest = build(subject, replace(case.plan, steps=known)) if known else None
    if rest is not None and (share_changed(_origin(subject, rest), rest.candidate) or 0.0) > SHARE:
        return "rounding at this size; other sizes agree" if _only_here(subject, rest) else ""
    return "; ".join(sorted(reasons))


OTHER_SIZES_PX = (243, 311, 397)
"""Sizes that share no divisor with the first one, so that what is snapped to pixels there is not here."""


def _only_here(subject: Subject, case: Case) -> bool:
    """Whether pictures of other sizes are alike: what is really different is so at every size."""
    shares = [share_changed(_origin(subject, case), case.candidate, side) for side in OTHER_SIZES_PX]
    return all(share is not None and share <= SHARE for share in shares)


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
_CLOSER_PX = 1024
_SMALL = f"too small to see; seen at {_CLOSER_PX} pixels"
_FAINT = f"covered, off the canvas, or without effect where it stands, at {_CLOSER_PX} pixels too"


def _why_unseen(subject: Subject, case: Case, card: Scorecard) -> str:
    """Why a rejected candidate may look the same."""
    if not card.valid:
        return f"invalid: {card.faults[0].kind}" if card.faults else "invalid"
    kinds = sorted({change.subtype for change in card.changes})
    if not kinds:
        return f"a repair was missed: {_closer(subject, case)}"
    return "; ".join(sorted({_UNSEEN.get(kind) or _closer(subject, case) for kind in kinds}))


def _closer(subject: Subject, case: Case) -> str:
    return _SMALL if share_changed(subject.target, case.candidate, _CLOSER_PX) else _FAINT
