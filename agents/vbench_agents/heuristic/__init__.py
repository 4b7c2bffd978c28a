"""A floor without a model: reads the words of the instruction and the drawing, and nothing else.

It looks for the things that each clause names, by their ids, titles and texts, and repairs what can be told
honestly from there: a colour that is named, a copy to take away, a text that is quoted, what should be the same
as something else, a line too heavy for its kind, an outline that faces the wrong way. What it does not
understand it leaves alone.
"""

from __future__ import annotations

import re

from vbench_agents import replies
from vbench_agents.heuristic.drawing import Drawing, Thing
from vbench_agents.heuristic.rules import RULES, Call, Case
from vbench_agents.heuristic.wording import Clause, clauses, said_aside, spoken, words
from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask
from vbench_env.tools import ToolContext, call_tool

__all__ = ["HeuristicAgent", "repairs"]

_KEEP = re.compile(
    r"^(?:keep|leave|preserve|do not|don't|without|change nothing|everything else|keeping|leaving)\b"
)
_PRONOUN = re.compile(r"\b(?:it|its|them|their|that one)\b")


class HeuristicAgent:
    """Plays the same repairs in every protocol."""

    name = "heuristic"
    control = False
    offline = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._protocol, self._start = protocol, public.corrupted_svg
        self._calls = repairs(public.instruction, public.corrupted_svg)

    def act(self, turn: AgentTurn) -> AgentReply:
        if self._protocol.single_shot:
            return replies.answer(self._protocol, self._start, apply(self._calls, self._start))
        granted = [call for call in self._calls if call[0] in self._protocol.tools]
        limit = self._protocol.budgets.max_calls - 1
        return replies.calls(self._protocol, turn.turn, [*granted[:limit], ("submit", {})])


def repairs(instruction: str, svg: str) -> list[Call]:
    """Tool calls that repair what the instruction tells about the drawing."""
    drawing, out = Drawing(svg), list[Call]()
    for sentence in clauses(instruction):
        before: list[Thing] = []
        for clause in sentence:
            if _KEEP.match(clause.text):
                break
            case = _case(clause, drawing, before)
            before = case.subjects or before
            answers = (rule(case) for rule in RULES)
            out += [call for call in next((found for found in answers if found), []) if call not in out]
    return out


def _case(clause: Clause, drawing: Drawing, before: list[Thing]) -> Case:
    """A clause with its things; a pronoun, or no thing at all, means what was spoken of before."""
    named = drawing.best(spoken(clause.subject), said_aside(clause.subject))
    subjects = named or (before if _PRONOUN.search(clause.subject) else [])
    others = drawing.best(_other_words(clause, subjects), without=subjects[:1]) if clause.other else []
    other = others[0] if others else None
    return Case(clause, [thing for thing in subjects if thing is not other], other, drawing)


def _other_words(clause: Clause, subjects: list[Thing]) -> set[str]:
    """Words of what a clause compares with; `its sample` takes the subject's name along."""
    found = words(clause.other or "")
    if _PRONOUN.search(clause.other or "") or "key" in found:
        found |= {name for thing in subjects[:1] for name in thing.names}
    return found


def apply(calls: list[Call], svg: str) -> str:
    """The drawing after the calls; one that does not fit is left out."""
    context = ToolContext.begin(svg)
    for name, arguments in calls:
        result = call_tool(context, name, arguments)
        if result.error is None:
            context = context.after(result)
    return context.document.text
