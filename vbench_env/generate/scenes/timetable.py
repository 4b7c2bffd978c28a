"""Timetables: lines with their colours, departures at equal steps, a clock that shows a time written beside it."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num
from vbench_env.generate.scenes.base import SANS, SCENES, between, heading, lettering, ordinal, slug
from vbench_env.generate.sketch import Alike, Area, Keyed, Lined, Listed, Reads, Row, Timed

_BOARDS = (
    ("Departures", ("Harbour", "Airport", "Castle", "Market", "Stadium"), ("Arrivals", "Repairs")),
    ("Night buses", ("Old mill", "Hospital", "Theatre", "Campus", "Beach"), ("Day trips", "Night trains")),
    ("Boat trips", ("Lighthouse", "Island", "Lagoon", "Grotto", "Pier"), ("Boat hire", "Bus trips")),
    ("Mountain lifts", ("Summit", "Glacier", "Hut", "Valley", "Saddle"), ("Mountain huts", "Ski school")),
)


@SCENES.register("timetable")
def timetable(brush: Brush) -> None:
    title, names, wrong = brush.random.choice(_BOARDS)
    brush.title, brush.subject = title, f"the timetable of {title.lower()}"
    lines = brush.random.sample(names, between(brush, 3, 4))
    columns = between(brush, 4, 5)
    brush.page(860, 180 + len(lines) * 78 + 130)
    heading(brush, title, wrong)
    _clock(brush)
    _rows(brush, lines, columns)
    _key(brush, lines)


def _rows(brush: Brush, lines: list[str], columns: int) -> None:
    bands, pills, stops = [], [], []
    for place, name in enumerate(lines):
        band, pill, stop = _row(brush, place, name, lines, columns)
        bands.append(band)
        pills.append(pill)
        stops.append(stop)
    looks = ("fill", "stroke", "stroke-width", "width", "height", "stroke-dasharray")
    below, start = (
        "stand exactly below and above the other pills",
        "start on the same line as the other names",
    )
    brush.relate(
        Alike(tuple(bands), looks, "the panels behind the other rows"),
        Alike(tuple(pills), ("width", "height", "opacity"), "the other pills"),
        Row(tuple(bands), "y", "the column of panels", "panel"),
        *(Lined(pill, tuple(p for p in pills if p != pill), "center-x", below) for pill in pills),
        *(Lined(stop, tuple(s for s in stops if s != stop), "left", start) for stop in stops),
    )


def _row(brush: Brush, place: int, name: str, lines: list[str], columns: int) -> tuple[str, str, str]:
    """One line of the table: panel, pill, name and minutes; the first three are given back."""
    palette, random, side = brush.palette, brush.random, slug(name)
    start, step = random.randint(1, 9), random.choice((5, 8, 10, 12))
    minutes = [str(start + step * column) for column in range(columns)]
    with brush.group(f"row-{side}", at=(40.0, 180.0 + place * 78)):
        panel = brush.add(
            "rect", f"band-{side}", "band", x=0, y=0, width=780, height=64, fill=palette.panel,
            stroke=palette.line, stroke_width=4,
        )  # fmt: skip
        badge = brush.add(
            "rect", f"pill-{side}", "pill", x=16, y=12, width=72, height=40, rx=20, fill=palette.color(place)
        )
        caption = brush.add(
            "text", f"stop-{side}", "stop", text=name, x=106, y=43, font_family=SANS, font_size=32,
            fill=palette.ink,
        )  # fmt: skip
        keys = tuple(_minute(brush, name, column, text) for column, text in enumerate(minutes))
    band = brush.part(panel, f"the panel behind the {ordinal(place)} row", ink=30000.0)
    pill = brush.part(badge, f"the pill in the row of “{name}”", backdrop=palette.panel)
    stop = brush.part(caption, f"the name in the {ordinal(place)} row of the table", backdrop=palette.panel)
    wrong = tuple(o for board in _BOARDS for o in board[1] if o not in lines)
    row = f"the minutes of “{name}”"
    brush.relate(
        Listed(keys, tuple(minutes), "ticks", row),
        Row(keys, "x", row, "number"),
        Alike(keys, ("fill", "font-size", "opacity"), f"the other minutes of “{name}”"),
        Reads(stop, name, wrong),
        Keyed(pill, f"key-{side}", f"key-name-{side}", name, "fill", "fill"),
    )
    return band, pill, stop


def _minute(brush: Brush, name: str, column: int, text: str) -> str:
    cell = brush.add(
        "text", f"minute-{slug(name)}-{ordinal(column)}", "minute", text=text, x=350 + column * 92, y=44,
        font_family=SANS, font_size=36, text_anchor="middle", fill=brush.palette.ink,
    )  # fmt: skip
    return brush.part(
        cell, f"the {ordinal(column)} number in the row of “{name}”", backdrop=brush.palette.panel
    )


def _key(brush: Brush, lines: list[str]) -> None:
    """The key under the table: a square and a word for each line."""
    y = 180 + len(lines) * 78 + 34
    squares = []
    with brush.group("key", at=(40.0, float(y))):
        for place, name in enumerate(lines):
            side = slug(name)
            square = brush.add(
                "rect",
                f"key-{side}",
                "key",
                x=place * 200,
                y=0,
                width=42,
                height=42,
                fill=brush.palette.color(place),
            )
            squares.append(brush.part(square, f"the {ordinal(place)} square under the table"))
            lettering(brush, f"key-name-{side}", name, place * 200 + 54, 30, 24)
    disc = {"id": "button", "cx": "800", "cy": num(y + 62), "r": "26", "fill": brush.palette.color(5)}
    with brush.group("foot"):
        brush.add("rect", "foot-line", x=40, y=y + 60, width=300, height=6, fill=brush.palette.line)
        brush.spare(
            Element("circle", disc),
            f"the {brush.palette.word(5)} disc in the bottom right corner",
            "foot",
            None,
        )
    brush.relate(
        Alike(tuple(squares), ("width", "height", "opacity"), "the other squares under the table"),
        Row(tuple(squares), "x", "the row of squares under the table", "square"),
    )
    brush.asides.append("The steps differ from row to row on purpose.")


def _clock(brush: Brush) -> None:
    palette = brush.palette
    hour, minute = (
        brush.random.randint(1, 11),
        brush.random.choice((0, 5, 10, 15, 20, 25, 35, 40, 45, 50, 55)),
    )
    x, y = 760.0, 86.0
    with brush.group("clock"):
        brush.add("circle", "dial", cx=x, cy=y, r=76, fill=palette.panel, stroke=palette.ink, stroke_width=6)
        turns = {"hour": 30 * (hour + minute / 60), "minute": 6.0 * minute}
        shapes = {"hour": "M-9 8L-9 -40L9 -40L9 8Z", "minute": "M-6 10L-6 -66L6 -66L6 10Z"}
        keys = {}
        for hand, reach in (("hour", 44.0), ("minute", 70.0)):
            element = brush.add(
                "path",
                f"{hand}-hand",
                "hand",
                d=shapes[hand],
                transform=f"translate({num(x)} {num(y)}) rotate({num(turns[hand])})",
                fill=palette.ink if hand == "hour" else palette.color(4),
            )
            area = Area(x - reach, y - reach, x + reach, y + reach)
            ink = 860.0 if hand == "hour" else 900.0
            keys[hand] = brush.part(
                element, f"the {hand} hand of the clock", area=area, ink=ink * 2.4, backdrop=palette.panel
            )
        lettering(brush, "clock-time", f"{hour}:{minute:02d}", x - 104, y + 10, 34, text_anchor="end")
    for hand, key in keys.items():
        brush.relate(
            Timed(key, hand, "clock-time", turns[hand], "show the time that is written beside the clock")
        )
