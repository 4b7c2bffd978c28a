"""Every executor does the same: results, failures as records, workers that die and are replaced."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from tests.experiments.jobs import (
    Chatty,
    Deadly,
    Echo,
    Modules,
    Sleep,
    Square,
    Unreadable,
    Unsendable,
    Wrong,
)  # fmt: skip
from vbench_env.errors import UnknownName
from vbench_env.experiments.executors import EXECUTORS, Executor, JobFailure, make_executor
from vbench_env.experiments.executors.processes import ProcessExecutor


@pytest.fixture(params=["inline", "processes"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with make_executor(request.param, 2) as made:
        yield made


@pytest.fixture
def pool() -> Iterator[ProcessExecutor]:
    with ProcessExecutor(2) as made:
        yield made


def test_results_come_back_to_the_thread_that_asked(executor):
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        found[number] = executor.run(Square(number), near=str(number % 3))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number**2 for number in range(24)}


def test_what_a_job_raises_comes_back_in_words(executor):
    failure = executor.run(Wrong())
    assert isinstance(failure, JobFailure)
    assert failure.kind == "crash"
    assert "ValueError: no such thing" in failure.message
    assert executor.run(Square(3)) == 9


def test_an_unknown_executor_is_refused_by_name():
    assert {"inline", "processes"} <= set(EXECUTORS)
    with pytest.raises(UnknownName, match="did you mean 'processes'"):
        make_executor("process", 2)


def test_workers_are_other_processes_without_the_model_client_and_without_secrets(pool, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-not-for-workers")
    monkeypatch.setenv("MY_KEY", "not-for-workers-either")
    monkeypatch.setenv("SOME_SETTING", "for all")
    modules = ("vbench_env.experiments.workshop", "vbench_env.scoring.scorer", "no.such.module")
    with ProcessExecutor(1, modules) as fresh:
        seen = fresh.run(Modules())
    assert seen["pid"] != os.getpid()
    assert seen["loaded"] == ["vbench_env.scoring.scorer"]
    assert not {"SOME_API_KEY", "MY_KEY"} & set(seen["environment"])
    assert seen["environment"]["SOME_SETTING"] == "for all"


def test_what_a_job_prints_does_not_disturb_the_answers(pool):
    assert [pool.run(Chatty()) for _ in range(3)] == ["said"] * 3


def test_jobs_and_results_that_cannot_travel_are_failures_and_harm_nobody(pool):
    lost = pool.run(lambda: 1)
    assert isinstance(lost, JobFailure)
    assert lost.message.startswith("the job cannot be sent: ")
    found = pool.run(Unsendable())
    assert isinstance(found, JobFailure)
    assert found.message.startswith("the result cannot be sent: ")
    unread = pool.run(Unreadable())
    assert isinstance(unread, JobFailure)
    assert unread.message == "the result cannot be read: LookupError: not here"
    assert pool.run(Square(2)) == 4
    assert pool.replaced == 0


def test_jobs_of_one_name_go_to_one_worker(pool):
    first = {pool.run(Modules(), near="a")["pid"] for _ in range(4)}
    assert len(first) == 1
    assert first <= set(pool.pids)


def test_the_work_of_a_worker_that_dies_is_done_again_by_another(pool, tmp_path):
    before = set(pool.pids)
    assert pool.run(Deadly(str(tmp_path / "marks"), 2)) == 2
    assert pool.replaced == 2
    assert len(set(pool.pids) - before) == 1
    assert [pool.run(Square(n)) for n in range(4)] == [0, 1, 4, 9]


def test_a_worker_killed_while_it_waits_is_replaced(pool):
    for pid in pool.pids:
        os.kill(pid, signal.SIGKILL)
    assert [pool.run(Square(n)) for n in range(4)] == [0, 1, 4, 9]
    assert 1 <= pool.replaced <= 2


def test_work_that_kills_every_worker_is_given_up_with_the_reason(pool, tmp_path):
    failure = pool.run(Deadly(str(tmp_path / "marks"), 99))
    assert failure == JobFailure("worker_died", "3 workers in a row ended in the middle of it (signal 9)")
    assert pool.run(Square(5)) == 25


def test_a_worker_that_is_stuck_is_killed_and_replaced():
    with ProcessExecutor(1, limit_s=5.0) as pool:
        assert pool.run(Square(2)) == 4
        os.kill(pool.pids[0], signal.SIGSTOP)
        assert pool.run(Square(3)) == 9
        assert pool.replaced == 1
    with ProcessExecutor(1, limit_s=0.5) as pool:
        failure = pool.run(Sleep(60))
    assert failure == JobFailure(
        "worker_died", "3 workers in a row ended in the middle of it (no answer within 0.5 s)"
    )


def test_nothing_is_done_after_the_end():
    with ProcessExecutor(1) as pool:
        pids = pool.pids
    failure = pool.run(Square(2))
    assert isinstance(failure, JobFailure)
    assert failure.kind == "closed"
    assert not any(alive(pid) for pid in pids)


LARGE = 300_000
"""Bytes of a job and of its outcome that do not fit into a pipe."""


def asked_by_many(pool: ProcessExecutor, threads: int, jobs: int, seconds: float = 0.0) -> list[object]:
    """What comes back for small and large jobs of many threads, less what is right."""
    wrong: list[object] = []

    def ask(thread: int) -> None:
        for number in range(jobs):
            data = os.urandom(8) * (LARGE // 8 if (thread + number) % 3 == 0 else 1)
            key = thread, number
            found = pool.run(Echo(key, data, seconds), near=str(thread % 5) if thread % 2 else None)
            if found != (key, data[::-1]):
                wrong.append(found)

    askers = [threading.Thread(target=ask, args=(thread,), daemon=True) for thread in range(threads)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(120)
    assert not any(asker.is_alive() for asker in askers), "somebody still waits"
    return wrong


def test_large_jobs_and_outcomes_of_many_threads_come_home_though_workers_are_killed_at_any_moment(pool):
    draw, over, killed = random.Random(5), threading.Event(), [0]

    def kill() -> None:
        while not over.wait(draw.uniform(0.1, 1.0)) and killed[0] < 6:
            with contextlib.suppress(ProcessLookupError):
                os.kill(draw.choice(pool.pids), draw.choice([signal.SIGKILL, signal.SIGTERM]))
                killed[0] += 1

    killer = threading.Thread(target=kill)
    killer.start()
    wrong = asked_by_many(pool, threads=12, jobs=25, seconds=0.01)
    over.set()
    killer.join()
    assert wrong == []
    assert pool.replaced >= 1


def test_what_is_asked_while_the_workers_are_sent_home_is_done_or_said_to_be_closed(pool):
    pids = pool.pids
    closer = threading.Timer(0.3, pool.close)
    closer.start()
    wrong = asked_by_many(pool, threads=12, jobs=40, seconds=0.01)
    closer.join()
    assert wrong
    assert {type(failure) for failure in wrong} == {JobFailure}
    assert {failure.kind for failure in wrong} == {"closed"}
    assert pool.pids == pids, "nobody is hired after the end"
    assert not any(alive(pid) for pid in pids)


def test_a_stuck_worker_that_does_not_even_take_a_large_job_is_replaced():
    with ProcessExecutor(1, limit_s=5.0) as pool:
        assert pool.run(Square(2)) == 4
        os.kill(pool.pids[0], signal.SIGSTOP)
        assert pool.run(Echo((0, 0), b"x" * LARGE)) == ((0, 0), b"x" * LARGE)
        assert pool.replaced == 1


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises, even where the tests run in the background of a shell that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_after_ctrl_c_nobody_gets_the_answer_to_another_job():
    with ProcessExecutor(1) as pool:
        assert pool.run(Square(2)) == 4
        threading.Timer(0.5, signal.pthread_kill, [threading.get_ident(), signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            pool.run(Sleep(30))
        assert pool.run(Square(3)) == 9


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


PARENT = """
import sys, time
from vbench_env.experiments.executors.processes import ProcessExecutor
pool = ProcessExecutor(2)
print(*pool.pids, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes through /proc")
def test_no_worker_outlives_a_killed_run():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.kill()
    parent.wait()
    end = time.monotonic() + 20
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < end, "workers are still there"
        time.sleep(0.05)
