"""Task folders of every kind: the format, what `build` makes of them, what `validate` finds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from vbench_env.errors import TaskError
from vbench_env.kind import StyleGoal
from vbench_env.repair import Repair
from vbench_env.resources import data_root
from vbench_env.svg.parse import parse
from vbench_env.task import Task, load_corpus, load_task
from vbench_env.taskkit import build_task, task_sheet, validate_task
from vbench_env.taskkit.kinds.malformed import lost_words
from vbench_env.taskkit.references import sample_values
from vbench_env.taskkit.variant import make_variant

CORPUS = data_root("tasks") / "vbench-kinds"
TEA = Path(__file__).parent / "corpus" / "tea-table"


@pytest.fixture
def copied(tmp_path: Path):
    """Copies a task folder, with pieces of its `task.yaml` replaced."""

    def copy(folder: Path, *changes: tuple[str, str], build: bool = True) -> Path:
        target = tmp_path / "corpus" / folder.name
        shutil.copytree(folder, target)
        path = target / "task.yaml"
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        if build:
            build_task(target)
        return target

    return copy


def errors(folder: Path, *, pictures: bool = False) -> list[str]:
    report = validate_task(folder, pictures=pictures)
    return [f"{finding.check}: {finding.message}" for finding in report.findings if finding.level == "error"]


def test_the_shipped_tasks_are_of_every_kind() -> None:
    kinds = [task.kind for task in load_corpus("vbench-kinds")]
    assert all(kinds.count(kind) >= 2 for kind in ("malformed", "optimisation", "style"))


@pytest.mark.parametrize("name", ["tide-clock", "summit-badge", "floor-plan"])
def test_a_shipped_task_is_valid_with_its_pictures(name: str) -> None:
    assert errors(CORPUS / name, pictures=True) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("tide-clock", "kind: malformed", "kind: malformd", "kind: must be one of malformed, optimisation"),
        ("tide-clock", "kind: malformed", "kind: repair", "repairs[0].operation: mend needs `kind: malformed`"),
        ("tide-clock", "put: 'Ebb & Flood'", "puts: 'x'", "repairs[1].corrupted: give `{find:"),
        ("tide-clock", "put: 'Ebb & Flood'", "put: 'Ebb &amp; Flood'", "two different texts"),
        ("tide-clock", "property: fill", "property: markup", "repairs[4].property: 'markup' is no property"),
        ("summit-badge", "share: 0.7", "share: 7", "goal.share: input should be less than or equal to 1"),
        ("summit-badge", "share: 0.7", "shares: 0.7", "goal.shares: unknown key; did you mean 'share'?"),
        ("summit-badge", "sizes: [64, 256, 800]", "sizes: [4]", "goal: sizes are widths of 16 to 2048"),
        ("floor-plan", "select: .room", "select: .rooms", "'.rooms' picks no object out of the target"),
        ("floor-plan", "select: .room", "select: '['", "'[' is no CSS selector"),
        ("floor-plan", "operation: restroke", "operation: delete", "goal.rules[1].operation: a rule is about"),
        ("floor-plan", "35]", "-35]", "goal.rules[0].accept: the radius of an interval is greater than 0"),
        ("floor-plan", "kind: stated", "kind: said", "goal.rules[0].evidence"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_of_a_kind_names_the_field(
    copied, name: str, old: str, new: str, message: str
) -> None:
    folder = copied(CORPUS / name, (old, new), build=False)
    with pytest.raises(TaskError) as caught:
        load_task(folder)
    assert message in str(caught.value)


def test_a_repair_takes_accepted_values_in_known_forms_only(copied) -> None:
    folder = copied(
        TEA,
        ("operation: recolor\n", "operation: recolor\n    accept: {ranges: [1, 2]}\n"),
        build=False,
    )
    with pytest.raises(TaskError, match=r"repairs\[0\].accept.ranges: unknown key; did you mean 'range'"):
        load_task(folder)


class TestMalformed:
    def test_mends_are_made_last_and_on_the_text(self) -> None:
        folder = CORPUS / "tide-clock"
        text = build_task(folder, write=False)
        assert parse(text).root is None
        assert '"#9a9a9a"' in text and "Ebb & Flood" in text

    def test_a_piece_that_stands_in_several_places_is_refused(self, copied) -> None:
        change = ("find: 'Ebb &amp; Flood', put: 'Ebb & Flood'", "find: '</text>', put: '</text'")
        folder = copied(CORPUS / "tide-clock", change, build=False)
        with pytest.raises(TaskError, match="stands in 10 places"):
            build_task(folder)

    def test_damages_that_overlap_are_refused(self, copied) -> None:
        change = ("find: '&lt; 3 knots', put: '< 3 knots'", "find: '\">Ebb &amp;', put: '>Ebb &'")
        folder = copied(CORPUS / "tide-clock", change, build=False)
        with pytest.raises(TaskError, match="the damages of 'wind-force' and 'board-name' overlap"):
            build_task(folder)

    def test_damage_that_leaves_the_file_well_formed_is_no_mend(self, copied) -> None:
        folder = copied(CORPUS / "tide-clock", ("put: 'Ebb & Flood'", "put: 'Ebb &lt; Flood'"))
        assert any("'board-name' alone leaves the file well-formed" in line for line in errors(folder))

    def test_damage_that_takes_a_word_away_is_not_determined(self, copied) -> None:
        folder = copied(CORPUS / "tide-clock", ("put: 'Ebb & Flood'", "put: 'Ebb & '"))
        assert any("the damage touches 'Flood'" in line for line in errors(folder))

    def test_a_lost_word_may_be_stated(self, copied) -> None:
        folder = copied(
            CORPUS / "tide-clock",
            (
                "put: 'Ebb & Flood'}\n    evidence: {kind: markup}",
                "put: 'Ebb & '}\n    evidence: {kind: stated, words: ampersand}",
            ),
        )
        assert errors(folder) == []

    @pytest.mark.parametrize(
        ("find", "put", "lost"),
        [
            ('fill="red"', "fill=red", []),
            ("</g>", "", []),
            ("</text>", "</txet>", []),
            ("<rect x", "rect x", []),
            ("</g>", "/g>", []),
            ("a &amp; b", "a & b", []),
            ('<a xmlns:xlink="http://www.w3.org/1999/xlink">', "<a>", []),
            ('fill="red"', 'fill="', ["red"]),
            ('fill="red"', 'fill="red" fill="blue"', ["fill", "blue"]),
            ("<rect/>", "<", ["<rect"]),
        ],
    )
    def test_what_xml_alone_brings_back(self, find: str, put: str, lost: list[str]) -> None:
        assert lost_words(find, put) == lost

    def test_a_sheet_says_why_nothing_shows(self) -> None:
        assert task_sheet(load_task(CORPUS / "tide-clock"), 200)[:4] == b"\x89PNG"


class TestOptimisation:
    def test_the_start_is_drawn_by_hand(self, copied) -> None:
        folder = copied(CORPUS / "summit-badge")
        before = (folder / "corrupted.svg").read_text(encoding="utf-8")
        assert build_task(folder) == before
        (folder / "corrupted.svg").unlink()
        with pytest.raises(TaskError, match=r"corrupted\.svg: no such file"):
            build_task(folder)

    def test_a_target_that_saves_little_is_found(self, copied) -> None:
        folder = copied(CORPUS / "summit-badge")
        target = (folder / "target.svg").read_text(encoding="utf-8")
        clean = target[: target.index("<!-- vbench")]
        (folder / "corrupted.svg").write_text(clean.replace("><", ">\n<"), encoding="utf-8")
        assert any(line.startswith("saving: the target saves") for line in errors(folder))

    def test_a_target_that_looks_otherwise_is_found(self, copied) -> None:
        folder = copied(CORPUS / "summit-badge")
        path = folder / "target.svg"
        path.write_text(path.read_text(encoding="utf-8").replace('r="20"', 'r="24"'), encoding="utf-8")
        assert any(line.startswith("score: the target scores SIDE_EFFECTS") for line in errors(folder))

    def test_ids_to_keep_stand_in_both_drawings(self, copied) -> None:
        folder = copied(CORPUS / "harbour-bus", ("keep: [skyline,", "keep: [clouds,"))
        assert "ids: the start has no id 'clouds', which is to be kept" in errors(folder)


class TestStyle:
    def test_a_shared_rule_of_a_style_sheet_is_changed_once(self) -> None:
        text = build_task(CORPUS / "floor-plan", write=False)
        assert "style=" not in text and "stroke-width: 3;" in text

    def test_every_object_of_a_rule_is_a_repair(self) -> None:
        task = load_task(CORPUS / "floor-plan")
        assert isinstance(task.goal, StyleGoal)
        assert len(task.repairs) == 10
        assert {repair.object for repair in task.repairs[:5]} == set(
            task.goal.rules[0].objects(parse(task.target_svg))
        )
        assert "plan-title" in task.protected and "hall-name" not in task.protected

    def test_words_that_are_not_in_the_request_are_found(self, copied) -> None:
        folder = copied(CORPUS / "floor-plan", ("named: every wall", "named: all the walls"))
        assert "named: the words 'all the walls' do not stand in the instruction" in errors(folder)

    def test_a_rule_about_one_object_is_no_rule(self, copied) -> None:
        folder = copied(CORPUS / "floor-plan", ("select: .wall", "select: '#outer-wall'"))
        assert "schema: the rule picks out 'outer-wall' alone" in errors(folder)

    def test_evidence_of_a_rule_is_held_against_every_object(self, copied) -> None:
        folder = copied(CORPUS / "floor-plan", ("of: entrance", "of: north"))
        assert sum(line.startswith("evidence: ") for line in errors(folder)) == 5

    def test_an_edit_that_nobody_sees_is_found(self, copied) -> None:
        folder = copied(CORPUS / "floor-plan", ("corrupted: 3\n", "corrupted: 5.99\n"))
        assert any(line.startswith("visible: the rule changes 0.0") for line in errors(folder, pictures=True))


class TestSolutions:
    LISTED = "protected: others\nsolutions:\n  - drawing: other.svg\n    repairs: []\n"

    def with_solution(self, folder: Path, *changes: tuple[str, str]) -> Path:
        text = (folder / "target.svg").read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (folder / "other.svg").write_text(text, encoding="utf-8")
        return folder

    def found(self, task: Task) -> list[str]:
        return [solution.name for solution in task.solutions]

    def test_a_further_drawing_is_loaded_with_the_repairs_of_the_task(self, copied) -> None:
        folder = self.with_solution(copied(TEA, ("protected: others\n", self.LISTED), build=False))
        task = load_task(folder)
        assert self.found(task) == ["other.svg"]
        assert [repair.object for repair in task.solutions[0].repairs] == [r.object for r in task.repairs]

    def test_one_that_is_not_there_is_named(self, copied) -> None:
        folder = copied(TEA, ("protected: others\n", self.LISTED), build=False)
        with pytest.raises(TaskError, match=r"other\.svg: no such file"):
            load_task(folder)

    def test_one_that_says_nothing_new_or_too_much_is_found(self, copied) -> None:
        folder = self.with_solution(copied(TEA, ("protected: others\n", self.LISTED), build=False))
        report = validate_task(folder, pictures=False)
        messages = [str(finding) for finding in report.findings]
        assert any("other.svg passes without being listed" in line for line in messages)
        self.with_solution(folder, ("</svg>", '<circle id="extra-moon" r="3"/></svg>'))
        assert any("solutions: other.svg is not the start, repaired" in line for line in errors(folder))

    def test_one_without_the_canary_is_found(self, copied) -> None:
        folder = self.with_solution(copied(TEA, ("protected: others\n", self.LISTED), build=False))
        path = folder / "other.svg"
        path.write_text(path.read_text(encoding="utf-8").split("<!-- vbench")[0], encoding="utf-8")
        assert "hidden: other.svg does not end with the canary" in errors(folder)


class TestAccepted:
    def test_a_value_that_would_not_pass_is_found(self, copied) -> None:
        accept = "operation: recolor\n    accept: {choice: ['#no-colour']}\n"
        folder = copied(TEA, ("operation: recolor\n", accept), build=False)
        assert any("'#no-colour' is accepted, but does not pass" in line for line in errors(folder))

    def test_both_ends_of_an_interval_are_tried_about_the_target_too(self) -> None:
        def tried(accept: dict[str, object], target: object) -> tuple[object, ...]:
            repair = Repair(object="a", operation="move", property="x", corrupted=9, accept=accept)
            return sample_values(repair, target)

        assert tried({"interval": 3}, "50") == (47, 53)
        assert tried({"interval": [20, 3], "choice": [7]}, "50") == (7, 17, 23)
        assert tried({"interval": ["#fff", 9]}, "#000") == ("#fff",)
        assert tried({"interval": 9}, "#000") == ()

    def test_the_corrupted_value_may_not_be_accepted(self, copied) -> None:
        corrupted = next(r for r in load_task(TEA).repairs if r.operation == "recolor").corrupted
        accept = f"operation: recolor\n    accept: {{choice: ['{corrupted}']}}\n"
        folder = copied(TEA, ("operation: recolor\n", accept), build=False)
        assert any("passes although corrupted" in line for line in errors(folder))


def test_only_tasks_of_repairs_have_variants(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="not of one of the kind style"):
        make_variant(CORPUS / "floor-plan", 1, tmp_path)
