"""The default engine: the `resvg` program of the `resvg-cli` package, one short process a picture.

A process a picture is as fast as the library inside Python (5 ms against 6 ms on real drawings), leaks
nothing, and takes limits that the operating system holds. The version is pinned, because a picture has to be
the same bytes on every machine.
"""

from __future__ import annotations

import re
import subprocess
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from vbench_env.render.base import Picture, RenderFailure, RenderLimits
from vbench_env.render.fonts import GENERIC, SANS, font_files
from vbench_env.render.process import Scratch, ended, run_limited

VERSION = "0.44.0"
_INSTALL = f"install it with: pip install --force-reinstall --no-deps resvg-cli=={VERSION}"
_MISSING = re.compile(r"No fonts with a (.)/U\+([0-9A-F]+) character were found")
_ERROR = re.compile(r"^Error: (.*)$", re.MULTILINE)


@lru_cache(maxsize=1)
def program() -> str | RenderFailure:
    """Path of the pinned program. Another package (`resvg`) installs a script of that name over it."""
    try:
        package = distribution("resvg-cli")
    except PackageNotFoundError:
        return _unavailable("the package resvg-cli is not installed")
    paths = [Path(str(package.locate_file(file))) for file in package.files or ()]
    path = next(
        (path.resolve() for path in paths if path.stem == "resvg" and path.suffix in ("", ".exe")), None
    )
    return pinned(path) if path is not None else _unavailable("the program of resvg-cli is missing")


def pinned(path: Path) -> str | RenderFailure:
    """The path as text when it is a program of the pinned version."""
    version = _version(str(path))
    if version != VERSION:
        return _unavailable(f"{path.name} of resvg-cli has version {version!r}, not {VERSION!r}")
    return str(path)


def _unavailable(reason: str) -> RenderFailure:
    return RenderFailure("unavailable", f"{reason}; {_INSTALL}")


def _version(path: str) -> str:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"unknown ({type(error).__name__})"
    return answer.stdout.decode(errors="replace").strip()


@lru_cache(maxsize=1)
def _options() -> tuple[str, ...]:
    options = ["-", "-c", "--resources-dir", "/nonexistent", "--skip-system-fonts", "--background", "white"]
    options += ["--font-family", SANS]
    for generic, family in GENERIC.items():
        options += [f"--{generic}-family", family]
    for path in font_files():
        options += ["--use-font-file", path]
    return tuple(options)


class ResvgEngine:
    """Draws with `resvg-cli`."""

    name = "resvg"

    def __init__(self, limits: RenderLimits) -> None:
        self.limits = limits
        self._scratch = Scratch()

    def draw(self, svg: bytes, width_px: int, height_px: int) -> Picture | RenderFailure:
        path = program()
        if isinstance(path, RenderFailure):
            return path
        try:
            run = run_limited([path, *_options()], svg, self.limits, self._scratch.empty(), {})
        except OSError as error:
            return _unavailable(f"resvg cannot be started ({error.strerror})")
        errors = run.errors.decode(errors="replace")
        if run.returncode == 0 and not run.timed_out:
            return Picture(run.output, width_px, height_px, _notes(errors))
        if run.returncode == 1 and (found := _ERROR.search(errors)):
            return _rejected(found[1])
        return ended("resvg", run.returncode, errors, self.limits, timed_out=run.timed_out)

    def close(self) -> None:
        """Nothing waits."""


def _rejected(reason: str) -> RenderFailure:
    if "nodes limit" in reason:
        return RenderFailure(
            "refused", "elements or references are nested too deeply; undo what refers to itself"
        )
    return RenderFailure("malformed", f"resvg cannot read the document ({reason.rstrip('.')}); correct it")


def _notes(errors: str) -> tuple[str, ...]:
    """What the program said about letters that no font has."""
    missing = dict.fromkeys(_MISSING.findall(errors))
    return tuple(f"no bundled font has {letter} (U+{code})" for letter, code in list(missing)[:10])
