"""The faithful document: spans, bytes, and edits that touch nothing else."""

from __future__ import annotations

import codecs
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import DECLARED, FILES, MALFORMED, ONE_LINE, PLAIN, PREFIXED, SVG, real_files
from vbench_env.svg.document import Edit, Refusal, SourceDocument, apply_edits, changed_span
from vbench_env.svg.encoding import decode, encode
from vbench_env.svg.parse import XLINK_NS


def agree(document: SourceDocument) -> None:
    """Spans and parse tree tell the same story."""
    nodes = document.parsed.nodes
    assert [element.tag for element in document.elements] == [node.tag for node in nodes]
    assert [element.path for element in document.elements] == [node.path for node in nodes]
    assert {name: [item.index for item in document.with_id(name)] for name in document.outline.ids} == {
        name: [nodes.index(node) for node in found] for name, found in document.parsed.ids.items()
    }
    for element, node in zip(document.elements, nodes, strict=True):
        declared = {"": "", **element.prefixes(), "xml": "http://www.w3.org/XML/1998/namespace"}
        values = {}
        for found in element.attributes:
            prefix, colon, local = found.name.rpartition(":")
            if found.name != "xmlns" and prefix != "xmlns":
                values[f"{{{declared[prefix]}}}{local}" if colon else local] = element.value(found)
        assert values == node.attrs
        assert element.source.startswith(f"<{element.name}")
        assert element.source.endswith(">")


@pytest.mark.parametrize("name", FILES)
def test_spans_agree_with_the_parser(name: str) -> None:
    agree(SourceDocument.read(FILES[name]))


@pytest.mark.parametrize("name", FILES)
def test_unedited_bytes_come_back(name: str) -> None:
    assert SourceDocument.read(FILES[name]).to_bytes() == FILES[name]


@pytest.mark.parametrize("name", FILES)
def test_tokens_cover_the_text_without_a_gap(name: str) -> None:
    document = SourceDocument.read(FILES[name])
    tokens = document.tokens()
    assert tokens[0].start == 0
    assert tokens[-1].end == len(document.text)
    assert all(one.end == two.start for one, two in itertools.pairwise(tokens))
    assert sum(token.kind in {"open", "empty"} for token in tokens) == len(document.elements)


def test_real_files_agree_with_the_parser() -> None:
    files = real_files()
    if not files:
        pytest.skip("no folder of real SVG files; set VBENCH_SVG_DIR")
    for path in files:
        document = SourceDocument.read(path.read_bytes())
        assert document.to_bytes() == path.read_bytes()
        if document.fault is None and len(document.parsed.nodes) == len(document.elements):
            agree(document)


def test_every_kind_of_token_is_told_apart() -> None:
    document = SourceDocument.read(DECLARED)
    kinds = {token.kind for token in document.tokens()}
    assert kinds == {"open", "close", "empty", "text", "comment", "cdata", "instruction", "doctype"}
    comment = next(token for token in document.tokens() if token.kind == "comment")
    assert document.text[comment.start : comment.end] == '<!-- Created by hand: <not> a "tag" -->'


def test_attribute_spans_hold_name_quote_and_value() -> None:
    document = SourceDocument.read(f"""<svg xmlns="{SVG}"><a b = 'x"y'  c="&lt;"/></svg>""")
    one, two = document.elements[1].attributes
    text = document.text
    assert (one.name, one.quote, text[one.value_start : one.value_end]) == ("b", "'", 'x"y')
    assert text[one.space : one.end] == """ b = 'x"y'"""
    assert document.elements[1].value(two) == "<"


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("&#233;", "é"),
        ("&#x80;", "\x80"),
        ("a\r\nb\tc\n", "a b c "),
        ("&amp;lt;", "&lt;"),
        ("&unknown;", "&unknown;"),
    ],
)
def test_attribute_values_are_decoded_as_xml_says(raw: str, value: str) -> None:
    from vbench_env.svg.spans import decoded

    assert decoded(raw) == value


def test_declared_prefixes_are_those_in_force() -> None:
    document = SourceDocument.read(DECLARED)
    assert document.with_id("u")[0].prefixes() == {"": SVG, "xlink": XLINK_NS}


def test_a_prefixed_document_keeps_names_and_has_svg_tags() -> None:
    box = SourceDocument.read(PREFIXED).with_id("box")[0]
    assert (box.name, box.tag, box.path) == ("svg:rect", "rect", "svg/g[1]/rect[1]")


def test_structure_of_a_malformed_document_is_refused_with_the_line() -> None:
    document = SourceDocument.read(MALFORMED)
    with pytest.raises(
        Refusal, match=r"not well-formed .*mismatched tag.*repair it with replace_text"
    ) as caught:
        _ = document.elements
    assert caught.value.kind == "malformed_document"
    assert document.fault is not None
    assert caught.value.place == f"line {document.fault.line}"


@pytest.mark.parametrize(
    ("text", "place"), [("<svg>\n<g>", "line 2"), ("", "line 1"), (f'<svg xmlns="{SVG}" id="\ud800"/>', None)]
)
def test_the_line_is_told_where_it_is_known(text: str, place: str | None) -> None:
    with pytest.raises(Refusal) as caught:
        _ = SourceDocument.read(text).elements
    assert caught.value.place == place


def test_an_edit_that_breaks_the_document_is_refused() -> None:
    document = SourceDocument.read(ONE_LINE)
    with pytest.raises(Refusal, match=r"not well-formed .*nothing was changed") as caught:
        document.edited([Edit(0, 1, "")])
    assert caught.value.kind == "malformed_result"


def test_a_malformed_document_may_be_edited_and_repaired() -> None:
    document = SourceDocument.read(MALFORMED)
    at = MALFORMED.index("<circle")
    assert document.edited([Edit(at, at, " ")]).fault is not None
    assert document.edited([Edit(at, at, "</g>")]).fault is None


def test_a_document_that_crosses_a_limit_is_too_large() -> None:
    document = SourceDocument.read(PLAIN)
    with pytest.raises(Refusal, match="nested deeper than 200") as caught:
        document.edited(
            [Edit(document.root.close_start, document.root.close_start, "<g>" * 300 + "</g>" * 300)]
        )
    assert caught.value.kind == "too_large"


def test_utf_16_keeps_order_and_mark_after_an_edit() -> None:
    document = SourceDocument.read(FILES["utf-16-be"])
    at = document.text.index("red")
    edited = document.edited([Edit(at, at + 3, "blue")])
    assert edited.to_bytes() == FILES["utf-16-be"].replace(
        "red".encode("utf-16-be"), "blue".encode("utf-16-be")
    )


def test_a_character_outside_the_encoding_is_written_as_a_reference() -> None:
    document = SourceDocument.read(FILES["latin-1"])
    at = document.text.index("Straße")
    assert b">&#9731;Stra\xdfe" in document.edited([Edit(at, at, "\u2603")]).to_bytes()


def test_text_that_declares_utf_16_is_written_as_utf_16() -> None:
    text = f'<?xml version="1.0" encoding="UTF-16"?><svg xmlns="{SVG}"/>'
    assert SourceDocument.read(text).to_bytes() == b"\xff\xfe" + text.encode("utf-16-le")


def test_bytes_that_fit_no_encoding_still_come_back() -> None:
    data = b'<svg xmlns="http://www.w3.org/2000/svg" id="\xff\xfe\xc3"/>'
    assert SourceDocument.read(data).to_bytes() == data


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("utf-8", b"\xed\xa0\x80"), ("utf-16-le", b"\x00\xd8"), ("utf-16", b"\xff\xfe\x00\xd8"),
        ("utf-32", b"\xff\xfe\x00\x00\x00\xd8\x00\x00"),
    ],
)  # fmt: skip
def test_half_of_a_surrogate_pair_is_written_as_it_is(encoding: str, data: bytes) -> None:
    assert encode("\ud800", encoding) == data


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_text_with_a_byte_order_mark_gets_no_second_one(encoding: str) -> None:
    assert encode("\ufeffa", encoding) == encode("a", encoding) == "\ufeffa".encode(f"{encoding}-le")


@pytest.mark.parametrize("mark", [codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE,
                                  codecs.BOM_UTF8])  # fmt: skip
def test_a_byte_order_mark_says_the_encoding(mark: bytes) -> None:
    name = {4: "utf-32", 2: "utf-16", 3: "utf-8"}[len(mark)]
    order = "" if name == "utf-8" else "-be" if mark in (codecs.BOM_UTF32_BE, codecs.BOM_UTF16_BE) else "-le"
    text = f'\ufeff<svg xmlns="{SVG}" id="é日"/>'
    data = text.encode(name + order)
    assert data.startswith(mark)
    assert decode(data) == (text, name + order)
    assert SourceDocument.read(data).to_bytes() == data
    if name == "utf-16":
        assert decode(text[1:].encode(name + order)) == (text[1:], name + order)


@pytest.mark.parametrize(
    ("declared", "text"),
    [("utf-16", "é"), ("UTF-32", "é"), ("ucs-2", "é"), ("iso-10646-ucs-2", "é"), ("latin1", "é"), ("koi8-r", "ж"),
     ("shift_jis", "日"), ("big5", "日"), ("euc-kr", "가"), ("gb18030", "日"), ("cp1252", "é"), ("us-ascii", "e"),
     ("mac-roman", "é"), ("iso-2022-jp", "日")],
)  # fmt: skip
def test_a_declared_encoding_is_written_and_read(declared: str, text: str) -> None:
    document = f'<?xml version="1.0" encoding="{declared}"?><svg xmlns="{SVG}" id="{text}"/>'
    data = SourceDocument.read(document).to_bytes()
    assert SourceDocument.read(data).text.removeprefix("\ufeff") == document
    known = {"ucs-2": "utf-16", "iso-10646-ucs-2": "utf-16"}.get(declared, declared)
    assert document.encode(known) == data


@pytest.mark.parametrize("name", ["rot13", "idna", "unicode_escape", "utf-8-sig", "no-such"])
def test_odd_encoding_names_count_as_utf_8(name: str) -> None:
    text = f'<?xml version="1.0" encoding="{name}"?><svg xmlns="{SVG}" id="é"/>'
    assert SourceDocument.read(text).to_bytes() == text.encode()
    assert SourceDocument.read(text.encode()).to_bytes() == text.encode()


@given(st.text(alphabet="ab<\n", max_size=40), st.text(alphabet="ab<\n", max_size=40))
def test_the_changed_span_is_one_minimal_replacement(old: str, new: str) -> None:
    edits = changed_span(old, new)
    assert apply_edits(old, edits) == new
    assert (edits == ()) == (old == new)
    for start, end, text in edits:
        gone = old[start:end]
        assert not (gone and text) or (gone[0] != text[0] and gone[-1] != text[-1])


@given(
    st.binary(max_size=60),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"<?xml encoding='utf-16'?>"]),
)
def test_any_bytes_come_back(data: bytes, head: bytes) -> None:
    assert SourceDocument.read(head + data).to_bytes() == head + data
