"""Calls of an episode in flight: written line by line, read back after a kill."""

from __future__ import annotations

import pytest

from vbench_env.experiments.endpoint import picture_url
from vbench_env.experiments.journal import CallJournal, mend_tail, read_journal
from vbench_env.experiments.pictures import PictureStore

ANSWER = {"number": 1, "response": {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}}
FAILURE = {"number": 1, "error": {"kind": "server"}}


def journal(folder) -> CallJournal:
    return CallJournal(folder / "calls" / "e.jsonl", PictureStore(folder / "pictures"))


def test_an_answered_call_is_found_again_by_number_and_digest(tmp_path):
    journal(tmp_path).write(0, "abc", {"model": "m"}, ANSWER)
    found = journal(tmp_path).earlier(0, "abc")
    assert found is not None
    assert found.answered
    assert found.request == {"model": "m"}
    assert journal(tmp_path).earlier(1, "abc") is None


def test_failed_attempts_are_found_and_are_no_answer(tmp_path):
    journal(tmp_path).write(0, "abc", {"model": "m"}, FAILURE)
    found = journal(tmp_path).earlier(0, "abc")
    assert found is not None
    assert not found.answered
    assert found.attempts == [FAILURE]


def test_another_question_makes_this_and_all_later_answers_worthless(tmp_path):
    for number in range(3):
        journal(tmp_path).write(number, f"d{number}", {}, ANSWER)
    reader = journal(tmp_path)
    assert reader.earlier(0, "d0") is not None
    assert reader.earlier(1, "other") is None
    assert reader.earlier(2, "d2") is None


def test_a_torn_line_is_as_if_it_had_not_been_written(tmp_path):
    first = journal(tmp_path)
    first.write(0, "abc", {"model": "m"}, ANSWER)
    first.write(1, "def", {"model": "m"}, ANSWER)
    first.path.write_bytes(first.path.read_bytes()[:-20])
    second = journal(tmp_path)
    assert second.earlier(0, "abc") is not None
    assert second.earlier(1, "def") is None
    second.write(1, "def", {"model": "m"}, ANSWER)
    assert set(read_journal(second.path)) == {0, 1}


def test_pictures_leave_the_journal_and_are_stored_once(tmp_path):
    png = b"\x89PNG\r\n\x1a\n" + bytes(100)
    request = {
        "messages": [{"content": [{"image_url": {"url": picture_url(png)}}]}],
        "data": picture_url(png)[22:],
    }
    journal(tmp_path).write(0, "abc", request, ANSWER)
    (stored,) = (tmp_path / "pictures").iterdir()
    assert stored.read_bytes() == png
    found = read_journal(tmp_path / "calls" / "e.jsonl")[0].request
    assert (
        found["messages"][0]["content"][0]["image_url"]["url"] == found["data"] == f"pictures/{stored.name}"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"", b""), (b'{"a":1}\n', b'{"a":1}\n'), (b'{"a":1}\n{"b', b'{"a":1}\n'), (b'{"a', b""),
     (b'{"a":1}\n{"b":2}', b'{"a":1}\n{"b":2}\n'), (b"x" * 200_000, b"")],
)  # fmt: skip
def test_the_tail_of_a_file_is_mended(tmp_path, before, after):
    path = tmp_path / "lines"
    path.write_bytes(before)
    mend_tail(path)
    assert path.read_bytes() == after
