from __future__ import annotations

import inspect
import io
import json
from functools import partial
from importlib.util import find_spec

import pytest
from adapter_players import digests
from episode_scripts import Ending, Script
from page_blocks import block

from vbench_env import ConfigError, UnknownName
from vbench_env.integrations.trl import environment_class, rows
from vbench_env.tools import openai_tools

FAST = {"corpus": "vbench-40", "protocol": "interactive-text"}


def play(script: Script) -> Ending:
    """As TRL does: methods by name with keyword arguments, then `get_reward`."""
    environment = environment_class(script.config)()
    shown = [environment.reset(prompt=[], task=script.task, seed=script.seed, index=None, other="ignored")]
    for tool, args in script.calls():
        shown.append(getattr(environment, tool)(**args))
    reward = environment.get_reward()
    assert reward is not None
    parts = [part for content in shown if isinstance(content, list) for part in content]
    pictures = [_png(part["image"]) for part in parts if part["type"] == "image"]
    return Ending(reward, environment.session.outcome().final_svg or "", digests(pictures))


def _png(picture) -> bytes:
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def environment():
    return environment_class(**FAST)


def public_functions(cls) -> set[str]:
    return {name for name, _ in inspect.getmembers(cls, inspect.isfunction) if not name.startswith("_")}


def test_the_public_functions_are_the_tools_of_the_protocol_and_no_more(environment):
    tools = {tool["function"]["name"] for tool in openai_tools(environment.source.protocol.tools)}
    assert public_functions(environment) == tools | {"reset", "get_reward"}


def test_every_tool_has_types_and_a_google_docstring(environment):
    for tool in openai_tools(environment.source.protocol.tools):
        name, schema = tool["function"]["name"], tool["function"]["parameters"]
        method = getattr(environment, name)
        parameters = dict(list(inspect.signature(method).parameters.items())[1:])
        assert list(parameters) == list(schema["properties"])
        assert set(schema.get("required", [])) == {
            key for key, value in parameters.items() if value.default is inspect.Parameter.empty
        }
        assert all(value.annotation is not inspect.Parameter.empty for value in parameters.values())
        assert (method.__doc__ or "").startswith(tool["function"]["description"])
        assert all(f"    {key}: " in (method.__doc__ or "") for key in parameters)


def test_wrong_arguments_are_observations(environment):
    played = environment()
    played.reset(task="harbor-dawn")
    assert "bad_arguments" in played.set_text(objekt="sign-bottom")
    assert "bad_arguments" in played.submit(now=True)
    assert not played.session.done


def test_calls_after_the_end_say_that_the_episode_is_over(environment):
    played = environment()
    played.reset(task="harbor-dawn")
    played.submit()
    assert "over" in played.submit()
    assert played.get_reward() == 0


def test_a_row_names_its_task_by_id_index_or_seed(environment):
    played = environment()
    by_id = played.reset(task=environment.source.tasks[2].task_id, prompt=[])
    assert played.reset(index=2, task=None) == by_id
    assert isinstance(played.reset(seed=5), str)
    with pytest.raises(ConfigError, match="say which task"):
        played.reset(prompt=[])
    with pytest.raises(UnknownName, match="did you mean"):
        played.reset(task="harbor-down")


def test_rows_are_one_prompt_for_each_task_and_sample(environment):
    made = rows(environment, samples=2)
    assert len(made) == 2 * len(environment.source.tasks)
    assert [message["role"] for message in made[0]["prompt"]] == ["system", "user"]
    assert {row["seed"] for row in made} == {0, 1}


def test_a_protocol_without_native_calls_is_refused():
    with pytest.raises(ConfigError, match="TRL plays tool calls"):
        environment_class(protocol="single-shot")


needs_trl = pytest.mark.skipif(
    find_spec("trl") is None, reason="trl is not installed; pip install 'vbench-env[trl]' torch"
)


@needs_trl
def test_transformers_reads_the_schemas(environment):
    from transformers.utils import get_json_schema

    played = environment()
    for tool in openai_tools(environment.source.protocol.tools):
        function = tool["function"]
        read = get_json_schema(getattr(played, function["name"]))["function"]
        assert read["description"] == function["description"]
        assert list(read["parameters"]["properties"]) == list(function["parameters"]["properties"])
        assert read["parameters"].get("required", []) == function["parameters"].get("required", [])
        for name, info in function["parameters"]["properties"].items():
            assert read["parameters"]["properties"][name]["description"] == " ".join(
                info["description"].split()
            )


@needs_trl
def test_grpo_trains_two_steps_on_rewards_of_episodes(tmp_path):
    import torch
    from datasets import Dataset
    from tiny_model import call_text, make_model, make_tokenizer
    from trl import GRPOConfig, GRPOTrainer

    environment = environment_class(
        corpus=str(tiny_corpus(tmp_path)), protocol=str(tiny_protocol(tmp_path)), reward="progress"
    )
    calls = [
        call_text("set_attribute", {"object": "sun", "name": "fill", "value": "#f39c12"}),
        call_text("set_attribute", {"object": "moon", "name": "fill", "value": "#f39c12"}),
        call_text("submit", {}),
    ]
    tokenizer = make_tokenizer(calls)
    model = make_model(tokenizer, calls)
    before = model.lm_head.weight.detach().clone()
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows(environment, samples=2)),
        environment_factory=environment,
        args=GRPOConfig(
            output_dir=str(tmp_path / "out"), max_steps=2, per_device_train_batch_size=4, num_generations=4,
            max_completion_length=2000, max_tool_calling_iterations=4, learning_rate=0.05, use_cpu=True,
            report_to=[], logging_steps=1, save_strategy="no", seed=1, disable_tqdm=True, bf16=False,
        ),
    )  # fmt: skip
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "rewards/SvgRepair/mean" in entry]
    assert len(logged) == 2
    assert all(0 <= entry["rewards/SvgRepair/mean"] <= 1 for entry in logged)
    assert any(entry["rewards/SvgRepair/std"] > 0 for entry in logged)
    assert sum(entry["tools/call_frequency"] for entry in logged) > 0
    assert all(entry["tools/failure_frequency"] == 0 for entry in logged)
    assert not torch.equal(model.lm_head.weight, before)
    ended = [played.session.outcome() for played in trainer.environments]
    assert {outcome.task_id for outcome in ended} == {"sunny"}
    assert {outcome.reward for outcome in ended} <= {0.0, 1.0}


@needs_trl
def test_the_trainer_of_the_page_is_one_that_there_is(environment, tmp_path):
    """As written, with TRL's own settings and a trainer that takes what TRL's takes and trains nothing."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    made: dict[str, object] = {}

    class Trainer:
        def __init__(self, *args, **given):
            made.update(inspect.signature(GRPOTrainer).bind(*args, **given).arguments)

        def train(self):
            made["trained"] = True

    names = {
        "GRPOTrainer": Trainer, "Dataset": Dataset, "SvgRepair": environment, "rows": rows,
        "GRPOConfig": partial(GRPOConfig, output_dir=str(tmp_path), use_cpu=True, bf16=False),
    }  # fmt: skip
    exec(compile(block("TRL", "py"), "docs/integrations.md", "exec"), names)
    assert made["trained"] and made["environment_factory"] is environment
    assert len(made["train_dataset"]) == len(environment.source.tasks)


def tiny_corpus(folder):
    """One task in the published layout, small enough for tokens that are bytes."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
        '<circle id="sun" cx="20" cy="20" r="9" fill="{}"/></svg>'
    )
    task = {
        "task_id": "sunny", "instruction": "Make the sun orange, #f39c12.", "initial_svg": svg.format("#95a5a6"),
        "target_svg": svg.format("#f39c12"), "should_preserve": [],
        "expected_diff": [{"part": "sun", "attribute": "fill", "before": "#95a5a6", "after": "#f39c12"}],
    }  # fmt: skip
    corpus = folder / "tiny"
    corpus.mkdir()
    (corpus / "sunny.json").write_text(json.dumps(task), encoding="utf-8")
    return corpus


def tiny_protocol(folder):
    path = folder / "two-tools.yaml"
    path.write_text(
        "extends: interactive-text\ntools: [set_attribute, submit]\nprompts: {system: Repair it.}\n"
    )
    return path
