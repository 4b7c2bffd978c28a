"""The tables agree with each other and with what SVG says of well-known names."""

from __future__ import annotations

import pytest

from vbench_env.svg import colors, schema, values


def test_svg_1_1_has_59_presentation_attributes_of_known_groups() -> None:
    assert len(schema.PRESENTATION) == 59
    assert not set(schema.PRESENTATION) & set(schema.LATER_PRESENTATION)
    for info in schema.PROPERTIES.values():
        assert info.applies_to <= {"all", *schema.GROUPS}


@pytest.mark.parametrize("name", sorted(schema.PROPERTIES))
def test_initial_values_are_values_of_their_kind(name: str) -> None:
    info = schema.PROPERTIES[name]
    if info.kind == "color":
        assert colors.parse_color(info.initial) is not None
    elif info.kind == "paint":
        assert colors.parse_paint(info.initial) is not None
    elif info.kind in ("opacity", "positive"):
        assert values.parse_number(info.initial) is not None
    elif info.kind == "length-diagonal":
        assert values.parse_length(info.initial) is not None
    elif info.kind == "angle":
        assert info.initial in info.keywords or values.parse_length(info.initial.removesuffix("deg"))
    elif info.kind in ("keyword", "keywords", "url", "spacing", "dashes"):
        assert info.initial in info.keywords


@pytest.mark.parametrize(
    ("name", "inherited"),
    [
        ("fill", True),
        ("opacity", False),
        ("vector-effect", False),
        ("stop-color", False),
        ("paint-order", True),
    ],
)
def test_inheritance(name: str, inherited: bool) -> None:
    assert schema.PROPERTIES[name].inherited is inherited


@pytest.mark.parametrize(
    ("name", "tag", "applies"),
    [
        ("fill", "rect", True),
        ("fill", "g", False),
        ("fill", "stop", False),
        ("opacity", "g", True),
        ("opacity", "use", True),
        ("stop-color", "stop", True),
        ("marker-end", "circle", False),
        ("font-size", "tspan", True),
        ("color", "g", True),
        ("shine", "rect", False),
    ],
)
def test_where_properties_apply(name: str, tag: str, applies: bool) -> None:
    assert schema.property_applies(name, tag) is applies


@pytest.mark.parametrize(
    ("tag", "name", "kind"),
    [
        ("rect", "x", "length-x"),
        ("text", "x", "lengths"),
        ("fePointLight", "x", "number"),
        ("stop", "offset", "offset"),
        ("feFuncR", "offset", "number"),
        ("path", "d", "path"),
        ("rect", "fill", "paint"),
        ("use", "{http://www.w3.org/1999/xlink}href", "href"),
        ("animate", "begin", "timing"),
        ("rect", "begin", "text"),
        ("rect", "data-x", "text"),
    ],
)
def test_attribute_kinds(tag: str, name: str, kind: str) -> None:
    assert schema.attribute_kind(tag, name) == kind


@pytest.mark.parametrize(
    ("tag", "name", "initial"),
    [
        ("rect", "x", "0"),
        ("linearGradient", "x2", "100%"),
        ("rect", "fill", "black"),
        ("g", "transform", ""),
        ("g", "x", None),
    ],
)
def test_initial_values(tag: str, name: str, initial: str | None) -> None:
    assert schema.initial_value(tag, name) == initial
