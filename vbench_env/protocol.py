"""Protocols: what an agent sees, what it may do, and how much of everything it has. Plain data.

A protocol is a YAML file in `configs/`, or a file of your own. `extends: NAME` takes over another protocol
(shipped, or `other.yaml` beside the file) and changes the fields that follow; a key that ends in `+` appends
to the inherited list. Two protocols that differ in one field make a paired experiment.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.layers import read_layers
from vbench_env.resources import data_root

ActionKind = Literal["rewrite", "patch", "tools"]
PreviewPolicy = Literal["none", "start", "each-change", "on-demand"]
DocumentHistory = Literal["all", "latest", "diff"]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OutputCeiling(_Data):
    """Output tokens of one message: `max(minimum, floor(characters / characters_per_token) + extra)`."""

    minimum: int = Field(gt=0)
    characters_per_token: float = Field(default=2.5, gt=0)
    """Characters of the corrupted drawing that count as one token."""
    extra: int = 0
    """Tokens on top of the document, for reasoning."""

    def tokens(self, svg: str) -> int:
        return max(self.minimum, math.floor(len(svg) / self.characters_per_token) + self.extra)


class Budgets(_Data):
    """When an episode ends by itself. What it has then is still scored."""

    max_turns: int = Field(gt=0)
    """Assistant messages."""
    max_output_tokens: OutputCeiling
    max_format_errors: int = Field(default=3, gt=0)
    """Messages in a row that hold no usable action."""
    max_document_bytes: int = Field(default=2_000_000, gt=0)
    """UTF-8 size that no document may pass."""
    max_message_bytes: int = Field(default=4_000_000, gt=0)
    """Size of one assistant message with its calls; a longer one is not read."""
    max_calls: int = Field(default=32, gt=0)
    """Tool calls in one message."""
    max_result_chars: int = Field(default=60_000, gt=0)
    """Characters of one tool result; the middle of a longer one is left out."""


class Prompts(_Data):
    """Texts with `${name}` slots."""

    system: str
    """Slots: `tools` (Markdown of the granted tools, for calls in text)."""
    start: str
    """First user message. Slots: `instruction`, `svg`, `task_id`."""
    turn: str = ""
    """User message after a turn. Slots: `turn`, `turns_left`, `max_turns`, `result`, `document`."""
    preview: str = ""
    """Line above a picture. Slots: `width_px`, `height_px`."""


class PreviewSetting(_Data):
    """When a picture of the document is shown, and its size."""

    policy: PreviewPolicy = "none"
    width_px: int = Field(default=512, gt=0, le=4096)
    height_px: int = Field(default=512, gt=0, le=4096)
    keep: Literal["all", "latest"] = "latest"
    """Pictures resent with the history."""

    def size(self, wanted: int | Sequence[int] | None = None) -> tuple[int, int]:
        """Width and height in pixels: `wanted` (a side, or both) where it is given."""
        if wanted is None:
            return self.width_px, self.height_px
        sides = (wanted, wanted) if isinstance(wanted, int) else tuple(wanted)
        if len(sides) != 2 or not all(isinstance(side, int) and 16 <= side <= 4096 for side in sides):
            raise ConfigError(
                f"preview_size is a side or [width, height] of 16 to 4096 pixels, not {wanted!r}"
            )
        return sides[0], sides[1]


class Protocol(_Data):
    """One way to play a task."""

    schema_version: Literal[1] = 1
    name: str
    description: str
    ends_on: Literal["answer", "submit"]
    """`answer`: the first message is the whole answer. `submit`: turns go on until `submit`."""
    actions: tuple[ActionKind, ...]
    """Kinds of action that count: a whole document, a patch in text, tool calls."""
    tools: tuple[str, ...] = ()
    """Names of the granted tools."""
    calls: Literal["native", "text"] = "native"
    """Tool calls come through the provider's own field, or as JSON in the text."""
    preview: PreviewSetting = PreviewSetting()
    feedback: tuple[str, ...] = ()
    """Names of registered observations whose text follows the result of every call."""
    documents: DocumentHistory = "latest"
    """Documents resent with the history: every one, the latest only, or the first and then differences."""
    prompts: Prompts
    budgets: Budgets
    rules: Literal["published", "surgical"] = "surgical"
    """Rule set of the headline and the reward; an episode is scored under both."""

    @model_validator(mode="after")
    def _agree(self) -> Protocol:
        if not self.actions:
            raise ValueError("actions is empty; grant at least one of rewrite, patch, tools")
        if bool(self.tools) != ("tools" in self.actions):
            raise ValueError("tools and actions disagree: list tools exactly when actions has 'tools'")
        if self.ends_on == "answer" and ("tools" in self.actions or self.budgets.max_turns != 1):
            raise ValueError("a protocol that ends on the answer has one turn and no tools")
        if self.ends_on == "submit" and "submit" not in self.tools:
            raise ValueError("a protocol that ends on submit must grant the tool 'submit'")
        if self.preview.policy == "on-demand" and "render" not in self.tools:
            raise ValueError("previews on demand need the tool 'render'")
        return self

    @property
    def single_shot(self) -> bool:
        return self.ends_on == "answer"

    @property
    def needs_vision(self) -> bool:
        """Whether pictures are sent, so that a model without vision must be refused."""
        return self.preview.policy != "none" or "render" in self.tools

    def refuse_blind(self, model: str, takes_pictures: bool | None) -> None:
        """Raise `ConfigError` when `model` is known to take no pictures and this protocol sends some."""
        if self.needs_vision and takes_pictures is False:
            advice = "choose another model, or a protocol with text only"
            raise ConfigError(f"protocol {self.name} sends pictures, and {model} takes none; {advice}")

    @property
    def digest(self) -> str:
        """SHA-256 of everything in it; two runs with equal digests played by the same protocol."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def max_output_tokens(self, svg: str) -> int:
        """Output tokens of one message about the corrupted drawing `svg`."""
        return self.budgets.max_output_tokens.tokens(svg)

    def max_turns(self, wanted: int | None = None) -> int:
        """The turn budget: `wanted` where it is given and the protocol has more than one turn."""
        if wanted is None or self.single_shot:
            return self.budgets.max_turns
        if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1:
            raise ConfigError(f"max_turns must be a whole number of at least 1, not {wanted!r}")
        return wanted

    def vary(self, **fields: Any) -> Protocol:
        """This protocol with some top-level fields changed, validated again."""
        return _validate({**self.model_dump(mode="json"), **fields}, self.name)


def protocol_names() -> list[str]:
    """Names of the shipped protocols."""
    return sorted(path.stem for path in data_root("configs").glob("*.yaml") if not path.stem.startswith("_"))


def load_protocol(name_or_path: str | Path | Protocol) -> Protocol:
    """A protocol by shipped name, by path of a YAML file, or the value itself.

    Raises:
        UnknownName: no shipped protocol and no file is called so.
        ConfigError: the file is no valid protocol; the message says which field is wrong.
    """
    if isinstance(name_or_path, Protocol):
        return name_or_path
    path = _find(str(name_or_path), Path())
    return _validate(read_layers("protocol", path, _find, lambda layer: {"name": layer.stem}), str(path))


def _find(name: str, folder: Path) -> Path:
    own = folder / name
    path = own if own.suffix in {".yaml", ".yml"} else data_root("configs") / f"{name}.yaml"
    if not path.is_file():
        raise UnknownName("protocol", name, protocol_names())
    return path


def _validate(data: Mapping[str, Any], origin: str) -> Protocol:
    try:
        return Protocol.model_validate(data)
    except ValidationError as error:
        lines = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'protocol'}: {e['msg']}" for e in error.errors())
        raise ConfigError(f"protocol {origin} is not valid: {lines}") from error
