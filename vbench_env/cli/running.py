"""`vbench-env run` and `report`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vbench_env.cli.console import INTERRUPTED, OWED, err, out, print_json, progress_bar, refuse

if TYPE_CHECKING:
    from vbench_env.experiments.config import RunConfig
    from vbench_env.experiments.summary import RunSummary

Names = list[str] | None


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(run)
    app.command()(report)


def run(
    config: Annotated[Path | None, typer.Argument(help="YAML configuration; options override it.")] = None,
    corpus: Annotated[str | None, typer.Option("--corpus", "-c", help="Corpus name or folder.")] = None,
    task: Annotated[Names, typer.Option("--task", "-t", help="Task id; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N tasks.", min=1)] = None,
    model: Annotated[
        Names, typer.Option("--model", "-m", help="litellm name or local/smollm2; repeatable.")
    ] = None,
    agent: Annotated[
        Names, typer.Option("--agent", "-a", help="Offline agent: heuristic, noop, oracle.")
    ] = None,
    protocol: Annotated[
        Names, typer.Option("--protocol", "-p", help="Protocol name or file; repeatable.")
    ] = None,
    samples: Annotated[int | None, typer.Option(help="Episodes per task, model and protocol.", min=1)] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the run.")] = None,
    rules: Annotated[str | None, typer.Option(help="Headline rule set; both are always kept.")] = None,
    folder: Annotated[Path | None, typer.Option("--out", "-o", help="Run folder.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    concurrency: Annotated[int | None, typer.Option(help="Episodes at once.", min=1)] = None,
    temperature: Annotated[
        float | None, typer.Option(help="Left out of requests unless given.", min=0)
    ] = None,
    api_base: Annotated[str | None, typer.Option(help="Endpoint of the models.")] = None,
    api_key_env: Annotated[str | None, typer.Option(help="Environment variable that holds the key.")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Stop before this many dollars.", min=0)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Let models or agents repair the drawings of a corpus; every episode is kept and scored."""
    from vbench_env.experiments import runner

    given = {
        "corpus": corpus, "tasks": task, "models": [*(model or []), *(agent or [])] or None, "protocols": protocol,
        "samples": samples, "seed": seed, "rules": rules, "concurrency": concurrency, "temperature": temperature,
        "api_base": api_base, "api_key_env": api_key_env, "budget": {"usd": budget_usd} if budget_usd else None,
    }  # fmt: skip
    if resume and config is None and not any(value is not None for value in given.values()):
        if folder is None:
            refuse("--resume needs --out FOLDER, the run to go on with")
        summary = _watched(lambda progress: runner.resume(folder, progress=progress))
    else:
        settings = _settings(config, given, limit)
        target = folder or Path("runs") / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        summary = _watched(lambda progress: runner.run(settings, target, resume=resume, progress=progress))
    _finish(summary, json)


def _settings(config: Path | None, given: dict[str, Any], limit: int | None) -> RunConfig:
    from vbench_env.experiments.config import load_config, make_config
    from vbench_env.task import load_corpus

    data = {key: value for key, value in given.items() if value is not None}
    settings = load_config(config, data) if config else make_config({"corpus": "vbench-40", **data})
    if limit is None:
        return settings
    names = settings.tasks or load_corpus(settings.corpus).ids
    return settings.model_copy(update={"tasks": tuple(names[:limit])})


def _watched(work: Any) -> RunSummary:
    with progress_bar() as bar:
        step = bar.add_task("episodes", total=None)

        def progress(state: Any) -> None:
            text = f"episodes, {state.failed} failed, ${state.spent_usd:.2f}"
            bar.update(step, total=state.total, completed=state.scored, description=text)

        found: RunSummary = work(progress)
    return found


def _finish(summary: RunSummary, json: bool) -> None:
    from vbench_env.report import run_table

    if json:
        print_json(summary.model_dump(mode="json"))
    else:
        out.print(run_table(Path(summary.folder)))
        out.print(f"run folder: {summary.folder}", highlight=False)
        if not summary.complete:
            err.print(f"stopped: {summary.stop_reason}; {summary.owed} episodes are owed. Go on with:")
            err.print(f"  vbench-env run --resume --out {summary.folder}", highlight=False)
    if summary.stop_reason == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if not summary.complete:
        raise typer.Exit(OWED)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="HTML file, RUN/report.html by default; a folder for a site, RUN/site."
        ),
    ] = None,
    rules: Annotated[str | None, typer.Option(help="Rule set of the headline.")] = None,
    site: Annotated[
        bool, typer.Option("--site", help="Write a folder with a page for each episode, tables and figures.")
    ] = False,
    pictures: Annotated[
        int | None, typer.Option(help="Most different drawings that a site draws; 2000 by default.", min=0)
    ] = None,
) -> None:
    """Write a self-contained HTML page about a run, or a site about one run or several."""
    from vbench_env.report import run_table, write_report, write_site

    with progress_bar() as bar:
        step = bar.add_task("report", total=None)

        def told(done: int, total: int) -> None:
            bar.update(step, completed=done, total=total)

        if site or len(runs) > 1:
            path = write_site(runs, output, rules, most_pictures=pictures, progress=told)
        else:
            path = write_report(runs[0], output, rules=rules, progress=told)
    for run_folder in runs:
        out.print(run_table(run_folder))
    out.print(f"report: {path.resolve()}", highlight=False, soft_wrap=True)
