"""Mutators: each changes one thing in a drawing that a user could mind.

A mutator changes a draft in place and names what it did, or returns None where it found nothing to change. The
subtypes are those that a scorecard may name for it. Mutators of what is painted are in `painted`, those of the
tree in `structure`, those that change nothing on screen here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from vbench_env.audit.draft import Draft, Part
from vbench_env.audit.slots import Slot, slots
from vbench_env.svg.parse import XLINK_HREF
from vbench_env.svg.references import ARIA_REFERENCES

T = TypeVar("T")
Mutate = Callable[["Site", random.Random], str | None]


@dataclass(frozen=True, slots=True)
class Site:
    """Where a mutator may work.

    Attributes:
        draft: the drawing.
        closed: parts that are left alone with all they hold: what a repair may put there within tolerance.
        requested: (id, property) pairs that repairs ask for.
    """

    draft: Draft
    closed: frozenset[Part] = frozenset()
    requested: frozenset[tuple[str, str]] = frozenset()

    def parts(self) -> list[Part]:
        """Parts that may change, the root aside."""
        return [part for part in self.draft.root.iter() if part.parent is not None and self._open(part)]

    def slots(self) -> list[Slot]:
        """Values that may change."""
        return [slot for slot in slots(self.draft) if self._open(slot.part) and not self._requested(slot)]

    def asked(self, part: Part, *names: str) -> bool:
        """Whether a repair asks for one of these properties of the part."""
        name = part.attrs.get("id", "")
        return any((name, property_) in self.requested for property_ in names)

    def _requested(self, slot: Slot) -> bool:
        name = slot.part.attrs.get("id", "")
        own = {asked for object_, asked in self.requested if object_ == name}
        return slot.name.rpartition("}")[2] in own or (slot.name == "transform" and bool(own))

    def _open(self, part: Part) -> bool:
        at: Part | None = part
        while at is not None:
            if at in self.closed:
                return False
            at = at.parent
        return True


@dataclass(frozen=True, slots=True)
class Mutator:
    """A named mutator.

    Attributes:
        name: of the mutator.
        mutate: changes a drawing; returns what it did, or None.
        subtypes: what a scorecard may call the change; empty where any will do.
        painted: whether the change concerns what is painted, so that a picture may prove that it has no effect.
        invalid: whether the drawing may become invalid by it.
    """

    name: str
    mutate: Mutate
    subtypes: frozenset[str]
    painted: bool
    invalid: bool = False


MUTATORS: dict[str, Mutator] = {}


def mutator(
    name: str, subtypes: str = "", *, painted: bool = False, invalid: bool = False
) -> Callable[[Mutate], Mutate]:
    """Register a mutator."""

    def add(function: Mutate) -> Mutate:
        MUTATORS[name] = Mutator(name, function, frozenset(subtypes.split()), painted, invalid)
        return function

    return add


def where(part: Part) -> str:
    """A part in words."""
    name = part.attrs.get("id")
    return f"{part.tag} #{name}" if name else part.tag


def pick(rng: random.Random, found: Iterable[T]) -> T | None:
    """One of the items; None of none."""
    items = list(found)
    return rng.choice(items) if items else None


@mutator("data attribute", "metadata root")
def data_attribute(site: Site, rng: random.Random) -> str | None:
    """A new, changed or dropped `data-*`."""
    part = pick(rng, site.parts())
    if part is None:
        return None
    name = next((name for name in part.attrs if name.startswith("data-")), None)
    if name is None or rng.random() < 0.3:
        part.attrs[f"data-m{rng.randrange(99)}"] = "1"
        return f"{where(part)} data-* added"
    if rng.random() < 0.5:
        del part.attrs[name]
        return f"{where(part)} {name} dropped"
    part.attrs[name] += "x"
    return f"{where(part)} {name} changed"


_METADATA = ("class", "role", "aria-label", "aria-hidden", "lang", "tabindex", "systemLanguage")


@mutator("metadata attribute", "metadata paint geometry reference")
def metadata_attribute(site: Site, rng: random.Random) -> str | None:
    """A new, changed or dropped `class`, `role`, `aria-*`, ..."""
    part = pick(rng, site.parts())
    if part is None:
        return None
    name = pick(rng, [name for name in part.attrs if name in _METADATA]) or rng.choice(_METADATA)
    if name in part.attrs and rng.random() < 0.4:
        del part.attrs[name]
        return f"{where(part)} {name} dropped"
    part.attrs[name] = part.attrs.get(name, "") + "zz"
    return f"{where(part)} {name} changed"


@mutator("dangling accessible name", "reference metadata", invalid=True)
def accessible_name(site: Site, rng: random.Random) -> str | None:
    """An `aria-labelledby` that names something else, or nothing."""
    found = [(p, n) for p in site.parts() for n in p.attrs if n in ARIA_REFERENCES]
    chosen = pick(rng, found)
    if chosen is None:
        return None
    part, name = chosen
    part.attrs[name] = "nothing-of-that-name"
    return f"{where(part)} {name} dangles"


@mutator("title or description", "metadata text added_object")
def description(site: Site, rng: random.Random) -> str | None:
    """The text of a `title` or `desc`, or a new one."""
    part = pick(rng, [part for part in site.parts() if part.tag in ("title", "desc")])
    if part is not None:
        part.text = (part.text or "") + " too"
        return f"{part.tag} changed"
    home = pick(rng, [part for part in site.parts() if part.tag in ("g", "rect", "path", "circle")])
    if home is None:
        return None
    made = Part("title")
    made.text = "New"
    home.insert(0, made)
    return f"{where(home)} gets a title"


@mutator("foreign attribute", "metadata root")
def foreign_attribute(site: Site, rng: random.Random) -> str | None:
    """An attribute of another namespace that looks like the real one, or a camelCase spelling."""
    slot = pick(rng, [slot for slot in site.slots() if not slot.styled and slot.name[0] != "{"])
    if slot is None:
        return None
    if "-" in slot.name and not slot.name.startswith(("data-", "aria-")) and rng.random() < 0.5:
        head, _, tail = slot.name.partition("-")
        slot.part.attrs[head + tail.title().replace("-", "")] = slot.value
    else:
        slot.part.attrs[f"{{urn:other}}{slot.name}"] = slot.value + "1"
    return f"{where(slot.part)} gets a namesake of {slot.name}"


@mutator("shadowed change", "metadata geometry paint path_rewrite reference root text")
def shadowed_change(site: Site, rng: random.Random) -> str | None:
    """A colour or number changed, and its old value kept in an attribute of another namespace."""
    kinds = ("color", "paint", "length-x", "length-y", "length-diagonal")
    slot = pick(rng, [slot for slot in site.slots() if not slot.styled and slot.kind in kinds])
    if slot is None or "url(" in slot.value:
        return None
    slot.part.attrs[slot.name] = "#010203" if slot.kind in ("color", "paint") else "7.75"
    slot.part.attrs[f"{{urn:other}}{slot.name}"] = slot.value
    return f"{where(slot.part)} {slot.name} changed behind a namesake"


@mutator("id dropped", "metadata", invalid=True)
def id_dropped(site: Site, rng: random.Random) -> str | None:
    """An element loses its id."""
    part = pick(rng, [part for part in site.parts() if "id" in part.attrs])
    if part is None:
        return None
    name = part.attrs.pop("id")
    return f"id {name} dropped"


@mutator("id added", "metadata")
def id_added(site: Site, rng: random.Random) -> str | None:
    """An element without an id gets one."""
    part = pick(rng, [part for part in site.parts() if "id" not in part.attrs and part.tag[0] != "{"])
    if part is None:
        return None
    part.attrs["id"] = f"fresh-{rng.randrange(10**6)}"
    return f"{part.tag} gets an id"


@mutator("id exchanged", "reference paint geometry metadata", invalid=True)
def id_exchanged(site: Site, rng: random.Random) -> str | None:
    """Two elements, one of them referred to, exchange their ids; references stay."""
    text = "\n".join(slot.value for slot in slots(site.draft))
    named = [part for part in site.parts() if "id" in part.attrs]
    referred = [p for p in named if f"#{p.attrs['id']})" in text or _linked(site.draft, p.attrs["id"])]
    first = pick(rng, referred)
    second = pick(rng, [part for part in named if part is not first])
    if first is None or second is None:
        return None
    first.attrs["id"], second.attrs["id"] = second.attrs["id"], first.attrs["id"]
    return f"ids of {where(first)} and {where(second)} exchanged"


def _linked(draft: Draft, name: str) -> bool:
    return any(
        part.attrs.get(key) == f"#{name}" for part in draft.root.iter() for key in ("href", XLINK_HREF)
    )


@mutator("language or space", "metadata root text")
def space_attribute(site: Site, rng: random.Random) -> str | None:
    """`xml:space` or `xml:lang` set on an element."""
    part = pick(rng, [part for part in site.parts() if part.tag in ("text", "g", "tspan")])
    if part is None:
        return None
    name = rng.choice(("space", "lang"))
    key = f"{{http://www.w3.org/XML/1998/namespace}}{name}"
    value = "preserve" if name == "space" else "tlh"
    if part.attrs.get(key) == value:
        return None
    part.attrs[key] = value
    return f"{where(part)} xml:{name}"
