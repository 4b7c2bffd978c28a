"""Shapes of a foreign drawing by the text that stands in them: the boxes and ovals of a diagram."""

from __future__ import annotations

from vbench_env.generate.files.called import size_of
from vbench_env.generate.files.look import Seen, View, painted_box
from vbench_env.svg.parse import Node
from vbench_env.taskkit.scene import Box, content_text

_KINDS = {"rect": "box", "polygon": "box", "circle": "circle", "ellipse": "oval", "path": "box"}
_LARGEST = 0.3
"""Share of the drawing that a shape may take up to be named by a text in it."""


def labelled(view: View) -> dict[str, tuple[str, Node]]:
    """For shapes with one text in them, that nothing else shows: kind of shape, and the text."""
    scene = view.scene
    anchors = [
        (node, box)
        for node in scene.document.nodes
        if node.tag == "text" and (box := painted_box(scene, node))
    ]
    shapes = [(seen, box) for seen in view.seen if seen.node.tag in _KINDS and (box := _small(view, seen))]
    held: dict[str, list[Node]] = {seen.key: [] for seen, _ in shapes}
    for node, place in anchors:
        around = [(size_of(box), seen.key) for seen, box in shapes if _within(place, box)]
        if around:
            held[min(around)[1]].append(node)
    inside = {key: nodes[0] for key, nodes in held.items() if len(nodes) == 1}
    kinds = {seen.key: _KINDS[seen.node.tag] for seen, _ in shapes}
    return {key: (kinds[key], node) for key, node in inside.items() if view.texts[content_text(node)] == 1}


def _small(view: View, seen: Seen) -> Box | None:
    box = painted_box(view.scene, seen.node)
    if box is None or not 0 < size_of(box) <= _LARGEST * view.frame.width * view.frame.height:
        return None
    return box


def _within(place: Box, box: Box) -> bool:
    return box.left <= place.left <= box.right and box.top <= place.top <= box.bottom
