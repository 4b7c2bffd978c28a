from __future__ import annotations

import pytest

from vbench_env.render import RENDERERS, RenderLimits, SafeRenderer, close_renderers, unavailable

QUICK = RenderLimits(cpu_s=1, wall_s=8.0)


@pytest.fixture(scope="session", params=RENDERERS.names())
def engine_name(request):
    """Every registered engine that can draw on this machine."""
    reason = unavailable(request.param)
    if reason is not None:
        pytest.skip(reason)
    return request.param


@pytest.fixture(scope="session")
def renderer(engine_name):
    """A renderer with tight limits and a cache of its own."""
    made = SafeRenderer(RENDERERS.get(engine_name)(QUICK), QUICK)
    yield made
    made.close()


@pytest.fixture(scope="session", autouse=True)
def _ended():
    yield
    close_renderers()
