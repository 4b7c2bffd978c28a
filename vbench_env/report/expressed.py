"""What a reader of a rate under the rule set `published` has to know: how many tasks those rules cannot express."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vbench_env.experiments.manifest import Manifest
from vbench_env.report import words
from vbench_env.task import Task
from vbench_env.taskkit.expressible import unexpressible


def headline_rules(manifest: Manifest, rules: str | None = None) -> set[str]:
    """Rule sets of the verdicts that count in a report of the run."""
    chosen = rules or manifest.config.rules
    return {chosen} if chosen else {str(protocol["rules"]) for protocol in manifest.protocols.values()}


def expression_note(manifest: Manifest, tasks: Mapping[str, Task], rules: str | None = None) -> str | None:
    """The sentence about tasks that the headline rules cannot express; None where every task can be told."""
    if not any(name.partition("+")[0] == "published" for name in headline_rules(manifest, rules)):
        return None
    return note_of(tasks.values())


def note_of(tasks: Iterable[Task]) -> str | None:
    """The same for some tasks under the rule set `published`."""
    played = list(tasks)
    lost = [task for task in played if unexpressible(task) is not None]
    if not lost:
        return None
    told = len(played) - len(lost)
    rest = f"only the other {told} can be read as rates" if told else "no rate here can be read as one"
    return (
        f"Rules published: {len(lost)} of {words.plural(len(played), 'task')} cannot be expressed under these rules, "
        f"which have no check for text and order and read less of SVG. Their verdicts mean little, and {rest}; "
        "vbench-env tasks validate names them with reasons."
    )
