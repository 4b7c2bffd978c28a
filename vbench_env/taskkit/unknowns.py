"""The unknown of a repair: which values a property can take along one parameter, and the one that fits.

Evidence about where something lies gives one equation: a measure of the object equals a number. `solve` turns
the parameter until it holds. The parameter is the number itself, a shift along an axis, the angle of the last
`rotate()`, or a scale about the point that the transform keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from vbench_env.repair import Repair
from vbench_env.svg.transform import IDENTITY, Function, Matrix, parse_functions
from vbench_env.taskkit.build import put_value, shown
from vbench_env.taskkit.outlines import OUTLINES, mapped, read_outline, vertices, with_vertex, write_outline
from vbench_env.taskkit.scene import Scene, Unfounded

Axis = Literal["x", "y"]
Values = Callable[[float], str]

TRANSFORMS = frozenset({"transform", "gradientTransform", "patternTransform"})


@dataclass(frozen=True, slots=True)
class Unknown:
    """Values along one parameter; `start` is the parameter of the corrupted value."""

    values: Values
    start: float


def unknown(scene: Scene, repair: Repair, axis: Axis = "x", vertex: int | None = None) -> Unknown:
    """The unknown that evidence along `axis` of the drawing asks for."""
    name, prop = repair.object, repair.property
    if prop in TRANSFORMS:
        return _transform(scene, repair, axis)
    if prop in OUTLINES and vertex is not None:
        return _vertex(scene, repair, axis, vertex)
    if prop in OUTLINES:
        return _outline(scene, repair, axis)
    return Unknown(shown, scene.number(name, prop))


def _transform(scene: Scene, repair: Repair, axis: Axis) -> Unknown:
    text = scene.text(repair.object, repair.property) or ""
    functions = parse_functions(text)
    if functions is None:
        raise Unfounded(f"{repair.property} of {repair.object!r} cannot be read")
    if repair.operation == "rotate":
        return _turned(functions)
    if repair.operation == "resize":
        return _scaled(functions)
    back = scene.parent_matrix(scene.node(repair.object)).inverse()
    if back is None:
        raise Unfounded(f"{repair.object!r} lies under a transform that flattens it")
    dx, dy = back.apply_vector(*_unit(axis))
    return Unknown(lambda t: f"translate({shown(dx * t)} {shown(dy * t)}) {text}".strip(), 0.0)


def _unit(axis: Axis) -> tuple[float, float]:
    return (1.0, 0.0) if axis == "x" else (0.0, 1.0)


def _turned(functions: tuple[Function, ...]) -> Unknown:
    places = [place for place, function in enumerate(functions) if function.name == "rotate"]
    if not places:
        return Unknown(lambda t: write_functions((*functions, Function("rotate", (t,)))), 0.0)
    place = places[-1]
    args = functions[place].args

    def values(t: float) -> str:
        return write_functions(
            (*functions[:place], Function("rotate", (t, *args[1:])), *functions[place + 1 :])
        )

    return Unknown(values, args[0])


def _scaled(functions: tuple[Function, ...]) -> Unknown:
    places = [place for place, function in enumerate(functions) if function.name == "scale"]
    if not places:
        return Unknown(lambda t: write_functions((*functions, Function("scale", (t,)))), 1.0)
    place = places[-1]
    first = functions[place].args[0] or 1.0
    shape = tuple(value / first for value in functions[place].args)

    def values(t: float) -> str:
        scale = Function("scale", tuple(t * value for value in shape))
        return write_functions((*functions[:place], scale, *functions[place + 1 :]))

    return Unknown(values, functions[place].args[0])


def write_functions(functions: tuple[Function, ...]) -> str:
    return " ".join(f"{name}({' '.join(map(shown, map(float, args)))})" for name, args in functions)


def _outline(scene: Scene, repair: Repair, axis: Axis) -> Unknown:
    name, prop = repair.object, repair.property
    commands = read_outline(prop, scene.text(name, prop) or "")
    back = scene.matrix(scene.node(name)).inverse() or IDENTITY
    dx, dy = back.apply_vector(*_unit(axis))
    return Unknown(lambda t: write_outline(prop, mapped(commands, Matrix(e=dx * t, f=dy * t))), 0.0)


def _vertex(scene: Scene, repair: Repair, axis: Axis, number: int) -> Unknown:
    name, prop = repair.object, repair.property
    commands = read_outline(prop, scene.text(name, prop) or "")
    place = 0 if axis == "x" else 1
    points = vertices(commands)
    with_vertex(commands, number, place, 0.0)
    return Unknown(
        lambda t: write_outline(prop, with_vertex(commands, number, place, t)), points[number][place]
    )


def solve(
    scene: Scene, repair: Repair, free: Unknown, goal: float, measured: Callable[[Scene], float]
) -> str:
    """The value at which `measured` gives `goal`; `Unfounded` when the property does not move it."""

    def off(t: float) -> float:
        return measured(Scene(put_value(scene.svg, repair.object, repair.property, free.values(t)))) - goal

    t, step = free.start, 1.0
    error = off(t)
    for _ in range(_ROUNDS):
        if abs(error) < _CLOSE:
            return free.values(t)
        slope = (off(t + step) - error) / step
        if abs(slope) < 1e-9:
            raise Unfounded(
                f"{repair.property} of {repair.object!r} does not move what the evidence measures"
            )
        t -= error / slope
        error = off(t)
    if abs(error) < 1e-3:
        return free.values(t)
    raise Unfounded(f"no {repair.property} of {repair.object!r} fits the evidence")


_ROUNDS = 8
_CLOSE = 1e-6
