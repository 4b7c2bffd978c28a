"""Icon grids: tiles with a symbol and a caption, a row of stars, arrows, a set of hexagon badges."""

from __future__ import annotations

import math

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num, points
from vbench_env.generate.scenes.base import SANS, SCENES, between, heading, ordinal, slug
from vbench_env.generate.sketch import Alike, Area, Colored, Facing, Lined, Linked, Reads, Row

_ICONS: dict[str, str] = {
    "Mail": "M4 10H44V38H4ZM4 10L24 27L44 10L44 14L24 31L4 14Z",
    "Home": "M24 4L46 24H38V44H28V30H20V44H10V24H2Z",
    "Play": "M10 4L42 24L10 44Z",
    "Save": "M6 4H36L44 12V44H6ZM14 8V18H32V8Z",
    "Heart": "M24 44L4 22C-2 8 16 0 24 14C32 0 50 8 44 22Z",
    "Bolt": "M28 2L8 28H22L18 46L40 18H25Z",
    "Flag": "M8 2H14V6H44L36 16L44 26H14V46H8Z",
    "Chart": "M4 28H14V44H4ZM19 16H29V44H19ZM34 4H44V44H34Z",
    "Drop": "M24 2C34 16 40 24 40 31A16 16 0 0 1 8 31C8 24 14 16 24 2Z",
    "Tag": "M4 4H24L46 26L26 46L4 24Z",
}
_TITLES = (
    ("Toolbox", ("Inbox", "Sandbox")),
    ("Main menu", ("Side menu", "Wine menu")),
    ("App symbols", ("App settings", "Map symbols")),
    ("Control panel", ("Remote panel", "Solar panel")),
    ("Quick actions", ("Slow motion", "Last actions")),
)


@SCENES.register("icon-grid")
def icon_grid(brush: Brush) -> None:
    title, wrong = brush.random.choice(_TITLES)
    brush.title, brush.subject = title, "the screen of symbols"
    columns = between(brush, 4, 5)
    brush.page(80 + columns * 150, 620)
    for name, shape in _ICONS.items():
        brush.define(
            Element("symbol", {"id": slug(name), "viewBox": "0 0 48 48"}, [Element("path", {"d": shape})])
        )
    heading(brush, title, wrong)
    _tiles(brush, columns)
    _arrows(brush, columns)
    _stars(brush, columns)
    _badges(brush, columns)


def _tiles(brush: Brush, columns: int) -> None:
    random, palette = brush.random, brush.palette
    names = random.sample(sorted(_ICONS), columns)
    rounding = random.choice((6, 14, 28))
    tiles, uses, captions = [], [], []
    with brush.group("tiles"):
        for place, name in enumerate(names):
            x = 40 + place * 150
            tile = brush.add(
                "rect",
                f"tile-{slug(name)}",
                "tile",
                x=x,
                y=90,
                width=126,
                height=126,
                rx=rounding,
                fill=palette.panel,
                stroke=palette.color(0),
                stroke_width=5,
            )
            tiles.append(brush.part(tile, f"the tile “{name}”", ink=9000.0))
    with brush.group("symbols", fill=palette.color(1)):
        for place, name in enumerate(names):
            use = brush.add(
                "use",
                f"symbol-{slug(name)}",
                href=f"#{slug(name)}",
                x=67 + place * 150,
                y=117,
                width=72,
                height=72,
            )
            uses.append(brush.part(use, f"the symbol of “{name}”", ink=2400.0, backdrop=palette.panel))
    with brush.group("captions", font_family=SANS, font_size=28, text_anchor="middle", fill=palette.ink):
        for place, name in enumerate(names):
            text = brush.add("text", f"caption-{slug(name)}", text=name, x=103 + place * 150, y=254)
            captions.append(brush.part(text, f"the caption under the {ordinal(place)} tile"))
    others = sorted(set(_ICONS) - set(names))
    brush.relate(
        Alike(
            tuple(tiles),
            ("fill", "stroke", "stroke-width", "height", "width", "stroke-dasharray"),
            "the other tiles",
        ),
        Row(tuple(tiles), "x", "the row of tiles", "tile"),
        Alike(tuple(uses), ("width",), "the other symbols"),
        *(
            Lined(use, (tile,), "center-x", "sit in the middle of its tile")
            for use, tile in zip(uses, tiles, strict=True)
        ),
        *(Reads(key, name, tuple(others)) for key, name in zip(captions, names, strict=True)),
        *(
            Lined(key, (tile,), "center-x", "be centred under its tile")
            for key, tile in zip(captions, tiles, strict=True)
        ),
    )


def _arrows(brush: Brush, columns: int) -> None:
    directions = (
        ("up", "straight up", 0),
        ("right", "to the right", 90),
        ("down", "straight down", 180),
        ("left", "to the left", 270),
    )
    keys = []
    with brush.group("arrows", fill=brush.palette.color(2)):
        for place, (name, words, angle) in enumerate(directions):
            x, y = 103 + place * 150, 320.0
            arrow = brush.add(
                "path",
                f"arrow-{name}",
                d="M0 -34L26 2H10V34H-10V2H-26Z",
                transform=f"translate({num(x)} {num(y)}) rotate({angle})",
            )
            key = brush.part(
                arrow, f"the {ordinal(place)} arrow", area=Area(x - 34, y - 34, x + 34, y + 34), ink=1900.0
            )
            brush.relate(Facing(key, words, "up", angle, f"point {words}"))
            keys.append(key)
    brush.relate(
        Alike(tuple(keys), ("fill", "opacity", "d"), "the other arrows"),
        Row(tuple(keys), "x", "the row of arrows", "arrow"),
    )


def _star(x: float, y: float, radius: float) -> str:
    pairs = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.42
        turn = math.radians(36 * corner)
        pairs.append((x + reach * math.sin(turn), y - reach * math.cos(turn)))
    return points(*pairs)


def _stars(brush: Brush, columns: int) -> None:
    keys = []
    with brush.group("rating"):
        for place in range(columns):
            x, y = 103 + place * 150, 430.0
            star = brush.add(
                "polygon",
                f"star-{ordinal(place)}",
                "star",
                points=_star(x, y, 44),
                fill=brush.palette.color(3),
            )
            keys.append(brush.part(star, f"the {ordinal(place)} star"))
    brush.relate(
        Alike(tuple(keys), ("fill", "opacity", "points"), "the other stars"),
        Row(tuple(keys), "x", "the row of stars", "star"),
        *(Colored(key, "fill", brush.palette.word(3)) for key in keys),
    )


def _badges(brush: Brush, columns: int) -> None:
    first, second = brush.palette.color(4), brush.palette.color(5)
    for key, color in (("glow", first), ("dusk", second)):
        stops = [
            Element("stop", {"offset": "0", "stop-color": color}),
            Element("stop", {"offset": "1", "stop-color": brush.palette.panel}),
        ]
        brush.define(
            Element("linearGradient", {"id": key, "x1": "0", "y1": "0", "x2": "0", "y2": "1"}, stops)
        )
    keys, count = [], columns + 2
    step = (columns * 150 - 24 - 64) / (count - 1)
    with brush.group("badges"):
        for place in range(count):
            badge = brush.add(
                "circle",
                f"badge-{ordinal(place)}",
                "badge",
                cx=72 + place * step,
                cy=548,
                r=34,
                fill="url(#glow)",
                stroke=brush.palette.ink,
                stroke_width=5,
            )
            keys.append(brush.part(badge, f"the {ordinal(place)} badge at the bottom"))
        brush.spare(
            Element(
                "rect",
                {
                    "id": "block",
                    "x": num(40 + columns * 150 - 70),
                    "y": "36",
                    "width": "46",
                    "height": "40",
                    "fill": second,
                },
            ),
            f"the {brush.palette.word(5)} block in the top right corner",
            "badges",
            keys[0],
        )
    brush.relate(
        Row(tuple(keys), "x", "the row of badges", "badge", copies=True),
        Alike(
            tuple(keys), ("r", "stroke", "stroke-width", "opacity", "stroke-dasharray"), "the other badges"
        ),
        Linked(tuple(keys), "fill", "the other badges", ("url(#dusk)",)),
    )
    brush.asides.append("The arrows point in different directions on purpose.")
