"""Pictures of a site: PNG files named by their content, each drawing drawn once."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from vbench_env.events import sha256
from vbench_env.render import Picture, Renderer
from vbench_env.report.pictures import Shot, Size, packed, take

FOLDER = "pictures"


class Shelf:
    """Draws for the pages of a site, which lie one folder below its root.

    Args:
        root: folder of the site.
        renderer: draws.
        most: different drawings that are drawn; later ones are left out, and pages say so.
    """

    def __init__(self, root: Path, renderer: Renderer, most: int) -> None:
        self.root, self.most = root, most
        self._renderer = renderer
        self._known: dict[tuple[str, Size], Shot] = {}
        self._written: dict[str, str] = {}
        self.left_out = 0
        """Times that a picture was left out."""

    def take(self, svg: str | None, size: Size) -> Shot:
        """The picture of a drawing, with the address of its file; a `Camera`."""
        if svg is None:
            return take(svg, size, self._renderer)
        key = sha256(svg), size
        shot = self._known.get(key)
        if shot is not None:
            return shot
        if len(self._known) >= self.most:
            self.left_out += 1
            return Shot(*size, reason=f"Left out: this site draws no more than {self.most:,} drawings.")
        shot = self._known[key] = take(svg, size, self._renderer, self._put)
        return shot

    def _put(self, picture: Picture) -> str:
        if picture.digest not in self._written:
            self._written[picture.digest] = self._write(packed(picture))
        return f"../{FOLDER}/{self._written[picture.digest]}"

    def _write(self, png: bytes) -> str:
        name = f"{hashlib.sha256(png).hexdigest()[:32]}.png"
        path = self.root / FOLDER / name
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.write_bytes(png)
            os.replace(part, path)
        return name
