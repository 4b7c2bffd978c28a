"""What a prepared document may refer to: itself and raster pictures inside it. An allow-list, per value.

`#id` and `data:` pictures in PNG, JPEG, GIF or WebP (by their bytes, not their label) stay. A `data:`
document that is SVG again is refused, since an engine would open it with powers of its own. Any other
reference is left out of the text that an engine gets, so the picture is that of the document without it.
"""

from __future__ import annotations

import base64
import binascii
import re
from io import BytesIO
from urllib.parse import unquote_to_bytes

from vbench_env.render.base import FailureKind
from vbench_env.render.fonts import bundled_families, substituted
from vbench_env.svg.values import css_limit, split_declarations

RASTER_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
PICTURE_TAGS = frozenset({"image", "feImage"})

_LINK = re.compile(r"url\s*\(", re.IGNORECASE)
_LOCAL = re.compile(r"""url\s*\(\s*(["']?)\s*#[^"'()\\]*\1\s*\)""", re.IGNORECASE)
_CALL = re.compile(r"""url\s*\((?:"[^"]*"?|'[^']*'?|[^"')])*\)?""", re.IGNORECASE)
_FETCHING = re.compile(r"(?:\bsrc|image|image-set|cross-fade|element)\s*\(", re.IGNORECASE)
_FONT = re.compile(r"""((?:^|[;{\s"'])font(?:-family)?\s*:)([^;}]*)""", re.IGNORECASE)
_FONT_FAMILY = re.compile(r"font-family\s*:([^;}]*)", re.IGNORECASE)


class Refusal(Exception):
    """A document that no engine gets to see."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        self.kind: FailureKind = kind
        super().__init__(message)


class Notes:
    """Remarks for the picture, each once, at most twenty; and the pixels of embedded pictures so far."""

    def __init__(self) -> None:
        self.lines: dict[str, None] = {}
        self.pixels = 0

    def add(self, line: str) -> None:
        if len(self.lines) < 20:
            self.lines[line] = None

    def font(self, families: str) -> None:
        name = substituted(families)
        if name:
            self.add(f"font family {name[:40]!r} is not bundled; its text is drawn with Arimo")


def is_local(value: str) -> bool:
    """Whether every `url(...)` in a property value names an element of the same document."""
    if "\\" in value and "(" in value:
        return False
    return len(_LINK.findall(value)) == len(_LOCAL.findall(value))


def _plain(css: str) -> bool:
    """Whether CSS text can stay as it is: no at-rule, no escape, nothing that fetches."""
    return not ("@" in css or "\\" in css or "<" in css or _FETCHING.search(css)) and is_local(css)


def clean_href(tag: str, value: str, place: str, notes: Notes, pixel_limit: int) -> str | None:
    """A link as an engine may see it; None when it is left out. An embedded SVG document raises `Refusal`."""
    link = value.strip(" \t\r\n\f")
    if link.startswith("#"):
        return link
    if tag in PICTURE_TAGS and link[:5].lower() == "data:":
        return _data_picture(link, place, notes, pixel_limit)
    if tag != "a":
        notes.add(f"{place}: the reference to {_short(link)} leads outside the document and is not drawn")
    return None


def _data_picture(link: str, place: str, notes: Notes, pixel_limit: int) -> str | None:
    label, _, body = link[5:].partition(",")
    try:
        if "base64" in label.lower():
            data = base64.b64decode(unquote_to_bytes(body).translate(None, b" \t\r\n\f"))
        else:
            data = unquote_to_bytes(body)
    except (binascii.Error, ValueError):
        data = b""
    start = data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00")
    if "svg" in label.lower() or "xml" in label.lower() or start.startswith((b"<", b"\x1f\x8b")):
        raise Refusal(
            "refused",
            f"{place}: an SVG document inside a data: URI is not drawn; put its elements into this document, "
            "or embed a PNG, JPEG, GIF or WebP picture",
        )
    form, pixels = _raster(data)
    if form is None:
        notes.add(f"{place}: the embedded picture is no readable PNG, JPEG, GIF or WebP and is not drawn")
        return None
    notes.pixels += pixels
    if notes.pixels > pixel_limit:
        raise Refusal("refused", f"embedded pictures hold more than {pixel_limit} pixels; embed smaller ones")
    return f"data:image/{form.lower()};base64," + base64.b64encode(data).decode()


def _raster(data: bytes) -> tuple[str | None, int]:
    """Format and pixel count from the header of a raster picture; (None, 0) when it is none."""
    import warnings

    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(BytesIO(data), formats=RASTER_FORMATS) as image:
                return image.format, image.width * image.height
        except Image.DecompressionBombError as error:
            raise Refusal(
                "refused", "an embedded picture is too large to draw; embed a smaller one"
            ) from error
        except (OSError, ValueError, SyntaxError):
            return None, 0


def clean_value(value: str, place: str, notes: Notes) -> str:
    """A property value whose links outside the document are left out: its fallback, else `none`."""
    if is_local(value) and not _FETCHING.search(value):
        return value
    notes.add(f"{place}: {_short(value)} leads outside the document and is not drawn")
    if "\\" in value or _FETCHING.search(value):
        return "none"
    kept = _CALL.sub(lambda call: call[0] if _LOCAL.fullmatch(call[0]) else "", value).strip()
    return kept if kept and kept.count("(") == kept.count(")") else "none"


def clean_style(style: str, place: str, notes: Notes) -> str:
    """A style attribute without declarations that reach outside the document, its families bundled ones."""
    if not _plain(style):
        kept = []
        for name, value, important in split_declarations(style):
            if "\\" not in name:
                end = "!important" if important else ""
                kept.append(f"{name}:{clean_value(value, place, notes)}{end}")
        style = ";".join(kept)
    return bundled_fonts(style, notes)


def bundled_fonts(css: str, notes: Notes) -> str:
    """CSS text with the families of its `font` and `font-family` declarations made bundled ones."""
    if "font" not in css.lower():
        return css
    for families in _FONT_FAMILY.findall(css):
        notes.font(families)
    return _FONT.sub(lambda match: match[1] + bundled_families(match[2]), css)


def clean_sheet(css: str, notes: Notes) -> str:
    """A style sheet without at-rules (no engine here applies any) and declarations that reach outside."""
    return bundled_fonts(css if _plain(css) else _rewritten_sheet(css, notes), notes)


def _rewritten_sheet(css: str, notes: Notes) -> str:
    import tinycss2

    if (crossed := css_limit(css, "a style sheet")) is not None:
        raise Refusal("refused", f"{crossed[1]}, so it is not drawn")
    rules = []
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword in ("import", "font-face"):
            notes.add(f"style: @{rule.lower_at_keyword} is not followed")
        elif rule.type == "qualified-rule":
            body = clean_style(tinycss2.serialize(rule.content), "style", notes)
            rules.append(f"{tinycss2.serialize(rule.prelude)}{{{body}}}")
    return "\n".join(rules)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
