from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from vbench_env.render import Picture, RenderFailure, RenderLimits
from vbench_env.render.worker import PICTURES_PER_CHILD, IsolatedEngine

LIMITS = RenderLimits(cpu_s=1, wall_s=12.0, memory_bytes=512 << 20)


@pytest.fixture
def engine():
    made = IsolatedEngine("stub", "stub_engines:by_document", LIMITS)
    yield made
    made.close()


def ask(engine: IsolatedEngine, order: str) -> Picture | RenderFailure:
    return engine.draw(f"<!{order}!>".encode(), 4, 4)


@pytest.mark.parametrize(
    ("order", "kind", "words"),
    [
        ("panic", "crashed", "PanicException: called `Option::unwrap()`"),
        ("segfault", "crashed", "signal 11"),
        ("exit", "crashed", "exit code 3"),
        ("killed", "memory", "needed more than 512 MiB"),
        ("eat", "memory", "ran out of memory"),
        ("spin", "timeout", "more than 1 s of processor time"),
        ("recurse", "crashed", "nested too deeply"),
    ],
)
def test_a_child_that_misbehaves_costs_one_failure_and_the_next_picture_is_drawn(engine, order, kind, words):
    failure = ask(engine, order)
    assert isinstance(failure, RenderFailure)
    assert failure.kind == kind
    assert words in failure.message
    assert isinstance(ask(engine, "good"), Picture)


def test_a_child_that_waits_for_ever_is_killed():
    engine = IsolatedEngine("stub", "stub_engines:by_document", RenderLimits(wall_s=1.0))
    ask(engine, "good")
    process = engine._idle[0].process
    failure = ask(engine, "sleep")
    assert failure.kind == "timeout"
    assert failure.message.startswith("stub took more than 1 s; use fewer or smaller filters")
    assert process.poll() is not None
    engine.close()


def test_what_a_binding_prints_does_not_reach_the_answer(engine):
    assert ask(engine, "noise") == ask(engine, "good")


def test_a_child_is_reused_and_replaced_after_its_share_of_pictures(engine):
    pids = [ask(engine, "pid").png for _ in range(PICTURES_PER_CHILD + 1)]
    assert len(set(pids[:PICTURES_PER_CHILD])) == 1
    assert pids[-1] != pids[0]


def test_a_child_killed_while_idle_is_replaced_without_a_failure(engine):
    ask(engine, "good")
    engine._idle[0].process.kill()
    engine._idle[0].process.wait()
    assert isinstance(ask(engine, "good"), Picture)


def test_children_run_in_an_empty_folder_without_the_environment_of_the_parent(engine, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert ask(engine, "folder").png.endswith(b"[]")
    assert b"OPENAI_API_KEY" not in ask(engine, "environment").png


def test_an_engine_that_cannot_be_imported_is_unavailable_with_the_reason():
    failure = IsolatedEngine("stub", "no_such_module_here:draw", LIMITS).draw(b"", 4, 4)
    assert failure == RenderFailure(
        "unavailable", "no_such_module_here cannot be used here: No module named 'no_such_module_here'"
    )


def test_several_threads_draw_at_once(engine):
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: ask(engine, "good"), range(40)))
    assert all(isinstance(result, Picture) for result in results)


def test_close_ends_the_children_and_drawing_starts_them_again(engine):
    first = ask(engine, "pid").png
    process = engine._idle[0].process
    engine.close()
    engine.close()
    assert process.poll() is not None
    assert ask(engine, "pid").png != first


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_gets_children_of_its_own(engine):
    mine = ask(engine, "pid").png
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        result = ask(engine, "pid")
        os.write(write, result.png if isinstance(result, Picture) else b"failed")
        engine.close()
        os._exit(0)
    os.waitpid(pid, 0)
    theirs = os.read(read, 1000)
    assert theirs != mine
    assert theirs.startswith(mine[:8])
    assert ask(engine, "pid").png == mine
