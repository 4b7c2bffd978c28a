"""A corpus of small tasks, and runs on it against a local server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fake_openai import FakeOpenAI
from vbench_env.experiments.config import RunConfig, make_config
from vbench_env.experiments.store import RunFolder

KEY = "sk-not-to-be-found-4711"
KEY_NAME = "SOME_PROVIDER_LOGIN"
COLOURS = ("red", "green", "blue", "orange")


def drawing(number: int, fill: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<rect id="frame" width="100" height="100" fill="white"/><circle id="sun-{number}" cx="50" cy="50" '
        f'r="{20 + number}" fill="{fill}"/></svg>'
    )


def task(number: int) -> dict[str, Any]:
    colour = COLOURS[number]
    change = {"part": f"sun-{number}", "attribute": "fill", "before": "black", "after": colour}
    return {
        "task_id": f"t{number}", "instruction": f"Task {number}: make the sun {colour} again.",
        "initial_svg": drawing(number, "black"), "target_svg": drawing(number, colour),
        "expected_diff": [change], "should_preserve": ["frame"],
    }  # fmt: skip


def target_for(body: dict[str, Any]) -> str:
    """The right answer to a request."""
    return next(task(n)["target_svg"] for n in range(4) if f"Task {n}:" in json.dumps(body["messages"]))


def task_of(body: dict[str, Any]) -> int:
    return next(number for number in range(4) if f"Task {number}:" in json.dumps(body["messages"]))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "suns"
    folder.mkdir()
    for number in range(4):
        (folder / f"t{number}.json").write_text(json.dumps(task(number)))
    return folder


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(KEY_NAME, KEY)
    return KEY


def settings(corpus: Path, server: FakeOpenAI | None = None, **fields: Any) -> dict[str, Any]:
    """A configuration with quick retries."""
    quick = {"attempts": 3, "timeout_s": 5, "wall_s": 20, "backoff_s": 0.01, "longest_wait_s": 0.5}
    base = {"api_base": server.base_url, "api_key_env": KEY_NAME} if server is not None else {}
    models = {"models": ["openai/m"]} if server is not None else {"models": ["noop"]}
    return {"corpus": str(corpus), "retry": quick, "concurrency": 3, **base, **models, **fields}


def config(corpus: Path, server: FakeOpenAI | None = None, **fields: Any) -> RunConfig:
    return make_config(settings(corpus, server, **fields))


def rows(folder: Path) -> dict[tuple[str, str, str, int], Any]:
    """Records by task, model, protocol and sample."""
    return {(r.task_id, r.model, r.protocol, r.sample): r for r in RunFolder(folder).episodes()}


def assert_no_secret(folder: Path) -> None:
    for path in folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
