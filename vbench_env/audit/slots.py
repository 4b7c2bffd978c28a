"""Where values stand in a drawing: attributes and declarations of `style` attributes, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vbench_env.audit.draft import Draft, Part
from vbench_env.svg.schema import PRESENTATION, attribute_kind, is_property


@dataclass(frozen=True, slots=True)
class Slot:
    """A value of a part: of an attribute, or with `styled` of a declaration."""

    part: Part
    name: str
    value: str
    styled: bool = False
    important: bool = False

    @property
    def kind(self) -> str:
        """How the value is read; see `vbench_env.svg.schema.Kind`. Empty for what is read as it is written."""
        if self.styled:
            info = PRESENTATION.get(self.name)
            return info.kind if info else ""
        if self.part.tag[0] == "{" or self.name[0] == "{":
            return ""
        return str(attribute_kind(self.part.tag, self.name))

    @property
    def is_property(self) -> bool:
        """Whether it says the value of a presentation property."""
        return self.name in PRESENTATION if self.styled else is_property(self.part.tag, self.name)

    def put(self, value: str) -> None:
        """Write another value in its place."""
        if not self.styled:
            self.part.attrs[self.name] = value
            return
        found = self.part.style()
        self.part.set_style([d._replace(value=value) if d.name == self.name else d for d in found])

    def drop(self) -> None:
        """Take the attribute or declaration away."""
        if self.styled:
            self.part.set_style([d for d in self.part.style() if d.name != self.name])
        else:
            self.part.attrs.pop(self.name, None)


def slots(draft: Draft) -> list[Slot]:
    """Every value of a drawing in document order."""
    return [slot for part in draft.root.iter() for slot in slots_of(part)]


def slots_of(part: Part) -> Iterator[Slot]:
    """Every value of one part."""
    for name, value in part.attrs.items():
        if name == "style" and part.tag[0] != "{":
            names = [d.name for d in part.style()]
            if len(set(names)) == len(names):
                yield from (Slot(part, d.name, d.value, True, d.important) for d in part.style())
        elif name != "id":
            yield Slot(part, name, value)


def has_sheets(draft: Draft) -> bool:
    """Whether style sheets may decide what an element looks like."""
    return bool(draft.instructions) or any(
        part.tag.rpartition("}")[2] == "style" for part in draft.root.iter()
    )
