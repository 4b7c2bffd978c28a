"""`vbench-env serve`: episodes for clients of other protocols."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from vbench_env.cli.console import err
from vbench_env.errors import MissingExtra

app = typer.Typer(help="Serve episodes: to MCP clients, to trainers.", no_args_is_help=True)

Corpus = Annotated[str, typer.Option("--corpus", "-c", help="Corpus name or folder.")]
Split = Annotated[str | None, typer.Option(help="train or test part of the corpus.")]
Protocol = Annotated[str, typer.Option("--protocol", "-p", help="Protocol name or file.")]
RulesName = Annotated[str | None, typer.Option("--rules", help="Rule set of the reward.")]
Reward = Annotated[str, typer.Option(help="gates, progress or shaped.")]
MaxTurns = Annotated[int | None, typer.Option(help="Calls that an episode may take.", min=1)]
PreviewSize = Annotated[int | None, typer.Option(help="Side of pictures in pixels.", min=16, max=4096)]
Host = Annotated[str, typer.Option(help="Address to listen on.")]
IdleSeconds = Annotated[float, typer.Option(help="End an episode after so many idle seconds.", min=0.1)]


@app.command()
def mcp(
    task: Annotated[str | None, typer.Argument(help="Task of clients that ask for none.")] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP instead of standard input and output.")
    ] = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8321,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the episode; picks the task if none is named.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", help="Append a line of JSON for every episode that ends.")
    ] = None,
    corpus: Corpus = "vbench-40",
    split: Split = None,
    protocol: Protocol = "interactive-text",
    rules: RulesName = None,
    reward: Reward = "gates",
    max_turns: MaxTurns = None,
    preview_size: PreviewSize = None,
    idle_s: IdleSeconds = 1800.0,
) -> None:
    """Give an MCP client the tools of one episode; submit answers with the score."""
    from vbench_env.integrations.http import serve
    from vbench_env.integrations.mcp import Desk, http_app, serve_stdio
    from vbench_env.integrations.session import Source

    try:
        import mcp_types  # noqa: F401  (older ones have no such package)
    except ImportError as error:
        raise MissingExtra("mcp", error) from error
    source = Source(_config(corpus, split, protocol, rules, reward, max_turns, preview_size))
    wanted = {name: value for name, value in (("task", task), ("seed", seed)) if value is not None}
    if task is not None:
        source.task(task)
    desk = Desk(source, wanted, output, idle_s)
    if not http:
        serve_stdio(desk)
        return
    try:
        serve(http_app(desk, host), host, port, lambda address: _tell(f"{address}/mcp"))
    finally:
        desk.close()


@app.command()
def openenv(
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8322,
    sessions: Annotated[int, typer.Option(help="Connections at once.", min=1)] = 64,
    corpus: Corpus = "vbench-40",
    split: Split = None,
    protocol: Protocol = "interactive-text",
    rules: RulesName = None,
    reward: Reward = "gates",
    max_turns: MaxTurns = None,
    preview_size: PreviewSize = None,
    idle_s: IdleSeconds = 1800.0,
) -> None:
    """Serve episodes to OpenEnv clients, each connection its own."""
    from vbench_env.integrations.http import serve
    from vbench_env.integrations.openenv import make_app
    from vbench_env.integrations.session import Source

    source = Source(_config(corpus, split, protocol, rules, reward, max_turns, preview_size))
    serve(make_app(source, sessions, idle_s), host, port, _tell)


def _config(*values: Any) -> Any:
    from vbench_env.integrations.session import SourceConfig

    return SourceConfig(**dict(zip(SourceConfig.model_fields, values, strict=True)))


def _tell(address: str) -> None:
    err.print(f"serving {address}", highlight=False, soft_wrap=True)
