"""The viewer: the same pages while a run goes on, for nobody but the one who has the token."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.chromium import BROWSER, NO_BROWSER
from tests.chromium import page as browser_tab
from tests.report.runs import HALF, TARGET, corpus_folder, first_task, owed_record, record_of, write_run
from tests.report.test_html import HOSTILE
from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord
from vbench_env.experiments.store import RunFolder, RunWriter
from vbench_env.report import viewer as viewing
from vbench_env.report.viewer import Viewer
from vbench_env.task import Task


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return first_task(corpus_folder(tmp_path))


@pytest.fixture
def run(task: Task, tmp_path: Path) -> Path:
    records = [
        record_of(task, "m", HALF),
        record_of(task, "m", HOSTILE, sample=1),
        owed_record(task, "m", sample=2),
    ]
    return write_run(tmp_path, tmp_path / "meadows", records)


@pytest.fixture
def viewer(run: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    monkeypatch.setattr(viewing, "LEAST_WAIT_S", 0.0)
    monkeypatch.setattr(viewing, "REST", 0)
    served = Viewer([run])
    yield served
    served.close()


def add(run: Path, record: EpisodeRecord) -> None:
    """What a run that goes on does."""
    folder = RunFolder(run)
    with RunWriter(run, folder.manifest, resume=True) as writer:
        writer.append(record)


def ask(viewer: Viewer, path: str, host: str | None = None) -> tuple[int, str, dict[str, str]]:
    place = urlsplit(viewer.url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode("utf-8", "replace"), dict(answer.getheaders())
    connection.close()
    return found


def get(viewer: Viewer, name: str) -> str:
    status, text, _ = ask(viewer, urlsplit(viewer.url).path + name)
    assert status == 200, name
    return text


def test_pages_are_served_under_the_token_only(viewer: Viewer) -> None:
    assert ask(viewer, "/")[0] == 404
    assert ask(viewer, "/index.html")[0] == 404
    assert ask(viewer, f"/{'x' * 22}/index.html")[0] == 404
    assert "m repaired" not in get(viewer, "assets/site.css")
    assert "<h1>meadows</h1>" in get(viewer, "")


def test_another_host_name_is_refused(viewer: Viewer) -> None:
    path = urlsplit(viewer.url).path
    assert ask(viewer, path, host="evil.example")[0] == 403


@pytest.mark.parametrize(
    "name",
    ["pictures/../manifest.json", "pictures/%2e%2e/x.png", "episodes/none.html", "lists/m-9.html", "other"],
)
def test_nothing_else_is_there(viewer: Viewer, name: str) -> None:
    assert ask(viewer, urlsplit(viewer.url).path + name)[0] == 404


def test_answers_carry_a_strict_policy(viewer: Viewer) -> None:
    headers = ask(viewer, urlsplit(viewer.url).path)[2]
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; img-src 'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"


def test_new_episodes_appear_and_an_owed_one_is_replaced(viewer: Viewer, run: Path, task: Task) -> None:
    before = json.loads(get(viewer, "state"))["version"]
    assert "0 of 2</span>" in get(viewer, "").replace("; 0–66 %", "")
    assert json.loads(get(viewer, "state"))["version"] == before
    add(run, record_of(task, "m", TARGET, sample=3))
    assert json.loads(get(viewer, "state"))["version"] == before + 1
    assert "<b>1 of 3</b>" in get(viewer, "")
    add(run, record_of(task, "m", TARGET, sample=2))
    assert "<b>2 of 4</b>" in get(viewer, "")
    assert "no verdict because infrastructure failed" not in get(viewer, "")


def test_a_torn_last_line_is_read_once_it_is_whole(viewer: Viewer, run: Path, task: Task) -> None:
    line = record_of(task, "m", TARGET, sample=3).line().encode() + b"\n"
    path = run / "episodes.jsonl"
    with path.open("ab") as file:
        file.write(line[:200])
    assert "<b>1 of 3</b>" not in get(viewer, "")
    with path.open("ab") as file:
        file.write(line[200:])
    assert "<b>1 of 3</b>" in get(viewer, "")


def test_a_run_without_episodes_is_waited_for(task: Task, tmp_path: Path) -> None:
    served = Viewer([write_run(tmp_path, tmp_path / "meadows", [])])
    try:
        assert "No episode has ended yet." in get(served, "")
    finally:
        served.close()


def test_every_page_that_is_linked_is_served(viewer: Viewer) -> None:
    import re

    index = get(viewer, "")
    task_page = re.search(r'href="(tasks/[^"#]+)', index)
    list_page = re.search(r'href="(lists/[^"#]+)', index)
    assert task_page and list_page
    episode = re.search(r'href="\.\./(episodes/[^"#]+)', get(viewer, task_page[1]))
    assert episode and "Turn by turn" in get(viewer, episode[1])
    picture = re.search(r'src="\.\./(pictures/[^"]+)', get(viewer, task_page[1]))
    assert picture and get(viewer, picture[1])
    assert "Outcome" in get(viewer, list_page[1])


def test_a_port_in_use_is_refused_with_advice(viewer: Viewer, run: Path) -> None:
    with pytest.raises(ConfigError, match="choose another with --port"):
        Viewer([run], port=int(viewer.host.rpartition(":")[2]))


def test_a_run_is_left_alone_after_a_page_that_took_long(
    viewer: Viewer, run: Path, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewing, "REST", 1e9)
    before = get(viewer, "")
    add(run, record_of(task, "m", TARGET, sample=3))
    assert get(viewer, "").count("0 of 2") == before.count("0 of 2") > 0


@pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
def test_a_huge_hostile_candidate_is_shown_as_text_and_pixels(
    viewer: Viewer, run: Path, task: Task, tmp_path: Path
) -> None:
    huge = HOSTILE.replace("</svg>", "<!--" + "</pre><script>x" * 350_000 + "--></svg>")
    assert len(huge) > 5_000_000
    record = record_of(task, "m", huge, sample=3)
    add(run, record)
    with browser_tab(tmp_path / "profile") as tab:
        for width, dark in ((1280, False), (400, True)):
            tab.shape(width, 900, dark=dark)
            tab.open(f"{viewer.url}episodes/{record.episode_id}.html")
            assert tab.value("document.title") != "taken"
            assert tab.value("document.documentElement.scrollWidth - innerWidth") <= 0
            assert tab.value("document.documentElement.outerHTML.length") < 200_000
        asked = tab.value("performance.getEntriesByType('resource').map(entry => new URL(entry.name).host)")
        assert set(asked) <= {viewer.host}
        assert tab.complaints == [] and tab.dialogs == []


@pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
def test_an_open_page_follows_the_run(viewer: Viewer, run: Path, task: Task, tmp_path: Path) -> None:
    with browser_tab(tmp_path / "profile") as tab:
        tab.shape(1280, 900)
        tab.open(viewer.url)
        assert "0 of 2" in tab.value("document.querySelector('.lead').textContent.replace(/\\s+/g, ' ')")
        add(run, record_of(task, "m", TARGET, sample=3))
        tab.until("document.querySelector('.lead').textContent.includes('1 of 3')")
        hostile = next(name for name, row in viewer._book.rows.items() if row.status == "INVALID")
        tab.open(f"{viewer.url}episodes/{hostile}.html")
        assert tab.value("document.title") != "taken"
        assert tab.complaints == [] and tab.dialogs == []
