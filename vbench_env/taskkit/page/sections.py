"""Sections of the corpus page that show recorded results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from vbench_env.task import Corpus, Task
from vbench_env.taskkit.page.results import Attempt, EngineDifference, EngineRow, Engines, VariantRow

Row = Sequence[str]

_BLIND = """\
## A blind try

{attempts} independent attempts ({solvers}) at {tasks} tasks, each given only the instruction, the corrupted source and
the corrupted picture. Of {total} repairs asked for, {passed} were reached within tolerance; {full} attempts reached all
of theirs. Repairs that no attempt reached: {never}.

"""

_VARIANTS = """\
## Variants

`vbench-env tasks variant TASK --seed N` makes a re-skinned equal: other names, colours, coordinates and corrupted
values, the same repairs. With the seeds {seeds}, {good} of {all} variants validate like their originals. The table
counts how many variants of a task have each kind of change. What may change is said in `tasks/vbench-40/variants.yaml`.

"""

_ENGINES = """\
## Engines

Every target at {width} px, against {first}. *Pixels* is the share that differ by more than 8 of 255 in a channel, *no
text* the same without texts (Chromium has the fonts of the system, the others those of the package); both count every
edge that an engine smooths otherwise. *Areas* is the share of cells of 4 by 4 pixels, texts left out, whose mean
colours differ by more than 16 of 255: what one would see. Features that an engine lacks are found by probes and named
where a drawing uses them.

"""


def table(heads: Row, rows: Iterable[Row], right: Iterable[str] = ()) -> str:
    """A Markdown table; the columns named in `right` hold numbers."""
    numbers = set(right)
    lines = [_line(heads), _line("--:" if head in numbers else "---" for head in heads)]
    return "\n".join([*lines, *(_line(row) for row in rows)])


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def blind_section(corpus: Corpus, attempts: Sequence[Attempt]) -> str:
    """Which repairs independent solvers reached, each given only instruction, corrupted source and picture."""
    if not attempts:
        return ""
    tries = {task.task_id: [one for one in attempts if one.task == task.task_id] for task in corpus}
    rows = [_blind_row(task, tries[task.task_id]) for task in corpus if tries[task.task_id]]
    reached = [item for one in attempts for item in one.repairs.values()]
    lead = _BLIND.format(
        attempts=len(attempts),
        solvers=", ".join(sorted({one.solver for one in attempts})),
        tasks=len(rows),
        total=len(reached),
        passed=sum(item.passed for item in reached),
        full=sum(_is_full(one) for one in attempts),
        never=sum(len(_never(tries[task.task_id])) for task in corpus),
    )
    heads = ("task", "attempts", "all reached", "repairs reached", "not in every attempt")
    return lead + table(heads, rows, right=["attempts"])


def _is_full(attempt: Attempt) -> bool:
    return all(reached.passed for reached in attempt.repairs.values())


def _blind_row(task: Task, tries: Sequence[Attempt]) -> Row:
    total = sum(len(one.repairs) for one in tries)
    passed = sum(reached.passed for one in tries for reached in one.repairs.values())
    full = sum(map(_is_full, tries))
    return (
        task.task_id,
        str(len(tries)),
        f"{full} of {len(tries)}",
        f"{passed} of {total}",
        "; ".join(_missed(tries)) or "–",
    )


def _counts(tries: Sequence[Attempt]) -> dict[str, tuple[int, int]]:
    """How often each repair was reached, and how often it was tried."""
    found: dict[str, tuple[int, int]] = {}
    for one in tries:
        for name, reached in one.repairs.items():
            hits, tried = found.get(name, (0, 0))
            found[name] = (hits + reached.passed, tried + 1)
    return found


def _missed(tries: Sequence[Attempt]) -> list[str]:
    return [f"{name} {hits}/{tried}" for name, (hits, tried) in _counts(tries).items() if hits < tried]


def _never(tries: Sequence[Attempt]) -> list[str]:
    return [name for name, (hits, _) in _counts(tries).items() if not hits]


_KINDS = ("layout", "palette", "values", "names")


def variant_section(rows: Sequence[VariantRow]) -> str:
    """How many seeded variants of each task validate, and what was left out."""
    if not rows:
        return ""
    tasks = dict.fromkeys(row.task for row in rows)
    body = [_variant_row(task, [row for row in rows if row.task == task]) for task in tasks]
    seeds = ", ".join(map(str, sorted({row.seed for row in rows})))
    lead = _VARIANTS.format(seeds=seeds, good=sum(row.ok for row in rows), all=len(rows))
    heads = ("task", "valid", "mirrored", *_KINDS, "left out")
    return lead + table(heads, body, right=("mirrored", *_KINDS))


def _variant_row(task: str, rows: Sequence[VariantRow]) -> Row:
    good = [row for row in rows if row.ok]
    counts = Counter(kind for row in good for kind in row.changes)
    mirrored = sum(row.changes.get("layout", "").startswith("mirrored") for row in good)
    reasons = dict.fromkeys(f"{kind}: {why}" for row in good for kind, why in row.left_out.items())
    failed = dict.fromkeys(row.reason for row in rows if not row.ok)
    return (
        task, f"{len(good)} of {len(rows)}", str(mirrored), *(str(counts[kind]) for kind in _KINDS),
        "; ".join([*reasons, *failed]) or "–",
    )  # fmt: skip


def engine_section(engines: Engines | None) -> str:
    """How far the pictures of other engines are from the default engine's, and what each one lacks."""
    if engines is None:
        return ""
    first, *others = engines.engines
    parts = ("pixels", "no text", "areas")
    heads = ["task", *(f"{name}: {part}" for name in others for part in parts), "lacks"]
    rows = [
        (
            row.task_id,
            *(_share(value) for item in row.differences for value in _values(item)),
            _lacks(first, row),
        )
        for row in engines.rows
    ]
    lead = _ENGINES.format(width=engines.width_px, first=first)
    own = dict.fromkeys(name for row in engines.rows for name in row.lacks)
    notes = [f"{first} lacks: {', '.join(own) or 'nothing that is used'}."]
    notes += [f"{name}: {why}." for name, why in engines.missing.items()]
    return lead + table(heads, rows, right=heads[1:-1]) + "\n\n" + " ".join(notes)


def _values(item: EngineDifference) -> tuple[float | None, ...]:
    return item.changed, item.changed_without_text, item.apart


def _share(value: float | None) -> str:
    return "no picture" if value is None else f"{value:.2%}"


def _lacks(first: str, row: EngineRow) -> str:
    said = {first: list(row.lacks)}
    said |= {item.engine: [*item.lacks, *([item.reason] if item.reason else [])] for item in row.differences}
    return "; ".join(f"{name}: {', '.join(parts)}" for name, parts in said.items() if parts) or "–"
