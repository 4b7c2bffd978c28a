"""Tools of the agent: look, edit, control. Importing this package registers all of them."""

from vbench_env.tools import control, whole
from vbench_env.tools.base import TOOLS, Tool, ToolContext, ToolError, ToolResult, call_tool
from vbench_env.tools.export import json_schemas, markdown, openai_tools

__all__ = [
    "TOOLS", "Tool", "ToolContext", "ToolError", "ToolResult", "call_tool", "control", "json_schemas",
    "markdown", "openai_tools", "whole",
]  # fmt: skip
