"""Looking at the document as text: find elements, read one, compare with the start."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from vbench_env.svg.document import Element, Refusal
from vbench_env.svg.edit import lexical
from vbench_env.svg.number_edit import handles, segments
from vbench_env.svg.path_data import PathError
from vbench_env.tools import query
from vbench_env.tools.address import resolve
from vbench_env.tools.attributes import Address, named
from vbench_env.tools.base import Arguments, ToolContext, ToolResult, tool
from vbench_env.tools.boxes import short
from vbench_env.tools.compare import difference
from vbench_env.tools.paint import PAINT, TEXT, computed, shown

MAX_SEGMENTS = 400


class FindArgs(Arguments):
    query: str
    """What to look for, such as path[fill="#f00"], g > circle or //text[contains(., "Sale")]."""
    syntax: Literal["css", "xpath"] = "css"
    """CSS selector or XPath 1.0; SVG names need no prefix."""
    limit: int = Field(default=50, ge=1, le=500)
    """Most matches to show."""
    offset: int = Field(default=0, ge=0)
    """Matches to skip."""


class GetElementArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    points: bool = False
    """Also number the commands of a path with their points (absolute), for edit_path_point."""
    max_chars: int = Field(default=6000, ge=100, le=100_000)
    """Most characters of source to show."""


class DiffArgs(Arguments):
    context_lines: int = Field(default=1, ge=0, le=20)
    """Unchanged lines to show around each change."""


@tool("find", "look", FindArgs)
def find(context: ToolContext, args: FindArgs) -> ToolResult:
    """Find elements by CSS selector or XPath; says how many match and which."""
    document = context.document
    search = query.select if args.syntax == "css" else query.evaluate
    found = search(document, args.query)
    if isinstance(found, str):
        return ToolResult(f"value: {found}", document)
    part = found[args.offset : args.offset + args.limit]
    count = "1 match" if len(found) == 1 else f"{len(found)} matches"
    lines = [count + _page(args.offset, len(part), len(found))]
    lines += [f"{element.path}{_id_of(element)}" for element in part]
    return ToolResult("\n".join(lines), document)


@tool("get_element", "look", GetElementArgs)
def get_element(context: ToolContext, args: GetElementArgs) -> ToolResult:
    """Show one element: its source as it stands, its place, and its computed paint."""
    element = resolve(context.document, args.object)
    text = context.document.text
    first = text.count("\n", 0, element.start) + 1
    last = text.count("\n", 0, element.end) + 1
    values = computed(context.document).of(element.node)
    lines = [
        f"{named(element)} at {element.path}, lines {first}-{last}, {len(element.children)} child elements",
        f"computed: {shown(values, (*PAINT, *TEXT))}",
        _cut(element.source, args.max_chars),
    ]
    if args.points:
        lines += _points(element)
    return ToolResult("\n".join(lines), context.document)


@tool("diff", "look", DiffArgs)
def diff(context: ToolContext, args: DiffArgs) -> ToolResult:
    """Show what differs from the document that the episode started with."""
    text = difference(context.start.text, context.document.text, args.context_lines)
    return ToolResult(text or "no difference from the start", context.document)


def _id_of(element: Element) -> str:
    name = element.get("id")
    return f" id={name}" if name else ""


def _page(offset: int, count: int, total: int) -> str:
    if count == total:
        return ""
    return f", {offset + 1} to {offset + count} shown" if count else ", none of them shown at this offset"


def _cut(source: str, limit: int) -> str:
    if len(source) <= limit:
        return source
    half = limit // 2
    return f"{source[:half]}\n... {len(source) - 2 * half} characters left out ...\n{source[-half:]}"


def _points(element: Element) -> list[str]:
    written = element.attribute("d") if element.tag == "path" else None
    if written is None:
        raise Refusal("not_applicable", f"{element.label} is no path with a d attribute", "points")
    try:
        found = segments(lexical(element, written))
    except PathError as error:
        raise Refusal("not_applicable", f"the path data is not valid: {error}", "points") from error
    lines = []
    for number, segment in enumerate(found[:MAX_SEGMENTS], 1):
        points = " ".join(f"{name} {short(x)},{short(y)}" for name, (x, y) in handles(segment).items())
        lines.append(f"{number} {segment.letter} {points}".rstrip())
    if len(found) > MAX_SEGMENTS:
        lines.append(f"... {len(found) - MAX_SEGMENTS} commands more")
    return lines
