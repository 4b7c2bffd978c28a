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
_PLAIN = re.compile(
    r"utf-(?:8|(?:16|32)(?:-[lb]e)?)|ascii|iso8859-[0-9]+|cp[0-9]+|koi8-[a-z]|mac-[a-z]+|gb[0-9k]+|big5\w*"
    r"|euc_\w+|shift_jis\w*|iso2022_\w+"
)
"""Encodings of text files, as Python calls them; codecs such as rot13 are none."""
UNKNOWN = "latin-1"
"""Name of the encoding of bytes that fit none; a file that declares Latin-1 has Python's name `iso8859-1`."""
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML 1.0 document may hold, not even as a reference."""


def declared_encoding(text: str) -> str:
    """Python's name of the encoding that the XML declaration of `text` names; `utf-8` without one."""
    match = _DECLARED.match(text)
    name = match.group(1).lower() if match else "utf-8"
    if name in {"ucs-2", "iso-10646-ucs-2"}:
        return "utf-16"
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return "utf-8"
    return found if _PLAIN.fullmatch(found) else "utf-8"


def decode(data: bytes) -> tuple[str, str]:
    """Text and encoding of a file's bytes; `encode` of both gives the same bytes back.

    A byte-order mark stays in the text as U+FEFF. Bytes that do not fit the encoding are read as Latin-1, one
    character a byte, so that nothing is lost; such text is then mostly not well-formed.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None:
        encoding = declared_encoding(data[:400].decode("latin-1"))
        encoding = "utf-8" if encoding.startswith(("utf-16", "utf-32")) else encoding
    try:
        text = data.decode(encoding)
        if encode(text, encoding) == data:
            return text, encoding
    except UnicodeError:
        pass
    return data.decode(UNKNOWN), UNKNOWN


def encode(text: str, encoding: str) -> bytes:
    """Bytes of `text`; what the encoding lacks becomes a character reference.

    `utf-16` and `utf-32` without a byte order are written little-endian, with a byte-order mark.
    """
    if encoding in {"utf-16", "utf-32"}:
        text, encoding = "\ufeff" + text.removeprefix("\ufeff"), encoding + "-le"
    if encoding.startswith("utf-"):
        return text.encode(encoding, "surrogatepass")
    return text.encode(encoding, "xmlcharrefreplace")
