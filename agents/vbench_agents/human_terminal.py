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
from vbench_env.observations import Observation, Preview
from vbench_env.observations.preview import draw
from vbench_env.protocol import Protocol
from vbench_env.render import get_renderer
from vbench_env.task import PublicTask
from vbench_env.tools import ToolContext, call_tool, openai_tools

HELP = """\
  TOOL name=value ...   call a tool, e.g.  set_attribute object=sun name=fill value=#f39c12
  {"tool": ..., ...}    the same as JSON; a whole SVG document on one line is a rewrite
  submit                hand in; this ends the episode
These cost no turn:
  objects [OBJECT]      list the objects of the drawing, or those inside one
  draw                  draw the drawing here
  source                print its source
  tools [TOOL]          list the tools, or the arguments of one
  help                  this text
  quit                  give up: the drawing is scored as it stands"""
LONGEST_SIDE_PX = 960
WIDEST = 100


class TerminalDesk:
    """Asks on standard input."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()
        self._tools: dict[str, dict[str, Any]] = {}
        self._shown: str | None = None

    def open(self, public: PublicTask, protocol: Protocol) -> None:
        """Say what there is to do."""
        self._tools = {tool["function"]["name"]: tool["function"] for tool in openai_tools(protocol.tools)}
        self._shown = None
        self.console.rule(Text(f"{public.task_id}, protocol {protocol.name}"))
        self._say(public.instruction)
        self._say(HELP, "dim")

    def ask(self, turn: AgentTurn) -> str:
        """Show what the last turn did, answer what costs nothing, and wait for an action."""
        seen = turn.observation
        if seen.last_error is not None:
            self._say(str(seen.last_error), "red")
        elif seen.last_result:
            self._say(seen.last_result)
        if seen.preview is not None:
            self._preview(seen.preview)
        while True:
            line = self._line(f"turn {turn.turn}, {seen.turns_left} left> ")
            if line and not self._free(line, seen):
                return read_line(line)

    def close(self, step: Step) -> None:
        """Show the verdict."""
        score = step.info["score"]
        if score is None:
            self._say(f"no verdict: {step.info['failure']}", "red")
            return
        self.console.rule(Text(f"{score['status']}, reward {score['reward']}"))
        for name in ("valid", "repaired", "preserved"):
            self._say(f"{name:10} {'yes' if score[name] else 'no'}")
        for repair in score["repairs"]:
            mark = "repaired" if repair["passed"] else (repair["failure"] or "missed").replace("_", " ")
            self._say(f"  {repair['object']} {repair['property']}: {mark}")
        for change in score["changes"][:20]:
            self._say(f"  also changed: {change['object']} ({change['subtype']} {change['detail']})")

    def _line(self, prompt: str) -> str:
        """A line of input; the end of input gives up."""
        self.console.file.write(prompt)
        self.console.file.flush()
        line = sys.stdin.readline()
        return line.strip() if line else "quit"

    def _free(self, line: str, seen: Observation) -> bool:
        """Answer a line that costs no turn; False when it is an action."""
        word, _, rest = line.partition(" ")
        if word in {"help", "?"}:
            self._say(HELP)
        elif word == "tools":
            self._list_tools(rest.strip())
        elif word == "objects":
            self._objects(seen.svg, rest.strip())
        elif word == "draw":
            self._show(draw(get_renderer(), seen.svg, (LONGEST_SIDE_PX, LONGEST_SIDE_PX)))
        elif word == "source":
            self._say(seen.svg)
        elif word in self._tools or word == "quit" or line[0] in "{[<":
            return False
        else:
            self._say(
                f"there is no tool {word!r}; `tools` lists them, `help` says what else there is", "yellow"
            )
        return True

    def _list_tools(self, name: str) -> None:
        table = Table("tool", "arguments", "what it does", box=None)
        for tool in self._tools.values():
            if name in {"", tool["name"]}:
                arguments = ", ".join(tool["parameters"].get("properties", {}))
                table.add_row(tool["name"], Text(arguments), Text(tool["description"]))
        self.console.print(table)

    def _objects(self, svg: str, inside: str) -> None:
        arguments = {"limit": 500, **({"object": inside} if inside else {})}
        result = call_tool(ToolContext.begin(svg), "list_objects", arguments)
        self._say(result.error.message if result.error else result.text)

    def _preview(self, preview: Preview) -> None:
        """Show a picture that has not been shown."""
        digest = preview.picture.digest if preview.picture else preview.reason
        if digest is not None and digest != self._shown:
            self._show(preview)
        self._shown = digest

    def _show(self, preview: Preview) -> None:
        if preview.picture is None:
            self._say(f"preview unavailable: {preview.reason}", "yellow")
        elif self.console.is_terminal:
            self.console.print(half_blocks(preview.picture.png, min(WIDEST, self.console.width - 2)))
        else:
            size = f"{preview.picture.width_px} x {preview.picture.height_px}"
            self._say(f"[a picture of {size} pixels; only a terminal can show it]", "dim")

    def _say(self, text: str, style: str = "") -> None:
        """Print text as it is: what comes from a document is no markup."""
        self.console.print(Text(text, style), highlight=False, soft_wrap=True)


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
    """JSON where the text is any, else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


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
