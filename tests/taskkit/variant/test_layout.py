"""Whole drawings in new coordinates look like the old ones, mirrored or not; texts stay readable."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.taskkit.variant.drafts import draft, drawing, recolor
from vbench_env.render import get_renderer
from vbench_env.svg.parse import parse
from vbench_env.taskkit.variant.draft import Unvaried
from vbench_env.taskkit.variant.frames import Frame
from vbench_env.taskkit.variant.layout import with_layout
from vbench_env.taskkit.variant.policy import Policy
from vbench_env.taskkit.variant.relaid import Relayer
from vbench_env.taskkit.visibility import picture_size, pixels

MIRROR = Frame(-2.0, 2.0, 400.0, 0.0)
MOVE = Frame(1.25, 1.25, -30.0, 12.0)
BOX = '<rect x="20" y="10" width="40" height="20" fill="#c33"/>'

DRAWINGS = {
    "shapes": BOX + '<circle cx="150" cy="50" r="20"/><ellipse cx="90" cy="70" rx="20" ry="9"/><line x1="5" y1="90" '
    'x2="80" y2="60" stroke="#00f" stroke-width="3"/><polygon points="120,10 140,30 110,30"/>',
    "shapes without places": '<rect width="60" height="30"/><circle r="20"/><line x2="30" y2="80" stroke="#000"/>',
    "groups": f'<g transform="translate(30 20) rotate(12)"><g transform="scale(.5)">{BOX}</g></g>',
    "use of a group": f'<defs><g id="a">{BOX}</g></defs><use href="#a" x="60" y="30"/>'
    '<use href="#a" transform="scale(.5)"/>',
    "use of a symbol": '<symbol id="a" viewBox="0 0 10 10"><path d="M0 0L10 5L0 10Z"/></symbol>'
    '<use href="#a" x="20" y="20" width="40" height="30"/><use href="#a" x="120" y="50" width="20" height="20"/>',
    "symbol without view box": '<symbol id="a" overflow="visible"><path d="M0 0L30 15L0 30Z"/></symbol>'
    '<use href="#a" x="20" y="20"/>',
    "gradient in shares": '<linearGradient id="a"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/>'
    f'</linearGradient><g fill="url(#a)">{BOX.replace(" fill=", " data-f=")}</g>',
    "gradient in user space": '<linearGradient id="a" gradientUnits="userSpaceOnUse" x1="20" x2="60"><stop '
    'stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>' + BOX.replace("#c33", "url(#a)"),
    "radial gradient": '<radialGradient id="a" cx=".2" fx="10%" gradientTransform="rotate(20)">'
    '<stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></radialGradient>' + BOX.replace("#c33", "url(#a)"),
    "clip path": '<clipPath id="a"><circle cx="30" cy="20" r="15"/></clipPath><g transform="translate(40 30)" '
    f'clip-path="url(#a)">{BOX}</g>',
    "clip path in shares": '<clipPath id="a" clipPathUnits="objectBoundingBox"><rect width=".3" height="1"/></clipPath>'
    + BOX.replace("/>", ' clip-path="url(#a)"/>'),
    "mask": '<mask id="a"><rect x="20" y="10" width="15" height="20" fill="#fff"/></mask>'
    + BOX.replace("/>", ' mask="url(#a)"/>'),
    "pattern": '<pattern id="a" x="3" width="20" height="10" patternUnits="userSpaceOnUse"><path d="M0 0L12 0L0 10Z"/>'
    '</pattern><rect x="10" y="10" width="160" height="70" fill="url(#a)"/>',
    "marker in widths of the line": '<marker id="a" viewBox="0 0 4 4" refX="4" refY="2" markerWidth="4" '
    'markerHeight="4" orient="auto"><path d="M0 0L4 2L0 4Z"/></marker><path d="M20 80L120 20" stroke="#000" '
    'stroke-width="3" marker-end="url(#a)"/>',
    "marker in user units": '<marker id="a" markerUnits="userSpaceOnUse" refX="12" refY="6" markerWidth="12" '
    'markerHeight="12" orient="auto"><path d="M0 0L12 6L0 12Z"/></marker><path d="M20 80L120 20" stroke="#000" '
    'stroke-width="3" marker-end="url(#a)"/>',
    "filter": '<filter id="a"><feDropShadow dx="6" dy="4" stdDeviation="1"/></filter>'
    + BOX.replace("/>", ' filter="url(#a)"/>'),
    "style sheet": "<style>.a{stroke:#000;stroke-width:5px;stroke-opacity:.5}</style>"
    + BOX.replace("/>", ' class="a"/>'),
    "percentages": '<rect width="100%" height="100%" fill="#eee"/><circle cx="25%" cy="50%" r="10"/>',
    "inner svg": f'<svg x="20" y="10" width="80" height="60" viewBox="0 0 100 100">{BOX}</svg>',
}  # fmt: skip


def seen(svg: str) -> np.ndarray:
    return pixels(svg, get_renderer("resvg"), (400, 200))


@pytest.mark.parametrize("frame", [MIRROR, MOVE], ids=["mirrored", "moved"])
@pytest.mark.parametrize("name", DRAWINGS)
def test_the_new_drawing_looks_like_the_old_one(name: str, frame: Frame) -> None:
    old = drawing(DRAWINGS[name])
    first, second = seen(old), seen(Relayer(old, frame).drawing())
    if frame.mirrored:
        first = first[:, ::-1]
    assert np.abs(first.astype(int) - second).max(axis=2).mean() < 0.6
    assert (first != 255).any()


@pytest.mark.parametrize(
    ("anchor", "mirrored"),
    [("", "end"), (' text-anchor="end"', "start"), (' text-anchor="middle"', "middle")],
)
def test_a_mirrored_text_keeps_its_letters_and_the_place_of_its_box(anchor: str, mirrored: str) -> None:
    old = drawing(f'<text x="60" y="50" font-size="20"{anchor}>Fish market</text>')
    new = Relayer(old, Frame(-1.0, 1.0, 200.0, 0.0)).drawing()
    node = next(node for node in parse(new).nodes if node.tag == "text")
    assert (node.attrs["x"], node.text) == ("140", "Fish market")
    assert (node.attrs.get("text-anchor") or parse(new).nodes[0].attrs.get("text-anchor")) == mirrored
    columns = [np.nonzero((seen(svg) < 128).all(axis=2).any(axis=0))[0] for svg in (old, new)]
    assert columns[1].min() == pytest.approx(399 - columns[0].max(), abs=3)
    assert columns[1].max() == pytest.approx(399 - columns[0].min(), abs=3)


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ('<text x="1 2 3" y="5">abc</text>', "a text has places for single letters"),
        (
            '<filter id="a"><feTurbulence baseFrequency=".1"/></filter>',
            "the filter primitive feTurbulence cannot be moved",
        ),
        ("<style>rect{x:3px}</style>", "a style sets x"),
        ('<g style="direction:rtl"/>', "a style sets direction"),
    ],
)
def test_what_cannot_be_moved_is_named(markup: str, reason: str) -> None:
    with pytest.raises(Unvaried, match=reason):
        Relayer(drawing(markup), MIRROR).drawing()


def test_a_clip_path_used_from_two_places_cannot_move_with_both() -> None:
    markup = f'<clipPath id="a"><rect width="9" height="9"/></clipPath><g clip-path="url(#a)">{BOX}</g>'
    markup += f'<g transform="translate(9 9)" clip-path="url(#a)">{BOX}</g>'
    with pytest.raises(Unvaried, match="'a' is used from places with different offsets"):
        Relayer(drawing(markup), MOVE)
    assert Relayer(drawing(markup), Frame(2.0, 2.0)).drawing()


def test_corrupted_values_and_offsets_follow() -> None:
    task = draft(
        '<rect id="bar" x="20" y="10" width="40" height="20"/><rect id="twin" x="80" y="10" width="40" height="20"/>',
        {
            "object": "bar", "operation": "move", "property": "x", "corrupted": 30, "named": "left bar",
            "evidence": {"kind": "equals", "of": "twin", "offset": -60, "words": "left of the other"},
        },
        instruction="The left bar belongs left of the other.",
    )  # fmt: skip
    frame = Frame(-2.0, 2.0, 400.0, 0.0)
    relayer = Relayer(task.svg, frame)
    node = relayer.spaces.document.by_id("bar")
    assert node is not None
    assert relayer.moved(node, "x", "30") == "260"
    with pytest.raises(Unvaried, match="another width of 'bar' would change its x too"):
        relayer.moved(node, "width", "70")


def test_a_layout_is_mirrored_only_where_the_policy_says_so() -> None:
    task = draft(
        '<rect id="left-bar" x="20" y="10" width="40" height="20" fill="#c33"/><path d="M100 90L160 20L180 90Z"/>',
        recolor("left-bar", "#33c", named="left bar"),
        instruction="The left bar is blue, put it right.",
    )
    notes = {with_layout(task, Random(seed), Policy()).note.split(",")[0] for seed in range(12)}
    assert notes == {"origin moved"}
    steps = [
        with_layout(task, Random(seed), Policy(mirror=True, keep_words=("put it right",)))
        for seed in range(12)
    ]
    mirrored = next(step for step in steps if step.note.startswith("mirrored"))
    assert mirrored.draft.data["instruction"] == "The right bar is blue, put it right."
    assert mirrored.draft.data["repairs"][0]["named"] == "right bar"
    assert mirrored.words["left"] == "right"
    assert picture_size(mirrored.draft.svg) == picture_size(task.svg)
