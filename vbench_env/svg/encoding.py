"""Bytes to text and back without losing one: encodings, byte-order marks, declarations, XML characters.

Source: XML 1.0, sections 2.2 (characters), 2.11 (line ends), 4.3.3 and appendix F (encoding detection).
"""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(r"""^\ufeff?<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML 1.0 document may hold, not even as a reference."""


def declared_encoding(text: str) -> str:
    """Python's name of the encoding that the XML declaration of `text` names; `utf-8` without one.

    A UTF-16 declaration without a byte order means little-endian here.
    """
    match = _DECLARED.match(text)
    name = match.group(1).lower() if match else "utf-8"
    if name in {"utf-16", "utf16", "ucs-2", "iso-10646-ucs-2"}:
        return "utf-16-le"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "utf-8"


def decode(data: bytes) -> tuple[str, str]:
    """Text and encoding of a file's bytes; `encode` of both gives the same bytes back.

    A byte-order mark stays in the text as U+FEFF. Bytes that do not fit the encoding are read as Latin-1, one
    character a byte, so that nothing is lost; such text is then mostly not well-formed.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None:
        encoding = declared_encoding(data[:400].decode("latin-1"))
    try:
        text = data.decode(encoding)
        if text.encode(encoding) == data:
            return text, encoding
    except UnicodeError:
        pass
    return data.decode("latin-1"), "latin-1"


def encode(text: str, encoding: str) -> bytes:
    """Bytes of `text`; what the encoding lacks becomes a character reference, and UTF-16 gets its mark."""
    if encoding.startswith(("utf-16", "utf-32")) and not text.startswith("\ufeff"):
        text = "\ufeff" + text
    if encoding.startswith("utf-"):
        return text.encode(encoding, "surrogatepass")
    return text.encode(encoding, "xmlcharrefreplace")
