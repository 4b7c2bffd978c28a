"""Many hostile documents in a row: the pool lives on and memory stays flat. `VBENCH_SOAK=1000` runs a thousand."""

from __future__ import annotations

import os
import time
from itertools import cycle, islice

import pytest
from hostile_documents import HOSTILE, svg

from vbench_env.render import RENDERERS, Picture, RenderLimits, RenderRequest, SafeRenderer

COUNT = int(os.environ.get("VBENCH_SOAK", "40"))
SLOW = {"style-rules-20000", "fill-scribble", "stroke-scribble", "text-40000", "marker-many"}


def resident_kib() -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads Linux's /proc")
def test_hostile_documents_in_a_row_leave_the_pool_alive_and_memory_flat(engine_name):
    limits = RenderLimits(cpu_s=1, wall_s=8.0)
    renderer = SafeRenderer(RENDERERS.get(engine_name)(limits), limits, cache_bytes=0)
    names = [name for name in HOSTILE if COUNT > 40 or name not in SLOW]
    outcomes: dict[str, int] = {}
    slowest, sizes, started = 0.0, [], time.monotonic()
    for number, name in enumerate(islice(cycle(names), COUNT)):
        begun = time.monotonic()
        result = renderer.render(RenderRequest(HOSTILE[name], 128 + number % 7, 128))
        slowest = max(slowest, time.monotonic() - begun)
        kind = "picture" if isinstance(result, Picture) else result.kind
        outcomes[kind] = outcomes.get(kind, 0) + 1
        if number % len(names) == len(names) - 1 or number in (COUNT // 2, COUNT - 1):
            sizes.append(resident_kib())
    good = renderer.render(RenderRequest(svg('<rect width="100" height="100"/>'), 32, 32))
    renderer.close()
    print(f"\n{engine_name}: {COUNT} in {time.monotonic() - started:.0f} s, slowest {slowest:.1f} s, "
          f"{outcomes}, resident MiB {[size // 1024 for size in sizes]}")  # fmt: skip
    assert isinstance(good, Picture)
    assert (good.array() == 0).all()
    assert "unavailable" not in outcomes
    assert slowest < limits.wall_s + 40
    assert sizes[-1] - sizes[0] < 64 * 1024
