"""Validation: a good task passes, and each check fails on a task that breaks just it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from vbench_env.errors import TaskError
from vbench_env.taskkit import build_task, validate_corpus, validate_task
from vbench_env.taskkit.report import Finding, Report

CORPUS = Path(__file__).parent / "corpus"
GUID = "4309d2fe-55a0-475f-bca3-556b0fa53c50"
CANARY = f"<!-- vbench-env canary {GUID} -->"


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CORPUS / "tea-table", tmp_path / "garden" / "tea-table"))


def _edit(path: Path, *changes: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def _errors(report: Report) -> list[Finding]:
    return [finding for finding in report.findings if finding.level == "error"]


def test_a_good_task_passes_with_its_figures(tea: Path) -> None:
    report = validate_task(tea)
    assert _errors(report) == []
    assert report.ok
    assert report.figures is not None
    assert (report.figures.repairs, report.figures.protected) == (9, 10)
    assert dict(report.figures.operations)["reshape"] == 1
    assert len(report.visible) == 9
    assert min(report.visible) > 0.0015


def test_a_task_that_published_rules_cannot_express_says_why(tea: Path) -> None:
    report = validate_task(tea, pictures=False)
    assert report.published == "no check there for order, text"
    assert any(finding.check == "published" and finding.level == "note" for finding in report.findings)


def test_a_plain_task_is_expressible_for_published_rules(tea: Path) -> None:
    text = (tea / "task.yaml").read_text(encoding="utf-8")
    head, repairs = text.split("repairs:\n")
    leg = repairs[repairs.index("  - object: right-leg") : repairs.index("  - object: label")]
    (tea / "task.yaml").write_text(f"{head}repairs:\n{leg}", encoding="utf-8")
    build_task(tea)
    assert validate_task(tea, pictures=False).published == "expressible"


Break = Callable[[Path], None]


def _yaml(*changes: tuple[str, str], build: bool = True) -> Break:
    def apply(folder: Path) -> None:
        _edit(folder / "task.yaml", *changes)
        if build:
            build_task(folder)

    return apply


def _target(*changes: tuple[str, str]) -> Break:
    def apply(folder: Path) -> None:
        _edit(folder / "target.svg", *changes)
        build_task(folder)

    return apply


def _rename(old: str, new: str) -> Break:
    def apply(folder: Path) -> None:
        for name in ("task.yaml", "target.svg"):
            _edit(folder / name, (old, new))
        build_task(folder)

    return apply


LEG = "  - object: right-leg"
LEG_EVIDENCE = "    evidence: {kind: equals, of: left-leg}\n"
ACCEPTED = "corrupted: 25\n    accept: {range: [20, 60]}"
CUP_AGAIN = """\
  - object: left-cup
    named: left cup
    operation: move
    property: transform
    corrupted: translate(0 -40)
    evidence: {kind: stated, words: rests on the table, of: table}
"""
PANE_ON_TOP = """\
  - object: pane
    named: cup
    operation: reorder
    property: order
    corrupted: {before: null}
    evidence: {kind: stated, words: behind the hill, of: sun}
"""

BROKEN: dict[str, tuple[Break, str, str]] = {
    "an unknown key": (_yaml(("genre:", "gnere:"), build=False), "schema", "unknown key"),
    "a stale build": (
        lambda folder: _edit(folder / "target.svg", ("#bfe0ee", "#bfe0ff")),
        "build",
        r"run `vbench-env tasks build",
    ),
    "a missing build": (
        lambda folder: (folder / "corrupted.svg").unlink(),
        "build",
        r"corrupted\.svg is not",
    ),
    "no canary in the target": (_target((CANARY, "")), "hidden", "does not end with the canary"),
    "a canary that is none": (_rename(GUID, "please"), "hidden", "canary holds no GUID"),
    "no author": (_yaml(("author: The vbench-env developers", "author: ' '")), "hidden", "author is empty"),
    "no licence": (_yaml(("licence: MIT", "licence: ''")), "hidden", "licence is empty"),
    "an id twice": (_target(('id="left-leg"', 'id="wall"')), "ids", "id 'wall' stands 2 times"),
    "an id that tells": (_target(('id="wall"', 'id="wrong-wall"')), "ids", "gives the answer away"),
    "a generated id": (_rename("right-leg", "rect27"), "ids", "'rect27' looks generated"),
    "a colour code in the words": (
        _yaml(('read "Tea time". Of', 'read "Tea time" in #333333. Of')),
        "wording",
        "plain wording: '#333333' is a hexadecimal colour",
    ),
    "an id in a paraphrase": (
        _yaml(("Middle cup: colour", "The middle-cup: colour")),
        "wording",
        "terse wording: 'middle-cup' is an id of the drawing",
    ),
    "nothing that names an object": (
        _yaml(("    named: jug\n", "")),
        "named",
        "nothing says which words name 'jug'",
    ),
    "a name that is not in the words": (_yaml(("named: jug", "named: kettle")), "named", "do not stand in"),
    "one name for two objects": (_yaml(("named: jug", "named: last one")), "named", "'last one' names both"),
    "an accepted corruption": (_yaml(("corrupted: 25", ACCEPTED)), "score", "'right-leg' passes"),
    "repairs that overlap": (
        _yaml((LEG, CUP_AGAIN + LEG)),
        "undo",
        "undoing",
    ),
    "a defect too small to see": (
        _yaml(("corrupted: 9\n", "corrupted: 4.2\n")),
        "visible",
        r"'right-rule' changes 0\.1\d+% of the pixels",
    ),
    "a covered object": (
        _yaml((LEG, PANE_ON_TOP + LEG)),
        "visible",
        "'sun' is covered in the corrupted drawing",
    ),
    "no evidence": (_yaml((LEG_EVIDENCE, "")), "evidence", "'right-leg' has no evidence"),
    "evidence that misses": (
        _yaml(("of: left-leg", "of: shelf")),
        "evidence",
        r"leads to 8, which misses the target \(distance 42, tolerance",
    ),
    "evidence that is repaired later": (
        _yaml(("of: right-cup", "of: third-flower, property: href")),
        "evidence",
        "'middle-cup', plain wording: .*put that repair first",
    ),
    "words that a paraphrase lacks": (
        _yaml((", terse: Remove the spoon}", "}")),
        "evidence",
        "'spoon', terse wording: `words` has no entry for the terse wording",
    ),
    "a protected object that is repaired": (
        _yaml(("protected: others", "protected: [right-leg, wall]")),
        "protected",
        r"50\.0% of the protected objects differ",
    ),
    "another difficulty": (
        _yaml(("difficulty: hard", "difficulty: easy")),
        "difficulty",
        r"write `difficulty: hard`",
    ),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_each_check_fails_on_a_task_that_breaks_it(tea: Path, broken: str) -> None:
    apply, check, message = BROKEN[broken]
    apply(tea)
    found = _errors(validate_task(tea))
    lines = [str(finding) for finding in found if finding.check == check]
    assert any(re.search(message, line) for line in lines), [str(finding) for finding in found]


@pytest.mark.parametrize(
    "broken",
    ["a missing build", "no author", "no licence", "an id that tells", "a generated id", "no evidence",
     "a colour code in the words", "evidence that misses", "words that a paraphrase lacks", "another difficulty"],
)  # fmt: skip
def test_such_a_break_trips_no_other_check(tea: Path, broken: str) -> None:
    apply, check, _ = BROKEN[broken]
    apply(tea)
    assert {finding.check for finding in _errors(validate_task(tea))} == {check}


def test_words_that_fit_several_objects_alike_are_a_warning(tea: Path) -> None:
    _edit(tea / "task.yaml", ("named: left cup", "named: cup"))
    warnings = [
        finding for finding in validate_task(tea, pictures=False).findings if finding.level == "warning"
    ]
    assert [(finding.check, finding.repair) for finding in warnings] == [("named", 1)]
    assert "1 objects look like 'left-cup'" in warnings[0].message


def test_findings_say_where_and_what_to_do() -> None:
    finding = Finding("error", "visible", "too small", "make it larger", 2)
    assert str(finding) == "error visible repairs[2]: too small; make it larger"
    assert str(Finding("note", "corpus", "fine")) == "note corpus: fine"


def test_a_corpus_passes_with_sums_over_its_tasks() -> None:
    report = validate_corpus(CORPUS)
    assert report.ok
    assert report.figures["repairs"] == sum(r.figures.repairs for r in report.reports if r.figures)
    assert report.figures["tasks"] == len(report.reports)
    assert len(report.hash) == 64


def test_tasks_of_a_corpus_must_differ_and_share_the_canary(tea: Path) -> None:
    other = Path(shutil.copytree(tea, tea.parent / "coffee-table"))
    for name in ("task.yaml", "target.svg"):
        _edit(other / name, ("4309d2fe", "4309d2ff"))
    _edit(other / "task.yaml", ("id: tea-table", "id: coffee-table"))
    report = validate_corpus(tea.parent, pictures=False)
    messages = [finding.message for finding in report.findings]
    assert "tasks have different canaries" in messages
    assert any(message.startswith("2 tasks share the instruction") for message in messages)
    assert not report.ok


def test_a_corpus_lists_the_task_that_cannot_be_read(tea: Path) -> None:
    (tea / "target.svg").unlink()
    report = validate_corpus(tea.parent, pictures=False)
    assert [finding.check for finding in report.reports[0].findings] == ["schema"]
    assert not report.ok


def test_a_folder_without_tasks_is_an_error(tmp_path: Path) -> None:
    assert [f.message for f in validate_corpus(tmp_path).findings] == [f"{tmp_path} holds no task folders"]
    with pytest.raises(TaskError, match="no such folder"):
        validate_corpus(tmp_path / "nothing")
