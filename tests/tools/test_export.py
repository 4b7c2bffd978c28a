"""Descriptions of tools come from one source, and the page is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from vbench_env.tools import TOOLS, json_schemas, markdown, openai_tools
from vbench_env.tools.export import page

SPECIFIED = {
    "list_objects", "find", "get_element", "measure", "render", "diff", "set_attribute", "remove_attribute",
    "set_style", "set_text", "move", "scale", "rotate", "set_path", "edit_path_point", "set_points", "insert_element",
    "delete_element", "duplicate_element", "reorder_element", "replace_text", "apply_patch", "rewrite", "batch",
    "undo", "reset_document", "validate", "submit",
}  # fmt: skip


def test_the_shipped_tools_are_all_there() -> None:
    assert set(TOOLS) == SPECIFIED


@pytest.mark.parametrize("name", sorted(SPECIFIED))
def test_every_tool_and_argument_is_described(name: str) -> None:
    tool = TOOLS.get(name)
    assert tool.description.endswith(".")
    schema = json_schemas([name])[name]
    assert schema["additionalProperties"] is False
    for argument, info in schema["properties"].items():
        assert info["description"].endswith("."), argument
    assert set(schema.get("required", [])) == {
        field for field, info in tool.Args.model_fields.items() if info.is_required()
    }


def test_openai_tools_keep_the_order_they_were_asked_in() -> None:
    tools = openai_tools(["submit", "set_attribute"])
    assert [item["function"]["name"] for item in tools] == ["submit", "set_attribute"]
    function = tools[1]["function"]
    assert tools[1]["type"] == "function"
    assert function["description"].startswith("Set one attribute")
    assert function["parameters"]["required"] == ["object", "name", "value"]
    assert "title" not in function["parameters"]["properties"]["name"]


def test_markdown_of_some_tools_holds_only_those() -> None:
    text = markdown(["set_text", "submit"])
    assert "### `set_text`" in text
    assert "| `text` | string | required |" in text
    assert "### `move`" not in text
    assert "## Looking" not in text


def test_the_tools_page_is_up_to_date() -> None:
    path = Path(__file__).parents[2] / "docs" / "tools.md"
    assert path.read_text(encoding="utf-8") == page(), "write docs/tools.md anew; its first lines say how"
