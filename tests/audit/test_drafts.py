"""Drafts and spellings: whatever is written means what was read."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import PLAIN
from vbench_env.audit import spelling
from vbench_env.audit.draft import Draft
from vbench_env.audit.mutators import MUTATORS, Site
from vbench_env.audit.rewriters import REWRITERS
from vbench_env.svg.colors import Color, parse_color
from vbench_env.svg.parse import parse
from vbench_env.svg.path_data import parse_path
from vbench_env.svg.transform import parse_transform
from vbench_env.svg.values import parse_number, parse_number_list

seeds = st.integers(0, 2**32).map(random.Random)


def shape(svg: str | bytes) -> list[tuple[object, ...]]:
    return [(n.tag, sorted(n.attrs.items()), n.text.strip(), n.tail.strip()) for n in parse(svg).nodes]


def test_a_draft_says_what_it_read() -> None:
    assert shape(Draft.of(PLAIN).text()) == shape(PLAIN)


@pytest.mark.parametrize(
    "name", [name for name, item in REWRITERS.items() if item.rewrite.__name__ == "rewrite"]
)
def test_every_way_of_writing_keeps_names_values_and_text(name: str) -> None:
    for seed in range(5):
        draft = Draft.of(PLAIN)
        assert REWRITERS[name].rewrite(draft, random.Random(seed))
        assert shape(draft.text()) == shape(PLAIN)


@given(st.decimals(-10000, 10000, places=3), seeds)
def test_numbers(value: object, rng: random.Random) -> None:
    assert parse_number(spelling.number(str(value), rng)) == float(str(value))


@given(st.lists(st.floats(-1e4, 1e4), min_size=1), seeds, st.booleans())
def test_lists(values: list[float], rng: random.Random, abut: bool) -> None:
    text = " ".join(map(spelling.exact, values))
    assert parse_number_list(spelling.numbers(text, rng, abut=abut)) == tuple(map(float, text.split()))


@given(st.tuples(*[st.integers(0, 255)] * 4), seeds, st.booleans())
def test_colours(channels: tuple[int, int, int, int], rng: random.Random, wide: bool) -> None:
    color = Color(*channels)
    assert parse_color(spelling.color(color, rng, wide=wide)) == color


PATHS = [
    "M10 10L20.5 10V30H5z",
    "m1 2c3 4 5 6 7 8s1 1 2 2q1 1 2 0t3 3",
    "M0 0a5 4 30 1 0 7.25-3zM3 3l1 1z",
    "M1 1zl2 2",
]


@given(st.sampled_from(PATHS), seeds)
def test_paths(text: str, rng: random.Random) -> None:
    spelled = spelling.path(text, rng)
    assert spelled is not None
    one, other = parse_path(text), parse_path(spelled)
    assert [c.letter for c in one] == [c.letter for c in other]
    for first, second in zip(one, other, strict=True):
        assert second.args == pytest.approx(first.args, abs=1e-9)


TRANSFORMS = [
    "translate(3)",
    "rotate(30 4 5) scale(2 3)",
    "matrix(1 2 3 4 5 6)skewX(10)",
    "scale(.5)rotate(-90)",
]


@given(st.sampled_from(TRANSFORMS), seeds)
def test_transforms(text: str, rng: random.Random) -> None:
    spelled = spelling.transform(text, rng)
    assert spelled is not None
    assert parse_transform(spelled) == pytest.approx(parse_transform(text), abs=1e-9)


@pytest.mark.parametrize("name", sorted(MUTATORS))
def test_every_mutator_changes_what_is_written(name: str) -> None:
    texts = set()
    for seed in range(60):
        draft = Draft.of(PLAIN)
        if MUTATORS[name].mutate(Site(draft), random.Random(seed)) is not None:
            texts.add(draft.text())
    assert Draft.of(PLAIN).text() not in texts


def test_what_repairs_ask_for_is_left_alone() -> None:
    for seed in range(200):
        draft = Draft.of(PLAIN)
        sun = draft.find("sun")
        assert sun is not None
        before = sun.attrs["fill"]
        MUTATORS["colour"].mutate(Site(draft, requested=frozenset({("sun", "fill")})), random.Random(seed))
        assert sun.attrs["fill"] == before
