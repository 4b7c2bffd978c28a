"""The space of texts."""

from __future__ import annotations

import pickle
import time

from hypothesis import given
from hypothesis import strategies as st

from vbench_env.spaces import UnicodeText


@given(st.text(alphabet=st.characters(codec=None)))  # type: ignore[arg-type]
def test_any_unicode_text_within_the_length_is_in(text: str) -> None:
    assert UnicodeText(len(text)).contains(text)
    assert text + "x" not in UnicodeText(len(text))


def test_other_things_are_out() -> None:
    space = UnicodeText(10)
    for thing in (b"abc", 5, None, ["a"], 1.5):
        assert thing not in space


def test_contains_does_not_read_the_text() -> None:
    space, text = UnicodeText(10**8), "x" * 10**7
    started = time.process_time()
    for _ in range(1000):
        assert text in space
    assert time.process_time() - started < 0.5


def test_samples_are_small_seeded_and_members() -> None:
    one, two = UnicodeText(10**7, ["good", "y" * 100]), UnicodeText(10**7, ["good", "y" * 100])
    one.seed(5), two.seed(5)
    drawn = [one.sample() for _ in range(200)]
    assert drawn == [two.sample() for _ in range(200)]
    assert max(map(len, drawn)) <= 100
    assert all(text in one for text in drawn)
    assert "good" in drawn
    assert len(set(drawn)) > 20
    assert all(text.encode("utf-8") is not None for text in drawn)


def test_a_tiny_space_samples_members() -> None:
    space = UnicodeText(0, ["too long"])
    space.seed(0)
    assert {space.sample() for _ in range(20)} == {""}


def test_equality_pickling_and_json() -> None:
    space = UnicodeText(7, ["a"])
    assert space == UnicodeText(7)
    assert space != UnicodeText(8)
    assert pickle.loads(pickle.dumps(space)) == space
    assert space.from_jsonable(space.to_jsonable(["a", "é"])) == ["a", "é"]
    assert not space.is_np_flattenable
    assert repr(space) == "UnicodeText(7)"
