"""A tool of your own: registered in a few lines, granted by a protocol file, described to agents by itself.

    python examples/own_tool.py

In a package of yours the entry point group `vbench_env.tools` makes it known without an import:

    [project.entry-points."vbench_env.tools"]
    align_center = "my_package.tools:ALIGN_CENTER"
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal

from vbench_env import Episode, load_protocol, load_task
from vbench_env.tools import TOOLS, call_tool, markdown
from vbench_env.tools.address import resolve
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, tool
from vbench_env.tools.boxes import canvas_box


class AlignCenterArgs(Arguments):
    object: str
    """Id, structural path or CSS selector of the element to move."""
    to: str
    """Id, structural path or CSS selector of the element that stays."""
    axis: Literal["x", "y"] = "x"
    """Direction in which to move it."""


@tool("align_center", "edit", AlignCenterArgs)
def align_center(context: ToolContext, args: AlignCenterArgs) -> ToolResult:
    """Move one object along an axis until its centre lines up with that of another."""
    boxes = [canvas_box(resolve(context.document, name)) for name in (args.object, args.to)]
    if boxes[0] is None or boxes[1] is None:
        return ToolResult("unchanged: one of the two draws nothing that can be measured", context.document)
    (x, y), (to_x, to_y) = boxes[0].center, boxes[1].center
    dx, dy = (to_x - x, 0) if args.axis == "x" else (0, to_y - y)
    return call_tool(context, "move", {"object": args.object, "dx": dx, "dy": dy}, ["move"])


ALIGN_CENTER = TOOLS.get("align_center")

PROTOCOL = """\
extends: interactive-text
description: As interactive-text, with a tool that aligns centres.
tools+: [align_center]
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "interactive-align.yaml"
        path.write_text(PROTOCOL, encoding="utf-8")
        protocol = load_protocol(path)
    print(markdown(["align_center"]))
    episode = Episode(load_task("harbor-dawn"), protocol)
    for action in (
        {"tool": "align_center", "args": {"object": "lantern", "to": "plaster", "axis": "z"}},
        {"tool": "align_center", "args": {"object": "lantern", "to": "plaster"}},
        {"tool": "diff", "args": {}},
        {"tool": "submit", "args": {}},
    ):
        step = episode.step(action)
        print(step.observation.last_error or step.observation.last_result)
    lantern = next(repair for repair in step.info["score"]["repairs"] if repair["object"] == "lantern")
    print(f"the lamp house is repaired: {lantern['passed']}")


if __name__ == "__main__":
    main()
