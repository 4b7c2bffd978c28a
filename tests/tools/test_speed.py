"""A small edit costs little: less than a few times what a C parser takes to read the document."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from lxml import etree

from tests.sources import SVG
from vbench_env.tools import ToolContext, call_tool

PART = """  <g id="g{0}">
    <path id="p{0}" d="M{0}.25 12.5C10 20.5 30 40.25 50 60L80 90Z" fill="#aabbcc" stroke-width="2"/>
  </g>
"""


def fastest(act: Callable[[], object], times: int = 200) -> float:
    """Seconds of the fastest of many runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        found.append(time.perf_counter() - start)
    return min(found)


@pytest.mark.parametrize(("parts", "bound"), [(80, 4.0), (800, 1.0)])
def test_set_attribute_stays_within_a_few_times_of_parsing(parts: int, bound: float) -> None:
    text = f'<svg xmlns="{SVG}" viewBox="0 0 99 99">\n{"".join(map(PART.format, range(parts)))}</svg>'
    data = text.encode()
    context = ToolContext.begin(text)
    arguments = {"object": "p7", "name": "fill", "value": "#123456"}
    assert call_tool(context, "set_attribute", arguments).error is None
    edit = fastest(lambda: call_tool(context, "set_attribute", arguments))
    assert edit < bound * fastest(lambda: etree.fromstring(data))
