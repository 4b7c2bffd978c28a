"""Other libraries and programs as rewriters: what counts, what is told apart."""

from __future__ import annotations

import random

import pytest

from tests.sources import PLAIN
from vbench_env.audit.cases import Subject
from vbench_env.audit.draft import Draft
from vbench_env.audit.programs import check_program, hidden_from_pictures, program_cases, restructured
from vbench_env.audit.rewriters import REWRITERS
from vbench_env.errors import ConfigError
from vbench_env.scoring import SURGICAL, judge
from vbench_env.svg.parse import parse


@pytest.mark.parametrize("name", ["lxml", "ElementTree", "minidom"])
def test_a_round_trip_through_a_library_changes_nothing(name: str) -> None:
    draft = Draft.of(PLAIN)
    assert REWRITERS[name].rewrite(draft, random.Random(1))
    written = draft.text()
    assert written not in (PLAIN, Draft.of(PLAIN).text())
    assert judge(PLAIN, written).reward == 1


def test_what_a_library_loses_is_left_out() -> None:
    held = '<svg xmlns="http://www.w3.org/2000/svg"><text data-a="1&#10;2">a&#13;b</text></svg>'
    assert not REWRITERS["minidom"].rewrite(Draft.of(held), random.Random(1))
    assert not REWRITERS["ElementTree"].rewrite(Draft.of(held), random.Random(1))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("#c0392b", "rgb(192,57,43)", False),
        ('points="0,10 20,0 40,10"', 'points="0,10 20,0 40,10 0,10"', True),
        ("M10 5c2-4", "m10 5c2-4", False),
        ("s3 .5.5 2z", "s3 .5.5 2", True),
        ('<tspan id="where" fill="red">here</tspan>', "here", True),
        (' id="sun"', "", True),
        (' transform="translate(10 20)"', "", True),
    ],
)
def test_what_a_program_restructures_is_told_apart(old: str, new: str, expected: bool) -> None:
    assert old in PLAIN
    assert restructured(parse(PLAIN), parse(PLAIN.replace(old, new))) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<rect/>", False),
        ("<foreignObject/>", True),
        ('<text style="font-size:12">a</text>', True),
        ('<text style="font-size:12px">a</text>', False),
        ('<g stroke="currentColor"/>', True),
        ("<style>a:hover{fill:red}</style>", True),
    ],
)
def test_where_a_picture_proves_nothing(body: str, expected: bool) -> None:
    drawing = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>')
    assert hidden_from_pictures(drawing) is expected


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match="unknown program 'inkscape'; known: scour, svgo"):
        check_program("inkscape")


def test_drawings_that_scour_writes_pass() -> None:
    pytest.importorskip("scour", reason="scour is optional")
    rows = [row for row, _ in program_cases("scour", [Subject("plain", PLAIN, SURGICAL)])]
    assert len(rows) == 3
    assert all(row.same_rejected == row.other_accepted == 0 for row in rows)
