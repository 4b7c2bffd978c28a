"""The terminal desk: a person types tool calls and sees results, and the drawing in coloured half blocks."""

from __future__ import annotations

import io
import json
import shlex
import sys
from typing import Any

from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from vbench_env.agent import AgentTurn
from vbench_env.episode import Step
from vbench_env.observations import Preview
from vbench_env.observations.preview import draw
from vbench_env.protocol import Protocol
from vbench_env.render import get_renderer
from vbench_env.task import PublicTask

HELP = """\
  TOOL name=value ...   call a tool, e.g.  set_attribute object=sun name=fill value=#f39c12
  {"tool": ..., ...}    the same as JSON; a whole SVG document is a rewrite
  tools [TOOL]          list the tools, or the arguments of one
  draw                  draw the current document here
  source                print the current document
  submit                hand in
  quit                  give up: the drawing is scored as it stands"""


class TerminalDesk:
    """Asks on standard input."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()

    def open(self, public: PublicTask, protocol: Protocol) -> None:
        self.console.rule(f"{public.task_id}, protocol {protocol.name}")
        self.console.print(public.instruction)
        self.console.print(f"[dim]{HELP}[/]", highlight=False)

    def ask(self, turn: AgentTurn) -> str:
        seen = turn.observation
        if seen.last_error is not None:
            self.console.print(f"[red]{seen.last_error.kind}[/]: {seen.last_error.message}", markup=True)
        elif seen.last_result:
            self.console.print(Text(seen.last_result))
        if seen.preview is not None:
            self._show(seen.preview)
        while True:
            line = self._line(f"turn {turn.turn}, {seen.turns_left} left> ")
            if line in ("help", "?"):
                self.console.print(HELP, highlight=False)
            elif line.split(" ")[0] == "tools":
                self._tools(turn.tools, line.partition(" ")[2].strip())
            elif line == "draw":
                self._draw(seen.svg)
            elif line == "source":
                self.console.print(Text(seen.svg))
            elif line:
                return read_line(line)

    def _line(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        return line.strip() if line else "quit"

    def _tools(self, tools: list[dict[str, Any]], name: str) -> None:
        table = Table("tool", "arguments", "what it does", box=None)
        for tool in tools:
            function = tool["function"]
            if not name or name == function["name"]:
                arguments = ", ".join(function["parameters"].get("properties", {}))
                table.add_row(function["name"], arguments, function["description"])
        self.console.print(table)

    def _draw(self, svg: str) -> None:
        self._show(draw(get_renderer(), svg, (960, 960)))

    def _show(self, preview: Preview) -> None:
        if preview.picture is None:
            self.console.print(f"[yellow]preview unavailable: {preview.reason}[/]")
            return
        self.console.print(half_blocks(preview.picture.png, min(100, self.console.width - 2)))

    def close(self, step: Step) -> None:
        score = step.info["score"]
        self.console.rule(f"{score['status']}, reward {score['reward']}")
        for name in ("valid", "repaired", "preserved"):
            self.console.print(f"{name:10} {'yes' if score[name] else 'no'}")
        for repair in score["repairs"]:
            mark = "repaired" if repair["passed"] else (repair["failure"] or "missed").replace("_", " ")
            self.console.print(f"  {repair['object']} {repair['property']}: {mark}", highlight=False)
        for change in score["changes"][:20]:
            self.console.print(f"  also changed: {change['object']} ({change['subtype']} {change['detail']})")


def read_line(line: str) -> str:
    """A typed line as an action: JSON and documents as they are, `TOOL name=value ...` as a call."""
    if line[0] in "{[<":
        return line
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    arguments: dict[str, Any] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        arguments[name] = _value(value) if equals else True
    tool = "submit" if words[0] == "quit" else words[0]
    return json.dumps({"tool": tool, "args": arguments})


def _value(text: str) -> Any:
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return found if isinstance(found, int | float | bool | list | dict) else text


def half_blocks(png: bytes, columns: int) -> Text:
    """A picture as coloured half blocks, two pixels a character."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        rows = max(1, round(columns * picture.height / picture.width / 2))
        small = picture.convert("RGB").resize((columns, rows * 2))
    text = Text(no_wrap=True)
    for row in range(rows):
        for column in range(columns):
            upper, lower = (_color(small.getpixel((column, 2 * row + half))) for half in (0, 1))
            text.append("▀", Style(color=upper, bgcolor=lower))
        text.append("\n")
    return text


def _color(pixel: Any) -> Color:
    return Color.from_rgb(*pixel)
