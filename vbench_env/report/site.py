"""A folder of pages, tables and figures about one run or several; works from disk, loads nothing from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vbench_env.errors import ConfigError
from vbench_env.render import get_renderer
from vbench_env.report.book import MOST_PICTURES, Book, group_file, pages_of, require_episodes
from vbench_env.report.figures import write_figures
from vbench_env.report.finding_tables import best_of, finding_tables
from vbench_env.report.gather import Progress, file_name
from vbench_env.report.pages import source
from vbench_env.report.tables import Table, tables_of, write_tables

ASSETS = {"site.css": ("report.css", "site.css"), "site.js": ("stage.js", "site.js")}
"""Files of a site and what they are made of."""
_MARK = "vbench-env-site"


def write_site(
    runs: Sequence[str | Path], output: str | Path | None = None, rules: str | None = None, *,
    most_pictures: int | None = None, progress: Progress | None = None,
) -> Path:  # fmt: skip
    """Write the site.

    Args:
        runs: run folders, finished or not.
        output: folder; `site` in the run folder by default, which takes a single run.
        rules: rule set of the verdicts; None takes the headline of the runs.
        most_pictures: different drawings that are drawn, 2000 when None; later episodes have none, and their pages
            say so.
        progress: told while runs are read and while pages are written: what is done of twice the episodes.

    Returns:
        The first page.

    Raises:
        ConfigError: no run folder, no episode in it, none with a verdict under these rules, or a folder that holds
            other things.
    """
    root = _folder(runs, output)
    told = progress or (lambda done, total: None)
    most = MOST_PICTURES if most_pictures is None else most_pictures
    book = Book(runs, rules, root, most_pictures=most)
    book.update(lambda done, total: told(done, 2 * total))
    require_episodes(book)
    claim(root)
    for name in ASSETS:
        write(root / "assets" / name, asset(name))
    _write_episodes(book, root, told)
    for group in book.results.groups:
        for number in range(1, pages_of(group.total.episodes) + 1):
            write(root / "lists" / f"{group_file(group.key)}-{number}.html", book.listing(group.key, number))
    files = {
        "tables": write_tables(_tables(book), root / "tables"),
        "figures": write_figures(book.plots, root / "figures", get_renderer()),
    }
    write(root / "index.html", book.index(files))
    return root / "index.html"


def asset(name: str) -> str:
    """The style sheet or the script of a site."""
    return "".join(source(part) for part in ASSETS[name])


def _tables(book: Book) -> list[Table]:
    found = tables_of(book.results, list(book.rows.values()), book.contrasts)
    if book.findings is None:
        return found
    chosen = best_of(book.choices)
    return [*found, *finding_tables(book.findings, book.traits), *([chosen] if chosen.rows else [])]


def _write_episodes(book: Book, root: Path, told: Progress) -> None:
    """Pages of tasks and episodes, task after task, so that a task's drawings are read once."""
    done, total = len(book.rows), 2 * len(book.rows)
    for task_id in book.results.tasks:
        for row in book.rows_of_task(task_id):
            write(root / "episodes" / f"{row.name}.html", book.episode(row.name))
            done += 1
            told(done, total)
        write(root / "tasks" / f"{file_name(task_id)}.html", book.task(task_id))


def _folder(runs: Sequence[str | Path], output: str | Path | None) -> Path:
    if output is not None:
        return Path(output)
    if len(runs) != 1:
        raise ConfigError("say where the site goes with --out FOLDER: it is about several runs")
    return Path(runs[0]) / "site"


def claim(root: Path) -> None:
    """Take an empty folder, or one that holds a site already."""
    mark = root / "assets" / _MARK
    if root.is_dir() and any(root.iterdir()) and not mark.is_file():
        raise ConfigError(f"{root} holds other files; choose an empty or new folder (--out)")
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text("Written by vbench-env report --site; written anew by the next one.\n", encoding="utf-8")


def write(path: Path, text: str) -> None:
    """Write a file of a site."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
