"""How the task folders of each kind are checked: one module a kind."""

from __future__ import annotations

from vbench_env.taskkit.kinds.base import CHECKS, KindChecks
from vbench_env.taskkit.kinds.malformed import MALFORMED
from vbench_env.taskkit.kinds.optimisation import OPTIMISATION
from vbench_env.taskkit.kinds.repair import REPAIR
from vbench_env.taskkit.kinds.style import STYLE

for _name, _checks in (
    ("repair", REPAIR),
    ("malformed", MALFORMED),
    ("optimisation", OPTIMISATION),
    ("style", STYLE),
):
    CHECKS.add(_name, _checks)

__all__ = ["CHECKS", "KindChecks"]
