from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hostile_documents import png, svg

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.render import (
    RENDERERS,
    Picture,
    RenderFailure,
    RenderLimits,
    RenderRequest,
    SafeRenderer,
    get_renderer,
    render_picture,
    unavailable,
)

DOCUMENT = svg('<rect width="9" height="9"/>')


class PanicException(BaseException):
    """As a Rust binding raises it."""


class Fake:
    """An engine that a third party might register."""

    name = "fake"

    def __init__(self, action) -> None:
        self.action, self.seen, self.closed = action, [], 0

    def draw(self, svg: bytes, width_px: int, height_px: int):
        self.seen.append(svg)
        return self.action(width_px, height_px)

    def close(self) -> None:
        self.closed += 1


def good(width_px: int, height_px: int) -> Picture:
    return Picture(png(width_px, height_px), width_px, height_px)


def safe(action, **options) -> SafeRenderer:
    return SafeRenderer(Fake(action), RenderLimits(), **options)


def throw(error: BaseException):
    def action(width_px: int, height_px: int):
        raise error

    return action


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (
            throw(PanicException("index out of bounds")),
            "fake broke down (PanicException: index out of bounds)",
        ),
        (throw(ValueError("no")), "fake broke down (ValueError: no)"),
        (lambda w, h: Picture(b"", w, h), "fake gave back no picture (0 bytes)"),
        (lambda w, h: None, "fake gave back no picture (0 bytes)"),
        (lambda w, h: Picture(png(3, 3), w, h), "fake drew 3x3 px, not 4x4"),
    ],
)
def test_an_engine_that_breaks_its_contract_gives_a_failure(action, words):
    failure = safe(action).render(RenderRequest(DOCUMENT, 4, 4))
    assert isinstance(failure, RenderFailure)
    assert failure.kind == "crashed"
    assert words in failure.message
    assert str(failure).startswith("preview unavailable (crashed): fake ")


def test_an_interrupt_is_no_failure_of_the_engine():
    with pytest.raises(KeyboardInterrupt):
        safe(throw(KeyboardInterrupt())).render(RenderRequest(DOCUMENT, 4, 4))


def test_an_engine_sees_a_document_without_references_and_with_its_size():
    renderer = safe(good)
    renderer.render(RenderRequest(svg('<image href="target.svg"/><use href="#a"/>'), 40, 30))
    (seen,) = renderer.engine.seen
    assert b"target" not in seen
    assert b'href="#a"' in seen
    assert b'width="40" height="30"' in seen


def test_a_distinct_request_is_drawn_once():
    renderer = safe(good)
    first = renderer.render(RenderRequest(DOCUMENT, 4, 4))
    assert renderer.render(RenderRequest(DOCUMENT, 4, 4)) is first
    assert renderer.drawn == 1
    for other in (
        RenderRequest(DOCUMENT, 4, 5),
        RenderRequest(DOCUMENT + " ", 4, 4),
        RenderRequest(DOCUMENT.encode("utf-16"), 4, 4),
        RenderRequest(DOCUMENT, 4, 4, (0.0, 0.0, 1.0, 1.0)),
    ):
        renderer.render(other)
    assert renderer.drawn == 5


def test_a_failure_of_the_document_is_kept_and_one_of_the_machine_is_not():
    renderer = safe(lambda w, h: RenderFailure("timeout", "slow"))
    renderer.render(RenderRequest(DOCUMENT, 4, 4))
    renderer.render(RenderRequest(DOCUMENT, 4, 4))
    assert renderer.drawn == 1
    renderer = safe(lambda w, h: RenderFailure("unavailable", "not installed"))
    renderer.render(RenderRequest(DOCUMENT, 4, 4))
    renderer.render(RenderRequest(DOCUMENT, 4, 4))
    assert renderer.drawn == 2


def test_threads_that_ask_for_the_same_picture_wait_for_one_drawing():
    started = threading.Event()

    def slow(width_px: int, height_px: int) -> Picture:
        started.wait(0.2)
        return good(width_px, height_px)

    renderer = safe(slow)
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(renderer.render, [RenderRequest(DOCUMENT, 4, 4)] * 8))
    assert renderer.drawn == 1
    assert all(result is results[0] for result in results)


def test_the_cache_holds_its_bytes_and_forgets_the_oldest():
    renderer = safe(good, cache_bytes=3 * (500 + len(png(4, 4))))
    for number in range(4):
        renderer.render(RenderRequest(DOCUMENT + " " * number, 4, 4))
    assert len(renderer.cache) == 3
    assert renderer.cache.bytes <= renderer.cache.max_bytes
    renderer.render(RenderRequest(DOCUMENT + " " * 3, 4, 4))
    assert renderer.drawn == 4
    renderer.render(RenderRequest(DOCUMENT, 4, 4))
    assert renderer.drawn == 5


def test_the_renderer_of_a_process_is_shared_copied_as_itself_and_pickled_by_name():
    renderer = get_renderer("resvg")
    assert get_renderer() is renderer
    assert copy.deepcopy({"renderer": renderer})["renderer"] is renderer
    assert pickle.loads(pickle.dumps(renderer)) is renderer
    assert get_renderer(limits=RenderLimits(cpu_s=2)) is not renderer


def test_an_unknown_engine_suggests_the_nearest():
    with pytest.raises(
        UnknownName, match=r"unknown renderer 'resvgg'; did you mean 'resvg'\? Known: cairosvg, resvg"
    ):
        get_renderer("resvgg")


@pytest.mark.parametrize("size", [0, -1, 4097])
def test_a_size_out_of_bounds_is_the_callers_mistake(size):
    with pytest.raises(
        ConfigError, match=f"a picture side of {size} px is outside 1 to 4096; choose another size"
    ):
        RenderRequest(DOCUMENT, 10, size)


def test_the_default_engine_is_there_after_a_plain_installation():
    assert unavailable("resvg") is None


def test_render_picture_takes_one_side_or_two():
    assert render_picture(DOCUMENT, 20).array().shape == (20, 20, 3)
    assert render_picture(DOCUMENT, (30, 20)).array().shape == (20, 30, 3)
    assert len(render_picture(DOCUMENT, 20).digest) == 64


def test_an_engine_of_a_third_party_is_found_by_its_name():
    RENDERERS.add("fake-third-party", lambda limits: Fake(good))
    try:
        assert isinstance(render_picture(DOCUMENT, 4, renderer="fake-third-party"), Picture)
    finally:
        RENDERERS._entries.pop("fake-third-party")


def test_closing_is_repeatable_and_drawing_goes_on():
    renderer = safe(good)
    renderer.close()
    renderer.close()
    assert renderer.engine.closed == 2
    assert isinstance(renderer.render(RenderRequest(DOCUMENT, 4, 4)), Picture)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_can_draw_while_a_thread_of_its_parent_was_drawing():
    renderer = get_renderer("resvg")
    for turn in renderer._turns:
        turn.acquire()
    pid = os.fork()
    if pid == 0:
        done = isinstance(render_picture(DOCUMENT + "<!-- fork -->", 5), Picture)
        os._exit(0 if done else 1)
    for turn in renderer._turns:
        turn.release()
    assert os.waitpid(pid, 0)[1] == 0


def test_importing_the_package_loads_no_engine_and_no_arrays():
    heavy = ("numpy", "PIL", "cairosvg", "tinycss2", "lxml", "vbench_env.render.resvg")
    code = (
        "import sys, vbench_env; before = set(sys.modules); import vbench_env.render;"
        f"print(sorted(({set(heavy)} - before) & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert answer.stdout.strip() == "[]", answer.stderr
