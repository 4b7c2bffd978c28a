"""Speed of the environment: steps per second, where the time goes, and renders per second of both engines.

    python benchmarks/bench_env.py [--corpus vbench-40] [--tasks 8] [--rounds 3] [--size 512] [--json]

Everything runs in one process, one thing at a time, on the same drawings. A step is a `set_attribute` call that
changes the drawing, so nothing comes from a cache; an episode is a few of them and `submit`. Every figure is a
median, and what is compared (a step with the parse of its document, a raster step with the bare render) is
measured turn about, so that a busy machine slows both. Steps per second are those of one core: the inverse of the
processor time of a step, processes of the renderer included.

Goals: a step with text observation at most 4 times lxml's parse of the document (more than 15 fails); a raster step
at most 1.3 times the bare render of the same document; an unchanged document is not drawn.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
from lxml import etree

import vbench_env.episode as episode_module
from vbench_env.episode import Episode
from vbench_env.render import (
    RENDERERS,
    Picture,
    RenderFailure,
    RenderLimits,
    RenderRequest,
    SafeRenderer,
    get_renderer,
    unavailable,
)
from vbench_env.task import Task, load_corpus
from vbench_env.verdict import Judge

EDITS = 8
MODES = {"text": "interactive-text", "raster each turn": "interactive-raster",
         "raster on demand": "interactive-raster-on-demand"}  # fmt: skip
PARTS = ("tool", "render", "score", "observation")
GOALS = {"text": (4.0, 15.0), "raster": (1.3, 1.3)}
_COMMENT = "<!-- {} -->"


class Clock:
    """Seconds spent inside named parts; time inside an inner part counts for that one only."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner: list[float] = []

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            self._inner.append(0.0)
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.perf_counter() - started
                self.seconds[part] += spent - self._inner.pop()
                if self._inner:
                    self._inner[-1] += spent

        return run


@contextmanager
def watched(clock: Clock) -> Iterator[None]:
    """Time tools, renders and scoring inside the block; what is left of a step is observation and conversation."""
    places = (
        (episode_module, "call_tool", "tool"),
        (SafeRenderer, "render", "render"),
        (Judge, "verdict", "score"),
    )
    kept = [getattr(owner, name) for owner, name, _ in places]
    for (owner, name, part), function in zip(places, kept, strict=True):
        setattr(owner, name, clock.timed(part, function))
    try:
        yield
    finally:
        for (owner, name, _), function in zip(places, kept, strict=True):
            setattr(owner, name, function)


@dataclass(frozen=True)
class Subject:
    """A task and an object of it whose opacity can be set again and again."""

    task: Task
    object: str
    counter: list[int] = field(default_factory=lambda: [0])

    def edit(self) -> dict[str, Any]:
        """A call that has not been made before, so the picture is a new one."""
        self.counter[0] += 1
        value = f"{0.3 + self.counter[0] * 1e-5:.5f}"
        return {"tool": "set_attribute", "args": {"object": self.object, "name": "opacity", "value": value}}


def subject(task: Task) -> Subject:
    """The task with an object that its corrupted drawing has."""
    named = [repair.object for repair in task.repairs if f'id="{repair.object}"' in task.corrupted_svg]
    return Subject(task, named[0] if named else "svg")


def begun(chosen: Subject, protocol: str, size: int) -> gym.Env[Any, Any]:
    """An environment in which an episode of the subject has begun."""
    env = gym.make(
        "vbench_env:VBench/SvgRepair-v0", task="harbor-dawn", protocol=protocol, preview_size=size,
        max_turns=10_000, disable_env_checker=True,
    )  # fmt: skip
    env.reset(seed=0, options={"task": chosen.task})
    return env


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def processor_s() -> float:
    """Processor time of this process and of the ended ones that it started."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


# Steps per second


@dataclass
class Episodes:
    """Episodes of one mode: seconds of each part per step, and steps per second of processor time."""

    parts: dict[str, float]
    step_s: float
    per_second: float


def play(mode: str, subjects: list[Subject], rounds: int, size: int) -> Episodes:
    """Play an episode of every subject `rounds` times through Gymnasium; medians over the episodes."""
    shares: dict[str, list[float]] = defaultdict(list)
    whole, cpu = [], []
    for chosen in subjects * rounds:
        env = begun(chosen, MODES[mode], size)
        actions = script(mode, chosen)
        clock, before = Clock(), processor_s()
        with watched(clock):
            spent = seconds(lambda env=env, actions=actions: [env.step(action) for action in actions])  # type: ignore[misc]
        cpu.append((processor_s() - before) / len(actions))
        whole.append(spent / len(actions))
        clock.seconds["observation"] = spent - sum(clock.seconds.values())
        for part in PARTS:
            shares[part].append(clock.seconds[part] / len(actions))
        env.close()
    parts = {part: statistics.median(values) for part, values in shares.items()}
    return Episodes(parts, statistics.median(whole), 1 / max(1e-9, statistics.mean(cpu)))


def script(mode: str, chosen: Subject) -> list[dict[str, Any]]:
    """Edits, a look at the picture after every fourth where pictures come on demand, and the end."""
    actions: list[dict[str, Any]] = []
    for number in range(1, EDITS + 1):
        actions.append(chosen.edit())
        if mode == "raster on demand" and number % 4 == 0:
            actions.append({"tool": "render", "args": {}})
    return [*actions, {"tool": "submit", "args": {}}]


# Ratios


def text_ratio(chosen: Subject, rounds: int) -> tuple[float, float]:
    """Seconds of a step with text observation, and of lxml's parse of its document."""
    env = begun(chosen, "interactive-text", 64)
    steps, parses = [], []
    for _ in range(20 * rounds):
        action = chosen.edit()
        started = time.perf_counter()
        observation, *_ = env.step(action)
        steps.append(time.perf_counter() - started)
        data = observation["svg"].encode()
        parses.append(seconds(lambda data=data: etree.fromstring(data)))  # type: ignore[misc]
    return statistics.median(steps), statistics.median(parses)


@dataclass
class Raster:
    """Medians of one drawing, in seconds."""

    episode_step: float
    bare: float
    env_step: float
    bare_pixels: float
    engine: float


def raster_ratio(chosen: Subject, rounds: int, size: int) -> Raster:
    """A raster step beside the bare render of the same document: as PNG, as pixels, and by the engine alone."""
    episode = Episode(chosen.task, "interactive-raster", preview_size=size, max_turns=10_000)
    env = begun(chosen, "interactive-raster", size)
    renderer = get_renderer()
    assert isinstance(renderer, SafeRenderer)
    times: dict[str, list[float]] = defaultdict(list)
    for _ in range(5 * rounds):
        action, other = chosen.edit(), chosen.edit()
        times["episode_step"].append(seconds(lambda a=action: episode.step(a)))  # type: ignore[misc]
        times["env_step"].append(seconds(lambda a=other: env.step(a)))  # type: ignore[misc]
        fresh = [RenderRequest(episode.document + _COMMENT.format(n), size, size) for n in range(2)]
        times["bare"].append(seconds(lambda r=fresh[0]: renderer.render(r)))  # type: ignore[misc]
        times["bare_pixels"].append(seconds(lambda r=fresh[1]: pixels(renderer.render(r))))  # type: ignore[misc]
        prepared = prepared_svg(fresh[0])
        times["engine"].append(seconds(lambda p=prepared: renderer.engine.draw(p, size, size)))  # type: ignore[misc]
    return Raster(**{name: statistics.median(values) for name, values in times.items()})


def pixels(result: Picture | RenderFailure) -> Any:
    assert isinstance(result, Picture), result
    return result.array()


def prepared_svg(request: RenderRequest) -> bytes:
    """The document as the engine gets it."""
    from vbench_env.render import Prepared, prepare

    prepared = prepare(request, RenderLimits())
    assert isinstance(prepared, Prepared), prepared
    return prepared.svg


def renders_of_an_unchanged_document(chosen: Subject, size: int) -> int:
    """How often a raster episode draws in eight turns that change nothing."""
    renderer = SafeRenderer(RENDERERS.get("resvg")(RenderLimits()), RenderLimits())
    episode = Episode(chosen.task, "interactive-raster", renderer=renderer, preview_size=size)
    drawn = renderer.drawn
    for tool in ("diff", "list_objects", "validate", "reset_document") * 2:
        episode.step({"tool": tool, "args": {}})
    return renderer.drawn - drawn


def engines(subjects: list[Subject], rounds: int, size: int) -> dict[str, float | str]:
    """Renders per second of each engine on the same drawings, turn about, nothing from a cache."""
    found: dict[str, float | str] = {}
    renderers = {}
    for name in RENDERERS.names()[::-1]:
        reason = unavailable(name)
        if reason is not None:
            found[name] = f"not measured, {reason}"
        else:
            limits = RenderLimits()
            renderers[name] = SafeRenderer(RENDERERS.get(name)(limits), limits, cache_bytes=0)
    times: dict[str, list[float]] = defaultdict(list)
    for chosen in subjects:
        request = RenderRequest(chosen.task.corrupted_svg, size, size)
        for name, renderer in renderers.items():
            renderer.render(request)
            spent = [seconds(lambda r=renderer, q=request: r.render(q)) for _ in range(rounds)]  # type: ignore[misc]
            times[name].append(statistics.median(spent))
    for name, renderer in renderers.items():
        found[name] = len(times[name]) / sum(times[name])
        renderer.close()
    return found


# The report


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default="vbench-40")
    parser.add_argument("--tasks", type=int, default=8, help="How many tasks of the corpus.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, default=512, help="Side of a picture in pixels.")
    parser.add_argument("--json", action="store_true", help="Print figures as JSON.")
    options = parser.parse_args()
    subjects = [subject(task) for task in load_corpus(options.corpus)[: options.tasks]]
    figures = measured(subjects, options.rounds, options.size)
    print(json.dumps(figures, indent=2) if options.json else text(figures, len(subjects), options.size))


def measured(subjects: list[Subject], rounds: int, size: int) -> dict[str, Any]:
    """All figures; times in milliseconds, ratios without unit."""
    modes = {mode: play(mode, subjects, rounds, size) for mode in MODES}
    texts = [text_ratio(chosen, rounds) for chosen in subjects]
    rasters = [raster_ratio(chosen, rounds, size) for chosen in subjects]

    def middle(values: Iterator[float]) -> float:
        return statistics.median(list(values))

    return {
        "modes": {
            mode: {
                "steps_per_second_per_core": found.per_second,
                "step_ms": 1000 * found.step_s,
                **{f"{part}_ms": 1000 * found.parts[part] for part in PARTS},
            }
            for mode, found in modes.items()
        },
        "text_step_over_parse": middle(step / parse for step, parse in texts),
        "text_step_over_parse_worst": max(step / parse for step, parse in texts),
        "raster_step_over_bare_render": middle(row.episode_step / row.bare for row in rasters),
        "raster_env_step_over_bare_render_to_pixels": middle(
            row.env_step / row.bare_pixels for row in rasters
        ),
        "raster_step_over_engine_alone": middle(row.episode_step / row.engine for row in rasters),
        "renders_of_an_unchanged_document": renders_of_an_unchanged_document(subjects[0], size),
        "renders_per_second": engines(subjects, rounds, size),
    }


def text(figures: dict[str, Any], tasks: int, size: int) -> str:
    """The figures for people."""
    lines = [f"{tasks} drawings, pictures of {size} px, {EDITS} edits and submit an episode, medians", ""]
    lines.append(
        f"{'ms a step':<18}{'steps/s/core':>13}{'whole':>8}" + "".join(f"{part:>13}" for part in PARTS)
    )
    for mode, row in figures["modes"].items():
        parts = "".join(f"{row[f'{part}_ms']:>13.2f}" for part in PARTS)
        lines.append(f"{mode:<18}{row['steps_per_second_per_core']:>13.0f}{row['step_ms']:>8.2f}{parts}")
    lines.append(
        "(observation: everything else in a step, such as reading the message, the conversation, arrays)"
    )
    lines.append("")
    for name, value in figures["renders_per_second"].items():
        lines.append(f"{name:<10}" + (value if isinstance(value, str) else f"{value:6.1f} renders/s"))
    worst = figures["text_step_over_parse_worst"]
    unchanged = figures["renders_of_an_unchanged_document"]
    lines += [
        "",
        goal("set_attribute step, text observation / lxml parse", figures["text_step_over_parse"], *GOALS["text"])
        + f" (largest {worst:.2f})",
        goal("raster step / bare render, both to PNG", figures["raster_step_over_bare_render"], *GOALS["raster"]),
        goal("raster step / bare render, both to pixels",
             figures["raster_env_step_over_bare_render_to_pixels"], *GOALS["raster"]),
        f"{'raster step / the engine alone, unscreened':<52}{figures['raster_step_over_engine_alone']:6.2f}",
        f"{'renders in 8 turns without a change':<52}{unchanged:6d}  goal 0: {'met' if unchanged == 0 else 'MISSED'}",
    ]  # fmt: skip
    return "\n".join(lines)


def goal(name: str, value: float, wanted: float, bound: float) -> str:
    """One line: the figure, its goal and what came of it."""
    verdict = "met" if value <= wanted else "missed" if value <= bound else "MISSED"
    return f"{name:<52}{value:6.2f}  goal {wanted:g}: {verdict}"


if __name__ == "__main__":
    main()
