from __future__ import annotations

from pathlib import Path

import pytest

from vbench_env.render.fonts import bundled_families, font_files, font_folder, substituted


@pytest.mark.parametrize(
    ("given", "mapped"),
    [
        ("serif", "'Tinos'"),
        ("sans-serif", "sans-serif"),
        ("Sans Serif", "Sans Serif"),
        ("Times,serif", "'Tinos','Tinos'"),
        ("'Times New Roman', Arial", "'Tinos', Arial"),
        ("PT Serif, x", "'Tinos', x"),
        ('"Fira Code", monospace', "'Cousine','Cousine'"),
        ("COURIER NEW", "'Cousine'"),
        ("DejaVu Sans", "'DejaVu Sans'"),
        ("Inter, serif", "Inter,'Tinos'"),
        ("bold 12px/1.5 Georgia, serif", "bold 12px/1.5 'Tinos','Tinos'"),
        ("italic 12px Inter", "italic 12px Inter"),
        ("inherit", "inherit"),
    ],
)
def test_serif_and_monospaced_families_become_bundled_ones(given, mapped):
    assert bundled_families(given) == mapped


@pytest.mark.parametrize(
    ("families", "name"),
    [("Inter, sans-serif", "Inter"), ("'Fira Sans'", "Fira Sans"), ("Helvetica", None), ("Georgia", None),
     ("var(--font)", None), ("", None), ("Space Mono", None)],
)  # fmt: skip
def test_only_a_family_of_another_look_counts_as_substituted(families, name):
    assert substituted(families) == name


def test_the_bundled_fonts_are_small_licensed_and_documented():
    files = [Path(path) for path in font_files()]
    assert len(files) == 13
    assert sum(path.stat().st_size for path in files) < 3_000_000
    read_me = (font_folder() / "README.md").read_text()
    assert all(path.name in read_me for path in files)
    assert "SIL OPEN FONT LICENSE" in (font_folder() / "LICENSE-OFL.txt").read_text()
    assert "Bitstream Vera" in (font_folder() / "LICENSE-DejaVu.txt").read_text()
