"""`svgeditbench`: folders of tasks with query and answer files.

A query is a prompt that holds the drawing, an answer is a drawing. What counts is where `query` and `answer` stand in a
path, as a folder (`ChangeColor/query/1.txt`, `query/ChangeColor/1.txt`) or in the file's name (`1_query.txt`); what is
left of the path pairs them and names the kind of task.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from vbench_env.errors import ConfigError
from vbench_env.importers.base import IMPORTERS, Importer, Row, Want
from vbench_env.importers.columns import lacking, read_text, without_drawing
from vbench_env.importers.derive import Refused
from vbench_env.svg.extract import extract_svg

_ROLE = re.compile(
    r"^(?:(.+?)[_\-.])?(query|queries|prompt|prompts|answer|answers)(?:[_\-.](.+))?$", re.IGNORECASE
)
_SUFFIXES = (".txt", ".svg", ".md")
_SAME = re.compile(r"compress|optimi", re.IGNORECASE)


def rows(source: Path) -> Iterator[Row]:
    """A row for each query and for each answer without one."""
    found = _paired(source)
    if not found:
        raise ConfigError(f"{source}: no folders of query and answer files; give the folder of the data set")
    for key, files in sorted(found.items()):
        yield _row(key, files)


def _paired(root: Path) -> dict[str, dict[str, Path]]:
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    files = root.rglob("*") if root.is_dir() else ()
    for path in sorted(files):
        if path.is_file() and path.suffix.lower() in _SUFFIXES:
            key, role = _split(path.relative_to(root))
            if role:
                found[key].setdefault(role, path)
    return found


def _split(path: Path) -> tuple[str, str]:
    """What is left of a path without the word for its role, and the role."""
    role, rest = "", []
    for part in (*path.parent.parts, path.stem):
        match = _ROLE.match(part)
        if match is None:
            rest.append(part)
            continue
        role = "answer" if match[2].lower().startswith("answer") else "query"
        rest.extend(piece for piece in (match[1], match[3]) if piece)
    return "/".join(rest), role


def _row(key: str, files: dict[str, Path]) -> Row:
    group, _, name = key.rpartition("/")
    want: Want = "optimise" if _SAME.search(group) else "repair"
    texts = {role: read_text(path) for role, path in files.items()}
    query, answer = texts.get("query"), texts.get("answer")
    before = extract_svg(query) if query else None
    target = (extract_svg(answer) if answer else None) or (before if want == "optimise" else None)
    undrawn = [what for what, there in (("query", before), ("answer", target)) if there is None]
    refused = lacking(texts, ()) or (
        Refused("missing", f"no drawing in the {' and the '.join(undrawn)}") if undrawn else None
    )
    return Row(
        source=key, name=name or key, group=group.replace("/", "-") or "svgeditbench",
        instruction=without_drawing(query or ""), before=before, target=target, want=want, refused=refused,
    )  # fmt: skip


IMPORTERS.add(
    "svgeditbench", Importer("svgeditbench", "SVGEditBench: six task folders of query and answer files", rows)
)
