"""Compute the target of a repair again from its evidence.

The answer of a question is the value that the evidence leads to: for most properties the text of the value,
for an insertion the element's markup, for a reordering the sibling that shall follow (`{"before": ...}`), for
a deletion nothing. Whether that answer is right is for the scorer to say (`validate`).
"""

from __future__ import annotations

from typing import Any

from vbench_env.errors import TaskError
from vbench_env.evidence import (
    Aligned,
    Convention,
    Equals,
    Evidence,
    Legend,
    Markup,
    Spacing,
    Stated,
    Symmetric,
)
from vbench_env.protected import find_object
from vbench_env.repair import Repair, infer_operation
from vbench_env.svg.document import Edit, Element, SourceDocument, apply_edits
from vbench_env.svg.edit import put_text
from vbench_env.svg.path_data import Commands, bounds
from vbench_env.svg.restructure import duplicate
from vbench_env.svg.transform import Matrix
from vbench_env.taskkit.build import derive, put_value, shown
from vbench_env.taskkit.outlines import Unfit, mapped, read_outline, with_start, write_outline
from vbench_env.taskkit.placement import answer_aligned, answer_spacing, answer_symmetric
from vbench_env.taskkit.question import Question, is_box
from vbench_env.taskkit.scene import BOX_MEASURES, Scene, Unfounded, content_text
from vbench_env.taskkit.spoken import answer_convention, answer_stated
from vbench_env.taskkit.wording import says
from vbench_env.taskkit.words import factor, numeral


def answer(question: Question, evidence: Evidence) -> Any:
    """The value that `evidence` leads to; `Unfounded` says why it leads to none."""
    try:
        return _answer(question, evidence)
    except Unfit as error:
        raise Unfounded(str(error)) from error


def _answer(question: Question, evidence: Evidence) -> Any:
    if isinstance(evidence, Markup):
        raise Unfounded("`markup` says nothing of a value; it is for mends")
    if isinstance(evidence, Equals):
        return _equals(question, evidence)
    if isinstance(evidence, Aligned):
        return answer_aligned(question, evidence)
    if isinstance(evidence, Symmetric):
        return answer_symmetric(question, evidence)
    if isinstance(evidence, Spacing):
        return answer_spacing(question, evidence)
    if isinstance(evidence, Legend):
        return _legend(question, evidence)
    if isinstance(evidence, Stated):
        return answer_stated(question, evidence)
    assert isinstance(evidence, Convention)
    return answer_convention(question, evidence)


def _equals(question: Question, evidence: Equals) -> Any:
    _check_modifiers(question, evidence)
    if question.kind == "insert":
        return _copied(question, evidence)
    if question.kind in ("delete", "reorder"):
        question.scene.node(evidence.of)
        raise Unfounded(f"`equals` cannot say what {question.kind} needs; use `stated`")
    prop = evidence.property or question.repair.property
    if question.kind == "outline":
        return _same_outline(question, evidence, prop)
    if question.kind == "rotation":
        return question.turned(_number(question, evidence, "rotation"))
    if is_box(prop) and question.kind == "transform":
        return question.at(prop, _number(question, evidence, prop))
    if _is_plain(evidence) and not is_box(prop):
        return same_value(question, evidence.of, prop)
    return shown(_number(question, evidence, prop))


def _check_modifiers(question: Question, evidence: Equals) -> None:
    changed = evidence.scale != 1 or evidence.offset not in (0, "auto")
    if evidence.words is None:
        if changed and evidence.like is None:
            raise Unfounded(
                "a scale or offset needs `words` of the instruction, or `like` (another such pair)"
            )
        return
    words = question.words(evidence.words)
    if evidence.scale != 1 and abs((factor(words) or 0.0) - evidence.scale) > 0.01 * abs(evidence.scale):
        raise Unfounded(f"the words {words!r} say the factor {factor(words)}, not {evidence.scale}")


def _is_plain(evidence: Equals) -> bool:
    return evidence.scale == 1 and evidence.offset == 0 and evidence.like is None


def _number(question: Question, evidence: Equals, prop: str) -> float:
    scene = question.scene
    value = scene.measure(evidence.of, prop) * evidence.scale
    if isinstance(evidence.offset, float | int):
        value += evidence.offset
    if evidence.like is not None:
        value += scene.measure(evidence.like[0], prop) - scene.measure(evidence.like[1], prop)
    return value


def same_value(question: Question, other: str, prop: str) -> str:
    """The computed value of another object's property, `currentColor` resolved."""
    value = question.scene.text(other, prop)
    if value is None:
        raise Unfounded(f"{other!r} has no {prop}; name another property or object")
    if value.lower() == "currentcolor":
        value = question.scene.text(other, "color") or "black"
    return value


def _same_outline(question: Question, evidence: Equals, prop: str) -> str:
    """The other outline as written; the object may go on after it (an area under a line)."""
    scene, own = question.scene, question.repair.property
    text = scene.text(evidence.of, prop)
    if text is None:
        raise Unfounded(f"{evidence.of!r} has no {prop}")
    other = read_outline(prop, text)
    current = read_outline(own, scene.text(question.repair.object, own) or "")
    if evidence.offset == "auto":
        return write_outline(own, mapped(other, _corner_shift(other, current)))
    if isinstance(evidence.offset, tuple):
        return write_outline(own, mapped(other, Matrix(e=evidence.offset[0], f=evidence.offset[1])))
    return write_outline(own, with_start(current, other))


def _corner_shift(other: Commands, current: Commands) -> Matrix:
    there, here = bounds(other), bounds(current)
    if there is None or here is None:
        raise Unfounded("an outline draws nothing")
    return Matrix(e=here[0] - there[0], f=here[1] - there[1])


def _copied(question: Question, evidence: Equals) -> str:
    """Markup of a copy of `of` in which the excepted properties have what their evidence leads to."""
    scene, name = question.scene, question.repair.object
    if find_object(scene.document, name) is not None or "/" in name:
        raise Unfounded("the inserted object needs an id of its own that the corrupted drawing lacks")
    source = SourceDocument(scene.svg)
    element = _element(source, scene, evidence.of)
    change, _ = duplicate(element, name)
    svg = change.document.text
    for prop, nested in evidence.except_.items():
        part = Repair(object=name, operation=infer_operation(prop, ""), property=prop)
        inner = Scene(svg, scene.reads)
        value = answer(question.about(part, inner), nested)
        svg = _put(svg, name, prop, value)
    return _named(svg, name).source


def _element(source: SourceDocument, scene: Scene, name: str) -> Element:
    return Element(source, scene.document.nodes.index(scene.node(name)))


def _named(svg: str, name: str) -> Element:
    return SourceDocument(svg).with_id(name)[0]


def _put(svg: str, name: str, prop: str, value: str) -> str:
    if prop == "text":
        return put_text(_named(svg, name), value).document.text
    return put_value(svg, name, prop, value)


def _legend(question: Question, evidence: Legend) -> Any:
    scene = question.scene
    if evidence.label is not None:
        label = content_text(scene.node(evidence.label))
        if not says(question.instruction, label):
            raise Unfounded(
                f"the legend's text {label!r} does not stand in the {question.wording} instruction"
            )
    if evidence.swatch is not None:
        like = Equals(kind="equals", of=evidence.swatch, property=evidence.property)
        return _equals(question, like)
    assert evidence.value is not None
    what = evidence.measure or question.repair.property
    pairs = [
        (_shown_number(scene, label), scene.measure(mark, what)) for mark, label in evidence.others.items()
    ]
    goal = _on_line(pairs, _shown_number(scene, evidence.value))
    if what in BOX_MEASURES:
        return question.at(what, goal)
    return shown(goal)


def _shown_number(scene: Scene, label: str) -> float:
    text = scene.text(label, "text") or ""
    value = numeral(text)
    if value is None:
        raise Unfounded(f"the text {text!r} of {label!r} holds no single number")
    return value


def _on_line(pairs: list[tuple[float, float]], at: float) -> float:
    """Value at `at` on the straight line through the pairs; they must lie on one."""
    mean_x = sum(x for x, _ in pairs) / len(pairs)
    mean_y = sum(y for _, y in pairs) / len(pairs)
    spread = sum((x - mean_x) ** 2 for x, _ in pairs)
    if spread == 0:
        raise Unfounded("the other labels all show the same number; add one that differs")
    slope = sum((x - mean_x) * (y - mean_y) for x, y in pairs) / spread
    extent = max(y for _, y in pairs) - min(y for _, y in pairs)
    worst = max(abs(mean_y + slope * (x - mean_x) - y) for x, y in pairs)
    if worst > max(0.5, 0.03 * extent):
        raise Unfounded(
            f"the other marks are up to {worst:.2f} units off a straight line through their numbers"
        )
    return mean_y + slope * (at - mean_x)


def repaired(target_svg: str, repair: Repair, found: Any) -> str:
    """The target with `found`, the answer of a question about `repair`, in place of the true value."""
    if repair.operation == "delete":
        return target_svg
    if repair.operation == "insert":
        scene = Scene(target_svg)
        old = _element(SourceDocument(target_svg), scene, repair.object)
        return apply_edits(target_svg, [Edit(old.start, old.end, str(found))])
    try:
        return derive(target_svg, [repair.model_copy(update={"corrupted": found})])
    except TaskError as error:
        raise Unfounded(
            f"the value {found!r} that the evidence leads to cannot be written: {error}"
        ) from error
