"""A small task made by hand, and a judge of pictures that needs no engine."""

from __future__ import annotations

import pytest

from vbench_env.protocol import Protocol, load_protocol
from vbench_env.task import Repair, Task

TARGET = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60" width="100" height="60">
  <rect id="sky" width="100" height="40" fill="#bde0fe"/>
  <rect id="sea" y="40" width="100" height="20" fill="#1d3557"/>
  <circle id="sun" cx="70" cy="18" r="9" fill="#ffb703"/>
  <path id="sail" d="M20 40 L30 12 L40 40 Z" fill="#ffffff"/>
</svg>
"""
CORRUPTED = TARGET.replace('cx="70"', 'cx="31"').replace("#ffb703", "#3a5a40")


@pytest.fixture(scope="session")
def task() -> Task:
    return Task(
        task_id="little-harbour",
        instruction="The sun has drifted to the left and lost its warm colour. Put both right.",
        corrupted_svg=CORRUPTED,
        target_svg=TARGET,
        repairs=(
            Repair(object="sun", operation="move", property="cx", corrupted="31", target="70"),
            Repair(object="sun", operation="recolor", property="fill", corrupted="#3a5a40", target="#ffb703"),
        ),
        protected=("sky", "sea", "sail"),
        corpus="hand-made",
    )


@pytest.fixture(scope="session")
def text_protocol() -> Protocol:
    return load_protocol("interactive-text")


SOLUTION = (
    {"tool": "set_attribute", "args": {"object": "sun", "name": "cx", "value": "70"}},
    {"tool": "set_attribute", "args": {"object": "sun", "name": "fill", "value": "#ffb703"}},
)
