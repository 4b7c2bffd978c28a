"""Tools of the agent: look, edit, control. Importing this package registers all of them."""

from vbench_env.tools import attributes as _attributes
from vbench_env.tools import check as _check
from vbench_env.tools import control as _control
from vbench_env.tools import look as _look
from vbench_env.tools import objects as _objects
from vbench_env.tools import pictures as _pictures
from vbench_env.tools import placing as _placing
from vbench_env.tools import shapes as _shapes
from vbench_env.tools import structure as _structure
from vbench_env.tools import whole as _whole
from vbench_env.tools.base import TOOLS, ErrorKind, Tool, ToolContext, ToolError, ToolResult, call_tool
from vbench_env.tools.export import json_schemas, markdown, openai_tools

FAMILIES = (
    _attributes, _check, _control, _look, _objects, _pictures, _placing, _shapes, _structure, _whole,
)  # fmt: skip
"""The modules that register the shipped tools."""

__all__ = [
    "FAMILIES", "TOOLS", "ErrorKind", "Tool", "ToolContext", "ToolError", "ToolResult", "call_tool",
    "json_schemas", "markdown", "openai_tools",
]  # fmt: skip
