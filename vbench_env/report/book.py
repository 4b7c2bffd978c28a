"""The pages of a site about one run or several: made one by one, for files on disk or for a server.

index.html              the whole
tasks/TASK.html         a task and every outcome
episodes/EPISODE.html   an episode turn by turn
lists/GROUP-N.html      the episodes of a model under a protocol, so many a page
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder
from vbench_env.protocol import Protocol
from vbench_env.render import Renderer, get_renderer
from vbench_env.report import plots, words
from vbench_env.report.aggregate import STATUSES, Comparison, Results, card_of, comparisons
from vbench_env.report.best_of import BestOf, choices
from vbench_env.report.contrasts import Contrast, contrasts
from vbench_env.report.episode_view import episode_view
from vbench_env.report.expressed import expression_note
from vbench_env.report.findings import Findings, findings_of
from vbench_env.report.gather import Gatherer, Progress, file_name
from vbench_env.report.pages import POLICY, template
from vbench_env.report.played import load_tasks
from vbench_env.report.rows import Row, neighbours
from vbench_env.report.shelf import Shelf
from vbench_env.report.statistics import adjusted
from vbench_env.report.task_view import TaskView, task_view
from vbench_env.report.trace_view import trace_view
from vbench_env.report.traits import TRAITS, values_of
from vbench_env.task import Task

ROWS_A_PAGE = 250
MOST_OUTCOMES = 400
"""Outcomes listed on the page of a task; lists hold all of them."""
MOST_THUMBS = 60
MOST_SIBLINGS = 40
MOST_PAIRS = 40
MOST_COLUMNS = 24
"""Groups in the table of all tasks."""
MOST_PICTURES = 2000
_SCENES = 48


class Book:
    """All that pages need.

    Args:
        runs: run folders, finished or not.
        rules: rule set of the verdicts; None takes the headline.
        root: folder whose `pictures/` the pages show.
        most_pictures: different drawings that are drawn.
        live: whether the pages are served while a run goes on.
        renderer: draws; the default one when None.

    Raises:
        ConfigError: no run folder.
    """

    def __init__(
        self, runs: Sequence[str | Path], rules: str | None, root: Path, *, most_pictures: int = MOST_PICTURES,
        live: bool = False, renderer: Renderer | None = None,
    ) -> None:  # fmt: skip
        self.runs = [RunFolder(run) for run in runs]
        self.manifests = [run.manifest for run in self.runs]
        self.live = live
        self.tasks: dict[str, Task] = {}
        self.notes: list[str] = []
        self.protocols: dict[str, Protocol] = {}
        for manifest in self.manifests:
            found, note = load_tasks(manifest)
            self.tasks |= found
            for told in (note, expression_note(manifest, found, rules)):
                self.notes += [told] if told and told not in self.notes else []
            self.protocols |= _protocols(manifest.protocols)
        self.shelf = Shelf(root, renderer or get_renderer(), most_pictures)
        self.gathered = Gatherer(self.runs, rules)
        self.gathered.protected = {name: len(task.protected) for name, task in self.tasks.items()}
        self._views: OrderedDict[str, TaskView] = OrderedDict()
        self._thumbs: dict[str, str | None] = {}
        self.version = 0

    def update(self, progress: Progress | None = None) -> bool:
        """Read what is new; whether there was anything."""
        grown = self.gathered.update(progress)
        if grown:
            self.version += 1
            self._thumbs = {name: uri for name, uri in self._thumbs.items() if uri is not None}
            for name in (
                "results",
                "rows",
                "contrasts",
                "plots",
                "findings",
                "choices",
                "_versus",
                "_next",
                "_by_task",
                "_by_group",
            ):
                self.__dict__.pop(name, None)
        return grown

    @cached_property
    def results(self) -> Results:
        return self.gathered.results

    @cached_property
    def rows(self) -> dict[str, Row]:
        """Episodes by the name of their page, in the order of lists."""
        return {row.name: row for row in sorted(self.gathered.rows.values(), key=lambda row: row.order)}

    @cached_property
    def _by_task(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.rows.values():
            found.setdefault(row.task_id, []).append(row)
        return found

    @cached_property
    def _by_group(self) -> dict[tuple[str, str], list[Row]]:
        found: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows.values():
            found.setdefault(row.group, []).append(row)
        return found

    @cached_property
    def contrasts(self) -> list[Contrast]:
        return contrasts(self.results, self.protocols)

    @cached_property
    def plots(self) -> list[plots.Plot]:
        return plots.all_plots(self.results, STATUSES, self.contrasts, self.traits)

    @cached_property
    def traits(self) -> dict[str, dict[str, str]]:
        """Every trait of every task that has it."""
        return {trait: values_of(self.tasks, trait) for trait in TRAITS}

    @cached_property
    def findings(self) -> Findings | None:
        """Pairs, ranks and repeated samples; None while a run goes on, where they would be out of date at once."""
        return None if self.live else findings_of(self.results)

    @cached_property
    def choices(self) -> list[BestOf]:
        """What a choice among samples is worth; none while a run goes on."""
        return (
            [] if self.live else choices(self.results, [run.path for run in self.runs], self.gathered.rules)
        )

    @cached_property
    def _next(self) -> dict[str, tuple[Row | None, Row | None]]:
        return neighbours(list(self.rows.values()))

    @cached_property
    def _versus(self) -> list[tuple[Comparison, float]]:
        """Pairs with corrected p-values: the first few of a run that goes on, else all, the clearest first."""
        if self.findings is not None:
            pairs = sorted(self.findings.pairs, key=lambda pair: pair.p_adjusted)
            return [(pair.comparison, pair.p_adjusted) for pair in pairs]
        found = comparisons(self.results)
        return list(zip(found, adjusted([item.p_value for item in found]), strict=True))

    # Pages

    def index(self, files: Mapping[str, Sequence[str]] | None = None) -> str:
        """The first page. `files` are tables and figures on disk, by folder."""
        named = {plot.name: plot for plot in self.plots}
        return self._page(
            "site_index.html", "", statuses=STATUSES, versus=self._versus[:MOST_PAIRS], pairs=len(self._versus),
            findings=self.findings, choices=self.choices, named=named, files=files or {},
            matrix=self._matrix(), columns=self.results.groups[:MOST_COLUMNS], lists=self._lists(),
            facts=self._facts(), contrasts=self.contrasts, pictures_left_out=self.shelf.left_out,
            most_pictures=self.shelf.most,
        )  # fmt: skip

    def task(self, task_id: str) -> str:
        """The page of a task."""
        rows = self.rows_of_task(task_id)
        view = self.view(task_id)
        order = list(self.results.tasks)
        at = order.index(task_id)
        around = order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None
        shown = rows[:MOST_OUTCOMES]
        thumbs = {row.name: self._thumb(row) for row in shown[:MOST_THUMBS]}
        return self._page("site_task.html", "../", task=view, rows=shown, more=len(rows) - len(shown),
                          thumbs=thumbs, around=around, titles=self._titles())  # fmt: skip

    def episode(self, name: str) -> str:
        """The page of an episode."""
        row = self.rows[name]
        record = self.gathered.record(row)
        view = self.view(row.task_id)
        scene = self._scene_of(record, view)
        episode = episode_view(record, card_of(record, self.gathered.rules), scene.scene)
        self._thumbs[name] = episode.shot.uri if episode.shot is not None else None
        protocol = self.protocols.get(record.protocol)
        trace = trace_view(record, scene.scene, protocol.tools if protocol is not None else None)
        siblings = [other for other in self.rows_of_task(row.task_id) if other.name != name][:MOST_SIBLINGS]
        return self._page(
            "site_episode.html", "../", task=scene, episode=episode, trace=trace, row=row, around=self._next[name],
            siblings=siblings, protocol=protocol, run=self.runs[row.run].path.resolve().name,
        )  # fmt: skip

    def listing(self, group: tuple[str, str], number: int) -> str:
        """A page of the list of a group's episodes, from 1."""
        rows = self.rows_of_group(group)
        pages = pages_of(len(rows))
        shown = rows[(number - 1) * ROWS_A_PAGE : number * ROWS_A_PAGE]
        return self._page("site_list.html", "../", group=group, rows=shown, number=number, pages=pages,
                          total=len(rows), titles=self._titles())  # fmt: skip

    # Parts

    def rows_of_task(self, task_id: str) -> list[Row]:
        return self._by_task.get(task_id, [])

    def rows_of_group(self, group: tuple[str, str]) -> list[Row]:
        return self._by_group.get(group, [])

    def view(self, task_id: str) -> TaskView:
        """A task with its pictures; the last ones are kept."""
        view = self._views.get(task_id)
        if view is None:
            task = self.tasks.get(task_id)
            note = (
                None
                if task is not None
                else "This task could not be loaded; its request and target are not shown."
            )
            first = None if task is not None else self._any_drawing(task_id)
            view = self._views[task_id] = task_view(task_id, task, self.shelf.take, first, note)
            if len(self._views) > _SCENES:
                self._views.popitem(last=False)
        self._views.move_to_end(task_id)
        return view

    def _any_drawing(self, task_id: str) -> str | None:
        rows = self.rows_of_task(task_id)
        return self.gathered.record(rows[0]).final_svg if rows else None

    def _scene_of(self, record: EpisodeRecord, view: TaskView) -> TaskView:
        """The task as this episode had it: another run may have played another task of the same name."""
        task = view.scene.task
        if task is None or task.hash == record.task_hash:
            return view
        note = "The task was another one when this episode was played; its request and target are not shown."
        return task_view(record.task_id, None, self.shelf.take, record.final_svg, note)

    def _thumb(self, row: Row) -> str | None:
        if row.name not in self._thumbs:
            record = self.gathered.record(row)
            shot = self.view(row.task_id).scene.shot(record.final_svg) if row.reward is not None else None
            self._thumbs[row.name] = shot.uri if shot is not None else None
        return self._thumbs[row.name]

    def _titles(self) -> dict[str, str]:
        return {task_id: self._title(task_id) for task_id in self.results.tasks}

    def _title(self, task_id: str) -> str:
        task = self.tasks.get(task_id)
        return (task.title or task_id) if task is not None else task_id

    def _matrix(self) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
        """Rows of status, text and title, a row for each task, a cell for each of the first groups."""
        groups = self.results.groups[:MOST_COLUMNS]
        return [
            (task_id, self._title(task_id), [_cell(group.tasks.get(task_id)) for group in groups])
            for task_id in self.results.tasks
        ]

    def _lists(self) -> list[tuple[Any, int, int]]:
        """Every group with its number of episodes and of list pages."""
        return [
            (group, group.total.episodes, pages_of(group.total.episodes)) for group in self.results.groups
        ]

    def _facts(self) -> list[tuple[str, str]]:
        planned = sum(manifest.episodes for manifest in self.manifests)
        started = datetime.fromisoformat(min(manifest.created_at for manifest in self.manifests))
        return [
            ("Tasks", words.count(len(self.results.tasks))),
            ("Models", words.count(len({group.key.model for group in self.results.models}))),
            ("Protocols", words.count(len({group.key.protocol for group in self.results.groups}))),
            ("Episodes", f"{words.count(len(self.rows))} of {words.count(planned)}"),
            ("Rules", ", ".join(sorted({group.rules for group in self.results.groups}))),
            ("Started", f"{started.day} {started:%B %Y, %H:%M} UTC"),
            (
                "Runs" if len(self.runs) > 1 else "Run",
                ", ".join(run.path.resolve().name for run in self.runs),
            ),
        ]

    def _page(self, name: str, up: str, **context: Any) -> str:
        corpora = sorted({str(manifest.corpus.get("name", "")) for manifest in self.manifests})
        policy = POLICY + ("; connect-src 'self'" if self.live else "")
        return template(name).render(
            results=self.results, words=words, up=up, policy=policy, corpus=", ".join(corpora), live=self.live,
            file_name=file_name, group_file=group_file, notes=self.notes, versions=self.manifests[0].versions,
            canaries=sorted({task.canary for task in self.tasks.values() if task.canary}), version=self.version,
            **context,
        )  # fmt: skip


def pages_of(rows: int) -> int:
    """Pages that a list takes."""
    return max(1, -(-rows // ROWS_A_PAGE))


def group_file(group: Sequence[str]) -> str:
    """Name of the lists of a group, without the number of the page."""
    return file_name("--".join(group), 80)


def _cell(tally: Any) -> tuple[str, str, str]:
    if tally is None:
        return "NONE", "", "not played"
    if not tally.scored:
        return "UNSCORED", "", "unscored"
    status = "PASS" if tally.full == tally.scored else tally.statuses.most_common(1)[0][0]
    text = f"{tally.full}/{tally.scored}" if tally.scored > 1 else words.STATUS[status]
    return status, text, f"{tally.full} of {tally.scored} passed"


def _protocols(texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Protocol]:
    """Protocols of a manifest, as far as this version still reads them."""
    found = {}
    for name, data in texts.items():
        try:
            found[name] = Protocol.model_validate(
                {key: value for key, value in data.items() if key != "digest"}
            )
        except ValueError:
            continue
    return found


def require_episodes(book: Book) -> None:
    """Raise `ConfigError` when there is nothing to show."""
    if not book.rows:
        raise ConfigError(f"{book.runs[0].path} holds no finished episode yet; go on with the run first")
