"""Reading a run: statistics, a table for the terminal, and a self-contained HTML page.

from vbench_env.report import run_table, write_report
path = write_report("runs/first")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vbench_env.report.html import write_report
    from vbench_env.report.table import run_table

__all__ = ["run_table", "write_report"]

_HOMES = {"run_table": "vbench_env.report.table", "write_report": "vbench_env.report.html"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
