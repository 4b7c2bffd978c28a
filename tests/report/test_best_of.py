"""Best of N: what criteria choose, what the choice is worth, and the command that tells it."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.runs import CORRUPTED, HALF, SIDE_EFFECT, TARGET, TASK, corpus_folder, record_of, write_run
from vbench_env.cli import main
from vbench_env.errors import UnknownName
from vbench_env.report import write_report
from vbench_env.report.best_of import best_of, choices, expected
from vbench_env.report.choosing import CRITERIA, Answer, answer_of, edit_size
from vbench_env.report.comparing import read_runs
from vbench_env.report.repeated import pass_at_k
from vbench_env.report.site import write_site
from vbench_env.scoring.rules import SURGICAL
from vbench_env.task import load_corpus


def answer(sample: int, svg: str | None, passed: bool = False) -> Answer:
    return answer_of(sample, svg, (passed, float(passed)), CORRUPTED, SURGICAL, Counter())


def chosen(name: str, answers: list[Answer]) -> int:
    keys = CRITERIA.get(name)(answers)
    return min(range(len(answers)), key=lambda place: keys[place])


NOTHING, BROKEN = answer(0, CORRUPTED), answer(1, TARGET[:-3])
SMALL, LARGE = answer(2, HALF), answer(3, SIDE_EFFECT)
AGAIN = answer(4, TARGET.replace(' fill="#cfe8ff"', "").replace("<rect id", '<rect fill="#cfe8ff" id', 1))


def test_the_smallest_difference_of_a_sound_edit_is_chosen() -> None:
    answers = [NOTHING, BROKEN, LARGE, SMALL]
    assert answers[chosen("smallest-diff", answers)] is SMALL
    assert answers[chosen("first", answers)] is NOTHING


def test_most_answers_say_the_same_whatever_the_order_of_attributes() -> None:
    right = answer(5, TARGET)
    answers = [SMALL, right, AGAIN]
    assert right.digest == AGAIN.digest != SMALL.digest
    assert answers[chosen("consensus", answers)] is right
    assert answers[chosen("smallest-diff", answers)] is SMALL


def test_no_answer_at_all_is_never_preferred() -> None:
    nothing = answer(0, None)
    assert nothing.unfit
    for name in ("smallest-diff", "consensus", "smallest-file"):
        assert chosen(name, [nothing, SMALL]) == 1


def test_an_edit_is_as_large_as_what_differs() -> None:
    assert edit_size(CORRUPTED, CORRUPTED) == 0
    assert edit_size('<a x="1"/>', '<a x="22"/>') == 3
    assert edit_size("<a/><b/>", "<a/>") == 4


@pytest.mark.parametrize("name", ["first", "smallest-diff", "consensus", "smallest-file"])
def test_a_choice_does_not_depend_on_the_verdicts(name: str) -> None:
    texts = [HALF, TARGET, SIDE_EFFECT, CORRUPTED]
    plain, told = (
        [answer(place, text, passed) for place, text in enumerate(texts)] for passed in (False, True)
    )
    assert chosen(name, plain) == chosen(name, told)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=6), st.data())
def test_the_value_of_a_choice_is_its_mean_over_all_draws(
    drawn: list[tuple[bool, int]], data: st.DataObject
) -> None:
    answers = [
        Answer(place, passed, float(passed), True, edit + 1, 9, str(place))
        for place, (passed, edit) in enumerate(drawn)
    ]
    k = data.draw(st.integers(1, len(answers)))
    name = data.draw(st.sampled_from(["first", "smallest-diff", "smallest-file", "oracle"]))
    draws = [list(draw) for draw in combinations(answers, k)]
    wanted = sum(draw[chosen(name, draw)].passed for draw in draws) / len(draws)
    assert expected(name, answers, k)[0] == pytest.approx(wanted)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Four samples of one task: nothing, half, right, right in other letters."""
    corpus = corpus_folder(tmp_path, [TASK])
    task = load_corpus(corpus)[0]
    texts = [CORRUPTED, HALF, TARGET, TARGET.replace('"120"', "'120'")]
    records = [record_of(task, "model", text, sample=number) for number, text in enumerate(texts)]
    return write_run(tmp_path, corpus, records)


def test_criteria_of_a_run_are_compared_at_every_number_of_samples(run: Path) -> None:
    (found,) = best_of([run])
    assert {one.k for one in found.chosen} == {1, 2, 4}
    at_four = {name: found.at(name, 4) for name in CRITERIA.names()}
    values = {name: one.passed.value for name, one in at_four.items() if one is not None}
    assert values["first"] == values["smallest-diff"] == 0
    assert values["consensus"] == values["oracle"] == 1
    assert found.at("oracle", 5) is None


def test_the_best_possible_is_pass_at_k(run: Path) -> None:
    (found,) = best_of([run], ks=[3])
    rate = pass_at_k([(2, 4)], 3)
    one = found.at("oracle", 3)
    assert one is not None and rate is not None
    assert one.passed.value == pytest.approx(rate.rate.value)


def test_an_unknown_criterion_suggests_the_nearest(run: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'consensus'"):
        best_of([run], criteria=["concensus"])


def test_the_command_prints_a_table_and_json(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for arguments in (["--by", "consensus"], ["--by", "consensus", "--k", "4", "--json"]):
        monkeypatch.setattr(sys, "argv", ["vbench-env", "best-of", str(run), *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
    printed = capsys.readouterr().out
    table, _, data = printed.partition("\n[")
    assert "best possible" in table
    chosen_at = {(one["criterion"], one["k"]): one for one in json.loads("[" + data)[0]["chosen"]}
    assert chosen_at["consensus", 4]["passed"]["value"] == 1


def test_pages_about_several_samples_show_what_a_choice_is_worth(run: Path) -> None:
    site = write_site([run])
    for page in (write_report(run), site):
        text = " ".join(page.read_text(encoding="utf-8").split())
        section = text[text.index("The best of several samples") :]
        section = section[: section.index("</section>")]
        names = [cell.split("<")[0] for cell in section.split('<th scope="col">')[3:]]
        cells = [cell.split("<")[0] for cell in section[section.index("<td>4</td>") :].split("<td>")[2:]]
        shown = dict(zip(names, cells, strict=True))
        assert shown["consensus"] == shown["best possible"] == "100 %"
        assert shown["first"] == shown["smallest diff"] == "0 %"
    with (site.parent / "tables" / "best-of.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["criterion"], row["k"]): row["passed"] for row in csv.DictReader(file)}
    assert float(rows["consensus", "4"]) == 1 and float(rows["first", "4"]) == 0


def test_one_sample_of_a_task_is_no_choice(tmp_path: Path) -> None:
    corpus = corpus_folder(tmp_path, [TASK])
    alone = write_run(tmp_path, corpus, [record_of(load_corpus(corpus)[0], "model", HALF)])
    assert choices(read_runs([alone]), [alone]) == []
    assert "best of several" not in write_report(alone).read_text(encoding="utf-8")


def test_pages_about_very_many_episodes_leave_choices_to_the_command(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = read_runs([run])
    monkeypatch.setattr("vbench_env.report.best_of.MOST_ON_PAGES", 4)
    assert choices(results, [run])
    monkeypatch.setattr("vbench_env.report.best_of.MOST_ON_PAGES", 3)
    assert choices(results, [run]) == []
