"""Optimisation: what no still picture shows, and what ids name, cannot be saved away; other ways to write it can."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vbench_env.kind import OptimisationGoal
from vbench_env.scoring import Scorecard, score
from vbench_env.svg.parse import parse
from vbench_env.task import Task, load_corpus

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" preserveAspectRatio="none">'
SKY = '<rect width="400" height="300" fill="#024"/>'
KITE = '<path d="M10 10h40v40h-9z" fill="red"/>'
SHEET = "<style>.a:hover{fill:red} @keyframes turn{to{rotate:360deg}} @media print{.a{fill:#fff}}</style>"
TEXT = """<text font-family="'Comic Sans MS', cursive" x="30" y="50" fill="#fff">hello</text>"""
LINE = '<path d="M0 150h400" stroke="#fff" stroke-width="4"'
BADGE = load_corpus("vbench-kinds").task("summit-badge")


def task(body: str, **goal: object) -> Task:
    """A start that holds a long comment beside `body`, and `body` alone as the target."""
    start = f"{HEAD}{body}<!--{'x' * 2000}--></svg>"
    return replace(
        BADGE, corrupted_svg=start, target_svg=f"{HEAD}{body}</svg>", protected=tuple(parse(start).ids),
        goal=OptimisationGoal.model_validate({"share": 0.5, **goal}),
    )  # fmt: skip


def judged(body: str, old: str, new: str) -> Scorecard:
    made = task(body)
    assert made.target_svg.count(old) == 1
    assert score(made, made.target_svg).passed
    return score(made, made.target_svg.replace(old, new))


@pytest.mark.parametrize(
    ("body", "old", "new", "name"),
    [
        ('<g aria-label="a long label"/>', "a long label", "", "aria-label"),
        ('<g role="img"/>', ' role="img"', "", "role"),
        ('<g onclick="go(1, 2)"/>', "go(1, 2)", "", "onclick"),
        ("<script>let a = 1; go(a)</script>", "let a = 1; go(a)", "", "script"),
        ('<circle r="9"><animate attributeName="r" values="9;20" dur="3s"/></circle>', "9;20", "9", "animate"),
        (SHEET, SHEET, "", "style rule under a condition"),
        (SHEET, "@media print", "@media screen", "style rule under a condition"),
        ('<style media="print">*{fill:red}</style>', "red", "tan", "style sheet under a condition"),
        ('<style>.a{animation:turn 2s}</style><g class="a"/>', "animation:turn 2s", "", "animation"),
        (TEXT, "'Comic Sans MS', cursive", "cursive", "font of texts"),
        ('<g lang="de"/>', ' lang="de"', "", "language"),
        ('<g systemLanguage="en"><circle r="9"/></g>', ' systemLanguage="en"', "", "systemLanguage"),
        ('<circle r="9" pointer-events="none"/>', ' pointer-events="none"', "", "pointer-events"),
        (f'{LINE} vector-effect="non-scaling-stroke"/>', ' vector-effect="non-scaling-stroke"', "", "vector-effect"),
    ],
)  # fmt: skip
def test_what_no_still_picture_shows_stays(body: str, old: str, new: str, name: str) -> None:
    card = judged(SKY + body, old, new)
    assert card.repaired and card.reward == 0 and card.graded == 0
    assert f"{name} is not what it was" in [change.detail for change in card.changes]


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        (f'{SKY}<path aria-hidden="true"/><g aria-hidden="true">{KITE}</g>', '<path aria-hidden="true"/>', ""),
        (SKY + TEXT + TEXT.replace("50", "90"), TEXT + TEXT.replace("50", "90"),
         """<g font-family="'Comic Sans MS',cursive" fill="#fff"><text x="30" y="50">hello</text>"""
         """<text x="30" y="90">hello</text></g>"""),
        (SKY + TEXT.replace("hello", "<tspan>hel</tspan><tspan>lo</tspan>"), "<tspan>hel</tspan><tspan>lo</tspan>",
         "hello"),
        (SKY + '<circle r="9" pointer-events="none"/>', '<circle r="9" pointer-events="none"/>',
         '<g style="pointer-events:none"><circle r="9"/></g>'),
        (f'{SKY}{LINE} vector-effect="non-scaling-stroke"/>', ' vector-effect="non-scaling-stroke"',
         ' style="vector-effect:non-scaling-stroke"'),
        (SKY + '<circle r="9"><animate attributeName="r" values="9; 20.0" dur="3s"/></circle>', "9; 20.0", "9;20"),
        (SKY + KITE.replace("<path", '<path id="kite" style=";"'), ' style=";"', ""),
        (f'{SKY}<g id="layer" display="none">{KITE}</g>', f'<g id="layer" display="none">{KITE}</g>',
         '<g id="layer" style="display:none;fill:red"><path d="M10,10 H50 v40 h-9 z"/></g>'),
    ],
)  # fmt: skip
def test_other_ways_to_write_it_are_free(body: str, old: str, new: str) -> None:
    assert judged(body, old, new).changes == ()


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        (f'{SKY}<g id="layer" display="none">{KITE}</g>', KITE, ""),
        (f'{SKY}<g opacity="0"><g id="layer">{KITE}</g></g>', KITE, ""),
        (KITE.replace("<path", '<path id="layer"') + SKY, KITE.replace("<path", '<path id="layer"'), '<g id="layer"/>'),
        (f'{SKY}<symbol id="layer">{KITE}</symbol>', KITE, ""),
        (f'{SKY}<defs><g id="layer">{KITE}</g></defs>', KITE, ""),
        (f'{SKY}<linearGradient id="layer"><stop stop-color="red"/></linearGradient>', '<stop stop-color="red"/>', ""),
        (f'{SKY}<clipPath id="layer">{KITE}</clipPath>', KITE, ""),
    ],
)  # fmt: skip
def test_what_an_id_names_cannot_be_emptied_where_it_is_not_seen(body: str, old: str, new: str) -> None:
    card = judged(body, old, new)
    assert [(change.object, change.detail) for change in card.changes] == [
        ("layer", "the id names something else")
    ]


def test_a_drawing_scales_as_it_did() -> None:
    for old in (' viewBox="0 0 400 300"', ' preserveAspectRatio="none"'):
        card = judged('<rect width="100%" height="100%"/>', old, "")
        assert any("does not scale" in change.detail for change in card.changes)


def test_a_picture_of_pixels_is_no_shorter_file() -> None:
    data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC"
    dot = f"data:image/png;base64,{data}"
    card = judged(SKY + KITE, KITE, f'<image width="9" height="9" href="{dot}"/>')
    assert any("images of pixels" in change.detail for change in card.changes)
