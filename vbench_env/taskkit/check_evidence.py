"""Does the evidence of each repair lead to its target, within the tolerance of its check?

The scorer decides: the answer that the evidence gives is put into the target in place of the true value, and
the repair's check must pass. So evidence is held to exactly the tolerance that candidates are held to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vbench_env.errors import VBenchError
from vbench_env.evidence import Evidence, parse_evidence
from vbench_env.protected import find_object
from vbench_env.repair import Repair
from vbench_env.scoring import score
from vbench_env.svg.parse import Document, Node, parse
from vbench_env.task import Task
from vbench_env.taskkit.build import derive
from vbench_env.taskkit.evidence import answer, repaired
from vbench_env.taskkit.question import PLAIN, Question
from vbench_env.taskkit.report import Finding
from vbench_env.taskkit.scene import BOX, Read, Scene, Unfounded


def evidence_findings(task: Task, target_svg: str) -> Iterator[Finding]:
    """What is wrong with the evidence of `task`; `target_svg` is its target without the canary."""
    for place, repair in enumerate(task.repairs):
        if repair.evidence is None:
            advice = "add `evidence`: what in the drawing or the words determines the target"
            yield Finding("error", "evidence", f"{repair.object!r} has no evidence", advice, place)
            continue
        evidence = parse_evidence(repair.evidence)
        start = derive(target_svg, task.repairs[place:])
        wordings = {PLAIN: task.instruction, **task.paraphrases}
        for wording, text in wordings.items():
            scene = Scene(start)
            message = _problem(task, target_svg, place, evidence, Question(repair, scene, text, wording))
            if message:
                yield Finding(
                    "error", "evidence", f"{repair.object!r}, {wording} wording: {message}", "", place
                )
                break


def _problem(task: Task, target_svg: str, place: int, evidence: Evidence, question: Question) -> str | None:
    repair = task.repairs[place]
    try:
        found = answer(question, evidence)
        candidate = repaired(target_svg, repair, found)
    except (Unfounded, VBenchError) as error:
        return str(error)
    circle = circular(parse(question.scene.svg), question.scene.reads, task.repairs, place)
    if circle:
        return circle
    result = score(task, candidate).repairs[place]
    if result.passed:
        return None
    return f"leads to {_short(found)}, which misses the target{_distance(result.distance, result.tolerance)}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _distance(distance: float | None, tolerance: float | None) -> str:
    if distance is None or tolerance is None:
        return ""
    return f" (distance {distance:.3g}, tolerance {tolerance:.3g})"


_SHAPED = frozenset({"move", "resize", "rotate", "reshape"})


def circular(document: Document, reads: Sequence[Read], repairs: Sequence[Repair], place: int) -> str | None:
    """Why evidence goes in a circle: it read something that is repaired only later."""
    own = find_object(document, repairs[place].object)
    seen = [(find_object(document, read.name), read) for read in reads]
    for later in repairs[place + 1 :]:
        node = find_object(document, later.object)
        if node is None or node is own:
            continue
        for read_node, read in seen:
            if _depends(read_node, read.what, node, later):
                what = f"goes by {read.name!r}, whose {later.property} is repaired later"
                return f"{what}; put that repair first"
    return None


def _depends(read: Node | None, what: str, node: Node, repair: Repair) -> bool:
    """Whether what was read of an object changes with the repair of `node`."""
    if read is None:
        return False
    if what == BOX:
        return repair.operation in _SHAPED and (_holds(read, node) or _holds(node, read))
    return what == repair.property and _holds(node, read)


def _holds(outer: Node, inner: Node) -> bool:
    around: Node | None = inner
    while around is not None and around is not outer:
        around = around.parent
    return around is outer
