"""Requested repairs as a page shows them."""

from __future__ import annotations

import vbench_env
from vbench_env.report.repair_view import repair_views


def test_what_was_wanted_is_told_even_where_the_object_is_gone():
    task = vbench_env.load_task("harbor-dawn")
    whole = repair_views(vbench_env.score(task, task.target_svg), task)
    gone = repair_views(vbench_env.score(task, '<svg xmlns="http://www.w3.org/2000/svg"/>'), task)
    wanted = [view.values[2] for view in whole]
    assert all(value.text != "not set" for value in wanted)
    assert [view.values[2] for view in gone] == wanted
    assert not any(view.passed for view in gone)
