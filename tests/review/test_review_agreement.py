"""Agreement on reviews whose labels follow rules: every count can be told beforehand."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.review.reviews import ANSWERS, MODELS, judge_all, review_folder
from vbench_env.errors import ConfigError
from vbench_env.review import Agreement, ReviewFolder, agreement_of
from vbench_env.review.plan import PlanItem
from vbench_env.review.study import load_studies, review_of
from vbench_env.review.tables import agreement_tables, plan_table


def as_scorer(item: PlanItem) -> Mapping[str, Any]:
    """Says what the surgical rules say, and which repairs are missed."""
    judged = item.judged["surgical"]
    said = {gate: "yes" if judged.gate(gate) else "no" for gate in ("repaired", "preserved", "valid")}
    missed = [n for n, repair in enumerate(judged.repairs, 1) if not repair.passed]
    return {
        **said,
        "missed": [] if judged.repaired else missed,
        "score": 4 if judged.reward else 1,
        "duration_s": 10,
    }


def lenient(item: PlanItem) -> Mapping[str, Any]:
    """Accepts what is just beyond a tolerance too, and comments on it."""
    if item.nearness != "beyond":
        return as_scorer(item)
    return {
        **as_scorer(item),
        "repaired": "yes",
        "missed": [],
        "comment": "good [enough] <b>",
        "duration_s": 20,
    }


def doubtful(item: PlanItem) -> Mapping[str, Any]:
    """Is unsure of what is preserved in the drawing that passes."""
    said = as_scorer(item)
    return {**said, "preserved": "unsure"} if item.verdict == "PASS" else said


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> ReviewFolder:
    folder = review_folder(tmp_path_factory.mktemp("review"))
    for name, say in {"anna": as_scorer, "bo": lenient, "cem": lenient, "dora": doubtful}.items():
        judge_all(folder, name, say)
    return folder


def found(review: ReviewFolder, *reviewers: str, rules: str | None = None) -> Agreement:
    return agreement_of(load_studies([review.path]), rules, reviewers)


def test_a_reviewer_who_says_what_the_scorer_says_agrees_with_it(review: ReviewFolder) -> None:
    row = next(c for c in found(review, "anna").confusions if (c.rules, c.gate) == ("surgical", "repaired"))
    assert (row.both_yes, row.only_people, row.only_scorer, row.both_no, row.undecided) == (3, 0, 0, 5, 0)
    assert row.share.value == 1
    assert row.kappa.value == 1
    assert found(review, "anna").look_at == ()


def test_the_majority_against_the_scorer_is_counted_and_weighted(review: ReviewFolder) -> None:
    row = next(c for c in found(review, "anna", "bo", "cem").confusions if c.gate == "repaired")
    assert (row.rules, row.only_people, row.only_scorer, row.undecided) == ("surgical", 1, 0, 0)
    assert row.share.value == pytest.approx(7 / 8)
    assert row.estimate is not None
    assert row.estimate.value == pytest.approx(9 / 10)  # the target stands for three outcomes


def test_kappa_of_the_majority_is_that_of_its_table(review: ReviewFolder) -> None:
    kappa = found(review, "bo").kappa("repaired")
    chance = (4 * 3 + 4 * 5) / 64
    assert kappa.value == pytest.approx((7 / 8 - chance) / (1 - chance))
    assert kappa.n == 8


def test_a_tie_is_no_answer(review: ReviewFolder) -> None:
    row = next(c for c in found(review, "anna", "bo").confusions if c.gate == "repaired")
    assert (row.only_people, row.undecided) == (0, 1)


def test_unsure_is_counted_and_enters_no_kappa(review: ReviewFolder) -> None:
    result = found(review, "anna", "dora")
    assert result.reviewers[1].unsure == {"repaired": 0, "preserved": 2, "valid": 0}
    pair = next(pair for pair in result.pairs if pair.subject == "preserved")
    assert (pair.kappa.n, pair.share.total) == (6, 6)
    against = next(a for a in result.against if (a.reviewer, a.gate) == ("dora", "preserved"))
    assert against.kappa.n == 6


def test_every_pair_and_all_together_have_a_kappa(review: ReviewFolder) -> None:
    result = found(review)
    assert len(result.pairs) == 6 * 5
    same = next(p for p in result.pairs if (p.first, p.second, p.subject) == ("bo", "cem", "repaired"))
    assert (same.kappa.value, same.share.value) == (1.0, 1.0)
    fleiss = {row.gate: row.kappa for row in result.among}
    assert fleiss["repaired"].n == 8
    assert fleiss["preserved"].n == 6
    value = fleiss["repaired"].value
    assert value is not None and 0.8 < value < 0.9


def test_one_reviewer_has_nobody_to_agree_with(review: ReviewFolder) -> None:
    result = found(review, "anna")
    assert (result.pairs, result.among) == ((), ())


def test_scores_are_compared_too(review: ReviewFolder) -> None:
    pair = next(p for p in found(review, "anna", "bo").pairs if p.subject == "score")
    assert (pair.kappa.n, pair.kappa.value) == (8, 1.0)


def test_outcomes_to_look_at_come_with_everything_that_explains_them(review: ReviewFolder) -> None:
    result = found(review, "anna", "bo", "cem")
    look = result.look_at[0]
    assert (look.task_id, look.gates, look.split, look.people) == ("meadow", ("repaired",), ("repaired",), 2)
    assert look.reasons == {"repaired": "sun cx: went past the target (1.67 of the tolerance)"}
    assert look.comments == {"bo": "good [enough] <b>", "cem": "good [enough] <b>"}
    assert look.answers["anna"] == "repaired no, preserved yes, valid yes"
    assert look.verdicts["surgical"] == "NEAR"
    assert [origin.model for origin in look.origins] == [MODELS[list(ANSWERS).index("just beyond") % 2]]


def test_other_rules_can_be_the_headline(review: ReviewFolder) -> None:
    result = found(review, "anna", rules="published")
    assert result.rules == "published"
    assert [row.rules for row in result.confusions][::4] == ["published", "surgical"]
    with pytest.raises(
        ConfigError, match="no verdicts under the rules 'lenient'; choose one of: published, surgical"
    ):
        found(review, rules="lenient")


def test_labels_suggest_tolerances_by_family(review: ReviewFolder) -> None:
    rows = {row.family: row for row in found(review, "bo").suggestions}
    assert (rows["horizontal"].accepted, rows["horizontal"].rejected) == (5, 1)
    assert rows["horizontal"].note == "too few labels"


def test_what_is_not_judged_yet_is_not_spoken_of(tmp_path: Path) -> None:
    folder = review_folder(tmp_path)
    with folder.labels("anna") as labels:
        from tests.review.reviews import answer
        from vbench_env.review.desk import ReviewDesk

        desk = ReviewDesk(folder, labels, "anna")
        item = next(i for i in folder.plan.items if i.verdict == "NEAR")
        desk.judge(answer(item.item))
    result = found(folder)
    assert (result.outcomes, result.population, result.covered) == (1, 10, 0.1)
    (estimate,) = [c.estimate for c in result.confusions if (c.rules, c.gate) == ("surgical", "valid")]
    assert estimate is not None and estimate.value == 1


def test_all_of_it_is_json(review: ReviewFolder) -> None:
    data = json.loads(json.dumps(found(review).to_json(), allow_nan=False))
    assert {row["gate"] for row in data["confusions"]} == {"repaired", "preserved", "valid", "all"}
    assert data["look_at"][0]["origins"][0]["model"] in MODELS


def test_the_tables_fit_a_terminal_and_take_no_markup(review: ReviewFolder) -> None:
    from rich.console import Console

    console = Console(width=100, record=True, file=io.StringIO())
    console.print(agreement_tables(found(review)))
    console.print(plan_table(review.plan))
    text = console.export_text()
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 100
    assert "good [enough] <b>" in text
    assert "Where fewer than 30 outcomes have labels, intervals are rough." in text
    assert "Estimates speak of the strata with judged outcomes: 100 % of 10 outcomes." in text


def test_labels_are_found_by_run_by_folder_and_by_file(review: ReviewFolder, tmp_path: Path) -> None:
    files = [review.label_path("anna"), review.label_path("bo")]
    (study,) = load_studies([], files)
    assert set(study.labels) == {"anna", "bo"}
    assert review_of(review.path).plan.plan_id == study.plan.plan_id


def test_what_is_missing_is_said(review: ReviewFolder, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no review; make one with: vbench-env review"):
        review_of(tmp_path)
    with pytest.raises(ConfigError, match="name a run or a review folder, or label files with --reviews"):
        load_studies([])
    with pytest.raises(ConfigError, match="no labels of 'eve'; there are some of: anna, bo, cem, dora"):
        found(review, "eve")
    with pytest.raises(
        ConfigError, match="nothing is judged yet; judge outcomes with: vbench-env review RUN"
    ):
        load_studies([review_folder(tmp_path).path])
