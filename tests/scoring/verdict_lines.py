# ruff: noqa: E501
"""Verdicts as lines of text: what thousands of small changes are judged to be, kept under tests/golden/catalogue.

    python -m tests.scoring.verdict_lines --bless     # writes the lines anew; review what changed
    python -m tests.scoring.verdict_lines --digest    # one hash of all lines, for other machines and versions

`attributes.tsv` holds a row for every attribute and property: element, name, value, other value, and the verdict on
the one instead of the other under both rule sets. `cards.txt` holds a line for each of some hundred candidates of
whole tasks: status, repairs with distance and tolerance, changes. A difference is a decision, or a bug.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

from tests.fuzz.fuzz_tasks import PLAIN_REPAIRS, PLAIN_START, RICH, RICH_REPAIRS, RICH_START
from tests.sources import PLAIN
from vbench_env.audit.cases import Subject, build, plan_of
from vbench_env.scoring import PUBLISHED, SURGICAL
from vbench_env.scoring.problem import Problem, as_repairs
from vbench_env.scoring.rules import Rules
from vbench_env.scoring.scorecard import Scorecard
from vbench_env.scoring.scorer import score_problem
from vbench_env.task import load_task

FOLDER = Path(__file__).parents[1] / "golden" / "catalogue"
ROWS, CARDS = FOLDER / "attributes.tsv", FOLDER / "cards.txt"
ABSENT = "(absent)"
TASKS = ("harbor-dawn", "leaf-spectrum", "kitchen-icons", "mail-inbox", "type-fair", "cell-atlas")

HOMES = {
    "stop": '<linearGradient id="h">{}</linearGradient><rect width="9" height="9" fill="url(#h)"/>',
    "tspan": '<text x="3" y="9">a{}</text>', "textPath": "<text>{}</text>", "tref": "<text>{}</text>",
    "mpath": '<rect width="9" height="9"><animateMotion dur="1s">{}</animateMotion></rect>',
    **dict.fromkeys(("animate", "set", "animateMotion", "animateColor", "animateTransform"),
    '<rect width="9" height="9">{}</rect>'),
    "feMergeNode": '<filter id="h"><feMerge>{}</feMerge></filter><rect filter="url(#h)" width="9" height="9"/>',
    **dict.fromkeys(("feFuncR", "feFuncG", "feFuncB", "feFuncA"),
                    '<filter id="h"><feComponentTransfer>{}</feComponentTransfer></filter><rect filter="url(#h)" width="9" height="9"/>'),
    **dict.fromkeys(("feDistantLight", "fePointLight", "feSpotLight"),
                    '<filter id="h"><feDiffuseLighting>{}</feDiffuseLighting></filter><rect filter="url(#h)" width="9" height="9"/>'),
}  # fmt: skip
INNER = {
    "g": '<rect width="9" height="9"/>', "a": '<rect width="9" height="9"/>',
    "svg": '<rect width="9" height="9"/>',
    "text": "word", "tspan": "word", "textPath": "word", "symbol": '<rect width="9" height="9"/>',
    "pattern": '<rect width="9" height="9"/>', "marker": '<path d="M0 0h3v3z"/>',
    "mask": '<rect width="9" height="9" fill="#fff"/>',
    "clipPath": '<rect width="9" height="9"/>', "filter": '<feGaussianBlur stdDeviation="2"/>',
    "linearGradient": '<stop offset="1" stop-color="red"/>',
    "radialGradient": '<stop offset="1" stop-color="red"/>',
    "style": "rect{fill:red}", "title": "x", "desc": "x",
}  # fmt: skip


def drawing(tag: str, name: str, value: str) -> str:
    """A small drawing with one element that has one attribute, or has it not."""
    said = "" if value == ABSENT else f' {name}="{escape(value)}"'
    base = {
        "path": ' d="M1 1H8V8Z"',
        "polygon": ' points="1 1 8 1 8 8"',
        "polyline": ' points="1 1 8 1 8 8"',
    }.get(tag, "")
    base = "" if name in ("d", "points") else base
    element = f"<{tag}{base}{said}>{INNER.get(tag, '')}</{tag}>"
    home = HOMES.get(tag)
    if home is None and tag.startswith("fe"):
        home = '<filter id="h">{}</filter><rect filter="url(#h)" width="9" height="9"/>'
    root = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">'
    others = '<path id="a" d="M1 2h3v4z"/><path id="b" d="M2 2h3v4z"/>'
    return f"{root}{others}{(home or '{}').format(element)}</svg>"


def row_verdict(tag: str, name: str, value: str, other: str) -> str:
    """What both rule sets say of `other` in the place of `value`."""
    return " | ".join(
        _short(_judged(drawing(tag, name, value), drawing(tag, name, other), r))
        for r in (SURGICAL, PUBLISHED)
    )


def _judged(target: str, candidate: str, rules: Rules) -> Scorecard:
    return score_problem(Problem(target, None, (), (), rules), candidate)


def _short(card: Scorecard) -> str:
    said = [f"{c.subtype} {c.detail} {c.before}>{c.after}" for c in card.changes] + [
        f.kind for f in card.faults
    ]
    return " ".join((card.status, ", ".join(sorted(said)))).strip()[:160]


def rows() -> Iterator[tuple[str, ...]]:
    """The rows of the catalogue, without verdicts."""
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        yield tuple(line.split("\t"))


_SAMPLES = {
    "number": "2 3 2.0", "positive": "2 3 2.0", "integer": "2 3 02", "opacity": ".4 .5 0.40",
    "offset": ".4 .5 0.40", "angle": "30 40 30.0",
    "length": "12 13 12px", "length-x": "12 13 12px", "length-y": "12 13 9pt",
    "length-diagonal": "12 13 .125in",
    "font-size": "12 13 12px", "spacing": "2 3 2px", "lengths": "1,2 1,3 1&#9;2.0",
    "dashes": "1,2 1,3 1.0&#9;2",
    "points": "1,2,3,4 1,2,3,5 1&#9;2,3.0,4", "numbers": "1,2 1,3 1.0,2", "numbers-opt": "2 3 2,2",
    "viewbox": "0,0,9,9 0,0,9,8 0,0,9.0,9",
    "color": "#f00 #e00 red", "paint": "#f00 url(#a) red", "path": "M1,1h5 M1,1h6 M1,1H6",
    "transform": "scale(2) scale(3) matrix(2,0,0,2,0,0)",
    "font-weight": "bold normal 700", "keyword": "round square ROUND", "reference": "#a #b url(#a)",
    "clock": "1s 2s 1000ms",
    "frames": "1;2 1;3 1.0;2", "timing": "a.click b.click 1s", "keywords": "underline overline UNDERLINE",
}  # fmt: skip


def _fresh_rows() -> Iterator[tuple[str, ...]]:
    """Rows from the tables as they are now; used by `--bless` alone."""
    from vbench_env.svg import schema

    fitting = {"stop-color": "stop", "stop-opacity": "stop", "flood-color": "feFlood",
    "flood-opacity": "feFlood",
               "lighting-color": "feDiffuseLighting", "text-anchor": "text",
               "color-interpolation-filters": "feFlood"}  # fmt: skip
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for name, info in schema.PRESENTATION.items():
        tags = [
            fitting.get(
                name, "text" if name.startswith(("font", "letter", "word", "text", "baseline")) else "path"
            ),
            "g",
        ]
        for tag in tags:
            seen[tag, name] = info.kind, info.initial
    for tag, values in schema.INITIAL.items():
        for name, initial in values.items():
            seen[tag, name] = schema.attribute_kind(tag, name), initial
    for (tag, name), kind in schema.ELEMENT_ATTRIBUTES.items():
        seen.setdefault((tag, name), (kind, ""))
    for name, kind in schema.ATTRIBUTES.items():
        seen.setdefault((_tag_of(name), name), (kind, ""))
    for name in (
        "aria-label",
        "aria-labelledby",
        "role",
        "class",
        "data-kind",
        "lang",
        "systemLanguage",
        "tabindex",
    ):
        seen.setdefault(("g", name), ("", ""))
    for (tag, name), (kind, initial) in sorted(seen.items()):
        if "{" in tag + name:
            continue
        one, two, again = [v.replace("&#9;", " ") for v in _SAMPLES.get(kind, "a b A").split()]
        pairs = [(ABSENT, initial)] if initial else []
        for value, other in [*pairs, (ABSENT, one), (one, two), (one, again), (one, one + "x")]:
            yield tag, name, value, other


def _tag_of(name: str) -> str:
    homes = {"k1": "feComposite", "k2": "feComposite", "k3": "feComposite", "k4": "feComposite",
    "operator": "feComposite",
             "mode": "feBlend", "seed": "feTurbulence", "numOctaves": "feTurbulence",
             "baseFrequency": "feTurbulence",
             "stitchTiles": "feTurbulence", "radius": "feMorphology", "order": "feConvolveMatrix",
             "kernelMatrix": "feConvolveMatrix",
             "divisor": "feConvolveMatrix", "bias": "feConvolveMatrix", "targetX": "feConvolveMatrix",
             "targetY": "feConvolveMatrix",
             "edgeMode": "feConvolveMatrix", "preserveAlpha": "feConvolveMatrix",
             "stdDeviation": "feGaussianBlur",
             "scale": "feDisplacementMap", "xChannelSelector": "feDisplacementMap",
             "yChannelSelector": "feDisplacementMap",
             "tableValues": "feFuncR", "slope": "feFuncR", "intercept": "feFuncR", "amplitude": "feFuncR",
             "exponent": "feFuncR",
             "gradientUnits": "linearGradient", "spreadMethod": "linearGradient", "patternUnits": "pattern",
             "filterUnits": "filter",
             "primitiveUnits": "filter", "maskUnits": "mask", "maskContentUnits": "mask",
             "clipPathUnits": "clipPath",
             "patternContentUnits": "pattern", "markerUnits": "marker", "surfaceScale": "feDiffuseLighting",
             "diffuseConstant": "feDiffuseLighting", "specularConstant": "feSpecularLighting",
             "specularExponent": "feSpecularLighting",
             "limitingConeAngle": "feSpotLight", "azimuth": "feDistantLight", "elevation": "feDistantLight",
             "pointsAtX": "feSpotLight",
             "pointsAtY": "feSpotLight", "pointsAtZ": "feSpotLight", "z": "fePointLight",
             "lengthAdjust": "text", "method": "textPath",
             "spacing": "textPath", "side": "textPath", "startOffset": "textPath", "type": "feTurbulence",
             "textLength": "text",
             "begin": "animate", "end": "animate"}  # fmt: skip
    return homes.get(name, "path" if name in ("d", "pathLength") else "rect")


# Whole tasks

GRID = {
    'cx="80"': ['cx="20"', 'cx="50"', 'cx="77"', 'cx="78.5"', 'cx="80.0"', 'cx="82.4"', 'cx="82.6"',
    'cx="140"', ""],
    'fill="tomato"': ['fill="#001"', 'fill="#ff6347"', 'fill="#ff7050"', 'fill="#f00"',
    'fill="hsl(9 100% 64%)"', 'fill="none"', 'style="fill:tomato"', ""],
    'opacity=".8"': ['opacity=".1"', 'opacity=".75"', 'opacity=".68"', 'opacity=".67"', 'opacity="80%"',
    'opacity="1"', 'opacity="2"', ""],
    "M10 60C20 70 40 70 50 60Z": ["M10 40C20 99 40 70 50 60Z", "M10 60C20 71 40 71 50 60Z",
    "m10 60c10 10 30 10 40 0z", "M10 60L50 60Z", "M10 60C20 70 40 70 50 60",
                                  "M50 60C40 70 20 70 10 60Z", "M10 60C20 70 40 70 50 60L55 10L50 60Z",
                                  "M10 61C20 71 40 71 50 61Z", "M10 63C20 73 40 73 50 63Z", ""],
    "30,20 30,55 48,55": ["30,20 30,55 70,9", "30 20 30 55 49 55", "30,20 30,55 51,58", "30,55 30,20 48,55",
    "30,20 30,55", "30,20 30,55 48,55 30,20", "30,20 30,55 48", ""],
    ">ri<": [">rr<", "> ri <", "><", ">Ri<", '><tspan dx="0">ri</tspan><'],
    'offset=".3"': ['offset=".9"', 'offset="30%"', 'offset=".34"', 'offset=".36"', 'offset="0"', 'offset="-1"',
    ""],
    "4 2": ["9 9", "4,2", "4 2 4 2", "4.4 2.2", "5 2", "2 4", "none", "4", "8 4"],
    'font-size="7"': ['font-size="14"', 'font-size="7px"', 'font-size="7.5"', 'font-size="7.6"',
    'font-size="5.25pt"', 'style="font-size:7px"', 'font-size="1em"', ""],
    "letter-spacing:1px": ["letter-spacing:6px", "letter-spacing:1.6px", "letter-spacing:1.8px",
    "letter-spacing:normal", "letter-spacing:.75pt", ""],
    "rotate(4)": ["rotate(60)", "rotate(4.5)", "rotate(8)", "rotate(-356)",
    "matrix(.99756 .06976 -.06976 .99756 0 0)", "rotate(4 50 40)", "translate(1)rotate(4)", ""],
    'href="#leaf"': ['href="#hole"', 'xlink:href="#leaf"', 'href="#dusk"', 'href="#nope"', ""],
    'x1="5"': ['x1="6"', 'x1="5.0000001"', 'x1="0.5e1"'], 'id="rope"': ['id="cord"', ""],
    "url(#hole)": ["none", "url(#dusk)", "url( #hole )"],
    '<circle id="buoy"': ['<ellipse id="buoy"', '<circle id="bouy"', '<circle class="x" id="buoy"'],
    "</svg>": ['<rect id="blot" width="9" height="9"/></svg>', "<g/></svg>",
    '<rect width="100" height="80"/></svg>', "<title>x</title></svg>", "", "</svg><!-- -->"],
    "stroke-width:2": ["stroke-width:3", "stroke-width:2px", "stroke-width:2;stroke:none",
    "stroke-width:2;stroke:red"], "#hull ~ rect": ["#hull + rect", "rect"],
    "Ma<": ["Mb<", "M<", " Ma<"], 'width="9" height="9"/>\n<line': ['width="8" height="9"/>\n<line',
    'height="9" width="9"/>\n<line'],
}  # fmt: skip


def card_line(name: str, card: Scorecard) -> str:
    """A scorecard in one line; numbers to five digits, so that the last bits of a machine say nothing."""
    repairs = [
        f"{r.object}.{r.property}{'+' if r.passed else '-'}{_digits(r.distance)}/{_digits(r.tolerance)}/{_digits(r.baseline)}"
        f"/{_digits(r.progress)}:{r.comparison}:{r.failure or ''}"
        for r in card.repairs
    ]
    changes = [
        f"{c.object} {c.subtype} {c.detail} {c.before}>{c.after}{'!' if c.protected else ''}"[:90]
        for c in card.changes[:6]
    ]
    faults = [f"{f.kind} {f.place} {f.limit or ''}" for f in card.faults]
    numbers = (card.edit_completion, card.repair_progress, card.preservation, card.unintended_change_rate, card.localisation_precision,
               card.localisation_recall)  # fmt: skip
    flags = "".join(
        "ny"[flag]
        for flag in (card.valid, card.repaired, card.preserved, card.source_preservation, card.target_match)
    )
    rest = "; ".join((*repairs, *changes, *faults))
    return f"{name}: {card.status} {flags} {' '.join(map(_digits, numbers))} {hashlib.sha256(rest.encode()).hexdigest()[:10]} {rest[:110]}".replace(
        "\n", " "
    )


def _digits(number: float | None) -> str:
    return "-" if number is None else f"{number:.5g}"


@cache
def _subjects() -> tuple[tuple[Subject, int], ...]:
    rich = Subject("rich", RICH, SURGICAL, RICH_START, as_repairs(RICH_REPAIRS))
    old = Subject("rich published", RICH, PUBLISHED, RICH_START, as_repairs(RICH_REPAIRS))
    plain = Subject("plain", PLAIN, SURGICAL, PLAIN_START, as_repairs(PLAIN_REPAIRS))
    loaded = [load_task(f"vbench-40/{name}") for name in TASKS]
    whole = [
        Subject(t.task_id, t.target_svg, SURGICAL, t.corrupted_svg, t.repairs, t.protected) for t in loaded
    ]
    return ((rich, 120), (old, 40), (plain, 60), *((subject, 14) for subject in whole))


def card_lines() -> Iterator[str]:
    """A line for every candidate: a grid of values of every repair, and cases of the audit."""
    for subject, cases in _subjects():
        if subject.name.startswith("rich"):
            yield from _grid(subject)
        for number in range(cases):
            case = build(subject, plan_of(77, number, subject))
            if case is not None:
                yield card_line(f"{subject.name} {number}", score_problem(subject.problem, case.candidate))


def _grid(subject: Subject) -> Iterator[str]:
    for old, values in GRID.items():
        for new in values:
            for start, source in (("target", RICH), ("start", RICH_START)):
                if source.count(old) == 1:
                    card = score_problem(subject.problem, source.replace(old, new))
                    yield card_line(f"{subject.name} {start} {old!r} {new!r}".replace("\n", " "), card)


def digest() -> str:
    """One hash of all verdicts."""
    lines = [row_verdict(*row[:4]) for row in rows()] + list(card_lines())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--digest", action="store_true")
    args = parser.parse_args()
    if args.bless:
        made = ["\t".join((*row, row_verdict(*row))) for row in _fresh_rows()]  # type: ignore[call-arg]
        ROWS.write_text("\n".join(made) + "\n", encoding="utf-8")
        CARDS.write_text("\n".join(card_lines()) + "\n", encoding="utf-8")
    if args.digest:
        print(digest())


if __name__ == "__main__":
    main()
