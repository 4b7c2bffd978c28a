"""What a run is: tasks, models, protocols, samples, limits. Plain data that enters from files and commands.

`settings` of a run decide its results and must stay the same when it is resumed; how fast and how far it goes
(concurrency, retries, budgets of the whole run) may change.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from vbench_env.errors import ConfigError, UnknownName
from vbench_env.experiments.endpoint import RetryPolicy
from vbench_env.experiments.redaction import looks_secret, public_url

_SECRET_PARAMS = frozenset({"extra_headers", "headers", "default_headers"})


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelConfig(_Data):
    """One model or agent. A plain name in a configuration stands for `{name: NAME}`."""

    name: str
    """An agent (`noop`, `oracle`, `heuristic`, ...), `local/smollm2`, or litellm's name (`openai/gpt-5`)."""
    agent: str | None = None
    """Agent that drives the model; None takes the one that fits the protocol."""
    model: str | None = None
    """litellm's name, where `name` is a label of your own."""
    api_base: str | None = None
    """Endpoint; None takes the run's."""
    api_key_env: str | None = None
    """Environment variable with the key; None takes the run's, else litellm looks in its usual places."""
    temperature: float | None = Field(default=None, ge=0)
    """None takes the run's."""
    params: dict[str, Any] = Field(default_factory=dict)
    """Further request parameters, such as `reasoning_effort`. No keys and no headers."""
    max_output_tokens: int | None = Field(default=None, gt=0)
    """Bound of one answer where the protocol grants more than the model can give."""
    input_usd_per_million: float | None = Field(default=None, ge=0)
    """Dollars per million input tokens; None asks the built-in price list."""
    output_usd_per_million: float | None = Field(default=None, ge=0)
    """Dollars per million output tokens."""
    vision: bool | None = None
    """Whether it takes pictures; None asks the built-in model list."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @field_validator("params")
    @classmethod
    def _no_secrets(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name in _keys(value):
            if name in _SECRET_PARAMS or looks_secret(name):
                advice = "name an environment variable in api_key_env instead"
                raise ValueError(f"{name} may hold a secret; {advice}")
        return value

    @model_validator(mode="after")
    def _both_prices(self) -> ModelConfig:
        if (self.input_usd_per_million is None) != (self.output_usd_per_million is None):
            raise ValueError("give input_usd_per_million and output_usd_per_million together")
        return self


class RunBudget(_Data):
    """When the whole run stops; what is in flight ends, what is left is owed."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    """Input and output tokens."""
    wall_s: float | None = Field(default=None, gt=0)


class EpisodeBudget(_Data):
    """When an episode stops; what it has then is scored."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    turns: int | None = Field(default=None, gt=0)
    """Assistant messages; None leaves it to the protocol."""
    wall_s: float | None = Field(default=None, gt=0)


class RetryConfig(_Data):
    """How long to insist on an answer."""

    attempts: int = Field(default=6, gt=0)
    timeout_s: float = Field(default=600, gt=0)
    """One attempt."""
    wall_s: float = Field(default=1800, gt=0)
    """All attempts of a call and the waits between."""
    backoff_s: float = Field(default=1, ge=0)
    longest_wait_s: float = Field(default=60, ge=0)

    def policy(self) -> RetryPolicy:
        return RetryPolicy(**self.model_dump())


class RunConfig(_Data):
    """A run, resolved: every combination of task, model, protocol and sample is one episode."""

    corpus: str
    """Name of a corpus, its folder, or a folder of published tasks."""
    tasks: tuple[str, ...] = ()
    """Ids to play; empty plays all."""
    models: tuple[ModelConfig, ...] = Field(min_length=1)
    protocols: tuple[str, ...] = Field(default=("single-shot",), min_length=1)
    """Names or files."""
    samples: int = Field(default=1, gt=0)
    """Episodes of each task, model, protocol and wording."""
    wordings: tuple[Literal["plain", "terse", "chatty"], ...] = Field(default=("plain",), min_length=1)
    """Wordings of the instruction; every task must have them all."""
    seed: int = 0
    """Every episode's seed is derived from it."""
    rules: Literal["published", "surgical"] | None = None
    """Rule set of the headline; None leaves it to the protocol. Both are kept."""
    temperature: float | None = Field(default=None, ge=0)
    """Left out of requests when None."""
    api_base: str | None = None
    """Endpoint of all models that name none."""
    api_key_env: str | None = None
    episode_budget: EpisodeBudget = EpisodeBudget()
    budget: RunBudget = RunBudget()
    assumed_usd_per_million: float = Field(default=60.0, gt=0)
    """Price that budgets assume for a token whose price nobody knows."""
    concurrency: int = Field(default=4, gt=0)
    """Episodes at once."""
    workers: int | None = Field(default=None, ge=0)
    """Processes that score and draw; None takes one for every core, 0 and 1 leave it to the run's own process."""
    executor: str | None = None
    """Where they are: `processes` or `inline`; None takes what fits the number of workers and the size of the run."""
    retry: RetryConfig = RetryConfig()
    give_up_after: int = Field(default=20, gt=0)
    """Failures of infrastructure in a row after which a model is left alone."""

    @field_validator("tasks", "protocols", "wordings")
    @classmethod
    def _distinct(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value))

    @model_validator(mode="after")
    def _distinct_models(self) -> RunConfig:
        names = [model.name for model in self.models]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"model {twice[0]!r} is listed twice; give each a name of its own (name, model)")
        return self

    def public(self) -> RunConfig:
        """The same without user, password and query in addresses."""
        models = [m.model_copy(update={"api_base": public_url(m.api_base)}) for m in self.models]
        return self.model_copy(update={"models": tuple(models), "api_base": public_url(self.api_base)})


_SETTINGS = ("samples", "seed", "rules", "temperature", "api_base", "episode_budget")
_FREE_TO_CHANGE = ("api_key_env", "input_usd_per_million", "output_usd_per_million")


def settings_of(config: RunConfig) -> dict[str, Any]:
    """What must not change between the parts of one run. Ports of this machine count as the same endpoint."""
    plain = config.public().model_dump(mode="json")
    chosen = {name: plain[name] for name in _SETTINGS} | {"models": {m["name"]: m for m in plain["models"]}}
    chosen["api_base"] = _without_local_port(chosen["api_base"])
    if config.wordings != ("plain",):
        chosen["wordings"] = plain["wordings"]
    for model in chosen["models"].values():
        model["api_base"] = _without_local_port(model["api_base"])
        for name in _FREE_TO_CHANGE:
            del model[name]
    return chosen


def _keys(value: Any) -> Iterator[str]:
    """Every key of nested data."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _keys(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _keys(item)


def _without_local_port(url: str | None) -> str | None:
    """A server on this machine often gets a new port when it is started again."""
    if url is None:
        return None
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    return parts._replace(netloc="localhost").geturl() if local else url


def make_config(data: Mapping[str, Any], origin: str = "run") -> RunConfig:
    """A validated configuration; `ConfigError` says which field is wrong."""
    try:
        return RunConfig.model_validate(dict(data))
    except ValidationError as error:
        lines = (f"{'.'.join(map(str, e['loc'])) or origin}: {_complaint(e)}" for e in error.errors())
        raise ConfigError(f"{origin} is not valid: {'; '.join(lines)}") from error


_PARTS: dict[str, type[BaseModel]] = {
    "models": ModelConfig, "budget": RunBudget, "episode_budget": EpisodeBudget, "retry": RetryConfig,
}  # fmt: skip


def _complaint(error: ErrorDetails) -> str:
    """What is wrong with a field; for one that there is not, which it may have been meant to be."""
    if error["type"] != "extra_forbidden":
        return error["msg"]
    *place, name = map(str, error["loc"])
    known = _PARTS.get(place[0], RunConfig) if place else RunConfig
    return str(UnknownName("field", name, known.model_fields))
