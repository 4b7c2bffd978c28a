"""What a tool is, and the one way to call it.

A tool is a pydantic model of its arguments and a pure function `(context, arguments) -> result`. The context
and the documents in it are values: a tool never changes them, it returns a new document. The argument model
is the one source of the JSON Schema, the OpenAI description, the Markdown page and the parser.

`call_tool` takes whatever an agent sent and never raises for it: a wrong name, broken JSON, a wrong argument
or an edit that cannot be done comes back as a `ToolResult` with an error and the document it was given.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vbench_env.errors import UnknownName
from vbench_env.registry import Registry
from vbench_env.svg.document import Edit, Refusal, SourceDocument, changed_span

if TYPE_CHECKING:
    from vbench_env.render import Picture, Renderer

Group = Literal["look", "edit", "control"]
MAX_ARGUMENT_CHARACTERS = 8_000_000
"""Longest argument text that is parsed; longer ones are `too_large`."""
_LOG = logging.getLogger(__name__)


class ErrorKind(StrEnum):
    """Why a call did nothing. These values are stable: agents and reports may rely on them."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> ErrorKind:
        kind = str.__new__(cls, value)
        kind._value_, kind.meaning = value, meaning
        return kind

    UNKNOWN_TOOL = "unknown_tool", "No tool of that name is offered here."
    BAD_ARGUMENTS = "bad_arguments", "The arguments are not JSON, not an object, or do not fit the tool."
    NOT_FOUND = "not_found", "Nothing in the document is what the call names."
    AMBIGUOUS = "ambiguous", "Several things in the document are what the call names."
    NOT_APPLICABLE = "not_applicable", "The object is there, but this cannot be done to it."
    MALFORMED_DOCUMENT = (
        "malformed_document",
        "The document is not well-formed, so only text tools work on it.",
    )
    MALFORMED_RESULT = "malformed_result", "The edit would make the document malformed."
    PATCH_FAILED = (
        "patch_failed",
        "The patch cannot be read, or a hunk of it fits nowhere or in several places.",
    )
    TOO_LARGE = "too_large", "The arguments or the result cross a limit of size."
    UNAVAILABLE = "unavailable", "This cannot be computed or drawn; the message says why."
    INTERNAL = "internal", "The tool itself failed on this input; nothing was changed."


@dataclass(frozen=True, slots=True)
class ToolError:
    """An agent's mistake as an observation.

    `kind` is one of `ErrorKind`; `place` names the argument, object or line; `raw` is the argument text as it
    was sent, when it could not be read.
    """

    kind: str
    message: str
    place: str | None = None
    raw: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may look at: the document, the one the episode began with, and the ones in between.

    `history` holds earlier documents, oldest first, one for each change that can be undone. `picture_size` is
    the width and height in pixels of the pictures that tools draw. `offered` limits what `batch` may call.
    """

    document: SourceDocument
    start: SourceDocument
    history: tuple[SourceDocument, ...] = ()
    renderer: Renderer | None = field(default=None, repr=False)
    picture_size: tuple[int, int] = (512, 512)
    offered: tuple[str, ...] | None = None

    @classmethod
    def begin(cls, svg: str | bytes, renderer: Renderer | None = None) -> ToolContext:
        """The context of an episode that starts from `svg`."""
        document = SourceDocument.read(svg)
        return cls(document, document, renderer=renderer)

    def after(self, result: ToolResult) -> ToolContext:
        """The context of the next call: the result's document, with the present one to go back to."""
        if result.history is not None:
            return replace(self, document=result.document, history=result.history)
        if result.document is self.document:
            return self
        return replace(self, document=result.document, history=(*self.history, self.document))


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gives back.

    Attributes:
        text: what the agent reads; empty when there is an error.
        document: the document afterwards, the very same object when nothing changed.
        error: why nothing was done, or None.
        pictures: drawings to show the agent.
        ends: True when the call ends the episode.
        edits: what was replaced, as spans of the document before the call.
        history: set by tools that go back in it; otherwise the usual rule of `ToolContext.after` holds.
    """

    text: str
    document: SourceDocument
    error: ToolError | None = None
    pictures: tuple[Picture, ...] = ()
    ends: bool = False
    edits: tuple[Edit, ...] = ()
    history: tuple[SourceDocument, ...] | None = None


class Arguments(BaseModel):
    """Base of every argument model: nothing extra is taken, and the text under a field describes it."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        coerce_numbers_to_str=True,
        allow_inf_nan=False,
    )


Coordinate = Annotated[float, Field(ge=-1e9, le=1e9)]
"""A length, factor or angle that a drawing can hold."""

A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """A tool: its name, what it does, its arguments and its function.

    `run` may raise `Refusal`; `call_tool` turns it into the result's error.
    """

    name: str
    description: str
    Args: type[A]
    group: Group
    run: Callable[[ToolContext, A], ToolResult]


TOOLS: Registry[Tool[Any]] = Registry("tool", group="vbench_env.tools")


def tool(
    name: str, group: Group, arguments: type[A]
) -> Callable[[Callable[[ToolContext, A], ToolResult]], Callable[[ToolContext, A], ToolResult]]:
    """Register a function as a tool; its docstring is the description."""

    def register(run: Callable[[ToolContext, A], ToolResult]) -> Callable[[ToolContext, A], ToolResult]:
        description = " ".join((run.__doc__ or "").split())
        TOOLS.add(name, Tool(name, description, arguments, group, run))
        return run

    return register


def call_tool(
    context: ToolContext,
    name: str,
    arguments: Mapping[str, Any] | str | None = None,
    offered: Iterable[str] | None = None,
) -> ToolResult:
    """Call a tool by name with whatever an agent sent; never raises for the agent's fault.

    Args:
        context: documents and renderer.
        name: name of the tool.
        arguments: a mapping, a JSON text, or None (or an empty text) for no arguments.
        offered: the names that the agent was offered; every registered tool when None.

    Returns:
        The tool's result; with an error, `document` is `context.document` itself.
    """
    names = tuple(offered) if offered is not None else context.offered
    if names is not None and context.offered != names:
        context = replace(context, offered=names)
    try:
        chosen = _chosen(name, names)
        return _clean(chosen.run(context, chosen.Args.model_validate(_mapping(arguments))))
    except ValidationError as error:
        return failed(context, ErrorKind.BAD_ARGUMENTS, describe(error, chosen), _first_place(error))
    except _Unreadable as error:
        return failed(
            context, error.kind, error.message, "args", raw=arguments if isinstance(arguments, str) else None
        )
    except Refusal as refusal:
        return failed(context, refusal.kind, refusal.message, refusal.place)
    except Exception as error:
        _LOG.exception("tool %r failed", name)
        message = f"{name} failed on this input ({type(error).__name__}); the document is unchanged"
        return failed(context, ErrorKind.INTERNAL, message)


def failed(
    context: ToolContext, kind: str, message: str, place: str | None = None, raw: str | None = None
) -> ToolResult:
    """A result that changes nothing and says why."""
    shown = None if place is None else printable(place)
    return ToolResult("", context.document, ToolError(str(kind), printable(message), shown, raw))


def changed(
    context: ToolContext, document: SourceDocument, text: str, edits: tuple[Edit, ...] | None = None
) -> ToolResult:
    """A result that changes the document; `edits` are found by comparison when None."""
    if edits is None:
        edits = changed_span(context.document.text, document.text)
    return ToolResult(text, document, edits=edits)


def printable(text: str) -> str:
    """`text` as it can be sent and stored: lone surrogates become escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class _Unreadable(Exception):
    def __init__(self, kind: ErrorKind, message: str) -> None:
        self.kind, self.message = kind, message
        super().__init__(message)


def _chosen(name: object, offered: tuple[str, ...] | None) -> Tool[Any]:
    known = TOOLS.names() if offered is None else offered
    if not isinstance(name, str) or name not in known:
        shown = name[:80] if isinstance(name, str) else type(name).__name__
        raise Refusal(ErrorKind.UNKNOWN_TOOL, str(UnknownName("tool", shown, known)), "tool")
    return TOOLS.get(name)


def _mapping(arguments: object) -> dict[str, Any]:
    if isinstance(arguments, Mapping):
        return dict(arguments)
    if arguments is None:
        return {}
    if not isinstance(arguments, str):
        raise _Unreadable(
            ErrorKind.BAD_ARGUMENTS, f"arguments must be a JSON object, not {type(arguments).__name__}"
        )
    return _parsed(arguments)


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > MAX_ARGUMENT_CHARACTERS:
        message = f"arguments have {len(text)} characters, more than {MAX_ARGUMENT_CHARACTERS}"
        raise _Unreadable(ErrorKind.TOO_LARGE, message)
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"arguments are not valid JSON ({_reason(error)})"
        advice = "; nothing was executed, send the whole call again"
        raise _Unreadable(ErrorKind.BAD_ARGUMENTS, message + advice) from error
    if not isinstance(value, dict):
        raise _Unreadable(
            ErrorKind.BAD_ARGUMENTS, f"arguments must be a JSON object, not {type(value).__name__}"
        )
    return value


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)[:120] or "args"


def _first_place(error: ValidationError) -> str:
    return _place(error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"])


def describe(error: ValidationError, chosen: Tool[Any]) -> str:
    """What is wrong with the arguments, one clause each, with the arguments that the tool takes."""
    clauses = []
    for item in error.errors(include_url=False, include_input=False, include_context=False)[:5]:
        clauses.append(f"{_place(item['loc'])}: {item['msg']}")
    takes = ", ".join(
        name if info.is_required() else f"{name} (optional)"
        for name, info in chosen.Args.model_fields.items()
    )
    return f"{'; '.join(clauses)}. {chosen.name} takes: {takes or 'no arguments'}"


def _clean(result: ToolResult) -> ToolResult:
    text = printable(result.text)
    return result if text == result.text else replace(result, text=text)
