"""Edits of attributes, text and tree: the characters that change, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import DECLARED, ENTITIES, ONE_LINE, PLAIN, PREFIXED, PRESERVED, SINGLE, SVG
from vbench_env.svg.document import Element, Refusal, SourceDocument
from vbench_env.svg.edit import put_attributes, put_several, put_text, text_of
from vbench_env.svg.restructure import duplicate, insert, relocate, remove


def element(text: str, name: str) -> Element:
    return SourceDocument.read(text).with_id(name)[0]


SPREAD = f'<svg xmlns="{SVG}"><rect\n    id="w"/><rect\n    id="v"\n    y="1"/></svg>'


@pytest.mark.parametrize(
    ("text", "name", "values", "old", "new"),
    [
        (PLAIN, "sun", {"cx": "81"}, 'cx="80"', 'cx="81"'),
        (PLAIN, "sun", {"cx": None}, ' cx="80"', ""),
        (PLAIN, "sun", {"opacity": "0.5"}, 'fill="gold"/>', 'fill="gold" opacity="0.5"/>'),
        (SINGLE, "e", {"cx": "a'b\"c"}, "cx = '4'", "cx = 'a&apos;b\"c'"),
        (SINGLE, "g", {"id": "h", "fill": None}, "<g id='g' fill='red'>", "<g id='h'>"),
        (DECLARED, "r1", {"rx": "3"}, 'height="11" />', 'height="11"\n       rx="3" />'),
        (SPREAD, "w", {"x": "3"}, '"w"', '"w" x="3"'),
        (SPREAD, "v", {"x": "3"}, 'y="1"', 'y="1"\n    x="3"'),
        (DECLARED, "u", {"xlink:href": "#t"}, '"#s"', '"#t"'),
        (ENTITIES, "c", {"fill": "#00ff01"}, "&#x23;00ff00", "#00ff01"),
    ],
)
def test_attributes_change_in_place(
    text: str, name: str, values: dict[str, str | None], old: str, new: str
) -> None:
    assert put_attributes(element(text, name), values).document.text == text.replace(old, new, 1)


def test_a_value_that_is_there_already_changes_nothing_however_it_is_written() -> None:
    found = element(ENTITIES, "c")
    change = put_attributes(found, {"fill": "#00ff00"})
    assert change.document is found.document
    assert change.edits == ()


_LEGAL = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\t\r\n&<>'\""), max_size=30
)


@given(_LEGAL.filter(lambda text: "\ufffe" not in text and "\uffff" not in text))
def test_any_legal_value_reads_back(value: str) -> None:
    found = element(SINGLE, "e")
    for name in ("cx", "data-new"):
        document = put_attributes(found, {name: value}).document
        assert Element(document, found.index).get(name) == value
        assert SourceDocument(document.text).parsed.nodes[found.index].attrs[name] == value


@pytest.mark.parametrize("value", ["\x00", "a\ud800", "\ufffe", "\x1b"])
def test_a_character_that_xml_forbids_is_refused(value: str) -> None:
    with pytest.raises(Refusal, match=r"character U\+[0-9A-F]{4} .* cannot be in an XML document"):
        put_attributes(element(SINGLE, "e"), {"cx": value})


def test_an_edited_id_is_found_under_its_new_name_only() -> None:
    document = put_attributes(element(PLAIN, "sun"), {"id": "moon"}).document
    doubled = SourceDocument.read(PLAIN.replace('id="wall"', 'id="sun"'))
    first, second = doubled.with_id("sun")
    assert put_attributes(first, {"id": "moon"}).document.with_id("sun")[0].index == second.index
    assert not document.with_id("sun")
    assert document.with_id("moon")[0].get("cx") == "80"


def test_several_elements_change_at_once() -> None:
    document = SourceDocument.read(ONE_LINE)
    one, two = document.with_id("a")[0], document.with_id("d")[0]
    change = put_several([(two, {"r": "2"}), (one, {"width": "5", "x": "1"})])
    assert change.document.text == ONE_LINE.replace(
        '"a" width="3" height="3"', '"a" width="5" height="3" x="1"'
    ).replace('r="1"', 'r="2"')


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1x", "not an attribute name"),
        ("a b", "not an attribute name"),
        ("zz:x", "prefix 'zz' is not declared"),
    ],
)
def test_an_impossible_attribute_name_is_refused(name: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        put_attributes(element(DECLARED, "r1"), {name: "1"})
    assert caught.value.kind == "bad_arguments"


def test_undeclaring_a_prefix_in_use_is_refused() -> None:
    with pytest.raises(Refusal, match="unbound prefix") as caught:
        put_attributes(element(DECLARED, "root"), {"xmlns:xlink": None})
    assert caught.value.kind == "malformed_result"


def test_a_new_default_namespace_is_seen() -> None:
    document = put_attributes(element(ONE_LINE, "c"), {"xmlns": "urn:x"}).document
    assert document.with_id("d")[0].tag == "{urn:x}circle"


@pytest.mark.parametrize(
    ("text", "name", "new", "expected"),
    [
        (PLAIN, "where", "<there> & ]]>", PLAIN.replace(">here<", ">&lt;there> &amp; ]]&gt;<")),
        (DECLARED, "css", ".b{}",
         DECLARED.replace(DECLARED[DECLARED.index("<![CDATA[") + 9 : DECLARED.index("]]>")], ".b{}")),
        (PRESERVED, "s", "d", PRESERVED.replace("> c <", ">d<")),
        (ONE_LINE, "a", "x", ONE_LINE.replace('id="a" width="3" height="3"/>', 'id="a" width="3" height="3">x</rect>')),
        (ENTITIES, "t", "A & B © 2021", ENTITIES.replace("&who; &#169; 2020", "A &amp; B © 2021")),
    ],
)  # fmt: skip
def test_text_is_escaped_and_keeps_its_form(text: str, name: str, new: str, expected: str) -> None:
    document = put_text(element(text, name), new).document
    assert document.text == expected
    assert text_of(document.with_id(name)[0]) == new


def test_white_space_around_text_stays_where_it_does_not_count() -> None:
    text = f'<svg xmlns="{SVG}"><text id="t">\n  old\n</text></svg>'
    assert put_text(element(text, "t"), "new").document.text == text.replace("old", "new")


def test_entities_in_text_read_as_what_they_stand_for() -> None:
    assert text_of(element(ENTITIES, "t")) == "A & B © 2020"


def test_text_of_an_element_with_elements_is_refused() -> None:
    with pytest.raises(Refusal, match="label holds elements"):
        put_text(element(PLAIN, "label"), "x")


LABELLED = PLAIN.replace(
    "</text>", '</text>\n  <text><textPath href="#smoke">a\n  <tspan id="p">b</tspan></textPath></text>'
)


@pytest.mark.parametrize(
    ("text", "name", "where", "markup", "old", "new"),
    [
        (PLAIN, "wall", "before", "<a/>", '    <rect id="wall"', '    <a/>\n    <rect id="wall"'),
        (PLAIN, "wall", "after", "<a/>", '<polygon id="roof"', '<a/>\n    <polygon id="roof"'),
        (PLAIN, "house", "first_in", "<a/>", '    <rect id="wall"', '    <a/>\n    <rect id="wall"'),
        (PLAIN, "house", "last_in", "<a/>", "\n  </g>", "\n    <a/>\n  </g>"),
        (PLAIN, "where", "before", "<tspan/>", '<tspan id="where"', '<tspan/><tspan id="where"'),
        (PLAIN, "where", "last_in", "<tspan/>", "here</tspan>", "here<tspan/></tspan>"),
        (LABELLED, "p", "before", "<tspan/>", '<tspan id="p"', '<tspan/><tspan id="p"'),
        (ONE_LINE, "c", "last_in", "<a/>", "</g>", "<a/></g>"),
        (ONE_LINE, "a", "last_in", "<title>t</title>", 'id="a" width="3" height="3"/>',
         'id="a" width="3" height="3"><title>t</title></rect>'),
        (PREFIXED, "box", "after", "<circle/>", '<svg:rect id="box" x="1" y="1" width="5" height="5"/>',
         '<svg:rect id="box" x="1" y="1" width="5" height="5"/>\n\t\t<svg:circle/>'),
        (PREFIXED, "box", "after", "<svg:circle><title>a b</title></svg:circle>", 'height="5"/>',
         'height="5"/>\n\t\t<svg:circle><svg:title>a b</svg:title></svg:circle>'),
        (PREFIXED, "inner", "last_in", "<rect/>", '<rect id="deep"/>', '<rect id="deep"/><rect/>'),
        (PREFIXED, "box", "after", f'<circle xmlns="{SVG}"/>', 'height="5"/>',
         f'height="5"/>\n\t\t<circle xmlns="{SVG}"/>'),
    ],
)  # fmt: skip
def test_an_insertion_follows_its_surroundings(
    text: str, name: str, where: str, markup: str, old: str, new: str
) -> None:
    change, inserted = insert(element(text, name), where, markup)  # type: ignore[arg-type]
    assert change.document.text == text.replace(old, new, 1)
    assert not inserted.tag.startswith("{")


@pytest.mark.parametrize("tag", ["text", "tspan", "textPath", "title", "desc"])
def test_inside_text_nothing_but_the_element_is_inserted(tag: str) -> None:
    text = f'<svg xmlns="{SVG}">\n  <{tag} id="t">a\n    <tspan id="s"/>\n  </{tag}>\n</svg>'
    for where, new in (("before", '<a/><tspan id="s"/>'), ("after", '<tspan id="s"/><a/>')):
        change, _ = insert(element(text, "s"), where, "<a/>")  # type: ignore[arg-type]
        assert change.document.text == text.replace('<tspan id="s"/>', new)


def test_an_insertion_into_an_empty_group_is_indented_one_step_deeper() -> None:
    document = SourceDocument.read(PREFIXED)
    empty = next(item for item in document.elements if item.name == "svg:g" and not item.children)
    text = insert(empty, "last_in", "<rect/>")[0].document.text
    assert "\t\t<svg:g>\n\t\t\t<svg:rect/>\n\t\t</svg:g>\n" in text


def test_line_ends_of_the_document_are_given_to_the_insertion() -> None:
    text = PLAIN.replace("\n", "\r\n")
    new = insert(element(text, "sun"), "after", "<g>\n  <a/>\n</g>")[0].document.text
    assert '"gold"/>\r\n  <g>\r\n  <a/>\r\n</g>\r\n  <text' in new


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("x", "bad_arguments"),
        ("<a/><b/>", "bad_arguments"),
        ("</g><g>", "bad_arguments"),
        ("<a/></g><g><b/>", "bad_arguments"),
        ("<!-- c -->", "bad_arguments"),
        ("<a>\x01</a>", "bad_arguments"),
        ("<a", "malformed_result"),
        ("<n:a/>", "malformed_result"),
        ("<a>&nbsp;</a>", "malformed_result"),
        ("<?xml version='1.0'?><a/>", "malformed_result"),
    ],
)
def test_markup_that_is_not_one_element_is_refused(markup: str, kind: str) -> None:
    with pytest.raises(Refusal) as caught:
        insert(element(PLAIN, "wall"), "before", markup)
    assert caught.value.kind == kind


def test_an_element_goes_with_its_line() -> None:
    line = '    <polygon id="roof" points="0,10 20,0 40,10" fill="#7f3b1d"/>\n'
    assert remove(element(PLAIN, "roof")).document.text == PLAIN.replace(line, "")
    assert remove(element(PLAIN, "where")).document.text == PLAIN.replace(
        '<tspan id="where" fill="red">here</tspan>', ""
    )


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_moved_element_takes_its_line_along(where: str) -> None:
    document = SourceDocument.read(PLAIN)
    change = relocate(document.with_id("sun")[0], where, document.with_id("bg")[0])  # type: ignore[arg-type]
    order = [item.get("id") for item in change.document.root.children][2:5]
    assert order == (["sun", "bg", "house"] if where == "before" else ["bg", "sun", "house"])
    assert sorted(change.document.text.split("\n")) == sorted(PLAIN.split("\n"))


def test_a_copy_gets_ids_of_its_own_and_refers_to_its_own_parts() -> None:
    text = f"""<svg xmlns="{SVG}"><g id="g" fill="url(#p)" aria-labelledby="t q"><linearGradient id="p"/>
<title id="t">#p</title><use href="#p"/><use href="#other"/><set begin="t.click;2s"/>
<a style="fill:url('#p')"/></g></svg>"""
    change, names = duplicate(element(text, "g"))
    assert names == {"g": "g-copy", "p": "p-copy", "t": "t-copy"}
    copy = change.document.with_id("g-copy")[0].source
    assert 'fill="url(#p-copy)" aria-labelledby="t-copy q"' in copy
    assert '<use href="#p-copy"/><use href="#other"/><set begin="t-copy.click;2s"/>' in copy
    assert "url('#p-copy')" in copy
    assert ">#p</title>" in copy


def test_copies_count_on_when_names_are_taken() -> None:
    change, _ = duplicate(element(ONE_LINE, "a"))
    _, names = duplicate(change.document.with_id("a")[0])
    assert names == {"a": "a-copy2"}
    with pytest.raises(Refusal, match="id 'b' is already used"):
        duplicate(element(ONE_LINE, "a"), "b")


def test_a_copy_of_an_element_without_id_can_be_given_one() -> None:
    text = f'<svg xmlns="{SVG}"><rect x="1"/></svg>'
    change, _ = duplicate(SourceDocument.read(text).elements[1], "a&b")
    assert '<rect x="1"/><rect id="a&amp;b" x="1"/>' in change.document.text


@pytest.mark.parametrize("act", [remove, lambda root: insert(root, "after", "<a/>"), duplicate])
def test_the_root_stays_alone(act: object) -> None:
    with pytest.raises(Refusal, match="root element") as caught:
        act(SourceDocument.read(PLAIN).root)  # type: ignore[operator]
    assert caught.value.kind == "not_applicable"
