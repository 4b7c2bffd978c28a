"""How each kind of task is judged: one module a kind, all with one `Scorecard`."""

from __future__ import annotations

from vbench_env.scoring.kinds.base import KINDS, Kind
from vbench_env.scoring.kinds.malformed import MALFORMED
from vbench_env.scoring.kinds.optimisation import OPTIMISATION
from vbench_env.scoring.kinds.repair import REPAIR
from vbench_env.scoring.kinds.style import STYLE

for _kind in (REPAIR, MALFORMED, OPTIMISATION, STYLE):
    KINDS.add(_kind.name, _kind)

__all__ = ["KINDS", "Kind"]
