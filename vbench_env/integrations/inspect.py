"""Inspect: episodes as an evaluation task, and conversions that logs of runs need too.

    inspect eval vbench_env/vbench --model openai/gpt-5 -T protocol=interactive-raster

One assistant message is one turn, exactly as in a run: the conversation that the model gets is the episode's own, under
the protocol's history policy, so that every protocol works, and pictures reach every provider in user messages. Scores
are the three gates, reward and shares. A crash of scorer or renderer fails the sample instead of scoring it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from vbench_env.errors import InfrastructureError, MissingExtra
from vbench_env.integrations.session import Session, Source, SourceConfig, arguments_of
from vbench_env.scoring.scorecard import Scorecard

try:
    from inspect_ai import Epochs, Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageTool,
        ChatMessageUser,
        Content,
        ContentImage,
        ContentText,
        ModelOutput,
        get_model,
    )
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
except ImportError as error:
    raise MissingExtra("inspect", error) from error

OUTCOME = "vbench_env:outcome"
SHARES = ("reward", "valid", "repaired", "preserved", "edit_completion")


@task  # type: ignore[untyped-decorator]
def vbench(
    corpus: str = "vbench-40",
    split: str | None = None,
    protocol: str = "interactive-text",
    rules: str | None = None,
    reward: str = "gates",
    max_turns: int | None = None,
    preview_size: int | None = None,
    epochs: int = 1,
    seed: int = 0,
) -> Task:
    """Repair corrupted SVG drawings.

    Args:
        corpus: name or folder of the corpus.
        split: `train` or `test` part of it.
        protocol: name of a protocol, or its file: single-shot ones, too.
        rules: headline rule set; the protocol's when None.
        reward: `gates`, `progress` or `shaped`.
        max_turns: turn budget; the protocol's when None.
        preview_size: side of pictures in pixels.
        epochs: episodes of each drawing.
        seed: names the episodes; nothing in them is random.
    """
    config = SourceConfig.of(
        corpus=corpus, split=split, protocol=protocol, rules=rules, reward=reward, max_turns=max_turns,
        preview_size=preview_size,
    )  # fmt: skip
    source = Source(config)
    samples = [
        Sample(input=item.instruction, id=item.task_id, metadata={"task_hash": item.hash, "seed": seed})
        for item in source.tasks
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"{corpus}:{split}" if split else corpus),
        solver=play(source, seed), scorer=gates(), epochs=Epochs(epochs, "mean"), name="vbench",
        metadata={"protocol": source.protocol.name, "protocol_digest": source.protocol.digest},
    )  # fmt: skip


@solver  # type: ignore[untyped-decorator]
def play(source: Source, seed: int = 0) -> Solver:
    """Let the model play the episode to its end."""
    tools = tool_infos(source.tools if source.protocol.calls == "native" else [])

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = Session(source)
        session.begin(task=str(state.sample_id), seed=seed)
        episode, said = session.episode, list[ModelOutput]()
        assert episode is not None
        state.messages = messages_of(episode.messages)
        while not episode.done:
            sent = _with_originals(messages_of(episode.messages), said)
            output = await get_model().generate(sent, tools=tools)
            said.append(output)
            state.output = output
            session.play(reply_of(output))
            new = messages_of(episode.info()["messages"])
            state.messages += [output.message, *(item for item in new if item.role != "assistant")]
        outcome = session.outcome()
        if not outcome.reward_valid:
            raise InfrastructureError(f"the episode has no verdict: {outcome.failure}")
        state.store.set(
            OUTCOME, {**outcome.summary(), "final_svg": outcome.final_svg, "score": outcome.score}
        )
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})  # type: ignore[untyped-decorator]
def gates() -> Scorer:
    """Reward, the three gates and the share of repairs, as they came out of the episode."""

    async def score(state: TaskState, target: Target) -> Score:
        outcome = state.store.get(OUTCOME)
        return score_of(Scorecard.model_validate(outcome["score"]), outcome["final_svg"], outcome["reward"])

    return score


def score_of(card: Scorecard, final_svg: str | None, reward: float | None = None) -> Score:
    """A scorecard as a score of several values; the whole card is its metadata."""
    value: dict[str, str | int | float | bool | None] = {name: float(getattr(card, name)) for name in SHARES}
    if reward is not None:
        value["reward"] = reward
    told = [f"{card.status}: {sum(item.passed for item in card.repairs)} of {len(card.repairs)} repairs"]
    told += [f"not repaired: {item.object} {item.property}" for item in card.repairs if not item.passed]
    told += [f"changed besides: {item.object} ({item.subtype})" for item in card.changes[:20]]
    told += [f"invalid: {item.message}" for item in card.faults[:20]]
    return Score(
        value=value, answer=final_svg, explanation="\n".join(told), metadata=card.model_dump(mode="json")
    )


def tool_infos(tools: Iterable[dict[str, Any]]) -> list[ToolInfo]:
    """Tools in OpenAI form for `Model.generate`."""
    functions = [tool["function"] for tool in tools]
    return [
        ToolInfo(
            name=function["name"], description=function["description"],
            parameters=ToolParams.model_validate(_inlined(function["parameters"])),
        )
        for function in functions
    ]  # fmt: skip


def _inlined(schema: Any, defs: dict[str, Any] | None = None) -> Any:
    """A JSON Schema with its definitions in place of the references to them."""
    if isinstance(schema, list):
        return [_inlined(item, defs) for item in schema]
    if not isinstance(schema, dict):
        return schema
    defs = schema.get("$defs", defs)
    if "$ref" in schema and defs:
        return _inlined(defs[schema["$ref"].rpartition("/")[2]], defs)
    return {key: _inlined(value, defs) for key, value in schema.items() if key != "$defs"}


def messages_of(messages: Iterable[dict[str, Any]]) -> list[ChatMessage]:
    """Messages in OpenAI form."""
    made: list[ChatMessage] = []
    names: dict[str, str] = {}
    for message in messages:
        content = _content(message.get("content"))
        match message["role"]:
            case "system":
                made.append(ChatMessageSystem(content=content))
            case "user":
                made.append(ChatMessageUser(content=content))
            case "tool":
                called = message["tool_call_id"]
                made.append(ChatMessageTool(content=content, tool_call_id=called, function=names.get(called)))
            case _:
                calls = [_call(call) for call in message.get("tool_calls") or []]
                names |= {call.id: call.function for call in calls}
                made.append(ChatMessageAssistant(content=content, tool_calls=calls or None))
    return made


def _content(content: Any) -> str | list[Content]:
    if content is None or isinstance(content, str):
        return content or ""
    return [
        ContentText(text=part["text"])
        if part["type"] == "text"
        else ContentImage(image=part["image_url"]["url"])
        for part in content
    ]


def _call(call: dict[str, Any]) -> ToolCall:
    function = call["function"]
    return ToolCall(id=call["id"], function=function["name"], arguments=arguments_of(function["arguments"]))


def reply_of(output: ModelOutput) -> dict[str, Any]:
    """A model's output as the assistant message that an episode takes."""
    message = output.message
    calls = [
        {
            "id": call.id, "type": "function",
            "function": {
                "name": call.function,
                "arguments": json.dumps(call.arguments) if call.parse_error is None else str(call.parse_error),
            },
        }
        for call in message.tool_calls or []
    ]  # fmt: skip
    cut = output.stop_reason in {"max_tokens", "model_length"}
    return {
        "role": "assistant", "content": message.text or None, "tool_calls": calls,
        "finish_reason": "length" if cut else "stop",
    }  # fmt: skip


def _with_originals(messages: list[ChatMessage], said: list[ModelOutput]) -> list[ChatMessage]:
    """The model's own messages as it gave them, reasoning included, where nothing was left out of them."""
    originals = iter(said)
    made: list[ChatMessage] = []
    for message in messages:
        if isinstance(message, ChatMessageAssistant):
            original = next(originals).message
            same = len(original.tool_calls or []) == len(message.tool_calls or [])
            made.append(original if same else message)
        else:
            made.append(message)
    return made
