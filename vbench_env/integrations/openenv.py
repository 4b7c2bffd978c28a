"""OpenEnv: an environment server for trainers (`vbench-env serve openenv`).

    from openenv import GenericEnvClient

    with GenericEnvClient(base_url="http://127.0.0.1:8322").sync() as env:
        result = env.reset(task="harbor-dawn", seed=0)
        result = env.step({"tool": "submit", "args": {}})

An action is `{"tool", "args"}`, `{"text"}` or a whole assistant message with `tool_calls`; one action is one turn. The
action model takes anything, since OpenEnv loses the session of an action that its model refuses: what cannot be played
is an observation with an `error`. Every connection has an episode of its own, and one that stays idle is ended.
"""

from __future__ import annotations

import base64
import json
import secrets
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, Field

from vbench_env.env import chosen_tasks
from vbench_env.errors import MissingExtra, VBenchError
from vbench_env.integrations.session import BAD_REQUEST, Reply, Session, Source, picked

try:
    from fastapi import HTTPException
    from openenv.core.env_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import (
        Action,
        ConcurrencyConfig,
        EnvironmentMetadata,
        Observation,
        State,
    )
except ImportError as error:
    raise MissingExtra("openenv", error) from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vbench_env.task import Task

NAME = "vbench"
SPLITS = ("all", "train", "test")


class SvgAction(Action):  # type: ignore[misc]
    """One turn. Anything fits; what means nothing is answered with an `error`."""

    model_config = ConfigDict(extra="allow", validate_assignment=False)

    tool: Any = Field(default=None, description="Name of a tool.")
    args: Any = Field(default=None, description="Its arguments, an object.")
    text: Any = Field(default=None, description="Instead of a tool: a message as a model writes it.")
    metadata: Any = Field(default=None, description="Ignored.")

    def played(self) -> Any:
        """What the episode is given."""
        sent = {
            name: value for name, value in self.model_dump(exclude={"metadata"}).items() if value is not None
        }
        if set(sent) == {"text"} and isinstance(sent["text"], str):
            return sent["text"]
        if "tool_name" in sent and "tool" not in sent:  # OpenEnv's own form of a tool call
            sent["tool"] = sent.pop("tool_name")
        return sent


class SvgObservation(Observation):  # type: ignore[misc]
    """What the agent sees after a turn. The first one has `system` and `tools` in its metadata."""

    text: str = Field(description="The request and the drawing at first; then results and what is left.")
    images: list[str] = Field(default=[], description="PNGs as data addresses.")
    svg: str = Field(default="", description="The document as it is now.")
    error: str | None = Field(default=None, description="Kind of the mistake in the last action.")
    task_id: str = Field(default="", description="Name of the task.")
    score: dict[str, Any] | None = Field(default=None, description="Reward, gates and shares, at the end.")


class SvgState(State):  # type: ignore[misc]
    """Where an episode stands."""

    task_id: str = ""
    seed: int | None = None
    turns_left: int = 0
    done: bool = True


class SvgEnvironment(Environment):  # type: ignore[misc]
    """One connection's episodes, one after the other."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.session = Session(source)

    def reset(
        self, seed: Any = None, episode_id: Any = None, task: Any = None, index: Any = None, split: Any = None
    ) -> SvgObservation:
        """Start an episode.

        Args:
            seed: picks the task where none is named; a fresh one when None.
            episode_id: ignored: an episode is named by its task, protocol and seed.
            task: id of the task.
            index: number of the task in `split`, from 0.
            split: `all`, `train` or `test`.
        """
        seed = secrets.randbelow(2**31) if seed is None else seed
        try:
            if index is not None or split is not None:
                task = self._numbered(split, index, seed).task_id
        except VBenchError as error:
            return SvgObservation(text=str(error), error=BAD_REQUEST, done=True)
        reply = self.session.try_begin(task=task, seed=seed)
        if reply.error:
            return SvgObservation(text=reply.text, error=reply.error, done=True)
        about = {"system": self.session.system, "tools": self.session.source.tools}
        return self._observation(reply, metadata=about)

    def step(self, action: SvgAction, timeout_s: float | None = None) -> SvgObservation:
        """Play one turn."""
        reply = self.session.play(action.played())
        score = self.session.outcome().summary() if self.session.episode and self.session.done else None
        return self._observation(reply, reward=reply.reward, score=score)

    def _observation(self, reply: Reply, **more: Any) -> SvgObservation:
        images = ["data:image/png;base64," + base64.b64encode(png).decode() for png in reply.pictures]
        episode = self.session.episode
        return SvgObservation(
            text=reply.text, images=images, svg=self.session.document, error=reply.error, done=reply.done,
            task_id=episode.task.task_id if episode else "", **more,
        )  # fmt: skip

    @property
    def state(self) -> SvgState:
        episode = self.session.episode
        if episode is None:
            return SvgState()
        left = 0 if episode.done else episode.max_turns - episode.turn
        return SvgState(
            episode_id=episode.episode_id, step_count=episode.turn, task_id=episode.task.task_id,
            seed=episode.seed, turns_left=left, done=episode.done,
        )  # fmt: skip

    def close(self) -> None:
        """Forget the episode: the connection is gone, or was idle for too long."""
        self.session.episode = None

    def get_metadata(self) -> EnvironmentMetadata:
        from vbench_env import __version__

        return EnvironmentMetadata(
            name=NAME, description="Repair corrupted SVG drawings surgically.", version=__version__
        )

    # The tasks, for OpenEnv's task routes

    def list_splits(self) -> list[str]:
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        return len(self._listed(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        return [self.get_task(split, index) for index in range(self.num_tasks(split))]

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        tasks = self._listed(split)
        if not 0 <= index < len(tasks):
            raise HTTPException(400, f"index must be from 0 to {len(tasks) - 1}, not {index}")
        task = tasks[index]
        return {"id": task.task_id, "index": index, "instruction": task.instruction}

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        return self.list_tasks(split)[start:stop]

    def _listed(self, split: str) -> Sequence[Task]:
        """The tasks of a split, for a request over HTTP."""
        try:
            return self._split(split)
        except VBenchError as error:
            raise HTTPException(400, str(error)) from error

    def _split(self, split: Any) -> Sequence[Task]:
        source = self.session.source
        if split in (None, "all"):
            return source.tasks
        part = {task.task_id for task in chosen_tasks(None, source.config.corpus, split)}
        return [task for task in source.tasks if task.task_id in part]

    def _numbered(self, split: Any, index: Any, seed: Any) -> Task:
        return picked(self._split(split), index, seed)


def make_app(source: Source, sessions: int = 64, idle_s: float | None = 1800.0) -> Any:
    """The server as an ASGI application.

    Args:
        source: tasks and protocol.
        sessions: connections at once.
        idle_s: seconds without a message after which an episode is ended, looked at every five seconds or a quarter
            of them; never when None.
    """
    config = ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle_s)
    app = create_fastapi_app(
        lambda: SvgEnvironment(source), SvgAction, SvgObservation, concurrency_config=config, env_name=NAME,
        state_cls=SvgState,
    )  # fmt: skip
    app.add_middleware(_Readable)
    return app


class _Readable:
    """Keeps from OpenEnv's sockets what would end the session in its JSON reader; it answers that it is no JSON."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def readable() -> Any:
            message = await receive()
            if message["type"] == "websocket.receive" and not _reads(message.get("text")):
                return {"type": "websocket.receive", "text": "unreadable"}
            return message

        await self._app(scope, readable if scope["type"] == "websocket" else receive, send)


def _reads(text: str | None) -> bool:
    """Whether reading a message goes well, or fails as text that is no JSON does."""
    try:
        json.loads(text or "")
    except json.JSONDecodeError:
        return text is not None
    except (ValueError, RecursionError):  # a number of thousands of digits; thousands of brackets
        return False
    return True
