"""What the page of one reviewer asks for: the order, an item without its key, pictures, and saving.

Nothing that leaves this module names a model, a run, a protocol or a verdict. Drawings leave it as pixels or as
text for a text node.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, get_args

from pydantic import ValidationError

from vbench_env.errors import VBenchError
from vbench_env.experiments.manifest import software_versions
from vbench_env.render import Picture, Renderer, RenderFailure, RenderRequest, get_renderer
from vbench_env.render.viewport import viewport_of
from vbench_env.report.source_diff import source_diff
from vbench_env.review.folder import ReviewFolder
from vbench_env.review.labels import Given, Judgement, LabelFile, Reveal
from vbench_env.review.plan import Shown
from vbench_env.seeding import derive_random
from vbench_env.svg.parse import parse

View = Literal["start", "output", "target"]
SIDES_PX = (1400, 2800)
"""Longer side of a picture: to look at whole, and zoomed."""
_LEAST_PX = 80


class NotShown(VBenchError):
    """The page asked for something that is not there, or not to be seen yet."""


class ReviewDesk:
    """One reviewer at one review. Safe to use from several threads."""

    def __init__(
        self, folder: ReviewFolder, labels: LabelFile, reviewer: str, renderer: Renderer | None = None
    ) -> None:
        self.plan, self.reviewer = folder.plan, reviewer
        self._folder, self._file, self._labels = folder, labels, labels.labels
        self._renderer = renderer or get_renderer()
        self._lock = threading.Lock()
        self.order = order_of([item.item for item in self.plan.items], self.plan.seed, reviewer)
        self._shown = lru_cache(maxsize=16)(folder.shown)
        self._versions = {**software_versions(), "renderer": self._renderer.name}

    @property
    def judged(self) -> int:
        """Items judged so far."""
        return sum(item in self._labels.latest for item in self.order)

    @property
    def left(self) -> int:
        return len(self.order) - self.judged

    def session(self) -> dict[str, Any]:
        """The order and what is done; the first open item is where to go on."""
        items = [{"item": item, "judged": item in self._labels.latest} for item in self.order]
        return {"reviewer": self.reviewer, "items": items, "target": self.plan.target}

    def item(self, name: str) -> dict[str, Any]:
        """What the page shows of an item, and what this reviewer said of it last."""
        shown, before = self._known(name), self._labels.latest.get(name)
        answer = None if before is None else before.model_dump(mode="json", include=_ANSWERS)
        return {
            "item": name, "place": self.order.index(name) + 1, "title": shown.title,
            "instruction": shown.instruction, "repairs": list(shown.repairs), "answer": answer,
            "revealed": name in self._labels.revealed, "size": list(_size(shown.start, SIDES_PX[0])),
            "pictures": {view: self._state(shown, view) for view in ("start", "output")},
        }  # fmt: skip

    def picture(self, name: str, view: str, side_px: int = SIDES_PX[0]) -> bytes:
        """PNG of the start, the output or, once revealed, the target; `NotShown` where there is none."""
        shown = self._known(name)
        if view not in get_args(View) or side_px not in SIDES_PX:
            raise NotShown("no such picture")
        if view == "target" and name not in self._labels.revealed:
            raise NotShown("the target is not revealed")
        found = self._draw(shown, view, side_px)  # type: ignore[arg-type]
        if isinstance(found, RenderFailure):
            raise NotShown(found.message)
        return found.png

    def difference(self, name: str) -> dict[str, Any]:
        """What the output changed in the source, as lines of text."""
        shown = self._known(name)
        return asdict(source_diff(shown.start, shown.output))

    def reveal(self, name: str) -> dict[str, Any]:
        """Write down that the target is seen, then say whether it can be drawn."""
        shown = self._known(name)
        if not self.plan.target:
            raise NotShown("this review does not show targets")
        with self._lock:
            if name not in self._labels.revealed:
                line = Reveal(plan_id=self.plan.plan_id, reviewer=self.reviewer, at=_now(), item=name)
                self._file.append(line)
        return self._state(shown, "target")

    def judge(self, answer: bytes) -> dict[str, Any]:
        """Append a judgement.

        Raises:
            NotShown: the answer cannot be read, or names no item or repair of this review; the message says what.
        """
        try:
            given = Given.model_validate_json(answer)
        except ValidationError as error:
            first = error.errors()[0]
            raise NotShown(f"{'.'.join(map(str, first['loc'])) or 'answer'}: {first['msg']}") from error
        if max(given.missed, default=0) > len(self._known(given.item).repairs):
            raise NotShown("missed: there are fewer repairs than that")
        with self._lock:
            self._file.append(self._judgement(given))
        return {"judged": self.judged, "left": self.left}

    def _judgement(self, given: Given) -> Judgement:
        seen: set[Any] = {"target"} if given.item in self._labels.revealed else set()
        looked = {look for look in given.looked if look != "target"} | seen
        return Judgement(
            **{**given.model_dump(), "looked": sorted(looked), "missed": sorted(set(given.missed))},
            plan_id=self.plan.plan_id, reviewer=self.reviewer, at=_now(),
            place=self.order.index(given.item) + 1, versions=self._versions,
        )  # fmt: skip

    def _known(self, name: str) -> Shown:
        if name not in self.order:
            raise NotShown("no such item")
        return self._shown(name)

    def _draw(self, shown: Shown, view: View, side_px: int) -> Picture | RenderFailure:
        svg: Mapping[str, str] = {"start": shown.start, "output": shown.output, "target": shown.target}
        return self._renderer.render(RenderRequest(svg[view], *_size(shown.start, side_px)))

    def _state(self, shown: Shown, view: View) -> dict[str, Any]:
        found = self._draw(shown, view, SIDES_PX[0])
        if isinstance(found, RenderFailure):
            return {"drawn": False, "reason": found.message, "notes": []}
        return {"drawn": True, "reason": None, "notes": list(found.notes)}


_ANSWERS = {"repaired", "preserved", "valid", "missed", "score", "comment"}


def order_of(items: list[str], seed: int, reviewer: str) -> list[str]:
    """The order in which a reviewer sees the items: the same in every session, another for everybody else."""
    found = sorted(items)
    derive_random("review order", seed, reviewer).shuffle(found)
    return found


@lru_cache(maxsize=64)
def _size(svg: str, side_px: int) -> tuple[int, int]:
    """Pixels of all pictures of an item, in the proportions of its start."""
    root = parse(svg).root
    viewport = viewport_of(root) if root is not None else None
    if viewport is None or isinstance(viewport, RenderFailure):
        return side_px, round(side_px * 0.75)
    scale = side_px / max(viewport.width, viewport.height)
    sides = (max(_LEAST_PX, round(scale * side)) for side in (viewport.width, viewport.height))
    width, height = (min(side_px, side) for side in sides)
    return width, height


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
