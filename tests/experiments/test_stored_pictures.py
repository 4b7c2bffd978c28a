"""Pictures leave records for files of their own, and nothing else changes."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import to_json

from vbench_env.experiments.pictures import PictureStore

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
BARE = base64.b64encode(PNG).decode()
ADDRESS = f"data:image/png;base64,{BARE}"


@pytest.fixture
def store(tmp_path: Path) -> PictureStore:
    return PictureStore(tmp_path / "pictures")


@pytest.mark.parametrize("picture", [BARE, ADDRESS])
def test_a_picture_becomes_the_name_of_its_file(store, picture):
    kept = json.loads(store.json({"a": picture, "b": [picture, {"c": picture}], "d": "text"}))
    (path,) = store.folder.iterdir()
    name = f"pictures/{path.name}"
    assert kept == {"a": name, "b": [name, {"c": name}], "d": "text"}
    assert path.read_bytes() == PNG


@pytest.mark.parametrize(
    "text",
    [
        f"see {ADDRESS}", f'<image href="{ADDRESS}"/>', f',"{ADDRESS}",', f'["{ADDRESS}"]', f'\\"{ADDRESS}\\"',
        f'{{"a":"{BARE}"}}', BARE[:40], "iVBORw0KGgo", f"{BARE}!", f"{ADDRESS} ", "data:image/png;base64,x",
        "data:image/png;base64,", "data:image/png;base64,QUJD",
    ],
)  # fmt: skip
def test_a_picture_inside_a_text_stays_there(store, text):
    assert json.loads(store.json({"key": [text, text]})) == {"key": [text, text]}
    assert store.named([text]) == [text]
    assert not store.folder.exists()


def test_written_at_once_or_named_first_the_bytes_are_the_same(store):
    values: list[Any] = [
        1.5,
        math.inf,
        math.nan,
        None,
        True,
        "ä\u2028",
        "\\",
        '"',
        "",
        {"k": [ADDRESS, f"x {BARE}"]},
        BARE,
    ]
    assert store.json(values) == to_json(store.named(values), inf_nan_mode="null")


def test_lone_surrogates_become_escapes(store):
    assert json.loads(store.json({"a": "x \ud800 y", "b": ADDRESS}))["a"] == "x \\ud800 y"
    assert len(list(store.folder.iterdir())) == 1
