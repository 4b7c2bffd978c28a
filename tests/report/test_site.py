"""The site: every page there and linked, tables and figures on disk, candidates nothing but text and pixels."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.chromium import BROWSER, NO_BROWSER
from tests.chromium import Page as Tab
from tests.chromium import page as browser_tab
from tests.report.runs import (
    CORRUPTED,
    HALF,
    SIDE_EFFECT,
    TARGET,
    corpus_folder,
    first_task,
    owed_record,
    record_of,
    write_run,
)
from tests.report.test_html import HOSTILE, Page
from vbench_env.episode import Episode
from vbench_env.errors import ConfigError
from vbench_env.experiments.record import EpisodeRecord, UnitKey
from vbench_env.render import get_renderer
from vbench_env.report import book, write_site
from vbench_env.report.figures import figure_svg
from vbench_env.task import Task

SIZES = [(1280, False), (1280, True), (400, False), (400, True)]
EVIL = 'Thinking <script>document.title="taken"</script> <img src=x onerror=alert(1)>'


def played(task: Task, model: str = "turns") -> EpisodeRecord:
    """An episode of several turns, played for real: a look, a mistake, a hostile edit, repairs, the end."""
    episode = Episode(task, "interactive-text")
    messages: list[dict[str, Any]] = list(episode.info()["messages"])

    def say(content: str | None, *calls: tuple[str, str]) -> None:
        made = [
            {"id": f"c{n}", "function": {"name": name, "arguments": text}}
            for n, (name, text) in enumerate(calls)
        ]
        messages.extend(
            episode.step({"role": "assistant", "content": content, "tool_calls": made}).info["messages"]
        )

    say(EVIL, ("list_objects", "{}"))
    say("I have no idea what to call.")
    say(None, ("set_attribute", '{"object": "nowhere", "name": "cx", "value": "90"}'))
    say("Sun.", ("set_attribute", '{"object": "sun", "name": "cx", "value": "90"}'))
    say(None, ("set_attribute", '{"object": "house", "name": "fill", "value": "#884422"}'), ("undo", "{}"))
    say(None, ("set_attribute", '{"object": "house", "name": "fill", "value": "#884422"}'))
    say(None, ("submit", "{}"))
    key = UnitKey(task.hash, "interactive-text", model, 0, 7)
    return record_of(
        task, model, episode.final_svg, episode_id=key.episode_id, protocol="interactive-text", messages=messages,
        events=episode.events, stop_reason=episode.stop_reason,
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = corpus_folder(tmp_path_factory.mktemp("corpus"))
    task = first_task(corpus)
    huge = TARGET.replace("</svg>", "<!--" + "</pre><script>x" * 350_000 + "--></svg>")
    records = [
        record_of(task, "able", TARGET), record_of(task, "able", SIDE_EFFECT, sample=1),
        record_of(task, "able", HALF, sample=2, cut_off=["length"]),
        record_of(task, "odd<img src=x>", HOSTILE), record_of(task, "odd<img src=x>", huge, sample=1, messages=[]),
        owed_record(task, "odd<img src=x>", sample=2), record_of(task, "noop", CORRUPTED, control=True), played(task),
    ]  # fmt: skip
    return write_run(tmp_path_factory.mktemp("runs"), corpus, records)


@pytest.fixture(scope="module")
def site(run: Path) -> Path:
    return write_site([run]).parent


@pytest.fixture(scope="module")
def turns(site: Path) -> Path:
    """The page of the episode of several turns."""
    return next(path for path in pages(site) if "Thinking" in path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    if BROWSER is None:
        pytest.skip(NO_BROWSER)
    with browser_tab(tmp_path_factory.mktemp("profile")) as found:
        yield found


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def text_of(path: Path) -> str:
    return Page(path.read_text(encoding="utf-8")).text


def test_there_is_a_page_for_the_whole_each_task_each_group_and_each_episode(site: Path) -> None:
    folders = [path.relative_to(site).parent.as_posix() for path in pages(site)]
    assert [folders.count(name) for name in (".", "tasks", "lists", "episodes")] == [1, 1, 4, 8]


def test_every_link_and_every_picture_leads_to_something_in_the_folder(site: Path) -> None:
    for path in pages(site):
        found = Page(path.read_text(encoding="utf-8"))
        for tag, attrs in found.elements:
            for name in ("href", "src"):
                if name not in attrs:
                    continue
                address = urlsplit(attrs[name])
                assert not address.scheme and not address.netloc, (path, attrs[name])
                target = (path.parent / unquote(address.path)).resolve() if address.path else path
                assert target.is_file() and target.is_relative_to(site.resolve()), (
                    path.name,
                    tag,
                    attrs[name],
                )
                if address.fragment:
                    identifiers = {a.get("id") for _, a in Page(target.read_text(encoding="utf-8")).elements}
                    assert address.fragment in identifiers, (path.name, attrs[name])


def test_candidates_leave_nothing_but_text_and_pixels(site: Path) -> None:
    for path in pages(site):
        found = Page(path.read_text(encoding="utf-8"))
        assert [attrs["src"] for attrs in found.all("script")] == [
            f"{'' if path.parent == site else '../'}assets/site.js"
        ]
        assert found.all("style") == []
        assert {tag for tag, _ in found.elements}.isdisjoint(
            {"image", "foreignobject", "use", "iframe", "object"}
        )
        for tag, attrs in found.elements:
            assert not [name for name in attrs if name.startswith("on") or name == "style"], (tag, attrs)
        (policy,) = [
            meta["content"] for meta in found.all("meta") if "Content-Security-Policy" in meta.values()
        ]
        assert policy.startswith("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'")
        identifiers = [attrs["id"] for _, attrs in found.elements if "id" in attrs]
        assert len(identifiers) == len(set(identifiers)), path


def test_a_huge_candidate_makes_no_huge_page(site: Path) -> None:
    assert max(path.stat().st_size for path in pages(site)) < 200_000


def test_pictures_are_png_and_shared_by_content(site: Path) -> None:
    files = list((site / "pictures").iterdir())
    assert all(path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n") for path in files)
    assert len({path.read_bytes() for path in files}) == len(files)


def test_the_turns_of_an_episode_are_told_one_by_one(turns: Path) -> None:
    text = text_of(turns)
    assert EVIL in text
    assert "2 no usable action" in text
    assert "not found: " in text
    assert "4 set_attribute sun cx 90 +1 −1" in text
    assert "5 set_attribute, undo document unchanged" in text
    assert "7 submit document unchanged" in text
    found = Page(turns.read_text(encoding="utf-8"))
    assert [attrs["id"] for attrs in found.with_class("turn") if "id" in attrs] == [
        f"turn-{n}" for n in range(1, 8)
    ]
    assert len(found.with_class("after")) == 2  # the drawing is shown where it changed


def test_tables_are_csv_that_parses_and_markdown(site: Path) -> None:
    rows = list(csv.DictReader(io.StringIO((site / "tables/episodes.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 8
    assert {row["status"] for row in rows} >= {"PASS", "SIDE_EFFECTS", "PARTIAL", "INVALID", "UNSCORED"}
    board = list(csv.DictReader((site / "tables/leaderboard.csv").open(encoding="utf-8", newline="")))
    able = next(row for row in board if row["model"] == "able")
    assert (able["passed"], able["scored"], able["full"], able["cut_off"]) == ("1", "3", "0.333333", "1")
    limited = list(csv.DictReader((site / "tables/length-limited.csv").open(encoding="utf-8", newline="")))
    assert next(row for row in limited if row["model"] == "able")["passed_finished"] == "0.5"
    lines = (site / "tables/leaderboard.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "### Leaderboard"
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:]}) == 1
    assert any("odd&lt;img src=x>" in line for line in lines)


def test_figures_are_there_as_svg_and_png(site: Path) -> None:
    names = {path.stem for path in (site / "figures").glob("*.svg")}
    assert names >= {"leaderboard", "outcomes", "operations", "progress-ucr"}
    assert names == {path.stem for path in (site / "figures").glob("*.png")}
    for path in (site / "figures").glob("*.svg"):
        assert "<script" not in path.read_text(encoding="utf-8")


def test_figures_are_valid_drawings(run: Path, tmp_path: Path) -> None:
    from vbench_env.scoring import judge

    made = book.Book([run], None, tmp_path)
    made.update()
    for plot in made.plots:
        svg = figure_svg(plot)
        assert judge(svg, svg).valid, plot.name


def test_a_second_site_may_overwrite_the_first_but_nothing_else(
    run: Path, site: Path, tmp_path: Path
) -> None:
    write_site([run], site)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="holds other files; choose an empty or new folder"):
        write_site([run], tmp_path)


def test_several_runs_need_a_folder_and_are_told_apart(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="it is about several runs"):
        write_site([run, run])
    text = text_of(write_site([run, run], tmp_path / "two"))
    assert "able (run, 1)" in text and "able (run, 2)" in text
    assert len(list((tmp_path / "two/episodes").iterdir())) == 16


def test_beyond_the_cap_pictures_are_left_out_and_pages_say_so(run: Path, tmp_path: Path) -> None:
    index = write_site([run], tmp_path / "few", most_pictures=2)
    assert "Pictures are drawn of the first 2 different drawings" in text_of(index)
    assert any(
        "Left out: this site draws no more than 2 drawings." in text_of(path) for path in pages(index.parent)
    )


def test_long_lists_have_pages(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "ROWS_A_PAGE", 2)
    root = write_site([run], tmp_path / "paged").parent
    lists = sorted(path.name for path in (root / "lists").iterdir() if path.name.startswith("able"))
    assert lists == ["able--single-shot-1.html", "able--single-shot-2.html"]
    assert "page 2 of 2" in text_of(root / "lists" / lists[1])


@pytest.mark.parametrize(("width", "dark"), SIZES)
def test_a_browser_shows_every_kind_of_page_without_complaint_or_overflow(
    tab: Tab, site: Path, turns: Path, width: int, dark: bool
) -> None:
    tab.complaints.clear()
    tab.shape(width, 900, dark=dark)
    for path in (
        site / "index.html",
        next((site / "tasks").iterdir()),
        next((site / "lists").iterdir()),
        turns,
    ):
        tab.open(path.as_uri())
        assert tab.value("document.documentElement.classList.contains('js')")
        assert tab.value("document.documentElement.scrollWidth - innerWidth") <= 0, path
        assert tab.value("document.title") != "taken"
    assert tab.complaints == [] and tab.dialogs == []


def test_keys_go_from_turn_to_turn_and_from_episode_to_episode(tab: Tab, site: Path, turns: Path) -> None:
    tab.shape(1280, 900)
    tab.open(turns.as_uri())
    current = "document.querySelector('.turn.current')?.id"
    tab.press("j")
    assert tab.value(current) == "turn-1"
    tab.press("j", "j", "k")
    assert tab.value(current) == "turn-2"
    assert tab.value("location.hash") == "#turn-2"
    tab.press("f")
    assert tab.value("[...document.querySelectorAll('.turn')].every(turn => turn.open)")
    able = site / "lists" / "able--single-shot-1.html"
    first = re.search(r'\.\./episodes/([\w-]+\.html)"', able.read_text(encoding="utf-8"))
    assert first
    tab.open((site / "episodes" / first[1]).as_uri())
    tab.press("n")
    tab.until(f"!location.href.endsWith('{first[1]}') && document.readyState === 'complete'")
    tab.press("p")
    tab.until(f"location.href.endsWith('{first[1]}')")


def test_a_deep_link_opens_its_turn(tab: Tab, turns: Path) -> None:
    tab.shape(400, 800)
    tab.open("about:blank")
    tab.open(f"{turns.as_uri()}#turn-5")
    assert tab.value("document.querySelector('.turn.current').id") == "turn-5"
    assert tab.value("document.getElementById('turn-5').open")


def test_rows_can_be_filtered(tab: Tab, site: Path) -> None:
    tab.shape(1280, 900)
    tab.open(next((site / "tasks").iterdir()).as_uri())
    shown = "[...document.querySelectorAll('tbody tr')].filter(row => !row.hidden).length"
    assert tab.value(shown) == 8
    tab.value(
        "(s => { s.value = 'PASS'; s.dispatchEvent(new Event('input')); })(document.querySelector('select'))"
    )
    assert tab.value(shown) == 2
    assert tab.value("document.querySelector('[data-count]').textContent") == "2 of 8"


def test_the_renderer_is_asked_once_for_each_drawing(run: Path, tmp_path: Path) -> None:
    from vbench_env.render import Picture, RenderFailure, RenderRequest

    asked: list[RenderRequest] = []

    class Counting:
        name = "counting"

        def render(self, request: RenderRequest) -> Picture | RenderFailure:
            asked.append(request)
            return get_renderer().render(request)

        def close(self) -> None:
            pass

    made = book.Book([run], None, tmp_path, renderer=Counting())
    made.update()
    for name in [*made.rows, *made.rows]:
        made.episode(name)
    assert len(asked) == len(set(asked))
