"""A run without the provider's key is refused before the first call."""

from __future__ import annotations

import pytest

from vbench_env.errors import ConfigError
from vbench_env.experiments.client import ModelClient
from vbench_env.experiments.endpoint import Endpoint


@pytest.mark.parametrize(
    ("model", "variable"),
    [("openai/gpt-5", "OPENAI_API_KEY"), ("anthropic/claude-sonnet-5", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_is_named_before_anything_is_sent(
    model: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match=f"{model} needs a key: set {variable}"):
        ModelClient(Endpoint(name=model, model=model)).check()


def test_a_key_in_the_environment_or_given_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    ModelClient(Endpoint(name="a", model="openai/gpt-5")).check()
    monkeypatch.delenv("OPENAI_API_KEY")
    ModelClient(Endpoint(name="a", model="openai/gpt-5", api_key="given")).check()
