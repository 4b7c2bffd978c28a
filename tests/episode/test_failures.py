"""A crash of renderer or scorer is never a silent zero; a drawing that cannot be drawn is no crash."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vbench_env.episode import Episode
from vbench_env.render import Picture, RenderFailure, RenderRequest
from vbench_env.scoring import scorer
from vbench_env.task import Task

from .conftest import SOLUTION, TARGET

SUBMIT = {"tool": "submit", "args": {}}


class PanicException(BaseException):
    """As native renderers raise it: no `Exception`."""


class Panicking:
    name = "panicking"

    def render(self, request: RenderRequest) -> Picture | RenderFailure:
        raise PanicException("index out of bounds")

    def close(self) -> None:
        pass


class Refusing(Panicking):
    name = "refusing"

    def render(self, request: RenderRequest) -> Picture | RenderFailure:
        return RenderFailure("timeout", "drawing took too long; undo the last edit")


class Interrupting(Panicking):
    name = "interrupting"

    def render(self, request: RenderRequest) -> Picture | RenderFailure:
        raise KeyboardInterrupt


def play(task: Task, renderer: Panicking) -> Episode:
    episode = Episode(task, "interactive-raster", renderer=renderer)
    for call in (*SOLUTION, SUBMIT):
        step = episode.step(call)
        assert step.observation.preview is not None
        assert not step.observation.preview.ok
    return episode


def test_a_drawing_that_cannot_be_drawn_is_told_and_scored(task: Task) -> None:
    episode = play(task, Refusing())
    assert "preview unavailable: timeout: drawing took too long; undo the last edit" in str(episode.messages)
    assert (episode.info()["reward_valid"], episode.info()["score"]["reward"]) == (True, 1)
    assert episode.failure is None


def test_a_panicking_renderer_is_survived_and_marked(task: Task) -> None:
    episode = play(task, Panicking())
    assert "preview unavailable: the renderer crashed (PanicException: index out of bounds)" in str(
        episode.messages
    )
    info = episode.info()
    assert (info["reward_valid"], info["score"]["reward"]) == (False, 1)
    assert info["failure"].startswith("the renderer crashed (PanicException: index out of bounds)")


def test_an_interrupt_is_not_swallowed(task: Task) -> None:
    with pytest.raises(KeyboardInterrupt):
        Episode(task, "interactive-raster", renderer=Interrupting())


def test_a_crashing_scorer_leaves_the_reward_invalid(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise MemoryError("out of memory")

    episode = Episode(task, "single-shot")
    monkeypatch.setattr(scorer, "score", crash)
    monkeypatch.setattr("vbench_env.scoring.score", crash)
    info = episode.step(TARGET).info
    assert (info["reward_valid"], info["score"], info["stop_reason"]) == (False, None, "answer")
    assert info["failure"] == "scorer: MemoryError: out of memory"


def test_a_crash_while_shaping_is_marked_too(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise ValueError("no")

    episode = Episode(task, "interactive-text", reward="shaped")
    with monkeypatch.context() as patch:
        patch.setattr("vbench_env.scoring.score", crash)
        assert episode.step(SOLUTION[0]).reward == 0.0
    info = episode.step(SUBMIT).info
    assert (info["reward_valid"], info["failure"]) == (False, "scorer: ValueError: no")


def test_a_task_that_cannot_be_scored_is_not_worth_zero(task: Task) -> None:
    broken = replace(task, target_svg="<svg")
    info = Episode(broken, "single-shot").step(TARGET).info
    assert info["reward_valid"] is False
    assert info["failure"]
