"""An agent that does anything: what luck is worth, and whether an agent can break an episode."""

from __future__ import annotations

import random
import re
from typing import Any

from vbench_agents import replies
from vbench_env.agent import AgentReply, AgentTurn
from vbench_env.protocol import Protocol
from vbench_env.seeding import derive_random
from vbench_env.svg.parse import Node, parse
from vbench_env.task import PublicTask

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SUBMIT_CHANCE = 0.15


class RandomAgent:
    """Nudges a random number of a random object; submits now and then. The seed decides everything."""

    name = "random"
    control = True
    offline = True

    def reset(self, public: PublicTask, protocol: Protocol, seed: int) -> None:
        self._public, self._protocol = public, protocol
        self._random = derive_random("random agent", seed)

    def act(self, turn: AgentTurn) -> AgentReply:
        if self._protocol.single_shot:
            drawing = self._public.corrupted_svg
            return replies.answer(self._protocol, drawing, _nudged(drawing, self._random))
        change = None if self._random.random() < _SUBMIT_CHANCE else self._change(turn.observation.svg)
        return replies.calls(self._protocol, turn.turn, [change or ("submit", {})])

    def _change(self, svg: str) -> tuple[str, dict[str, Any]] | None:
        nodes = [node for node in parse(svg).nodes if _numeric(node)]
        if not nodes:
            return None
        node = self._random.choice(nodes)
        name = self._random.choice(_numeric(node))
        value = _NUMBER.sub(lambda found: _moved(found[0], self._random), node.attrs[name], count=1)
        return "set_attribute", {"object": node.label, "name": name, "value": value}


def _numeric(node: Node) -> list[str]:
    """Plain attributes with a number in them."""
    return [
        name
        for name, value in node.attrs.items()
        if "{" not in name and name != "id" and _NUMBER.search(value)
    ]


def _nudged(text: str, source: random.Random) -> str:
    """`text` with one of the numbers in quotes moved a little."""
    places = list(re.finditer(r'(?<=")-?\d+(?:\.\d+)?(?=")', text))
    if not places:
        return text
    place = source.choice(places)
    return text[: place.start()] + _moved(place[0], source) + text[place.end() :]


def _moved(number: str, source: random.Random) -> str:
    return f"{float(number) * source.uniform(0.8, 1.2) + source.uniform(-2, 2):.2f}"
