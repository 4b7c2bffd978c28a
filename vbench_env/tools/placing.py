"""Move, scale and rotate by the least invasive edit.

Where the geometry attributes can say it (x and y, cx and cy, points, r), they do. Else the `transform`
does: a number in it where it already has the right function, or a function put in front.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from vbench_env.svg import place_edit, transform_edit
from vbench_env.svg.document import Element, Refusal
from vbench_env.svg.edit import lexical, put_several
from vbench_env.svg.geometry import inner_matrix, matrix_to
from vbench_env.svg.place_edit import Wanted
from vbench_env.svg.schema import GEOMETRY_PROPERTIES, SHAPES
from vbench_env.svg.transform import Matrix, Point, parse_functions
from vbench_env.tools.address import resolve
from vbench_env.tools.attributes import Address, named, report
from vbench_env.tools.base import Arguments, Coordinate, ToolContext, ToolResult, tool
from vbench_env.tools.boxes import canvas_box
from vbench_env.tools.paint import computed

Pair = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
About = Literal["center", "origin"]
TRANSFORMABLE = SHAPES | {"text", "g", "a", "use", "image", "switch", "foreignObject", "clipPath"}
"""Elements on which every SVG viewer heeds `transform`."""


class MoveArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    dx: Coordinate
    """How far to the right, in user units of the root (those of the boxes that list_objects shows)."""
    dy: Coordinate
    """How far down, in the same units."""


class ScaleArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    sx: Coordinate
    """Factor; 2 doubles. Along the x axis when sy is given too."""
    sy: Coordinate | None = None
    """Factor along the y axis; null takes sx for both."""
    about: About | Pair = "center"
    """What stays in place: the center of the object's box, its origin (0,0 of its own units), or [x, y]."""


class RotateArgs(Arguments):
    object: Address
    """Id, structural path or CSS selector of one element."""
    degrees: Coordinate
    """Angle, clockwise on the canvas."""
    about: About | Pair = "center"
    """What stays in place: the center of the object's box, its origin (0,0 of its own units), or [x, y]."""


@tool("move", "edit", MoveArgs)
def move(context: ToolContext, args: MoveArgs) -> ToolResult:
    """Move one object by a distance on the canvas. Changes its position attributes or points where it can,
    else its transform."""
    place = _place(resolve(context.document, args.object))
    delta = _inverse(place).apply_vector(args.dx, args.dy)
    wanted = place_edit.moved(place.element, delta) if place.plain else None
    return _told(context, place, wanted, transform_edit.moved(place.transform, delta))


@tool("scale", "edit", ScaleArgs)
def scale(context: ToolContext, args: ScaleArgs) -> ToolResult:
    """Scale one object about a point. Changes its size attributes or points where they can say it, else its
    transform (which scales strokes too)."""
    factors = (args.sx, args.sx if args.sy is None else args.sy)
    if 0 in factors:
        raise Refusal("bad_arguments", "a factor of 0 would make the object vanish; use delete_element", "sx")
    place = _place(resolve(context.document, args.object))
    point = _fixed_point(place, args.about)
    wanted = place_edit.scaled(place.element, factors, point) if place.plain else None
    return _told(context, place, wanted, transform_edit.scaled(place.transform, factors, point))


@tool("rotate", "edit", RotateArgs)
def rotate(context: ToolContext, args: RotateArgs) -> ToolResult:
    """Rotate one object about a point, through its transform."""
    place = _place(resolve(context.document, args.object))
    point = _fixed_point(place, args.about)
    degrees = args.degrees if place.outer.determinant >= 0 else -args.degrees
    return _told(context, place, None, transform_edit.rotated(place.transform, degrees, point))


class _Place(NamedTuple):
    """An element, its transform as written, and the matrix from its parent's units to the canvas.

    `plain` says that nothing but its geometry attributes decides where it is in its parent.
    """

    element: Element
    transform: str
    outer: Matrix
    plain: bool


def _place(element: Element) -> _Place:
    node = element.node
    if node.parent is None:
        raise Refusal("not_applicable", "the root element cannot be placed; place what is in it", "object")
    written = element.attribute("transform")
    text = "" if written is None else lexical(element, written)
    functions = parse_functions(text)
    if functions is None:
        raise Refusal(
            "not_applicable", f"the transform of {named(element)} is not valid; set it first", "object"
        )
    declared = computed(element.document).declared_names(node)
    if "transform" in declared:
        message = f"CSS sets the transform of {named(element)}, so its attribute has no effect; use set_style"
        raise Refusal("not_applicable", message, "object")
    outer = matrix_to(node.parent)
    if outer is None:
        raise Refusal("unavailable", f"where {named(element)} is on the canvas is not known", "object")
    plain = not functions and not declared & GEOMETRY_PROPERTIES
    return _Place(element, text, outer @ inner_matrix(node.parent), plain)


def _inverse(place: _Place) -> Matrix:
    inverse = place.outer.inverse()
    if inverse is None:
        raise Refusal("not_applicable", f"a transform flattens {named(place.element)} to nothing", "object")
    return inverse


def _fixed_point(place: _Place, about: str | list[float]) -> Point:
    """The point that stays, in the units of the object's parent."""
    if about == "origin":
        return transform_edit.origin(place.transform)
    if isinstance(about, list):
        return _inverse(place).apply(about[0], about[1])
    placed = canvas_box(place.element)
    if placed is None:
        message = f"the box of {named(place.element)} is not known; give about as [x, y]"
        raise Refusal("not_applicable", message, "about")
    return _inverse(place).apply(*placed.center)


def _told(context: ToolContext, place: _Place, wanted: Wanted | None, transform: str) -> ToolResult:
    """Set the attributes, or the transform when attributes cannot say it."""
    element = place.element
    if wanted is None and element.tag not in TRANSFORMABLE:
        message = (
            f"{named(element)} takes no transform, and its attributes cannot say this; use set_attribute"
        )
        raise Refusal("not_applicable", message, "object")
    if wanted is None:
        wanted = [(element, {"transform": transform})]
    change = put_several(wanted, keep_space=True)
    values = [
        (name if item == element else f"{named(item)} {name}", item.get(name), value)
        for item, attributes in wanted
        for name, value in attributes.items()
    ]
    if not change.edits:
        return ToolResult(f"unchanged: {named(element)} is already there", context.document)
    return report(context, element, change, values)
