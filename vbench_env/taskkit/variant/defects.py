"""Other corrupted values for the same defects, of about the same size and to the same side.

Only values that can slide do: numbers, outlines and transforms go a little less or more far from the target,
colours take another shade of the same name, spelling mistakes are made elsewhere in the word. What an
instruction says of a defect (too thin, leans to the left, has turned blue) stays true.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

from vbench_env.protected import find_object
from vbench_env.svg.colors import delta_e76
from vbench_env.svg.document import SourceDocument
from vbench_env.svg.number_edit import segments
from vbench_env.svg.parse import Node
from vbench_env.svg.path_data import PathError
from vbench_env.svg.schema import COLOR_PROPERTIES
from vbench_env.svg.transform import Function, parse_functions
from vbench_env.svg.values import parse_number_list
from vbench_env.taskkit.build import shown
from vbench_env.taskkit.scene import Scene
from vbench_env.taskkit.variant.color_names import name_of
from vbench_env.taskkit.variant.draft import Data, Draft, Step, Unvaried, closed
from vbench_env.taskkit.variant.misspelling import misspelled
from vbench_env.taskkit.variant.numerals import rewritten, rewritten_at, spelled
from vbench_env.taskkit.variant.paints import RGB, colors_in, repainted, used_colors
from vbench_env.taskkit.variant.wordings import wordings

LESS, MORE = (0.86, 0.95), (1.06, 1.18)
"""How far a value slides: shares of its old distance from the target."""
_TRIES = 24
_LEAST_APART = 0.75
"""Share of the old colour distance to the target that another shade must keep."""


def with_values(draft: Draft, random: Random, kept: Collection[int] = ()) -> Step:
    """The draft with other corrupted values, and what was done.

    Args:
        draft: to change.
        random: decides how far values slide.
        kept: numbers of repairs whose values must stay.

    Raises:
        Unvaried: no value can be another.
    """
    scene = Scene(closed(draft)[0])
    data = draft.copied()
    changed = 0
    for number, repair in enumerate(data["repairs"]):
        child = Random(random.getrandbits(48))
        if number in kept or repair.get("corrupted") is None or _is_said(repair):
            continue
        new = _other(draft, scene, repair, child)
        if new is not None and new != repair["corrupted"]:
            repair["corrupted"] = new
            changed += 1
    if not changed:
        raise Unvaried("no corrupted value can slide")
    return Step(Draft(draft.svg, data), f"corrupted values of {changed} of {len(data['repairs'])} repairs")


def _is_said(repair: Data) -> bool:
    """Whether words give the target relative to the corrupted value, so that this one decides it."""
    evidence = repair.get("evidence") or {}
    return (
        evidence.get("kind") == "stated"
        and not evidence.get("of")
        and repair["operation"] in ("resize", "restroke")
    )


def _other(draft: Draft, scene: Scene, repair: Data, random: Random) -> Any:
    """Another corrupted value; None where there is none."""
    node = find_object(scene.document, repair["object"])
    prop, old = repair["property"], repair["corrupted"]
    if node is None or repair["operation"] in ("reorder", "relink", "insert", "delete"):
        return None
    if repair["operation"] == "text":
        return _other_text(draft, scene, node, str(old), random)
    if prop in COLOR_PROPERTIES:
        return _other_shade(draft, scene, node, prop, str(old), random)
    target = scene.text_of(node, prop)
    slide = random.uniform(*random.choice((LESS, MORE)))
    if isinstance(old, int | float) and not isinstance(old, bool):
        return _slid_number(target, old, slide, opacity=prop.endswith("opacity"))
    for kind in (_slid_transform, _slid_path, _slid_list):
        found = kind(target or "", str(old), slide, prop)
        if found is not None:
            return found
    return None


def _slid_number(target: str | None, old: float, slide: float, *, opacity: bool) -> float | int | None:
    numbers = parse_number_list(target or "")
    if numbers is None or len(numbers) != 1:
        return None
    value = numbers[0] + slide * (old - numbers[0])
    if opacity:
        value = round(min(max(value, 0.03), 1.0), 3)
    elif isinstance(old, int) and abs(old - numbers[0]) >= 6:
        return round(value)
    text = spelled(value, shown(old))
    return float(text) if "." in text else int(text)


def _between(target: tuple[float, ...], old: tuple[float, ...], slide: float) -> list[float]:
    return [one + slide * (other - one) for one, other in zip(target, old, strict=True)]


_NEUTRAL = {"translate": 0.0, "rotate": 0.0, "scale": 1.0, "skewX": 0.0, "skewY": 0.0}


def _slid_transform(target: str, old: str, slide: float, prop: str) -> str | None:
    if "ransform" not in prop:
        return None
    there, here = parse_functions(target), parse_functions(old)
    if not here or there is None or len(there) > len(here):
        return None
    whole = [*there, *(_neutral(function) for function in here[len(there) :])]
    if any(
        one.name != other.name or len(one.args) != len(other.args)
        for one, other in zip(whole, here, strict=True)
    ):
        return None
    if all(_is_square(one, other) for one, other in zip(whole, here, strict=True)):
        return None
    numbers = [
        tuple(value for function in functions for value in function.args) for functions in (whole, here)
    ]
    return rewritten(old, _between(numbers[0], numbers[1], slide))


def _neutral(function: Function) -> Function:
    """The function of that form that changes nothing, about the same centre."""
    neutral = _NEUTRAL.get(function.name)
    if neutral is None:
        return Function("none", ())
    args = [neutral] * len(function.args)
    if function.name == "rotate":
        args[1:] = function.args[1:]
    return Function(function.name, tuple(args))


def _is_square(one: Function, other: Function) -> bool:
    """Whether two functions differ at most by turns of an eighth, which look odd when they are not whole."""
    return one == other or (one.name == "rotate" and (one.args[0] - other.args[0]) % 45 == 0)


def _slid_path(target: str, old: str, slide: float, prop: str) -> str | None:
    if prop != "d":
        return None
    try:
        there, here = segments(target), segments(old)
    except PathError:
        return None
    if [item.letter for item in there] != [item.letter for item in here]:
        return None
    values: list[float | str | None] = []
    for one, other in zip(there, here, strict=True):
        moved: list[float | str | None] = list(_between(one.args, other.args, slide))
        if other.letter in "Aa":
            moved[3] = moved[4] = None
        values += moved
    return rewritten_at(old, [span for item in here for span in item.spans], values)


def _slid_list(target: str, old: str, slide: float, prop: str) -> str | None:
    """Points and dashes."""
    there, here = parse_number_list(target), parse_number_list(old)
    if prop not in ("points", "stroke-dasharray") or not there or not here or len(there) != len(here):
        return None
    return rewritten(old, _between(there, here, slide))


def _other_text(draft: Draft, scene: Scene, node: Node, old: str, random: Random) -> str | None:
    """Another spelling mistake; the old text stays where a wording speaks of it or the drawing shows it elsewhere."""
    said = " ".join(wordings(draft.data).values()).lower()
    drawn = " ".join("".join(other.text for other in scene.document.nodes).split())
    words = [word.strip(".,:;!?%").lower() for word in old.split()]
    target = scene.text_of(node, "text") or ""
    fresh = [word for word in words if word and word not in target.lower().split()]
    if old in drawn or any(word in said for word in fresh if len(word) > 2 or word.isdigit()):
        return None
    return misspelled(target, old, random)


def _other_shade(draft: Draft, scene: Scene, node: Node, prop: str, old: str, random: Random) -> str | None:
    """A shade of the same name that no other thing has, as far from the target as before."""
    found, target = list(colors_in(old)), _target_color(scene, node, prop)
    if len(found) != 1 or target is None or found[0] in used_colors(SourceDocument(draft.svg)):
        return None
    apart = delta_e76(found[0], target)
    shades = (_shade(found[0], random) for _ in range(_TRIES))
    new = next(
        (
            rgb
            for rgb in shades
            if name_of(rgb) == name_of(found[0])
            and delta_e76(rgb, target) >= _LEAST_APART * apart
            and delta_e76(rgb, found[0]) > 3
        ),
        None,
    )
    return repainted(old, lambda rgb: new or rgb) if new is not None else None


def _target_color(scene: Scene, node: Node, prop: str) -> RGB | None:
    text = scene.text_of(node, prop) or ""
    if text.lower() == "currentcolor":
        text = scene.text_of(node, "color") or ""
    return next(colors_in(text), None)


def _shade(rgb: RGB, random: Random) -> RGB:
    from coloraide import Color

    lightness, chroma, hue = (
        Color("srgb", [channel / 255 for channel in rgb]).convert("oklch").coords(nans=False)
    )
    wanted = [
        min(max(lightness + random.uniform(-0.07, 0.07), 0.02), 0.99),
        chroma * random.uniform(0.8, 1.2),
        (hue + random.uniform(-12, 12)) % 360,
    ]
    fitted = Color("oklch", wanted).fit("srgb", method="oklch-chroma").convert("srgb").coords(nans=False)
    red, green, blue = (min(255, max(0, round(255 * value))) for value in fitted)
    return red, green, blue
