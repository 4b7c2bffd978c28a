"""Protocols are data: the shipped ones, inheritance, mistakes in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.protocol import Protocol, load_protocol, protocol_names
from vbench_env.tools import TOOLS

NAMED = {"name", "description"}
PAIRS = {
    ("single-shot-paper", "single-shot"): {"budgets", "rules"},
    ("single-shot", "single-shot-raster"): {"preview"},
    ("single-shot", "single-shot-patch"): {"actions", "prompts"},
    ("interactive-text", "interactive-raster"): {"preview"},
    ("interactive-text", "interactive-raster-on-demand"): {"preview", "tools"},
    ("interactive-text", "interactive-feedback"): {"feedback"},
    ("interactive-text", "interactive-text-json"): {"calls", "prompts"},
}


def test_every_protocol_of_the_specification_is_shipped() -> None:
    named = {name for pair in PAIRS for name in pair}
    assert named == set(protocol_names())


@pytest.mark.parametrize("pair", PAIRS, ids=" / ".join)
def test_a_pair_differs_in_one_thing(pair: tuple[str, str]) -> None:
    one, two = (load_protocol(name).model_dump() for name in pair)
    assert {key for key in one if one[key] != two[key]} - NAMED == PAIRS[pair]


@pytest.mark.parametrize("name", protocol_names())
def test_every_tool_that_a_protocol_names_exists(name: str) -> None:
    assert not [tool for tool in load_protocol(name).tools if tool not in TOOLS]


@pytest.mark.parametrize(
    ("length", "tokens"), [(0, 4096), (6400, 4096), (6401, 4096), (9000, 5136), (13666, 7002)]
)
def test_output_ceiling_of_the_paper(length: int, tokens: int) -> None:
    assert load_protocol("single-shot-paper").max_output_tokens("x" * length) == tokens


def test_pictures_need_vision() -> None:
    sees = {name for name in protocol_names() if load_protocol(name).needs_vision}
    assert sees == {"single-shot-raster", "interactive-raster", "interactive-raster-on-demand"}
    raster = load_protocol("single-shot-raster")
    raster.refuse_blind("some/model", None)
    raster.refuse_blind("some/model", True)
    load_protocol("single-shot").refuse_blind("some/model", False)
    with pytest.raises(ConfigError, match="sends pictures, and some/model takes none"):
        raster.refuse_blind("some/model", False)


def test_the_digest_changes_with_any_word() -> None:
    protocol = load_protocol("single-shot")
    assert protocol.digest == load_protocol("single-shot").digest
    changed = protocol.vary(prompts={**protocol.prompts.model_dump(), "system": "Hi."})
    assert changed.digest != protocol.digest


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_own_file_extends_shipped_and_neighbouring_ones(tmp_path: Path) -> None:
    write(tmp_path, "base.yaml", "extends: interactive-text\ndescription: mine\nbudgets: {max_turns: 5}\n")
    path = write(
        tmp_path, "mine.yaml", "extends: base.yaml\ntools+: [render]\npreview: {policy: on-demand}\n"
    )
    protocol = load_protocol(path)
    assert (protocol.name, protocol.description, protocol.budgets.max_turns) == ("mine", "mine", 5)
    assert protocol.tools == (*load_protocol("interactive-text").tools, "render")
    assert protocol.budgets.max_output_tokens == load_protocol("interactive-text").budgets.max_output_tokens


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: me.yaml", "extends itself"),
        ("- a\n- b", "must be a mapping"),
        ("a: [", "cannot be read"),
        ("extends: single-shot\nturns: 3", "turns: Extra inputs are not permitted"),
        ("extends: single-shot\nends_on: submit", "must grant the tool 'submit'"),
        ("extends: single-shot\nactions: []", "actions is empty"),
        ("extends: single-shot\nactions: [tools]", "tools and actions disagree"),
        ("extends: interactive-text\nends_on: answer", "one turn and no tools"),
        ("extends: interactive-text\npreview: {policy: on-demand}", "need the tool 'render'"),
        (
            "extends: single-shot\nbudgets: {max_turns: 0}",
            "budgets.max_turns: Input should be greater than 0",
        ),
        ("description: bare", "prompts: Field required"),
    ],
)
def test_mistakes_in_a_file_name_the_field(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        load_protocol(write(tmp_path, "me.yaml", text))


def test_an_unknown_protocol_suggests_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'single-shot-raster'"):
        load_protocol("single-shot-rastr")
    with pytest.raises(UnknownName, match=r"nowhere\.yaml"):
        load_protocol(tmp_path / "nowhere.yaml")


def test_a_protocol_value_is_taken_as_it_is() -> None:
    protocol = load_protocol("single-shot")
    assert load_protocol(protocol) is protocol
    assert isinstance(protocol, Protocol)
