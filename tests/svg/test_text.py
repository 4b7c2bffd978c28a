"""The characters that text shows, white space applied."""

from __future__ import annotations

import pytest

from vbench_env.svg.parse import parse
from vbench_env.svg.resolve import Resolved, ResolveOptions, Space
from vbench_env.svg.text import TextLayout, text_content


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<text id='a'>  a \n b\t</text>", "a b"),
        ("<text id='a'>a <tspan> b </tspan> c</text>", "a b c"),
        ("<text>a <tspan id='a'> b </tspan> c</text>", "b "),
        ("<text id='a'><tspan>a</tspan> </text>", "a"),
        ("<text id='a' xml:space='preserve'> a\n b</text>", " a  b"),
        ("<g xml:space='preserve'><text id='a'> a </text></g>", " a "),
        ("<g xml:space='preserve'><text id='a' xml:space='default'> a </text></g>", "a"),
        ("<text id='a' white-space='pre'> a  b</text>", " a  b"),
        ("<text id='a' white-space='BREAK-SPACES'> a  b</text>", " a  b"),
        ("<text id='a' white-space='pre-line'> a  b</text>", "a b"),
        ("<text id='a' white-space='normal' xml:space='preserve'> a  b</text>", "a b"),
        ("<text id='a' style='white-space:pre-wrap'> a  b</text>", " a  b"),
        ("<text id='a' style='white-space:nowrap' xml:space='preserve'> a  b</text>", "a b"),
        ("<g style='white-space:pre'><text id='a'> a</text></g>", " a"),
        ("<text id='a'>a <tspan xml:space='preserve'>  b  </tspan> c</text>", "a   b   c"),
        ("<title id='a'> a\n b </title>", "a b"),
        ("<g id='a'><title>a</title> <desc>b</desc></g>", "a b"),
    ],
)
def test_shown_characters(markup: str, shown: str) -> None:
    document = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{markup}</svg>')
    node = document.by_id("a")
    assert node is not None
    assert text_content(node) == shown
    assert TextLayout(Resolved(document, ResolveOptions(), Space())).content(node) == shown
