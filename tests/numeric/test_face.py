"""The numeric face: what it shows, what its actions do, and that it knows nothing hidden."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import VectorizeMode
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from vbench_env import ConfigError, Repair, Task, load_task
from vbench_env.numeric import NumericFace, propose
from vbench_env.numeric.features import CANDIDATE_NAMES, STATE_COLUMNS

START = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60">'
    '<rect id="wall" width="100" height="60" fill="#eeeeee"/>'
    '<circle id="left-lamp" cx="20" cy="12" r="5" fill="#ffcc33"/>'
    '<circle id="middle-lamp" cx="50" cy="12" r="5" fill="#3355cc"/>'
    '<circle id="right-lamp" cx="80" cy="12" r="5" fill="#ffcc33"/></svg>'
)
TASK = Task(
    "lamps", "The middle lamp should have the same colour as the other lamps.", START,
    START.replace("#3355cc", "#ffcc33"),
    (Repair(object="middle-lamp", operation="recolor", property="fill", corrupted="#3355cc", target="#ffcc33"),),
    ("wall", "left-lamp", "right-lamp"),
)  # fmt: skip


def face(**settings: Any) -> NumericFace:
    return NumericFace("VBench/SvgRepair-v0", **{"slots": 24, "max_turns": 3, **settings})


def begun(task: Task = TASK, **settings: Any) -> NumericFace:
    env = face(**settings)
    env.reset(seed=0, options={"task": task})
    return env


def right(env: NumericFace, value: str = "#ffcc33") -> int:
    """The action that gives the middle lamp a colour."""
    args = [candidate.call["args"] for candidate in env.candidates]
    return 1 + next(n for n, a in enumerate(args) if a["object"] == "middle-lamp" and a.get("value") == value)


def test_gymnasium_accepts_it_without_a_warning() -> None:
    env = gym.make(
        "vbench_env:VBench/SvgRepairNumeric-v0", env_id="VBench/SvgRepair-v0", task="kitchen-icons", slots=12
    ).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)


def test_stable_baselines_accepts_it() -> None:
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker", reason="stable-baselines3 is not installed"
    )
    checker.check_env(face(task="kitchen-icons"), warn=True)


def test_maskable_ppo_trains_on_it() -> None:
    sb3 = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    env = face(task="kitchen-icons")
    model = sb3.MaskablePPO(
        "MultiInputPolicy", env, n_steps=16, batch_size=8, n_epochs=1, device="cpu"
    ).learn(16)
    seen, _ = env.reset(seed=1)
    action, _ = model.predict(seen, action_masks=env.action_masks())
    assert env.action_masks()[int(action)]


def test_the_right_candidate_and_submit_solve_the_task() -> None:
    env = begun()
    _, first, over, _, _ = env.step(right(env))
    assert first == 0.0 and not over
    _, reward, over, truncated, info = env.step(0)
    assert (reward, over, truncated, info["stop_reason"]) == (1.0, True, False, "submit")


def test_spent_turns_are_an_end_that_is_scored() -> None:
    env = begun(max_turns=1)
    _, reward, over, truncated, info = env.step(right(env))
    assert (reward, over, truncated, info["stop_reason"]) == (1.0, True, False, "turns")


def test_an_applied_candidate_is_masked_and_spends_a_turn_for_nothing() -> None:
    env = begun()
    action = right(env)
    env.step(action)
    assert not env.action_masks()[action] and env.action_masks()[0]
    seen, *_ = env.step(action)
    left = CANDIDATE_NAMES.index("left")
    assert seen["candidates"][0, left] == pytest.approx(1 / 16)
    assert env.step(0)[1] == 1.0


def test_rows_stand_for_actions_and_padding_is_masked() -> None:
    env = begun()
    seen, _ = env.reset(seed=0, options={"task": TASK})
    used = np.flatnonzero(np.abs(seen["candidates"]).sum(axis=1))
    assert list(used) == list(np.flatnonzero(env.action_masks())) == list(range(len(env.candidates) + 1))
    assert seen["candidates"][0, 0] == 1.0 and not seen["candidates"][1:, 0].any()


def test_the_state_columns_tell_which_request_and_place_were_dealt_with() -> None:
    env = begun()
    action = right(env)
    clause, place, done, _ = STATE_COLUMNS
    seen, *_ = env.step(action)
    assert seen["candidates"][action, [clause, place]].tolist() == [1.0, 1.0]
    assert seen["candidates"][0, done] == pytest.approx(1 / 8)


def test_observations_are_inside_their_space_on_a_large_drawing() -> None:
    env = begun(load_task("harbor-dawn"), slots=64)
    for action in (1, 2, 0):
        seen, *_ = env.step(action)
        assert env.observation_space.contains(seen)


def test_nothing_hidden_changes_what_is_seen() -> None:
    """Another target, other repairs and other protected objects: the same bytes of observation and mask."""
    secret = replace(
        TASK, target_svg=START.replace('r="5"', 'r="9"'), protected=(),
        repairs=(Repair(object="wall", operation="recolor", property="fill", corrupted="#eeeeee", target="#123456"),),
    )  # fmt: skip
    one, other = (begun(task) for task in (TASK, secret))
    for action in (2, right(one)):
        (seen, *_), (shown, *_) = one.step(action), other.step(action)
        assert {name: seen[name].tobytes() for name in seen} == {
            name: shown[name].tobytes() for name in shown
        }
        assert one.action_masks().tolist() == other.action_masks().tolist()
    assert [c.call for c in one.candidates] == [c.call for c in other.candidates]


def test_candidates_are_a_function_of_words_and_drawing() -> None:
    proposal = propose(TASK.instruction, TASK.corrupted_svg, 24)
    assert [c.call for c in proposal.candidates] == [c.call for c in begun().candidates]


def test_info_before_the_end_says_nothing_of_the_verdict() -> None:
    env = begun()
    info = env.step(1)[4]
    assert set(info) == {"task_id", "task_hash", "episode_id", "seed", "turn"}


def test_a_seed_gives_the_same_bytes_again() -> None:
    one, other = (face(corpus="vbench-40").reset(seed=5)[0] for _ in range(2))
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_a_preview_is_shown_where_it_is_asked_for() -> None:
    seen, _ = begun(preview=48).reset(seed=0, options={"task": TASK})
    assert seen["preview"].shape == (48, 48, 3) and seen["preview"].std() > 0


def test_a_broken_drawing_leaves_only_submit() -> None:
    env = begun(replace(TASK, corrupted_svg=START[:-6]))
    assert np.flatnonzero(env.action_masks()).tolist() == [0]


@pytest.mark.parametrize("settings", [{"slots": 0}, {"objects": 0}, {"max_turns": 0}])
def test_sizes_that_make_no_sense_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="must be at least 1"):
        face(**settings)


def test_a_number_that_is_no_action_is_refused() -> None:
    env = begun()
    with pytest.raises(ConfigError, match="an action is a number from 0 to 24, not 25"):
        env.step(25)


def test_a_step_after_the_end_or_before_the_start_asks_for_reset() -> None:
    env = face()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env = begun()
    env.step(0)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_a_vector_of_them_gives_masks_and_restarts_in_the_same_step() -> None:
    envs = gym.make_vec(
        "vbench_env:VBench/SvgRepairNumeric-v0", num_envs=2, vectorization_mode=VectorizeMode.VECTOR_ENTRY_POINT,
        parallel=False, env_id="VBench/SvgRepair-v0", task="kitchen-icons", slots=8, max_turns=2,
    )  # fmt: skip
    envs.reset(seed=3)
    masks = np.array(envs.call("action_masks"))
    assert masks.shape == (2, 9) and masks[:, 0].all()
    seen, _, over, _, info = envs.step(np.array([0, 1]))
    assert over.tolist() == [True, False] and info["final_info"]["stop_reason"][0] == "submit"
    assert seen["candidates"][0, 0, CANDIDATE_NAMES.index("done")] == 0.0
