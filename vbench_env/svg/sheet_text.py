"""What has to be compared as written in a style sheet: everything that cannot be evaluated or matches nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping

from vbench_env.svg.cascade import Rule
from vbench_env.svg.parse import Node
from vbench_env.svg.properties import Value, property_value, raw
from vbench_env.svg.references import Referring
from vbench_env.svg.resolve import Resolved
from vbench_env.svg.schema import PRESENTATION

_NAMED = re.compile(r"""(url\(\s*['"]?)#([\w.-]+)|#([\w.-]+)(?=[^;{}]*\{)""")


def rename_sheet(text: str, names: Mapping[str, str]) -> str:
    """Style sheet text with ids renamed, in `url()` and in selectors; a colour such as `#abc` is no id."""
    if not names:
        return text

    def renamed(match: re.Match[str]) -> str:
        name = match.group(2) or match.group(3)
        return f"{match.group(1) or ''}#{names.get(name, name)}"

    return _NAMED.sub(renamed, text)


def literal_rules(resolved: Resolved, style: Node, names: Mapping[str, str]) -> list[object]:
    """What of one `<style>` element compares as written.

    Rules that match an element compare by their effect, unless something beside them cannot be evaluated: which
    of both wins then depends on their order, and all compare as written.
    """
    sheets = resolved.sheets
    form = resolved.options.color_form
    matched = set[int]() if sheets.conditional else sheets.matched_rules()
    first = 0
    for node, sheet in zip(sheets.css, sheets.sheets, strict=True):
        if node is style and not sheets.crossed:
            number, found = first, list[object]()
            for item in sheet.items:
                if isinstance(item, str):
                    found.append(rename_sheet(item, names))
                    continue
                if number not in matched:
                    found.append(_literal(item, names, form))
                number += 1
            return found
        first += len(sheet.rules)
    return [" ".join(rename_sheet(style.text, names).split())]


def _literal(rule: Rule, names: Mapping[str, str], form: str) -> object:
    values: dict[str, Value] = {}
    for name, text, important in rule.declarations:
        value = property_value(name, text, True, form) if name in PRESENTATION else raw(text)
        if type(value) is Referring:
            value = value.renamed(names)
        if value is not None and (important or not values.get(name, (None, False))[1]):
            values[name] = (value, important)
    selector = rename_sheet(rule.selector + "{", names).removesuffix("{")
    return selector, tuple(sorted(values.items(), key=lambda item: item[0]))
