"""Pictures by an installed Chromium, for comparison only: of drawings that we made, never of an agent's.

Chromium draws with the fonts of the system, so letters may differ from the bundled ones.
"""

from __future__ import annotations

import html
import io
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TIMEOUT_S = 120
_SPARE_PX = 200
"""Height that is cut off again: the page is shorter than the window."""


def find_chromium() -> str | None:
    """The program, when one is installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def draw(program: str, svg: str, size_px: tuple[int, int]) -> NDArray[np.uint8] | str:
    """Pixels, shape (height, width, 3), or why there are none."""
    from PIL import Image

    width, height = size_px
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "drawing.svg").write_text(svg, encoding="utf-8")
        style = f"display:block;width:{width}px;height:{height}px"
        picture = f'<img style="{html.escape(style)}" src="drawing.svg">'
        page = f'<!doctype html><body style="margin:0;background:#fff">{picture}'
        (folder / "page.html").write_text(page, encoding="utf-8")
        command = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--force-device-scale-factor=1", "--force-color-profile=srgb", f"--user-data-dir={folder / 'profile'}",
            f"--window-size={width},{height + _SPARE_PX}", f"--screenshot={folder / 'picture.png'}",
            (folder / "page.html").as_uri(),
        ]  # fmt: skip
        try:
            subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False)
            data = (folder / "picture.png").read_bytes()
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"no picture ({type(error).__name__})"
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))[:height, :width]
