"""Defects of single elements of a foreign drawing, one function an operation."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import Defect, shuffled
from vbench_env.generate.files.known import Known, defect_of, number_of, sentence_of
from vbench_env.generate.files.look import Seen, View, mostly
from vbench_env.generate.files.naming import LOUD, kind_of, phrase_for, places, sayable
from vbench_env.generate.markup import num
from vbench_env.generate.sketch import Area
from vbench_env.repair import Repair
from vbench_env.taskkit.scene import content_text

_RECOLOR = (
    "{name} should be {color}.", "{name} has the wrong colour and should be {color}.", "Make {name} {color} again.",
    "Somebody painted {name} in that colour by mistake; it should be {color}.",
)  # fmt: skip


def recolor(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    for seen in shuffled(random, view.seen):
        for prop in ("fill", "stroke"):
            rgb = view.color(seen, prop)
            phrase = phrase_for(rgb) if rgb is not None else None
            if rgb is None or phrase is None or not known.free or not mostly(view.picture[seen.mask], rgb):
                continue
            word = random.choice(known.free)
            name = f"the {word} {kind_of(view, seen)}"
            sentence = sentence_of(random, _RECOLOR, name=name, color=phrase)
            evidence = {"kind": "stated", "words": phrase}
            yield defect_of(
                seen, "recolor", prop, LOUD[word], evidence, name, sentence, claim=f"color {word}"
            )


_DELETE = (
    "Remove {name}, which does not belong in the picture.", "Please delete {name}.", "Get rid of {name}.",
    "{name} should not be there: take it away.",
)  # fmt: skip
_DISC_IDS = ("disc", "token", "button", "badge", "pebble", "bead")


def delete(known: Known, random: Random) -> Iterator[Defect]:
    view, frame = known.view, known.view.frame
    root = view.scene.root
    free_id = next((name for name in _DISC_IDS if name not in view.scene.document.ids), None)
    if free_id is None:
        return
    radius = 0.05 * min(frame.width, frame.height) * random.uniform(1.1, 1.5)
    for words, across, down in shuffled(random, places()):
        for word in shuffled(random, known.free)[:1]:
            x, y = frame.left + across * frame.width, frame.top + down * frame.height
            name = f"the {word} disc {words}"
            element = (
                f'<circle id="{free_id}" cx="{num(x)}" cy="{num(y)}" r="{radius:.3g}" fill="{LOUD[word]}"'
                ' stroke="none"/>'
            )
            sentence = sentence_of(random, _DELETE, name=name)
            repair = Repair(
                object=free_id, operation="delete", property="exists", corrupted=True, target=False, element=element,
                parent=root.tag, named=name, evidence={"kind": "stated", "words": sentence.rstrip(".")},
            )  # fmt: skip
            area = Area(x - radius, y - radius, x + radius, y + radius)
            share = 3.14 * radius**2 / (frame.width * frame.height)
            yield Defect(repair, sentence, area, share, frozenset(), frozenset({f"color {word}", "disc"}))


_TEXT = (
    "The text “{wrong}” should read “{right}”.", "Where it says “{wrong}”, it should say “{right}”.",
    "“{wrong}” is wrong there: change the text to “{right}”.",
)  # fmt: skip
_WRONG_TEXTS = (
    "Sample",
    "Untitled",
    "Placeholder",
    "Caption",
    "Example",
    "Draft version",
    "Later",
    "Somewhere",
)


def text(known: Known, random: Random) -> Iterator[Defect]:
    there = {content_text(node).lower() for node in known.view.scene.document.nodes if node.tag == "text"}
    for seen in shuffled(random, known.view.seen):
        right = content_text(seen.node)
        if seen.node.tag != "text" or seen.node.children or not sayable(right) or right != seen.node.text:
            continue
        free = [wrong for wrong in _WRONG_TEXTS if wrong.lower() not in there]
        wrong = min(free, key=lambda one: abs(len(one) - len(right)), default=None)
        if wrong is None:
            continue
        sentence = random.choice(_TEXT).format(wrong=wrong, right=right)
        evidence = {"kind": "stated", "words": sentence[sentence.index(wrong) + len(wrong) + 1 :].rstrip(".")}
        yield defect_of(seen, "text", "text", wrong, evidence, f"“{wrong}”", sentence, claim=f"text {wrong}")


_OPACITY = (
    "{name} has faded: make it fully opaque again.", "{name} has become see-through and should be fully opaque.",
)  # fmt: skip


def opacity(known: Known, random: Random) -> Iterator[Defect]:
    for seen in shuffled(random, known.named):
        if (known.view.scene.declared(seen.node, "opacity") or "1") not in ("1", "1.0"):
            continue
        if seen.node.tag != "text":
            continue  # the words for other elements rest on their colour
        name = known.names[seen.key]
        yield defect_of(
            seen, "opacity", "opacity", 0.25, {"kind": "stated", "words": "fully opaque"}, name,
            sentence_of(random, _OPACITY, name=name),
        )  # fmt: skip


_SIZES = {"circle": ("r",), "rect": ("width", "height"), "ellipse": ("rx", "ry"), "image": ("width",)}
_SIZE_WORDS = {"r": "big", "width": "wide", "height": "tall", "rx": "wide", "ry": "tall"}


def resize(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    for seen in shuffled(random, known.named):
        name = known.names[seen.key]
        if seen.node.tag == "text":
            yield from _lettering(known, random, seen)
        for prop in shuffled(random, _SIZES.get(seen.node.tag, ())):
            value = number_of(view, seen, prop)
            if not value:
                continue
            corrupted, words = _scaled(random, value, _SIZE_WORDS[prop])
            sentence = sentence_of(
                random,
                ("{name} should be {words}.", "Make {name} {words}."),
                name=name,
                words=f"{words} as it is now",
            )
            yield defect_of(
                seen, "resize", prop, corrupted, {"kind": "stated", "words": words}, name, sentence,
                share=0.5 * seen.share,
            )  # fmt: skip


_LETTERS = (
    "{name} should have letters of the same size as {other}.",
    "The letters of {name} should be as big as those of {other}.",
)


def _lettering(known: Known, random: Random, seen: Seen) -> Iterator[Defect]:
    """Letters of another size than those of a text that they should equal."""
    view, size = known.view, number_of(known.view, seen, "font-size")
    peers = [
        other for other in known.named
        if other is not seen and other.node.tag == "text" and number_of(view, other, "font-size") == size
    ]  # fmt: skip
    if not size or not peers:
        return
    peer, factor = random.choice(peers), random.choice((0.55, 1.6))
    name = known.names[seen.key]
    sentence = sentence_of(random, _LETTERS, name=name, other=known.names[peer.key])
    unit = "px" if str(view.scene.text_of(seen.node, "font-size")).endswith("px") else ""
    yield defect_of(
        seen, "resize", "font-size", f"{num(size * factor)}{unit}", {"kind": "equals", "of": peer.key}, name, sentence,
        needs=(peer.key,),
    )  # fmt: skip


def _scaled(random: Random, value: float, word: str) -> tuple[float, str]:
    """A wrong value, and how many times as much the right one is, in words."""
    if random.random() < 0.7:
        return round(value / 2, 4), f"twice as {word}"
    return round(value * 2, 4), f"half as {word}"


_STROKED = (
    "The line of {name} should be {words} as it is now.",
    "Make the line of {name} {words} as it is now.",
)


def restroke(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    for seen in shuffled(random, known.named):
        width = number_of(view, seen, "stroke-width")
        if view.color(seen, "stroke") is None or not width:
            continue
        name = known.names[seen.key]
        factor, words = random.choice(
            ((3.0, "a third as thick"), (4.0, "a quarter as thick"), (0.25, "four times as thick"))
        )
        yield defect_of(
            seen, "restroke", "stroke-width", round(width * factor, 4), {"kind": "stated", "words": words}, name,
            sentence_of(random, _STROKED, name=name, words=words), share=0.6 * seen.share,
        )  # fmt: skip


_TURN = ("Turn {name} {words}.", "{name} should be turned {words}.")


def rotate(known: Known, random: Random) -> Iterator[Defect]:
    view = known.view
    for seen in shuffled(random, known.named):
        transform = view.scene.declared(seen.node, "transform") or ""
        back = view.scene.matrix(seen.node).inverse()
        if back is None or "rotate" in transform or _is_round(view, seen):
            continue
        x, y = back.apply((seen.area.left + seen.area.right) / 2, (seen.area.top + seen.area.bottom) / 2)
        turn, words = random.choice(((-90, "a quarter turn clockwise"), (90, "a quarter turn anticlockwise")))
        value = f"{transform} rotate({turn} {num(x)} {num(y)})".strip()
        name = known.names[seen.key]
        yield defect_of(
            seen, "rotate", "transform", value, {"kind": "stated", "words": words}, name,
            sentence_of(random, _TURN, name=name, words=words), area=_swept(seen.area),
        )  # fmt: skip


def _is_round(view: View, seen: Seen) -> bool:
    return seen.node.tag == "circle" or (
        seen.node.tag == "rect" and abs(seen.area.width - seen.area.height) < 0.1 * seen.area.width
    )


def _swept(area: Area) -> Area:
    reach = max(area.width, area.height) / 2
    x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    return Area(x - reach, y - reach, x + reach, y + reach)


def reorder(known: Known, random: Random) -> Iterator[Defect]:
    for seen in shuffled(random, known.named):
        parent = seen.node.parent
        if parent is None or seen.key != seen.node.id or seen.node.index == 0:
            continue
        below = parent.children[seen.node.index - 1]
        other = next((item for item in known.named if item.node is below and item.key == below.id), None)
        if other is None or not other.area.meets(seen.area):
            continue
        name, back = known.names[seen.key], known.names[other.key]
        if "under" in back or "behind" in back or "below" in back:
            continue
        yield defect_of(
            seen, "reorder", "order", {"before": other.key},
            {"kind": "stated", "words": f"in front of {back}", "of": other.key}, name,
            sentence_of(random, ("{name} should be in front of {back}.",), name=name, back=back), needs=(other.key,),
        )  # fmt: skip
