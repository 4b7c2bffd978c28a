"""What the preservation gate refuses is always told: no failure without a listed change."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.drawings import drawing, repaired
from vbench_env.scoring import judge
from vbench_env.svg.document import SourceDocument
from vbench_env.svg.parse import Node, parse

DEFS = '<defs><path id="leaf" d="M0 0h4v4z"/></defs>'
GROUP = '<g id="g"><rect id="a" width="9" height="9"/>{}</g><circle id="c" cx="50" cy="50" r="8"/>'
NEW = '<use id="n" href="#leaf" x="20"/>'


@pytest.mark.parametrize(
    "candidate",
    [
        DEFS.replace("</defs>", NEW + "</defs>") + GROUP.format(""),
        DEFS + GROUP.format("") + NEW,
        DEFS + NEW + GROUP.format(""),
        DEFS + GROUP.format("").replace('<circle id="c"', NEW + '<circle id="c"'),
    ],
)
def test_an_inserted_object_in_another_place_is_listed(candidate: str) -> None:
    card = repaired(DEFS + GROUP.format(NEW), candidate, DEFS + GROUP.format(""), "n", "exists", False, True)
    assert not card.preserved
    assert ("n", "nesting") in {(change.object, change.subtype) for change in card.changes}


def test_what_was_not_touched_is_called_so() -> None:
    twin = NEW.replace('id="n" ', "")
    start = DEFS + GROUP.format(twin)
    card = repaired(DEFS + GROUP.format(twin + NEW), start, start, "n", "exists", False, True)
    assert card.repairs[0].failure == "untouched"
    assert (card.localisation_precision, card.localisation_recall) == (None, 0.0)


TREE = drawing(
    '<defs><linearGradient id="l"><stop offset="0"/><stop offset="1"/></linearGradient></defs>'
    '<g id="one"><rect id="r" width="9" height="9" fill="url(#l)"/><g><circle id="k" r="3"/><path d="M0 0h9"/></g></g>'
    '<g id="two"><text id="t">Hi <tspan>you</tspan></text><use href="#r" x="30"/></g>'
)


def nodes(text: str) -> list[Node]:
    return parse(text).nodes


def markup(node: Node) -> str:
    attributes = "".join(f' {name.split("}")[-1]}="{value}"' for name, value in node.attrs.items())
    inner = node.text + "".join(markup(child) + child.tail for child in node.children)
    return f"<{node.tag}{attributes}>{inner}</{node.tag}>"


@settings(max_examples=150)
@given(st.data())
def test_every_refusal_names_a_change(data: st.DataObject) -> None:
    """Elements are moved, copied, dropped, wrapped; whatever the gate refuses has a change in the card."""
    target = nodes(TREE)
    names = st.integers(1, len(target) - 1)
    for _ in range(data.draw(st.integers(1, 2))):
        moved, parent = target[data.draw(names)], target[data.draw(st.integers(0, len(target) - 1))]
        action = data.draw(st.sampled_from(["move", "drop", "wrap", "swap"]))
        home = moved.parent
        if home is None or parent in moved.iter() or moved not in home.children:
            continue
        place = home.children.index(moved)
        if action == "wrap":
            wrapped = nodes(drawing("<g/>"))[1]
            wrapped.children = [moved]
            home.children = [*home.children[:place], wrapped, *home.children[place + 1 :]]
            continue
        home.children = [child for child in home.children if child is not moved]
        if action == "move":
            parent.children = [*parent.children, moved]
        elif action == "swap":
            home.children = [*home.children, moved]
    body = "".join(markup(child) + child.tail for child in target[0].children)
    candidate = SourceDocument(drawing(body)).text
    for part in (None, "r", "k", "t"):
        repairs = (
            [] if part is None else [{"part": part, "attribute": "exists", "before": False, "after": True}]
        )
        card = judge(TREE, candidate, corrupted_svg=TREE, repairs=repairs)
        assert card.preserved or not card.valid or card.changes
