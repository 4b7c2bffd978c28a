"""Who plays: an agent and, where it needs one, a model client, for every model of a run."""

from __future__ import annotations

import os
import threading
from urllib.parse import urlsplit

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.experiments.agents import AGENTS, Casting, cast
from vbench_env.experiments.budget import Estimator
from vbench_env.experiments.client import ModelClient
from vbench_env.experiments.config import ModelConfig, RunConfig
from vbench_env.experiments.endpoint import Endpoint, Price
from vbench_env.experiments.local_model import PREFIX, LocalServer, start_local_model
from vbench_env.experiments.manifest import software_versions
from vbench_env.experiments.pictures import PictureStore
from vbench_env.experiments.plan import Plan, Unit
from vbench_env.experiments.play import Seat


class Seats:
    """The seats of a plan, one for each model and protocol.

    Args:
        plan: what is to be played.
        stop: set when no further attempt at a call is to be made.
        pictures: where the pictures of requests are kept.

    Raises:
        UnknownName: no such agent or model.
        ConfigError: a key is missing, the extra of a local model is not installed, or a model that takes no
            pictures would be sent some.
    """

    def __init__(self, plan: Plan, stop: threading.Event, pictures: PictureStore) -> None:
        self._config, self._stop, self._pictures = plan.config, stop, pictures
        self._servers: dict[str, LocalServer] = {}
        self._seats: dict[tuple[str, str], Seat] = {}
        versions = software_versions()
        for model in plan.config.models:
            castings = {protocol.name: cast(model, protocol) for protocol in plan.protocols}
            client = self._client(model, castings)
            estimator = Estimator(client.price() if client else None, self._assumed())
            for protocol in plan.protocols:
                casting = castings[protocol.name]
                if client is not None and casting.needs_model and protocol.needs_vision:
                    protocol.refuse_blind(model.name, client.takes_pictures())
                chosen = client if casting.needs_model else None
                self._seats[model.name, protocol.name] = Seat(casting, chosen, estimator, versions)

    def of(self, unit: Unit) -> Seat:
        """The seat that plays a unit."""
        return self._seats[unit.model.name, unit.protocol.name]

    def estimator(self, model: str) -> Estimator:
        """What calls to a model count."""
        return next(seat.estimator for (name, _), seat in self._seats.items() if name == model)

    def _assumed(self) -> Price:
        usd = self._config.assumed_usd_per_million
        return Price(usd, usd)

    def _client(self, model: ModelConfig, castings: dict[str, Casting]) -> ModelClient | None:
        if not any(casting.needs_model for casting in castings.values()):
            return None
        client = ModelClient(
            self._endpoint(model), self._config.retry.policy(), self._stop, self._pictures.named
        )
        if "/" not in client.endpoint.model and client.takes_pictures() is None:
            raise UnknownName("agent or model", model.name, AGENTS.names())
        client.check()
        return client

    def _endpoint(self, model: ModelConfig) -> Endpoint:
        name = model.model or model.name
        temperature = model.temperature if model.temperature is not None else self._config.temperature
        if name.startswith(PREFIX):
            server = self._servers[model.name] = start_local_model(name)
            return server.endpoint(model.name, temperature, model.max_output_tokens)
        prices = model.input_usd_per_million, model.output_usd_per_million
        return Endpoint(
            name=model.name, model=name, api_base=model.api_base or self._config.api_base,
            api_key=self._key(model, self._config), temperature=temperature, params=model.params,
            price=None if prices[0] is None or prices[1] is None else Price(prices[0], prices[1]),
            vision=model.vision, max_output_tokens=model.max_output_tokens,
        )  # fmt: skip

    @staticmethod
    def _key(model: ModelConfig, config: RunConfig) -> str | None:
        """The key from the environment. A server on this machine needs none, but its client wants one."""
        if name := model.api_key_env or config.api_key_env:
            if not (key := os.environ.get(name)):
                raise ConfigError(f"environment variable {name} (api_key_env) is not set; put the key there")
            return key
        base = model.api_base or config.api_base
        local = base is not None and urlsplit(base).hostname in {"127.0.0.1", "localhost", "::1"}
        return "unused" if local and "OPENAI_API_KEY" not in os.environ else None
