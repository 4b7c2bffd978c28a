"""Writing rows: JSON lines with pictures beside them, or Parquet with pictures inside."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.exporters.rows import COLUMNS, Row


def write_rows(rows: Iterable[Row], path: Path) -> int:
    """Write rows to `path`, whose ending says how: `.jsonl` or `.parquet`; the number of rows.

    Args:
        rows: in the order of the file.
        path: pictures of JSON lines go to `images/` beside it, named by their content.

    Raises:
        ConfigError: another ending; or no rows, which a data set cannot have.
    """
    if path.suffix not in {".jsonl", ".parquet"}:
        raise ConfigError(f"{path.name}: name a .jsonl or .parquet file")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    count = _write_jsonl(rows, part, path) if path.suffix == ".jsonl" else _write_parquet(rows, part)
    if count == 0:
        part.unlink(missing_ok=True)
        raise ConfigError(
            "there is nothing to export: no episode is of the kind asked for (such as passed); "
            "see the run with vbench-env report"
        )
    os.replace(part, path)
    return count


def _write_jsonl(rows: Iterable[Row], part: Path, path: Path) -> int:
    count = 0
    with part.open("w", encoding="ascii") as file:
        for row in rows:
            names = {column: [_beside(png, path) for png in pngs] for column, pngs in row.images.items()}
            file.write(json.dumps({**row.data, **names}, allow_nan=False) + "\n")
            count += 1
    return count


def _beside(png: bytes, path: Path) -> str:
    """The name of a stored picture, relative to the folder of `path`."""
    name = f"images/{hashlib.sha256(png).hexdigest()}.png"
    target = path.parent / name
    if not target.is_file():
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(png)
    return name


def _write_parquet(rows: Iterable[Row], part: Path) -> int:
    try:
        import datasets
        from datasets.arrow_writer import ArrowWriter
    except ImportError as error:
        advice = "pip install 'vbench-env[datasets]', or name a .jsonl file"
        raise ConfigError(f"Parquet needs the package datasets: {advice}") from error

    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return 0
    kinds = {name: COLUMNS[name] for name in (*first.data, *first.images)}
    features = datasets.Features({name: _feature(datasets, kind) for name, kind in kinds.items()})
    with tempfile.TemporaryDirectory(prefix="vbench-env-export-") as folder:
        arrow = str(Path(folder) / "rows.arrow")
        with ArrowWriter(features=features, path=arrow) as writer:
            for row in itertools.chain([first], rows):
                writer.write(features.encode_example(_filled(row)), writer_batch_size=100)
            count, _ = writer.finalize()
        datasets.disable_progress_bars()
        datasets.Dataset.from_file(arrow).to_parquet(str(part))
    return int(count)


def _filled(row: Row) -> dict[str, Any]:
    pictures = {
        column: [{"bytes": png, "path": f"{hashlib.sha256(png).hexdigest()}.png"} for png in pngs]
        for column, pngs in row.images.items()
    }
    return {**row.data, **pictures}


def _feature(datasets: Any, kind: str) -> Any:
    if kind == "messages":
        return datasets.List(datasets.Json())
    if kind == "images":
        return datasets.List(datasets.Image())
    return datasets.Value(kind)
