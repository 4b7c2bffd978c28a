"""A run as one self-contained HTML page.

Model text enters the page as pixels or as escaped text, never as markup. Should escaping ever fail, the page's
content security policy still lets no script or style run but its own two, known by their hashes, and loads
nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.experiments.manifest import Manifest
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.render import get_renderer
from vbench_env.report import words
from vbench_env.report.aggregate import STATUSES, Results, aggregate, card_of, comparisons
from vbench_env.report.best_of import choices
from vbench_env.report.episode_view import EpisodeView, brief_view, episode_view
from vbench_env.report.expressed import expression_note
from vbench_env.report.findings import wordings_of
from vbench_env.report.pages import source, template
from vbench_env.report.pictures import Camera, Shot, Size, take
from vbench_env.report.played import load_tasks
from vbench_env.report.statistics import adjusted
from vbench_env.report.task_view import TaskView, matrix, task_view
from vbench_env.task import Task

MOST_EPISODES = 2000
"""Episodes shown one by one, first samples first; the figures count all of them."""
MOST_PICTURES = 500
"""Episodes shown with picture and source."""
PICTURE_BYTES = 40_000_000
"""Size of all pictures and sources together, beyond which episodes are shown without them."""

Progress = Callable[[int, int], None]
"""Called with the number of episodes done and the number of all."""


def write_report(
    run_folder: str | Path, output: str | Path | None = None, rules: str | None = None, *,
    progress: Progress | None = None,
) -> Path:  # fmt: skip
    """Write the page.

    Args:
        run_folder: a run, finished or not.
        output: HTML file; `report.html` in the run folder by default.
        rules: rule set of the verdicts; None takes the headline of the run.
        progress: told after each episode.

    Raises:
        ConfigError: no run folder, no episode in it, or none with a verdict under these rules.
    """
    folder = RunFolder(run_folder)
    page = _page(folder, rules, progress or (lambda done, total: None))
    path = Path(output) if output is not None else folder.path / "report.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(template("report.html").generate(**page))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _page(folder: RunFolder, rules: str | None, progress: Progress) -> dict[str, Any]:
    manifest = folder.manifest
    tasks, note = load_tasks(manifest)
    seen: list[tuple[int, str]] = []
    sizes = {name: len(task.protected) for name, task in tasks.items()}
    results = aggregate(_noted(folder.episodes(), seen), rules=rules, protected=sizes)
    if not seen:
        raise ConfigError(f"{folder.path} holds no finished episode yet; go on with the run first")
    order = [episode_id for _, episode_id in sorted(seen, key=lambda item: item[0])]
    builder = _Builder(tasks, rules, set(order[:MOST_EPISODES]), set(order[:MOST_PICTURES]), _camera)
    for done, record in enumerate(folder.episodes(), start=1):
        builder.add(record)
        progress(done, len(seen))
    views = builder.finished(results)
    style, script = source("report.css"), source("stage.js") + source("report.js")
    return {
        "results": results, "tasks": views, "matrix": matrix(results, views),
        "notes": [told for told in (note, expression_note(manifest, tasks, rules)) if told],
        "facts": _facts(manifest, results, folder.path), "versus": _versus(results), "pairs": 0, "words": words,
        "wordings": wordings_of(results), "choices": choices(results, [folder.path], rules), "statuses": STATUSES,
        "style": style, "script": script,
        "style_hash": _hash(style), "script_hash": _hash(script),
        "canaries": sorted({task.canary for task in tasks.values() if task.canary}),
        "corpus": str(manifest.corpus.get("name", "")), "versions": manifest.versions,
    }  # fmt: skip


def _camera(svg: str | None, size: Size) -> Shot:
    return take(svg, size, get_renderer())


def _noted(records: Iterable[EpisodeRecord], seen: list[tuple[int, str]]) -> Iterator[EpisodeRecord]:
    for record in records:
        seen.append((record.sample, record.episode_id))
        yield record


@dataclass(slots=True)
class _Builder:
    """Collects the views of tasks while the episodes go by."""

    tasks: dict[str, Task]
    rules: str | None
    shown: set[str]
    pictured: set[str]
    camera: Camera
    views: dict[str, TaskView] = field(default_factory=dict)
    weight: int = 0

    def add(self, record: EpisodeRecord) -> None:
        view = self.views.get(record.task_id)
        if view is None:
            view = self.views[record.task_id] = self._task(record)
            self.weight += view.weight
        if record.episode_id not in self.shown:
            view.left_out += 1
            return
        card = card_of(record, self.rules)
        if record.episode_id not in self.pictured or self.weight > PICTURE_BYTES:
            view.episodes.append(brief_view(record, card))
            return
        episode = episode_view(record, card, view.scene)
        self.weight += _weight(episode)
        view.episodes.append(episode)

    def _task(self, record: EpisodeRecord) -> TaskView:
        task = self.tasks.get(record.task_id)
        note = (
            None
            if task is not None
            else "This task could not be loaded; its request and target are not shown."
        )
        return task_view(record.task_id, task, self.camera, record.final_svg, note)

    def finished(self, results: Results) -> list[TaskView]:
        """Tasks by id; their episodes in the order of the groups."""
        order = {group.key: place for place, group in enumerate(results.groups)}
        for view in self.views.values():
            view.episodes.sort(key=lambda episode: (order[_key(episode)], episode.sample))
        return [self.views[task_id] for task_id in results.tasks]


def _key(episode: EpisodeView) -> Any:
    return (episode.model, episode.protocol)


def _weight(episode: EpisodeView) -> int:
    lines = episode.diff.lines if episode.diff is not None else ()
    text = sum(len(line.head) + len(line.mark) + len(line.tail) for line in lines)
    return text + (len(episode.shot.uri or "") if episode.shot is not None else 0)


def _facts(manifest: Manifest, results: Results, path: Path) -> list[tuple[str, str]]:
    rules = sorted({group.rules for group in results.groups})
    started = datetime.fromisoformat(manifest.created_at)
    played = sum(group.total.episodes for group in results.groups)
    return [
        ("Tasks", words.count(len(results.tasks))),
        ("Models", words.count(len({group.key.model for group in results.models}))),
        ("Protocols", ", ".join(sorted(manifest.protocols))),
        ("Samples", words.count(manifest.config.samples)),
        ("Episodes", f"{words.count(played)} of {words.count(manifest.episodes)}"),
        ("Rules", ", ".join(rules)),
        ("Started", f"{started.day} {started:%B %Y, %H:%M} UTC"),
        ("Run", f"{path.resolve().name} ({manifest.run_id})"),
    ]


def _versus(results: Results) -> list[tuple[Any, float]]:
    """Comparisons of groups, each with its p-value adjusted for their number."""
    found = comparisons(results)
    return list(zip(found, adjusted([item.p_value for item in found]), strict=True))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
