"""What a reader sees of a changed source."""

from __future__ import annotations

from vbench_env.report.source_diff import LARGEST_TEXT, MOST_LINES, DiffLine, pieces, source_diff

LINES = "\n".join(["<svg>", *(f'<rect id="r{i}" x="{i}0.5" y="7"/>' for i in range(20)), "</svg>"])


def test_an_unchanged_source_has_no_lines():
    found = source_diff(LINES, LINES)
    assert found.same
    assert found.lines == ()


def test_the_changed_part_of_a_line_is_marked_in_whole_numbers():
    found = source_diff(LINES, LINES.replace('x="30.5"', 'x="35.5"'))
    assert (found.removed, found.added) == (1, 1)
    assert DiffLine("removed", '<rect id="r3" x="', "30.5", '" y="7"/>') in found.lines
    assert DiffLine("added", '<rect id="r3" x="', "35.5", '" y="7"/>') in found.lines


def test_lines_only_one_side_has_are_not_marked():
    found = source_diff(LINES, LINES.replace('<rect id="r3" x="30.5" y="7"/>\n', ""))
    assert DiffLine("removed", '<rect id="r3" x="30.5" y="7"/>') in found.lines
    assert (found.removed, found.added) == (1, 0)


def test_markup_without_line_breaks_is_broken_between_elements():
    assert pieces("<svg>" + '<rect width="10"/>' * 10 + "</svg>")[1:3] == ['<rect width="10"/>'] * 2
    assert pieces("<g>a</g>\n<g/>") == ["<g>a</g>", "<g/>"]


def test_long_unchanged_stretches_are_left_out_of_a_line():
    before = '<path d="' + "M1 2 " * 200 + '" fill="red" class="' + "a " * 200 + '"/>'
    found = source_diff("<svg>\n" + before, "<svg>\n" + before.replace("red", "blue"))
    (line,) = [line for line in found.lines if line.kind == "added"]
    assert line.mark == "blue"
    assert len(line.head) < 120 and " … " in line.head
    assert line.tail.endswith(" …")


def test_a_source_too_large_to_compare_is_shown_from_its_start_with_its_size():
    found = source_diff(LINES, "<svg>" + "x" * (LARGEST_TEXT + 1))
    assert not found.compared and not found.same
    assert found.note == "This source has 400 kB; it is too large to compare here. It starts like this:"
    assert sum(len(line.head) for line in found.lines) < 4000


def test_a_source_that_shares_nothing_is_shown_as_it_is():
    found = source_diff(LINES, "I cannot do that.")
    assert not found.compared
    assert found.lines == (DiffLine("same", "I cannot do that."),)


def test_a_long_comparison_stops_and_says_so():
    after = LINES.replace("</svg>", "".join(f'<circle r="{i}"/>\n' for i in range(300)) + "</svg>")
    found = source_diff(LINES, after)
    assert found.added == 300
    assert len(found.lines) == MOST_LINES
    assert found.note == f"Only the first {MOST_LINES} lines of the comparison are shown."


def test_without_an_earlier_source_there_is_nothing_to_compare():
    found = source_diff(None, "<svg/>")
    assert not found.compared
    assert found.note == "6 characters in all; there is nothing to compare with."
