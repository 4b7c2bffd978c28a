"""Random tool calls: sensible ones, near misses and garbage, from one seeded generator."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from vbench_env.svg.document import Refusal, SourceDocument

NASTY = [
    "", " ", "\x00", "\ud800", "a\udfffb", "\ufffe", "]]>", "<", "&", "&amp;", "&nbsp;", '"', "'", "\r\n", "\t",
    "-->", "<!-- x", "</svg>", "x" * 5000, "日本", "\U0001f600", "url(#nope)", "1e999", "NaN", "--", "{}", "a;b:c",
    "/**/", "*", "svg/g[99]", "svg//", "g > * ~ *", "::before", "[", "(((((", "{http://www.w3.org/2000/svg}rect",
    "#", "..",
]  # fmt: skip
NUMBERS: list[Any] = [
    0,
    1,
    -1,
    0.1,
    2.5,
    -7.25,
    1e-7,
    1e8,
    1e30,
    float("nan"),
    float("inf"),
    "3",
    None,
    True,
    [],
    "x",
]
VALUES = [
    "red",
    "#123456",
    "10",
    "1.5px",
    "50%",
    "none",
    "url(#sky)",
    "a < b & c \"d\" 'e'",
    "translate(1 2)",
    "M0 0",
]
NAMES = [
    "fill",
    "x",
    "y",
    "r",
    "d",
    "id",
    "style",
    "class",
    "transform",
    "points",
    "xlink:href",
    "data-x",
    "stroke-width",
]
PATHS = [
    "M0 0L10 10z",
    "M1,1 l5-5.5.5",
    "M0 0a1 1 0 01.5.5",
    "M0",
    "",
    "m1 1h2v3H4V5",
    "M0 0C1 1 2 2 3 3S4 4 5 5T1 1",
]
MARKUP = ["<rect id='new' width='1' height='1'/>", "<g><circle r='1'/></g>", "<a", "x", "<g/><g/>", "</g><g>", "<x:y/>",
          '<text>a &amp; b</text>', "<!-- c -->", "<rect>\n  <title>t</title>\n</rect>", "<g>&no;</g>"]  # fmt: skip


class Caller:
    """Draws calls for whatever document it is given."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def one(self, items: list[Any]) -> Any:
        return self.random.choice(items)

    def number(self) -> Any:
        return self.one(NUMBERS) if self.random.random() < 0.3 else round(self.random.uniform(-50, 50), 2)

    def text(self) -> str:
        return self.one(NASTY if self.random.random() < 0.4 else VALUES)

    def address(self, document: SourceDocument) -> str:
        try:
            elements = document.elements
        except Refusal:
            return self.text()
        element = self.one(elements)
        chance = self.random.random()
        if chance < 0.5:
            return element.label
        if chance < 0.8:
            return element.path
        return (
            self.one(["rect", "circle", "path", "text", "g", "svg", "tspan", "g > rect"])
            if chance < 0.9
            else self.text()
        )

    def kind(self, document: SourceDocument, *tags: str) -> str:
        """Mostly an element of one of these names, where there is one."""
        try:
            found = [element.path for element in document.elements if element.tag in tags]
        except Refusal:
            found = []
        return self.one(found) if found and self.random.random() < 0.8 else self.address(document)

    def piece(self, document: SourceDocument) -> str:
        """A stretch of the document's source."""
        start = self.random.randrange(len(document.text) + 1)
        return document.text[start : start + self.one([1, 3, 10, 40])]

    def patch(self, document: SourceDocument) -> str:
        lines = document.text.replace("\r", "").split("\n")
        at = self.random.randrange(len(lines))
        old, new = lines[at], lines[at].replace("1", "2")
        if self.random.random() < 0.5:
            return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
        body = [f" {line}" for line in lines[max(0, at - 1) : at]] + [f"-{old}", f"+{new}"]
        return (
            self.one(["--- a\n+++ b\n", "```diff\n", ""])
            + self.one(["@@ -1 +1 @@\n", "@@\n"])
            + "\n".join(body)
        )

    def arguments(self, tool: str, document: SourceDocument) -> dict[str, Any]:
        return ARGUMENTS[tool](self, document)

    def garbage(self, depth: int = 0) -> Any:
        simple = [self.text(), self.number(), None, True, b"x", {1, 2}, -1]
        if depth > 2 or self.random.random() < 0.6:
            return self.one(simple)
        inner = [self.garbage(depth + 1) for _ in range(self.random.randrange(4))]
        return inner if self.random.random() < 0.5 else {str(self.text()): item for item in inner}

    def call(self, tools: list[str], document: SourceDocument) -> tuple[Any, Any]:
        """A tool name and arguments as an agent might send them."""
        tool = self.one(tools)
        arguments: Any = self.arguments(tool, document)
        chance = self.random.random()
        if chance < 0.1:
            arguments[self.one([*arguments, "extra", "objct"])] = self.garbage()
        elif chance < 0.15:
            arguments = self.garbage()
        elif chance < 0.3:
            arguments = json.dumps(arguments, default=str)
            if self.random.random() < 0.3:
                arguments = arguments[: self.random.randrange(len(arguments))]
        elif chance < 0.33:
            tool = self.garbage()
        return tool, arguments


def _batch(caller: Caller, document: SourceDocument) -> dict[str, Any]:
    names = [caller.one(list(ARGUMENTS)) for _ in range(caller.random.randrange(1, 4))]
    return {
        "calls": [
            {"tool": name, "args": caller.arguments(name, document)} for name in names if name != "batch"
        ]
    }


ARGUMENTS: dict[str, Callable[[Caller, SourceDocument], dict[str, Any]]] = {
    "set_attribute": lambda c, d: {
        "object": c.address(d),
        "name": c.one([*NAMES, c.text()]),
        "value": c.text(),
    },
    "remove_attribute": lambda c, d: {"object": c.address(d), "name": c.one(NAMES)},
    "set_style": lambda c, d: {
        "object": c.address(d),
        "property": c.one(["fill", "stroke", "opacity", "font", c.text()]),
        "value": c.one([None, c.text(), "red", "red !important"]),
    },
    "set_text": lambda c, d: {"object": c.address(d), "text": c.text()},
    "move": lambda c, d: {"object": c.address(d), "dx": c.number(), "dy": c.number()},
    "scale": lambda c, d: {
        "object": c.address(d),
        "sx": c.number(),
        "sy": c.number(),
        "about": c.one(["center", "origin", [1, 2]]),
    },
    "rotate": lambda c, d: {
        "object": c.address(d),
        "degrees": c.number(),
        "about": c.one(["center", "origin", [5, 5]]),
    },
    "set_path": lambda c, d: {"object": c.kind(d, "path"), "d": c.one([*PATHS, c.text()])},
    "edit_path_point": lambda c, d: {
        "object": c.kind(d, "path"),
        "index": c.random.randrange(0, 7),
        "point": c.one(["end", "end", "control1", "control2"]),
        "x": c.one([None, 5, 0.25, -3.5, c.number()]),
        "y": c.one([None, 5, 0.25, -3.5, c.number()]),
        "keep_rest": c.one([True, False]),
    },
    "set_points": lambda c, d: {
        "object": c.kind(d, "polyline", "polygon"),
        "points": c.one(["0,0 1,1", "1 2 3", "", c.text()]),
    },
    "insert_element": lambda c, d: {
        "object": c.address(d),
        "markup": c.one([*MARKUP, c.text()]),
        "where": c.one(["before", "after", "first_in", "last_in"]),
    },
    "delete_element": lambda c, d: {"object": c.address(d)},
    "duplicate_element": lambda c, d: {
        "object": c.address(d),
        "new_id": c.one([None, "copy", "a&b", c.text()]),
    },
    "reorder_element": lambda c, d: (
        {
            "object": c.address(d),
            "to": c.one(["front", "back", "forward", "backward"]),
        }
        if c.random.random() < 0.6
        else {"object": c.address(d), "to": c.one(["before", "after"]), "reference": c.address(d)}
    ),
    "replace_text": lambda c, d: {"find": c.piece(d), "replace": c.one([c.piece(d), c.text(), ""])},
    "apply_patch": lambda c, d: {"patch": c.one([c.patch(d), c.patch(d), c.text()])},
    "rewrite": lambda c, d: {"svg": c.one([d.text, d.text.replace("1", "2"), c.piece(d), c.text()])},
    "list_objects": lambda c, d: {"object": c.one([None, c.address(d)]), "definitions": c.one([True, False])},
    "find": lambda c, d: {
        "query": c.one([c.address(d), "//*[@id]", "count(//g)", "//rect | //circle", "//@x", c.text()]),
        "syntax": c.one(["css", "xpath"]),
    },
    "get_element": lambda c, d: {"object": c.address(d), "points": c.one([True, False])},
    "measure": lambda c, d: {"object": c.address(d), "other": c.one([None, c.address(d)])},
    "render": lambda c, d: {
        "object": c.one([None, c.address(d)]),
        "zoom": c.number(),
        "highlight": [c.address(d)],
    },
    "diff": lambda c, d: {"context_lines": c.random.randrange(3)},
    "batch": _batch,
    "undo": lambda c, d: {"steps": c.one([1, 1, 2, 50, 0])},
    "reset_document": lambda c, d: {},
    "validate": lambda c, d: {},
    "submit": lambda c, d: {},
}
