"""The page in a browser: judged with keys alone, without complaint, unmoved by what an output holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.chromium import BROWSER, NO_BROWSER, Page, page
from tests.review.reviews import ANSWERS, review_folder
from vbench_env.review import ReviewFolder
from vbench_env.review.desk import ReviewDesk
from vbench_env.review.labels import Judgement, read_lines
from vbench_env.review.server import ReviewServer

pytestmark = pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
READY = "document.documentElement.dataset.item && document.getElementById('output').complete"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with page(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> ReviewFolder:
    return review_folder(tmp_path_factory.mktemp("review"))


@pytest.fixture
def opened(
    browser: Page, review: ReviewFolder, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Opens the page for a new reviewer, the given kinds of answers alone and in that order."""
    name = request.node.name.replace("[", "-").replace("]", "")[:40].rstrip("-")
    with review.labels(name) as labels:
        desk = ReviewDesk(review, labels, name)
        server = ReviewServer(desk)

        def begin(*kinds: str) -> Page:
            items = {review.shown(i.item).output: i.item for i in review.plan.items}
            desk.order[:] = [items[ANSWERS[kind]] for kind in kinds or ANSWERS]
            browser.complaints.clear()
            browser.dialogs.clear()
            browser.shape(1280, 800)
            browser.open(server.url)
            browser.until(READY)
            return browser

        begin.path = labels.path  # type: ignore[attr-defined]
        yield begin
        browser.call("Page.navigate", url="about:blank")
        server.close()


def judgements(opened: Callable[..., Page]) -> list[Judgement]:
    return [line for line in read_lines(opened.path) if isinstance(line, Judgement)]  # type: ignore[attr-defined]


def at(tab: Page, place: int) -> None:
    """Wait until the item of a place is shown."""
    tab.until(f"document.getElementById('title').textContent.startsWith('{place}. ')")


def test_three_outputs_are_judged_with_keys_alone(opened: Callable[..., Page]) -> None:
    tab = opened("pass", "half", "side effect")
    tab.press("1", "1", "1", "4", "Enter")
    at(tab, 2)
    tab.press("2", "2", "j", "1", "1", "2", "c")
    tab.type("House is still green")
    tab.press("Escape", "Enter")
    at(tab, 3)
    tab.press("s", "s", "d", "o", "z", "3")
    tab.press("1", "j", "2", "3", "k", "1", "Enter")
    tab.until("!document.getElementById('over').hidden")
    first, second, third = judgements(opened)
    assert (first.repaired, first.preserved, first.valid, first.score) == ("yes", "yes", "yes", 4)
    assert (second.repaired, second.missed, second.preserved, second.valid) == ("no", (2,), "yes", "yes")
    assert (second.score, second.comment) == (2, "House is still green")
    assert (third.repaired, third.missed, third.preserved, third.valid) == ("unsure", (1,), "no", "yes")
    assert third.looked == ("difference",)
    assert all(judgement.duration_s > 0 for judgement in (first, second, third))
    assert [judgement.place for judgement in (first, second, third)] == [1, 2, 3]
    assert tab.value("document.getElementById('progress-text').textContent") == "3 of 3 judged"
    assert tab.complaints == []


def test_the_next_output_is_shown_from_the_top(opened: Callable[..., Page]) -> None:
    tab = opened("pass", "half")
    tab.shape(1280, 560)
    tab.press("1", "1", "1", "4")
    tab.until("scrollY > 0")
    tab.press("Enter")
    at(tab, 2)
    tab.until("document.querySelector('fieldset.active').dataset.row === 'repaired'")
    assert tab.value("scrollY") == 0


def test_nothing_is_saved_while_a_question_is_open(opened: Callable[..., Page]) -> None:
    tab = opened("pass", "half")
    tab.press("1", "Enter")
    tab.until("document.getElementById('said').textContent === 'This question is still open.'")
    assert tab.value("document.querySelector('fieldset.active').dataset.row") == "preserved"
    assert judgements(opened) == []


def test_going_back_shows_what_was_said_and_a_new_answer_counts(opened: Callable[..., Page]) -> None:
    tab = opened("pass", "half", "untouched")
    tab.press("1", "1", "1", "3", "Enter")
    at(tab, 2)
    tab.press("p")
    at(tab, 1)
    assert tab.value(
        "[...document.querySelectorAll('form#questions input:checked')].map(i => i.name + i.value).join()"
    ) == ("repairedyes,preservedyes,validyes,score3")
    tab.press("1", "2", "Enter")
    at(tab, 2)
    assert [j.preserved for j in judgements(opened)] == ["yes", "no"]
    tab.press("n")
    at(tab, 3)
    assert tab.value("document.getElementById('progress-text').textContent") == "1 of 3 judged"


def test_answers_not_saved_yet_are_kept_while_leafing(opened: Callable[..., Page]) -> None:
    tab = opened("pass", "half")
    tab.press("3", "n")
    at(tab, 2)
    tab.press("p")
    at(tab, 1)
    assert tab.value("document.querySelector('input[name=repaired]:checked').value") == "unsure"
    tab.open(tab.value("location.href"))
    assert tab.dialogs == ["beforeunload"]


def test_a_reload_goes_on_at_the_first_open_output(opened: Callable[..., Page]) -> None:
    tab = opened("pass", "half")
    tab.press("1", "1", "1", "Enter")
    at(tab, 2)
    tab.reload()
    tab.until(READY)
    at(tab, 2)
    assert tab.dialogs == []


def test_the_target_is_shown_on_demand_and_that_is_recorded(opened: Callable[..., Page]) -> None:
    tab = opened("half")
    assert tab.value("document.getElementById('target').hasAttribute('src')") is False
    tab.press("t")
    tab.until("document.getElementById('canvas').dataset.view === 'target'")
    tab.until("document.getElementById('target').naturalWidth > 0")
    tab.press("t", "1", "1", "1", "Enter")
    tab.until("!document.getElementById('over').hidden")
    (judgement,) = judgements(opened)
    assert judgement.looked == ("target",)


def test_start_and_output_flip_in_the_same_place(opened: Callable[..., Page]) -> None:
    tab = opened("half")
    box = "JSON.stringify(document.getElementById('%s').getBoundingClientRect())"
    assert tab.value(box % "start") == tab.value(box % "output")
    style = "getComputedStyle(document.getElementById(id)).visibility"
    seen = f"['start', 'output'].filter(id => {style} === 'visible').join()"
    assert tab.value(seen) == "output"
    tab.press("s")
    assert tab.value(seen) == "start"
    assert tab.value("document.getElementById('caption').textContent") == "Start"
    tab.press("s", "d")
    assert tab.value(seen) == "start,output"


def test_zooming_loads_a_sharper_picture(opened: Callable[..., Page]) -> None:
    tab = opened("half")
    width = "document.getElementById('canvas').offsetWidth"
    before = tab.value(width)
    tab.press("z")
    assert tab.value(width) == pytest.approx(2 * before, abs=2)
    tab.until("document.getElementById('output').naturalWidth === 2800")
    tab.press("-")
    assert tab.value(width) == before


def test_a_hostile_output_does_nothing(opened: Callable[..., Page]) -> None:
    tab = opened("hostile")
    tab.press("x")
    tab.until("document.getElementById('lines').textContent.includes('<script>document.title=')")
    assert tab.value("document.title") == "Review · vbench-env"
    assert tab.value("document.querySelectorAll('script').length") == 1
    assert tab.value("document.querySelectorAll('#title').length") == 1
    assert tab.value("document.querySelector('img[onerror], image, [onload]')") is None
    assert tab.value("getComputedStyle(document.body).display") == "block"
    tab.press("s", "s", "1", "1", "2", "Enter")
    tab.until("!document.getElementById('over').hidden")
    assert judgements(opened)[0].looked == ("source",)
    assert tab.complaints == []


def test_an_output_without_a_picture_says_why(opened: Callable[..., Page]) -> None:
    tab = opened("malformed")
    text = tab.value("document.getElementById('nothing').textContent")
    assert text.startswith("The output cannot be drawn")
    assert "not well-formed" in text
    tab.press("s")
    assert tab.value("document.getElementById('nothing').hidden") is True
    assert tab.complaints == []


def test_single_keys_can_be_turned_off(opened: Callable[..., Page]) -> None:
    tab = opened("half")
    tab.press("?")
    tab.until("document.getElementById('help').open")
    tab.value("document.getElementById('shortcuts').click()")
    tab.value("document.getElementById('help').close()")
    tab.press("2")
    assert tab.value("document.querySelector('input:checked[type=radio]')") is None


def test_keys_typed_into_the_comment_are_text(opened: Callable[..., Page]) -> None:
    tab = opened("half")
    tab.press("c", "n", "1", "t", "Enter", "s")
    assert tab.value("document.getElementById('comment').value") == "n1t\ns"
    assert tab.value("document.querySelector('input:checked[type=radio]')") is None


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 900, 400])
def test_nothing_sticks_out_or_fades_at_any_width(
    opened: Callable[..., Page], width: int, dark: bool
) -> None:
    tab = opened("half")
    tab.shape(width, 800, dark=dark)
    tab.press("2")
    assert tab.value("document.documentElement.scrollWidth") <= width
    assert tab.value(
        "[...document.querySelectorAll('main *')].filter(e => !e.closest('#stage, #lines') && "
        "e.getBoundingClientRect().right > innerWidth + 1).length"
    ) == 0  # fmt: skip
    assert tab.value(_FAINT) == []


_FAINT = """(() => {
  const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('header *, main *')]
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .filter(e => e.offsetParent && !e.closest(':disabled, #caption'))
    .map(e => [light(rgb(getComputedStyle(e).color)), light(behind(e)), e.textContent.slice(0, 30)])
    .map(([one, other, text]) => [(Math.max(one, other) + .05) / (Math.min(one, other) + .05), text])
    .filter(([ratio]) => ratio < 4.5).map(([ratio, text]) => `${text}: ${ratio.toFixed(2)}`);
})()"""
"""Texts with a contrast below 4.5 (WCAG 2.2, 1.4.3)."""


def test_every_control_has_a_name(opened: Callable[..., Page]) -> None:
    tab = opened("half")
    nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "radio", "checkbox", "textbox", "group", "img", "form", "region", "progressbar"}
    nameless = [
        node["role"]["value"] for node in nodes
        if not node["ignored"] and node["role"]["value"] in roles and not node.get("name", {}).get("value")
    ]  # fmt: skip
    assert nameless == []
    questions = [node["name"]["value"] for node in nodes if node["role"]["value"] == "group"]
    assert any(name.startswith("Is every requested repair made?") for name in questions)
