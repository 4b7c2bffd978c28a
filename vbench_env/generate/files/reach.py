"""Whether a missing element can be put back in one way only: beside its like, with nothing between that it covers."""

from __future__ import annotations

from collections.abc import Sequence

from vbench_env.generate.files.look import painted_box
from vbench_env.generate.sketch import Area
from vbench_env.svg.parse import Node
from vbench_env.taskkit.scene import Box, Scene

_PAD = 1.0


def adjoin(scene: Scene, nodes: Sequence[Node], boxes: Sequence[Box]) -> bool:
    """Whether elements stand in one parent, with nothing painted between them that they overlap."""
    parent = nodes[0].parent
    if parent is None or any(node.parent is not parent for node in nodes):
        return False
    own = set(map(id, nodes))
    first, last = min(node.index for node in nodes), max(node.index for node in nodes)
    between = [child for child in parent.children[first : last + 1] if id(child) not in own]
    return not any(_meets(scene, child, boxes) for child in between)


def _meets(scene: Scene, child: Node, boxes: Sequence[Box]) -> bool:
    box = painted_box(scene, child)
    if box is None:
        return child.tag in ("text", "g", "use", "image")
    own = Area(*box)
    return child.tag == "text" or any(own.meets(Area(*box), _PAD) for box in boxes)
