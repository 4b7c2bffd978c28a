"""Labels on disk: appended, never lost, the latest counts, a torn line is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.review.reviews import answer, review_folder
from vbench_env.errors import ConfigError
from vbench_env.review import ReviewFolder
from vbench_env.review.desk import ReviewDesk
from vbench_env.review.folder import labels_of
from vbench_env.review.labels import Given, read_lines


@pytest.fixture
def review(tmp_path: Path) -> ReviewFolder:
    return review_folder(tmp_path)


def judge(review: ReviewFolder, *answers: bytes, reviewer: str = "anna") -> Path:
    with review.labels(reviewer) as labels:
        desk = ReviewDesk(review, labels, reviewer)
        for text in answers:
            desk.judge(text)
        return labels.path


def test_a_judgement_says_who_when_where_and_with_what(review: ReviewFolder) -> None:
    first = review.plan.items[0].item
    path = judge(
        review, answer(first, repaired="no", missed=[2, 1], score=3, comment="Größe?", duration_s=4.5)
    )
    (line,) = read_lines(path)
    assert (line.reviewer, line.plan_id, line.kind) == ("anna", review.plan.plan_id, "judgement")
    assert (line.item, line.repaired, line.missed, line.score) == (first, "no", (1, 2), 3)
    assert (line.comment, line.duration_s) == ("Größe?", 4.5)
    assert {"vbench-env", "python", "renderer"} <= set(line.versions)
    assert line.at.endswith("+00:00")


def test_every_line_is_on_disk_before_the_page_hears_of_it(review: ReviewFolder, monkeypatch) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.fstat(fd).st_size), real(fd))[1])
    path = judge(review, answer(review.plan.items[0].item))
    assert synced[-1] == path.stat().st_size


def test_judging_again_appends_and_the_latest_counts(review: ReviewFolder) -> None:
    first = review.plan.items[0].item
    path = judge(review, answer(first), answer(first, valid="no"))
    judge(review, answer(first, valid="unsure"))
    assert len(list(read_lines(path))) == 3
    assert review.all_labels()["anna"].latest[first].valid == "unsure"


def test_a_session_goes_on_where_the_last_one_ended(review: ReviewFolder) -> None:
    with review.labels("anna") as labels:
        desk = ReviewDesk(review, labels, "anna")
        before = desk.session()["items"]
        desk.judge(answer(before[0]["item"], comment="seen"))
    with review.labels("anna") as labels:
        desk = ReviewDesk(review, labels, "anna")
        after = desk.session()["items"]
        assert [item["item"] for item in after] == [item["item"] for item in before]
        assert [item["judged"] for item in after] == [True, *[False] * (len(after) - 1)]
        assert desk.item(after[0]["item"])["answer"]["comment"] == "seen"
        assert desk.left == len(after) - 1


def test_a_torn_line_is_as_if_not_written_and_the_next_one_is_whole(review: ReviewFolder) -> None:
    first, second = (item.item for item in review.plan.items[:2])
    path = judge(review, answer(first), answer(second))
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    assert set(review.all_labels()["anna"].latest) == {first}
    judge(review, answer(second, valid="no"))
    assert [line.item for line in read_lines(path)] == [first, second]
    assert path.read_bytes().startswith(whole[: whole.index(b"\n") + 1])


def test_a_broken_line_in_the_middle_is_named(review: ReviewFolder) -> None:
    first, second = (item.item for item in review.plan.items[:2])
    path = judge(review, answer(first), answer(second))
    path.write_bytes(path.read_bytes().replace(b'"valid":"yes"', b'"valid":"maybe"', 1))
    with pytest.raises(
        ConfigError, match=r"anna\.jsonl:1 is no label \(judgement\.valid: .*mend or remove the line"
    ):
        review.all_labels()


def test_two_processes_cannot_write_as_the_same_reviewer(review: ReviewFolder) -> None:
    with (
        review.labels("anna"),
        review.labels("bo"),
        pytest.raises(ConfigError, match="anna is judging in another process; close it, or take another"),
        review.labels("anna"),
    ):
        pass
    with review.labels("anna"):
        pass


@pytest.mark.parametrize("name", ["", "../anna", "a/b", ".hidden", "a" * 41, "a\n"])
def test_a_name_that_cannot_be_a_files_is_refused(name: str, review: ReviewFolder) -> None:
    with pytest.raises(ConfigError, match="cannot be a file's name; use letters, digits"):
        review.label_path(name)


def test_labels_of_another_review_are_refused(review: ReviewFolder, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = review_folder(tmp_path / "other", seed=1)
    path = judge(review, answer(review.plan.items[0].item))
    with pytest.raises(ConfigError, match="belongs to another review"):
        labels_of([path], other.plan)
    with pytest.raises(ConfigError, match=r"no such file; give label files \(\*\.jsonl\)"):
        labels_of([tmp_path / "nobody.jsonl"], review.plan)


def test_somebody_who_only_looked_is_no_reviewer(review: ReviewFolder) -> None:
    with review.labels("anna") as labels:
        ReviewDesk(review, labels, "anna").reveal(review.plan.items[0].item)
    assert review.all_labels() == {}


@pytest.mark.parametrize(
    ("answers", "everything"),
    [
        (("yes", "yes", "yes"), "yes"), (("yes", "unsure", "yes"), "unsure"),
        (("unsure", "no", "yes"), "no"), (("yes", "yes", "no"), "no"),
    ],
)  # fmt: skip
def test_all_gates_together_are_as_good_as_the_worst(answers, everything):
    repaired, preserved, valid = answers
    assert Given(item="a", repaired=repaired, preserved=preserved, valid=valid).gate("all") == everything
