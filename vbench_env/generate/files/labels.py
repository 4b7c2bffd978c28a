"""Shapes of a foreign drawing by the text that stands in them: the boxes and ovals of a diagram."""

from __future__ import annotations

from collections import Counter

from vbench_env.generate.files.look import Seen, View
from vbench_env.svg.parse import Node
from vbench_env.taskkit.scene import Box, Unfounded, content_text

_KINDS = {"rect": "box", "polygon": "box", "circle": "circle", "ellipse": "oval", "path": "box"}
_LARGEST = 0.3
"""Share of the drawing that a shape may take up to be named by a text in it."""


def labelled(view: View, texts: Counter[str]) -> dict[str, tuple[str, Node]]:
    """For shapes with one text in them, that nothing else shows: kind of shape, and the text.

    Args:
        view: the drawing.
        texts: how often each text stands in it.
    """
    anchors = [
        (node, box) for node in view.scene.document.nodes if node.tag == "text" and (box := _box(view, node))
    ]
    shapes = [(seen, box) for seen in view.seen if seen.node.tag in _KINDS and (box := _small(view, seen))]
    held: dict[str, list[Node]] = {seen.key: [] for seen, _ in shapes}
    for node, place in anchors:
        around = [(_size(box), seen.key) for seen, box in shapes if _within(place, box)]
        if around:
            held[min(around)[1]].append(node)
    inside = {key: nodes[0] for key, nodes in held.items() if len(nodes) == 1}
    kinds = {seen.key: _KINDS[seen.node.tag] for seen, _ in shapes}
    return {key: (kinds[key], node) for key, node in inside.items() if texts[content_text(node)] == 1}


def _box(view: View, node: Node) -> Box | None:
    try:
        return view.scene.box_of(node)
    except (Unfounded, ValueError, OverflowError):
        return None


def _small(view: View, seen: Seen) -> Box | None:
    box = _box(view, seen.node)
    if box is None or not 0 < _size(box) <= _LARGEST * view.frame.width * view.frame.height:
        return None
    return box


def _size(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def _within(place: Box, box: Box) -> bool:
    return box.left <= place.left <= box.right and box.top <= place.top <= box.bottom
