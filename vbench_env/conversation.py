"""What an episode tells the agent: the first messages, and one of ours after every turn."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING

from vbench_env.history import Entry, System, User
from vbench_env.observations.base import Preview
from vbench_env.observations.text import difference
from vbench_env.protocol import Protocol
from vbench_env.task import PublicTask
from vbench_env.tools import markdown

if TYPE_CHECKING:
    from vbench_env.render import Picture

UNCHANGED = "The document did not change."


@dataclass(frozen=True, slots=True)
class TurnNote:
    """What there is to say after a turn."""

    turn: int
    max_turns: int
    before: str
    """The document before the turn."""
    after: str
    result: str = ""
    """Results in words, where they are not sent as tool messages."""
    drawn: tuple[Picture, ...] = ()
    """Pictures that tools returned."""
    preview: Preview | None = None
    """The fresh picture, where the protocol shows one."""


def opening(
    protocol: Protocol, public: PublicTask, max_turns: int, preview: Preview | None
) -> tuple[Entry, ...]:
    """System message, and the request with the source."""
    tools = markdown(protocol.tools) if protocol.calls == "text" and protocol.tools else ""
    system = Template(protocol.prompts.system).safe_substitute(tools=tools, max_turns=max_turns)
    slots = {"instruction": public.instruction, "task_id": public.task_id, "max_turns": str(max_turns)}
    first = _user(protocol, protocol.prompts.start, slots, (), preview)
    return System(system), User(
        first.template, first.slots, public.corrupted_svg, True, first.captions, first.pictures
    )


def after_turn(protocol: Protocol, note: TurnNote) -> User:
    """Our message after a turn: results, what is left, how the document stands, pictures."""
    document, whole = _document(protocol, note)
    slots = {
        "turn": str(note.turn),
        "turns_left": str(note.max_turns - note.turn),
        "max_turns": str(note.max_turns),
        "result": note.result,
    }
    made = _user(protocol, protocol.prompts.turn, slots, note.drawn, note.preview)
    return User(made.template, made.slots, document, whole, made.captions, made.pictures)


def _document(protocol: Protocol, note: TurnNote) -> tuple[str, bool]:
    """The document for the conversation, and whether it is there as a whole."""
    if note.before == note.after:
        return UNCHANGED, False
    if protocol.documents == "diff":
        change = difference(note.before, note.after)
        if len(change) < len(note.after):
            return f"Change of the document:\n{change}", False
    return f"The document now:\n{note.after}", True


def _user(
    protocol: Protocol,
    template: str,
    slots: dict[str, str],
    drawn: tuple[Picture, ...],
    preview: Preview | None,
) -> User:
    pictures = drawn
    if preview is not None and preview.picture is not None:
        pictures = (*drawn, preview.picture)
    elif preview is not None:
        template += "\n\npreview unavailable: ${preview_reason}"
        slots = {**slots, "preview_reason": str(preview.reason)}
    captions = tuple(
        Template(protocol.prompts.preview).safe_substitute(width_px=item.width_px, height_px=item.height_px)
        for item in pictures
    )
    return User(template, tuple(slots.items()), captions=captions, pictures=pictures)
