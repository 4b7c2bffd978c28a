"""Candidates: for each kind of mistake the right edit is among them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vbench_env.numeric import propose
from vbench_env.numeric.features import CANDIDATE_FEATURES, INSTRUCTION_FEATURES, OBJECT_FEATURES
from vbench_env.numeric.lexicon import clauses
from vbench_env.numeric.places import gap_in, spots
from vbench_env.tools import ToolContext, call_tool

ROW = '<rect id="{0}" x="{1}" y="40" width="12" height="12" fill="#227755"/>'


def drawing(*parts: str) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120">' + "".join(parts) + "</svg>"


def boxes(*places: float) -> list[str]:
    return [ROW.format(f"box-{n}", x) for n, x in enumerate(places)]


def calls(instruction: str, svg: str, tool: str) -> list[dict[str, Any]]:
    proposal = propose(instruction, svg, 200)
    return [candidate.call["args"] for candidate in proposal.candidates if candidate.call["tool"] == tool]


def test_a_colour_of_its_kind_or_of_the_words_is_offered() -> None:
    svg = drawing(*boxes(10, 40, 70), '<circle id="dot" cx="150" cy="20" r="6" fill="#aa2222"/>')
    wanted = {"object": "dot", "name": "fill", "value": "#227755"}
    assert wanted in calls("The dot should be green like the boxes.", svg, "set_attribute")
    assert {**wanted, "value": "#0000ff"} in calls("Paint the dot blue.", svg, "set_attribute")


def test_a_style_is_changed_where_it_is_written() -> None:
    svg = drawing(
        '<rect id="a" width="9" height="9" style="fill:#111111"/>',
        '<rect id="b" width="9" height="9" fill="#f00"/>',
    )
    assert {"object": "a", "property": "fill", "value": "#f00"} in calls(
        "The first rect should be red.", svg, "set_style"
    )


def test_a_quoted_text_is_offered() -> None:
    svg = drawing('<text id="sign" x="5" y="20">MUSEUM</text>')
    assert calls('The sign should read "MARKET".', svg, "set_text") == [{"object": "sign", "text": "MARKET"}]


def test_an_even_row_is_offered_for_an_object_out_of_step() -> None:
    svg = drawing(*boxes(10, 40, 77, 100, 130))
    assert {"object": "box-2", "dx": -7.0, "dy": 0.0} in calls("The third box is out of step.", svg, "move")


def test_a_gap_is_filled_with_a_copy() -> None:
    made, *_ = calls("One box is missing in the row.", drawing(*boxes(10, 40, 100, 130)), "batch")
    result = call_tool(ToolContext.begin(drawing(*boxes(10, 40, 100, 130))), "batch", made)
    assert result.error is None and 'x="70"' in result.document.text


def test_order_removal_opacity_width_and_rotation_are_offered() -> None:
    svg = drawing(
        '<rect id="wall" x="0" y="0" width="80" height="80" fill="#ddd" stroke="#000" stroke-width="2"/>',
        '<rect id="door" x="10" y="10" width="20" height="40" fill="#a33" stroke="#000" stroke-width="7" opacity="0.3" '
        'transform="rotate(20 20 30)"/>',
    )  # fmt: skip
    assert {"object": "door"} in calls("Remove the door.", svg, "delete_element")
    assert {"object": "door", "to": "back"} in calls(
        "The door should be behind the wall.", svg, "reorder_element"
    )
    put = calls("The door is too faint and its stroke too thick.", svg, "set_attribute")
    assert {"object": "door", "name": "opacity", "value": "1"} in put
    assert {"object": "door", "name": "stroke-width", "value": "2"} in put
    assert {"object": "door", "degrees": -20.0} in calls("The door leans.", svg, "rotate")


def test_a_bar_is_offered_the_length_that_its_number_asks_for() -> None:
    rows = [(20, 40, 20), (50, 100, 50), (80, 77, 60), (110, 60, 30)]
    parts = [
        f'<rect id="bar-{n}" x="0" y="{y}" width="{width}" height="8" fill="#38a"/>'
        f'<text id="number-{n}" x="130" y="{y + 7}" font-size="8">{shown}</text>'
        for n, (y, width, shown) in enumerate(rows)
    ]
    put = calls("The third bar does not fit the number beside it.", drawing(*parts), "set_attribute")
    assert {"object": "bar-2", "name": "width", "value": "120"} in put


def test_a_list_that_everybody_knows_is_gone_on_with() -> None:
    days = ["Monday", "Tuesday", "Sunday", "Thursday"]
    parts = [
        f'<text id="day-{n}" x="{10 + 45 * n}" y="20" font-size="8">{day}</text>'
        for n, day in enumerate(days)
    ]
    assert {"object": "day-2", "text": "Wednesday"} in calls(
        "The third word is wrong there.", drawing(*parts), "set_text"
    )


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([0, 10, 30], 20.0),
        ([0, 10, 20, 40, 50], 30.0),
        ([0, 10, 20], None),
        ([0, 7, 30], None),
        ([0, 10, 30, 50], None),
    ],
)
def test_a_gap_is_one_double_step_among_even_ones(places: list[float], expected: float | None) -> None:
    assert gap_in(places) == expected


def test_an_even_row_goes_on_at_either_end() -> None:
    assert spots([10, 20, 30]) == [0, 40] and spots([10, 20, 40]) == [30] and spots([10, 20, 33]) == []


def test_a_sentence_about_it_belongs_to_the_one_before() -> None:
    texts = [
        clause.original
        for clause in clauses("The sun has slid to the left. It should be red. Remove the dot.")
    ]
    assert texts == ["The sun has slid to the left. It should be red.", "Remove the dot."]


@given(
    st.text(max_size=200),
    st.sampled_from(["", "<svg", drawing(), drawing(*boxes(1, 2, 3), "<g/>", "<text>x</text>")]),
)
@settings(deadline=None, max_examples=60)
def test_any_words_and_any_drawing_give_arrays_of_one_size(instruction: str, svg: str) -> None:
    proposal = propose(instruction, svg, 12, 5)
    assert proposal.rows.shape == (12, CANDIDATE_FEATURES) and proposal.objects.shape == (5, OBJECT_FEATURES)
    assert proposal.instruction.shape == (INSTRUCTION_FEATURES,)
    assert len(proposal.candidates) <= 12
