"""The desk: a fixed order for each reviewer, no key in sight, and only answers that make sense are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.report.runs import TARGET
from tests.review.reviews import ANSWERS, HOSTILE, MODELS, answer, review_folder
from vbench_env.errors import ConfigError
from vbench_env.review import ReviewFolder
from vbench_env.review.desk import SIDES_PX, NotShown, ReviewDesk, order_of
from vbench_env.review.labels import read_lines


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> ReviewFolder:
    return review_folder(tmp_path_factory.mktemp("review"))


@pytest.fixture
def desk(review: ReviewFolder):
    review.label_path("anna").unlink(missing_ok=True)
    with review.labels("anna") as labels:
        yield ReviewDesk(review, labels, "anna")


def item_of(review: ReviewFolder, kind: str) -> str:
    return next(i.item for i in review.plan.items if review.shown(i.item).output == ANSWERS[kind])


def test_the_order_depends_on_seed_and_reviewer_alone() -> None:
    items = [f"{n:016x}" for n in range(30)]
    assert order_of(items, 1, "anna") == order_of(items[::-1], 1, "anna")
    assert sorted(order_of(items, 1, "anna")) == items
    orders = {tuple(order_of(items, seed, name)) for seed in (1, 2) for name in ("anna", "bo")}
    assert len(orders) == 4


def test_nothing_that_the_page_gets_tells_model_run_or_verdict(
    desk: ReviewDesk, review: ReviewFolder
) -> None:
    told = json.dumps(desk.session())
    for item in desk.order:
        told += json.dumps(desk.item(item)) + json.dumps(desk.reveal(item))
    for item in review.plan.items:
        for word in (*MODELS, item.judged["surgical"].status, "single-shot", "surgical", "weight", "meadows"):
            assert word not in told, word
        assert all(origin.episode_id not in told and origin.source not in told for origin in item.origins)


def test_an_item_shows_request_repairs_and_pictures(desk: ReviewDesk, review: ReviewFolder) -> None:
    shown = desk.item(item_of(review, "half"))
    assert shown["instruction"].startswith("Put the sun back to the right")
    assert shown["repairs"] == ["Move: sun", "Recolour: house"]
    assert shown["size"] == [SIDES_PX[0], round(SIDES_PX[0] * 80 / 120)]
    assert shown["pictures"]["output"] == {"drawn": True, "reason": None, "notes": []}
    assert shown["answer"] is None


def test_pictures_of_an_item_have_one_size(desk: ReviewDesk, review: ReviewFolder) -> None:
    item = item_of(review, "half")
    desk.reveal(item)
    heads = {desk.picture(item, view)[:24] for view in ("start", "output", "target")}
    assert len(heads) == 1
    assert desk.picture(item, "output", SIDES_PX[1])[:24] not in heads


def test_what_cannot_be_drawn_has_a_reason(desk: ReviewDesk, review: ReviewFolder) -> None:
    item = item_of(review, "malformed")
    assert "not well-formed" in desk.item(item)["pictures"]["output"]["reason"]
    with pytest.raises(NotShown, match="not well-formed"):
        desk.picture(item, "output")


def test_the_target_is_shown_only_after_it_is_written_down(desk: ReviewDesk, review: ReviewFolder) -> None:
    item = item_of(review, "half")
    with pytest.raises(NotShown, match="the target is not revealed"):
        desk.picture(item, "target")
    assert desk.reveal(item)["drawn"]
    (line,) = read_lines(review.label_path("anna"))
    assert (line.kind, line.item) == ("reveal", item)
    assert desk.picture(item, "target").startswith(b"\x89PNG")
    desk.reveal(item)
    desk.judge(answer(item, looked=["difference"]))
    lines = list(read_lines(review.label_path("anna")))
    assert [line.kind for line in lines] == ["reveal", "judgement"]
    assert lines[-1].looked == ("difference", "target")


def test_having_seen_the_target_cannot_be_claimed_or_denied(desk: ReviewDesk, review: ReviewFolder) -> None:
    item = item_of(review, "half")
    desk.judge(answer(item, looked=["target"]))
    (line,) = read_lines(review.label_path("anna"))
    assert line.looked == ()


def test_a_review_without_targets_shows_none(tmp_path: Path) -> None:
    review = review_folder(tmp_path, target=False)
    with review.labels("anna") as labels:
        desk = ReviewDesk(review, labels, "anna")
        assert desk.session()["target"] is False
        with pytest.raises(NotShown, match="this review does not show targets"):
            desk.reveal(desk.order[0])


def test_the_source_comes_as_text(desk: ReviewDesk, review: ReviewFolder) -> None:
    found = desk.difference(item_of(review, "hostile"))
    text = "".join(line["head"] + line["mark"] + line["tail"] for line in found["lines"])
    assert '<script>document.title="taken"' in text
    assert review.shown(item_of(review, "hostile")).output == HOSTILE


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"valid": "perhaps"}, "valid: Input should be 'yes', 'no' or 'unsure'"),
        ({"score": 5}, "score: Input should be less than or equal to 4"),
        ({"score": -1}, "score: Input should be greater than or equal to 0"),
        ({"missed": [1]}, "repairs are marked as missing although every repair is said to be made"),
        ({"repaired": "no", "missed": [3]}, "missed: there are fewer repairs than that"),
        ({"repaired": "no", "missed": [0]}, "missed.0: Input should be greater than or equal to 1"),
        ({"comment": "x" * 4001}, "comment: String should have at most 4000 characters"),
        ({"duration_s": -1}, "duration_s"),
        ({"reviewer": "bo"}, "reviewer: Extra inputs are not permitted"),
        ({"item": "0" * 16}, "no such item"),
    ],
)
def test_an_answer_that_makes_no_sense_is_not_kept(fields, message, desk: ReviewDesk, review: ReviewFolder):
    with pytest.raises(NotShown, match=message):
        desk.judge(answer(**{"item": desk.order[0], **fields}))
    assert not review.label_path("anna").exists()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff"])
def test_an_answer_that_is_none_is_refused(text: bytes, desk: ReviewDesk) -> None:
    with pytest.raises(NotShown):
        desk.judge(text)


def test_a_huge_output_is_judged_like_any_other(tmp_path: Path) -> None:
    from tests.report.runs import corpus_folder, first_task, record_of, write_run
    from vbench_env.review import PlanSettings, make_review
    from vbench_env.review.sources import Sources

    corpus = corpus_folder(tmp_path)
    huge = TARGET.replace("</svg>", "<!--" + "</script>x" * 500_000 + "--></svg>")
    run = write_run(tmp_path, corpus, [record_of(first_task(corpus), "m", huge, messages=[])])
    review = make_review(Sources([run]), tmp_path / "review", PlanSettings())
    with review.labels("anna") as labels:
        desk = ReviewDesk(review, labels, "anna")
        assert len(json.dumps(desk.item(desk.order[0]))) < 5000
        assert "5.0 MB" in desk.difference(desk.order[0])["note"]


def test_a_folder_that_lost_its_items_says_so(tmp_path: Path) -> None:
    review = review_folder(tmp_path)
    (review.path / "items.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"items\.jsonl lacks the item [0-9a-f]{16} of the plan; make it anew"
    ):
        ReviewFolder(review.path).shown(review.plan.items[0].item)
    with pytest.raises(ConfigError, match=r"is no review: it has no plan\.json"):
        _ = ReviewFolder(tmp_path).plan
