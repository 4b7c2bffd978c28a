"""A task on its way to becoming a variant: one drawing that holds everything, and the content of `task.yaml`.

The drawing is the target with the extra elements of all deletions put in, so that every step that renames,
recolours or moves things treats them like the rest. `closed` takes them out again.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from vbench_env.errors import TaskError
from vbench_env.protected import find_object
from vbench_env.repair import Repair
from vbench_env.strict_yaml import YamlProblem, read_yaml
from vbench_env.svg.document import Element, SourceDocument
from vbench_env.svg.edit import put_attributes
from vbench_env.svg.restructure import insert, remove
from vbench_env.task import read_drawing
from vbench_env.task_file import TARGET_NAME, YAML_NAME, TaskFile, parse_task_file, read_task_file
from vbench_env.taskkit.build import derive, without_canary

MARK = "data-variant-part"
Data = dict[str, Any]


class Unvaried(ValueError):
    """Why a kind of change cannot be made to a task; the message says it in a few words."""


@dataclass(frozen=True, slots=True)
class Draft:
    """`svg` is the target with marked extra elements; `data` the content of `task.yaml`, never changed in place."""

    svg: str
    data: Data

    @property
    def file(self) -> TaskFile:
        """`data`, checked."""
        return parse_task_file(self.data, "variant")

    @property
    def repairs(self) -> tuple[Repair, ...]:
        return self.file.repairs

    @property
    def target(self) -> str:
        """The target drawing, without canary."""
        return closed(self)[0]

    def copied(self) -> Data:
        """A copy of the data that may be changed."""
        return copy.deepcopy(self.data)

    def pictures(self) -> tuple[str, str]:
        """Target and corrupted drawing."""
        target, data = closed(self)
        return target, derive(target, parse_task_file(data, "variant").repairs)


class Step(NamedTuple):
    """A changed draft, what was changed, and which words of ids no longer tell the truth."""

    draft: Draft
    note: str
    words: Mapping[str, str] = {}


def open_draft(folder: Path) -> Draft:
    """The draft of a task folder, nothing changed yet."""
    read_task_file(folder)
    try:
        data = read_yaml(folder / YAML_NAME)
    except YamlProblem as error:
        raise TaskError(f"{folder / YAML_NAME}: {error}") from error
    target = without_canary(read_drawing(folder / TARGET_NAME), data["canary"])
    return Draft(_with_extras(target, data), data)


def _with_extras(target: str, data: Data) -> str:
    document = SourceDocument(target)
    places = [
        (number, _index(document, repair["parent"]), repair.get("before"))
        for number, repair in deletions(data)
    ]
    befores = {number: _index(document, name) for number, _, name in places if name}
    marks: list[int | None] = list(range(len(document.outline.names)))
    for number, parent, _ in places:
        markup = str(data["repairs"][number]["element"])
        reference = befores.get(number, parent)
        where = Element(document, marks.index(reference))
        change, added = insert(where, "before" if number in befores else "last_in", markup)
        size = len(change.document.outline.names) - len(document.outline.names)
        marks[added.index : added.index] = [None] * size
        document = put_attributes(Element(change.document, added.index), {MARK: str(number)}).document
    return document.text


def _index(document: SourceDocument, name: str) -> int:
    node = find_object(document.parsed, name)
    if node is None:
        raise TaskError(f"the target has no object {name!r}; validate the task first")
    return document.parsed.nodes.index(node)


def deletions(data: Data) -> Iterator[tuple[int, Data]]:
    """The deletions among the repairs of `data`, with their numbers."""
    for number, repair in enumerate(data["repairs"]):
        if repair["operation"] == "delete":
            yield number, repair


def marked(document: SourceDocument) -> dict[int, Element]:
    """The extra elements in a draft's drawing, by the number of their repair."""
    return {int(mark): element for element in document.elements if (mark := element.get(MARK)) is not None}


def closed(draft: Draft) -> tuple[str, Data]:
    """The target without extras, and the data with the markup of each."""
    document, data = SourceDocument(draft.svg), draft.copied()
    for number in sorted(marked(document), reverse=True):
        plain = put_attributes(marked(document)[number], {MARK: None}).document
        index = marked(document)[number].index
        data["repairs"][number]["element"] = Element(plain, index).source
        document = remove(marked(document)[number]).document
    return document.text, data
