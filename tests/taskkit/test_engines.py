"""Engines are compared picture by picture, and asked what they lack."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vbench_env.render.renderer import unavailable
from vbench_env.svg.parse import parse
from vbench_env.task import load_task
from vbench_env.taskkit.engines import FEATURES, compare_engines, lacking, used_features
from vbench_env.taskkit.engines import compare as comparing
from vbench_env.taskkit.engines.chromium import draw, find_chromium
from vbench_env.taskkit.engines.compare import engines, without_text
from vbench_env.taskkit.engines.features import PROBE_PX, probe

TEA = Path(__file__).parent / "corpus" / "tea-table"
NO_CAIRO = unavailable("cairosvg")


def blank(svg: str) -> NDArray[np.uint8]:
    return np.zeros((PROBE_PX, PROBE_PX, 3), dtype=np.uint8)


@pytest.mark.parametrize("feature", FEATURES, ids=[feature.name for feature in FEATURES])
def test_a_probe_is_a_drawing_that_uses_its_feature(feature: object) -> None:
    for markup in (feature.shown, feature.plain):
        assert parse(probe(markup)).root is not None
    assert feature.name in used_features(probe(feature.shown)) or feature.name == "href without xlink"


def test_an_engine_that_draws_nothing_lacks_everything() -> None:
    different = {feature.name for feature in FEATURES if not feature.alike}
    assert set(lacking(blank)) == different
    assert lacking(lambda svg: "broken", ["use"]) == ("use",)


def test_the_default_engine_knows_what_drawings_mostly_use() -> None:
    found, _ = engines()
    lost = lacking(lambda svg: found["resvg"](svg, (PROBE_PX, PROBE_PX)))
    assert "vector-effect" in lost
    assert not {
        "use",
        "mask by brightness",
        "pattern",
        "feGaussianBlur",
        "textPath",
        "style sheet, class",
    } & set(lost)


@pytest.mark.skipif(NO_CAIRO is not None, reason=str(NO_CAIRO))
def test_the_second_engine_is_named_with_what_it_lacks() -> None:
    found, _ = engines()
    lost = lacking(
        lambda svg: found["cairosvg"](svg, (PROBE_PX, PROBE_PX)), ["feGaussianBlur", "use", "mix-blend-mode"]
    )
    assert lost == ("feGaussianBlur", "mix-blend-mode")


def test_a_drawing_uses_what_its_source_says() -> None:
    svg = (
        '<svg><style>.a > b{fill:var(--x)}</style><use href="#a"/><g style="mix-blend-mode:multiply"/></svg>'
    )
    assert set(used_features(svg)) == {"style sheet, child", "custom properties", "use", "href without xlink",
                                       "mix-blend-mode"} | {"style sheet, class"} & set(used_features(svg))  # fmt: skip


def test_texts_are_left_out_whole() -> None:
    assert (
        without_text("<g><text x='1'>a<tspan>b</tspan></text><text/><textPath/></g>") == "<g><textPath/></g>"
    )


def test_all_engines_at_hand_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing.chromium, "find_chromium", lambda: None)
    task, steps = load_task(TEA), []
    found = compare_engines([task], "tea", lambda: steps.append(1), width_px=200)
    assert (found.corpus, found.engines[0], len(steps)) == ("tea", "resvg", 1)
    assert "not installed" in found.missing["chromium"]
    for difference in found.rows[0].differences:
        assert difference.changed is not None and 0 <= difference.changed < 0.1
    assert found.to_json()["rows"][0]["task_id"] == "tea-table"


@pytest.mark.skipif(find_chromium() is None, reason="Chromium is not installed")
def test_chromium_draws_in_the_asked_size() -> None:
    picture = draw(str(find_chromium()), probe('<rect width="32" height="64" fill="#ff0000"/>'), (64, 64))
    assert not isinstance(picture, str)
    assert picture.shape == (64, 64, 3)
    assert tuple(picture[60, 5]) == (255, 0, 0)
    assert tuple(picture[60, 60]) == (255, 255, 255)


def test_a_program_that_draws_nothing_is_no_picture() -> None:
    assert draw("/bin/true", "<svg/>", (8, 8)) == "no picture (FileNotFoundError)"
