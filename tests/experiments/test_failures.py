"""What an exception of the client library means."""

from __future__ import annotations

import email.utils
import time

import pytest

from vbench_env.experiments.failures import CallFailed, CallFailure, describe, retry_after_s
from vbench_env.experiments.redaction import Redactor


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_in_seconds(headers, seconds):
    assert retry_after_s(headers) == seconds


def test_retry_after_as_a_date():
    ahead = {"retry-after": email.utils.formatdate(time.time() + 30, usegmt=True)}
    behind = {"retry-after": email.utils.formatdate(time.time() - 30, usegmt=True)}
    assert 25 < (retry_after_s(ahead) or 0) <= 30
    assert retry_after_s(behind) == 0.0


def test_a_timeout_of_our_own_is_passing_and_a_stranger_is_a_connection_failure():
    redactor = Redactor([], {})
    assert describe(TimeoutError("no answer"), redactor).kind == "timeout"
    assert describe(OSError("unreachable"), redactor).kind == "connection"
    assert describe(TimeoutError("no answer"), redactor).passing


def test_a_failure_that_is_known_stays_as_it_is():
    failure = CallFailure("picture_missing", "gone")
    assert describe(CallFailed(failure), Redactor([], {})) is failure
    assert failure.as_record().fatal
    assert failure.as_dict() == {"kind": "picture_missing", "message": "gone"}
