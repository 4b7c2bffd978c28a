"""Hostile documents in an episode: every turn ends in time, with a picture or a stated reason, and the game goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from tests.render.hostile_documents import HOSTILE
from vbench_env.episode import Episode
from vbench_env.render import RENDERERS, RenderLimits, SafeRenderer
from vbench_env.task import Task

from .conftest import SOLUTION, TARGET

LIMITS = RenderLimits(cpu_s=1, wall_s=8.0)
SLACK_S = 4.0
SLOW = {
    "style-rules-20000",
    "fill-scribble",
    "stroke-scribble",
    "text-40000",
    "marker-many",
    "elements-60000",
}
TEXTS = {
    name: svg for name, svg in HOSTILE.items()
    if isinstance(svg, str) and len(svg) < 2_000_000 and (name not in SLOW or os.environ.get("VBENCH_FULL_TESTS"))
}  # fmt: skip
SUBMIT = {"tool": "submit", "args": {}}


@pytest.fixture(scope="module")
def renderer() -> Iterator[SafeRenderer]:
    made = SafeRenderer(RENDERERS.get("resvg")(LIMITS), LIMITS)
    yield made
    made.close()


@pytest.mark.parametrize("name", TEXTS)
def test_a_drawing_that_is_hostile_from_the_start(renderer: SafeRenderer, name: str) -> None:
    task = Task("hostile", "Tidy it up.", TEXTS[name], TARGET, (), ())
    started = time.monotonic()
    episode = Episode(task, "interactive-raster", renderer=renderer, preview_size=64)
    first = episode.observe().preview
    assert first is not None
    assert first.ok != bool(first.reason)
    assert not first.crashed
    if first.reason:
        assert f"preview unavailable: {first.reason}" in str(episode.messages[1]["content"])
    looked = episode.step({"tool": "validate", "args": {}})
    assert looked.observation.svg == TEXTS[name]
    step = episode.step({"tool": "rewrite", "args": {"svg": TARGET}})
    assert step.observation.preview is not None
    assert step.observation.preview.ok
    end = episode.step(SUBMIT)
    assert (end.terminated, end.info["reward_valid"]) == (True, True)
    assert time.monotonic() - started < LIMITS.wall_s + SLACK_S


def test_hostile_rewrites_one_after_the_other(renderer: SafeRenderer, task: Task) -> None:
    """A document that is well-formed is taken and shown or not; any other is refused; then the task is solved."""
    episode = Episode(task, "interactive-raster", renderer=renderer, preview_size=64, max_turns=500)
    shown = refused = undrawn = 0
    for svg in TEXTS.values():
        started = time.monotonic()
        step = episode.step({"tool": "rewrite", "args": {"svg": svg}})
        assert time.monotonic() - started < LIMITS.wall_s + SLACK_S
        assert not step.terminated
        preview = step.observation.preview
        assert preview is not None
        if step.observation.last_error is not None:
            assert step.observation.last_error.kind in {"malformed_result", "too_large", "bad_arguments"}
            refused += 1
        elif preview.ok:
            shown += 1
        else:
            assert preview.reason
            undrawn += 1
    assert min(shown, refused, undrawn) >= 5
    episode.step({"tool": "reset_document", "args": {}})
    for call in SOLUTION:
        episode.step(call)
    end = episode.step(SUBMIT)
    assert (end.reward, end.info["reward_valid"]) == (1.0, True)
