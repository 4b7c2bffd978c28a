"""Every importer on its layout: what is imported, what is refused, and that the corpus can be used."""

from __future__ import annotations

import json
from pathlib import Path

import gymnasium
import layouts
import pytest

from vbench_env.errors import ConfigError
from vbench_env.experiments import runner
from vbench_env.experiments.config import make_config
from vbench_env.experiments.store import RunFolder
from vbench_env.importers import IMPORTERS, Imported, Terms, import_corpus
from vbench_env.importers.columns import row_of
from vbench_env.importers.corpus import task_name
from vbench_env.task import load_corpus


def imported(name: str, source: Path, out: Path, **terms: object) -> Imported:
    return import_corpus(IMPORTERS.get(name), source, out, Terms(**terms))  # type: ignore[arg-type]


def by_group(found: Imported) -> dict[str, dict[str, int]]:
    return {group: dict(counts) for group, counts in found.groups.items()}


def test_six_folders_of_queries_and_answers(tmp_path: Path) -> None:
    found = imported("svgeditbench", layouts.svgeditbench(tmp_path / "data"), tmp_path / "out")
    groups = by_group(found)
    assert groups["ChangeColor"] == {"imported": 1, "missing": 2}
    assert groups["SetContour"] == groups["Transparency"] == groups["CropToHalf"] == {"imported": 1}
    assert groups["UpsideDown"] == {"restructured": 1}
    assert groups["Compression"] == {"no-op": 1}
    task = load_corpus(tmp_path / "out").task("change-color-1f600")
    assert task.instruction == "ChangeColor of the drawing."
    assert task.corrupted_svg == layouts.FACE


def test_queries_and_answers_may_be_named_in_folders_above_or_in_the_file(tmp_path: Path) -> None:
    answer = layouts.FACE.replace("#FFCC4D", "red")
    source = layouts.write(
        tmp_path / "data",
        {
            "query/Color/a.txt": layouts.query("Red."), "answer/Color/a.svg": answer,
            "Other/b_query.txt": layouts.query("Red too."), "Other/b_answer.svg": answer,
        },
    )  # fmt: skip
    assert imported("svgeditbench", source, tmp_path / "out").total == {"imported": 2}


def test_json_files_of_the_editing_tasks(tmp_path: Path) -> None:
    found = imported("svgenius", layouts.svgenius(tmp_path / "clone"), tmp_path / "out")
    groups = by_group(found)
    assert groups["style-editing"] == {"imported": 1}
    assert groups["bug-fixing"] == {"imported": 2, "no-op": 1}
    assert groups["code-optimization"] == {"imported": 1}
    kinds = {task.task_id: task.kind for task in load_corpus(tmp_path / "out")}
    assert kinds["bug-fixing-1"] == "repair" and kinds["bug-fixing-2"] == "malformed"
    assert kinds["code-optimization-data-easy-0"] == "optimisation"
    pink = load_corpus(tmp_path / "out").task("style-editing-hard-data-0")
    assert pink.instruction == "Make the face pink."
    assert [repair.property for repair in pink.repairs] == ["fill"]


def test_published_tasks_keep_the_repairs_that_they_state(tmp_path: Path) -> None:
    path = Path(__file__).parents[3] / "shared" / "vector-bench"
    if not path.is_dir():
        pytest.skip("the published tasks are not beside the checkout")
    found = imported("vector-bench", path, tmp_path / "out", limit=3)
    assert found.total == {"imported": 3}
    ours, theirs = load_corpus(tmp_path / "out"), load_corpus(path)
    for task in ours:
        other = theirs.task(task.task_id)
        assert [(r.object, r.property) for r in task.repairs] == [
            (r.object, r.property) for r in other.repairs
        ]
        assert task.protected == other.protected


def test_a_published_task_of_our_own(tmp_path: Path) -> None:
    task = {
        "task_id": "x_1", "instruction": "Make it red, take the dot away.", "should_preserve": [], "category": "c",
        "target_svg": layouts.HEAD + '<rect id="a" width="9" height="9" fill="red"/></svg>',
        "initial_svg": layouts.HEAD + '<rect id="a" width="9" height="9"/><circle id="dot" r="5"/></svg>',
        "expected_diff": [
            {"part": "a", "attribute": "fill", "before": "black", "after": "red"},
            {"part": "dot", "attribute": "exists", "before": True, "after": False},
        ],
    }  # fmt: skip
    source = layouts.write(
        tmp_path / "clone", {"data/tasks/x_1.json": json.dumps(task), "data/tasks/y.json": "{"}
    )
    found = imported("vector-bench", source, tmp_path / "out")
    assert found.total == {"imported": 1, "unreadable": 1}
    deletion = load_corpus(tmp_path / "out").task("x_1").repairs[1]
    assert (deletion.operation, deletion.parent, deletion.element) == (
        "delete", "svg", '<circle id="dot" r="5"/>',
    )  # fmt: skip


@pytest.mark.parametrize("layout", ["jsonl", "json", "csv", "folders", "beside"])
def test_triples_in_any_form(layout: str, tmp_path: Path) -> None:
    row = layouts.triple()
    texts = {
        "instruction.txt": row["editing_prompt"],
        "before.svg": row["original_svg"],
        "target.svg": row["editing_target_svg"],
    }
    quoted = ",".join('"' + value.replace('"', '""') + '"' for value in row.values())
    files = {
        "jsonl": {"rows.jsonl": json.dumps(row) + "\n\n"},
        "json": {"rows.json": json.dumps({"a": row})},
        "csv": {"rows.csv": f"{','.join(row)}\n{quoted}\n"},
        "folders": {f"one/{name}": text for name, text in texts.items()},
        "beside": {f"one_{name}".replace("_instruction", ""): text for name, text in texts.items()},
    }[layout]  # fmt: skip
    found = imported("pairs", layouts.write(tmp_path / "data", files), tmp_path / "out")
    assert found.total == {"imported": 1}, found.outcomes
    assert load_corpus(tmp_path / "out")[0].instruction == "Make the face red."


def test_no_row_is_dropped_in_silence(tmp_path: Path) -> None:
    rows = [
        layouts.triple(),
        layouts.triple(),
        layouts.triple(editing_target_svg=layouts.FACE),
        layouts.triple(editing_target_svg=layouts.FACE[:-3]),
        layouts.triple(editing_prompt=""),
        {"original_svg": layouts.FACE, "note": "no target"},
        layouts.triple(editing_target_svg=layouts.FACE.replace("#FFCC4D", "nonsense(1)")),
    ]  # fmt: skip
    text = "\n".join([*map(json.dumps, rows), "{broken"])
    source = layouts.write(tmp_path, {"rows.jsonl": text}) / "rows.jsonl"
    found = imported("pairs", source, tmp_path / "out")
    reasons = [outcome.reason for outcome in found.outcomes]
    assert reasons == [
        None, "duplicate", "no-op", "malformed-target", "missing", "missing", "invalid-target", "unreadable",
    ]  # fmt: skip
    lines = (tmp_path / "out" / "import.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["reason"] for line in lines] == reasons
    assert all(outcome.detail for outcome in found.outcomes if outcome.reason)


@pytest.mark.parametrize("name", ["svgeditbench", "svgenius"])
def test_an_imported_corpus_is_played_run_and_scored(name: str, tmp_path: Path) -> None:
    source = getattr(layouts, name)(tmp_path / "data")
    found = imported(name, source, tmp_path / "out", licence="theirs")
    corpus = load_corpus(found.folder)
    assert {task.licence for task in corpus} == {"theirs"}
    first = corpus[0]
    env = gymnasium.make(
        "vbench_env:VBench/SvgRepair-v0", task=str(found.folder / first.task_id), protocol="single-shot"
    )
    env.reset(seed=0)
    assert env.step(first.target_svg)[1] == 1
    config = make_config({
        "corpus": str(found.folder), "models": ["oracle", "noop"], "protocols": ["single-shot", "interactive-text"],
        "workers": 0,
    })  # fmt: skip
    summary = runner.run(config, tmp_path / "run")
    assert summary.complete and summary.total == 4 * len(corpus)
    for record in RunFolder(tmp_path / "run").episodes():
        assert record.score is not None
        assert record.score.passed == (record.model == "oracle"), record.task_id


@pytest.mark.parametrize("name", ["svgeditbench", "svgenius", "vector-bench", "pairs"])
def test_a_folder_of_another_layout_is_an_error_that_says_so(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="empty: n"):
        imported(name, tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_is_not_written_to(tmp_path: Path) -> None:
    source = layouts.write(tmp_path / "data", {"rows.jsonl": json.dumps(layouts.triple())})
    with pytest.raises(ConfigError, match="holds something already"):
        imported("pairs", source, source)


def test_columns_decide_which_drawing_is_which(tmp_path: Path) -> None:
    first, second = layouts.FACE, layouts.FACE.replace("#FFCC4D", "red")
    for columns in (
        {"bugSVG": first, "originalSvg": second},
        {"original_svg": first, "Edited SVG": second},
        {"buggy_code": first, "original_code": second},
        {"original_code": first, "modified_code": second, "note": "no drawing"},
        {"drawing": second, "with_error": first},
        {"svg": {"code": first}, "answer": f"Here it is:\n```xml\n{second}\n```"},
        {"prompt": f"Make it red.\n```svg\n{first}\n```", "answer": second},
    ):
        row = row_of(columns, "here", "name", "group", tmp_path)
        assert (row.before, row.target) == (first, second)
    layouts.write(tmp_path, {"a/in.svg": first, "b.svg": second})
    row = row_of({"before": "in.svg", "after": "../b.svg"}, "here", "name", "group", tmp_path / "a")
    assert row.before == first and row.target is None


def test_names_of_tasks_are_words_joined_by_hyphens() -> None:
    assert task_name("1F600.svg", "ChangeColor") == "change-color-1f600"
    assert task_name("x_1", "") == "x_1"
    assert task_name("???", "") == "task"


def test_a_target_that_cannot_be_read_is_refused_whatever_is_wanted(tmp_path: Path) -> None:
    spaced, cut = layouts.FACE.replace("><", "> <"), layouts.FACE.replace("</svg>", "")
    rows = [
        {"original_svg": spaced, "optimized_svg": cut},
        {"original_svg": cut.replace("><", "> <"), "optimized_svg": layouts.FACE},
        {"original_svg": spaced, "optimized_svg": layouts.FACE},
    ]
    source = layouts.write(tmp_path / "data", {"code_optimization/a.json": json.dumps(rows)})
    found = imported("svgenius", source, tmp_path / "out")
    assert [one.reason for one in found.outcomes] == ["malformed-target", "malformed-start", None]


def test_lines_of_a_file_are_rows_and_other_line_separators_are_text(tmp_path: Path) -> None:
    separated = layouts.triple(editing_prompt="Make the face\u2028red.")
    lines = "\r\n".join(
        json.dumps(row, ensure_ascii=False) for row in (separated, layouts.triple(editing_prompt="Red!"))
    )
    pretty = json.dumps(layouts.triple(editing_prompt="Please."), indent=1)
    source = layouts.write(tmp_path / "data", {"a.JSONL": lines, "b.json": lines + "\n", "c.json": pretty})
    reasons = [one.reason for one in imported("pairs", source, tmp_path / "out").outcomes]
    assert reasons == [None, None, "duplicate", "duplicate", None]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_texts_are_read_in_the_encoding_that_they_name(encoding: str, tmp_path: Path) -> None:
    told = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
    row = layouts.triple()
    for name, svg in (("before", row["original_svg"]), ("target", row["editing_target_svg"])):
        text = told + svg.replace("</svg>", "<title>café</title></svg>")
        (tmp_path / f"{name}.svg").write_bytes(text.encode(encoding))
    (tmp_path / "instruction.txt").write_text("Make the face red.", encoding="utf-8")
    found = imported("pairs", tmp_path, tmp_path / "out")
    assert found.total == {"imported": 1}, found.outcomes
    assert "<title>café</title>" in load_corpus(found.folder)[0].corrupted_svg


def test_tables_with_any_delimiter_and_values_that_are_mappings(tmp_path: Path) -> None:
    row = layouts.triple()
    quoted = ['"' + value.replace('"', '""') + '"' for value in row.values()]
    nested = {
        "before": {"svg": layouts.FACE},
        "after": {"svg": row["editing_target_svg"]},
        "prompt": "Red, please.",
    }
    source = layouts.write(
        tmp_path / "data",
        {
            "a.csv": f"{';'.join(row)}\n{';'.join(quoted)}\n",
            "b.tsv": "\t".join(row) + "\n" + "\t".join(quoted).replace("Make", "Paint") + "\n",
            "c.json": json.dumps({"easy": {"more": {"and": {"more": [nested]}}}}),
            "d.csv": "before,after\n",
            "e.json": "",
        },
    )  # fmt: skip
    reasons = [one.reason for one in imported("pairs", source, tmp_path / "out").outcomes]
    assert reasons == [None, None, None, "unreadable", "unreadable"]


def test_a_refusal_names_the_column_or_file_that_is_at_fault(tmp_path: Path) -> None:
    rows = [
        {"original_svg": layouts.FACE, "bug_svg": ""},
        {"original_svg": layouts.FACE, "edited": layouts.FACE, "wish": "Red."},
    ]
    files = {"rows.json": json.dumps(rows), "one/before.SVG": layouts.FACE, "one/Instruction.txt": "Red."}
    source = layouts.write(tmp_path / "data", files)
    (source / "one/target.svg").write_bytes(b"\x1f\x8b\x08\xff")
    found = imported("pairs", source, tmp_path / "out")
    assert [(one.reason, one.detail) for one in found.outcomes] == [
        ("missing", "no drawing in bug_svg; columns: original_svg, bug_svg"),
        ("missing", "no instruction; columns: original_svg, edited, wish"),
        ("unreadable", "the bytes of the target are no text in UTF-8 or in an encoding that they name"),
    ]
