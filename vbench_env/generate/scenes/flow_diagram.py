"""Flow diagrams: boxes in a row or column, arrows between them, a decision, a start and an end."""

from __future__ import annotations

from vbench_env.generate.brush import Brush
from vbench_env.generate.markup import Element, points
from vbench_env.generate.scenes.base import SANS, SCENES, between, heading, ordinal, slug, spare_disc
from vbench_env.generate.sketch import Alike, Area, Colored, Lined, Linked, Reads, Row

_FLOWS = (
    (
        "Order handling",
        ("Receive", "Check", "Pick", "Pack", "Label", "Ship", "Bill", "Archive"),
        ("Return handling", "Parcel sorting"),
    ),
    (
        "Bread baking",
        ("Weigh", "Mix", "Knead", "Rest", "Shape", "Proof", "Bake", "Cool"),
        ("Cake tasting", "Beer brewing"),
    ),
    (
        "Release process",
        ("Plan", "Write", "Review", "Merge", "Test", "Sign", "Publish", "Announce"),
        ("Support process", "Hiring round"),
    ),
    (
        "Loan request",
        ("Apply", "Scan", "Verify", "Score", "Decide", "Offer", "Sign up", "Pay out"),
        ("Claim report", "Card renewal"),
    ),
    (
        "Water treatment",
        ("Intake", "Screen", "Settle", "Filter", "Aerate", "Ozone", "Store", "Supply"),
        ("Waste sorting", "Heat recovery"),
    ),
)


@SCENES.register("flow-diagram")
def flow_diagram(brush: Brush) -> None:
    random = brush.random
    title, names, wrong = random.choice(_FLOWS)
    columns, rows = between(brush, 3, 4), 2
    texts = list(names[: columns * rows])
    brush.title, brush.subject = title, f"the flow diagram of {title.lower()}"
    step, drop = 224.0, 168.0
    brush.page(columns * step + 40, 440 + 80)
    _markers(brush)
    heading(brush, title, wrong)
    _arrows(brush, columns, step, drop)
    _boxes(brush, texts, columns, step, drop)
    _decisions(brush, columns, step)
    with brush.group("corner"):
        x = columns * step - 20
        brush.add("rect", "corner-line", x=x - 70, y=78, width=80, height=6, fill=brush.palette.line)
        spare_disc(
            brush,
            "token",
            f"the {brush.palette.word(4)} disc in the top right corner",
            x - 20,
            44,
            25,
            brush.palette.color(4),
            "corner",
            "corner-line",
        )


def _markers(brush: Brush) -> None:
    """Heads of arrows: a pointed one, and a square one that no arrow has."""
    color = brush.palette.soft
    for key, shape in (
        ("arrow-head", Element("path", {"d": "M0 0L6 3L0 6Z", "fill": color})),
        ("block-head", Element("rect", {"width": "6", "height": "6", "fill": color})),
    ):
        attrs = {
            "id": key,
            "viewBox": "0 0 6 6",
            "refX": "6",
            "refY": "3",
            "markerWidth": "7",
            "markerHeight": "7",
            "orient": "auto",
        }
        brush.define(Element("marker", attrs, [shape]))


def _arrows(brush: Brush, columns: int, step: float, drop: float) -> None:
    keys = []
    with brush.group("arrows"):
        for row in range(2):
            for column in range(columns - 1):
                x, y = 40 + column * step + 150, 150 + row * drop
                arrow = brush.add(
                    "line",
                    f"arrow-{'upper' if row == 0 else 'lower'}-{ordinal(column)}",
                    "arrow",
                    x1=x,
                    y1=y,
                    x2=x + 66,
                    y2=y,
                    stroke=brush.palette.soft,
                    stroke_width=7,
                    marker_end="url(#arrow-head)",
                )
                line = "upper" if row == 0 else "lower"
                name = f"the {ordinal(column)} arrow of the {line} row"
                keys.append(brush.part(arrow, name, area=Area(x, y - 26, x + 70, y + 26), ink=2300.0))
    brush.relate(
        Linked(tuple(keys), "marker-end", "the other arrows", ("url(#block-head)",)),
        Alike(tuple(keys), ("stroke", "stroke-width"), "the other arrows"),
    )


def _boxes(brush: Brush, texts: list[str], columns: int, step: float, drop: float) -> None:
    palette, random = brush.palette, brush.random
    rounding = random.choice((0, 10, 18, 36))
    boxes, labels = [], []
    with brush.group("boxes"):
        for place, text in enumerate(texts):
            row, column = divmod(place, columns)
            x, y = 40 + column * step, 110 + row * drop
            box = brush.add(
                "rect",
                f"box-{slug(text)}",
                "box",
                x=x,
                y=y,
                width=150,
                height=80,
                rx=rounding or None,
                fill=palette.panel,
                stroke=palette.color(0),
                stroke_width=5,
            )
            boxes.append(brush.part(box, f"the box “{text}”", ink=9500.0))
    with brush.group("labels", font_family=SANS, font_size=27, text_anchor="middle", fill=palette.ink):
        for place, text in enumerate(texts):
            row, column = divmod(place, columns)
            element = brush.add(
                "text", f"label-{slug(text)}", text=text, x=115 + column * step, y=159 + row * drop
            )
            line = "upper" if row == 0 else "lower"
            labels.append(brush.part(element, f"the label of the {ordinal(column)} box in the {line} row"))
    brush.relate(
        Alike(
            tuple(boxes),
            ("fill", "stroke", "stroke-width", "width", "height", "stroke-dasharray"),
            "the other boxes",
        ),
        Alike(tuple(labels), ("fill", "font-size"), "the other labels"),
        *(
            Reads(key, text, tuple(other for other in texts if other != text))
            for key, text in zip(labels, texts, strict=True)
        ),
        *(_facing(boxes, texts, place, columns) for place in range(len(boxes))),
        *(
            Row(tuple(boxes[row * columns : (row + 1) * columns]), "x", f"the {line} row of boxes", "box")
            for row, line in enumerate(("upper", "lower"))
        ),
    )


def _facing(boxes: list[str], texts: list[str], place: int, columns: int) -> Lined:
    """Each box stands exactly above or below one of the other row."""
    other = (place + columns) % len(boxes)
    side = "above" if place < columns else "below"
    return Lined(boxes[place], (boxes[other],), "center-x", f"be centred {side} the box “{texts[other]}”")


def _decisions(brush: Brush, columns: int, step: float) -> None:
    """Small diamonds under the boxes: gates, one for each column."""
    keys = []
    with brush.group("gates"):
        for column in range(columns):
            x, y = 115 + column * step, 434.0
            shape = points((x - 54, y), (x, y - 42), (x + 54, y), (x, y + 42))
            gate = brush.add(
                "polygon", f"gate-{ordinal(column)}", "gate", points=shape, fill=brush.palette.color(1)
            )
            keys.append(brush.part(gate, f"the {ordinal(column)} diamond from the left"))
    brush.relate(
        Alike(tuple(keys), ("points", "fill", "opacity"), "the other diamonds"),
        Row(tuple(keys), "x", "the row of diamonds", "diamond"),
        Colored(keys[0], "fill", brush.palette.word(1)),
    )
