"""The four controls: what they are, what they must score, and tasks that a rule set cannot express."""

from __future__ import annotations

import json

import pytest

from tests.published_folders import OTHER_TASK, TARGET, TASK, published_data
from vbench_env.report.controls import CONTROLS, PAPER, ControlTable, controls, malformed, mutated
from vbench_env.task import Repair, Task, corpus_names, load_corpus, task_from_published

TASKS = [task_from_published(TASK), task_from_published(OTHER_TASK)]


def figures(table: ControlTable) -> dict[str, tuple[float | None, ...]]:
    return {
        row.control: (row.full, row.repair, row.progress, row.clean, row.change_rate, row.valid)
        for row in table.rows
    }


@pytest.mark.parametrize("rules", ["published", "surgical"])
def test_controls_score_as_they_must(rules: str) -> None:
    table = controls(TASKS, rules)
    assert figures(table) == {
        "corrupted input": (0, 0, 0, 100, 0, 100),
        "target": (100, 100, 100, 100, 0, 100),
        "target, one protected mutation": (0, 100, 100, 0, 50, 100),
        "malformed target": (0, 0, 0, 0, None, 0),
    }
    assert table.ok
    assert table.inexpressible == ()
    assert [row.tasks for row in table.rows] == [2, 2, 2, 2]


def test_the_mutation_adds_one_attribute_to_the_first_protected_object_and_nothing_else() -> None:
    first = mutated(TASKS[0])
    assert first == TARGET.replace('<rect id="ground"', '<rect data-control="1" id="ground"')


def test_the_first_protected_object_is_that_of_the_document_not_of_the_list() -> None:
    task = task_from_published({**TASK, "should_preserve": ["hill", "ground"]})
    assert mutated(task) == mutated(TASKS[0])


def test_the_mutation_takes_a_name_that_the_object_does_not_have() -> None:
    target = TARGET.replace('id="ground"', 'id="ground" data-control="x"')
    text = mutated(task_from_published({**TASK, "target_svg": target}))
    assert text is not None
    assert 'data-control-1="1"' in text


def test_a_task_that_protects_nothing_has_no_mutation() -> None:
    task = task_from_published({**TASK, "should_preserve": []})
    assert mutated(task) is None
    assert [row.tasks for row in controls([task]).rows] == [1, 1, 0, 1]


def test_the_malformed_target_lacks_its_last_visible_character() -> None:
    task = task_from_published({**TASK, "target_svg": TARGET + "\n"})
    assert malformed(task) == TARGET[:-1]


def test_a_task_that_published_cannot_express_is_listed_apart() -> None:
    repair = Repair(object="sun", operation="reorder", property="order", corrupted={"before": "wall"})
    reordered = Task(
        task_id="reordered", instruction="", corrupted_svg=TARGET, target_svg=TARGET, repairs=(repair,),
        protected=("ground",),
    )  # fmt: skip
    table = controls([*TASKS, reordered], "published")
    (apart,) = table.inexpressible
    assert apart.task_id == "reordered"
    assert apart.reason == "its target does not pass (sun.order)"
    assert [row.tasks for row in table.rows] == [2, 2, 2, 2]
    assert table.ok


def test_a_corrupted_drawing_that_passes_is_listed_apart_and_not_ok_under_surgical() -> None:
    harmless = task_from_published({**TASK, "initial_svg": TARGET})
    table = controls([harmless], "surgical")
    assert [item.reason for item in table.inexpressible] == [
        "these rules do not see what is wrong with sun.cx, wall.fill"
    ]
    assert not table.ok


def test_the_table_is_json() -> None:
    data = json.loads(json.dumps(controls(TASKS).to_json()))
    assert data["ok"] is True
    assert data["rows"][3]["change_rate"] is None
    assert [row["control"] for row in data["rows"]] == list(CONTROLS)


@pytest.mark.parametrize("corpus", corpus_names())
def test_the_shipped_corpora_have_sound_controls(corpus: str) -> None:
    table = controls(load_corpus(corpus), "surgical")
    assert table.inexpressible == ()
    assert table.ok
    rows = figures(table)
    assert rows["target"] == (100, 100, 100, 100, 0, 100)
    assert rows["corrupted input"][:3] == (0, 0, 0)
    if all(task.kind == "repair" for task in load_corpus(corpus)):
        assert rows["corrupted input"] == (0, 0, 0, 100, 0, 100)


@pytest.mark.published
@pytest.mark.parametrize("rules", ["published", "surgical"])
def test_the_published_tasks_give_the_published_controls(rules: str) -> None:
    rows = figures(controls(load_corpus(published_data()), rules))
    for name, paper in PAPER.items():
        for ours, theirs in zip(rows[name], paper, strict=True):
            assert ours == pytest.approx(theirs, abs=0.05)
