"""Inputs of the fuzzer: seeds of each target, and mutations that know what markup, CSS and JSON look like."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import yaml

from tests import sources
from tests.fuzz.fuzz_tasks import RICH, RICH_START
from tests.render.hostile_documents import HOSTILE
from tests.tools.calls import MARKUP, NASTY, PATHS, VALUES

ROOT = Path(__file__).parents[1]
FINDINGS = Path(__file__).with_name("findings")
Change = Callable[[bytes, Sequence[bytes], Random], bytes]
LONGEST = 60_000
"""Bytes that a mutated input may have; bombs of size have tests of their own."""

TOKENS = [item.encode("utf-8", "surrogatepass") for item in (*NASTY, *VALUES, *PATHS, *MARKUP)] + [
    b"<svg", b"</svg>", b"<g>", b"</g>", b"<use href='#a'/>", b"<![CDATA[", b"]]>", b"<!DOCTYPE svg [",
    b"<!ENTITY a 'b'>",
    b"&a;", b"&#0;", b"&#xD800;", b"<?xml version='1.0' encoding='utf-16'?>", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\x00", b"xmlns=''",
    b"xmlns:a='b'", b"id='a'", b"style='", b"<style>", b"</style>", b"@media all{", b":not(",
    b":nth-child(2n+1)", b"!important", b"::",
    b"calc(", b"var(--a)", b"1e309", b"-0", b"1e-400", b"0x1", b"NaN", b"inf", b"%", b"url(#a)", b"url(",
    b"inherit", b"currentColor",
    b"hsl(1e999 1% 1%)", b"lab(none none none)", b"color(srgb 1 1 1)", b"rgb(1,2,3,4,5)",
    b"matrix(0 0 0 0 0 0)", b"rotate(1e308)",
    b"M0 0A1 1 0 111 1", b"1 0 1 2e308", b"<think>", b"</think>", b"```", b"~~~", b'{"tool": ', b'"args": {',
    b'"tool_calls": [',
    b'{"role":"assistant","content":', b"[[[[[[", b"}}}}", b"null", b"\\ud800", b"\xed\xa0\x80", b"\xc3\x28",
    b"<tspan>", b"xml:space='preserve'",
    b"<foreignObject>", b"<animate attributeName='x' values='1;2'/>", b"<switch>", b"viewBox='0 0 0 0'",
    b"preserveAspectRatio='x'",
]  # fmt: skip
_NUMBERS = re.compile(rb"-?\d+\.?\d*")
_VALUES = re.compile(rb"\"[^\"<]*\"|'[^'<]*'")
_TAGS = re.compile(rb"<[^>]*>")


def drawings(folder: Path | None = None, largest: int = 12_000) -> list[bytes]:
    """Drawings of many forms: those of the tests, the golden cases, and the files of a folder."""
    found = [svg.encode() for svg in (RICH, RICH_START, sources.PLAIN, sources.DECLARED, sources.ONE_LINE)]
    found += [
        item.encode("utf-8", "surrogatepass") if isinstance(item, str) else item for item in HOSTILE.values()
    ]
    for path in sorted((ROOT / "golden" / "judge").glob("*.yaml")):
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
        found += [str(case[key]).encode() for key in ("target", "candidate")]
    if folder is not None:
        found += [path.read_bytes() for path in sorted(folder.rglob("*.svg"))]
    return [data for data in found if len(data) <= largest]


CALLS = [
    {"tool": "set_attribute", "args": {"object": "sun", "name": "r", "value": "9"}},
    {"role": "assistant", "content": "so", "tool_calls": [{"id": "1", "type": "function",
     "function": {"name": "move", "arguments": '{"object": "sun", "dx": 3, "dy": 0}'}}]},
    {"tool": "batch", "args": {"calls": [{"tool": "undo", "args": {}}]}}, {"tool": "submit", "args": {}},
    {"tool_calls": 5, "finish_reason": "length"}, [{"tool": "undo"}], {"name": "patch", "arguments": None},
]  # fmt: skip


def seeds(name: str, folder: Path | None = None) -> list[bytes]:
    """Inputs to start from for a target."""
    svgs = drawings(folder)
    if name == "scorer":
        return [bytes((place % 256,)) + svg for place, svg in enumerate(svgs)]
    if name == "own_target":
        return [*svgs, *(one + b"\x00" + other for one, other in pairwise(svgs))]
    if name == "tools":
        return [place.to_bytes(3, "little") + svg for place, svg in enumerate(svgs)]
    if name == "value":
        pieces = [match[0][1:-1] for svg in svgs for match in _VALUES.finditer(svg)]
        return sorted(set(pieces), key=lambda item: (len(item), item))
    if name == "action":
        return [*(json.dumps(call).encode() for call in CALLS), *svgs[:40]]
    if name == "extraction":
        return [*svgs, *(b"<think>no <svg/></think>\n```svg\n" + svg + b"\n```\nDone." for svg in svgs)]
    return svgs


def mutated(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """A few changes to an input, some of them borrowed from other inputs."""
    for _ in range(rng.choice((1, 1, 2, 3, 5, 9))):
        data = rng.choice(_CHANGES)(data, others, rng)[:LONGEST]
    return data


def _cut(data: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 2, 8, 40, 300)))


def _flip(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    if not data:
        return b"<"
    place = rng.randrange(len(data))
    return data[:place] + bytes((data[place] ^ (1 << rng.randrange(8)),)) + data[place + 1 :]


def _insert(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(TOKENS) + data[place:]


def _delete(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    start, end = _cut(data, rng)
    return data[:start] + data[end:]


def _repeat(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    start, end = _cut(data, rng)
    times = min(rng.choice((1, 2, 10, 200)), LONGEST // max(1, end - start))
    return data[:end] + data[start:end] * times + data[end:]


def _borrow(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    other = rng.choice(others)
    start, end = _cut(other, rng)
    place = rng.randrange(len(data) + 1)
    return data[:place] + other[start:end] + data[place:]


def _swap(pattern: re.Pattern[bytes], fresh: Sequence[bytes]) -> Change:
    def change(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
        found = list(pattern.finditer(data))
        if not found:
            return _insert(data, others, rng)
        match = rng.choice(found)
        other = list(pattern.finditer(rng.choice(others)))
        new = rng.choice(fresh) if rng.random() < 0.5 or not other else rng.choice(other)[0]
        return data[: match.start()] + new + data[match.end() :]

    return change


_EXTREMES = [
    b"0", b"-1", b"1e999", b"-1e308", b"1e-320", b"99999999999999999999", b"1e5", b".5", b"-0", b"", b"0.1",
    b"1e9", b"+3",
]  # fmt: skip
_CHANGES = (
    _flip, _insert, _delete, _repeat, _borrow, _swap(_NUMBERS, _EXTREMES), _swap(_NUMBERS, _EXTREMES),
    _swap(_VALUES, [b'"' + token.replace(b'"', b"") + b'"' for token in TOKENS]),
    _swap(_VALUES, [b'"' + token.replace(b'"', b"") + b'"' for token in TOKENS]), _swap(_TAGS, TOKENS),
)  # fmt: skip
