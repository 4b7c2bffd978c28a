"""TRL: an environment class for `GRPOTrainer(environment_factory=...)`.

    from datasets import Dataset
    from trl import GRPOTrainer
    from vbench_env.integrations.trl import environment_class, rows

    SvgRepair = environment_class(protocol="interactive-text", reward="progress")
    trainer = GRPOTrainer(model, train_dataset=Dataset.from_list(rows(SvgRepair)), environment_factory=SvgRepair)

TRL reads a class: every public function of it is a tool, described by its signature and docstring, but for `reset`
and `get_reward`. The functions here are made from the registered tools, so that they are those of the protocol.
TRL has no sign for the end: after it, every call answers that the episode is over. Nothing here imports TRL.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from vbench_env.integrations.session import Reply, Session, Source, SourceConfig
from vbench_env.tools import TOOLS
from vbench_env.tools.base import Tool

Shown = str | list[dict[str, Any]]
"""A text, or content parts with pictures (`PIL.Image`)."""


class Environment:
    """One rollout at a time. `environment_class` makes the subclass with the tools."""

    source: ClassVar[Source]

    def __init__(self) -> None:
        self.session = Session(self.source)

    def reset(self, **row: Any) -> Shown:
        """Start the episode of a dataset row: by its `task` (id), `index` or `seed`; other columns are ignored.

        Raises:
            VBenchError: the row names no task, or one that is not there.
        """
        chosen = {name: row[name] for name in ("task", "index", "seed") if row.get(name) is not None}
        return _shown(self.session.begin(**chosen))

    def get_reward(self) -> float | None:
        """The reward of the rollout, which ends here; None (TRL ignores it) where scorer or renderer broke."""
        outcome = self.session.outcome("no_more_calls")
        return outcome.reward if outcome.reward_valid else None


def environment_class(config: SourceConfig | None = None, **settings: Any) -> type[Environment]:
    """A class whose public methods are the tools of a protocol.

    Args:
        config: which episodes; made from `settings` (fields of `SourceConfig`) when None.

    Raises:
        VBenchError: a setting that does not fit, or a protocol without native tool calls.
    """
    source = Source(config or SourceConfig.of(**settings))
    source.require_tools("TRL")
    methods = {name: _method(TOOLS.get(name)) for name in source.protocol.tools}
    return type("SvgRepair", (Environment,), {"source": source, "__doc__": Environment.__doc__, **methods})


def rows(environment: type[Environment], samples: int = 1) -> list[dict[str, Any]]:
    """Dataset rows, `samples` for each task: a prompt that `reset` completes, `task` and `seed`."""
    session = Session(environment.source)
    session.begin(index=0)
    prompt = [{"role": "system", "content": session.system}, {"role": "user", "content": ""}]
    return [
        {"prompt": prompt, "task": task.task_id, "seed": seed}
        for task in environment.source.tasks
        for seed in range(samples)
    ]


def _method(tool: Tool[Any]) -> Callable[..., Shown]:
    """A method that takes anything, so that wrong arguments reach the episode, and says what it should get."""

    def method(self: Environment, **arguments: Any) -> Shown:
        return _shown(self.session.call(tool.name, arguments))

    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    lines = []
    for name, info in tool.Args.model_fields.items():
        default = (
            inspect.Parameter.empty if info.is_required() else info.get_default(call_default_factory=True)
        )
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=_plain(info.annotation)))
        lines.append(f"    {name}: {' '.join((info.description or '').split())}")
    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = "\n".join([tool.description, *(["", "Args:", *lines] if lines else [])])
    method.__annotations__ = {item.name: item.annotation for item in parameters[1:]}
    method.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return method


def _plain(hint: Any) -> Any:
    """A type hint in the terms that chat templates know: no constraints, models as mappings."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _plain(args[0])
    if origin in {Union, UnionType}:
        return Union[tuple(_plain(arg) for arg in args)]  # noqa: UP007
    if origin is list:
        return list[_plain(args[0])]  # type: ignore[misc]
    if origin in {dict, Mapping} or (isinstance(hint, type) and issubclass(hint, BaseModel)):
        return dict[str, Any]
    return hint if origin is Literal or hint in _BASIC else Any


_BASIC = (str, int, float, bool, NoneType, list, dict)


def _shown(reply: Reply) -> Shown:
    if not reply.pictures:
        return reply.text
    from PIL import Image

    pictures = [Image.open(io.BytesIO(png)).convert("RGB") for png in reply.pictures]
    return [
        {"type": "text", "text": reply.text},
        *({"type": "image", "image": picture} for picture in pictures),
    ]
