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
NO_PLAYER = (
    "nobody is to play; give --model NAME (litellm's, or local/smollm2), --agent NAME (`vbench-env agents` lists them; "
    "`--agent heuristic` needs no key), or a YAML configuration"
)


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
        Names,
        typer.Option(
            "--agent", "-a", help="Agent without a model; `vbench-env agents` lists them; repeatable."
        ),
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
    budget_tokens: Annotated[int | None, typer.Option(help="Stop at this many tokens.", min=1)] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds that one attempt at a call may take.")
    ] = None,
    attempts: Annotated[int | None, typer.Option(help="Attempts at a call.", min=1)] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that score and draw; every core by default.", min=0)
    ] = None,
    executor: Annotated[str | None, typer.Option(help="Where they are: processes, inline or ray.")] = None,
    wording: Annotated[
        Names, typer.Option("--wording", "-w", help="plain, terse or chatty instruction; repeatable.")
    ] = None,
    settings: Annotated[
        Names,
        typer.Option("--set", metavar="NAME=VALUE", help="Any field, such as retry.backoff_s=2; repeatable."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan and what it would cost; do nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Let models or agents repair the drawings of a corpus; every episode is kept and scored."""
    from vbench_env.cli.run_display import watched
    from vbench_env.experiments import runner

    given = _given({
        "corpus": corpus, "tasks": task, "models": [*(model or []), *(agent or [])] or None, "protocols": protocol,
        "samples": samples, "seed": seed, "rules": rules, "concurrency": concurrency, "temperature": temperature,
        "api_base": api_base, "api_key_env": api_key_env, "workers": workers, "executor": executor,
        "wordings": wording, "budget": {"usd": budget_usd, "tokens": budget_tokens},
        "retry": {"timeout_s": timeout, "attempts": attempts},
    })  # fmt: skip
    if resume and (folder is None or not (folder / "manifest.json").is_file()):
        refuse(_nothing_to_resume(folder))
    if (
        not resume
        and config is None
        and "models" not in given
        and not any("models" in s for s in settings or [])
    ):
        refuse(NO_PLAYER)
    if dry_run:
        _print_plan(
            _settings(config, given, settings or [], limit, folder if resume else None), folder, resume, json
        )
        return
    if resume and config is None and limit is None:
        assert folder is not None
        summary = watched(lambda progress: runner.resume(folder, given, settings or (), progress=progress))
    else:
        chosen = _settings(config, given, settings or [], limit)
        target = folder or Path("runs") / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        summary = watched(lambda progress: runner.run(chosen, target, resume=resume, progress=progress))
    _finish(summary, json)


def _nothing_to_resume(folder: Path | None) -> str:
    """Why there is nothing to go on with, and what there is."""
    beside = folder.parent if folder is not None else Path("runs")
    runs = sorted(path.parent for path in beside.glob("*/manifest.json")) if beside.is_dir() else []
    known = f"; runs there: {', '.join(map(str, runs[-6:]))}" if runs else ""
    if folder is None:
        return f"--resume needs --out FOLDER, the run to go on with{known}"
    advice = "check --out, or leave out --resume to start a run"
    return f"{folder} holds no run to go on with (no manifest.json); {advice}{known}"


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Options that were given, with the mappings that hold some."""
    plain = {key: _given(value) if isinstance(value, dict) else value for key, value in options.items()}
    return {key: value for key, value in plain.items() if value is not None and value != {}}


def _settings(
    config: Path | None,
    given: dict[str, Any],
    settings: list[str],
    limit: int | None,
    run: Path | None = None,
) -> RunConfig:
    """The configuration of a file, of the run to go on with, or of the options alone."""
    from vbench_env.experiments.config import make_config
    from vbench_env.experiments.config_file import load_config, with_settings
    from vbench_env.experiments.store import RunFolder
    from vbench_env.layers import merge
    from vbench_env.task import load_corpus

    if config is not None:
        chosen = load_config(config, given, settings)
    else:
        base = RunFolder(run).manifest.config.model_dump(mode="json") if run else {"corpus": "vbench-40"}
        chosen = make_config(with_settings(merge(base, given), settings))
    if limit is None:
        return chosen
    names = chosen.tasks or load_corpus(chosen.corpus).ids
    return chosen.model_copy(update={"tasks": tuple(names[:limit])})


def _print_plan(config: RunConfig, folder: Path | None, resume: bool, json: bool) -> None:
    from vbench_env.cli.run_display import plan_json, plan_of
    from vbench_env.experiments.estimate import estimate
    from vbench_env.experiments.plan import make_plan
    from vbench_env.experiments.runner import missing
    from vbench_env.experiments.store import RunFolder

    plan = make_plan(config)
    found = estimate(plan, missing(plan, RunFolder(folder)) if resume and folder else None)
    if json:
        print_json(plan_json(found))
    else:
        out.print(plan_of(found))


def _finish(summary: RunSummary, json: bool) -> None:
    from vbench_env.report import run_table

    if json:
        print_json(summary.model_dump(mode="json"))
    else:
        out.print(run_table(Path(summary.folder)))
        out.print(f"run folder: {summary.folder}", highlight=False)
        if not summary.complete:
            for kind, count in sorted(summary.failures.items()):
                err.print(f"  {count} x {kind}", highlight=False)
            for name, failure in summary.given_up.items():
                err.print(
                    f"  {name} was given up: {failure.message}", highlight=False, markup=False, soft_wrap=True
                )
            err.print(f"stopped: {summary.stop_reason}; {summary.owed} episodes are owed. Go on with:")
            err.print(f"  vbench-env run --resume --out {summary.folder}", highlight=False, soft_wrap=True)
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
    json: Annotated[
        bool, typer.Option("--json", help="Print the tables as JSON, without a word beside.")
    ] = False,
) -> None:
    """Write a self-contained HTML page about a run, or a site about one run or several."""
    from vbench_env.report import run_table, write_report, write_site
    from vbench_env.report.table import table_json

    with progress_bar() as bar:
        step = bar.add_task("report", total=None)

        def told(done: int, total: int) -> None:
            bar.update(step, completed=done, total=total)

        if site or len(runs) > 1:
            path = write_site(runs, output, rules, most_pictures=pictures, progress=told)
        else:
            path = write_report(runs[0], output, rules=rules, progress=told)
    if json:
        print_json({"report": str(path.resolve()), "runs": [table_json(folder, rules) for folder in runs]})
        return
    for run_folder in runs:
        out.print(run_table(run_folder, rules))
    out.print(f"report: {path.resolve()}", highlight=False, soft_wrap=True)
