"""The Ray executor on a cluster that it starts here: the same results, also when workers are killed."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="ray is not installed; pip install 'vbench-env[ray]'")

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))

from adapter_players import digests
from episode_scripts import CORPUS, Ending, Script
from jobs import Deadly, Modules, Square, Unsendable, Wrong

from vbench_env import load_protocol
from vbench_env.experiments.config import make_config
from vbench_env.experiments.distant import DistantEpisode
from vbench_env.experiments.executors import JobFailure, make_executor
from vbench_env.experiments.executors.ray import _is_withheld, _small
from vbench_env.experiments.plan import make_plan
from vbench_env.experiments.runner import run as play_run
from vbench_env.integrations.session import content_of
from vbench_env.verdict import progress

MODULES = ("vbench_env.experiments.workshop", "vbench_env.scoring.scorer")


@lru_cache
def cluster():
    """One for all scripts: it takes seconds to start."""
    made = make_executor("ray", 1, MODULES)
    atexit.register(made.close)
    return made


def play(script: Script) -> Ending:
    """Turn by turn in workers, as the episodes of models are."""
    wanted = script.config
    protocol = load_protocol(wanted.protocol)
    if wanted.preview_size is not None:
        sides = {"width_px": wanted.preview_size, "height_px": wanted.preview_size}
        protocol = protocol.vary(preview={**protocol.preview.model_dump(), **sides})
    settings = {"corpus": CORPUS, "tasks": [script.task], "models": ["noop"], "rules": wanted.rules}
    plan = make_plan(make_config({**settings, "episode_budget": {"turns": wanted.max_turns}}))
    unit = replace(plan.units[0], protocol=protocol, seed=script.seed)
    episode = DistantEpisode(cluster(), unit, plan.config)
    seen = list(episode.info()["messages"])
    for tool, args in script.calls():
        seen += episode.step({"tool": tool, "args": args}).info["messages"]
    assert episode.done
    card = episode.scorecards[episode.rules]
    reward = progress(card) if wanted.reward == "progress" else float(card.reward)
    pictures = [png for message in seen for png in content_of(message)[1]]
    return Ending(reward, episode.final_svg or "", digests(pictures))


@pytest.fixture(scope="module")
def executor():
    os.environ["SOME_API_KEY"] = "sk-not-for-workers"
    with make_executor("ray", 2, MODULES) as made:
        yield made
    del os.environ["SOME_API_KEY"]


def test_results_come_back_to_the_thread_that_asked(executor):
    found: dict[int, object] = {}
    threads = [
        threading.Thread(target=lambda n=n: found.__setitem__(n, executor.run(Square(n), near=str(n % 3))))
        for n in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number**2 for number in range(24)}


def test_failures_come_back_in_words(executor):
    assert "ValueError: no such thing" in str(executor.run(Wrong()))
    assert str(executor.run(lambda: 1)).startswith("the job cannot be sent: ")
    assert str(executor.run(Unsendable())).startswith("the result cannot be sent: ")
    assert executor.run(Square(3)) == 9


def test_workers_are_other_processes_without_secrets_and_without_the_model_client(executor):
    seen = executor.run(Modules())
    assert seen["pid"] != os.getpid()
    assert "litellm" not in seen["loaded"]
    assert "SOME_API_KEY" not in seen["environment"]
    assert os.environ["SOME_API_KEY"]


def test_rays_own_token_is_no_secret_to_ray():
    names = ["OPENAI_API_KEY", "HF_TOKEN", "MY_KEY", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "PATH"]
    assert [name for name in names if _is_withheld(name)] == ["OPENAI_API_KEY", "HF_TOKEN", "MY_KEY"]


def test_a_small_cluster_is_started_whatever_runs_here_already():
    assert _small(2)["address"] == "local"


def test_the_work_of_a_worker_that_dies_is_done_again(executor, tmp_path):
    assert executor.run(Deadly(str(tmp_path / "marks"), 2)) == 2
    assert executor.run(Square(4)) == 16


def test_work_that_kills_every_worker_is_given_up(executor, tmp_path):
    failure = executor.run(Deadly(str(tmp_path / "marks"), 99))
    assert isinstance(failure, JobFailure) and failure.kind == "worker_died"
    assert executor.run(Square(5)) == 25


def records(folder: Path) -> list[dict]:
    lines = (folder / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        del row["started_at"], row["wall_s"]
    return sorted(rows, key=lambda row: row["episode_id"])


def settings(**more) -> dict:
    agents = ["oracle", "heuristic", "noop"]
    return {
        "corpus": CORPUS,
        "models": agents,
        "protocols": ["interactive-text", "interactive-raster"],
        "samples": 2,
        **more,
    }


def playing() -> list[int]:
    """Workers in the middle of a job, of the cluster that this process started."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()[1:]]
    parents = {int(pid): int(parent) for pid, parent, _ in rows}

    def ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [int(pid) for pid, _, args in rows if args.startswith("ray::_done") and ours(int(pid))]


def test_a_run_with_a_worker_killed_in_the_middle_equals_that_of_the_local_executor(executor, tmp_path):
    assert play_run(make_config(settings(executor="inline", workers=0)), tmp_path / "local").complete
    stop = threading.Event()

    def kill() -> None:
        """A worker of ours that plays, while it does."""
        while not stop.wait(0.5):
            for pid in playing():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return

    killed: list[int] = []
    killer = threading.Thread(target=kill)
    killer.start()
    summary = play_run(make_config(settings(executor="ray", workers=2)), tmp_path / "ray")
    stop.set()
    killer.join()
    assert summary.complete and killed
    assert records(tmp_path / "ray") == records(tmp_path / "local")


def test_nothing_is_done_after_the_end(executor):
    executor.close()
    failure = executor.run(Square(2))
    assert isinstance(failure, JobFailure) and failure.kind == "closed"
