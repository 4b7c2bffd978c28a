"""The page: complete, self-contained, and unmoved by whatever a candidate holds."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.chromium import page as browser_tab
from tests.report.runs import (
    CORRUPTED,
    HALF,
    SIDE_EFFECT,
    TARGET,
    TASK,
    corpus_folder,
    first_task,
    owed_record,
    record_of,
    write_run,
)
from vbench_env.errors import ConfigError
from vbench_env.report import html, pages, write_report

HOSTILE = TARGET.replace(
    "</svg>",
    '<script>document.title="taken"; console.error("ran")</script><style>*{display:none!important}</style>'
    '<rect id="tasks" onload="alert(1)" onclick="alert(2)" width="9" height="9"/>'
    '<image href="https://example.org/spy.png" width="9" height="9"/><a href="javascript:alert(3)"><text>a</text></a>'
    "<text>&lt;/script&gt;<![CDATA[</script></style></details></pre><h1 id=h-tasks>taken</h1>"
    "<img src=x onerror=alert(4)>]]></text></svg>",
)
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)


class Page(HTMLParser):
    """Elements and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self._inside: list[str] = []
        self.raw: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._inside.append(tag)

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] in ("script", "style"):
            self.raw[self._inside[-1]] = self.raw.get(self._inside[-1], "") + data
        else:
            self.words.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside.append(f"/{tag}")

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.elements if name == tag]

    def with_class(self, name: str) -> list[dict[str, str]]:
        return [attrs for _, attrs in self.elements if name in attrs.get("class", "").split()]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus_folder(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def run(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models and a control: a pass, a side effect, a half, prose, hostility, a failure of infrastructure."""
    task = first_task(corpus)
    prose = "I <b>cannot</b> edit pictures & will not."
    records = [
        record_of(
            task, "able", TARGET, cost_usd=0.0123, usage={"prompt_tokens": 900, "completion_tokens": 80}
        ),
        record_of(task, "able", SIDE_EFFECT, sample=1),
        record_of(task, "able", HALF, sample=2, cut_off=["length"]),
        record_of(
            task, "odd<img src=x>", prose, messages=[{"role": "assistant", "content": f"Well. {prose}"}]
        ),
        record_of(task, "odd<img src=x>", HOSTILE, sample=1),
        owed_record(task, "odd<img src=x>", sample=2),
        record_of(task, "noop", CORRUPTED, control=True),
    ]
    return write_run(tmp_path_factory.mktemp("runs"), corpus, records)


@pytest.fixture(scope="module")
def source(run: Path) -> str:
    return write_report(run).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(source: str) -> Page:
    return Page(source)


def assert_unharmed(page: Page) -> None:
    """Nothing but our own markup, and no address outside of the page."""
    assert len(page.all("script")) == 1
    assert len(page.all("style")) == 1
    assert {tag for tag, _ in page.elements}.isdisjoint(
        {"image", "foreignobject", "use", "iframe", "object", "link"}
    )
    for tag, attrs in page.elements:
        assert not [name for name in attrs if name.startswith("on") or name == "style"], (tag, attrs)
        for name in ("src", "href", "xlink:href", "srcset", "action"):
            if name in attrs:
                assert attrs[name].startswith(("data:image/png;base64,", "#")), (tag, attrs[name][:80])
    identifiers = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(identifiers) == len(set(identifiers))


def test_the_page_says_how_the_models_did(page: Page) -> None:
    assert "able repaired 1 of 3 drawings without a flaw, 33 % (95 % interval 6–79 %)" in page.text
    assert "1 episode has no verdict because infrastructure failed. It counts in no rate below" in page.text
    assert "Controls, no models: they show what the scale is worth" in page.text


def test_candidates_leave_nothing_but_text_and_pixels(page: Page) -> None:
    assert_unharmed(page)
    assert "<script>document.title=" in page.text
    assert 'onclick="alert(2)"' in page.text
    assert "I <b>cannot</b> edit pictures & will not." in page.text
    assert "odd<img src=x>" in page.text


def test_only_the_script_and_style_of_the_page_may_run(source: str, page: Page) -> None:
    (policy,) = [meta["content"] for meta in page.all("meta") if "Content-Security-Policy" in meta.values()]
    assert policy.startswith("default-src 'none'; img-src data:;")
    for name in ("script", "style"):
        inline = re.search(rf"<{name}>(.*?)</{name}>", source, re.DOTALL)
        assert inline
        digest = base64.b64encode(hashlib.sha256(inline[1].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert page.raw["script"] == pages.source("stage.js") + pages.source("report.js")


def test_pictures_are_png_and_each_has_words(page: Page) -> None:
    pictures = page.all("img")
    assert len(pictures) == 2 + 5  # corrupted and target once, and every answer that can be drawn
    assert all(picture["alt"] for picture in pictures)
    for picture in pictures:
        kind, _, data = picture.get("src", "data:image/png;base64,iVBORw0KGgo=").partition(",")
        assert kind == "data:image/png;base64"
        assert base64.b64decode(data).startswith(b"\x89PNG\r\n\x1a\n")
    assert {"The corrupted drawing of A house & a sun <b>", "The target of A house & a sun <b>"} <= {
        picture["alt"] for picture in pictures
    }


def test_a_picture_that_the_task_has_already_is_embedded_once(page: Page) -> None:
    sources = [picture["src"] for picture in page.all("img") if "src" in picture]
    assert len(sources) == len(set(sources))
    assert [picture["data-like"] for picture in page.all("img") if "src" not in picture] == [
        "target",
        "corrupted",
    ]
    assert "Produced, pixel for pixel the target" in page.text
    assert "Produced, pixel for pixel the corrupted drawing" in page.text


def test_what_cannot_be_drawn_says_why_in_the_place_of_the_picture(page: Page) -> None:
    assert "No picture preview unavailable (malformed): the document is not well-formed" in page.text


def test_the_gates_of_every_scored_episode_are_shown(page: Page) -> None:
    assert len(page.with_class("gates")) == 6
    assert "1 of 2 within tolerance" in page.text
    assert "2 unrequested changes" in page.text
    assert "security: element 'script' executes script" in page.text


def test_repairs_come_with_bars_and_failures_in_words(page: Page) -> None:
    assert "Recolour: house" in page.text
    assert "left as it was" in page.text
    assert "off by 0 units, allowed 3 units" in page.text
    # Repairs of six readable answers, two each; the one that cannot be read has none.
    assert len(page.with_class("tol")) == 2 * 5
    assert "The drawing could not be read, so no repair was measured." in page.text


def test_unrequested_changes_name_object_subtype_and_values(page: Page) -> None:
    assert "Paint changed fill" in page.text
    assert re.search(r"sky was #cfe8ff now #000000", page.text)
    assert "Object added new circle" in page.text


def test_the_instruction_and_the_source_changes_are_there_as_text(page: Page) -> None:
    assert "Put the sun back to the right and paint the house brown; keep <everything> else." in page.text
    assert "Source unchanged" in page.text
    assert page.with_class("d-added")


def test_effort_and_ends_are_told(page: Page) -> None:
    assert "Ended answered" in page.text
    assert "Cut off the provider says so" in page.text
    assert "900 in, 80 out" in page.text
    assert "auth: no such key <script>" in page.text


def test_rings_stand_round_repairs_and_changes(page: Page) -> None:
    kinds = {name for kind in ("wanted", "passed", "missed", "change") for name in [f"k-{kind}"]}
    rings = [attrs["class"].split() for attrs in page.with_class("ring") if "tag" not in attrs["class"]]
    assert kinds == {name for ring in rings for name in ring if name.startswith("k-")}


def test_other_rules_change_the_verdicts_and_the_headline_says_so(run: Path, tmp_path: Path) -> None:
    path = write_report(run, tmp_path / "published.html", rules="published")
    assert path == tmp_path / "published.html"
    assert "Rules published" in Page(path.read_text(encoding="utf-8")).text


def test_unknown_rules_are_refused_before_anything_is_written(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no verdicts under the rules 'lenient'"):
        write_report(run, tmp_path / "no.html", rules="lenient")
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_episodes_is_refused_with_advice(corpus: Path, tmp_path: Path) -> None:
    empty = write_run(tmp_path, corpus, [])
    with pytest.raises(ConfigError, match="holds no finished episode yet; go on with the run first"):
        write_report(empty)
    with pytest.raises(ConfigError, match="is no run folder"):
        write_report(tmp_path / "nowhere")


@pytest.mark.parametrize("megabytes", [2, 6])
def test_a_huge_candidate_is_cut_and_its_size_told(megabytes: int, tmp_path: Path) -> None:
    corpus = corpus_folder(tmp_path)
    task = first_task(corpus)
    huge = TARGET.replace("</svg>", "<!--" + "</pre><script>x" * (megabytes * 1_000_000 // 15) + "--></svg>")
    run = write_run(tmp_path, corpus, [record_of(task, "m", huge, messages=[])])
    path = write_report(run)
    page = Page(path.read_text(encoding="utf-8"))
    assert_unharmed(page)
    assert f"This source has {megabytes}.0 MB; it is too large to compare here." in page.text
    assert path.stat().st_size < 200_000


def test_without_its_tasks_a_run_is_still_reported(tmp_path: Path) -> None:
    corpus = corpus_folder(tmp_path)
    run = write_run(tmp_path, corpus, [record_of(first_task(corpus), "m", HALF)])
    shutil.rmtree(corpus)
    page = Page(write_report(run).read_text(encoding="utf-8"))
    assert "The tasks could not be loaded" in page.text
    assert len(page.all("img")) == 1
    assert_unharmed(page)


def test_the_target_of_a_task_that_changed_since_is_not_shown(tmp_path: Path) -> None:
    corpus = corpus_folder(tmp_path)
    run = write_run(tmp_path, corpus, [record_of(first_task(corpus), "m", HALF)])
    corpus_folder(tmp_path, [{**TASK, "instruction": "Something else."}])
    page = Page(write_report(run).read_text(encoding="utf-8"))
    assert "1 task changed since this run (meadow)" in page.text
    assert "Something else." not in page.text
    assert len(page.all("img")) == 1


def test_beyond_a_size_episodes_come_without_pictures_and_then_not_at_all(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MOST_PICTURES", 2)
    monkeypatch.setattr(html, "MOST_EPISODES", 5)
    page = Page(write_report(run, tmp_path / "small.html").read_text(encoding="utf-8"))
    assert len(page.all("img")) == 2 + 1  # of the first samples one can be drawn
    assert "No picture: left out of this page for its size." in page.text
    assert "2 further episodes of this task are counted above and not shown one by one." in page.text
    assert "able repaired 1 of 3 drawings" in page.text


def test_progress_is_told_after_each_episode(run: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write_report(run, tmp_path / "told.html", progress=lambda done, total: told.append((done, total)))
    assert told == [(place, 7) for place in range(1, 8)]


def browse(path: Path, folder: Path) -> tuple[str, str]:
    """The document that a browser makes of a page, and what it printed to the console."""
    assert BROWSER
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={folder}", "--virtual-time-budget=3000", "--enable-logging=stderr", "--dump-dom",
        path.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")
def test_a_browser_finds_nothing_to_complain_about(run: Path, source: str, tmp_path: Path) -> None:
    document, console = browse(run / "report.html", tmp_path / "profile")
    assert console == ""
    assert "<title>meadows · vbench-env report</title>" in document
    assert '<html lang="en" class="js">' in document
    assert document.count("<script") == 1
    assert len(re.findall(r'<img [^>]*src="data:image/png', document)) >= 7
    assert len(re.findall(r'role="tab"[^>]* aria-selected="true"', document)) == 1
    assert len(re.findall(r'<section class="panel"[^>]* hidden', document)) == 6


@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")
def test_the_page_fits_every_width_and_is_used_with_keys(run: Path, source: str, tmp_path: Path) -> None:
    with browser_tab(tmp_path / "profile") as tab:
        for width, dark in ((1280, False), (1280, True), (400, False), (400, True)):
            tab.shape(width, 900, dark=dark)
            tab.open((run / "report.html").as_uri())
            tab.value("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
            assert tab.value("document.documentElement.scrollWidth - innerWidth") <= 0, (width, dark)
        tab.shape(1280, 900)
        tab.value("document.querySelector('[role=tab][aria-selected=true]').focus()")
        shown = "document.querySelector('.panel:not([hidden])').id"
        first = tab.value(shown)
        tab.press("ArrowRight")
        assert tab.value(shown) != first
        assert tab.value("document.activeElement.getAttribute('aria-controls')") == tab.value(shown)
        tab.press("ArrowLeft")
        assert tab.value(shown) == first
        assert tab.complaints == [] and tab.dialogs == []


@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")
def test_even_unescaped_a_candidate_could_not_run(source: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text(source.replace("<main>", f"<main>{HOSTILE}", 1), encoding="utf-8")
    document, console = browse(broken, tmp_path / "profile")
    assert "<title>meadows · vbench-env report</title>" in document
    assert "Content Security Policy" in console
    assert "ran" not in re.findall(r'CONSOLE[^"]*"([^"]*)"', console)
