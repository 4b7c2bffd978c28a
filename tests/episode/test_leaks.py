"""Nothing of the hidden part of a task can be reached before the end.

The walk goes through everything that an agent, or code that only holds the environment's public face, can get
at: observations, infos, messages, tools and their results, error texts, previews, spaces, specification, reprs,
pickles and the working directory. To show that it sees, it is run again with leaks planted on purpose.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from vbench_env.episode import Episode
from vbench_env.observations import OBSERVATIONS
from vbench_env.observations.feedback import validity
from vbench_env.protocol import load_protocol, protocol_names
from vbench_env.task import Repair, Task
from vbench_env.tools import TOOLS

from .conftest import CORRUPTED

TARGET_ONLY = ("71.8237", "#fa8b1d", "M20 40 L30.4711 12 L40 40 Z")
SECRETS = (*TARGET_ONLY, "CANARY-5521", "protect-marker-77", "Repair(", "target_svg", "should_preserve")
TARGET = (
    CORRUPTED.replace('cx="31"', f'cx="{TARGET_ONLY[0]}"')
    .replace("#3a5a40", TARGET_ONLY[1])
    .replace("M20 40 L30 12 L40 40 Z", TARGET_ONLY[2])
)
HIDING = Task(
    task_id="hiding",
    instruction="Put the sun back, give it its colour, and mend the sail.",
    corrupted_svg=CORRUPTED,
    target_svg=TARGET,
    repairs=(
        Repair(object="sun", operation="move", property="cx", corrupted="31", target=TARGET_ONLY[0]),
        Repair(
            object="sun", operation="recolor", property="fill", corrupted="#3a5a40", target=TARGET_ONLY[1]
        ),
        Repair(object="sail", operation="reshape", property="d", target=TARGET_ONLY[2]),
    ),
    protected=("sky", "sea", "protect-marker-77"),
    canary="CANARY-5521",
    paraphrases={"short": "Fix to 71.8237."},
)
ARGUMENTS = {
    "object": "sun", "objects": ["sun"], "query": "*", "selector": "*", "name": "cx", "value": "50",
    "property": "fill", "text": "x", "dx": 1, "dy": 1, "find": 'cx="', "replace": 'cx="', "patch": "@@\n-a\n+b",
    "svg": CORRUPTED, "d": "M0 0", "points": "0 0 1 1", "markup": "<g/>",
    "calls": [{"tool": "get_element", "args": {"object": "sun"}}],
}  # fmt: skip
WRONG = [
    "",
    "hm",
    "{",
    '{"tool": "show_answer"}',
    {"tool": 5},
    7,
    "<svg",
    {"tool": "get_element", "args": {}},
]


# The walk


def strings(thing: object, seen: set[int] | None = None) -> Iterator[str]:
    """Every text inside a value, its repr and its pickle."""
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, (bytes, bytearray)):
        yield bytes(thing).decode("latin-1")
    elif isinstance(thing, np.ndarray):
        yield thing.tobytes().decode("latin-1")
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from strings(key, seen)
            yield from strings(value, seen)
    elif isinstance(thing, (list, tuple, set, frozenset)):
        for item in thing:
            yield from strings(item, seen)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from strings(getattr(thing, field.name), seen)
        yield repr(thing)
    else:
        yield repr(thing)


def pickled(thing: object) -> str:
    buffer = io.BytesIO()
    pickle.Pickler(buffer, protocol=0).dump(thing)
    return buffer.getvalue().decode("latin-1")


def leaks(places: Iterator[tuple[str, object]]) -> list[str]:
    """`place: secret` for every secret that can be reached."""
    found = []
    for place, thing in places:
        for text in strings(thing):
            found += [f"{place}: {secret}" for secret in SECRETS if secret in text]
    return sorted(set(found))


def actions(protocol: str) -> list[object]:
    """Every tool without arguments and with some that fit, wrong actions in between."""
    out: list[object] = []
    for number, name in enumerate(load_protocol(protocol).tools):
        if name != "submit":
            wanted = {key: ARGUMENTS[key] for key in TOOLS.get(name).Args.model_fields if key in ARGUMENTS}
            out += [{"tool": name, "args": {}}, {"tool": name, "args": wanted}, WRONG[number % len(WRONG)]]
    return out


def reachable(protocol: str) -> Iterator[tuple[str, object]]:
    """Everything that can be reached in an episode of `protocol` before its end, with where."""
    env: Any = gym.make(
        "vbench_env:VBench/SvgRepair-v0", task="hiding.json", protocol=protocol, max_turns=500, preview_size=32,
        reward="shaped", render_mode="ansi",
    )  # fmt: skip
    seen = env.reset(options={"task": HIDING})
    yield from faces("reset", env, seen)
    if not load_protocol(protocol).single_shot:
        for number, action in enumerate(actions(protocol)):
            step = env.step(action)
            assert not step[2], action
            yield f"step {number} of {action}"[:80], (step[0], step[4])
            yield f"pickled observation {number}", pickled(step[0])
        yield from faces("last step", env, (step[0], step[4]))
    yield from episode_faces(protocol)
    yield "working directory", {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def faces(place: str, env: Any, seen: tuple[Any, Any]) -> Iterator[tuple[str, object]]:
    yield f"{place}: observation", seen[0]
    yield f"{place}: info", seen[1]
    yield f"{place}: pickle", pickled(seen)
    for name in ("observation_space", "action_space", "spec", "metadata", "render_mode"):
        value = getattr(env, name)
        yield f"{place}: {name}", [repr(value), str(value), pickled(value)]
    yield f"{place}: specification", env.spec.to_json()
    yield f"{place}: samples", [env.action_space.sample() for _ in range(50)]
    yield f"{place}: repr", [repr(env), str(env), repr(env.unwrapped)]
    yield f"{place}: render", env.render()


def episode_faces(protocol: str) -> Iterator[tuple[str, object]]:
    episode = Episode(HIDING, protocol, preview_size=32)
    if not episode.protocol.single_shot:
        episode.step({"tool": "set_attribute", "args": {"object": "sun", "name": "cx", "value": "40"}})
        episode.step("hm")
    yield "messages", episode.messages
    yield "tools", episode.tools
    yield "events", episode.events
    yield "scorecards", episode.scorecards
    yield "observation", episode.observe()
    yield "pickled observation", pickled(episode.observe())
    yield "reprs", [repr(episode), repr(HIDING), str(HIDING), repr(episode.__dict__), f"{HIDING!r:>1}"]
    yield "public task", [HIDING.public, pickled(HIDING.public)]
    yield "what tools get", episode._context


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory; the task file that `gym.make` is pointed at holds no secret."""
    plain = {
        "task_id": "plain", "instruction": "x", "initial_svg": CORRUPTED, "target_svg": CORRUPTED, "expected_diff": []
    }  # fmt: skip
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "hiding.json").write_text(json.dumps(plain), encoding="utf-8")
    monkeypatch.chdir(work)
    original = gym.make
    monkeypatch.setattr(gym, "make", lambda *a, task, **k: original(*a, task=str(tmp_path / task), **k))
    return work


@pytest.mark.parametrize("protocol", protocol_names())
def test_nothing_hidden_can_be_reached(folder: Path, protocol: str) -> None:
    assert leaks(reachable(protocol)) == []


# Leaks planted on purpose


def plant_in_info(patch: pytest.MonkeyPatch) -> None:
    info = Episode.info
    patch.setattr(Episode, "info", lambda self: {**info(self), "hint": [{"x": self.task.target_svg}]})


def plant_in_observation(patch: pytest.MonkeyPatch) -> None:
    observe = Episode.observe
    patch.setattr(Episode, "observe", lambda self: replace(observe(self), last_result=self.task.target_svg))


def plant_in_repr(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Task, "__repr__", lambda self: f"Task({self.repairs})")


def plant_in_episode_repr(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Episode, "__repr__", lambda self: f"Episode({self.task.canary})")


def plant_in_feedback(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(OBSERVATIONS._entries, "validity", lambda view: validity(view) + TARGET_ONLY[1])


def plant_in_spec(patch: pytest.MonkeyPatch) -> None:
    make = gym.make

    def leaky(*args: Any, **kwargs: Any) -> Any:
        env = make(*args, **kwargs)
        assert env.unwrapped.spec is not None
        env.unwrapped.spec.kwargs["protected"] = HIDING.protected
        return env

    patch.setattr(gym, "make", leaky)


def plant_in_working_directory(patch: pytest.MonkeyPatch) -> None:
    Path("cache").mkdir()
    Path("cache/target.svg").write_text(TARGET, encoding="utf-8")


def plant_in_context(patch: pytest.MonkeyPatch) -> None:
    import vbench_env.episode as module

    real = module.start_context

    def leaky(*args: Any) -> Any:
        return replace(real(*args), offered=("target_svg",))

    patch.setattr(module, "start_context", leaky)


def plant_in_errors(patch: pytest.MonkeyPatch) -> None:
    import vbench_env.episode as module

    real = module.read_message

    def leaky(action: object, protocol: Any) -> Any:
        message = real(action, protocol)
        if message.error is None:
            return message
        return replace(message, error=replace(message.error, message=f"not {TARGET_ONLY[0]}"))

    patch.setattr(module, "read_message", leaky)


PLANTS: list[Callable[[pytest.MonkeyPatch], None]] = [
    plant_in_info,
    plant_in_observation,
    plant_in_repr,
    plant_in_episode_repr,
    plant_in_feedback,
    plant_in_spec,
    plant_in_working_directory,
    plant_in_context,
    plant_in_errors,
]


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_leak_is_found(
    folder: Path, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert leaks(reachable("interactive-feedback"))


# Pictures

REFERENCES = [
    '<image href="{0}" width="100" height="60"/>',
    '<image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{0}" width="100" height="60"/>',
    '<use href="{0}#sun"/>',
    '<filter id="f"><feImage href="{0}"/></filter><rect width="100" height="60" filter="url(#f)"/>',
    '<style>@import url("{0}"); rect {{ fill: url("{0}#sun") }}</style><rect width="9" height="9"/>',
    '<foreignObject width="100" height="60"><img xmlns="http://www.w3.org/1999/xhtml" src="{0}"/></foreignObject>',
]


def drawings(place: str) -> Iterator[str]:
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60">'
    for reference in REFERENCES:
        yield head + reference.format(place) + "</svg>"
    yield f'<!DOCTYPE svg [<!ENTITY t SYSTEM "{place}">]>{head}&t;</svg>'
    yield f'<?xml-stylesheet href="{place}"?>{head}<rect width="9" height="9"/></svg>'


def pictures(places: list[str]) -> list[tuple[bool, bytes]]:
    shown = []
    for place in places:
        for drawing in drawings(place):
            episode = Episode(HIDING, "interactive-raster", preview_size=64)
            preview = episode.step(drawing).observation.preview
            assert preview is not None
            shown.append((preview.ok, preview.picture.png if preview.picture else b""))
    return shown


def test_previews_never_draw_a_file_beside_the_document(folder: Path) -> None:
    target = folder.parent / "target.svg"
    places = ["target.svg", "./target.svg", "../target.svg", str(target), target.as_uri()]
    before = pictures(places)
    for place in (target, folder / "target.svg"):
        place.write_text(TARGET, encoding="utf-8")
        (place.parent / "rect.css").write_text("rect { fill: red }", encoding="utf-8")
    assert pictures(places) == before
    assert any(ok for ok, _ in before)
