"""What the heuristic agent understands, and that it leaves the rest alone."""

from __future__ import annotations

import pytest
from vbench_agents.heuristic import HeuristicAgent, apply, repairs
from vbench_agents.heuristic.wording import wanted_colour, words

from vbench_env.agent import AgentTurn
from vbench_env.episode import Episode
from vbench_env.task import Repair, Task

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
  <rect id="sky" width="200" height="100" fill="#e0f2fe"/>
  <circle id="pear-1" cx="20" cy="80" r="6" fill="#a3e635"/>
  <circle id="pear-2" cx="40" cy="80" r="6" fill="#dc2626"/>
  <circle id="apple-1" cx="60" cy="80" r="6" fill="#dc2626"/>
  <circle id="wheel-left" cx="100" cy="70" r="12" fill="none" stroke="#222" stroke-width="6"/>
  <circle id="wheel-right" cx="140" cy="70" r="12" fill="none" stroke="#222" stroke-width="2"/>
  <line id="wheel-rod" x1="100" y1="70" x2="140" y2="70" stroke="#222" stroke-width="2"/>
  <polygon id="sail" points="150,10 180,50 150,50" fill="#ffffff"/>
  <rect id="cabin" x="80" y="20" width="40" height="20" fill="#fef3c7"/>
  <rect id="cabin-window" x="110" y="20" width="10" height="6" fill="#93c5fd" opacity="0.2"/>
  <rect id="hatch" x="84" y="34" width="6" height="4" fill="#93c5fd"/>
  <text id="sign" x="5" y="20">MUSEUM</text>
  <rect id="stray-sticker" x="5" y="30" width="8" height="4" fill="#facc15"/>
</svg>
"""


@pytest.mark.parametrize(
    ("instruction", "before", "after"),
    [
        ("One pear is red instead of green.", 'cy="80" r="6" fill="#dc2626"/>\n  <circle id="apple',
         'cy="80" r="6" fill="#a3e635"/>\n  <circle id="apple'),
        ("The sign should read \u201cMARKET\u201d.", "MUSEUM", "MARKET"),
        ('The sign should read "MARKET".', "MUSEUM", "MARKET"),
        ("The left wheel is drawn too heavily.", 'stroke-width="6"', 'stroke-width="2"'),
        ("Make the left wheel as thick as the right wheel.", 'stroke-width="6"', 'stroke-width="2"'),
        ("The sail is facing the wrong way.", "150,10 180,50 150,50", "170,10 140,50 170,50"),
        ("Remove the stray sticker.", '  <rect id="stray-sticker" x="5" y="30" width="8" height="4" fill="#facc15"/>\n',
         ""),
        ("The cabin window has faded; it should be just as solid as the hatch.", ' opacity="0.2"', ""),
        ("Place the cabin window neatly inside the cabin.", 'x="110" y="20"', 'x="95" y="27"'),
    ],
)  # fmt: skip
def test_what_words_and_drawing_settle_is_repaired_and_nothing_else(instruction, before, after):
    assert DRAWING.count(before) == 1
    assert apply(repairs(instruction, DRAWING), DRAWING) == DRAWING.replace(before, after)


@pytest.mark.parametrize(
    "instruction",
    [
        "Leave the stray sticker and the red pear alone.",
        "Smooth the curve of the shore.",
        "Something is not quite right here.",
        "",
        "\u0000 <svg> \ud800 " * 50,
    ],
)
def test_what_it_does_not_understand_it_leaves_alone(instruction):
    assert repairs(instruction, DRAWING) == []


@pytest.mark.parametrize("svg", ["", "no drawing", "<svg", "<svg/>"])
def test_drawings_that_cannot_be_read_give_no_repairs(svg):
    assert repairs("Remove the stray sticker and make the pear green.", svg) == []


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("one pear is red instead of green", "green"),
        ("the green stripe on one buoy was painted red", "green"),
        ("the red buoy stripe has turned green", "red"),
        ("make the small sail light blue", "light blue"),
        ("make the odd red pear green again", "green"),
        ("the lighthouse window should glow yellow", "yellow"),
        ("return the train roof to its dark color", "dark"),
        ("the red poster has shifted sideways", None),
    ],
)
def test_the_colour_that_is_asked_for(text, colour):
    assert wanted_colour(text) == colour


def test_words_are_singular_and_without_filling():
    assert words("The berries and the shopper's bags") == {"berry", "shopper", "bag"}


@pytest.mark.parametrize(
    "protocol", ["single-shot", "single-shot-patch", "interactive-text", "interactive-text-json"]
)
def test_it_plays_every_form_of_protocol_to_the_same_end(protocol):
    fixed = DRAWING.replace(
        'r="6" fill="#dc2626"/>\n  <circle id="apple', 'r="6" fill="#a3e635"/>\n  <circle id="apple'
    )
    wanted = Repair(
        object="pear-2", operation="recolor", property="fill", corrupted="#dc2626", target="#a3e635"
    )
    task = Task("fruit", "One pear should be green.", DRAWING, fixed, (wanted,), ("sky",))
    episode, agent = Episode(task, protocol), HeuristicAgent()
    agent.reset(task.public, episode.protocol, 0)
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        episode.step(agent.act(turn).message())
    assert episode.final_svg is not None
    assert episode.final_svg.strip() == fixed.strip()
    assert episode.scorecards["surgical"].passed
