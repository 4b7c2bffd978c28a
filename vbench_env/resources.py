"""Where data files live: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def data_root(kind: str) -> Path:
    """Folder of a data `kind` (`tasks` or `configs`), in a wheel or in a checkout."""
    packaged = Path(str(files("vbench_env"))) / "_data" / kind
    if packaged.is_dir():
        return packaged
    return Path(str(files("vbench_env"))).parent / kind
