"""What is taken for the document in a model's answer."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg.extract import extract_svg, strip_reasoning, svg_start

NS = 'xmlns="http://www.w3.org/2000/svg"'
DOC = f'<svg {NS} viewBox="0 0 9 9"><rect id="a" width="3"/></svg>'
OTHER = f'<svg {NS} viewBox="0 0 9 9"><circle id="b" r="2"/></svg>'
NESTED = (
    f'<svg {NS}><svg x="1" {NS}><rect/></svg><!-- end of </svg> ``` --><style><![CDATA[ a{{}} /* </svg> */'
    " ]]></style><text>```</text></svg>"
)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
DOCTYPE = (
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n'
    '<!-- it\'s > here --><!ENTITY ns "<svg>">\n]>\n'
)
STYLE_SHEET = '<?xml-stylesheet href="a.css"?>\n'
PROLOG = f"{XML}{DOCTYPE}{STYLE_SHEET}<!-- by hand -->\n"
QUOTES = f"<svg {NS} a='1>0' b=\"it's\"><g/></svg>"
OPEN_QUOTE = f'<svg {NS}><rect fill="#27ae60 x=1/></svg>'
TAG_IN_VALUE = f"<svg {NS} t='</svg>'><g/></svg>"

UNWRAPPED = {
    "bare": (DOC, DOC),
    "bare with a final newline": (DOC + "\n", DOC + "\n"),
    "leading space goes": ("\n  " + DOC, DOC),
    "byte-order mark goes": ("\ufeff" + DOC, DOC),
    "fence": (f"```svg\n{DOC}\n```", DOC),
    "fence without newline": (f"```{DOC}```", DOC),
    "tilde fence and prose": (f"Sure!\n~~~xml\n{DOC}\n~~~\nDone.", DOC),
    "prose": (f"Here it is: {DOC} Anything else?", DOC),
    "single quotes and a > in a value": (f"x {QUOTES} y", QUOTES),
    "nested, comment, CDATA and text with end tags and back-ticks": (f"```svg\n{NESTED}\n```", NESTED),
    "end tag in a quoted value": (f"a {TAG_IN_VALUE} b", TAG_IN_VALUE),
    "prefixed root": ("x <s:svg xmlns:s='u'><s:g/></s:svg> y", "<s:svg xmlns:s='u'><s:g/></s:svg>"),
    "prolog": (f"Here:\n{PROLOG}{DOC}\nbye", PROLOG + DOC),
    "prolog alone": (XML + DOC + "\n", XML + DOC + "\n"),
    "a prolog of something else": (f"{XML}<html><body>{DOC}</body></html>", DOC),
    "a comment before the declaration": (f"<!-- file -->\n{XML}{DOC} end", XML + DOC),
    "wrapper tags": (f"<answer>\n{DOC}\n</answer>", DOC),
    "self-closing": (f"so: <svg {NS}/>.", f"<svg {NS}/>"),
    "several blocks: the last": (f"```svg\n{DOC}\n```\nor better\n```svg\n{OTHER}\n```", OTHER),
    "two documents in a row": (DOC + "\n" + OTHER, OTHER),
    "complete before unfinished": (f"{DOC}\nand again {OTHER[:40]}", DOC),
    "unfinished draft, then a fenced one": (
        f"```svg\n{DOC[:60]}\n```\nNo:\n```svg\n{XML}{OTHER}\n```",
        XML + OTHER,
    ),
    "mention in prose": (f"I kept the <svg> element. {DOC}", DOC),
    "mention in back-ticks": (f"The `<svg {NS}>` tag stays.\n{DOC}", DOC),
    "mention after the answer": (f"{DOC}\nAll inside `<svg>...</svg>`.", DOC),
    "think": (f"<think>maybe {OTHER} no</think>\n{DOC}", DOC),
    "think with an unfinished draft": (f"<think>maybe {OTHER[:50]} no</think>\n{DOC}", DOC),
    "lone closing tag": (f"maybe {OTHER} no</think>\n{DOC}", DOC),
    "lone closing tag after an unfinished draft": (f"maybe {OTHER[:60]}> no</think>\n{DOC}", DOC),
    "lone closing tag after an open quote": (f"maybe {OTHER[:48]}> no</think>\n{DOC}", DOC),
    "closing tag inside a draft's comment": (f"maybe <svg {NS}><!-- hm </think>\n{DOC}", DOC),
    "closing tag in the answer's own comment": (f"<svg {NS}><!-- </think> --><g/></svg>",) * 2,
    "Thinking in capitals": (f"<Thinking>{OTHER}</Thinking>{DOC}", DOC),
    "an element called think": (f"<svg {NS}><think>a</think></svg>",) * 2,
    "end missing": (f"Here:\n```svg\n{DOC[:-6]}\n```", f"{DOC[:-6]}\n```"),
    "end missing, nested one complete": (f"Here: {NESTED[:80]}", NESTED[:80]),
    "cut in the start tag": ("so <svg xmlns='http", "<svg xmlns='http"),
    "cut in the name": ("so <svg", "<svg"),
    "start tag never closed before the drawing": (f"<svg </svg> or {DOC}", DOC),
    "surplus end tag": (f"{DOC}</svg> bye", f"{DOC}</svg>"),
    "escaped string": (DOC.replace('"', '\\"'),) * 2,
    "curly quotes": (DOC.replace('"3"', "“3”"),) * 2,
    "only a bare one": ("see <svg><g/></svg>.", "<svg><g/></svg>"),
    "mismatched tags stay": (f"a <svg {NS}><g></svg> b", f"<svg {NS}><g></svg>"),
    "quote missing": (f"a {OPEN_QUOTE}", OPEN_QUOTE),
}
NOTHING = [
    "",
    "I cannot do that.",
    "&lt;svg&gt;&lt;/svg&gt;",
    "<svgfoo/>",
    "<SVG/>",
    "a < b",
    f"<think>{DOC}</think>",
    f"<think>{DOC} and then",
    f"{DOC}</think>",
]
HOSTILE = [
    *(
        "<",
        "<svg",
        "<svg ",
        "<svg>",
        "<svg a='",
        '<svg a="<',
        "<svg x><svg y='",
        "<svg a><svg a/>",
        "`<svg a>`",
    ),
    *("<svg><!--", "<!--", "<!-- ", "<!---->", "<![CDATA[", "<?xml ", "<!DOCTYPE ", "<!DOCTYPE svg ["),
    *("<think>", "</think>", "<svg></think>", "<svg a><think>", "</svg>", "<svg a></svg"),
    *("```\n<svg a>", "``````\n<svg a/>"),
]


@pytest.mark.parametrize("case", UNWRAPPED)
def test_document_is_found_letter_for_letter(case: str) -> None:
    answer, expected = UNWRAPPED[case]
    assert extract_svg(answer) == expected


@pytest.mark.parametrize("answer", NOTHING)
def test_no_document_outside_the_reasoning_is_none(answer: str) -> None:
    assert extract_svg(answer) is None


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_are_decoded(codec: str) -> None:
    document = DOC.replace('id="a"', 'id="é漢"')
    assert extract_svg(document.encode(codec)) == document


def test_bytes_follow_their_declaration() -> None:
    document = "<?xml version='1.0' encoding='iso-8859-1'?><svg><text>é</text></svg>"
    assert extract_svg(document.encode("latin-1")) == document
    assert extract_svg(b"<?xml version='1.0' encoding='nonsense'?>" + DOC.encode()) is not None


@pytest.mark.parametrize("prefix", ["", f"<svg {NS}>"])
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_megabyte_takes_linear_time(unit: str, prefix: str) -> None:
    answer = prefix + unit * (1_000_000 // len(unit))
    started = time.process_time()
    extract_svg(answer)
    assert time.process_time() - started < 3


@given(st.text(alphabet=st.sampled_from(list("<>/!-[]?'\"` svgthinkCDATAx=\n&;"))))
def test_any_text_gives_a_part_of_it_or_none(answer: str) -> None:
    found = extract_svg(answer)
    assert found is None or (found in answer and svg_start(found) is not None)


@given(
    st.sampled_from([DOC, NESTED, PROLOG + DOC]),
    st.text(alphabet='abc .,\n`~#*_{}"'),
    st.text(alphabet='abc .,\n`~#*_{}"'),
)
def test_prose_on_both_sides_changes_nothing(document: str, before: str, after: str) -> None:
    found = extract_svg(before + document + after)
    assert found == document or (found == document + after and not (before + after).strip())


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("b", "b"),
        ("<think>never closed", ""),
        ("x <think> y", "x <think> y"),
        ("  <reasoning>{</reasoning> {}", " {}"),
    ],
)
def test_reasoning_is_stripped(text: str, rest: str) -> None:
    assert strip_reasoning(text) == rest
