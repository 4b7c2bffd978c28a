"""What a run would take, before anything is spent: calls, tokens and dollars, with what they assume.

The first request of every episode is built and counted; what follows is assumed. Tokens are counted as budgets count
them, which errs towards too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from vbench_env.conversation import opening
from vbench_env.experiments.agents import cast
from vbench_env.experiments.budget import CHARACTERS_PER_TOKEN, TOKENS_PER_PICTURE, input_tokens
from vbench_env.experiments.client import ModelClient
from vbench_env.experiments.config import ModelConfig, RunConfig
from vbench_env.experiments.endpoint import ChatRequest, Endpoint, Price
from vbench_env.experiments.local_model import PREFIX
from vbench_env.experiments.plan import Plan, Unit
from vbench_env.history import History
from vbench_env.protocol import Protocol
from vbench_env.tools import openai_tools


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What nobody knows before a run. Tokens are those of one message."""

    reasoning_tokens: int = 1_000
    """Beside the answer, where the output limit leaves room for them."""
    patch_tokens: int = 150
    """For each requested repair, in an answer that is a patch."""
    turn_tokens: int = 150
    """Tool calls of one turn."""
    result_tokens: int = 400
    """Results of the tool calls of one turn, resent with every later one."""
    spare_turns: int = 3
    """Turns of an interactive episode, on top of one for each requested repair."""

    def lines(self) -> list[str]:
        """In words."""
        return [
            f"{CHARACTERS_PER_TOKEN:g} characters a token, {TOKENS_PER_PICTURE:,} tokens a picture, no failed calls",
            f"a single answer: the whole drawing, or {self.patch_tokens} tokens a repair for a patch",
            f"an interactive episode: a turn for each repair and {self.spare_turns} more, {self.turn_tokens} tokens of "
            f"calls and {self.result_tokens} of results a turn, the conversation resent every time",
            f"{self.reasoning_tokens:,} tokens of reasoning in every message",
        ]


@dataclass(slots=True)
class Cell:
    """The episodes of one model under one protocol."""

    model: str
    protocol: str
    price: Price | None
    """None where nobody knows."""
    episodes: int = 0
    calls: int = 0
    input_tokens: float = 0.0
    output_tokens: float = 0.0

    def add(self, effort: _Effort) -> None:
        self.calls += effort.calls
        self.input_tokens += effort.input_tokens
        self.output_tokens += effort.output_tokens

    @property
    def usd(self) -> float | None:
        """Dollars; None where the price is unknown."""
        if not self.calls:
            return 0.0
        return None if self.price is None else self.price.cost_usd(self.input_tokens, self.output_tokens)


@dataclass(frozen=True, slots=True)
class _Effort:
    calls: int
    input_tokens: float
    output_tokens: float


@dataclass(frozen=True)
class Estimate:
    """A run, not yet played. `assumed_usd` counts calls of unknown price at the price that budgets assume."""

    cells: tuple[Cell, ...]
    tasks: int
    samples: int
    wordings: tuple[str, ...]
    assumed_price: Price
    assumptions: Assumptions = field(default_factory=Assumptions)

    @cached_property
    def episodes(self) -> int:
        return sum(cell.episodes for cell in self.cells)

    @property
    def usd(self) -> float:
        """Dollars of the calls whose price is known."""
        return sum(cell.usd or 0.0 for cell in self.cells)

    @property
    def assumed_usd(self) -> float:
        """Dollars of the others, at the price that budgets assume."""
        unknown = [cell for cell in self.cells if cell.usd is None]
        return sum(self.assumed_price.cost_usd(cell.input_tokens, cell.output_tokens) for cell in unknown)


def estimate(
    plan: Plan, units: Sequence[Unit] | None = None, assumptions: Assumptions | None = None
) -> Estimate:
    """What the units of a plan (all of them by default) would take.

    Raises:
        ConfigError: an agent that cannot play a protocol, or a model without vision that would get pictures.
    """
    config, assumed = plan.config, assumptions or Assumptions()
    cells = {(m.name, p.name): Cell(m.name, p.name, _price(m)) for p in plan.protocols for m in config.models}
    limits = {model.name: model.max_output_tokens for model in config.models}
    known: dict[tuple[str, str, str, int | None], _Effort] = {}
    callers = {(m.name, p.name): cast(m, p).needs_model for p in plan.protocols for m in config.models}
    for unit in plan.units if units is None else units:
        place = unit.model.name, unit.protocol.name
        cells[place].episodes += 1
        if callers[place]:
            key = unit.key.task_hash, unit.wording, unit.protocol.name, limits[unit.model.name]
            if key not in known:
                known[key] = _effort(unit, config, assumed)
            cells[place].add(known[key])
    usd = config.assumed_usd_per_million
    return Estimate(
        tuple(cells.values()), len(plan.corpus), config.samples, config.wordings, Price(usd, usd), assumed
    )


def _price(model: ModelConfig) -> Price | None:
    if model.input_usd_per_million is not None and model.output_usd_per_million is not None:
        return Price(model.input_usd_per_million, model.output_usd_per_million)
    name = model.model or model.name
    if "/" not in name or name.startswith(PREFIX):
        return Price(0.0, 0.0) if name.startswith(PREFIX) else None
    return ModelClient(Endpoint(model.name, name)).price()


def _effort(unit: Unit, config: RunConfig, assumed: Assumptions) -> _Effort:
    """Calls and tokens of one episode."""
    protocol, task = unit.protocol, unit.worded
    turns = protocol.max_turns(config.episode_budget.turns)
    entries = opening(protocol, task.public, turns, None)
    tools = openai_tools(protocol.tools) if protocol.calls == "native" and protocol.tools else []
    first = input_tokens(ChatRequest(History(entries).messages(protocol), tools))
    document = len(task.corrupted_svg) / CHARACTERS_PER_TOKEN
    limits = protocol.max_output_tokens(task.corrupted_svg), unit.model.max_output_tokens
    limit = min(value for value in limits if value is not None)
    if protocol.single_shot:
        pictures = TOKENS_PER_PICTURE * _pictures(protocol, 1)
        said = document if "rewrite" in protocol.actions else assumed.patch_tokens * len(task.repairs)
        return _Effort(1, first + pictures, min(limit, said + assumed.reasoning_tokens))
    turns = min(turns, len(task.repairs) + assumed.spare_turns)
    growth = assumed.turn_tokens + assumed.result_tokens + (document if protocol.documents == "all" else 0.0)
    later = document if protocol.documents == "latest" else 0.0
    sent = sum(_sent(protocol, turn, first, growth, later) for turn in range(turns))
    return _Effort(turns, sent, turns * min(limit, assumed.turn_tokens + assumed.reasoning_tokens))


def _sent(protocol: Protocol, turn: int, first: float, growth: float, later: float) -> float:
    """Input tokens of turn number `turn`, from 0."""
    return (
        first + turn * growth + (later if turn else 0.0) + TOKENS_PER_PICTURE * _pictures(protocol, turn + 1)
    )


def _pictures(protocol: Protocol, turns: int) -> int:
    """Pictures in a request after so many turns; on demand, one is taken to be asked for in every episode."""
    if protocol.preview.policy == "none":
        return 0
    if protocol.preview.policy == "on-demand":
        return min(1, turns - 1)
    return turns if protocol.preview.policy == "each-change" and protocol.preview.keep == "all" else 1
