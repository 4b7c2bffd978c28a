"""What all tests share: Hypothesis without deadlines, which load would miss, and skips told in a line a reason."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

MOST_REASONS = 12


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why tests were skipped: one line a reason with its count, the most frequent first."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        if isinstance(report.longrepr, tuple | list):
            reasons[str(report.longrepr[2]).removeprefix("Skipped: ").split("\n")[0]] += 1
    if not reasons:
        return
    terminalreporter.write_line(f"skipped: {reasons.total()} tests")
    for reason, count in reasons.most_common(MOST_REASONS):
        terminalreporter.write_line(f"  {count:>5} x {reason[:110]}")
    if len(reasons) > MOST_REASONS:
        terminalreporter.write_line(f"        and {len(reasons) - MOST_REASONS} more reasons (pytest -rs)")
