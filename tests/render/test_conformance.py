"""What every engine has to do; runs for each one that is registered and can draw here."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hostile_documents import HOSTILE, data_uri, svg

from vbench_env.render import RENDERERS, Picture, RenderFailure, RenderRequest, SafeRenderer
from vbench_env.render.compare import changed_pixels

XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
WHITE, RED, LIME = [255, 255, 255], [255, 0, 0], [0, 255, 0]
CHECKER = (
    f'<svg {XMLNS} viewBox="0 0 100 100"><rect width="50" height="50" fill="red"/>'
    '<rect x="50" y="50" width="50" height="50" fill="lime"/></svg>'
)


def pixels(renderer, document, size=(100, 100), region=None):
    result = renderer.render(RenderRequest(document, *size, region))
    assert isinstance(result, Picture), result
    array = result.array()
    assert array.shape == (size[1], size[0], 3)
    return array


def same(first, second) -> bool:
    return not changed_pixels(first, second).any()


def test_shapes_are_drawn_where_they_are_on_white(renderer):
    array = pixels(renderer, CHECKER)
    assert array[25, 25].tolist() == RED
    assert array[75, 75].tolist() == LIME
    assert array[25, 75].tolist() == WHITE


def test_the_same_document_gives_the_same_bytes_from_a_fresh_engine(renderer, engine_name):
    document = svg('<text y="50" font-family="Inter">Aß→</text><circle r="33.3" fill="teal"/>')
    fresh = SafeRenderer(RENDERERS.get(engine_name)(renderer.limits), renderer.limits)
    request = RenderRequest(document, 120, 80)
    assert fresh.render(request) == renderer.render(request)
    fresh.close()


def test_another_process_in_another_folder_draws_the_same_bytes(renderer, engine_name, tmp_path):
    document = svg('<text y="50" font-family="Georgia">Größe ≤ 3</text>')
    code = (
        "import sys; from vbench_env.render import render_picture;"
        f"print(render_picture(sys.argv[1], (120, 80), renderer={engine_name!r}).digest)"
    )
    environment = {
        **os.environ, "PYTHONHASHSEED": "7", "LANG": "tr_TR.UTF-8", "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path),
    }  # fmt: skip
    answer = subprocess.run(
        [sys.executable, "-c", code, document], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert answer.stdout.strip() == renderer.render(RenderRequest(document, 120, 80)).digest, answer.stderr


def test_a_wide_drawing_is_centred_with_white_borders(renderer):
    document = f'<svg {XMLNS} width="200" height="100"><rect x="-99" y="-99" width="999" height="999"/></svg>'
    array = pixels(renderer, document)
    assert (array[:25] == 255).all()
    assert (array[75:] == 255).all()
    assert (array[25:75] == 0).all()


@pytest.mark.parametrize(
    "size",
    ["", 'width="100"', 'height="7mm"', 'width="100%" height="100%"', 'width="200000" height="200000"',
     'width="1in" height="72pt"', 'width="12em" height="12em"'],
)  # fmt: skip
def test_the_size_that_a_document_asks_for_changes_nothing_but_its_aspect(renderer, size):
    document = CHECKER.replace("<svg ", f"<svg {size} ")
    assert same(pixels(renderer, document), pixels(renderer, CHECKER))


def test_without_a_view_box_the_size_is_the_view(renderer):
    document = f'<svg {XMLNS} width="50" height="50"><rect width="25" height="25" fill="red"/></svg>'
    array = pixels(renderer, document)
    assert array[49, 49].tolist() == RED
    assert array[51, 51].tolist() == WHITE


@pytest.mark.parametrize(
    ("aspect", "left", "top", "width", "height"),
    [
        ("", 0, 25, 50, 50),
        ("xMinYMin", 0, 0, 50, 50),
        ("xMaxYMax meet", 0, 50, 50, 50),
        ("none", 0, 0, 50, 100),
        ("xMidYMid slice", 0, 0, 50, 100),
        ("xMinYMid slice", 0, 0, 100, 100),
    ],
)
@pytest.mark.parametrize("region", [None, (0.0, 0.0, 20.0, 10.0)])
def test_preserve_aspect_ratio_is_the_documents_own(renderer, aspect, left, top, width, height, region):
    document = (
        f'<svg {XMLNS} width="100" height="100" viewBox="0 0 20 10" preserveAspectRatio="{aspect}">'
        '<rect width="10" height="10" fill="red"/></svg>'
    )
    if region is not None:
        left, top, width, height = (0, 0, 50, 100) if aspect == "none" else (0, 25, 50, 50)
        left, width = {"xMidYMid slice": (25, 25), "xMinYMid slice": (0, 50)}.get(aspect, (left, width))
    found = np.argwhere((pixels(renderer, document, region=region) == RED).all(axis=2))
    assert found.min(axis=0).tolist() == [top, left]
    assert (found.max(axis=0) + 1).tolist() == [top + height, left + width]


def test_a_region_shows_that_part_and_only_that(renderer):
    array = pixels(renderer, CHECKER, region=(25.0, 25.0, 50.0, 50.0))
    assert array[25, 25].tolist() == RED
    assert array[75, 75].tolist() == LIME
    assert array[25, 75].tolist() == WHITE
    wide = pixels(renderer, CHECKER, region=(0.0, 0.0, 50.0, 25.0))
    assert (wide[25:75] == RED).all()
    assert (wide[:24] == 255).all()
    assert (wide[76:] == 255).all()


def test_a_region_beyond_the_drawing_is_white_there(renderer):
    document = svg('<rect x="-100" y="-100" width="500" height="500" fill="red"/>')
    array = pixels(renderer, document, region=(50.0, 50.0, 100.0, 100.0))
    assert (array[:49, :49] == RED).all()
    assert (array[51:] == 255).all()
    assert (pixels(renderer, document, region=(900.0, 900.0, 5.0, 5.0)) == 255).all()


def test_percentages_keep_their_meaning_inside_a_region(renderer):
    document = svg('<rect width="50%" height="50%" fill="red"/>')
    array = pixels(renderer, document, region=(25.0, 25.0, 50.0, 50.0))
    assert (array[:49, :49] == RED).all()
    assert (array[51:] == 255).all()


def test_rules_for_svg_elements_are_applied_once(renderer):
    sheet = "<style>svg{opacity:.5;width:20px;x:50px} rect,path{fill:red}</style>"
    document = svg(sheet + '<rect width="100" height="100"/>')
    plain = svg('<rect width="100" height="100" fill="#ff8080"/>')
    assert same(pixels(renderer, document, (200, 100)), pixels(renderer, plain, (200, 100)))


def test_the_background_of_the_root_is_painted(renderer):
    document = CHECKER.replace("<svg ", '<svg width="200" height="100" style="background: #00f" ')
    array = pixels(renderer, document)
    assert array[10, 50].tolist() == WHITE
    assert array[30, 2].tolist() == [0, 0, 255]


def text(attributes: str, letters: str = "Hamburg") -> str:
    return svg(f'<text x="2" y="60" font-size="20" {attributes}>{letters}</text>')


@pytest.mark.parametrize(
    "family", ["Inter", "Helvetica, Arial", "'No Such Font'", "cursive", "DejaVu Sans Condensed"]
)
def test_text_in_any_other_family_is_drawn_sans_serif(renderer, family):
    expected = pixels(renderer, text('font-family="sans-serif"'))
    assert (expected < 128).any()
    assert same(pixels(renderer, text(f'font-family="{family}"')), expected)
    styled = text(f'style="font:20px {family.replace(chr(34), "")}"')
    assert same(pixels(renderer, styled), expected)


def test_families_weights_and_slants_differ(renderer):
    styles = [
        'font-family="serif"',
        'font-family="monospace"',
        'font-weight="bold"',
        'font-style="italic"',
        "",
    ]
    arrays = [pixels(renderer, text(style)) for style in styles]
    for number, first in enumerate(arrays):
        assert all(not same(first, second) for second in arrays[number + 1 :])


@pytest.mark.parametrize("letters", ["Ωλ", "Жю", "→↔", "≤∑∞", "ÄŁő", "▲●"])
def test_the_bundled_fonts_have_greek_cyrillic_arrows_and_signs(renderer, letters):
    drawn = pixels(renderer, text("", letters))
    assert (drawn < 128).any()
    assert not same(drawn, pixels(renderer, text("", "\u4e00\u4e01")))


def test_internal_entities_are_expanded(renderer):
    document = '<!DOCTYPE svg [<!ENTITY red "fill:#f00">]>' + svg(
        '<rect style="&red;" width="100" height="100"/>'
    )
    assert (pixels(renderer, document) == RED).all()


def test_embedded_rasters_are_drawn(renderer):
    green = Picture(
        renderer.render(RenderRequest(svg('<rect width="100" height="100" fill="lime"/>'), 9, 9)).png, 9, 9
    )
    document = svg(f'<image href="{data_uri("image/png", green.png)}" width="100" height="100"/>')
    assert (pixels(renderer, document)[20:80, 20:80] == LIME).all()


def planted(folder: Path) -> dict[str, str]:
    """The hidden target as an agent might spell its address, after planting it in and above `folder`."""
    target = (
        f'<svg {XMLNS} width="100" height="100"><rect id="x" width="100" height="100" fill="lime"/></svg>'
    )
    for place in (folder, folder.parent):
        (place / "target.svg").write_text(target)
        (place / "a.css").write_text("rect{fill:lime}")
    return {
        "relative": "target.svg", "dot": "./target.svg", "parent": "../target.svg",
        "absolute": str(folder / "target.svg"), "file": f"file://{folder}/target.svg",
        "upper": f"FILE://localhost{folder}/target.svg", "white": f"  {folder}/target.svg  ",
        "fragment": f"{folder}/target.svg#x", "escaped": f"&#9;{folder}/tar&#10;get.svg", "host": "//127.0.0.1/t.svg",
        "http": "http://127.0.0.1:9/target.svg", "script": "java&#10;script:void(0)",
    }  # fmt: skip


WAYS = {
    "image": '<image href="%s" width="100" height="100"/>',
    "xlink": '<image xlink:href="%s" width="100" height="100"/>',
    "both": '<image href="#none" xlink:href="%s" width="100" height="100"/>',
    "use": '<use href="%s#x"/>',
    "tref": '<text y="50"><tref xlink:href="%s#x"/></text>',
    "feImage": '<filter id="f"><feImage href="%s"/></filter><rect width="90" height="90" filter="url(#f)"/>',
    "fill": '<rect width="90" height="90" fill="url(%s#x)"/>',
    "style": "<rect width='90' height='90' style='fill:url(\"%s#x\")'/>",
    "gradient": '<linearGradient id="g" href="%s#x"/><rect width="90" height="90" fill="url(#g)"/>',
    "import": "<style>@import '%s'; @import url(%s);</style><rect width='90' height='90'/>",
    "escaped-import": "<style>@\\69mport '%s'; rect{fill:\\75rl(%s)}</style><rect width='90' height='90'/>",
    "font-face": "<style>@font-face{font-family:a;src:url(%s)}</style><text y='50' font-family='a'>a</text>",
    "base": '<g xml:base="%s"><image href="" width="100" height="100"/><use href="#x"/></g>',
    "foreign": '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="%s"/></foreignObject>',
    "foreign-svg": '<x xmlns="urn:a"><image xmlns="http://www.w3.org/2000/svg" href="%s" width="90" height="90"/></x>',
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_no_reference_reads_outside_the_document(renderer, way, tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for address in planted(folder).values():
        if "<style>" in WAYS[way] and "&#10;" in address:
            continue  # a line break inside a string of CSS makes another style sheet of it
        body = WAYS[way].replace("%s", address)
        blind = WAYS[way].replace("%s", "#none")
        seen = renderer.render(RenderRequest(svg(body), 64, 64))
        if isinstance(seen, Picture):
            assert not (seen.array() == LIME).all(axis=2).any(), address
            assert same(seen.array(), pixels(renderer, svg(blind), (64, 64))), address


@pytest.mark.parametrize("address", ["a.css", "file:///etc/passwd", "http://127.0.0.1:9/a.css"])
def test_style_sheets_outside_the_document_are_not_read(renderer, address, tmp_path, monkeypatch):
    planted(tmp_path)
    monkeypatch.chdir(tmp_path)
    document = f'<?xml-stylesheet type="text/css" href="{address}"?>' + svg(
        '<rect width="100" height="100"/>'
    )
    result = renderer.render(RenderRequest(document, 64, 64))
    assert (result.array() == 0).all()
    assert result.notes == ("the xml-stylesheet instruction is not followed",)


def test_external_entities_are_not_read(renderer, tmp_path, monkeypatch):
    planted(tmp_path)
    monkeypatch.chdir(tmp_path)
    for address in ("a.css", f"file://{tmp_path}/a.css"):
        document = f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{address}">]>' + svg('<text y="50">&x;</text>')
        assert (pixels(renderer, document, (64, 64)) == 255).all()


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/xml", "image/png", "text/plain", ""])
def test_a_document_inside_a_data_uri_is_refused(renderer, kind, tmp_path):
    inner = svg(f'<image href="{tmp_path}/target.svg" width="9" height="9"/>').encode()
    document = svg(f'<image href="{data_uri(kind, inner)}" width="9" height="9"/>')
    result = renderer.render(RenderRequest(document, 64, 64))
    assert isinstance(result, RenderFailure)
    assert result.kind == "refused"
    assert result.message.startswith(
        "svg/image[1]: an SVG document inside a data: URI is not drawn; put its elements"
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_ends_in_time_as_a_picture_or_a_reason(renderer, name):
    started = time.monotonic()
    result = renderer.render(RenderRequest(HOSTILE[name], 256, 256))
    assert time.monotonic() - started < renderer.limits.wall_s + 5
    if isinstance(result, RenderFailure):
        assert result.kind in ("timeout", "memory", "refused", "malformed", "crashed")
        assert len(result.message) > 20
    assert isinstance(renderer.render(RenderRequest(CHECKER, 10, 10)), Picture)
