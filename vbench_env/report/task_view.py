"""One task as a page shows it: the request, both drawings with the requested repairs ringed, its episodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from vbench_env.kind import DEFAULT_KIND
from vbench_env.repair import Repair
from vbench_env.report.aggregate import Results
from vbench_env.report.episode_view import EpisodeView, Scene
from vbench_env.report.pictures import Camera, Places, PxBox, Ring, RingKind, Shot, picture_size, rings
from vbench_env.report.tally import Tally
from vbench_env.task import Task


class Piece(NamedTuple):
    """A part of an instruction; `number` is that of the repair whose object it names."""

    text: str
    number: int | None = None


@dataclass(slots=True)
class TaskView:
    """What the page shows of one task. `corrupted` and `target` are None where the task could not be loaded."""

    anchor: str
    task_id: str
    title: str
    scene: Scene
    tags: tuple[str, ...] = ()
    instruction: tuple[Piece, ...] = ()
    repairs: int = 0
    corrupted: Shot | None = None
    target: Shot | None = None
    corrupted_rings: tuple[Ring, ...] = ()
    target_rings: tuple[Ring, ...] = ()
    note: str | None = None
    episodes: list[EpisodeView] = field(default_factory=list)
    left_out: int = 0
    """Episodes that are counted in the figures and not shown."""

    @property
    def weight(self) -> int:
        """Characters that the pictures take."""
        return sum(len(shot.uri or "") for shot in (self.corrupted, self.target) if shot is not None)


class Cell(NamedTuple):
    """One group on one task: the worst to best statuses in one word, and where to read more."""

    status: str
    text: str
    link: str
    title: str


def anchor_of(task_id: str) -> str:
    """The page's id of a task."""
    return f"t-{task_id}"


def task_view(
    task_id: str, task: Task | None, camera: Camera, first_svg: str | None, note: str | None
) -> TaskView:
    """A task without its episodes.

    Args:
        task_id: its id.
        task: None where it could not be loaded; `note` says why.
        camera: draws both pictures.
        first_svg: drawing of an episode, for the proportions of the pictures where the task is missing.
        note: shown with the task.
    """
    if task is None:
        scene = Scene(None, picture_size(first_svg or ""), Places(None, (1, 1)), Places(None, (1, 1)), camera)
        return TaskView(anchor_of(task_id), task_id, task_id, scene, note=note)
    size = picture_size(task.corrupted_svg)
    corrupted, target = Places(task.corrupted_svg, size), Places(task.target_svg, size)
    shots = [camera(svg, size) for svg in (task.corrupted_svg, task.target_svg)]
    return TaskView(
        anchor=anchor_of(task_id), task_id=task_id, title=task.title or task_id,
        scene=Scene(task, size, corrupted, target, camera, shots[0].uri, shots[1].uri),
        tags=tuple(tag for tag in (task.kind if task.kind != DEFAULT_KIND else "", task.genre, task.difficulty) if tag),
        instruction=pieces(task.instruction, task.repairs), repairs=len(task.repairs),
        corrupted=shots[0], target=shots[1], corrupted_rings=_rings(task.repairs, corrupted, target),
        target_rings=_rings(task.repairs, target, corrupted), note=note,
    )  # fmt: skip


def pieces(instruction: str, repairs: Sequence[Repair]) -> tuple[Piece, ...]:
    """The instruction cut where it names the objects of repairs."""
    spans: list[tuple[int, int, int]] = []
    for number, repair in enumerate(repairs, start=1):
        words = repair.named or ""
        start = instruction.find(words) if words else -1
        while start >= 0 and any(start < end and begin < start + len(words) for begin, end, _ in spans):
            start = instruction.find(words, start + 1)
        if start >= 0:
            spans.append((start, start + len(words), number))
    found: list[Piece] = []
    at = 0
    for begin, end, number in sorted(spans):
        found += [Piece(instruction[at:begin]), Piece(instruction[begin:end], number)]
        at = end
    return tuple(piece for piece in (*found, Piece(instruction[at:])) if piece.text)


def _rings(repairs: Sequence[Repair], places: Places, others: Places) -> tuple[Ring, ...]:
    found: list[tuple[str, RingKind, PxBox, bool]] = []
    for number, repair in enumerate(repairs, start=1):
        box = places.box(repair.object)
        other = box or others.box(repair.object)
        if other is not None:
            found.append((str(number), "wanted", other, box is None))
    return rings(found, places.size)


def cell_of(tally: Tally | None, task: TaskView, model: str, protocol: str) -> Cell:
    """What a group did on a task, for the matrix of all tasks."""
    if tally is None:
        return Cell("NONE", "", f"#{task.anchor}", "not played")
    shown = [e for e in task.episodes if (e.model, e.protocol) == (model, protocol)]
    link = f"#{shown[0].anchor}" if shown else f"#{task.anchor}"
    if not tally.scored:
        return Cell("UNSCORED", "", link, "unscored")
    status = tally.statuses.most_common(1)[0][0] if tally.full < tally.scored else "PASS"
    text = f"{tally.full}/{tally.scored}" if tally.scored > 1 else ""
    return Cell(status, text, link, f"{tally.full} of {tally.scored} passed")


def matrix(results: Results, tasks: Sequence[TaskView]) -> list[tuple[TaskView, list[Cell]]]:
    """A row of cells for each task, a cell for each group."""
    return [
        (task, [cell_of(group.tasks.get(task.task_id), task, *group.key) for group in results.groups])
        for task in tasks
    ]
