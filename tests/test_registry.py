"""Named entries and where they come from."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.registry import Registry

PLUGIN = """
from tests.test_registry import REGISTRY

def function():
    pass

ENTRY = REGISTRY.add("by-itself", "what the decorator registered")
PLAIN = "plain"
"""
POINTS = "[tests.plugins]\nby-itself = plugin_of_a_test:function\nplain = plugin_of_a_test:PLAIN\n"
REGISTRY: Registry[object] = Registry("thing", "tests.plugins")


def test_a_name_is_taken_once() -> None:
    registry: Registry[object] = Registry("thing")
    registry.add("a", 1)
    registry.add("a", 1)
    with pytest.raises(ConfigError, match="thing 'a' is registered twice; choose another name"):
        registry.add("a", 2)


def test_an_unknown_name_suggests_the_nearest() -> None:
    registry: Registry[object] = Registry("thing")
    registry.add("hammer", 1)
    with pytest.raises(UnknownName, match="did you mean 'hammer'"):
        registry.get("hamer")


def test_a_package_that_cannot_be_loaded_takes_nothing_but_its_own_names_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_plugin_of_a_test.py").write_text("import no_such_package\n", encoding="utf-8")
    info = tmp_path / "broken_plugin_of_a_test-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: broken-plugin\nVersion: 1\n", encoding="utf-8"
    )
    points = "[tests.broken]\nrotten = broken_plugin_of_a_test:ENTRY\nfine = json:dumps\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry: Registry[object] = Registry("thing", "tests.broken")
    registry.add("own", 1)
    assert registry.names() == ["fine", "own"]
    assert "rotten" not in registry
    for _ in range(2):
        with pytest.raises(
            ConfigError, match=r"thing 'rotten' cannot be loaded: broken-plugin: ModuleNotFoundError"
        ):
            registry.get("rotten")
    registry.add("rotten", 2)
    assert registry.get("rotten") == 2


def test_entry_points_load_on_first_use_and_what_a_module_registers_itself_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugin_of_a_test.py").write_text(PLUGIN, encoding="utf-8")
    info = tmp_path / "plugin_of_a_test-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: plugin-of-a-test\nVersion: 1\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(REGISTRY, "_loaded", False)
    monkeypatch.setitem(sys.modules, "tests.test_registry", sys.modules[__name__])
    assert REGISTRY.names() == ["by-itself", "plain"]
    assert REGISTRY.get("plain") == "plain"
    assert REGISTRY.get("by-itself") == "what the decorator registered"
