"""Dashboards: cards in a row, progress bars with their percentages, status lamps, a tag on a card."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num
from vbench_env.generate.scenes.base import SANS, SCENES, between, heading, ordinal, slug
from vbench_env.generate.sketch import Alike, Colored, Lined, Reads, Row, Stacked, Valued

_BOARDS = (
    ("Server room", ("Memory", "Disk", "Network", "Cache", "Queue"), ("Meeting room", "Storage room")),
    (
        "Energy today",
        ("Heating", "Lighting", "Kitchen", "Charging", "Laundry"),
        ("Water today", "Energy last year"),
    ),
    ("Team goals", ("Design", "Code", "Tests", "Docs", "Support"), ("Team lunch", "Sales goals")),
    ("Garden log", ("Tomato", "Carrot", "Pumpkin", "Spinach", "Radish"), ("Kitchen log", "Garden map")),
    ("Fitness week", ("Running", "Cycling", "Swimming", "Rowing", "Yoga"), ("Fitness year", "Recipe week")),
)


@SCENES.register("dashboard")
def dashboard(brush: Brush) -> None:
    random = brush.random
    title, names, wrong = random.choice(_BOARDS)
    cards = between(brush, 3, 4)
    brush.title, brush.subject = title, f"the {title.lower()} dashboard"
    brush.page(60 + cards * 220, 640)
    _topbar(brush, title, wrong)
    _cards(brush, random.sample(names, cards))
    _progress(brush, list(random.sample(names, between(brush, 3, 5))))
    _lamps(brush, between(brush, 4, 6))


def _topbar(brush: Brush, title: str, wrong: tuple[str, ...]) -> None:
    brush.add("rect", "topbar", x=0, y=0, width=brush.width, height=84, fill=brush.palette.panel)
    heading(brush, title, wrong, y=56)
    with brush.group("account", at=(brush.width - 90.0, 42.0)):
        disc = brush.add("circle", "portrait", cx=0, cy=0, r=28, fill=brush.palette.color(4))
        key = brush.part(disc, "the big disc in the top right corner", backdrop=brush.palette.panel)
    brush.relate(
        Colored(key, "fill", brush.palette.word(4)),
        Lined(key, ("topbar",), "center-y", "be centred in the bar at the top"),
    )


def _cards(brush: Brush, names: list[str]) -> None:
    rounding = brush.random.choice((0, 8, 16))
    cards, tags, figures, titles = [], [], [], []
    for place, name in enumerate(names):
        card, tag, figure, title = _card(brush, place, name, rounding)
        cards.append(card)
        tags.append(tag)
        figures.append(figure)
        titles.append(title)
        brush.relate(Stacked(tag, card, 3300.0))
    brush.relate(
        Alike(tuple(cards), ("fill", "stroke", "stroke-width", "height", "width"), "the other cards"),
        Alike(tuple(tags), ("fill", "height", "width", "opacity"), "the stripes on the other cards"),
        Alike(tuple(figures), ("fill", "font-size", "opacity"), "the big numbers on the other cards"),
        Row(tuple(tags), "x", "the row of stripes", "stripe"),
        *(
            Lined(key, (card,), "center-x", "be centred on its card")
            for key, card in zip(figures, cards, strict=True)
        ),
        *(
            Reads(key, name, tuple(o for board in _BOARDS for o in board[1] if name not in board[1]))
            for key, name in zip(titles, names, strict=True)
        ),
    )


def _card(brush: Brush, place: int, name: str, rounding: int) -> tuple[str, str, str, str]:
    """A card: its panel, stripe, big number and caption."""
    palette, x, side = brush.palette, 40 + place * 220, slug(name)
    with brush.group(f"card-{side}"):
        panel = brush.add(
            "rect", f"panel-{side}", "panel", x=x, y=116, width=194, height=170, rx=rounding or None,
            fill=palette.panel, stroke=palette.line, stroke_width=5,
        )  # fmt: skip
        stripe = brush.add(
            "rect", f"tag-{side}", "tag", x=x, y=104, width=194, height=30, fill=palette.color(0)
        )
        number = brush.add(
            "text", f"figure-{side}", "figure", text=f"{brush.random.randint(11, 98)}%", x=x + 97, y=216,
            font_family=SANS, font_size=54, font_weight="bold", text_anchor="middle", fill=palette.ink,
        )  # fmt: skip
        caption = brush.add(
            "text", f"caption-{side}", "caption", text=name, x=x + 97, y=262, font_family=SANS, font_size=27,
            text_anchor="middle", fill=palette.soft,
        )  # fmt: skip
    card = brush.part(panel, f"the {ordinal(place)} card", ink=26000.0)
    tag = brush.part(stripe, f"the stripe on the {ordinal(place)} card", backdrop=palette.panel)
    figure = brush.part(number, f"the big number on the {ordinal(place)} card", backdrop=palette.panel)
    title = brush.part(caption, f"the caption of the {ordinal(place)} card", backdrop=palette.panel)
    return card, tag, figure, title


def _progress(brush: Brush, names: list[str]) -> None:
    bars, numbers = [], []
    with brush.group("progress", at=(40.0, 322.0)):
        for place, name in enumerate(names):
            bar, number = _progress_line(brush, place, name)
            bars.append(bar)
            numbers.append(number)
    brush.relate(
        Alike(tuple(bars), ("fill", "height", "opacity"), "the other progress bars"),
        *(
            Valued(
                bar, "width", numbers[place],
                {b: n for b, n in zip(bars, numbers, strict=True) if b != bar}, "its percentage",
            )
            for place, bar in enumerate(bars)
        ),
        *(
            Lined(bar, tuple(b for b in bars if b != bar), "left", "start at the left end of its track")
            for bar in bars
        ),
    )  # fmt: skip


def _progress_line(brush: Brush, place: int, name: str) -> tuple[str, str]:
    """A track with its bar, name and percentage; bar and percentage are given back."""
    palette, side, y = brush.palette, slug(name), place * 42
    length, share = brush.width - 340, brush.random.randint(18, 92)
    brush.add("rect", f"track-{side}", "track", x=150, y=y, width=length, height=26, fill=palette.line)
    bar = brush.add(
        "rect", f"bar-{side}", "bar", x=150, y=y, width=round(share * length / 100, 2), height=26,
        fill=palette.color(1),
    )  # fmt: skip
    brush.add(
        "text", f"task-{side}", "task", text=name, x=136, y=y + 21, font_family=SANS, font_size=22,
        text_anchor="end", fill=palette.ink,
    )  # fmt: skip
    number = brush.add(
        "text", f"share-{side}", "share", text=f"{share}%", x=170 + length, y=y + 21, font_family=SANS,
        font_size=24, fill=palette.ink,
    )  # fmt: skip
    return (
        brush.part(bar, f"the progress bar of “{name}”", backdrop=palette.line),
        brush.part(number, f"the percentage of “{name}”"),
    )


def _lamps(brush: Brush, count: int) -> None:
    palette = brush.palette
    keys, y = [], 590
    step = (brush.width - 260) / max(1, count - 1)
    with brush.group("lamps"):
        for place in range(count):
            lamp = brush.add(
                "circle",
                f"lamp-{ordinal(place)}",
                "lamp",
                cx=80 + place * step,
                cy=y,
                r=29,
                fill=palette.color(2),
                stroke=palette.ink,
                stroke_width=5,
            )
            keys.append(brush.part(lamp, f"the {ordinal(place)} lamp at the bottom"))
        square = {
            "id": "note",
            "x": num(brush.width - 96),
            "y": "566",
            "width": "52",
            "height": "48",
            "fill": palette.color(3),
        }
        brush.spare(
            Element("rect", square), f"the {palette.word(3)} square in the bottom right corner", "lamps", None
        )
    brush.relate(
        Row(tuple(keys), "x", "the row of lamps", "lamp", copies=True),
        Alike(tuple(keys), ("fill", "r", "stroke-width", "stroke", "opacity"), "the other lamps"),
    )
    brush.asides.append("The cards need not be in the order of their numbers.")
