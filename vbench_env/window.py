"""A window for `render_mode="human"`, where there is a screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vbench_env.observations.preview import Pixels


class Window:
    """A plain window that shows one picture at a time. Without a screen it says so once and stays shut."""

    def __init__(self, title: str = "VBench: the drawing now, and as it began") -> None:
        self._root: Any = None
        self._picture: Any = None
        try:
            import tkinter

            self._root = tkinter.Tk()
            self._root.title(title)
            self._label = tkinter.Label(self._root)
            self._label.pack()
        except Exception as error:  # no tkinter, no display, no permission: all mean no window
            note = f"render_mode='human': no window can be opened here ({error}); use rgb_array or ansi"
            print(note, file=sys.stderr)

    @property
    def open(self) -> bool:
        return self._root is not None

    def show(self, pixels: Pixels) -> None:
        """Show an array of shape `(height, width, 3)`."""
        import tkinter

        height, width = pixels.shape[:2]
        data = f"P6 {width} {height} 255 ".encode() + pixels.tobytes()
        self._picture = tkinter.PhotoImage(width=width, height=height, data=data, format="PPM")
        self._label.configure(image=self._picture)
        self._root.update()

    def close(self) -> None:
        if self._root is not None:
            self._root.destroy()
        self._root = None
