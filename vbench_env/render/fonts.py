"""The fonts that come with the package, and how family names of documents map onto them.

Drawings name hundreds of families; a preview has three, whose letters are as wide as those of Arial, Times
New Roman and Courier New, plus DejaVu Sans for signs and scripts that these lack. Every other family is drawn
with the sans-serif one, on every machine. Fonts of the system are never looked at.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from xml.sax.saxutils import escape

SANS, SERIF, MONO, SIGNS = "Arimo", "Tinos", "Cousine", "DejaVu Sans"

GENERIC = {"serif": SANS, "sans-serif": SANS, "cursive": SANS, "fantasy": SANS, "monospace": MONO}
"""What an engine is told of generic families. resvg takes `serif` for any unknown family, so that is the
sans-serif face too, and `bundled_families` names the serif one wherever a document asks for it."""

_NAMES = {
    SANS: (
        "arimo", "sans-serif", "sans serif", "sans", "ui-sans-serif", "system-ui", "cursive",
        "fantasy", "arial", "helvetica", "helvetica neue", "liberation sans", "nimbus sans", "inherit",
        "initial", "unset",
    ),
    SERIF: (
        "tinos", "ui-serif", "times", "times new roman", "times roman", "nimbus roman", "georgia", "garamond",
        "eb garamond", "palatino", "palatino linotype", "book antiqua", "baskerville", "cambria", "didot",
        "playfair display", "merriweather", "lora", "computer modern roman", "stixgeneral",
    ),
    MONO: (
        "cousine", "ui-monospace", "consolas", "menlo", "monaco", "lucida console", "sfmono-regular",
        "inconsolata",
    ),
    SIGNS: ("dejavu sans", "bitstream vera sans"),
}  # fmt: skip
_EXACT = {name: family for family, names in _NAMES.items() for name in names}
_MONO_WORDS = frozenset({"mono", "monospace", "code", "courier", "console", "typewriter"})
_SHORTHAND = re.compile(r"^(.*\d[\w.%]*(?:\s*/\s*[\w.%]+)?\s+)(.+)$", re.DOTALL)


def font_folder() -> Path:
    """Folder of the bundled faces and their licences."""
    return Path(__file__).parent / "fonts"


@lru_cache(maxsize=1)
def font_files() -> tuple[str, ...]:
    """Absolute paths of the bundled faces; the order is the order of fallback."""
    return tuple(str(path) for path in sorted(font_folder().glob("*.ttf")))


@lru_cache(maxsize=1024)
def bundled_family(name: str) -> str | None:
    """The bundled family that draws a family name; None when the sans-serif face stands in for it."""
    name = name.strip().strip("\"'").strip().lower()
    words = frozenset(name.split())
    if name in _EXACT or not name:
        return _EXACT.get(name, SANS)
    if words & _MONO_WORDS:
        return MONO
    return SERIF if "serif" in words and "sans" not in words else None


@lru_cache(maxsize=1024)
def bundled_families(value: str) -> str:
    """The value of `font-family` or `font` with its serif and monospaced names made bundled ones."""
    shorthand = _SHORTHAND.match(value)
    head, families = shorthand.groups() if shorthand else ("", value)
    mapped = []
    for name in families.split(","):
        family = bundled_family(name)
        mapped.append(f"'{family}'" if family not in (None, SANS) else name)
    return head + ",".join(mapped)


@lru_cache(maxsize=1024)
def substituted(families: str) -> str | None:
    """The first family of a `font-family` list when the sans-serif face stands in for it, else None."""
    first = families.split(",")[0].strip().strip("\"'").strip()
    return None if bundled_family(first) or "(" in first else first


def fontconfig(cache_folder: Path) -> str:
    """A fontconfig file that knows the bundled faces only, for engines that ask fontconfig."""
    fallback = f"<string>{SANS}</string><string>{SIGNS}</string>"
    unhinted = "<edit name='hinting' mode='assign'><bool>false</bool></edit>"
    return (
        f"<?xml version='1.0'?><fontconfig><dir>{escape(str(font_folder()))}</dir>"
        f"<cachedir>{escape(str(cache_folder))}</cachedir>"
        f"<match><edit name='family' mode='append_last'>{fallback}</edit></match>"
        f"<match target='font'>{unhinted}</match></fontconfig>"
    )
