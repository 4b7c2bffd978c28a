"""Variants of whole tasks: valid, different, the same for the same seed, and not written otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vbench_env.errors import TaskError
from vbench_env.strict_yaml import parse_yaml, read_yaml
from vbench_env.svg.parse import parse
from vbench_env.task import load_task, packaged_tasks
from vbench_env.task_file import read_task_file
from vbench_env.taskkit import validate_corpus, validate_task
from vbench_env.taskkit.variant import make, make_variant
from vbench_env.taskkit.variant.draft import closed, deletions, open_draft
from vbench_env.taskkit.variant.policy import POLICY_NAME, read_policy
from vbench_env.taskkit.variant.yaml_text import yaml_text

TEA = Path(__file__).parents[1] / "corpus" / "tea-table"
PACKAGED = {folder.name: folder for folder in packaged_tasks() if folder.parent.name == "vbench-40"}
SAMPLE = ("harbor-dawn", "wage-scatter", "weather-icons")


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TEA, tmp_path / "corpus" / "tea-table"))


@pytest.mark.parametrize("folder", PACKAGED.values(), ids=PACKAGED)
def test_a_draft_closes_to_the_task_that_it_was_opened_from(folder: Path) -> None:
    draft = open_draft(folder)
    target, data = closed(draft)
    assert target == load_task(folder).target_svg.replace(f"<!-- {draft.data['canary']} -->\n", "")
    for (_, repair), (_, before) in zip(deletions(data), deletions(draft.data), strict=True):
        assert repair["element"].strip() == before["element"].strip()


@pytest.mark.parametrize("name", SAMPLE)
def test_a_variant_of_a_packaged_task_is_valid_and_shares_neither_names_nor_numbers(
    name: str, tmp_path: Path
) -> None:
    made = make_variant(PACKAGED[name], 11, tmp_path)
    assert validate_task(made.folder).ok
    old, new = load_task(PACKAGED[name]), load_task(made.folder)
    assert not set(parse(old.target_svg).ids) & set(parse(new.target_svg).ids)
    assert old.hash != new.hash
    assert [repair.operation for repair in old.repairs] == [repair.operation for repair in new.repairs]
    assert [repair.property for repair in old.repairs] == [repair.property for repair in new.repairs]
    assert {"layout", "palette", "values", "names"} == made.changes.keys() | made.left_out.keys()


def test_the_variant_says_where_it_comes_from(tea: Path, tmp_path: Path) -> None:
    made = make_variant(tea, 3, tmp_path / "out")
    file = read_task_file(made.folder)
    assert file.id == made.folder.name == "tea-table-v3"
    assert file.variant is not None
    assert (file.variant.of, file.variant.seed) == ("corpus/tea-table", 3)
    assert file.variant.changes == made.changes
    assert file.title.endswith("(variant 3)")


CODE = "import sys; from vbench_env.taskkit.variant import make_variant; make_variant(sys.argv[1], 5, sys.argv[2])"


def test_equal_seeds_give_equal_files_in_every_process(tea: Path, tmp_path: Path) -> None:
    texts = []
    for number in ("0", "77"):
        out = tmp_path / number
        environment = {**os.environ, "PYTHONHASHSEED": number}
        subprocess.run([sys.executable, "-c", CODE, str(tea), str(out)], check=True, env=environment)
        texts.append(
            [
                (out / "tea-table-v5" / name).read_bytes()
                for name in ("target.svg", "corrupted.svg", "task.yaml")
            ]
        )
    assert texts[0] == texts[1]


def test_other_seeds_give_other_variants_that_may_stand_in_one_corpus(tea: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        make_variant(tea, seed, tmp_path / "out")
    one, other = (load_task(tmp_path / "out" / f"tea-table-v{seed}") for seed in (1, 2))
    assert one.target_svg != other.target_svg
    assert validate_corpus(tmp_path / "out", pictures=False).ok


def test_a_task_that_is_not_valid_has_no_variant(tea: Path, tmp_path: Path) -> None:
    text = (tea / "task.yaml").read_text(encoding="utf-8")
    (tea / "task.yaml").write_text(text.replace("licence: ", "licence: ' ' #"), encoding="utf-8")
    with pytest.raises(
        TaskError, match=r"only a valid task has variants.*licence is empty.*; repair it first"
    ):
        make_variant(tea, 1, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_policy_of_a_corpus_is_read_beside_its_tasks(tea: Path) -> None:
    assert not read_policy(tea).mirror
    table = tea.parent / POLICY_NAME
    table.write_text("tea-table: {mirror: true, palette: near, keep_words: [put right]}\n", encoding="utf-8")
    assert read_policy(tea).mirror
    assert read_policy(tea).keep_words == ("put right",)
    table.write_text("tea-table: {mirrored: true}\n", encoding="utf-8")
    with pytest.raises(TaskError, match=r"variants.yaml: tea-table.mirrored: Extra inputs are not permitted"):
        read_policy(tea)
    table.write_text("[1]\n", encoding="utf-8")
    with pytest.raises(TaskError, match=r"variants.yaml: must hold task ids"):
        read_policy(tea)


def test_a_task_that_bears_too_few_changes_has_no_variant(
    tea: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "ATTEMPTS", 1)
    monkeypatch.setattr(make, "DRAWS", 0)
    with pytest.raises(
        TaskError, match=r"no variant with seed 1 validates \(only nothing could be changed\); try another"
    ):
        make_variant(tea, 1, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_every_policy_is_about_a_task() -> None:
    for folder in PACKAGED.values():
        read_policy(folder)
    corpus = next(iter(PACKAGED.values())).parent
    assert set(read_yaml(corpus / POLICY_NAME)) <= set(PACKAGED)


@pytest.mark.parametrize(
    "value", ["no", "10:10", "1e3", "#abc", "", "two\nlines", "0x1f", " padded ", "'quoted'", "~"]
)
def test_yaml_text_reads_back_the_same(value: str) -> None:
    data = {"a": value, "b": [1, 0.5, None, {"before": None}]}
    assert parse_yaml(yaml_text(data)) == data
