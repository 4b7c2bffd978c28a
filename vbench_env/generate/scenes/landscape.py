"""Landscapes: a sky, hills, a row of trees, houses, a fence, clouds before the sun."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, num, points
from vbench_env.generate.palette import named_color
from vbench_env.generate.scenes.base import SCENES, between, ordinal
from vbench_env.generate.sketch import Alike, Area, Colored, Facing, Lined, Linked, Row, Stacked
from vbench_env.taskkit.color_words import hex_of

_SKIES = (("#bfe3f5", "#fdf3dc"), ("#f7c9a9", "#fdeccf"), ("#9fb8e8", "#e9eefb"), ("#2b3a67", "#7d6b9e"))
_HILLS = (("#8fb98a", "#5f9c6b"), ("#a8c686", "#7ea65b"), ("#9ac1b5", "#5e9686"), ("#c9b27c", "#a58d56"))


@SCENES.register("landscape")
def landscape(brush: Brush) -> None:
    random = brush.random
    sky, hills = random.choice(_SKIES), random.choice(_HILLS)
    place = random.choice(("valley", "village", "countryside", "meadow"))
    brush.title, brush.subject = f"A {place} in summer", f"the picture of the {place}"
    brush.page(800, 560, sky[1])
    _sky(brush, sky)
    _hills(brush, hills)
    _trees(brush, between(brush, 4, 7))
    _houses(brush, between(brush, 2, 3))
    _fence(brush, between(brush, 5, 9))
    brush.asides.append("The near hill is meant to be darker than the far one.")


def _sky(brush: Brush, sky: tuple[str, str]) -> None:
    stops = [
        Element("stop", {"offset": offset, "stop-color": color})
        for offset, color in (("0", sky[0]), ("1", sky[1]))
    ]
    attrs = {"id": "sky-light", "x1": "0", "y1": "0", "x2": "0", "y2": "1"}
    brush.define(Element("linearGradient", attrs, stops))
    brush.add("rect", "sky", width=800, height=400, fill="url(#sky-light)")
    x, y = brush.random.choice((150, 400, 620)), 110
    light = brush.random.choice(("gold", "orange", "tomato", "amber"))
    with brush.group("heaven"):
        sun = brush.add("circle", "sun", cx=x, cy=y, r=58, fill=hex_of(named_color(light)))
        name = brush.part(sun, "the sun", ink=7600.0, backdrop=sky[0])
        cloud = brush.add(
            "ellipse", "cloud-near", "cloud", cx=x + 60, cy=y + 26, rx=78, ry=32, fill="#ffffff"
        )
        near = brush.part(cloud, "the cloud at the sun", backdrop=sky[0])
        others = []
        for place, (dx, dy) in enumerate(((-260, -20), (260, 10))):
            at = x + dx if 90 < x + dx < 710 else x - 2 * dx / 1.05
            if not 90 < at < 710 or abs(at - x) < 170:
                continue
            far = brush.add(
                "ellipse",
                f"cloud-{'west' if at < x else 'east'}",
                "cloud",
                cx=at,
                cy=y + dy,
                rx=78,
                ry=32,
                fill="#ffffff",
            )
            side = "left" if at < x else "right"
            others.append(brush.part(far, f"the cloud far to the {side} of the sun", backdrop=sky[0]))
            if place == 0:
                break
    brush.relate(Colored(name, "fill", light), Stacked(near, name, 3000.0))
    if others:
        brush.relate(Alike((near, *others), ("fill", "rx", "ry", "opacity"), "the other cloud"))


def _hills(brush: Brush, hills: tuple[str, str]) -> None:
    with brush.group("hills"):
        far = brush.add(
            "path", "far-hill", d="M0 330C140 230 280 240 430 320S700 250 800 300V470H0Z", fill=hills[0]
        )
        near = brush.add(
            "path", "near-hill", d="M0 400C180 340 330 360 480 400S700 380 800 370V560H0Z", fill=hills[1]
        )
    back = brush.part(far, "the far hill", area=Area(0, 245, 800, 330), ink=40000.0)
    front = brush.part(near, "the near hill", area=Area(0, 355, 800, 560), ink=80000.0)
    brush.relate(Stacked(front, back, 20000.0))


def _tree(brush: Brush, key: str, crown: Element) -> None:
    trunk = Element("rect", {"x": "-6", "y": "-30", "width": "12", "height": "30", "fill": "#7a5a3c"})
    brush.define(Element("g", {"id": key}, [trunk, crown]))


def _trees(brush: Brush, count: int) -> None:
    random = brush.random
    green, other = random.choice((("#2f6b3f", "#d08a2e"), ("#3d7d55", "#b5533c"), ("#54762f", "#c9a227")))
    _tree(
        brush, "fir", Element("polygon", {"points": points((-26, -28), (0, -100), (26, -28)), "fill": green})
    )
    _tree(brush, "maple", Element("circle", {"cx": "0", "cy": "-62", "r": "36", "fill": other}))
    kind, wrong = random.choice((("fir", "maple"), ("maple", "fir")))
    noun = "fir" if kind == "fir" else "round tree"
    step, left = 800 / (count + 1), 800 / (count + 1)
    keys = []
    with brush.group("trees"):
        for place in range(count):
            x, y = left + place * step, 388.0
            tree = brush.add("use", f"tree-{ordinal(place)}", "tree", href=f"#{kind}", x=x, y=y)
            box = Area(x - 36, y - 100, x + 36, y)
            keys.append(brush.part(tree, f"the {ordinal(place)} tree from the left", area=box, ink=2300.0))
        brush.spare(
            Element("use", {"id": "tree-lone", "href": f"#{kind}", "x": "60", "y": "545"}),
            f"the {noun} at the very bottom left",
            "trees",
            None,
            Area(24, 445, 96, 545),
            2400.0,
        )
    brush.relate(
        Linked(tuple(keys), "href", "the other trees", (f"#{wrong}",)),
        Row(tuple(keys), "x", "the row of trees", "tree", copies=True),
        *(
            Lined(
                key,
                tuple(k for k in keys if k != key),
                "bottom",
                "stand at the same height as the other trees",
            )
            for key in keys
        ),
    )


def _houses(brush: Brush, count: int) -> None:
    roofs, walls, doors = [], [], []
    width, left = 92, 200
    color = brush.palette.color(1)
    step = 520 / count
    with brush.group("houses"):
        for place in range(count):
            x, name = (
                left + place * step,
                ("left house", "right house")[place]
                if count == 2
                else ("left house", "middle house", "right house")[place],
            )
            with brush.group(f"{name.split()[0]}-house", at=(x, 410.0)):
                wall = brush.add(
                    "rect",
                    f"{name.split()[0]}-wall",
                    "wall",
                    x=0,
                    y=0,
                    width=width,
                    height=62,
                    fill="#f5ead6",
                )
                roof = brush.add(
                    "polygon",
                    f"{name.split()[0]}-roof",
                    "roof",
                    points=points((-10, 0), (16, -44), (width - 16, -44), (width + 10, 0)),
                    fill=color,
                )
                door = brush.add(
                    "rect", f"{name.split()[0]}-door", "door", x=34, y=22, width=24, height=40, fill="#6b4a34"
                )
            walls.append(brush.part(wall, f"the wall of the {name}", ink=4500.0, backdrop="#5f9c6b"))
            roofs.append(brush.part(roof, f"the roof of the {name}", backdrop="#5f9c6b"))
            doors.append(brush.part(door, f"the door of the {name}", backdrop="#f5ead6"))
    brush.relate(
        Alike(
            tuple(roofs), ("points", "fill", "opacity"), "the other roofs" if count > 2 else "the other roof"
        ),
        Alike(
            tuple(walls), ("fill", "height", "width"), "the other walls" if count > 2 else "the other wall"
        ),
        *(
            Lined(door, (roof,), "center-x", "be centred under its roof")
            for door, roof in zip(doors, roofs, strict=True)
        ),
        *(Colored(roof, "fill", brush.palette.word(1)) for roof in roofs),
    )
    if count > 2:
        brush.relate(Row(tuple(roofs), "x", "the row of roofs", "roof"))


def _fence(brush: Brush, count: int) -> None:
    keys = []
    with brush.group("fence", at=(330.0, 500.0)):
        for place in range(count):
            post = brush.add(
                "rect",
                f"post-{ordinal(place)}",
                "post",
                x=place * 48,
                y=0,
                width=26,
                height=56,
                fill="#fdf6e7",
            )
            keys.append(
                brush.part(post, f"the {ordinal(place)} fence post from the left", backdrop="#7ea65b")
            )
    brush.relate(
        Row(tuple(keys), "x", "the row of fence posts", "post", copies=True),
        Alike(tuple(keys), ("fill", "height", "opacity"), "the other fence posts"),
    )
    with brush.group("vane"):
        x, y = 742.0, 62.0
        brush.add("circle", "vane-plate", cx=x, cy=y, r=46, fill="#ffffff")
        shape = "M0 -40L28 34L0 18L-28 34Z"
        vane = brush.add(
            "path",
            "vane-arrow",
            d=shape,
            transform=f"translate({num(x)} {num(y)}) rotate(0)",
            fill=brush.palette.color(2),
        )
        key = brush.part(
            vane, "the arrow in the top right corner", area=Area(x - 42, y - 42, x + 42, y + 42), ink=2100.0
        )
    brush.relate(Facing(key, "up", "up", 0.0, "point straight up"))
