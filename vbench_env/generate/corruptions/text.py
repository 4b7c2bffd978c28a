"""The wrong words: another text than asked for, or one that does not fit its list."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from vbench_env.generate.corruptions.base import CORRUPTIONS, Defect, Evidence, repair_of, said, shuffled
from vbench_env.generate.sketch import Listed, Part, Reads, Sketch
from vbench_env.taskkit.words import quoted

_STATED = (
    "{it} should read “{text}”.",
    "{it} should say “{text}”.",
    "Correct the wording of {it} to “{text}”.",
    "{it} {has} the wrong words: change them to “{text}”.",
)
_LISTED = (
    "{it} does not fit its place in {row}; write what belongs there.",
    "{row} should go on without a break, but {it} is wrong there.",
    "Correct {it} so that {row} {are} in order.",
)


@CORRUPTIONS.register("text")
def text(sketch: Sketch, random: Random) -> Iterator[Defect]:
    for relation in shuffled(random, sketch.relations):
        if isinstance(relation, Reads) and relation.wrong and not quoted(relation.text):
            part, wrong = sketch.parts[relation.part], random.choice(relation.wrong)
            sentence = said(random, _STATED, part, text=relation.text)
            evidence: Evidence = {"kind": "stated", "words": f"“{relation.text}”"}
            yield _defect(sketch, part, relation.text, wrong, evidence, sentence, frozenset())
        elif isinstance(relation, Listed):
            for place in shuffled(random, range(len(relation.parts))):
                part = sketch.parts[relation.parts[place]]
                wrong = random.choice([t for t in relation.texts if t != relation.texts[place]])
                evidence = (
                    {"kind": "convention", "name": "axis-tick", "row": list(relation.parts)}
                    if relation.of == "ticks"
                    else {
                        "kind": "convention",
                        "name": "sequence",
                        "of": relation.of,
                        "row": list(relation.parts),
                    }
                )
                sentence = said(random, _LISTED, part, row=relation.name, are="are")
                needs = frozenset(relation.parts) - {part.key}
                yield _defect(sketch, part, relation.texts[place], wrong, evidence, sentence, needs)


def _defect(
    sketch: Sketch, part: Part, right: str, wrong: str, evidence: Evidence, sentence: str,
    needs: frozenset[str],
) -> Defect:  # fmt: skip
    longer = max(len(right), len(wrong)) / max(1, len(right))
    width = part.area.width * longer
    middle = (part.area.left + part.area.right) / 2
    area = part.area._replace(left=middle - width, right=middle + width) if longer > 1 else part.area
    same = sum(a == b for a, b in zip(right, wrong, strict=False)) if right[:1] == wrong[:1] else 0
    share = 1.2 * part.ink * (1 - same / max(1, len(right)))
    return Defect(
        repair_of(part, "text", "text", wrong, evidence), sentence, area, share / sketch.size, needs,
        frozenset({f"text of {part.key}"}),
    )  # fmt: skip
