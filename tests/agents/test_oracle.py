"""The oracle solves every shipped task through edit tools alone and touches nothing but what is to be repaired."""

from __future__ import annotations

import re

import pytest
from vbench_agents.edit_plan import Unplanned, edit_calls
from vbench_agents.oracle import OracleAgent

from vbench_env.agent import AgentTurn
from vbench_env.episode import Episode
from vbench_env.protocol import Protocol, load_protocol, protocol_names
from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.restructure import lead
from vbench_env.task import Repair, Task, load_task, packaged_tasks
from vbench_env.tools import TOOLS, ToolContext, call_tool
from vbench_env.tools.compare import difference

BY_LETTERS = [
    folder for folder in packaged_tasks() if load_task(folder).kind in ("malformed", "optimisation")
]
TASKS = [folder for folder in packaged_tasks() if folder not in BY_LETTERS]
INTERACTIVE = [name for name in protocol_names() if not load_protocol(name).single_shot]
WHOLE = {"rewrite", "apply_patch", "replace_text", "reset_document", "batch"}


def play(task: Task, protocol: str | Protocol, **settings: int) -> Episode:
    episode, agent = Episode(task, protocol, preview_size=64, **settings), OracleAgent()
    agent.reset(task.public, episode.protocol, 0)
    agent.reset_privileged(task)
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        episode.step(agent.act(turn).message())
    return episode


def untouched(text: str, task: Task) -> str:
    """The text without the repaired objects (each with the white space before it) and without style sheets."""
    document = SourceDocument(text)
    cut = [element for repair in task.repairs for element in objects(document, repair)]
    cut += [element for element in document.elements if element.tag == "style"]
    spans = sorted((element.start - len(lead(element)), element.end) for element in cut)
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position : max(start, position)])
        position = max(end, position)
    return "".join([*kept, text[position:]])


def objects(document: SourceDocument, repair: Repair) -> list[Element]:
    by_path = [element for element in document.elements if element.path == repair.object]
    return document.with_id(repair.object) or by_path


@pytest.mark.parametrize("protocol", INTERACTIVE)
@pytest.mark.parametrize("folder", TASKS, ids=[folder.name for folder in TASKS])
def test_every_shipped_task_is_solved_by_edit_tools_where_the_repairs_are(folder, protocol):
    task = load_task(folder)
    episode = play(task, protocol)
    assert (episode.stop_reason, episode.failure) == ("submit", None)
    assert episode.scorecards["surgical"].passed, episode.scorecards["surgical"]
    assert [event["error"] for event in episode.events if event["error"]] == []
    used = {event["action"]["tool"] for event in episode.events}
    assert not used & WHOLE
    assert all(TOOLS.get(name).group == "edit" for name in used - {"submit"})
    old, new = task.corrupted_svg, str(episode.final_svg)
    print(difference(old, new))
    assert untouched(old, task) == untouched(new, task)
    assert old != new


@pytest.mark.parametrize("folder", BY_LETTERS, ids=[folder.name for folder in BY_LETTERS])
def test_tasks_about_the_text_of_a_file_are_solved_by_one_patch(folder):
    episode = play(load_task(folder), "interactive-text")
    assert episode.scorecards["surgical"].passed, episode.scorecards["surgical"]
    assert [event["action"]["tool"] for event in episode.events] == ["apply_patch", "submit"]


def test_the_shipped_tasks_hold_every_operation():
    operations = {repair.operation for folder in TASKS for repair in load_task(folder).repairs}
    assert operations >= {
        "recolor", "move", "resize", "rotate", "reshape", "restroke", "opacity", "text", "insert", "delete",
        "reorder", "relink",
    }  # fmt: skip


def test_a_short_turn_budget_is_kept():
    task = load_task(TASKS[0])
    for turns in (1, 2, 3):
        episode = play(task, "interactive-text", max_turns=turns)
        assert episode.scorecards["surgical"].passed
        assert episode.turn <= turns


def test_where_tools_are_few_the_oracle_patches_or_rewrites():
    task = load_task(TASKS[0])
    base = load_protocol("interactive-text")
    for tools, expected in ((("apply_patch", "submit"), "apply_patch"), (("rewrite", "submit"), "rewrite")):
        episode = play(task, base.vary(tools=tools))
        assert episode.scorecards["surgical"].passed
        assert [event["action"]["tool"] for event in episode.events] == [expected, "submit"]


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


def drawing(body: str) -> str:
    return f"{HEAD}\n{body}\n</svg>"


@pytest.mark.parametrize(
    ("now", "goal", "tools"),
    [
        ('<rect width="1"/>', '<rect width="2" fill="red"/>', ["set_attribute", "set_attribute"]),
        ('<rect fill="red"/>', "<rect/>", ["remove_attribute"]),
        ('<path d="M0 0"/>', '<path d="M1 1"/>', ["set_path"]),
        ('<polygon points="0,0"/>', '<polygon points="0,0 1,1"/>', ["set_points"]),
        ('<g style="fill:red; opacity:.5"/>', '<g style="fill:blue!important"/>', ["set_style", "set_style"]),
        ('<g style="fill:red"/>', '<g style="fill : red;"/>', []),
        ("<text>a &amp; b</text>", "<text>a &lt; b</text>", ["set_text"]),
        ("<style>g{fill:red}</style>", "<style>g{fill:blue}</style>", ["set_text"]),
        ('<use xlink:href="#a"/>', '<use xlink:href="#b"/>', ["set_attribute"]),
        ('<g id="a"/><g id="b"/><g id="c"/>', '<g id="c"/><g id="a"/><g id="b"/>', ["reorder_element"]),
        ('<g id="b"/><g id="c"/><g id="a"/>', '<g id="a"/><g id="b"/><g id="c"/>', ["reorder_element"]),
        ("<g/>", "<g><rect/></g>", ["insert_element"]),
        ("<a/><g><b/></g>", "<g><c/><b/></g><d/>", ["delete_element", "insert_element", "insert_element"]),
        ("<rect width='1'/><rect width='2'/>", "<rect width='2'/>", ["delete_element"]),
        ("<!-- one --><g/>", "<g><!-- two --></g>", []),
    ],
)  # fmt: skip
def test_each_difference_has_its_tool(now, goal, tools):
    calls = edit_calls(drawing(now), drawing(goal))
    assert [name for name, _ in calls] == tools
    context = ToolContext.begin(drawing(now))
    for call in calls:
        context = context.after(call_tool(context, *call))
    assert edit_calls(context.document.text, drawing(goal)) == []


def test_of_two_that_are_out_of_order_the_named_one_moves():
    now, goal = drawing('<g id="a"/><g id="b"/>'), drawing('<g id="b"/><g id="a"/>')
    for name in ("a", "b"):
        assert [call[1]["object"] for call in edit_calls(now, goal, [name])] == [name]


def test_text_between_parts_cannot_be_planned():
    with pytest.raises(Unplanned, match=re.escape("the text between the parts of svg/text[1] differs")):
        edit_calls(drawing("<text>a<tspan/>b</text>"), drawing("<text>a<tspan/>c</text>"))
