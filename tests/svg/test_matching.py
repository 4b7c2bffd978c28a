"""Which siblings are said to have changed places."""

from __future__ import annotations

import itertools

import pytest

from vbench_env.svg.matching import match_children
from vbench_env.svg.parse import Node, parse


def siblings(names: str) -> list[Node]:
    root = parse(
        f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(f"""<g id="{n}"/>""" for n in names)}</svg>'
    ).root
    assert root is not None
    return root.children


@pytest.mark.parametrize("order", ["".join(p) for p in itertools.permutations("abcde")])
def test_as_few_as_can_be_have_moved(order: str) -> None:
    matched = match_children(siblings("abcde"), siblings(order))
    moved = {target.id for target, _ in matched.moved}
    kept = [name for name in order if name not in moved]
    assert kept == sorted(kept)
    longest = max(
        size
        for size in range(6)
        for part in itertools.combinations(order, size)
        if list(part) == sorted(part)
    )
    assert len(kept) == longest
    assert all(target.id == candidate.id for target, candidate in matched.pairs)


def test_what_one_side_lacks_is_deleted_or_added() -> None:
    fewer = match_children(siblings("abc"), siblings("ca"))
    assert [node.id for node in fewer.deleted] == ["b"]
    assert len(fewer.moved) == 1
    more = match_children(siblings("ac"), siblings("abc"))
    assert [node.id for node in more.added] == ["b"]
    assert not more.moved


def test_a_sibling_that_was_renamed_is_the_same() -> None:
    matched = match_children(siblings("abc"), siblings("axc"))
    assert [(target.id, candidate.id) for target, candidate in matched.pairs] == [
        ("a", "a"),
        ("b", "x"),
        ("c", "c"),
    ]
