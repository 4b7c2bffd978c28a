"""`vbench-env review` and `agreement`."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vbench_env.cli.console import NO, OWED, err, out, print_json, progress_bar, refuse
from vbench_env.cli.tasks import JsonOption

if TYPE_CHECKING:
    from vbench_env.review import Agreement, ReviewFolder


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(review)
    app.command()(agreement)


def review(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="Run folders, folders of published outcomes, or a review folder."
        ),
    ],
    reviewer: Annotated[
        str | None, typer.Option("--reviewer", "-r", help="Your name; your login by default.")
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Outputs to judge; 60 by default.", min=1)] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the sample; 0 by default.")] = None,
    quota: Annotated[
        list[str] | None,
        typer.Option(help="VERDICT=N, such as PASS=20; repeatable. The others share the rest."),
    ] = None,
    rules: Annotated[str | None, typer.Option(help="Rule set of the strata; surgical by default.")] = None,
    target: Annotated[
        bool | None, typer.Option("--target/--no-target", help="Whether the target may be revealed.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Review folder; RUN/reviews by default.")
    ] = None,
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Choose what to judge, print it, and end.")
    ] = False,
    port: Annotated[int, typer.Option(help="Port of the page; 0 takes a free one.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Judge outputs of models yourself, blinded, in a local page; exit code 3 while some are left."""
    given = {"n": n, "seed": seed, "rules": rules, "target": target, "quotas": _quotas(quota)}
    found = _opened(sources, folder, {key: value for key, value in given.items() if value is not None})
    if plan_only:
        from vbench_env.review.tables import plan_table

        out.print(plan_table(found.plan))
        out.print(f"review: {found.path}", highlight=False, soft_wrap=True)
        return
    if left := _judge(found, reviewer or _login(), port, browser):
        err.print(f"{left} outputs are left; go on with the same command")
        raise typer.Exit(OWED)


def _quotas(texts: list[str] | None) -> dict[str, int] | None:
    found: dict[str, int] = {}
    for text in texts or ():
        name, _, number = text.partition("=")
        if not number.isdigit():
            refuse(f"--quota takes VERDICT=N, such as PASS=20, not {text!r}")
        found[name.upper()] = int(number)
    return found or None


def _opened(sources: list[Path], folder: Path | None, given: dict[str, Any]) -> ReviewFolder:
    """The review that is there already, or a new one."""
    from vbench_env.review import PlanSettings, ReviewFolder, make_review
    from vbench_env.review.sources import Sources

    for source in sources:
        if not source.is_dir():
            refuse(
                f"{source}: no such folder; give run folders, folders of published outcomes, or a review folder"
            )
    if len(sources) == 1 and folder is None and ReviewFolder(sources[0]).exists:
        path = sources[0]
    elif folder is not None:
        path = folder
    elif len(sources) == 1 and (sources[0] / "manifest.json").is_file():
        path = sources[0] / "reviews"
    else:
        refuse("say where the review goes with --out FOLDER: it is not about a single run")
    found = ReviewFolder(path)
    if found.exists:
        _refuse_changes(found, given)
        return found
    with progress_bar() as bar:
        step = bar.add_task("outcomes", total=None)
        return make_review(
            Sources(sources),
            path,
            PlanSettings(**given),
            progress=lambda done: bar.update(step, completed=done),
        )


def _refuse_changes(found: ReviewFolder, given: dict[str, Any]) -> None:
    for name, value in given.items():
        kept = getattr(found.plan, name)
        if kept != value:
            refuse(
                f"the review in {found.path} has {name} {kept}, not {value}; leave the option out, or begin another "
                "review with --out FOLDER"
            )


def _login() -> str:
    import getpass
    import re

    try:
        name = re.sub(r"[^\w.-]", "-", getpass.getuser()).lstrip("_.-")[:40]
    except (OSError, KeyError, ImportError):
        name = ""
    return name or "reviewer"


def _judge(found: ReviewFolder, reviewer: str, port: int, browser: bool) -> int:
    """Serve the page until Ctrl-C; how many outputs are left then."""
    from vbench_env.review.desk import ReviewDesk
    from vbench_env.review.server import ReviewServer

    with found.labels(reviewer) as labels:
        desk = ReviewDesk(found, labels, reviewer)
        server = ReviewServer(desk, port)
        try:
            out.print(f"judge at {server.url}", highlight=False, soft_wrap=True)
            out.print(
                f"{desk.judged} of {len(desk.order)} judged as {reviewer}. Ctrl-C ends; answers are kept."
            )
            if browser:
                webbrowser.open(server.url)
            _wait()
        except KeyboardInterrupt:
            out.print()
        finally:
            server.close()
        out.print(
            f"{desk.judged} of {len(desk.order)} judged: {labels.path}", highlight=False, soft_wrap=True
        )
        return desk.left


def _wait() -> None:
    """Until Ctrl-C; in short pieces, which it can interrupt on every system."""
    never = threading.Event()
    while True:
        never.wait(1.0)


def agreement(
    sources: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN...", help="Runs with a review, or review folders.")
    ] = None,
    reviews: Annotated[
        list[Path] | None, typer.Option("--reviews", help="Label file of a review; repeatable.")
    ] = None,
    reviewer: Annotated[
        list[str] | None, typer.Option("--reviewer", "-r", help="Only this reviewer; repeatable.")
    ] = None,
    rules: Annotated[str | None, typer.Option(help="Headline rule set; that of the plan by default.")] = None,
    most: Annotated[int, typer.Option("--look", help="Outcomes to look at that are printed.", min=0)] = 20,
    least: Annotated[
        float | None,
        typer.Option("--require-kappa", help="Exit code 1 when a gate's kappa is lower.", min=-1, max=1),
    ] = None,
    json: JsonOption = False,
) -> None:
    """How far people and the scorer agree: confusion, kappa, tolerances, and the outcomes to look at."""
    from vbench_env.review import agreement_of
    from vbench_env.review.study import load_studies
    from vbench_env.review.tables import agreement_tables

    studies = load_studies(sources or (), reviews or ())
    found = agreement_of(studies, rules, reviewer or ())
    if json:
        print_json(found.to_json())
    else:
        out.print(agreement_tables(found, most))
    if least is not None and (low := _below(found, least)):
        err.print(f"kappa below {least}: {', '.join(low)}")
        raise typer.Exit(NO)


def _below(found: Agreement, least: float) -> list[str]:
    from vbench_env.review.plan import GATES

    kappas = {gate: found.kappa(gate) for gate in GATES}
    return [gate for gate, kappa in kappas.items() if kappa.value is None or kappa.value < least]
