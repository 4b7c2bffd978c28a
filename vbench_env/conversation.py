"""What an episode tells the agent: the first messages, and one of ours after every turn."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING

from vbench_env.history import Entry, System, User
from vbench_env.observations.base import Preview
from vbench_env.protocol import Protocol
from vbench_env.svg.document import changed_span
from vbench_env.task import PublicTask
from vbench_env.tools import markdown
from vbench_env.tools.compare import difference

if TYPE_CHECKING:
    from vbench_env.render import Picture

_TOOL_CAPTION = "Picture from a tool, ${width_px} x ${height_px} pixels:"
_LONG_LINE = 400
_DIFF_NAMES = "--- start\n+++ now\n"
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
    system += f"\n\n{public.advice}" if public.advice else ""
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
        change = _one_line(note.before, note.after)
        if change is None:
            change = difference(note.before, note.after).removeprefix(_DIFF_NAMES)
        if len(change) < len(note.after):
            return f"Change of the document:\n{change}", False
    return f"The document now:\n{note.after}", True


def _one_line(old: str, new: str) -> str | None:
    """The hunk of a change inside one line of moderate length, the most frequent one; None for others."""
    edit = changed_span(old, new)[0]
    if "\n" in edit.new or "\n" in old[edit.start : edit.end]:
        return None
    top, bottom = old.rfind("\n", 0, edit.start) + 1, old.find("\n", edit.end)
    bottom = len(old) if bottom < 0 else bottom
    if bottom - top > _LONG_LINE or len(edit.new) > _LONG_LINE:
        return None
    number = old.count("\n", 0, top) + 1
    changed = f"{old[top : edit.start]}{edit.new}{old[edit.end : bottom]}"
    return f"@@ -{number} +{number} @@\n-{old[top:bottom]}\n+{changed}".replace("\r", "")


def _user(
    protocol: Protocol,
    template: str,
    slots: dict[str, str],
    drawn: tuple[Picture, ...],
    preview: Preview | None,
) -> User:
    pictures, captions = drawn, [_TOOL_CAPTION for _ in drawn]
    if preview is not None and preview.picture is not None:
        pictures = (*drawn, preview.picture)
        captions.append(protocol.prompts.preview)
    elif preview is not None:
        template += "\n\npreview unavailable: ${preview_reason}"
        slots = {**slots, "preview_reason": str(preview.reason)}
    sized = tuple(
        Template(caption).safe_substitute(width_px=picture.width_px, height_px=picture.height_px)
        for caption, picture in zip(captions, pictures, strict=True)
    )
    return User(template, tuple(slots.items()), captions=sized, pictures=pictures)
