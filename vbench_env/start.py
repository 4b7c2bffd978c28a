"""What an episode starts with: the corrupted document among the tools that the protocol grants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vbench_env.errors import ConfigError
from vbench_env.observations import OBSERVATIONS, AgentError
from vbench_env.protocol import Protocol
from vbench_env.svg.document import SourceDocument
from vbench_env.task import Task
from vbench_env.tools import TOOLS, ToolContext

if TYPE_CHECKING:
    from vbench_env.render import Renderer


def start_context(
    task: Task, protocol: Protocol, renderer: Renderer | None, picture_size: tuple[int, int]
) -> ToolContext:
    """Document and tools of the first turn; the default renderer where pictures are shown and none is given.

    Raises:
        VBenchError: an unknown name in the protocol, or a drawing that passes its size budget.
    """
    for name in protocol.tools:
        TOOLS.get(name)
    for name in protocol.feedback:
        OBSERVATIONS.get(name)
    if renderer is None and (protocol.needs_vision or protocol.feedback):
        from vbench_env.render import get_renderer

        renderer = get_renderer()
    start = SourceDocument.read(task.corrupted_svg)
    if too_large(start.text, protocol):
        advice = "raise budgets.max_document_bytes of the protocol"
        raise ConfigError(f"the drawing of task {task.task_id} passes the size budget; {advice}")
    return ToolContext(start, start, renderer=renderer, picture_size=picture_size, offered=protocol.tools)


def too_large(text: str, protocol: Protocol) -> AgentError | None:
    """The error of a document that passes the protocol's size budget."""
    limit = protocol.budgets.max_document_bytes
    if len(text) * 4 <= limit or len(text.encode("utf-8", "surrogatepass")) <= limit:
        return None
    return AgentError("document_too_large", f"the document would pass {limit} bytes; it was left as it was")
