"""Inspect evaluates the task with a scripted model, and reads the logs made of a run."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed; pip install 'vbench-env[inspect]'")

from adapter_players import digests, variables
from episode_scripts import CORPUS, Ending, Script, config, oracle_calls
from inspect_ai import eval as evaluate
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from page_blocks import block

from tests.fake_openai import FakeOpenAI, Reply
from vbench_env import VBenchError, load_task
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run as play_run
from vbench_env.experiments.store import RunFolder
from vbench_env.integrations.inspect import OUTCOME, messages_of, reply_of, tool_infos, vbench
from vbench_env.integrations.session import Source, png_of


def outputs(calls) -> list[ModelOutput]:
    return [ModelOutput.for_tool_call("mockllm/model", name, args) for name, args in calls]


def evaluated(tmp_path, said, sample="harbor-dawn", **settings):
    for output in said:  # the stand-in fetches a tokenizer to count them itself
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=said)
    (log,) = evaluate(
        vbench(corpus=CORPUS, **settings), model=model, log_dir=str(tmp_path), display="none", sample_id=sample,
        max_samples=1, score_display=False,
    )  # fmt: skip
    return read_eval_log(log.location, resolve_attachments=True)


def play(script: Script) -> Ending:
    """Inspect's own runner with a model that says the script."""
    import tempfile

    settings = script.config.model_dump(exclude={"corpus"})
    with tempfile.TemporaryDirectory() as folder:
        log = evaluated(folder, outputs(script.calls()), script.task, seed=script.seed, **settings)
    assert log.status == "success", log.error
    (sample,) = log.samples
    images = [
        part.image for message in sample.messages if isinstance(message.content, list)
        for part in message.content if part.type == "image"
    ]  # fmt: skip
    outcome = sample.store[OUTCOME]
    assert sample.scores["gates"].value["reward"] == outcome["reward"]
    return Ending(outcome["reward"], outcome["final_svg"], digests(png_of(image) for image in images))


def test_scores_are_the_gates_and_epochs_repeat_them(tmp_path):
    log = evaluated(tmp_path, outputs(oracle_calls("harbor-dawn")) * 2, epochs=2)
    assert log.status == "success" and len(log.samples) == 2
    assert log.samples[0].scores["gates"].value == dict.fromkeys(
        ("reward", "valid", "repaired", "preserved", "edit_completion"), 1.0
    )
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert means["reward"] == means["repaired"] == 1


def test_single_shot_protocols_are_played_and_scored(tmp_path):
    target = load_task("harbor-dawn").target_svg
    log = evaluated(
        tmp_path, [ModelOutput.from_content("mockllm/model", target)], protocol="single-shot-raster"
    )
    assert log.samples[0].scores["gates"].value["reward"] == 1


def test_a_failed_gate_is_explained(tmp_path):
    log = evaluated(tmp_path, outputs([("delete_element", {"object": "lantern"}), ("submit", {})]))
    score = log.samples[0].scores["gates"]
    assert score.value["preserved"] == 0 and score.value["valid"] == 1
    assert "changed besides" in score.explanation and "not repaired" in score.explanation


def test_messages_without_calls_and_broken_ones_are_turns_with_an_observation(tmp_path):
    broken = ModelOutput.for_tool_call("mockllm/model", "set_text", {})
    broken.message.tool_calls = [ToolCall(id="x", function="set_text", arguments={}, parse_error="not JSON")]
    said = [
        ModelOutput.from_content("mockllm/model", "I think about it."),
        broken,
        *outputs([("submit", {})]),
    ]
    log = evaluated(tmp_path, said)
    texts = [message.text for message in log.samples[0].messages]
    assert any("no_action" in text for text in texts) and any("bad_arguments" in text for text in texts)
    assert log.samples[0].store[OUTCOME]["turns"] == 3


def test_an_answer_that_was_cut_off_is_not_run():
    output = ModelOutput.for_tool_call("mockllm/model", "submit", {})
    output.choices[0].stop_reason = "max_tokens"
    assert reply_of(output)["finish_reason"] == "length"


def test_schemas_have_no_references_left():
    for info in tool_infos(Source(config()).tools):
        assert "$ref" not in json.dumps(info.model_dump(mode="json"))
    (batch,) = [info for info in tool_infos(Source(config()).tools) if info.name == "batch"]
    assert "tool" in batch.parameters.properties["calls"].items.properties


def test_a_run_becomes_logs_with_pictures_and_scores(tmp_path):
    from vbench_env.exporters.inspect_log import write_logs

    settings = {
        "corpus": CORPUS,
        "models": ["oracle", "noop"],
        "protocols": ["interactive-raster"],
        "workers": 0,
    }
    assert play_run(make_config(settings), tmp_path / "run").complete
    paths = write_logs(RunFolder(tmp_path / "run"), tmp_path / "logs")
    assert sorted(path.name for path in paths) == [
        "noop_interactive-raster.eval",
        "oracle_interactive-raster.eval",
    ]
    log = read_eval_log(str(paths[0]), resolve_attachments=True)
    assert log.status == "success" and {sample.id for sample in log.samples} == {
        "harbor-dawn",
        "city-climate",
    }
    for sample in log.samples:
        images = [
            p for m in sample.messages if isinstance(m.content, list) for p in m.content if p.type == "image"
        ]
        assert images and all(png_of(image.image).startswith(b"\x89PNG") for image in images)
    rewards = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert rewards["reward"] == (1 if "oracle" in paths[0].name else 0)


@pytest.mark.parametrize("sent", ["null", "[1]", '{"dx": NaN}', '{"a": ' + "[" * 900 + "]" * 900 + "}"])
def test_arguments_that_a_log_cannot_hold_are_kept_as_text(sent):
    call = {"id": "c", "type": "function", "function": {"name": "move", "arguments": sent}}
    (message,) = messages_of([{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert message.tool_calls[0].arguments == {"unreadable": sent}


def test_messages_keep_their_order_and_names():
    call = {"id": "c", "type": "function", "function": {"name": "diff", "arguments": "{}"}}
    made = messages_of([
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "nothing"},
    ])  # fmt: skip
    assert made[1].function == "diff" and made[0].tool_calls[0].function == "diff"


def test_the_command_of_the_page_evaluates_a_model_at_an_endpoint(tmp_path):
    """As written, with an endpoint of ours in the place of the model and one sample."""
    call = [{"id": "c", "type": "function", "function": {"name": "submit", "arguments": "{}"}}]
    command = shlex.split(block("Inspect", "sh").replace("openai/gpt-5", "openai-api/local/m"))
    command[0] = str(Path(sys.executable).parent / command[0])
    more = ["--limit", "1", "--display", "none", "--log-dir", str(tmp_path / "logs")]
    with FakeOpenAI(Reply(content=None, tool_calls=call, finish_reason="tool_calls")) as endpoint:
        environment = {**variables(), "LOCAL_BASE_URL": endpoint.base_url, "LOCAL_API_KEY": "none"}
        done = subprocess.run(
            [*command, *more], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        bodies = [arrived.body for arrived in endpoint.arrived]
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (tmp_path / "logs").glob("*.eval")
    log = read_eval_log(str(path))
    assert log.status == "success" and log.eval.task_args["protocol"] == "interactive-raster"
    assert len(bodies) == log.eval.config.epochs == 3
    parts = [
        part
        for message in bodies[0]["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    assert [part["type"] for part in parts].count("image_url") == 1
    hidden = load_task(log.samples[0].id).target_svg
    assert not any(hidden in json.dumps(body, ensure_ascii=False) for body in bodies)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"protocol": "interactive"}, "unknown protocol"),
        ({"protocol": 5}, "protocol"),
        ({"corpus": "vbench"}, "unknown corpus"),
        ({"split": "dev"}, "split must be"),
        ({"max_turns": "many"}, "max_turns"),
    ],
)
def test_arguments_of_the_task_that_do_not_fit_are_refused_with_the_reason(wrong, told):
    with pytest.raises(VBenchError, match=told):
        vbench(**wrong)
