"""Small drafts for the tests of variants."""

from __future__ import annotations

from typing import Any

from vbench_env.taskkit.variant.draft import Draft

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100">'


def drawing(markup: str) -> str:
    return f"{HEAD}{markup}</svg>"


def draft(markup: str, *repairs: dict[str, Any], instruction: str = "Put it right.", **texts: Any) -> Draft:
    """A draft with this drawing and these repairs; what a task file needs besides is filled in."""
    data = {
        "id": "small-task", "title": "Small", "instruction": instruction, "genre": "test", "difficulty": "easy",
        "licence": "CC0-1.0", "author": "Nobody", "canary": "canary 00000000-0000-0000-0000-000000000000",
        "protected": "others", "repairs": [dict(repair) for repair in repairs], **texts,
    }  # fmt: skip
    return Draft(drawing(markup), data)


def recolor(name: str, corrupted: str, **more: Any) -> dict[str, Any]:
    return {"object": name, "operation": "recolor", "property": "fill", "corrupted": corrupted, **more}
