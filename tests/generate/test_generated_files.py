"""Tasks of foreign files: every operation, by what the drawing shows; how many, and of which files."""

from __future__ import annotations

from pathlib import Path

import pytest

from vbench_env.errors import ConfigError, TaskError, UnknownName
from vbench_env.generate.corpus import Tally, write_folder
from vbench_env.generate.corruptions import CORRUPTIONS
from vbench_env.generate.files import generate_from, generate_of, split_of
from vbench_env.generate.files.offers import OFFERS
from vbench_env.generate.levels import SPLITS
from vbench_env.generate.make import Generated, Rejected
from vbench_env.scoring import score
from vbench_env.taskkit.validate import validate_corpus

_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120"><rect width="200" height="120" fill="#ffffff"/>'


def _drawing(*elements: str) -> bytes:
    return (_HEAD + "".join(elements) + "</svg>").encode()


def _made(source: bytes, operation: str, seed: int = 1) -> Generated:
    return generate_of(source, "drawing.svg", seed, 1, [operation])


def _circles(*places: int) -> list[str]:
    return [f'<circle cx="{x}" cy="60" r="12" fill="#e01020"/>' for x in places]


_LEAF = "M{} 50 L{} 20 L{} 50 L{} 80 Z"


def _leaves(*lefts: int) -> list[str]:
    return [
        f'<path d="{_LEAF.format(x, x + 15, x + 30, x + 15)}" fill="#14a314"/>' for x in lefts
    ]  # fmt: skip


_SHADED = (
    '<defs><linearGradient id="dawn"><stop offset="0" stop-color="#aa1010"/><stop offset="1" stop-color="#ee4040"/>'
    '</linearGradient><linearGradient id="dusk"><stop offset="0" stop-color="#1010aa"/>'
    '<stop offset="1" stop-color="#4040ff"/></linearGradient></defs>'
)


def _shades(first: str, second: str) -> list[str]:
    return [
        f'<rect x="20" y="40" width="40" height="40" fill="url(#{first})"/>',
        f'<rect x="130" y="40" width="40" height="40" fill="url(#{second})"/>',
    ]


_STAR = "M5 0L6 4L10 4L7 6L8 10L5 7.5L2 10L3 6L0 4L4 4Z"
_SYMBOLS = (
    f'<defs><symbol id="star" viewBox="0 0 10 10"><path d="{_STAR}" fill="#e0a000"/></symbol>'
    '<symbol id="dot" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="#0050c0"/></symbol></defs>'
)


def _uses(*names: str) -> list[str]:
    return [
        f'<use href="#{name}" x="{10 + 48 * place}" y="40" width="30" height="30"/>'
        for place, name in enumerate(names)
    ]


def test_files_know_all_operations_of_composed_drawings() -> None:
    assert sorted(OFFERS) == sorted(CORRUPTIONS.names())


@pytest.mark.parametrize(
    ("operation", "source"),
    [
        ("insert", _drawing(*_circles(25, 75, 125, 175))),
        ("insert", _drawing(*_circles(40, 100, 160))),
        ("insert", _drawing(*_circles(50, 150))),
        ("insert", _drawing(*_leaves(10, 60, 110, 160))),
        ("reshape", _drawing(*_leaves(10, 140))),
        ("reshape", _drawing('<path d="M100 20 L150 60 L100 100 L50 60 Z" fill="#1f4fe0"/>')),
        ("relink", _drawing(_SHADED, *_shades("dawn", "dawn"))),
        ("relink", _drawing(_SYMBOLS, *_uses("star", "star", "star", "dot"))),
    ],
)  # fmt: skip
def test_what_is_beside_determines_the_repair(operation: str, source: bytes, tmp_path: Path) -> None:
    made = _made(source, operation)
    assert [repair.operation for repair in made.task.repairs] == [operation]
    assert score(made.task, made.task.target_svg).reward == 1
    assert score(made.task, made.task.corrupted_svg).reward == 0
    write_folder([made], tmp_path / "generated")
    assert validate_corpus(tmp_path / "generated").ok


@pytest.mark.parametrize(
    ("operation", "source"),
    [
        ("insert", _drawing(*_circles(25, 60, 125, 175))),
        ("insert", _drawing(*_circles(25, 75, 125, 175), '<circle cx="100" cy="20" r="11" fill="#c01018"/>')),
        ("insert", _drawing('<circle cx="100" cy="60" r="30" fill="#e01020"/>')),
        ("relink", _drawing(_SHADED, *_shades("dawn", "dusk"))),
        ("relink", _drawing(*_circles(25, 75, 125, 175))),
        ("reshape", _drawing(*_circles(25, 75))),
    ],
)  # fmt: skip
def test_what_nothing_determines_is_not_asked_for(operation: str, source: bytes) -> None:
    with pytest.raises(Rejected, match="no element of it can be named and corrupted"):
        _made(source, operation)


def test_a_copy_in_the_gap_is_a_repair_whatever_its_id() -> None:
    made = _made(_drawing(*_circles(25, 75, 125, 175)), "insert")
    missing = next(x for x in (75, 125) if f'cx="{x}"' not in made.task.corrupted_svg)
    copy = f'<circle cx="{missing}" cy="60" r="12" fill="#e01020"/></svg>'
    assert score(made.task, made.task.corrupted_svg.replace("</svg>", copy)).reward == 1
    far = copy.replace(f'cx="{missing}"', 'cx="100"')
    assert score(made.task, made.task.corrupted_svg.replace("</svg>", far)).reward == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "drawings"
    found.mkdir()
    for number in range(12):
        text = f'<text x="100" y="{40 + number}" font-size="16" text-anchor="middle">Harbour</text>'
        (found / f"{number:02}.svg").write_bytes(_drawing(*_circles(40 + number, 160), text))
    (found / "torn.svg").write_text("<svg", encoding="utf-8")
    return found


def _ids(folder: Path, **wanted: object) -> list[str]:
    return [made.task.task_id for made in generate_from(folder, 5, 1, None, Tally(), **wanted)]  # type: ignore[arg-type]


def test_a_number_is_drawn_over_the_files_each_once_before_one_is_drawn_again(folder: Path) -> None:
    some, many = _ids(folder, count=5), _ids(folder, count=18)
    assert (len(set(some)), len(set(many))) == (5, 18)
    assert many[:5] == some
    assert some != sorted(some)
    stems = [name.rsplit("-", 1)[0] for name in many]
    assert len(set(stems[:12])) == 12
    assert some == _ids(folder, count=5)


def test_without_a_number_each_file_gives_one(folder: Path) -> None:
    assert [name.rsplit("-", 1)[0] for name in _ids(folder)] == [f"{number:02}" for number in range(12)]


def test_more_tasks_than_the_files_bear_are_refused_with_how_many_there_are(tmp_path: Path) -> None:
    (tmp_path / "one.svg").write_bytes(_drawing(*_leaves(10, 140)))
    with pytest.raises(TaskError, match=r"only \d+ of 500 tasks can be made of these files"):
        list(generate_from(tmp_path, 1, 2, ["rotate", "reshape"], Tally(), count=500))


def test_no_file_is_in_two_splits(folder: Path) -> None:
    there = {split_of(path.read_bytes()) for path in folder.glob("*.svg")}
    found = {split: {name.rsplit("-", 1)[0] for name in _ids(folder, split=split)} for split in there}
    assert sum(map(len, found.values())) == len(set().union(*found.values())) == 12
    assert len(there) > 1


def test_a_split_without_files_is_refused(tmp_path: Path) -> None:
    source = _drawing(*_circles(50, 150))
    (tmp_path / "one.svg").write_bytes(source)
    other = next(split for split in SPLITS if split != split_of(source))
    with pytest.raises(ConfigError, match=f"none of its 1 SVG files is in the split '{other}'"):
        _ids(tmp_path, split=other)


def test_most_files_are_for_training() -> None:
    counts = dict.fromkeys(SPLITS, 0)
    for number in range(1000):
        counts[split_of(str(number).encode())] += 1
    assert 760 < counts["train"] < 840
    assert min(counts.values()) > 70


def test_unknown_splits_and_operations_are_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="split must be one of train"):
        _ids(folder, split="dev")
    with pytest.raises(ConfigError, match="must be at least 1"):
        _ids(folder, count=0)
    with pytest.raises(UnknownName, match="recolor"):
        list(generate_from(folder, 1, 1, ["recolour"], Tally()))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"\xff\xfe<\x00s\x00", "is not UTF-8"),
        (b"", "is not well-formed XML"),
        (b"<html/>", "the root element 'html' has no namespace"),
        (b'<html xmlns="urn:x"/>', "the root element is"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>', "neither viewBox nor size"),
        (_drawing("<g>" * 900, "</g>" * 900), "is not well-formed XML: .*nested"),
        (_drawing("<desc>" + "x" * 400_000 + "</desc>"), "characters are too many"),
    ],
)  # fmt: skip
def test_files_that_are_no_drawings_are_refused_with_the_reason(source: bytes, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        _made(source, "recolor")


def test_outlines_that_cannot_be_read_are_left_alone() -> None:
    made = _made(_drawing('<path d="M0 0 L 50 foo" fill="red"/>', *_circles(50, 150)), "insert")
    assert made.task.repairs[0].object.startswith("circle-")


def test_files_that_cannot_be_read_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked.svg").write_bytes(_drawing(*_circles(50, 150)))

    def locked(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", locked)
    tally = Tally()
    assert list(generate_from(tmp_path, 1, 1, None, tally)) == []
    assert list(tally.reasons) == ["locked.svg: cannot be read (Permission denied)"]


def test_a_long_comment_in_front_hinders_nothing() -> None:
    comment = f"<?xml version='1.0'?><!--{'x' * 3000}-->".encode()
    assert "disc" in _made(comment + _drawing(*_circles(50)), "delete").task.instruction


def test_elements_of_an_inner_drawing_are_not_measured_in_the_outer_one() -> None:
    inner = '<svg x="20" y="10" width="100" height="60" viewBox="0 0 200 120">{}</svg>'
    with pytest.raises(Rejected, match="no element of it"):
        _made(_drawing(inner.format("".join(_circles(25, 75, 125, 175)))), "insert")


def test_shapes_go_by_the_text_that_stands_in_them() -> None:
    box = '<g><ellipse cx="{0}" cy="60" rx="40" ry="25" fill="none" stroke="#222222" stroke-width="3"/>'
    text = '<text x="{0}" y="64" font-size="12" text-anchor="middle">{1}</text></g>'
    source = _drawing(*((box + text).format(x, word) for x, word in ((55, "Start"), (150, "Finish"))))
    made = _made(source, "insert", seed=4)
    assert "the oval for “" in made.task.instruction
    assert score(made.task, made.task.target_svg).reward == 1


def test_one_thing_at_most_is_missing_in_one_place() -> None:
    places = [(40 + 50 * column, 20 + 26 * row) for row in range(4) for column in range(4)]
    source = _drawing(*(f'<circle cx="{x}" cy="{y}" r="9" fill="#e01020"/>' for x, y in places))
    for seed in range(3):
        made = generate_of(source, "grid.svg", seed, 3, ["insert"])
        assert [repair.operation for repair in made.task.repairs] == ["insert"]
        assert "row of red circles from the top" in made.task.instruction


def test_what_is_cut_out_goes_by_what_shows() -> None:
    clip = '<clipPath id="hole"><circle cx="50" cy="60" r="30"/><circle cx="150" cy="60" r="30"/></clipPath>'
    rects = [
        f'<rect x="{x}" y="10" width="90" height="100" fill="#e01020" clip-path="url(#hole)"/>'
        for x in (5, 105)
    ]
    made = _made(_drawing(clip, *rects), "insert")
    assert "red shape" in made.task.instruction
