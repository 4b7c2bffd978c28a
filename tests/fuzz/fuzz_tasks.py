"""Tasks that hold every family of repairs, for candidates of any kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests.sources import PLAIN
from vbench_env.scoring import PUBLISHED, SURGICAL
from vbench_env.scoring.problem import Problem, as_repairs
from vbench_env.task import Repair, Task

RICH = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 80">
<style>.warm{fill:#e67e22;stroke-width:2} #hull ~ rect{opacity:.5}</style>
<defs><linearGradient id="dusk"><stop id="low" offset=".3" stop-color="#123"/><stop offset="1" stop-color="red"/>
</linearGradient><symbol id="leaf" viewBox="0 0 9 9"><path d="M0 4A4 4 0 0 1 8 4Z"/></symbol>
<clipPath id="hole"><circle r="30"/></clipPath></defs>
<rect id="sky" width="100" height="80" fill="url(#dusk)" clip-path="url(#hole)"/>
<g id="boat" transform="rotate(4)"><path id="hull" d="M10 60C20 70 40 70 50 60Z" fill="#654321"/>
<polygon id="sail" points="30,20 30,55 48,55" class="warm"/></g>
<use id="tree" href="#leaf" x="70" y="50" width="9" height="9"/>
<line id="rope" x1="5" y1="5" x2="60" y2="9" stroke="#222" stroke-dasharray="4 2"/>
<text id="name" x="12" y="66" font-size="7" style="letter-spacing:1px">Ma<tspan id="ri">ri</tspan>a</text>
<circle id="buoy" cx="80" cy="66" r="4" fill="tomato" opacity=".8"/>
</svg>"""
RICH_START = (
    RICH.replace('cx="80"', 'cx="20"').replace("tomato", "#001").replace('opacity=".8"', 'opacity=".1"')
    .replace("M10 60C20 70", "M10 40C20 99").replace("48,55", "70,9").replace(">ri<", ">rr<")
    .replace('offset=".3"', 'offset=".9"').replace("4 2", "9 9").replace('font-size="7"', 'font-size="14"')
    .replace("1px", "6px").replace("rotate(4)", "rotate(60)").replace(' href="#leaf"', ' href="#hole"')
    .replace("</svg>", '<rect id="blot" width="9" height="9"/></svg>')
)  # fmt: skip


def _asked(part: str, attribute: str, before: object, after: object) -> dict[str, Any]:
    return {"part": part, "attribute": attribute, "before": before, "after": after}


RICH_REPAIRS = [
    _asked("buoy", "cx", 20, 80), _asked("buoy", "fill", "#001", "tomato"), _asked("buoy", "opacity", 0.1, 0.8),
    _asked("hull", "d", "M10 40C20 99 40 70 50 60Z", "M10 60C20 70 40 70 50 60Z"),
    _asked("sail", "points", "30,20 30,55 70,9", "30,20 30,55 48,55"), _asked("ri", "text", "rr", "ri"),
    _asked("low", "offset", 0.9, 0.3), _asked("rope", "stroke-dasharray", "9 9", "4 2"),
    _asked("name", "font-size", 14, 7), _asked("name", "letter-spacing", "6px", "1px"),
    _asked("boat", "transform", "rotate(60)", "rotate(4)"), _asked("tree", "href", "#hole", "#leaf"),
    _asked("blot", "exists", True, False),
]  # fmt: skip
PLAIN_START = PLAIN.replace('<circle id="sun" cx="80" cy="15" r="8" fill="gold"/>\n', "").replace(
    'x="5" y="10" width="30"', 'x="50" y="40" width="3"'
)
PLAIN_REPAIRS = [
    _asked("sun", "exists", False, True), _asked("wall", "x", 50, 5), _asked("wall", "y", 40, 10),
    _asked("wall", "width", 3, 30),
]  # fmt: skip


def _problems(target: str, start: str | None, repairs: list[dict[str, Any]]) -> Callable[[], list[Problem]]:
    @cache
    def made() -> list[Problem]:
        asked = as_repairs(repairs)
        return [Problem(target, start, asked, (), rules) for rules in (SURGICAL, PUBLISHED)]

    return made


PROBLEMS = (
    _problems(RICH, RICH_START, RICH_REPAIRS),
    _problems(PLAIN, PLAIN_START, PLAIN_REPAIRS),
    _problems(RICH, None, []),
)
TASK = Task(
    "harbour", "Put the wall back where it was.", PLAIN.replace('x="5"', 'x="50"'), PLAIN,
    (Repair(object="wall", operation="move", property="x", corrupted="50", target="5"),), ("sun", "roof"),
)  # fmt: skip
