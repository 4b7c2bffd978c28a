"""Choosing what to judge: strata, quotas, seeds, and what an item stands for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.published_folders import plain_folder
from tests.report.runs import CORRUPTED, TARGET, corpus_folder, first_task, record_of, write_run
from tests.review.reviews import ANSWERS, MODELS, moved, review_folder, run_folder
from vbench_env.errors import ConfigError, TaskError
from vbench_env.review import PlanSettings, ReviewFolder, make_review
from vbench_env.review.plan import Stratum, weights
from vbench_env.review.sampling import choose, equal_parts
from vbench_env.review.sources import Sources
from vbench_env.review.verdicts import nearness_of
from vbench_env.scoring import score


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_folder(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> ReviewFolder:
    return review_folder(tmp_path_factory.mktemp("review"))


def test_every_kind_of_answer_has_its_stratum(review: ReviewFolder) -> None:
    found = {review.shown(item.item).output: item.stratum for item in review.plan.items}
    assert found[ANSWERS["pass"]] == Stratum("PASS", "clear", False)
    assert found[ANSWERS["just within"]] == Stratum("PASS", "inside", False)
    assert found[ANSWERS["just beyond"]] == Stratum("NEAR", "beyond", False)
    assert found[ANSWERS["half"]] == Stratum("PARTIAL", "clear", False)
    assert found[ANSWERS["untouched"]] == Stratum("FAIL", "clear", False)
    assert found[ANSWERS["side effect"]] == Stratum("SIDE_EFFECTS", "clear", False)
    assert found[ANSWERS["malformed"]].verdict == "INVALID"


def test_rule_sets_that_disagree_on_preservation_make_a_stratum(tmp_path: Path) -> None:
    corpus = corpus_folder(tmp_path)
    task = first_task(corpus)
    spelled = TARGET.replace("#cfe8ff", "rgb(81.1765% 90.9804% 100%)")
    cards = [score(task, spelled, rules) for rules in ("surgical", "published")]
    assert [card.preserved for card in cards] == [True, False]
    run = write_run(tmp_path, corpus, [record_of(task, "m", spelled), record_of(task, "m", TARGET, sample=1)])
    plan = make_review(Sources([run]), tmp_path / "review", PlanSettings()).plan
    assert sorted(item.flips for item in plan.items) == [False, True]


@pytest.mark.parametrize(
    ("cx", "nearness"), [(90.5, "clear"), (91.6, "inside"), (93, "inside"), (93.5, "beyond"), (97, "clear")]
)
def test_nearness_is_that_of_the_repair_closest_to_its_threshold(cx, nearness, tmp_path):
    task = first_task(corpus_folder(tmp_path))
    assert nearness_of(score(task, moved(cx), "surgical")) == nearness


def test_equal_texts_are_one_item_that_stands_for_all_of_them(review: ReviewFolder) -> None:
    (item,) = [item for item in review.plan.items if review.shown(item.item).output == TARGET]
    assert item.copies == 3
    assert [origin.sample for origin in item.origins] == [0, 20, 21]
    assert {origin.model for origin in item.origins} == set(MODELS)


def test_what_cannot_be_judged_is_left_out_and_counted(review: ReviewFolder) -> None:
    assert set(review.plan.notes) == {
        "1 outcomes without a text left out", "1 episodes without a verdict left out",
        "1 episodes of control agents left out",
    }  # fmt: skip


def test_a_run_of_controls_alone_is_judged(tmp_path: Path) -> None:
    corpus = corpus_folder(tmp_path)
    run = write_run(tmp_path, corpus, [record_of(first_task(corpus), "noop", CORRUPTED, control=True)])
    assert len(make_review(Sources([run]), tmp_path / "review", PlanSettings()).plan.items) == 1


def test_the_same_seed_gives_the_same_sample_and_another_seed_another(run: Path, tmp_path: Path) -> None:
    def sample(name: str, seed: int) -> list[str]:
        review = make_review(Sources([run]), tmp_path / name, PlanSettings(n=4, seed=seed))
        return sorted(item.item for item in review.plan.items)

    assert sample("a", 1) == sample("b", 1)
    assert len({tuple(sample(f"seed{seed}", seed)) for seed in range(6)}) > 1


STRATA = {f"{n:03}": Stratum("PASS" if n % 10 == 0 else "FAIL", "clear", n % 50 == 1) for n in range(200)}


def test_rare_strata_are_taken_beyond_their_share() -> None:
    taken = Counter(STRATA[item] for item in choose(STRATA, PlanSettings(n=24)))
    assert taken == {
        Stratum("PASS", "clear", False): 12, Stratum("FAIL", "clear", True): 4, Stratum("FAIL", "clear", False): 8,
    }  # fmt: skip


def test_quotas_come_first_and_the_rest_is_shared() -> None:
    taken = choose(STRATA, PlanSettings(n=24, quotas={"PASS": 3}))
    assert Counter(STRATA[item].verdict for item in taken) == {"PASS": 3, "FAIL": 21}
    everything = choose(STRATA, PlanSettings(n=40, quotas={"PASS": 30}))
    assert Counter(STRATA[item].verdict for item in everything) == {"PASS": 20, "FAIL": 20}


def test_the_choice_does_not_depend_on_the_order_of_reading() -> None:
    backwards = dict(reversed(STRATA.items()))
    assert choose(STRATA, PlanSettings(n=30, seed=5)) == choose(backwards, PlanSettings(n=30, seed=5))


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 30), max_size=8), st.integers(0, 120))
def test_equal_parts_hand_out_all_there_is_and_none_over_its_size(sizes, total):
    parts = equal_parts(sizes, total, 0)
    assert sum(parts.values()) == min(total, sum(sizes.values()))
    assert all(0 <= parts[key] <= sizes[key] for key in sizes)
    short = [parts[key] for key in sizes if parts[key] < sizes[key]]
    assert not short or max(parts.values()) - min(short) <= 1


def test_weights_add_up_to_the_outcomes_of_each_stratum(review: ReviewFolder) -> None:
    for row in review.plan.strata:
        weight = sum(item.weight for item in review.plan.items if item.stratum == row.stratum)
        assert weight == pytest.approx(row.outcomes if row.taken else 0)
    assert sum(row.outcomes for row in review.plan.strata) == 10


def test_an_item_with_more_copies_stands_for_more() -> None:
    one = Stratum("PASS", "clear", False)
    assert weights({"a": one, "b": one}, {"a": 3, "b": 1}, {one: 20}) == {"a": 15, "b": 5}


def test_published_outcomes_are_scored_and_sampled(tmp_path: Path) -> None:
    plan = make_review(Sources([plain_folder(tmp_path)]), tmp_path / "review", PlanSettings()).plan
    assert Counter(item.verdict for item in plan.items) == {
        "PASS": 1, "SIDE_EFFECTS": 1, "NEAR": 1, "FAIL": 1, "INVALID": 1,
    }  # fmt: skip
    assert plan.notes == ("1 outcomes without a text left out",)
    assert plan.rule_sets == ("surgical", "published")


def test_several_sources_make_one_review(run: Path, tmp_path: Path) -> None:
    sources = Sources([run, plain_folder(tmp_path)])
    plan = make_review(sources, tmp_path / "review", PlanSettings()).plan
    assert {origin.source for item in plan.items for origin in item.origins} == set(sources.paths)


def test_the_key_says_why_a_gate_fails(review: ReviewFolder) -> None:
    reasons = {review.shown(item.item).output: item.judged["surgical"].reasons for item in review.plan.items}
    assert reasons[TARGET] == {}
    assert reasons[ANSWERS["just beyond"]]["repaired"].startswith(
        "sun cx: went past the target (1.67 of the tol"
    )
    assert reasons[CORRUPTED]["repaired"] == "sun cx: left as it was (20 of the tolerance) and 1 more"
    assert reasons[ANSWERS["side effect"]]["preserved"] == "moon: object added new circle and 1 more"
    assert reasons[ANSWERS["malformed"]]["valid"] == "line 1, column 197: unclosed token"


def test_a_review_is_never_overwritten(review: ReviewFolder, run: Path) -> None:
    with pytest.raises(ConfigError, match="holds a review already; choose another folder with --out"):
        make_review(Sources([run]), review.path, PlanSettings())


def test_a_run_whose_tasks_changed_is_refused_with_advice(tmp_path: Path) -> None:
    run = run_folder(tmp_path)
    text = (tmp_path / "meadows" / "meadow.json").read_text(encoding="utf-8")
    (tmp_path / "meadows" / "meadow.json").write_text(
        text.replace("Put the sun", "Bring the sun"), encoding="utf-8"
    )
    with pytest.raises(
        ConfigError, match=r"nothing to judge \(.*tasks that have changed left out.*are still the same"
    ):
        make_review(Sources([run]), tmp_path / "review", PlanSettings())


def test_a_folder_that_is_no_source_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="holds no published outcomes; give a clone"):
        Sources([tmp_path])
    with pytest.raises(ConfigError, match="no run is given; name a run folder"):
        Sources([])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quotas": {"GOOD": 3}}, "no quota for 'GOOD': choose from PASS, SIDE_EFFECTS"),
        (
            {"n": 5, "quotas": {"PASS": 3, "FAIL": 3}},
            "quotas of 6 in all do not fit into 5 outputs; raise --n",
        ),
        ({"n": 0}, "must not be negative"),
        ({"rules": "lenient"}, "unknown rule set 'lenient'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises((ConfigError, KeyError), match=message):
        PlanSettings(**settings)
