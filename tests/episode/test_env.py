"""The Gymnasium face."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import vbench_env
from vbench_env.env import SvgRepairEnv, make_vector
from vbench_env.errors import ConfigError, UnknownName
from vbench_env.protocol import protocol_names
from vbench_env.task import Task

from .conftest import CORRUPTED, SOLUTION, TARGET

ID = "vbench_env:VBench/SvgRepair-v0"
SUBMIT = json.dumps({"tool": "submit", "args": {}})
CALLS = [json.dumps(call) for call in SOLUTION]


def published(task_id: str) -> dict[str, Any]:
    change = {"part": "sun", "attribute": "cx", "before": 31, "after": 70}
    fill = {"part": "sun", "attribute": "fill", "before": "#3a5a40", "after": "#ffb703"}
    return {
        "task_id": task_id, "instruction": f"Repair the sun of {task_id}. Ünïcode 漢.", "initial_svg": CORRUPTED,
        "target_svg": TARGET, "expected_diff": [change, fill], "should_preserve": ["sky", "sea", "sail"],
    }  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("corpus")
    for number in range(8):
        name = f"harbour-{number}"
        (folder / f"{name}.json").write_text(json.dumps(published(name)), encoding="utf-8")
    return str(folder)


@pytest.fixture
def env(corpus: str) -> Iterator[gym.Env[Any, Any]]:
    made = gym.make(ID, corpus=corpus)
    yield made
    made.close()


@pytest.mark.parametrize("reward", ["gates", "shaped"])
@pytest.mark.parametrize("protocol", protocol_names())
def test_check_env_has_nothing_to_say(corpus: str, protocol: str, reward: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gym.make(ID, corpus=corpus, protocol=protocol, reward=reward, preview_size=[48, 40])
        check_env(made.unwrapped)
        made.close()


IDS = sorted(name for name in gym.registry if name.startswith("VBench/"))


@pytest.mark.parametrize("name", IDS)
def test_every_registered_id_passes_with_the_shipped_tasks(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gym.make(f"vbench_env:{name}", protocol="interactive-raster")
        check_env(made.unwrapped)
        made.close()


def test_random_play_stays_in_the_spaces_and_raises_nothing(env: gym.Env[Any, Any]) -> None:
    env.action_space.seed(1)
    env.reset(seed=1)
    for _ in range(300):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert observation in env.observation_space
        assert reward in {0.0, 1.0}
        assert json.loads(json.dumps(info)) == info
        if terminated or truncated:
            env.reset()


def test_an_episode_through_gym_make(env: gym.Env[Any, Any]) -> None:
    observation, info = env.reset(seed=0)
    assert observation["svg"] == CORRUPTED
    assert observation["instruction"].endswith("漢.")
    assert (observation["turn"], observation["turns_left"], observation["last_error"]) == (0, 24, "")
    for call in CALLS:
        observation, reward, terminated, truncated, info = env.step(call)
        assert (reward, terminated, truncated) == (0.0, False, False)
    observation, _, _, _, info = env.step('{"tool": "set_attribute"}')
    error = json.loads(observation["last_error"])
    assert (error["kind"], error["place"]) == ("bad_arguments", "object")
    observation, reward, terminated, truncated, info = env.step(SUBMIT)
    assert (reward, terminated, truncated, info["reward_valid"]) == (1.0, True, False, True)
    assert env.spec is not None
    assert env.spec.max_episode_steps is None


def test_a_task_is_chosen_by_id_path_option_and_value(corpus: str, task: Task) -> None:
    by_id = gym.make(ID, corpus=corpus, task="harbour-3")
    assert by_id.reset()[1]["task_id"] == "harbour-3"
    by_path = gym.make(ID, task=f"{corpus}/harbour-2.json")
    assert by_path.reset()[1]["task_id"] == "harbour-2"
    assert by_path.reset(options={"task": f"{corpus}/harbour-5.json"})[1]["task_id"] == "harbour-5"
    assert by_path.reset(options={"task": task})[1]["task_id"] == "little-harbour"
    assert by_path.reset()[1]["task_id"] == "harbour-2"


def test_splits_part_the_corpus(corpus: str) -> None:
    def ids(split: str | None) -> set[str]:
        made = SvgRepairEnv(corpus=corpus, split=split)
        return {made.reset(seed=seed)[1]["task_id"] for seed in range(60)}

    assert ids("train") | ids("test") == ids(None)
    assert not ids("train") & ids("test")
    assert len(ids(None)) == 8


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"split": "dev"}, "split must be train, test or None"),
        ({"task": 5}, "task must be a name or a path, not int; pass a Task value with reset"),
        ({"reward": "points"}, "reward must be one of"),
        ({"render_mode": "svg"}, "render_mode must be one of human, rgb_array, ansi"),
        ({"preview_size": 1}, "preview_size is a side"),
        ({"max_turns": -1}, "max_turns must be a whole number"),
    ],
)
def test_wrong_settings_are_refused_when_the_env_is_made(
    corpus: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        SvgRepairEnv(**{"corpus": corpus, **settings})


def test_unknown_names_are_refused(corpus: str) -> None:
    with pytest.raises(UnknownName, match="harbour-1"):
        SvgRepairEnv(corpus=corpus, task="harbour1")
    with pytest.raises(UnknownName):
        SvgRepairEnv(corpus="no-such-corpus")
    with pytest.raises(UnknownName):
        SvgRepairEnv(corpus=corpus, rules="strict")
    with pytest.raises(ConfigError, match="unknown reset option 'level'; known: task"):
        SvgRepairEnv(corpus=corpus).reset(options={"level": 3})


def test_stepping_outside_an_episode_needs_a_reset(corpus: str) -> None:
    made = SvgRepairEnv(corpus=corpus)
    with pytest.raises(ResetNeeded, match="call reset"):
        made.step(SUBMIT)
    made.reset()
    made.step(CALLS[0])
    made.reset()
    made.step(SUBMIT)
    with pytest.raises(ResetNeeded, match="the episode is over"):
        made.step(TARGET)
    made.close()
    made.close()


@pytest.mark.parametrize("action", [{"tool": "submit"}, vbench_env.ToolCall(tool="submit"), SUBMIT])
def test_actions_in_several_forms(env: gym.Env[Any, Any], action: object) -> None:
    env.reset()
    assert env.step(action)[2] is True


def test_previews_are_arrays_of_the_fixed_size(corpus: str) -> None:
    made = gym.make(ID, corpus=corpus, protocol="interactive-raster", preview_size=[60, 40])
    start, _ = made.reset(seed=0)
    assert (start["preview"].shape, start["preview"].dtype, start["preview_ok"]) == ((40, 60, 3), np.uint8, 1)
    after, *_ = made.step(CALLS[1])
    assert (after["preview"] != start["preview"]).any()
    after["preview"][:] = 0
    same, *_ = made.step("hm")
    assert same["preview"].any()
    assert "preview" not in gym.make(ID, corpus=corpus).observation_space.spaces  # type: ignore[attr-defined]


def test_render_modes(
    corpus: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    board = gym.make(ID, corpus=corpus, preview_size=32, render_mode="rgb_array")
    board.reset()
    board.step(CALLS[1])
    pixels: Any = board.render()
    assert (pixels.shape, pixels.dtype) == ((32, 72, 3), np.uint8)
    assert (pixels[:, :32] != pixels[:, 40:]).any()
    ansi = gym.make(ID, corpus=corpus, task="harbour-1", render_mode="ansi")
    ansi.reset()
    ansi.step(CALLS[1])
    text: Any = ansi.render()
    assert text.startswith("harbour-1: turn 1 of 24\nRepair the sun")
    assert 'circle sun: fill "#3a5a40" -> "#ffb703"' in text
    if sys.platform.startswith("linux"):
        human = gym.make(ID, corpus=corpus, render_mode="human")
        human.reset()
        human.step(CALLS[0])
        assert human.render() is None
        human.close()
        assert capfd.readouterr().err.count("no window can be opened here") == 1


PROBE = """
import json, sys, gymnasium as gym
env = gym.make("vbench_env:VBench/SvgRepair-v0", corpus=sys.argv[1], protocol="interactive-raster", preview_size=40)
out = []
for seed in (7, None, 7, 8):
    observation, info = env.reset(seed=seed)
    observation["preview"] = observation["preview"].tobytes().hex()
    out.append([{k: str(v) for k, v in observation.items()}, info])
    observation, reward, *_, info = env.step({"tool": "set_text", "args": {"object": "sun", "text": "x"}})
    out.append([str(observation["svg"]), observation["last_result"], observation["preview"].tobytes().hex(), info])
print(json.dumps(out))
"""


def test_the_same_seed_gives_the_same_bytes_in_every_process(corpus: str) -> None:
    def run(hash_seed: str) -> Any:
        variables = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", PROBE, corpus]
        return json.loads(subprocess.run(command, env=variables, capture_output=True, check=True).stdout)

    one, two = run("1"), run("2")
    assert one == two
    assert one[0:2] == one[4:6]
    assert one[0] != one[6]


@pytest.mark.slow
def test_vector_environments_agree(corpus: str) -> None:
    parallel = gym.make_vec(ID, num_envs=4, corpus=corpus)
    serial = make_vector(4, parallel=False, corpus=corpus)
    try:
        _play_both(parallel, serial)
    finally:
        parallel.close()
        serial.close()


def _play_both(parallel: Any, serial: Any) -> None:
    assert parallel.metadata["autoreset_mode"] is gym.vector.AutoresetMode.SAME_STEP
    seen = [parallel.reset(seed=[1, 2, 3, 4])[0], serial.reset(seed=[1, 2, 3, 4])[0]]
    assert seen[0]["svg"] == seen[1]["svg"] == (CORRUPTED,) * 4
    serial.action_space.seed(0)
    ends = 0
    for turn in range(200):
        actions = serial.action_space.sample()
        if turn % 10 == 9:
            actions = (f"```\n{TARGET}```",) * 4 if turn % 20 == 9 else (SUBMIT,) * 4
        one, two = parallel.step(actions), serial.step(actions)
        for key in one[0]:
            assert list(one[0][key]) == list(two[0][key]), key
        for first, second in zip(one[1:4], two[1:4], strict=True):
            assert first.tolist() == second.tolist()
        done = one[2] | one[3]
        assert done.any() == ("final_info" in one[4]) == ("final_info" in two[4])
        if done.any():
            ends += 1
            _compare_ends(one[4], two[4], done, one[1])
    assert ends > 20


def _compare_ends(one: dict[str, Any], two: dict[str, Any], done: Any, rewards: Any) -> None:
    for index in np.flatnonzero(done):
        for infos in (one, two):
            final = infos["final_info"]
            assert final["reward_valid"][index]
            assert final["score"]["reward"][index] == rewards[index]
            assert final["stop_reason"][index] in {"submit", "format_errors", "turns"}
        assert one["final_obs"][index]["svg"] == two["final_obs"][index]["svg"]


def test_importing_is_quick_and_light() -> None:
    code = (
        "import sys, time, gymnasium; t = time.perf_counter(); import vbench_env; d = time.perf_counter() - t\n"
        "heavy = {'litellm', 'cairosvg', 'resvg', 'PIL', 'lxml', 'scipy', 'vbench_env.render', 'pydantic'}\n"
        "print(d, sorted(heavy & set(sys.modules)))"
    )
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, check=True, text=True
    )
    seconds, _, heavy = out.stdout.partition(" ")
    assert heavy.strip() == "[]"
    assert float(seconds) < 0.25


def test_public_names_load_on_first_use() -> None:
    for name in vbench_env.__all__:
        assert getattr(vbench_env, name) is not None
    assert "load_task" in dir(vbench_env)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        vbench_env.nonsense  # noqa: B018


def test_the_specification_is_json(env: gym.Env[Any, Any]) -> None:
    assert env.spec is not None
    assert json.loads(env.spec.to_json())["id"] == "VBench/SvgRepair-v0"
    assert Path(env.spec.kwargs["corpus"]).is_dir()
