"""Counts of paths, control points and commands, outlines of basic shapes, and tiers."""

from __future__ import annotations

import pytest

from vbench_env.svg.complexity import FIXED, Complexity, complexity, thirds, tier
from vbench_env.svg.geometry import local_box
from vbench_env.svg.outline import outline
from vbench_env.svg.parse import Node, parse
from vbench_env.svg.path_data import bounds
from vbench_env.svg.path_shape import path_length

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">'


def drawing(body: str) -> str:
    return f"{HEAD}{body}</svg>"


def shape(markup: str) -> Node:
    return parse(drawing(markup)).nodes[1]


@pytest.mark.parametrize(
    ("markup", "letters"),
    [
        ('<path d="m0 0h9v9z"/>', "MLLZ"),
        ('<rect width="9" height="4"/>', "MLLLZ"),
        ('<rect width="9" height="4" rx="1"/>', "MLALALALAZ"),
        ('<circle r="5"/>', "MAAAAZ"),
        ('<ellipse rx="5" ry="2"/>', "MAAAAZ"),
        ('<ellipse rx="5"/>', "MAAAAZ"),
        ('<line x2="5"/>', "ML"),
        ('<polyline points="0,0 1,1 2,0"/>', "MLL"),
        ('<polygon points="0,0 1,1 2,0"/>', "MLLZ"),
        ('<rect width="0" height="4"/>', ""),
        ('<circle r="-1"/>', ""),
        ('<path d="nonsense"/>', ""),
        ('<polygon points=""/>', ""),
        ("<g/>", ""),
    ],
)
def test_outlines_are_the_equivalent_paths(markup: str, letters: str) -> None:
    assert "".join(letter for letter, _ in outline(shape(markup))) == letters


@pytest.mark.parametrize(
    "markup",
    [
        '<rect x="3" y="4" width="50%" height="20" rx="4"/>', '<circle cx="20" cy="9" r="5"/>',
        '<ellipse cx="20" cy="9" rx="5" ry="3"/>', '<polygon points="1,1 30,2 4,9"/>',
        '<line x1="1" y1="2" x2="9" y2="3"/>',
    ],
)  # fmt: skip
def test_outlines_fill_the_box_of_the_shape(markup: str) -> None:
    node = shape(markup)
    box = local_box(node)
    assert box is not None
    found = bounds(outline(node))
    assert found == pytest.approx((box.left, box.top, box.right, box.bottom))


def test_rounded_corners_never_exceed_half_a_side() -> None:
    assert path_length(outline(shape('<rect width="10" height="10" rx="99"/>'))) == pytest.approx(
        31.416, abs=0.01
    )


def test_counts_take_the_whole_file() -> None:
    found = complexity(
        drawing(
            '<defs><path d="M0 0L9 9C1 1 2 2 3 3"/></defs><g><path d="M0 0Q1 1 2 2Z"/><rect width="1" height="1"/></g>'
        )
    )
    assert found == Complexity(
        paths=2, shapes=3, commands=3 + 3 + 5, control_points=(1 + 1 + 3) + (1 + 2) + 4
    )
    assert complexity("<svg") == Complexity(0, 0, 0, 0)


def test_the_middle_one_of_three_tiers_counts() -> None:
    assert tier(Complexity(0, 0, 0, 0)) == "easy"
    assert tier(Complexity(1, 1, 1000, 1)) == "easy"
    assert tier(Complexity(1, 1, 1000, 1000)) == "hard"
    assert tier(Complexity(1, 20, 100, 1000)) == "medium"
    assert tier(Complexity(0, *(bound[0] for bound in FIXED))) == "easy"
    assert tier(Complexity(0, *(bound[0] + 1 for bound in FIXED))) == "medium"


def test_thirds_part_a_corpus_in_three() -> None:
    drawings = [Complexity(n, n, n, n) for n in range(1, 10)]
    bounds_found = thirds(drawings)
    assert [tier(one, bounds_found) for one in drawings] == ["easy"] * 3 + ["medium"] * 3 + ["hard"] * 3
    assert thirds([]).shapes == (0, 0)
    alone = [Complexity(5, 5, 5, 5)]
    assert tier(alone[0], thirds(alone)) == "easy"
