"""Line charts: several lines with dots over months or weekdays, a grid and a legend."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import points
from vbench_env.generate.scenes.base import (
    SANS,
    SCENES,
    between,
    heading,
    lettering,
    ordinal,
    slug,
    spare_disc,
)
from vbench_env.generate.sketch import Alike, Keyed, Lined, Listed, Row, Traced

_TOPICS = (
    ("Visitors by month", ("Museum", "Zoo", "Castle", "Harbour"), ("Tickets by week", "Guests by year")),
    ("Power by source", ("Wind", "Solar", "Water", "Gas"), ("Water by town", "Heat by house")),
    ("Sales by shop", ("North shop", "South shop", "Airport", "Station"), ("Costs by shop", "Sales by clerk")),
    ("Water level", ("Lake", "River", "Canal", "Delta"), ("Snow depth", "Wind speed")),
    ("Ferry riders", ("Red line", "Coast line", "Night line", "Island line"), ("Train riders", "Bus drivers")),
)  # fmt: skip
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@SCENES.register("line-chart")
def line_chart(brush: Brush) -> None:
    random = brush.random
    title, names, wrong = random.choice(_TOPICS)
    count = between(brush, 5, 8)
    series = random.sample(names, between(brush, 2, 3))
    brush.title, brush.subject = title, f"the line chart of {title.lower()}"
    brush.page(860, 580)
    heading(brush, title, wrong)
    left, top, width, height = 90.0, 110.0, 540.0, 360.0
    xs = [left + 30 + place * (width - 60) / (count - 1) for place in range(count)]
    _grid(brush, left, top, width, height)
    _names(brush, xs, top + height + 40)
    with brush.group("lines"):
        for place, name in enumerate(series):
            _line(brush, place, name, xs, _heights(brush, place, len(series), count, top, height))
    _legend(brush, series)


def _grid(brush: Brush, left: float, top: float, width: float, height: float) -> None:
    lines = 5
    keys = []
    dashes = brush.random.choice((None, "10 8"))
    with brush.group("grid"):
        for place in range(lines):
            y = top + place * height / (lines - 1)
            line = brush.add(
                "line", f"grid-{'abcdefgh'[place]}", "grid", x1=left, y1=y, x2=left + width, y2=y,
                stroke=brush.palette.line, stroke_width=4, stroke_dasharray=dashes,
            )  # fmt: skip
            keys.append(brush.part(line, f"the {ordinal(place)} grid line from the top", shows=0.8))
    brush.relate(
        Row(tuple(keys), "y", "the row of grid lines", "grid line"),
        Alike(tuple(keys), ("stroke", "stroke-width", "stroke-dasharray"), "the other grid lines"),
    )


def _names(brush: Brush, xs: list[float], y: float) -> None:
    names, of = (
        (_MONTHS, "months")
        if len(xs) > 7
        else brush.random.choice(((_MONTHS, "months"), (_DAYS, "weekdays")))
    )
    start = brush.random.randrange(len(names))
    texts = [names[(start + place) % len(names)] for place in range(len(xs))]
    keys = []
    with brush.group("names", font_family=SANS, font_size=26, text_anchor="middle", fill=brush.palette.ink):
        for place, (text, x) in enumerate(zip(texts, xs, strict=True)):
            element = brush.add("text", f"name-{slug(text)}-{'abcdefgh'[place]}", text=text, x=x, y=y)
            keys.append(brush.part(element, f"the {ordinal(place)} name under the chart"))
    brush.relate(
        Listed(tuple(keys), tuple(texts), of, f"the {of} under the chart"),
        Row(tuple(keys), "x", f"the {of} under the chart", "name"),
        Alike(tuple(keys), ("fill", "font-size"), f"the other {of}"),
    )


def _heights(brush: Brush, place: int, series: int, count: int, top: float, height: float) -> list[float]:
    """A line in a band of its own, so that lines do not cross."""
    band = height / series
    low, high = top + place * band + 22, top + (place + 1) * band - 22
    return [round(brush.random.uniform(low, high), 1) for _ in range(count)]


def _line(brush: Brush, place: int, name: str, xs: list[float], ys: list[float]) -> None:
    color, key = brush.palette.color(place), slug(name)
    pairs = list(zip(xs, ys, strict=True))
    line = brush.add(
        "polyline", f"line-{key}", "line", points=points(*pairs), fill="none", stroke=color, stroke_width=7,
        stroke_linejoin="round",
    )  # fmt: skip
    whole = brush.part(line, f"the line of “{name}”")
    dots, radius = [], brush.random.choice((15, 19, 23))
    with brush.group(f"dots-{key}", fill=color):
        for number, (x, y) in enumerate(pairs):
            dot = brush.add("circle", f"dot-{key}-{'abcdefgh'[number]}", f"dot-{key}", cx=x, cy=y, r=radius)
            dots.append(brush.part(dot, f"the {ordinal(number)} dot of “{name}”"))
    brush.relate(
        Keyed(whole, f"key-{key}", f"key-name-{key}", name, "stroke", "fill"),
        Alike(tuple(dots), ("r", "fill", "opacity"), f"the other dots of “{name}”"),
        Row(tuple(dots), "x", f"the dots of “{name}”", "dot"),
    )
    for number in range(1, len(pairs) - 1):
        # the dot covers the very corner: what shows are the two legs beside it
        brush.relate(Traced(whole, number, dots[number], f"the {ordinal(number)} dot of “{name}”", "y", 85.0))


def _legend(brush: Brush, series: list[str]) -> None:
    swatches = []
    with brush.group("legend", at=(662.0, 120.0)):
        for place, name in enumerate(series):
            key = slug(name)
            swatch = brush.add(
                "rect",
                f"key-{key}",
                x=0,
                y=place * 62,
                width=44,
                height=44,
                rx=6,
                fill=brush.palette.color(place),
            )
            swatches.append(brush.part(swatch, f"the {ordinal(place)} square of the legend"))
            lettering(brush, f"key-name-{key}", name, 58, place * 62 + 30, 22)
    with brush.group("corner"):
        y = brush.random.choice((430, 450))
        spare_disc(
            brush, "seal", "the big disc under the legend", 720, y, 30, brush.palette.color(4), "corner"
        )
        brush.add("rect", "corner-line", x=662, y=500, width=120, height=6, fill=brush.palette.line)
    brush.relate(
        Alike(tuple(swatches), ("width", "height", "opacity"), "the other squares of the legend"),
        *(Lined(key, tuple(o for o in swatches if o != key), "left", "line up with the left edge of the other squares")
          for key in swatches),
    )  # fmt: skip
    brush.asides.append("The lines need not cross.")
