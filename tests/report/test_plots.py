"""Figures as numbers: breakdowns, effort, and what there is nothing to show of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.report.runs import CORRUPTED, HALF, TARGET, TASK, record_of
from vbench_env.report import plots, words
from vbench_env.report.aggregate import Results, aggregate
from vbench_env.report.figures import figure_svg
from vbench_env.report.statistics import wilson
from vbench_env.task import task_from_published

TASKS = [task_from_published({**TASK, "task_id": name}) for name in ("a", "b")]
GENRES = {"a": "scene", "b": "floor_plan"}


def results(models: Sequence[str] = ("able", "poor"), **fields: object) -> Results:
    answers = {"able": TARGET, "poor": HALF}
    return aggregate(
        record_of(task, model, CORRUPTED if model == "poor" and task.task_id == "b" else answers.get(model, HALF),
                  **fields)
        for model in models for task in TASKS
    )  # fmt: skip


def test_progress_is_broken_down_by_a_trait_of_the_tasks():
    plot = plots.by_trait(results(), "genre", GENRES)
    assert plot is not None
    assert (plot.name, plot.columns) == ("genre", ("able", "poor"))
    assert [(name, [cell.share for cell in cells]) for name, cells in plot.rows] == [
        ("floor plan", [1.0, 0.0]), ("scene", [1.0, 0.5]),
    ]  # fmt: skip


def test_a_trait_that_all_tasks_share_is_no_figure():
    assert plots.by_trait(results(), "genre", dict.fromkeys(GENRES, "scene")) is None
    assert plots.by_trait(results(), "genre", {}) is None


def test_many_groups_become_rows_and_keep_their_cells():
    names = [f"model-{number}" for number in range(plots.MOST_HEAT_COLUMNS + 1)]
    few, many = plots.operations(results(names[:2])), plots.operations(results(names))
    assert few.columns == tuple(names[:2])
    assert tuple(name for name, _ in many.rows) == tuple(sorted(names))
    assert many.columns == tuple(name for name, _ in few.rows)
    assert many.rows[0][1] == tuple(cells[0] for _, cells in few.rows)
    for plot in (few, many):
        width = plots_width(figure_svg(plot))
        assert width <= 880


def plots_width(svg: str) -> float:
    """How far to the right the cells of a heat map reach."""
    import re

    cells = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="28"', svg)
    return max(float(x) + float(width) for x, width in cells)


def test_tokens_and_dollars_have_a_front_each():
    found = results(usage={"prompt_tokens": 1500, "completion_tokens": 500}, cost_usd=0.5)
    plot = plots.tokens(found)
    assert plot is not None
    assert [point.text for point in plot.points] == [
        "2 k an episode, 100 % passed", "2 k an episode, 0 % passed",
    ]  # fmt: skip
    assert plots.cost(found) is None  # no call, so that dollars mean nothing
    assert plots.tokens(results()) is None


def test_shares_are_drawn_on_an_axis_as_long_as_they_need():
    plot = plots.rates(
        "x", "X", "About.", [("one", "note", wilson(1, 100), "1"), ("none", "", wilson(0, 0), "")]
    )
    (mark,) = plot.marks
    assert mark.low < mark.value < mark.high <= 100
    assert plot.ticks[-1].text == "6.0 %"
    assert mark.value == pytest.approx(100 * 0.01 / 0.06, abs=0.01)


def test_every_kind_of_figure_is_drawn():
    found = results(usage={"prompt_tokens": 9, "completion_tokens": 1})
    made = plots.all_plots(found, ("PASS", "PARTIAL", "FAIL"), (), {"genre": GENRES})
    assert [plot.name for plot in made] == [
        "leaderboard", "outcomes", "operations", "genre", "progress-ucr", "tokens",
    ]  # fmt: skip
    assert all(figure_svg(plot).startswith("<svg") for plot in made)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (812.4, "812"), (12_345, "12.3 k"), (4e6, "4 M"), (1000, "1 k")]
)
def test_large_numbers_are_short(value, text):
    assert words.large(value) == text


def test_numbers_of_points_in_one_place_stand_aside_and_the_points_stay():
    names = [f"model-{number}" for number in range(9)]
    plot = plots.progress_against_ucr(results(names))
    assert len({(point.x, point.y) for point in plot.points}) == 1
    for one, other in combinations(plot.points, 2):
        assert abs(one.number_x - other.number_x) > 6.8 or abs(one.number_y - other.number_y) > 6.3
    assert all(0 < place < 100 for point in plot.points for place in (point.number_x, point.number_y))
    assert figure_svg(plot).count('r="4"') == 8


def test_numbers_with_room_stay_on_their_points():
    assert not any(point.aside for point in plots.progress_against_ucr(results()).points)


def test_more_points_than_there_is_room_for_keep_their_numbers_on_them():
    names = [f"model-{number:02}" for number in range(61)]
    assert not any(point.aside for point in plots.progress_against_ucr(results(names)).points)
