"""The observation: everything an agent may see of an episode, and nothing that scoring knows.

`OBSERVATIONS` holds texts that a protocol can add to the result of every call (`feedback:` in its file). A
new one is a function from a `View` to text and one registry entry.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vbench_env.registry import Registry
from vbench_env.svg.document import SourceDocument

if TYPE_CHECKING:
    from vbench_env.render import Picture


@dataclass(frozen=True, slots=True)
class AgentError:
    """Why an action did nothing: a stable kind, a place in the document or the action, words to act on."""

    kind: str
    message: str
    place: str | None = None

    def as_dict(self) -> dict[str, str | None]:
        return {"kind": self.kind, "place": self.place, "message": self.message}

    def as_json(self) -> str:
        return json.dumps(self.as_dict(), ensure_ascii=False)

    def __str__(self) -> str:
        where = f" at {self.place}" if self.place else ""
        return f"error {self.kind}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture of a document, or the reason why there is none."""

    picture: Picture | None = None
    reason: str | None = None
    crashed: bool = False
    """Whether the renderer itself broke, so that the document is not to blame."""

    @property
    def ok(self) -> bool:
        return self.picture is not None


@dataclass(frozen=True, slots=True)
class Observation:
    """The state of an episode after a turn, as the agent sees it."""

    instruction: str
    svg: str
    """The current document."""
    last_action: str
    """The last message of the agent, shortened; empty before the first turn."""
    last_result: str
    """What the last action did, in words."""
    last_error: AgentError | None
    """The first mistake in the last action; None when there was none."""
    turn: int
    """Turns spent."""
    turns_left: int
    preview: Preview | None = None
    """None where the protocol grants no preview."""


@dataclass(frozen=True, slots=True)
class View:
    """What a feedback text may look at: the document, the one the episode began with, tools and preview."""

    start: SourceDocument
    document: SourceDocument
    look: Callable[[str], str]
    """Text of a look or control tool called without arguments."""
    preview: Callable[[], Preview]
    """The picture of the document, drawn when asked for."""


Feedback = Callable[[View], str]
OBSERVATIONS: Registry[Feedback] = Registry("observation", group="vbench_env.observations")
