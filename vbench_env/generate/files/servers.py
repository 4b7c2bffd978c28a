"""What elements of a drawing refer to for their paint: gradients, and whose colours these take over."""

from __future__ import annotations

from vbench_env.svg.parse import Node
from vbench_env.svg.references import href_target, split_urls
from vbench_env.svg.schema import GRADIENTS
from vbench_env.taskkit.scene import Scene


def target_of(value: str) -> str | None:
    """The id in a reference as it is written: `#id` or `url(#id)`."""
    if value.startswith("#"):
        return value[1:]
    found = split_urls(value)
    return found.ids[0] if found and found.ids else None


def gradient_of(scene: Scene, node: Node) -> Node | None:
    """The gradient that shades an element."""
    name = target_of(scene.text_of(node, "fill") or "")
    found = scene.document.by_id(name) if name else None
    return found if found is not None and found.tag in GRADIENTS else None


def colors_of(scene: Scene, node: Node) -> str | None:
    """The gradient whose colours the one that shades an element takes over, if it has none of its own."""
    gradient = gradient_of(scene, node)
    if gradient is None or not gradient.id or any(child.tag == "stop" for child in gradient.children):
        return None
    return href_target(gradient)
