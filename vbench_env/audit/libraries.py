"""Round trips: other XML libraries read a drawing and write it.

A library that is known to lose something (carriage returns, instructions outside the root) is left out of drawings
that hold it.
"""

from __future__ import annotations

import random
import xml.dom.minidom
import xml.etree.ElementTree
from collections.abc import Callable

from lxml import etree

from vbench_env.audit.draft import Draft
from vbench_env.audit.rewriters import rewriter

Trip = Callable[[str | bytes], str | bytes]


def _bytes(svg: str | bytes) -> bytes:
    return svg.encode() if isinstance(svg, str) else svg


def through_lxml(svg: str | bytes) -> str | bytes:
    """As libxml2 writes it."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    return bytes(etree.tostring(etree.fromstring(_bytes(svg), parser).getroottree(), encoding="utf-8"))


def through_element_tree(svg: str | bytes) -> str | bytes:
    """As ElementTree writes it: prefixes of its own, no comments."""
    return xml.etree.ElementTree.tostring(xml.etree.ElementTree.fromstring(_bytes(svg)), encoding="unicode")


def through_minidom(svg: str | bytes) -> str | bytes:
    """As minidom writes it."""
    return xml.dom.minidom.parseString(_bytes(svg)).toxml()


def _takes_trip(trip: Trip, loses: Callable[[Draft], bool]) -> Callable[[Draft, random.Random], bool]:
    def rewrite(draft: Draft, rng: random.Random) -> bool:
        if loses(draft):
            return False
        draft.writing.trips = (*draft.writing.trips, trip)
        return True

    return rewrite


def _holds_returns(draft: Draft) -> bool:
    return any("\r" in part.text + part.tail for part in draft.root.iter())


def _holds_breaks(draft: Draft) -> bool:
    breaks = set("\n\t\r")
    return _holds_returns(draft) or any(breaks & set(v) for p in draft.root.iter() for v in p.attrs.values())


rewriter("lxml")(_takes_trip(through_lxml, lambda draft: False))
rewriter("ElementTree")(
    _takes_trip(through_element_tree, lambda draft: bool(draft.instructions) or _holds_returns(draft))
)
rewriter("minidom")(_takes_trip(through_minidom, _holds_breaks))
