"""Patches as models write them: wrong line numbers, lost spaces, one-line files."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vbench_env.svg.document import Refusal, apply_edits
from vbench_env.svg.patch import patch_edits

TEXT = "<svg>\n  <a/>\n  <b x='1'/>\n  <c/>\n  <a/>\n</svg>\n"


def patched(text: str, patch: str) -> str:
    return apply_edits(text, patch_edits(text, patch))


@pytest.mark.parametrize(
    "header", ["@@ -3,1 +3,1 @@", "@@ -90,7 +91,2 @@", "@@", "@@ @@", "@@ ... @@", "@@ -3 +3 @@ <svg>"]
)
def test_a_hunk_goes_where_its_lines_stand_whatever_its_header_says(header: str) -> None:
    patch = f"--- a/x.svg\n+++ b/x.svg\n{header}\n-  <b x='1'/>\n+  <b x='2'/>\n"
    assert patched(TEXT, patch) == TEXT.replace("'1'", "'2'")


def test_only_the_characters_that_differ_are_replaced() -> None:
    (edit,) = patch_edits(TEXT, "@@\n-  <b x='1'/>\n+  <b x='23'/>")
    assert (TEXT[edit.start : edit.end], edit.new) == ("1", "23")


def test_lines_are_added_and_removed_between_context() -> None:
    patch = "```diff\n@@ -1,3 +1,3 @@\n <svg>\n-  <a/>\n   <b x='1'/>\n+  <new/>\n+  <newer/>\n   <c/>\n```"
    assert patched(TEXT, patch) == "<svg>\n  <b x='1'/>\n  <new/>\n  <newer/>\n  <c/>\n  <a/>\n</svg>\n"


def test_several_hunks_apply_together() -> None:
    patch = "@@\n <svg>\n-  <a/>\n@@\n   <c/>\n-  <a/>\n+  <z/>\n </svg>"
    assert patched(TEXT, patch) == "<svg>\n  <b x='1'/>\n  <c/>\n  <z/>\n</svg>\n"


def test_lost_indentation_is_forgiven_and_added_lines_get_that_of_their_neighbours() -> None:
    patch = "@@\n-<b x='1'/>\n+<b x='2'/>\n+<d/>\n <c/>"
    assert patched(TEXT, patch) == TEXT.replace("  <b x='1'/>\n", "  <b x='2'/>\n  <d/>\n")


def test_windows_line_ends_are_kept_and_given_to_added_lines() -> None:
    text = TEXT.replace("\n", "\r\n")
    assert patched(text, "@@\n   <c/>\n+  <d/>\n   <a/>") == text.replace(
        "  <c/>\r\n", "  <c/>\r\n  <d/>\r\n"
    )


def test_a_line_number_decides_between_several_places() -> None:
    assert (
        patched(TEXT, "@@ -5 +5 @@\n-  <a/>\n+  <z/>")
        == TEXT[::-1].replace("  <a/>"[::-1], "  <z/>"[::-1], 1)[::-1]
    )


@pytest.mark.parametrize(
    ("text", "patch", "result"),
    [
        ("a\nb", "@@\n a\n-b\n+c", "a\nc"),
        ("a\nb", "@@\n b\n+c", "a\nb\nc"),
        ("a\nb", "@@\n a\n-b", "a"),
        ("a\nb\n", "@@\n b\n+c", "a\nb\nc\n"),
        ("a\nb\n", "@@\n-a\n-b\n+c\n\\ No newline at end of file", "c\n"),
    ],
)
def test_the_end_of_the_text_can_be_patched(text: str, patch: str, result: str) -> None:
    assert patched(text, patch) == result


def test_a_search_block_works_inside_one_long_line() -> None:
    text = "<svg><a x='1'/><b x='1'/></svg>"
    patch = "<<<<<<< SEARCH\n<b x='1'/>\n=======\n<b x='2'/>\n>>>>>>> REPLACE\n"
    assert patched(text, patch) == "<svg><a x='1'/><b x='2'/></svg>"


def test_several_blocks_apply_together_and_may_delete() -> None:
    patch = (
        "Here:\n<<<<<<< SEARCH\n  <c/>\n=======\n>>>>>>> REPLACE\n"
        "and\n<<<<<<< SEARCH\n<b x='1'/>\n=======\n<b\n x='1'/>\n>>>>>>> REPLACE"
    )
    assert patched(TEXT, patch) == TEXT.replace("  <c/>", "").replace("<b x", "<b\n x")


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        ("nothing", "no hunk .* and no <<<<<<< SEARCH block"),
        ("@@\n <svg>\n   <a/>", "changes nothing"),
        ("@@\n-  <a/>\n+  <z/>", "hunk 1 fits at lines 2, 5; add lines of context"),
        ("@@\n-  <q/>\n+  <z/>", "hunk 1 fits nowhere: the document has no line '<q/>'"),
        ("@@\n   <a/>\n   <c/>\n-  <b x='1'/>", "not one after the other"),
        ("@@ -99 +99 @@\n+  <z/>", "hunk 1 only adds lines"),
        ("@@\n+  <z/>", "hunk 1 only adds lines"),
        ("@@\n   <c/>\n+x\n@@\n   <c/>\n+y", "two hunks change the same place"),
        (
            "<<<<<<< SEARCH\n<a/>\n=======\n<z/>\n>>>>>>> REPLACE",
            "block 1: its search text stands in 2 places",
        ),
        ("<<<<<<< SEARCH\n<q/>\n=======\n<z/>\n>>>>>>> REPLACE", "block 1 fits nowhere"),
        ("<<<<<<< SEARCH\n\n=======\n<z/>\n>>>>>>> REPLACE", "block 1 searches for nothing"),
        ("<<<<<<< SEARCH\n<a/>\n=======\n<z/>", ">>>>>>> REPLACE is missing"),
        ("<<<<<<< SEARCH\n<a/>", "======= is missing"),
    ],
)
def test_a_patch_that_cannot_apply_says_why(patch: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        patch_edits(TEXT, patch)
    assert caught.value.kind == "patch_failed"


_LINES = st.lists(st.text(alphabet="abc <>", max_size=5), min_size=1, max_size=12, unique=True)


def outcome(text: str, patch: str) -> str:
    """The patched text, or the reason for none that distinct lines allow."""
    try:
        return patched(text, patch)
    except Refusal as refusal:
        reasons = [reason for reason in ("only adds lines", "fits at lines") if reason in refusal.message]
        return reasons[0] if reasons else refusal.message


@given(_LINES, _LINES, st.integers(1, 4), st.booleans())
def test_real_diffs_of_distinct_lines_apply(
    one: list[str], two: list[str], context: int, windows: bool
) -> None:
    old, new = "".join(f"{line}.\n" for line in one), "".join(f"{line}.\n" for line in two)
    diff = "\n".join(
        difflib.unified_diff(old.split("\n"), new.split("\n"), "a/x", "b/x", n=context, lineterm="")
    )
    if not diff:
        return
    if windows:
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    assert outcome(old, diff) in {new, "only adds lines", "fits at lines"}
