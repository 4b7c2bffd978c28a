"""Blocks of docs/integrations.md that need a stand-in for something of the reader's: `json`, `py` and `sh`.

`scripts/test_integrations.py` runs the others as written.
"""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"


def block(section: str, language: str) -> str:
    """The one block of a language in a section."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(section)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"the page has no section {section}"
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", found[1], re.MULTILINE | re.DOTALL)
    return str(code)
