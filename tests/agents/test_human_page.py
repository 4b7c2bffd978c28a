"""The page in a real browser: what a person sees and clicks, in two widths and both colour schemes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PIL import Image

from tests.agents.test_human_terminal import TASK
from tests.agents.test_human_web import HOSTILE
from tests.agents.web_desk import Table, playing
from tests.browser import Browser, missing
from vbench_env.task import Task

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
LOADED = "document.querySelector('.frame img') && document.querySelector('.frame img').naturalWidth"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as made:
        yield made


@pytest.fixture(autouse=True)
def quiet(browser: Browser) -> Iterator[None]:
    """The console stays empty."""
    browser.complaints.clear()
    yield
    browser.evaluate("1")
    assert browser.complaints == []


@contextmanager
def shown(browser: Browser, task: Task, width: int = 1280, dark: bool = False) -> Iterator[Table]:
    """An episode with its page open and drawn; the page is left before its server ends."""
    with playing(task) as table:
        browser.open(table.desk.url, width, 900, dark)
        browser.wait(LOADED)
        yield table
        browser.send("Page.navigate", url="about:blank")
        browser.wait("location.href === 'about:blank'")


def shot(browser: Browser) -> Image.Image:
    return Image.open(io.BytesIO(browser.screenshot())).convert("RGB")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_fits_shows_the_drawing_and_follows_the_colour_scheme(browser, width, dark):
    with shown(browser, TASK, width, dark):
        assert browser.evaluate(FITS)
        picture = shot(browser)
        corner = picture.getpixel((2, 2))
        assert (max(corner) < 60) if dark else (min(corner) > 200)
        place = browser.evaluate(
            "(b => [b.x, b.y, b.width])(document.querySelector('.frame').getBoundingClientRect())"
        )
        assert place[2] > (width * 0.55 if width > 1000 else width * 0.85)
        at = (round(place[0] + place[2] * 0.31), round(place[1] + place[2] * 0.6 * 0.3))
        assert picture.getpixel(at) == (255, 183, 3)
        assert browser.evaluate("getComputedStyle(document.querySelector('#submit')).fontWeight") == "600"
        for name in ("Tool", "Last turn", "Objects"):
            assert name in browser.evaluate("document.body.innerText")


def test_a_person_picks_edits_compares_and_hands_in(browser):
    with shown(browser, TASK) as table:
        x, y, width = browser.evaluate(
            "(b => [b.x, b.y, b.width])(document.querySelector('.frame').getBoundingClientRect())"
        )
        browser.click_at(x + 0.31 * width, y + 0.3 * 0.6 * width)
        assert browser.evaluate("document.querySelector('#chosen').textContent") == "circle sun"
        assert browser.evaluate("document.querySelectorAll('.ring').length") == 1
        browser.click('#attributes input[aria-label="cx"]')
        browser.evaluate("document.activeElement.select()")
        browser.write("60")
        browser.send(
            "Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13
        )
        browser.wait("state.log.length === 1")
        assert 'cx "31" -> "60"' in browser.evaluate("document.querySelector('#outcome').innerText")
        assert table.episode.document.count('cx="60"') == 1
        # The form of a tool, filled with the chosen object
        assert browser.evaluate("document.querySelector('#fields [name=object]').value") == "sun"
        browser.click("#fields [name=dx]")
        browser.write("10")
        browser.click("#fields [name=dy]")
        browser.write("0")
        browser.click("#run")
        browser.wait("state.log.length === 2")
        assert 'cx "60" -> "70"' in browser.evaluate("document.querySelector('#outcome').innerText")
        assert "23" not in browser.evaluate("document.querySelector('#left').textContent")
        for what, pictures in (("both", 2), ("changes", 2), ("start", 1), ("now", 1)):
            browser.click(f"[data-show={what}]")
            assert browser.evaluate("document.querySelectorAll('.frame img').length") == pictures
        browser.click("#look")
        browser.wait("document.querySelector('.frame img').src.includes('part=')")
        browser.wait(LOADED)
        browser.click("#fit")
        browser.click("#submit")
        assert not table.episode.done
        browser.click("#submit")
        browser.wait("!document.querySelector('#scorebox').hidden")
        assert (
            browser.evaluate("document.querySelector('#verdict').textContent")
            == "Solved: all three gates pass"
        )
        assert browser.evaluate("document.querySelector('#toolbox').hidden")
        assert table.episode.scorecards["surgical"].passed
        browser.wait(LOADED)


def test_every_tool_has_a_form_and_a_mistake_is_shown(browser):
    with shown(browser, TASK) as table:
        names = browser.evaluate("[...document.querySelector('#tool').options].map(o => o.value)")
        assert set(names) == set(table.episode.protocol.tools) - {"submit", "rewrite", "undo"}
        for name in names:
            browser.evaluate(f"document.querySelector('#tool').value = '{name}'; fields()")
            fields = browser.evaluate("[...document.querySelectorAll('#fields [name]')].map(f => f.name)")
            schema = next(tool["schema"] for tool in browser.evaluate("state.tools") if tool["name"] == name)
            assert fields == list(schema.get("properties", {}))
        browser.evaluate("document.querySelector('#tool').value = 'delete_element'; fields()")
        browser.click("#fields [name=object]")
        browser.write("sum")
        browser.click("#run")
        browser.wait("state.log.length === 1")
        assert browser.evaluate("document.querySelector('#outcome pre').className") == "bad"
        assert "did you mean" in browser.evaluate("document.querySelector('#outcome').innerText")


def test_a_filter_narrows_the_list(browser):
    with shown(browser, TASK):
        browser.click("#filter")
        browser.write("su")
        assert browser.evaluate("document.querySelectorAll('#objects button').length") == 1
        browser.click("#objects button")
        assert browser.evaluate("chosen") == "sun"


def test_a_hostile_document_stays_text_and_pixels(browser):
    with shown(browser, HOSTILE):
        browser.evaluate("state.objects.forEach(object => choose(object.label))")
        browser.evaluate("document.querySelector('details').open = true")
        assert browser.evaluate("typeof hacked") == "undefined"
        assert (
            browser.evaluate("document.querySelectorAll('svg, b, script:not([src]), foreignObject').length")
            == 0
        )
        assert browser.evaluate("[...document.images].every(i => new URL(i.src).origin === location.origin)")
        assert "<img src=x" in browser.evaluate("document.querySelector('#instruction').textContent")
        assert browser.evaluate("document.querySelector('#source').value") == HOSTILE.corrupted_svg
