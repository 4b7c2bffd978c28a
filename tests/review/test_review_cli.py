"""The commands: where a review goes, what is refused, what is printed, and how they end."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.published_folders import plain_folder
from tests.review.reviews import answer, judge_all, review_folder, run_folder
from vbench_env.cli import main
from vbench_env.review import ReviewFolder
from vbench_env.review.plan import PlanItem
from vbench_env.review.study import review_of

# A shell may have started the tests in the background, with Ctrl-C ignored, and that is inherited.
LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
SERVE = [sys.executable, "-c", LISTENING + "from vbench_env.cli import main; main()"]


class Done(NamedTuple):
    """What a command printed."""

    stdout: str
    stderr: str


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs a command in this process and checks its exit code."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: object, code: int = 0) -> Done:
        monkeypatch.setattr(sys, "argv", ["vbench-env", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        done = Done(*capsys.readouterr())
        assert ended.value.code == code, done
        return done

    return run


def strict(item: PlanItem) -> Mapping[str, Any]:
    return {"repaired": "no", "preserved": "no", "valid": "yes" if item.verdict != "INVALID" else "no"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_folder(tmp_path_factory.mktemp("runs"))


def test_a_plan_goes_into_the_run_and_is_printed(command: Callable[..., Done], run: Path) -> None:
    done = command("review", run, "--n", 5, "--seed", 3, "--quota", "pass=2", "--plan-only")
    plan = ReviewFolder(run / "reviews").plan
    assert (plan.n, plan.seed, plan.quotas, len(plan.items)) == (5, 3, {"PASS": 2}, 5)
    assert "5 outputs for 10 outcomes, surgical rules, seed 3" in done.stdout
    assert "SIDE_EFFECTS" in done.stdout
    again = command("review", run, "--plan-only")
    assert review_of(run).plan == plan
    assert again.stdout == done.stdout


def test_other_settings_for_a_review_that_is_there_are_refused(
    command: Callable[..., Done], run: Path
) -> None:
    done = command("review", run, "--seed", 4, "--plan-only", code=2)
    assert "has seed 3, not 4; leave the option out, or begin another review with --out FOLDER" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--quota", "PASS"], "--quota takes VERDICT=N, such as PASS=20, not 'PASS'"),
        (["--quota", "GOOD=1"], "no quota for 'GOOD': choose from PASS"),
        (["--rules", "lenient"], "unknown rule set 'lenient'"),
    ],
)
def test_wrong_settings_are_refused(command, arguments, message, run, tmp_path):
    done = command("review", run, "--out", tmp_path / "review", "--plan-only", *arguments, code=2)
    assert message in done.stderr
    assert not (tmp_path / "review").exists()


def test_a_folder_that_is_not_there_is_refused_as_such(command: Callable[..., Done], tmp_path: Path) -> None:
    for more in ([], ["--out", tmp_path / "review"]):
        done = command("review", tmp_path / "rnu", *more, code=2)
        assert "no such folder; give run folders" in done.stderr.replace("\n", " ")
    assert not (tmp_path / "review").exists()


def test_published_outcomes_need_a_folder_for_the_review(
    command: Callable[..., Done], tmp_path: Path
) -> None:
    data = plain_folder(tmp_path / "data")
    done = command("review", data, "--plan-only", code=2)
    assert "say where the review goes with --out FOLDER" in done.stderr
    command("review", data, "--out", tmp_path / "review", "--plan-only")
    assert len(review_of(tmp_path / "review").plan.items) == 5


def test_the_page_is_served_until_interrupted_and_the_rest_is_owed(tmp_path: Path) -> None:
    review = review_folder(tmp_path)
    serving = subprocess.Popen(
        [*SERVE, "review", str(review.path), "--reviewer", "anna", "--no-browser"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert serving.stdout is not None
    found = re.fullmatch(r"judge at http://127\.0\.0\.1:(\d+)(/[\w-]+/)\n", serving.stdout.readline())
    assert found
    assert serving.stdout.readline() == "0 of 8 judged as anna. Ctrl-C ends; answers are kept.\n"
    connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"{found[2]}judge", answer(review.plan.items[0].item), headers)
    assert json.loads(connection.getresponse().read()) == {"judged": 1, "left": 7}
    serving.send_signal(signal.SIGINT)
    rest, errors = serving.communicate(timeout=30)
    assert serving.returncode == 3, errors
    assert "1 of 8 judged" in rest
    assert "7 outputs are left; go on with the same command" in errors


def test_agreement_prints_tables_and_json(command: Callable[..., Done], tmp_path: Path) -> None:
    review = review_folder(tmp_path)
    judge_all(review, "anna", strict)
    done = command("agreement", review.path, "--look", 2)
    assert "People (majority) against the scorer, surgical rules" in done.stdout
    assert "to look at, the first 2" in done.stdout
    data = json.loads(command("agreement", "--reviews", review.label_path("anna"), "--json").stdout)
    assert data["outcomes"] == 8
    assert [row["reviewer"] for row in data["reviewers"]] == ["anna"]


def test_a_kappa_that_is_required_decides_the_exit_code(command: Callable[..., Done], tmp_path: Path) -> None:
    review = review_folder(tmp_path)
    judge_all(review, "anna", strict)
    done = command("agreement", review.path, "--require-kappa", 0.6, code=1)
    assert "kappa below 0.6: repaired, preserved" in done.stderr
    assert "valid" not in done.stderr


def test_without_labels_agreement_says_what_to_do(
    command: Callable[..., Done], run: Path, tmp_path: Path
) -> None:
    assert "nothing is judged yet; judge outcomes with" in command("agreement", run, code=2).stderr
    assert "holds no review; make one with" in command("agreement", tmp_path, code=2).stderr
    assert "name a run or a review folder" in command("agreement", code=2).stderr
