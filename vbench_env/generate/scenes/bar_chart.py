"""Bar charts: lying bars with a number each, a title, a scale, dots for a goal."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num
from vbench_env.generate.scenes.base import SANS, SCENES, SERIF, between, ordinal, slug
from vbench_env.generate.sketch import Alike, Colored, Lined, Listed, Reads, Row, Valued

_TOPICS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Coffee sold", "cups", ("Espresso", "Latte", "Mocha", "Americano", "Flat white", "Cortado", "Ristretto", "Filter"),
     ("Tea poured", "Cakes baked", "Bread baked")),
    ("Books borrowed", "loans", ("Novels", "Travel", "Science", "Poetry", "Comics", "History", "Cookery", "Music"),
     ("Films rented", "Maps printed", "Desks booked")),
    ("Birds counted", "birds", ("Robin", "Wren", "Heron", "Swift", "Magpie", "Kestrel", "Finch", "Starling"),
     ("Fish tagged", "Bats heard", "Eggs found")),
    ("Trees planted", "trees", ("Oak", "Birch", "Maple", "Willow", "Larch", "Beech", "Alder", "Rowan"),
     ("Ponds cleaned", "Walls mended", "Seeds sown")),
    ("Miles cycled", "miles", ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
     ("Hours slept", "Stairs climbed", "Pages read")),
    ("Rain by month", "mm", ("January", "February", "March", "April", "May", "June", "July", "August"),
     ("Sun by month", "Snow by year", "Wind by hour")),
)  # fmt: skip


@SCENES.register("bar-chart")
def bar_chart(brush: Brush) -> None:
    random = brush.random
    heading, unit, names, wrong = random.choice(_TOPICS)
    count = between(brush, 5, min(8, len(names)))
    ordered = names[0] in ("Monday", "January")
    start = random.randint(0, len(names) - count)
    labels = list(names[start : start + count]) if ordered else random.sample(names, count)
    place = random.choice(("in the old town", "at the harbour", "on the hill", "this season", "by the river"))
    brush.title, brush.subject = f"{heading} {place}", f"the bar chart of {heading.lower()}"
    row, left, top = random.choice((48, 52, 56)), random.choice((170, 190, 210)), 120
    width = 800
    brush.page(width, top + count * row + 90)
    _heading(brush, heading, place, wrong)
    longest = random.choice((400, 440))
    step = random.choice((5, 10, 20, 50))
    values = [step * random.randint(3, 10) + random.randint(0, step - 1) for _ in labels]
    scale = longest / (10 * step + step)
    _scale(brush, left, top, count * row, step, scale)
    _bars(brush, labels, values, unit, (left, top, row), scale, ordered)


def _heading(brush: Brush, heading: str, place: str, wrong: tuple[str, ...]) -> None:
    text = brush.add(
        "text", "title", "title", text=f"{heading} {place}", x=40, y=62, font_family=brush.random.choice((SANS, SERIF)),
        font_size=34, font_weight="bold", fill=brush.palette.ink,
    )  # fmt: skip
    key = brush.part(text, "the big title")
    brush.relate(Reads(key, f"{heading} {place}", tuple(f"{other} {place}" for other in wrong)))
    rule = brush.add("rect", "title-rule", x=40, y=80, width=120, height=8, fill=brush.palette.color(5))
    brush.relate(Colored(brush.part(rule, "the short bar under the title"), "fill", brush.palette.word(5)))
    brush.relate(
        Lined("title-rule", ("title",), "left", "start at the left edge of the title", None),
    )


def _scale(brush: Brush, left: float, top: float, height: float, step: int, scale: float) -> None:
    keys, labels = [], []
    with brush.group("scale"):
        for place in range(0, 11, 2):
            x = left + place * step * scale
            line = brush.add(
                "line", f"grid-{place * step}", "grid", x1=x, y1=top - 12, x2=x, y2=top + height,
                stroke=brush.palette.line, stroke_width=5,
            )  # fmt: skip
            keys.append(brush.part(line, f"the {ordinal(place // 2)} grid line from the left", shows=0.4))
        for place in range(0, 11, 2):
            text = brush.add(
                "text", f"scale-{place * step}", "scale", text=str(place * step), x=left + place * step * scale,
                y=top + height + 30, font_family=SANS, font_size=20, text_anchor="middle", fill=brush.palette.soft,
            )  # fmt: skip
            labels.append(brush.part(text, f"the {ordinal(place // 2)} number of the scale"))
    brush.relate(
        Row(tuple(keys), "x", "the vertical grid lines", "grid line", copies=False),
        Alike(tuple(keys), ("stroke", "stroke-width", "stroke-dasharray"), "the other grid lines"),
        Alike(tuple(labels), ("fill", "font-size"), "the other numbers of the scale"),
        Listed(
            tuple(labels),
            tuple(str(place * step) for place in range(0, 11, 2)),
            "ticks",
            "the numbers of the scale",
        ),
    )


def _bars(
    brush: Brush, labels: list[str], values: list[int], unit: str, at: tuple[float, float, float], scale: float,
    ordered: bool,
) -> None:  # fmt: skip
    random, palette = brush.random, brush.palette
    left, top, row = at
    bars, names, numbers = [], [], []
    rounding = random.choice((0, 4, 8))
    thick = row - random.choice((14, 18))
    with brush.group("bars"):
        for place, (label, value) in enumerate(zip(labels, values, strict=True)):
            bar = brush.add(
                "rect", f"bar-{slug(label)}", "bar", x=left, y=top + place * row, width=round(value * scale, 2),
                height=thick, rx=rounding or None, fill=palette.color(0),
            )  # fmt: skip
            bars.append(brush.part(bar, f"the bar for {label}"))
    with brush.group("names", font_family=SANS, font_size=22, text_anchor="end", fill=palette.ink):
        for place, label in enumerate(labels):
            y = top + place * row + thick / 2 + 8
            text = brush.add("text", f"name-{slug(label)}", text=label, x=left - 14, y=y)
            names.append(brush.part(text, f"the name beside the {ordinal(place)} bar from the top"))
    with brush.group("numbers", font_family=SANS, font_size=20, fill=palette.soft):
        for place, (label, value) in enumerate(zip(labels, values, strict=True)):
            x, y = left + value * scale + 12, top + place * row + thick / 2 + 7
            text = brush.add("text", f"number-{slug(label)}", text=f"{value} {unit}", x=x, y=y)
            numbers.append(brush.part(text, f"the number beside the bar for {label}"))
    brush.relate(
        Alike(tuple(bars), ("fill", "opacity", "height"), "the other bars"),
        Row(tuple(bars), "y", "the row of bars", "bar"),
        *(
            Reads(key, label, tuple(o for o in labels if o != label))
            for key, label in zip(names, labels, strict=True)
        ),
        *(_valued(bars, numbers, values, labels, place) for place in range(len(bars))),
        *(
            Lined(key, tuple(k for k in bars if k != key), "left", "start on the same line as the other bars")
            for key in bars
        ),
    )
    if ordered:
        of = "weekdays" if labels[0].endswith("day") else "months"
        brush.relate(Listed(tuple(names), tuple(labels), of, f"the list of {of}"))
    _spare(brush, at, row * len(labels))


def _valued(bars: list[str], numbers: list[str], values: list[int], labels: list[str], place: int) -> Valued:
    others = {
        bar: number for other, (bar, number) in enumerate(zip(bars, numbers, strict=True)) if other != place
    }
    return Valued(bars[place], "width", numbers[place], others, "the number beside it")


def _spare(brush: Brush, at: tuple[float, float, float], height: float) -> None:
    """Shapes that have no business in a chart, in its corners."""
    size = brush.random.choice((22, 26))
    x, y = brush.width - 60, brush.random.choice((52, 60))
    with brush.group("corner"):
        brush.add("rect", "frame-note", x=brush.width - 30, y=20, width=8, height=8, fill=brush.palette.line)
        brush.spare(
            Element(
                "circle",
                {"id": "badge", "cx": num(x), "cy": num(y), "r": num(size), "fill": brush.palette.color(3)},
            ),
            f"the {brush.palette.word(3)} disc in the top right corner", "corner", "frame-note",
        )  # fmt: skip
    brush.asides.append("The bars need not be sorted by length.")
