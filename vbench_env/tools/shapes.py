"""Edits of geometry that is written as lists of numbers: path data and points."""

from __future__ import annotations

from vbench_env.svg.document import Element, Refusal
from vbench_env.svg.edit import lexical, put_attributes
from vbench_env.svg.number_edit import Handle, move_point
from vbench_env.svg.path_data import PathError, parse_path
from vbench_env.svg.values import parse_points
from vbench_env.tools.address import resolve
from vbench_env.tools.attributes import Address, report
from vbench_env.tools.base import Arguments, Coordinate, ToolContext, ToolResult, tool
from vbench_env.tools.boxes import short


class SetPathArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one path element."""
    d: str
    """New path data, such as M10 10 L20 20 Z."""


class EditPathPointArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one path element."""
    index: int
    """Number of the path command, from 1; commands without a repeated letter count too (see get_element)."""
    point: Handle = "end"
    """The end point of the command, or a control point of a curve."""
    x: Coordinate | None = None
    """New absolute x in the coordinates of the path; null keeps it."""
    y: Coordinate | None = None
    """New absolute y in the coordinates of the path; null keeps it."""
    keep_rest: bool = True
    """True keeps all other points where they are; false lets the relative commands that follow move along."""


class SetPointsArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one polyline or polygon."""
    points: str
    """New list of coordinate pairs, such as 0,0 10,0 10,10."""


@tool("set_path", "edit", SetPathArgs)
def set_path(context: ToolContext, args: SetPathArgs) -> ToolResult:
    """Replace the path data (d) of one path. The new data must follow the SVG grammar."""
    element = _of_kind(resolve(context.document, args.object), {"path", "glyph", "missing-glyph"})
    try:
        parse_path(args.d)
    except PathError as error:
        raise Refusal("bad_arguments", f"d is not valid path data: {error}", "d") from error
    old = element.get("d")
    return report(context, element, put_attributes(element, {"d": args.d}), [("d", old, args.d)])


@tool("edit_path_point", "edit", EditPathPointArgs)
def edit_path_point(context: ToolContext, args: EditPathPointArgs) -> ToolResult:
    """Move one end point or control point of a path. Only its numbers change, and those of relative commands
    after it, so that the other points stay in place."""
    element = _of_kind(resolve(context.document, args.object), {"path"})
    if args.x is None and args.y is None:
        raise Refusal("bad_arguments", "give x, y or both", "x")
    written = element.attribute("d")
    if written is None:
        raise Refusal("not_applicable", f"{element.label} has no d attribute; use set_path", "object")
    try:
        moved = move_point(lexical(element, written), args.index, args.point, args.x, args.y, args.keep_rest)
    except PathError as error:
        raise Refusal(
            "not_applicable", f"the path data is not valid: {error}; use set_path", "object"
        ) from error
    change = put_attributes(element, {"d": moved.text}, keep_space=True)
    what = f"command {args.index} {args.point}"
    return report(context, element, change, [(what, _point(moved.old), _point(moved.new))])


@tool("set_points", "edit", SetPointsArgs)
def set_points(context: ToolContext, args: SetPointsArgs) -> ToolResult:
    """Replace the points of one polyline or polygon."""
    element = _of_kind(resolve(context.document, args.object), {"polyline", "polygon"})
    if parse_points(args.points) is None:
        raise Refusal(
            "bad_arguments", "points must be an even number of coordinates, such as 0,0 10,0", "points"
        )
    old = element.get("points")
    return report(
        context, element, put_attributes(element, {"points": args.points}), [("points", old, args.points)]
    )


def _point(point: tuple[float, float]) -> str:
    return f"{short(point[0])},{short(point[1])}"


def _of_kind(element: Element, tags: set[str]) -> Element:
    if element.tag not in tags:
        wanted = " or ".join(sorted(tags & {"path", "polyline", "polygon"}))
        raise Refusal("not_applicable", f"{element.label} is a {element.name}, not a {wanted}", "object")
    return element
