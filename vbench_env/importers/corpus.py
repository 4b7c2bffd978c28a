"""A corpus from somebody else's rows: repairs derived, every task judged both ways, every row accounted for.

    rows -> repairs (stated, or derived) -> a task -> self-check -> a folder of the new corpus, or the reason why not

The self-check is that doing nothing fails every repair and nothing else, and that the target passes all three gates.
`import.jsonl` in the new folder has a line for each row, imported or refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from vbench_env.errors import ConfigError, TaskError
from vbench_env.importers.base import Importer, Row, Want
from vbench_env.importers.columns import shown
from vbench_env.importers.derive import MOST_REPAIRS, Refused, derive
from vbench_env.importers.mending import mends
from vbench_env.kind import DEFAULT_KIND
from vbench_env.protected import find_object
from vbench_env.repair import Repair
from vbench_env.scoring import Scorecard, score
from vbench_env.scoring.kinds import KINDS
from vbench_env.scoring.kinds.optimisation import size_bytes
from vbench_env.svg.document import SourceDocument
from vbench_env.svg.parse import Node, parse
from vbench_env.task import Task, assemble
from vbench_env.task_file import CORRUPTED_NAME, TARGET_NAME, YAML_NAME, parse_task_file
from vbench_env.taskkit.difficulty import measure_difficulty
from vbench_env.taskkit.variant.yaml_text import yaml_text

ROWS_NAME = "import.jsonl"


@dataclass(frozen=True, slots=True)
class Terms:
    """How rows become tasks.

    Attributes:
        licence: whose the data is and on which terms, for every `task.yaml`.
        most_repairs: more differences than these are a global change.
        limit: rows that are looked at, from the first; None for all.
    """

    licence: str = "as its owner says; not checked"
    most_repairs: int = MOST_REPAIRS
    limit: int | None = None


PLAIN = Terms()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a row: a task, or a reason why not."""

    source: str
    group: str
    task_id: str | None = None
    reason: str | None = None
    detail: str = ""
    operations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """An import: where the corpus is, and every row's outcome in the order of the rows."""

    importer: str
    folder: Path
    outcomes: tuple[Outcome, ...]

    @property
    def groups(self) -> dict[str, Counter[str]]:
        """Outcomes by group: `imported`, and every reason."""
        found: dict[str, Counter[str]] = {}
        for outcome in self.outcomes:
            found.setdefault(outcome.group, Counter())[outcome.reason or "imported"] += 1
        return dict(sorted(found.items()))

    @property
    def total(self) -> Counter[str]:
        return sum(self.groups.values(), Counter())


def import_corpus(
    importer: Importer,
    source: Path,
    folder: Path,
    terms: Terms = PLAIN,
    told: Callable[[int], None] = lambda count: None,
) -> Imported:
    """Read `source` by an importer's layout and write what can be scored to `folder`, a new corpus.

    Raises:
        ConfigError: nothing of the layout is in `source`, or `folder` holds something already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder}: holds something already; name a new folder with --out")
    rows = importer.rows(source)
    first = next(rows, None)
    folder.mkdir(parents=True, exist_ok=True)
    made = _Maker(importer.name, folder, terms)
    with (folder / ROWS_NAME).open("w", encoding="utf-8") as lines:
        for number, row in enumerate(_from(first, rows), 1):
            if terms.limit is not None and number > terms.limit:
                break
            outcome = made.take(row)
            lines.write(json.dumps(_line(outcome), ensure_ascii=False) + "\n")
            told(number)
    return Imported(importer.name, folder, tuple(made.outcomes))


def _from(first: Row | None, rest: Iterator[Row]) -> Iterator[Row]:
    if first is not None:
        yield first
        yield from rest


def _line(outcome: Outcome) -> dict[str, Any]:
    return {
        "source": outcome.source, "group": outcome.group, "task_id": outcome.task_id, "reason": outcome.reason,
        "detail": outcome.detail, "operations": list(outcome.operations),
    }  # fmt: skip


@dataclass(slots=True)
class _Maker:
    importer: str
    folder: Path
    terms: Terms
    outcomes: list[Outcome] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    seen: dict[tuple[str | None, ...], str] = field(default_factory=dict)

    def take(self, row: Row) -> Outcome:
        made = self._made(row)
        if isinstance(made, Refused):
            outcome = Outcome(row.source, row.group, None, made.reason, made.detail)
        else:
            operations = tuple(repair.operation for repair in made.repairs)
            outcome = Outcome(row.source, row.group, made.task_id, operations=operations)
        self.outcomes.append(outcome)
        return outcome

    def _made(self, row: Row) -> Task | Refused:
        if row.refused is not None:
            return row.refused
        if not row.instruction:
            return Refused("missing", f"no instruction{shown(row)}")
        content = row.before, row.target, row.instruction
        if content in self.seen:
            return Refused("duplicate", f"the same as {self.seen[content]}")
        self.seen[content] = row.source
        wanted = task_name(row.task_id, "") if row.task_id else task_name(row.name, row.group)
        name = unused(wanted, self.names)
        made = task_of(row, name, self.importer, self.terms)
        if isinstance(made, Refused):
            return made
        self.names.add(name)
        file, task = made
        write_task(self.folder / name, file, task)
        return task


def task_name(name: str, group: str) -> str:
    """A folder's name from what the source calls the row: lower-case words joined by hyphens."""
    words = _joined(Path(name).name.removesuffix(".svg"))[:60].strip("-_")
    kind = _joined(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", group))[:40].strip("-_")
    return "-".join(part for part in (kind, words) if part) or "task"


def _joined(text: str) -> str:
    plain = re.sub(r"[^a-z0-9_]+", "-", text.lower())
    return re.sub(r"[-_]{2,}", "-", plain).strip("-_")


def unused(name: str, taken: set[str]) -> str:
    """`name`, or the first of `name-2`, `name-3`, ... that is not taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found


class Asked(NamedTuple):
    """What a row asks: the kind of task, and its repairs."""

    kind: str
    repairs: tuple[Repair, ...]


def asked(before: str, target: str, want: Want, most: int = MOST_REPAIRS) -> Asked | Refused:
    """The kind of task that two drawings make: a smaller file, a mended one, or repairs."""
    goal, start = parse(target), parse(before)
    if goal.root is None:
        return Refused("malformed-target", goal.faults[0].message)
    if want == "optimise":
        if start.root is None:
            return Refused("malformed-start", start.faults[0].message)
        if size_bytes(target) >= size_bytes(before):
            return Refused("no-op", "the target is no smaller than the start")
        return Asked("optimisation", ())
    malformed = start.root is None
    found = mends(before, target, most) if malformed else derive(before, target, most)
    return found if isinstance(found, Refused) else Asked("malformed" if malformed else DEFAULT_KIND, found)


def task_of(row: Row, name: str, importer: str, terms: Terms) -> tuple[dict[str, Any], Task] | Refused:
    """The content of `task.yaml` and the task that it makes, or why the row gives none."""
    assert row.before is not None and row.target is not None
    found: Asked | Refused
    if row.repairs is not None:
        found = Asked(
            DEFAULT_KIND, tuple(_completed(repair, row.before, row.target) for repair in row.repairs)
        )
    else:
        found = asked(row.before, row.target, row.want, terms.most_repairs)
    if isinstance(found, Refused):
        return found
    data = _content(row, name, importer, terms, found)
    try:
        draft = assemble(parse_task_file(data, row.source), row.target, row.before, importer)
        data["difficulty"] = measure_difficulty(draft).level
        task = assemble(parse_task_file(data, row.source), row.target, row.before, importer)
    except TaskError as error:
        return Refused("not-expressible", str(error).splitlines()[0])
    return self_check(task) or (data, task)


def _content(row: Row, name: str, importer: str, terms: Terms, found: Asked) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": name, "title": row.title or f"{row.group} {row.name}".strip(), "genre": row.group,
        "difficulty": "easy", "licence": terms.licence, "author": f"imported by {importer}", "canary": "",
        "instruction": row.instruction, "kind": found.kind,
        "protected": "others" if row.protected is None else list(row.protected),
    }  # fmt: skip
    if found.kind == DEFAULT_KIND:
        del data["kind"]
    if found.repairs:
        data["repairs"] = [_stored(repair) for repair in found.repairs]
    return data


def _stored(repair: Repair) -> dict[str, Any]:
    """A repair as `task.yaml` has it; what an operation implies is left out."""
    data = repair.model_dump(exclude_none=True)
    if repair.operation in ("insert", "delete"):
        data = {key: value for key, value in data.items() if key not in ("corrupted", "target")}
    return data


def _completed(repair: Repair, before: str, target: str) -> Repair:
    """A repair with what `task.yaml` needs: of an object to delete its markup and its place."""
    if repair.operation == "text" and repair.corrupted is not None:
        return repair.model_copy(update={"corrupted": str(repair.corrupted)})
    if repair.operation != "delete" or repair.element:
        return repair
    source = SourceDocument(before)
    node = find_object(source.parsed, repair.object)
    if node is None or node.parent is None:
        return repair
    markup = source.elements[source.parsed.nodes.index(node)].source
    behind = node.parent.children[node.index + 1 :]
    known = SourceDocument(target).parsed
    follows = next((other.label for other in behind if find_object(known, other.label) is not None), None)
    return repair.model_copy(update={"element": markup, "parent": _home(node), "before": follows})


def _home(node: Node) -> str:
    assert node.parent is not None
    return node.parent.label


def self_check(task: Task) -> Refused | None:
    """Whether doing nothing and repairing all are judged right; the reason where they are not."""
    oracle = score(task, task.target_svg)
    if not oracle.valid:
        fault = oracle.faults[0]
        return Refused("invalid-target", f"{fault.kind}: {fault.message}")
    if not oracle.passed:
        return Refused("self-check", f"the target itself is judged {oracle.status}{_first_change(oracle)}")
    noop = score(task, task.corrupted_svg)
    wrong = "it passes" if noop.passed else KINDS.get(task.kind).start_fault(noop)
    return (
        Refused("self-check", f"the start is judged wrongly: {wrong}{_first_change(noop)}") if wrong else None
    )


def _first_change(card: Scorecard) -> str:
    change = next(iter(card.changes), None)
    return "" if change is None else f" ({change.subtype} of {change.object}, {change.detail})"


def write_task(folder: Path, file: Mapping[str, Any], task: Task) -> None:
    """Write a task folder; the drawings are the source's own, letter for letter."""
    folder.mkdir()
    (folder / YAML_NAME).write_text(yaml_text(dict(file)), encoding="utf-8", newline="\n")
    for name, svg in ((TARGET_NAME, task.target_svg), (CORRUPTED_NAME, task.corrupted_svg)):
        (folder / name).write_text(svg, encoding="utf-8", newline="")
