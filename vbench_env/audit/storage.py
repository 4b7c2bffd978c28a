"""Rewriters of where a property is set: attribute, `style`, rule, parent; ids, links and defaults."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from vbench_env.audit.draft import Draft, Part
from vbench_env.audit.rewriters import rewriter, some
from vbench_env.audit.slots import Slot, has_sheets, slots
from vbench_env.svg.cascade import Sheets
from vbench_env.svg.parse import XLINK_HREF, Node, parse
from vbench_env.svg.references import ARIA_REFERENCES
from vbench_env.svg.schema import (
    ANIMATIONS,
    CONTAINERS,
    DESCRIPTIVE,
    HREF_INHERITED,
    INITIAL,
    PRESENTATION,
    is_property,
)
from vbench_env.svg.values import Declaration, parse_length, parse_number

_NEED_UNITS = frozenset({"font-size", "letter-spacing", "word-spacing", "kerning", "baseline-shift"})
_RELATIVE = re.compile(
    r"[0-9.](?:em|ex|rem|ch|vw|vh|%)|inherit|unset|initial|revert|currentcolor|var\(|calc\(", re.I
)


def _css_value(name: str, value: str) -> str | None:
    """An attribute's value as CSS accepts it; None where that is in doubt."""
    if ";" in value or "!" in value or "{" in value or "\\" in value or not value.strip():
        return None
    if name not in _NEED_UNITS:
        return value
    if parse_number(value) is not None:
        return value.strip() + "px"
    length = parse_length(value, True)
    return value if length is not None and length.unit else None


@rewriter("attribute to style")
def attribute_to_style(draft: Draft, rng: random.Random) -> bool:
    """A presentation attribute as a declaration, in drawings without style sheets."""
    if has_sheets(draft):
        return False
    done = False
    for slot in some(rng, [slot for slot in slots(draft) if slot.is_property and not slot.styled]):
        value = _css_value(slot.name, slot.value)
        declared = {d.name for d in slot.part.style()}
        if value is None or declared & {slot.name, "font", "marker", "all"} or slot.name == "transform":
            continue
        slot.part.set_style([*slot.part.style(), Declaration(slot.name, value, False)])
        slot.drop()
        done = True
    return done


@rewriter("style to attribute")
def style_to_attribute(draft: Draft, rng: random.Random) -> bool:
    """A declaration as a presentation attribute, in drawings without style sheets."""
    if has_sheets(draft):
        return False
    done = False
    for slot in some(rng, [slot for slot in slots(draft) if slot.styled and slot.is_property]):
        if slot.important or not is_property(slot.part.tag, slot.name) or _doubtful(slot):
            continue
        slot.drop()
        slot.part.attrs[slot.name] = slot.value
        done = True
    return done


def _doubtful(slot: Slot) -> bool:
    """Whether CSS may ignore the declaration that stands there, so that an attribute would change something."""
    number = parse_number(slot.value)
    return slot.name in _NEED_UNITS and number is not None and number != 0


@rewriter("declaration order")
def declaration_order(draft: Draft, rng: random.Random) -> bool:
    """Declarations of different properties in another order, with other white space."""
    done = False
    for part in draft.root.iter():
        found = part.style() if part.tag[0] != "{" else []
        names = {d.name for d in found}
        if len(found) < 2 or len(names) < len(found) or names & {"font", "marker", "all"}:
            continue
        rng.shuffle(found)
        gap = rng.choice(("", " ", "\n  "))
        part.attrs["style"] = gap + f";{gap}".join(
            f"{d.name}:{gap}{d.value}{' !important' if d.important else ''}" for d in found
        )
        if rng.random() < 0.5:
            part.attrs["style"] += "; /* kept; as is */"
        done = True
    return done


def _sinkable(name: str, value: str) -> bool:
    info = PRESENTATION.get(name)
    return (
        info is not None
        and info.inherited
        and not _RELATIVE.search(value)
        and name not in ("font-size", "color")
    )


def _takes_properties(part: Part) -> bool:
    return part.tag not in DESCRIPTIVE | ANIMATIONS | {"style", "script", "defs"} and part.tag[0] != "{"


@rewriter("inherited to explicit")
def inherited_to_explicit(draft: Draft, rng: random.Random) -> bool:
    """A container's inherited property on each of its children instead."""
    if has_sheets(draft) or _says_sizes_by_font(draft):
        return False
    found = [
        (part, name)
        for part in draft.root.iter()
        if part.tag in CONTAINERS and part.children and all(map(_takes_properties, part.children))
        for name, value in part.attrs.items()
        if is_property(part.tag, name)
        and _sinkable(name, value)
        and name not in {d.name for d in part.style()}
    ]
    if not found:
        return False
    part, name = rng.choice(found)
    if _drawn_elsewhere(draft, part):
        return False
    value = part.attrs.pop(name)
    for child in part.children:
        if name not in child.attrs and name not in {d.name for d in child.style()}:
            child.attrs[name] = value
    return True


def _drawn_elsewhere(draft: Draft, part: Part) -> bool:
    """Whether a link draws something of the subtree at another place, where it inherits other values."""
    names = {f"#{inner.attrs['id']}" for inner in part.iter() if inner is not part and "id" in inner.attrs}
    links = (inner.attrs.get(key) for inner in draft.root.iter() for key in ("href", XLINK_HREF))
    return any(link in names for link in links)


def _says_sizes_by_font(draft: Draft) -> bool:
    return any(d.name in ("font", "all", "marker") for part in draft.root.iter() for d in part.style())


@rewriter("explicit to inherited")
def explicit_to_inherited(draft: Draft, rng: random.Random) -> bool:
    """A property that all children of a container set alike, on the container instead."""
    if has_sheets(draft) or _says_sizes_by_font(draft):
        return False
    found = [
        (part, name)
        for part in draft.root.iter()
        if part.tag in ("g", "svg", "a") and part.children and all(map(_takes_properties, part.children))
        for name in part.children[0].attrs
        if _shared(part, name)
    ]
    if not found:
        return False
    part, name = rng.choice(found)
    if _drawn_elsewhere(draft, part):
        return False
    part.attrs[name] = part.children[0].attrs[name]
    for child in part.children:
        del child.attrs[name]
    return True


def _shared(part: Part, name: str) -> bool:
    value = part.children[0].attrs[name]
    return (
        is_property(part.children[0].tag, name)
        and _sinkable(name, value)
        and all(child.attrs.get(name) == value for child in part.children)
        and name not in part.attrs
        and name not in {d.name for d in part.style()}
    )


@rewriter("rule to attributes")
def rule_to_attributes(draft: Draft, rng: random.Random) -> bool:
    """A declaration of a rule as an attribute of every element that the rule matches."""
    document = parse(Draft(draft.root.copy(), draft.instructions).text())
    sheets = Sheets(document)
    if len(sheets.css) != 1 or sheets.conditional or not sheets.rules or draft.instructions:
        return False
    parts = dict(zip(document.nodes, draft.root.iter(), strict=True))
    number = rng.randrange(len(sheets.rules))
    rule = sheets.rules[number]
    matched = [node for node in document.nodes if number in sheets.match(node).rules]
    movable = [d for d in rule.declarations if _movable(d, number, sheets, matched)]
    if not movable or not matched:
        return False
    moved = rng.choice(movable)
    style = next(part for part in draft.root.iter() if part.tag == "style")
    rewritten = _without(style.text, sheets, number, moved)
    if rewritten is None:
        return False
    style.text = rewritten
    for node in matched:
        parts[node].attrs[moved.name] = moved.value
    return True


def _movable(declaration: Declaration, number: int, sheets: Sheets, matched: list[Node]) -> bool:
    if declaration.important or declaration.name not in PRESENTATION:
        return False
    if parse_number(declaration.value) and declaration.name in _NEED_UNITS:
        return False
    for node in matched:
        others = [d.name for i in sheets.match(node).rules for d in sheets.rules[i].declarations]
        names = {"font", "marker", "all"} & set(others)
        if others.count(declaration.name) != 1 or names or not is_property(node.tag, declaration.name):
            return False
    return True


def _without(text: str, sheets: Sheets, number: int, moved: Declaration) -> str | None:
    """The sheet written anew without one declaration; None where it holds more than rules."""
    if sheets.sheets[0].opaque:
        return None
    out = []
    for place, rule in enumerate(sheets.rules):
        kept = [d for d in rule.declarations if place != number or d is not moved]
        body = ";".join(f"{d.name}:{d.value}{'!important' if d.important else ''}" for d in kept)
        if kept:
            out.append(f"{rule.selector}{{{body}}}")
    return "\n".join(out)


_URL = re.compile(r"""(url\(\s*['"]?#)([^'"()\s]+)""")


@rewriter("ids renamed")
def ids_renamed(draft: Draft, rng: random.Random) -> bool:
    """Every id by another name, through all channels."""
    ids = [part.attrs["id"] for part in draft.root.iter() if "id" in part.attrs]
    if (
        not ids
        or len(set(ids)) != len(ids)
        or any(not re.fullmatch(r"[A-Za-z_][\w-]*", name) for name in ids)
    ):
        return False
    sheets = [part for part in draft.root.iter() if part.tag.rpartition("}")[2] == "style"]
    if any("[" in part.text or "@" in part.text or "\\" in part.text for part in sheets):
        return False
    fresh = [f"{rng.choice('abcxyz')}{rng.randrange(16**5):x}-{number}" for number in range(len(ids))]
    names = dict(zip(ids, fresh, strict=True))
    for part in draft.root.iter():
        _rename(part, names)
    for part in sheets:
        part.text = _rename_sheet(part.text, names)
    return True


def _rename(part: Part, names: Mapping[str, str]) -> None:
    for name, value in part.attrs.items():
        if name == "id":
            value = names[value]
        elif name in ("href", XLINK_HREF) and value.startswith("#"):
            value = "#" + names.get(value[1:], value[1:])
        elif name in ARIA_REFERENCES:
            value = " ".join(names.get(word, word) for word in value.split())
        elif name in ("begin", "end") and part.tag in ANIMATIONS:
            value = ";".join(_rename_timing(item, names) for item in value.split(";"))
        elif not name.startswith("data-"):
            value = _URL.sub(lambda m: m[1] + names.get(m[2], m[2]), value)
        part.attrs[name] = value


def _rename_timing(item: str, names: Mapping[str, str]) -> str:
    head, dot, rest = item.partition(".")
    return f"{names[head.strip()]}.{rest}" if dot and head.strip() in names else item


def _rename_sheet(text: str, names: Mapping[str, str]) -> str:
    text = _URL.sub(lambda m: m[1] + names.get(m[2], m[2]), text)
    return re.sub(r"#([\w-]+)(?=[^{}]*\{)", lambda m: "#" + names.get(m[1], m[1]), text)


@rewriter("href for xlink:href")
def href_form(draft: Draft, rng: random.Random) -> bool:
    """`xlink:href` as `href`, or back."""
    found = [part for part in draft.root.iter() if (XLINK_HREF in part.attrs) != ("href" in part.attrs)]
    found = [part for part in found if part.tag[0] != "{"]
    if not found:
        return False
    for part in found if rng.random() < 0.5 else [rng.choice(found)]:
        old = XLINK_HREF if XLINK_HREF in part.attrs else "href"
        part.attrs["href" if old == XLINK_HREF else XLINK_HREF] = part.attrs.pop(old)
    return True


@rewriter("defaults written out")
def defaults_written_out(draft: Draft, rng: random.Random) -> bool:
    """Initial values of attributes, and of properties that are not inherited, where nothing else sets them."""
    sheets = has_sheets(draft)
    found: list[tuple[Part, str, str]] = []
    for part in draft.root.iter():
        if part.tag[0] == "{" or part.parent is None:
            continue
        linked = part.tag in HREF_INHERITED and ("href" in part.attrs or XLINK_HREF in part.attrs)
        for name, value in {} if linked else INITIAL.get(part.tag, {}).items():
            found.append((part, name, value))
        if not sheets and part.tag in ("path", "rect", "circle", "g", "use", "text"):
            found += [(part, "opacity", "1"), (part, "display", "inline"), (part, "mask", "none")]
    found = [(part, name, value) for part, name, value in found if _free(part, name, value)]
    for part, name, value in rng.sample(found, min(len(found), rng.randint(1, 5))):
        part.attrs[name] = value
    return bool(found)


def _free(part: Part, name: str, value: str) -> bool:
    said = name in part.attrs or name in {d.name for d in part.style()}
    return not said and value not in ("", "auto")
