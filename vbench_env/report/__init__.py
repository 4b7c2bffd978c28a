"""Reading runs: statistics, a table for the terminal, a self-contained HTML page, a site.

from vbench_env.report import run_table, write_report
path = write_report("runs/first")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vbench_env.report.html import write_report
    from vbench_env.report.site import write_site
    from vbench_env.report.table import run_table

__all__ = ["run_table", "write_report", "write_site"]

_HOMES = {
    "run_table": "vbench_env.report.table",
    "write_report": "vbench_env.report.html",
    "write_site": "vbench_env.report.site",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
