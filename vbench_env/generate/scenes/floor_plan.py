"""Floor plans: rooms with names, a table with chairs round it, windows in the walls, a compass."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num
from vbench_env.generate.scenes.base import SANS, SCENES, between, heading, ordinal, slug
from vbench_env.generate.sketch import Alike, Area, Colored, Facing, Lined, Linked, Mirrored, Reads, Row

_PLANS = (
    ("Holiday flat", ("Kitchen", "Bedroom", "Bath", "Office"), ("Holiday plan", "Garden shed")),
    ("Ground floor", ("Hall", "Studio", "Pantry", "Library"), ("First floor", "Dance floor")),
    ("Youth hostel", ("Dorm", "Laundry", "Lounge", "Canteen"), ("Youth club", "Old mill")),
    ("Town museum", ("Foyer", "Gallery", "Shop", "Archive"), ("Town hall", "Art school")),
)


@SCENES.register("floor-plan")
def floor_plan(brush: Brush) -> None:
    title, names, wrong = brush.random.choice(_PLANS)
    brush.title, brush.subject = title, f"the floor plan of the {title.lower()}"
    brush.page(820, 640)
    heading(brush, title, wrong)
    _compass(brush)
    rooms = brush.random.sample(names, between(brush, 3, 4))
    _rooms(brush, rooms)
    _windows(brush, len(rooms))
    _table(brush, between(brush, 4, 5))
    brush.asides.append("The walls need not be equally long.")


def _rooms(brush: Brush, names: list[str]) -> None:
    palette = brush.palette
    width = 740 / len(names)
    floors, labels = [], []
    with brush.group("rooms", stroke=palette.ink, stroke_width=8):
        hall = brush.add("rect", "room-salon", x=40, y=290, width=740, height=300, fill=palette.panel)
        for place, name in enumerate(names):
            floor = brush.add(
                "rect",
                f"room-{slug(name)}",
                "room",
                x=round(40 + place * width, 2),
                y=100,
                width=round(width, 2),
                height=190,
                fill=palette.panel,
            )
            floors.append(brush.part(floor, f"the floor of the {name.lower()}", ink=190 * width * 0.7))
        floors.append(brush.part(hall, "the floor of the big room", ink=150000.0))
    with brush.group("room-names", font_family=SANS, font_size=30, text_anchor="middle", fill=palette.ink):
        for place, name in enumerate(names):
            x = round(40 + (place + 0.5) * width, 2)
            text = brush.add("text", f"name-{slug(name)}", text=name, x=x, y=205)
            labels.append(brush.part(text, f"the name of the {ordinal(place)} room in the upper row"))
    wrong = tuple(name for plan in _PLANS for name in plan[1] if name not in names)
    brush.relate(
        Alike(tuple(floors), ("fill",), "the floors of the other rooms"),
        Alike(tuple(floors[:-1]), ("height",), "the other rooms of the upper row"),
        *(Reads(key, name, wrong) for key, name in zip(labels, names, strict=True)),
        *(
            Lined(key, (floor,), "center-x", "be centred in its room")
            for key, floor in zip(labels, floors[:-1], strict=True)
        ),
    )


def _windows(brush: Brush, rooms: int) -> None:
    keys, width = [], 740 / rooms
    with brush.group("windows", stroke=brush.palette.color(2), stroke_width=16):
        for place in range(rooms):
            middle = 40 + (place + 0.5) * width
            line = brush.add(
                "line",
                f"window-{ordinal(place)}",
                x1=round(middle - 52, 2),
                y1=100,
                x2=round(middle + 52, 2),
                y2=100,
            )
            keys.append(brush.part(line, f"the {ordinal(place)} window in the top wall"))
        lower = []
        for place in range(4):
            x = 90.0 + place * 172
            line = brush.add("line", f"pane-{ordinal(place)}", x1=x, y1=590, x2=x + 124, y2=590)
            lower.append(brush.part(line, f"the {ordinal(place)} window in the bottom wall"))
    brush.relate(
        Alike((*keys, *lower), ("stroke", "stroke-width", "stroke-dasharray"), "the other windows"),
        Row(tuple(lower), "x", "the row of windows in the bottom wall", "window"),
        Row(tuple(keys), "x", "the row of windows in the top wall", "window"),
    )


def _table(brush: Brush, chairs: int) -> None:
    palette, random = brush.palette, brush.random
    seat = Element("path", {"d": "M-30 -24H30V8C30 40 -30 40 -30 8Z", "fill": palette.color(0)})
    bench = Element("rect", {"x": "-26", "y": "-12", "width": "52", "height": "20", "fill": palette.color(4)})
    brush.define(Element("g", {"id": "chair"}, [seat]))
    brush.define(Element("g", {"id": "stool"}, [bench]))
    step, left, top = 88.0, 250.0, 400.0
    width = chairs * step
    sides: dict[str, list[str]] = {"upper": [], "lower": []}
    with brush.group("dining"):
        table = brush.add(
            "rect",
            "table",
            x=left,
            y=top,
            width=width,
            height=84,
            rx=random.choice((6, 20, 42)),
            fill=palette.color(1),
        )
        key = brush.part(table, "the table", backdrop=palette.panel)
        for side, y, turn in (("upper", top - 42, 180), ("lower", top + 126, 0)):
            for place in range(chairs):
                x = left + (place + 0.5) * step
                chair = brush.add(
                    "use",
                    f"chair-{side}-{ordinal(place)}",
                    href="#chair",
                    transform=f"translate({num(x)} {num(y)}) rotate({turn})",
                )
                name = f"the {ordinal(place)} chair {'above' if side == 'upper' else 'below'} the table"
                area = Area(x - 34, y - 34, x + 34, y + 34)
                # a use element is moved by its transform here: x and y are counted before the turn
                part = brush.part(
                    chair, name, area=area, ink=3000.0, backdrop=palette.panel, placed="transform"
                )
                sides[side].append(part)
        rug = {"id": "rug", "cx": "120", "cy": "520", "rx": "44", "ry": "32", "fill": palette.color(3)}
        brush.spare(
            Element("ellipse", rug), f"the {palette.word(3)} rug in the bottom left corner", "dining", key
        )
    every = (*sides["upper"], *sides["lower"])
    brush.relate(
        Colored(key, "fill", palette.word(1)),
        Linked(every, "href", "the other chairs", ("#stool",)),
        Row(tuple(sides["upper"]), "x", "the row of chairs above the table", "chair", copies=True),
        Row(tuple(sides["lower"]), "x", "the row of chairs below the table", "chair", copies=True),
        Alike(tuple(sides["upper"]), ("rotation",), "the other chairs above the table"),
        Alike(tuple(sides["lower"]), ("rotation",), "the other chairs below the table"),
        *(
            Mirrored(one, other, f"the {ordinal(place)} chair below the table", "horizontal", key)
            for place, (one, other) in enumerate(zip(sides["upper"], sides["lower"], strict=True))
        ),
    )


def _compass(brush: Brush) -> None:
    x, y = 735.0, 50.0
    with brush.group("compass"):
        brush.add(
            "circle",
            "compass-plate",
            cx=x,
            cy=y,
            r=44,
            fill=brush.palette.panel,
            stroke=brush.palette.line,
            stroke_width=4,
        )
        needle = brush.add(
            "path",
            "needle",
            d="M0 -38L28 34L0 18L-28 34Z",
            transform=f"translate({num(x)} {num(y)}) rotate(0)",
            fill=brush.palette.color(5),
        )
    key = brush.part(
        needle,
        "the compass needle",
        area=Area(x - 40, y - 40, x + 40, y + 40),
        ink=2100.0,
        backdrop=brush.palette.panel,
    )
    brush.relate(
        Facing(key, "up", "up", 0.0, "point straight up"), Colored(key, "fill", brush.palette.word(5))
    )
