"""Loading tasks and corpora: layouts, names, hashes, and what error messages say."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vbench_env.errors import TaskError, UnknownName
from vbench_env.protected import find_object, protected_objects
from vbench_env.repair import Repair
from vbench_env.strict_yaml import YamlProblem, parse_yaml, read_yaml
from vbench_env.svg.parse import parse
from vbench_env.task import Task, corpus_names, load_corpus, load_task, task_from_published
from vbench_env.task_file import parse_task_file

CORPUS = Path(__file__).parent / "taskkit" / "corpus"
TEA = CORPUS / "tea-table"

PUBLISHED = {
    "task_id": "sv_900",
    "difficulty": "hard",
    "category": "scenic",
    "instruction": "The sun is too small.",
    "initial_svg": '<svg xmlns="http://www.w3.org/2000/svg"><circle id="sun" r="3"/></svg>',
    "target_svg": '<svg xmlns="http://www.w3.org/2000/svg"><circle id="sun" r="9"/></svg>',
    "expected_diff": [{"part": "sun", "attribute": "r", "before": "3", "after": "9"}],
    "should_preserve": ["hill"],
    "parts": ["sun", "hill"],
}


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TEA, tmp_path / "garden" / "tea-table"))


@pytest.mark.parametrize("kind", [str, Path])
def test_a_task_loads_from_its_folder(kind: type) -> None:
    task = load_task(kind(TEA))
    assert (task.task_id, task.corpus, task.title) == ("tea-table", "corpus", "A tea table")
    assert len(task.repairs) == 9
    assert set(task.paraphrases) == {"terse"}


def test_a_packaged_task_loads_by_id_and_by_corpus_and_id() -> None:
    first = load_corpus("vbench-40")[0]
    assert load_task(first.task_id) == first
    assert load_task(f"vbench-40/{first.task_id}").hash == first.hash


def test_an_unknown_task_suggests_the_nearest() -> None:
    name = load_corpus("vbench-40")[0].task_id
    with pytest.raises(UnknownName, match=f"did you mean '{name}'"):
        load_task(name + "s")
    with pytest.raises(UnknownName, match=f"did you mean 'vbench-40/{name}'"):
        load_task(f"vbench-40/{name}s")


def test_an_id_in_two_corpora_asks_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for corpus in ("north", "south"):
        shutil.copytree(TEA, tmp_path / corpus / "tea-table")
    monkeypatch.setattr("vbench_env.task.data_root", lambda kind: tmp_path)
    with pytest.raises(TaskError, match="several corpora; say which one: north/tea-table, south/tea-table"):
        load_task("tea-table")
    assert load_task("south/tea-table").corpus == "south"


def test_a_path_that_is_no_task_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"neither a task folder \(with task.yaml\) nor a published task"):
        load_task(tmp_path)


def test_a_corpus_is_a_sequence_in_the_order_of_ids() -> None:
    corpus = load_corpus(CORPUS)
    assert corpus.name == "corpus"
    assert list(corpus.ids) == sorted(corpus.ids)
    assert corpus[0] is corpus.tasks[0]
    assert corpus[:1] == corpus.tasks[:1]
    assert corpus.task("tea-table").task_id == "tea-table"
    with pytest.raises(UnknownName, match="did you mean 'tea-table'"):
        corpus.task("tea-tabel")


def test_an_unknown_corpus_suggests_the_nearest() -> None:
    assert "vbench-40" in corpus_names()
    with pytest.raises(UnknownName, match="did you mean 'vbench-40'"):
        load_corpus("vbench40")


@pytest.mark.parametrize("below", [".", "tasks", "data/tasks"])
def test_a_folder_of_published_tasks_is_a_corpus(tmp_path: Path, below: str) -> None:
    folder = tmp_path / below
    folder.mkdir(parents=True, exist_ok=True)
    for number in (901, 900):
        data = {**PUBLISHED, "task_id": f"sv_{number}"}
        (folder / f"sv_{number}.json").write_text(json.dumps(data), encoding="utf-8")
    assert load_corpus(tmp_path).ids == ("sv_900", "sv_901")
    assert load_task(folder / "sv_901.json").task_id == "sv_901"


def test_an_empty_folder_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"holds no tasks; expected folders with task\.yaml"):
        load_corpus(tmp_path)


def test_the_published_layout_maps_to_repairs() -> None:
    task = task_from_published(PUBLISHED)
    assert task.repairs[0] == Repair(
        object="sun", operation="resize", property="r", corrupted="3", target="9"
    )
    assert task.corrupted_svg == PUBLISHED["initial_svg"]
    assert task.protected == ("hill",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instruction": None}, "instruction: a published task needs this text"),
        ({"expected_diff": None}, "expected_diff: a published task needs this list"),
        ({"expected_diff": [{"part": "sun"}]}, "a repair needs part, attribute, before and after"),
        ({"should_preserve": "hill"}, "should_preserve: must be a list"),
    ],
)
def test_a_published_task_without_its_parts_says_which(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        task_from_published({**PUBLISHED, **change})


def test_a_published_task_must_be_an_object(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="a published task is a JSON object, not list"):
        task_from_published([])  # type: ignore[arg-type]
    path = tmp_path / "broken.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(TaskError, match=r"broken\.json: not JSON"):
        load_task(path)


def test_the_hash_is_the_same_in_every_process() -> None:
    expected = "715cacd0960e50e9f633d47f4dbd94e61ca9012a1f907f9232386a5ea642e7fd"
    code = "import json,sys;from vbench_env.task import task_from_published as t;print(t(json.load(sys.stdin)).hash)"
    for seed in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", code], input=json.dumps(PUBLISHED), capture_output=True, text=True,
            check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])},
        )  # fmt: skip
        assert run.stdout.strip() == task_from_published(PUBLISHED).hash
    assert task_from_published(PUBLISHED).hash == expected


@pytest.mark.parametrize(
    "field",
    [
        "task_id",
        "instruction",
        "corrupted_svg",
        "target_svg",
        "protected",
        "canary",
        "repairs",
        "paraphrases",
    ],
)
def test_the_hash_covers_every_part(field: str) -> None:
    task = load_task(TEA)
    other: dict[str, Any] = {"protected": ("wall",), "repairs": task.repairs[:1], "paraphrases": {}}
    assert replace(task, **{field: other.get(field, "changed")}).hash != task.hash
    assert replace(task).hash == task.hash


def test_line_ends_do_not_change_the_hash(tea: Path) -> None:
    before = load_task(tea).hash
    for name in ("task.yaml", "target.svg", "corrupted.svg"):
        path = tea / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_task(tea).hash == before


def test_a_corpus_hash_follows_its_tasks(tea: Path) -> None:
    before = load_corpus(tea.parent).hash
    text = (tea / "task.yaml").read_text(encoding="utf-8")
    (tea / "task.yaml").write_text(text.replace("A tea table", "The tea table"), encoding="utf-8")
    assert load_corpus(tea.parent).hash != before


def test_the_printed_task_shows_nothing_hidden() -> None:
    task = load_task(TEA)
    assert repr(task) == "Task('tea-table', corpus='corpus')"
    assert not hasattr(task.public, "target_svg")


def test_a_missing_corrupted_drawing_says_how_to_build_it(tea: Path) -> None:
    (tea / "corrupted.svg").unlink()
    with pytest.raises(TaskError, match="run `vbench-env tasks build"):
        load_task(tea)


def test_a_drawing_that_is_no_xml_is_named(tea: Path) -> None:
    (tea / "target.svg").write_text("<svg>", encoding="utf-8")
    with pytest.raises(TaskError, match=r"target\.svg: .*must be well-formed XML"):
        load_task(tea)
    (tea / "target.svg").write_bytes(b"<svg>\xff</svg>")
    with pytest.raises(TaskError, match=r"target\.svg: byte 5 is not UTF-8"):
        load_task(tea)


def _edited(old: str, new: str) -> dict[str, Any]:
    text = (TEA / "task.yaml").read_text(encoding="utf-8")
    assert old in text
    return dict(parse_yaml(text.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title:", "titel:", r"titel: unknown key; did you mean 'title'\?"),
        ("licence: MIT\n", "", "licence: is missing; add it"),
        ("difficulty: hard", "difficulty: brutal", r"difficulty: input should be 'easy'"),
        ("operation: recolor", "operation: recolour", r"repairs\[0\]\.operation: input should be 'recolor'"),
        (
            "operation: recolor",
            "operation: text",
            r"repairs\[0\]\.property: operation text has the property 'text'",
        ),
        (
            "property: fill",
            "property: order",
            r"repairs\[0\]\.property: 'order' is no property of operation recolor",
        ),
        ("kind: equals", "kind: equal", r"repairs\[0\]\.evidence: .*'equals', 'aligned'"),
        ("of: right-cup", "off: right-cup", r"repairs\[0\]\.evidence\.of: is missing; add it"),
        ("{before: null}", "top", r"repairs\[2\]\.corrupted: give `\{before: id\}`"),
        ("    parent: svg\n", "", r"repairs\[7\]\.element: delete needs `element`"),
        ("corrupted: Tax time", "corrupted: 1.50", r"repairs\[4\]\.corrupted: must be the text in quotes"),
        (
            "object: left-cup",
            "object: middle-cup\n    before: sun",
            r"repairs\[1\]: only delete takes element",
        ),
        ("id: tea-table", "id: Tea Table", r"id: must be lower-case words joined by hyphens"),
        ("object: left-cup", "object: middle-cup", None),
    ],
)
def test_a_mistake_in_a_task_file_names_field_and_advice(old: str, new: str, message: str | None) -> None:
    data = _edited(old, new)
    if message is None:
        parse_task_file(data, "task.yaml")
        return
    with pytest.raises(TaskError, match=f"(?m)^task.yaml: {message}"):
        parse_task_file(data, "task.yaml")


def test_one_property_of_one_object_is_repaired_once() -> None:
    data = _edited("object: left-cup", "object: middle-cup")
    data["repairs"][1]["property"] = "fill"
    with pytest.raises(TaskError, match=r"repairs\[1\]: middle-cup already has a repair of fill"):
        parse_task_file(data, "task.yaml")


def test_every_mistake_is_listed_at_once() -> None:
    data = _edited("licence: MIT\n", "")
    data["colour"] = 1
    with pytest.raises(TaskError) as caught:
        parse_task_file(data, "task.yaml")
    assert str(caught.value).count("\n") == 1


def test_the_id_is_the_name_of_the_folder(tea: Path) -> None:
    renamed = tea.rename(tea.parent / "coffee-table")
    with pytest.raises(TaskError, match="id: is 'tea-table', but the folder is called 'coffee-table'"):
        load_task(renamed)


def test_yaml_scalars_mean_what_they_look_like() -> None:
    text = "a: no\nb: 10:10\nc: 2020-01-01\nd: 1.5\ne: 007\nf: true\ng:\nh: 1e3\ni: -4"
    assert parse_yaml(text) == {
        "a": "no", "b": "10:10", "c": "2020-01-01", "d": 1.5, "e": "007", "f": True, "g": None, "h": 1000.0, "i": -4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2", "line 2: key 'a' stands twice"),
        ("a: &x [1]\nb: *x", "line 2: write the value out"),
        ("a: [1", "line 1: "),
        ("? [1]\n: 2", "line 1: a key must be a word"),
        ("a: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
    ],
)
def test_yaml_that_could_be_misread_is_refused(text: str, message: str) -> None:
    with pytest.raises(YamlProblem, match=message):
        parse_yaml(text)


def test_yaml_must_be_utf8_and_of_reasonable_size(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: \xff")
    with pytest.raises(YamlProblem, match="byte 3 is not UTF-8"):
        read_yaml(path)
    path.write_bytes(b"#" * 3_000_000)
    with pytest.raises(YamlProblem, match="more than 2000000"):
        read_yaml(path)


DRAWING = """<svg xmlns="http://www.w3.org/2000/svg">
<defs><linearGradient id="glow"><stop id="ember" offset="0"/></linearGradient><circle id="seed" r="1"/></defs>
<g id="sky"><rect id="sun" fill="url(#glow)"/><rect/><text id="word"><tspan id="part">a</tspan></text></g>
<use id="plant" href="#seed"/><g id="row"><path id="one"/><path/><path/></g><circle/>
</svg>"""


def _repair(**values: Any) -> Repair:
    return Repair(**{"operation": "recolor", "property": "fill", **values})


@pytest.mark.parametrize(
    ("repair", "protected"),
    [
        (
            _repair(object="sun"),
            ("svg/g[1]/rect[2]", "word", "plant", "one", "svg/g[2]/path[2]", "svg/g[2]/path[3]", "svg/circle[1]"),
        ),
        (_repair(object="ember"), ("svg/g[1]/rect[2]", "word", "plant", "one", "svg/g[2]/path[2]",
                                   "svg/g[2]/path[3]", "svg/circle[1]")),
        (_repair(object="seed"), ("sun", "svg/g[1]/rect[2]", "word", "one", "svg/g[2]/path[2]",
                                  "svg/g[2]/path[3]", "svg/circle[1]")),
        (_repair(object="sky"), ("plant", "one", "svg/g[2]/path[2]", "svg/g[2]/path[3]", "svg/circle[1]")),
        (_repair(object="part"), ("sun", "svg/g[1]/rect[2]", "plant", "one", "svg/g[2]/path[2]",
                                  "svg/g[2]/path[3]", "svg/circle[1]")),
        (
            _repair(object="svg/g[2]/path[2]", operation="insert", property="exists"),
            ("sun", "svg/g[1]/rect[2]", "word", "plant", "one", "svg/circle[1]"),
        ),
        (
            _repair(object="new", operation="delete", property="exists", element="<path/>", parent="row"),
            ("sun", "svg/g[1]/rect[2]", "word", "plant", "one", "svg/circle[1]"),
        ),
    ],
)  # fmt: skip
def test_others_are_what_no_repair_concerns(repair: Repair, protected: tuple[str, ...]) -> None:
    assert protected_objects(DRAWING, (repair,)) == protected


@pytest.mark.parametrize(
    ("name", "found"),
    [("sun", "sun"), ("svg/g[2]/path[1]", "one"), ("svg/g/rect", "sun"), ("svg/g[2]/path[9]", None), ("svg/g[0]", None),
     ("svg", "svg"), ("g/rect", None), ("nothing", None), ("svg//g", None)],
)  # fmt: skip
def test_objects_are_found_by_id_and_by_structural_path(name: str, found: str | None) -> None:
    node = find_object(parse(DRAWING), name)
    assert (node.label if node is not None else None) == found


def test_a_task_says_only_the_public_part_to_agents() -> None:
    task: Task = load_task(TEA)
    assert task.public.corrupted_svg == task.corrupted_svg
    assert task.canary not in task.public.corrupted_svg
