"""Another layout: the drawing mirrored or moved, and all of its coordinates on another scale."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from vbench_env.protected import find_object
from vbench_env.render import get_renderer
from vbench_env.svg.parse import Node, parse
from vbench_env.taskkit.build import shown
from vbench_env.taskkit.look import cells_apart
from vbench_env.taskkit.variant.directions import SWAPPED, mirrored_evidence, mirrored_words
from vbench_env.taskkit.variant.draft import Data, Draft, Step, Unvaried
from vbench_env.taskkit.variant.frames import Frame
from vbench_env.taskkit.variant.kinds import view_of
from vbench_env.taskkit.variant.moved import LENGTHS
from vbench_env.taskkit.variant.policy import Policy
from vbench_env.taskkit.variant.relaid import Relayer
from vbench_env.taskkit.variant.wordings import reworded
from vbench_env.taskkit.visibility import picture_size, pixels

SCALES = (0.5, 0.6, 0.75, 0.8, 1.2, 1.25, 1.5, 1.6, 2.0, 2.4, 2.5)
_MIRROR_RATE = 0.75
_SHIFT = 0.15
"""The origin moves by at most this share of the drawing's sides."""
MOST_CHANGED = {False: 0.001, True: 0.01}
"""Share of cells of 4 by 4 pixels that may look different, for moved and for mirrored drawings."""


def with_layout(draft: Draft, random: Random, policy: Policy, *, moving: bool = True) -> Step:
    """The draft in another layout, and what was done.

    Args:
        draft: to lay out anew.
        random: decides scale, mirror and shift.
        policy: says whether the drawing may be mirrored.
        moving: without, coordinates are only scaled, which every drawing bears.

    Raises:
        Unvaried: the drawing or its evidence does not bear it; the message says why.
    """
    mirrored = moving and policy.mirror and random.random() < _MIRROR_RATE
    frame = _drawn_frame(draft, random, mirrored=mirrored, moving=moving)
    relayer = Relayer(draft.svg, frame)
    data = draft.copied()
    for repair in data["repairs"]:
        _move_repair(relayer, repair)
        if repair.get("evidence"):
            _move_evidence(repair["evidence"], repair["property"], frame)
            if frame.mirrored:
                mirrored_evidence(repair["evidence"])
    if frame.mirrored:
        data = reworded(data, mirrored_words(policy.keep_words))
    new = Draft(relayer.drawing(), data)
    _require_alike(draft, new, frame.mirrored)
    how = "mirrored, " if frame.mirrored else "origin moved, " if frame.tx or frame.ty else ""
    return Step(new, f"{how}coordinates times {shown(frame.sy)}", SWAPPED if frame.mirrored else {})


def _drawn_frame(draft: Draft, random: Random, *, mirrored: bool, moving: bool) -> Frame:
    """A frame drawn by lot that leads to round numbers for the new view box."""
    root = parse(draft.svg).root
    assert root is not None
    view = view_of(root)
    scale = random.choice(SCALES)
    shift = [round(random.uniform(-_SHIFT, _SHIFT) * scale * side) for side in (view.width, view.height)]
    if "viewBox" not in root.attrs or not moving:
        shift = [0, 0]
    x, y = scale * view.x + shift[0], scale * view.y + shift[1]
    if mirrored:
        return Frame(-scale, scale, x + scale * (view.x + view.width), y - scale * view.y)
    return Frame(scale, scale, x - scale * view.x, y - scale * view.y)


def _move_repair(relayer: Relayer, repair: Data) -> None:
    """Corrupted and accepted values of one repair in new coordinates."""
    node = find_object(relayer.spaces.document, repair["object"])
    if node is None or repair["operation"] in ("insert", "delete", "reorder", "text", "relink"):
        return
    prop = repair["property"]
    if repair.get("corrupted") is not None:
        repair["corrupted"] = moved_like(relayer, node, prop, repair["corrupted"])
    accept = repair.get("accept") or {}
    if "interval" in accept:
        raise Unvaried("an accepted interval has a size that cannot be rewritten")
    for key in ("choice", "range"):
        if key in accept:
            moved = [moved_like(relayer, node, prop, value) for value in accept[key]]
            accept[key] = sorted(moved) if key == "range" else moved


def moved_like(relayer: Relayer, node: Node, prop: str, value: Any) -> Any:
    """A value of a property of `node` in new coordinates; numbers stay numbers."""
    text = relayer.moved(node, prop, shown(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text
    number = float(text)
    return int(number) if number == int(number) else number


_ALONG_X = frozenset({"x", "cx", "x1", "x2", "dx", "left", "right", "center-x"})
_SIZES = LENGTHS | {"y", "cy", "y1", "y2", "dy", "top", "bottom", "center-y", "box-width", "box-height"}


def _move_evidence(evidence: Data, prop: str, frame: Frame) -> None:
    """Offsets of evidence in new coordinates, in place."""
    offset = evidence.get("offset")
    what = evidence.get("property") or prop
    if isinstance(offset, list):
        evidence["offset"] = [frame.sx * offset[0], frame.sy * offset[1]]
    elif isinstance(offset, int | float):
        factor = frame.sx if what in _ALONG_X else frame.sy if what in _SIZES else 1.0
        evidence["offset"] = offset * factor
    for name, nested in (evidence.get("except") or {}).items():
        _move_evidence(nested, name, frame)


def _require_alike(old: Draft, new: Draft, mirrored: bool) -> None:
    """Both drawings of the new draft must look like the old ones; of mirrored ones, all but the texts."""
    for what, one, other in zip(("target", "corrupted drawing"), old.pictures(), new.pictures(), strict=True):
        share = _difference(one, other, mirrored)
        if share > MOST_CHANGED[mirrored]:
            raise Unvaried(f"the {what} would look different on {share:.2%} of its area")


def _difference(one: str, other: str, mirrored: bool) -> float:
    renderer, size = get_renderer("resvg"), picture_size(one)
    if not mirrored:
        return cells_apart(pixels(one, renderer, size), pixels(other, renderer, size))
    first, second = (pixels(_without_text(svg), renderer, size) for svg in (one, other))
    return cells_apart(first[:, ::-1], second)


def _without_text(svg: str) -> str:
    return re.sub(r"(<(?:\w+:)?svg\b[^>]*>)", r"\1<style>text{display:none!important}</style>", svg, count=1)
