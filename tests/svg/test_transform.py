"""Transforms by the SVG grammar: matrices, parts, and the published form."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vbench_env.svg import transform
from vbench_env.svg.transform import IDENTITY, Matrix, parse_functions, parse_transform

numbers = st.floats(-100, 100, allow_nan=False)
matrices = st.builds(Matrix, *[numbers] * 6)
CORNERS = [(0.0, 0.0), (2e6, 0.0), (2e6, 1.5e6), (0.0, 1.5e6)]


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("", IDENTITY),
        ("none", IDENTITY),
        ("translate(5)", Matrix(e=5)),
        ("translate(5,6)", Matrix(e=5, f=6)),
        ("translate(5-6)", Matrix(e=5, f=-6)),
        ("scale(2)", Matrix(a=2, d=2)),
        ("scale(2 3)", Matrix(a=2, d=3)),
        ("rotate(90)", Matrix(0, 1, -1, 0)),
        ("rotate(-90 50 50)", Matrix(0, -1, 1, 0, 0, 100)),
        ("skewX(45)", Matrix(c=math.tan(math.pi / 4))),
        ("skewY(45)", Matrix(b=math.tan(math.pi / 4))),
        (" matrix( 1,2 3 4 5,6 ) ", Matrix(1, 2, 3, 4, 5, 6)),
        ("translate(10 20)scale(2)", Matrix(2, 0, 0, 2, 10, 20)),
        ("translate(10 20) , scale (2)", Matrix(2, 0, 0, 2, 10, 20)),
    ],
)
def test_matrix_of_a_transform(text: str, matrix: Matrix) -> None:
    assert parse_transform(text) == matrix


@pytest.mark.parametrize(
    "text",
    [
        "translate()",
        "translate(1 2 3)",
        "rotate(1 2)",
        "matrix(1 2 3 4 5)",
        "skewx(1)",
        "Rotate(1)",
        "spin(1)",
        "translate(10px 20px)",
        "rotate(45deg)",
        "scale(1_0)",
        "scale(nan)",
        "scale(1) x",
        "scale(1),",
        "scale(1",
        ",scale(1)",
        "scale(1e200) scale(1e200)",
    ],
)
def test_outside_the_grammar(text: str) -> None:
    assert parse_transform(text) is None


def test_functions_as_written() -> None:
    assert parse_functions("rotate(30 1 2) scale(2)") == (("rotate", (30, 1, 2)), ("scale", (2,)))


@given(matrices, matrices, numbers, numbers)
def test_product_applies_the_inner_first(outer: Matrix, inner: Matrix, x: float, y: float) -> None:
    assert (outer @ inner).apply(x, y) == pytest.approx(outer.apply(*inner.apply(x, y)), abs=1e-6)


@given(matrices, numbers, numbers)
def test_inverse_undoes(matrix: Matrix, x: float, y: float) -> None:
    assume(abs(matrix.determinant) > 1e-2)
    inverse = matrix.inverse()
    assert inverse is not None
    assert inverse.apply(*matrix.apply(x, y)) == pytest.approx((x, y), abs=1e-3)


def test_a_singular_matrix_has_no_inverse() -> None:
    assert Matrix(1, 1, 1, 1).inverse() is None
    assert Matrix(0, 0, 0, 0).inverse() is None


@given(matrices)
def test_parts_compose_to_the_matrix(matrix: Matrix) -> None:
    assume(abs(matrix.determinant) > 1e-2 and math.hypot(matrix.a, matrix.b) > 1e-2)
    assert transform.compose(transform.decompose(matrix)) == pytest.approx(matrix, abs=1e-4)


@given(matrices)
def test_formatted_matrix_reads_back(matrix: Matrix) -> None:
    assert parse_transform(transform.format_matrix(matrix)) == matrix


def test_parts() -> None:
    parts = transform.decompose(
        Matrix(e=3, f=4) @ transform.function_matrix(transform.Function("rotate", (30,)))
    )
    assert parts.translate == (3, 4)
    assert parts.rotate == pytest.approx(30)
    assert parts.skew == pytest.approx(0)
    assert parts.scale == pytest.approx((1, 1))
    assert transform.decompose(Matrix(a=1, d=-1)).scale == (1, -1)
    assert transform.rotation_angle(Matrix(0, 1, -1, 0)) == 90


@given(st.floats(-720, 720), st.integers(-2, 2))
def test_angles_compare_modulo_a_turn(angle: float, turns: int) -> None:
    assert transform.angle_difference(angle, angle + 360 * turns) == pytest.approx(0, abs=1e-6)
    assert transform.angle_difference(angle, angle + 180) == pytest.approx(180)


def test_a_rounded_small_scale_moves_what_is_large() -> None:
    fine, rounded = Matrix(a=0.00004317, d=0.00004317), Matrix(a=0.00004, d=0.00004)
    assert fine.displacement(rounded, CORNERS) == pytest.approx(7.925, abs=1e-3)
    assert not fine.is_close(rounded, CORNERS, 1e-3)
    assert fine.is_close(rounded, [(1.0, 1.0)], 1e-3)
    assert not fine.same_linear(rounded)
    assert fine.same_linear(fine._replace(e=9.0))


def test_norm_and_scale_factor() -> None:
    assert Matrix(a=3, d=2).norm == 3
    assert Matrix(a=4, d=9).scale_factor == 6
    assert Matrix(0, 2, -2, 0).norm == 2


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("translate(1.0, +2) rotate(1e1)", ("translate(1,2)", "rotate(10)")),
        ("scale(2),scale(3)", ("scale(2)", "scale(3)")),
        ("translate(1)", ("translate(1)",)),
        ("", ()),
        ("rotate(1 2)", None),
        ("translate(.5.5)", None),
        ("spin(1)", None),
        ("scale(1) x", None),
    ],
)
def test_published_form(text: str, form: tuple[str, ...] | None) -> None:
    assert transform.published_transform(text) == form


def test_published_translate_is_the_first_one() -> None:
    assert transform.published_translate("scale(2) translate(3,4) translate(9)") == (3, 4)
    assert transform.published_translate("translate(3)") == (3, 0)
    assert transform.published_translate("scale(2)") is None
    assert transform.published_translate("translate(a)") is None
