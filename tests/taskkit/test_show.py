"""Lists, details, difficulty and contact sheets."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vbench_env.errors import InfrastructureError
from vbench_env.task import load_corpus, load_task, task_from_published
from vbench_env.taskkit import corpus_sheet, list_tasks, render_task, task_details, task_sheet
from vbench_env.taskkit.difficulty import FORMULA, LEVELS, Measures, is_styled, measure_difficulty
from vbench_env.taskkit.scene import Scene
from vbench_env.taskkit.sheet import HEAD_PX, MARGIN_PX, extent, task_picture
from vbench_env.taskkit.visibility import defect_masks, picture_size, seen_pixels

CORPUS = Path(__file__).parent / "corpus"
TEA = CORPUS / "tea-table"


def test_the_list_has_a_line_for_each_task() -> None:
    lines = list_tasks(CORPUS)
    assert [line.task_id for line in lines] == ["tea-table"]
    assert (lines[0].repairs, lines[0].difficulty) == (9, "hard")
    assert {line.corpus for line in list_tasks()} >= {"vbench-40"}


def test_details_keep_the_hidden_part_back() -> None:
    public, hidden = task_details(TEA), task_details(TEA, hidden=True)
    assert public["repairs"] == 9
    assert "middle-cup" not in str(public)
    assert hidden["repairs"][0]["object"] == "middle-cup"
    assert "wall" in hidden["protected"]


def test_rendering_writes_pictures_of_the_asked_width(tmp_path: Path) -> None:
    paths = render_task(TEA, tmp_path / "out", width_px=200)
    assert [path.name for path in paths] == [
        "tea-table-corrupted.png",
        "tea-table-target.png",
        "tea-table-sheet.png",
    ]
    with Image.open(paths[0]) as picture:
        assert picture.size == (200, 150)


@pytest.mark.parametrize(
    ("what", "size"), [("corrupted", (200, 150)), ("target", (200, 150)), ("both", (448, 196))]
)
def test_one_picture_of_a_task(what: Any, size: tuple[int, int]) -> None:
    with Image.open(BytesIO(task_picture(load_task(TEA), what, 200))) as picture:
        assert picture.size == size


def test_a_drawing_that_cannot_be_drawn_says_why(tmp_path: Path) -> None:
    task = task_from_published(
        {"task_id": "a", "instruction": "b", "initial_svg": "<svg", "target_svg": "<svg", "expected_diff": []}
    )
    with pytest.raises(InfrastructureError, match="preview unavailable"):
        render_task(task, tmp_path)


def test_a_sheet_shows_both_pictures_with_rings() -> None:
    with Image.open(BytesIO(task_sheet(load_task(TEA), 200))) as sheet:
        pixels = np.asarray(sheet.convert("RGB")).astype(int)
    assert sheet.width == 2 * 200 + 3 * MARGIN_PX
    ring = (pixels[:, :, 0] > 190) & (pixels[:, :, 1] < 40) & (pixels[:, :, 2] > 90)
    left = ring[HEAD_PX : HEAD_PX + 150, MARGIN_PX : MARGIN_PX + 200]
    right = ring[HEAD_PX : HEAD_PX + 150, 2 * MARGIN_PX + 200 : 2 * MARGIN_PX + 400]
    assert left.sum() > 100
    assert right.sum() > 100


def test_a_sheet_without_rings_shows_what_an_agent_sees() -> None:
    with Image.open(BytesIO(task_sheet(load_task(TEA), 200, rings=False, words=False))) as sheet:
        assert sheet.size == (200 + 2 * MARGIN_PX, HEAD_PX + 150 + MARGIN_PX)


def test_a_corpus_sheet_stands_in_columns() -> None:
    tasks = list(load_corpus(CORPUS)) * 3
    with Image.open(BytesIO(corpus_sheet(tasks, 100, columns=2))) as page:
        assert page.width == 2 * (2 * 100 + 3 * MARGIN_PX)
        assert page.height == 2 * (HEAD_PX + 75 + MARGIN_PX)


def test_rings_leave_outliers_aside() -> None:
    mask = np.zeros((100, 100), dtype=bool)
    mask[40:60, 40:60] = True
    left, top, right, bottom = extent(mask)
    assert (left, top, right, bottom) == (33.0, 33.0, 66.0, 66.0)


def test_defects_are_found_where_they_are() -> None:
    task = load_task(TEA)
    masks = list(defect_masks(task, width_px=400))
    rows, columns = np.nonzero(masks[0])
    assert masks[0].shape == (300, 400)
    assert 128 <= columns.min() <= columns.max() <= 172
    assert 188 <= rows.min() <= rows.max() <= 232


def test_what_shows_of_an_object() -> None:
    task = load_task(TEA)
    seen = {repair.object: seen_pixels(task, repair) for repair in task.repairs}
    assert (seen["middle-cup"] or 0) > 5000
    assert picture_size(task.target_svg) == (800, 600)


def test_difficulty_is_the_sum_of_the_formula() -> None:
    measures = Measures(repairs=5, objects=63, lookalikes=3, depth=2, kilocharacters=7)
    assert measures.points == pytest.approx(5 + 0.5 * 6 + 0.5 * 2 + 0.5 * 2 + 0.5 * 3)
    assert set(FORMULA) == set(Measures._fields)


@pytest.mark.parametrize(
    ("repairs", "level"), [(1, "easy"), (8, "medium"), (11, "hard"), (13.8, "hard"), (13.9, "very hard")]
)
def test_levels_begin_at_their_points(repairs: float, level: str) -> None:
    assert Measures(repairs, 0, 0, 0, 0).level == level
    assert [points for points, _ in LEVELS] == sorted((points for points, _ in LEVELS), reverse=True)


def test_measures_of_a_drawing() -> None:
    measures = measure_difficulty(load_task(TEA))
    assert (measures.repairs, measures.objects) == (9, 18)
    assert measures.lookalikes == pytest.approx(8 / 9)


@pytest.mark.parametrize(
    ("name", "styled"), [("left-cup", True), ("sun", True), ("wall", False), ("jug", True), ("label", False)]
)
def test_objects_under_rules_or_transforms_are_styled(name: str, styled: bool) -> None:
    scene = Scene(load_task(TEA).target_svg)
    assert is_styled(scene, scene.node(name)) == styled
