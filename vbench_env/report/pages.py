"""Templates of pages and the policy under which they run."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import jinja2

POLICY = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'"
"""What a page of a site may load: its own script, style and pictures, nothing from anywhere else."""
_FOLDER = Path(__file__).parent / "templates"


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip


def template(name: str) -> jinja2.Template:
    """A template by file name; every text that it is given is escaped."""
    return _environment().get_template(name)


def source(name: str) -> str:
    """Text of a style sheet or script."""
    return (_FOLDER / name).read_text(encoding="utf-8")
