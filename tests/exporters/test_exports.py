"""Data sets and trajectories out of a run, read back with what reads them elsewhere."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from vbench_env import ConfigError, load_corpus, load_protocol
from vbench_env.experiments.config import make_config
from vbench_env.experiments.runner import run as play
from vbench_env.experiments.store import RunFolder
from vbench_env.exporters.atif import write_trajectories
from vbench_env.exporters.rows import COLUMNS, chats, conversation, preferences, prompts, trajectories
from vbench_env.exporters.sinks import write_rows

TASKS = ["harbor-dawn", "city-climate"]
PROTOCOLS = ["interactive-raster", "interactive-text", "single-shot"]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> RunFolder:
    folder = tmp_path_factory.mktemp("runs") / "run"
    settings = {
        "corpus": "vbench-40",
        "tasks": TASKS,
        "models": ["oracle", "noop"],
        "protocols": PROTOCOLS,
        "workers": 0,
    }
    assert play(make_config(settings), folder).complete
    return RunFolder(folder)


def parts(messages, kind):
    return [p for m in messages if isinstance(m["content"], list) for p in m["content"] if p["type"] == kind]


def test_every_scored_episode_is_a_trajectory_with_its_verdict(run):
    rows = [row.data for row in trajectories(run)]
    assert len(rows) == len(TASKS) * len(PROTOCOLS) * 2
    assert {row["reward"] for row in rows if row["model"] == "oracle"} == {1.0}
    assert {row["status"] for row in rows if row["model"] == "noop"} == {"FAIL"}
    for row in rows:
        assert [message["role"] for message in row["messages"][:3]] == ["system", "user", "assistant"]
        assert bool(row["tools"]) == (row["protocol"] != "single-shot")
        assert set(row) <= set(COLUMNS)


def test_arguments_are_objects_and_pictures_stand_apart_in_order(run):
    for row in trajectories(run):
        calls = [call for m in row.data["messages"] for call in m.get("tool_calls", [])]
        assert all(isinstance(call["function"]["arguments"], dict) for call in calls)
        images = row.images["images"]
        assert len(parts(row.data["messages"], "image")) == len(images)
        assert all(png.startswith(b"\x89PNG") for png in images)
        assert bool(images) == (row.data["protocol"] == "interactive-raster")
        assert not parts(row.data["messages"], "image_url")


@pytest.mark.parametrize(
    "sent",
    [
        '{"dx": NaN}',
        '{"dx": 1e999}',
        '{"text": "\\ud800", "\\udfff": [{"a": "\\ud800"}]}',
        '{"calls": ' + "[" * 900 + "]" * 900 + "}",
        '{"calls": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"steps": ' + "9" * 5000 + "}",
        "[1]",
        "null",
        "no JSON",
    ],
)
def test_arguments_that_no_format_holds_become_an_object_that_every_one_does(sent):
    call = {"id": "c", "type": "function", "function": {"name": "move", "arguments": sent}}
    (message,), _ = conversation([{"role": "assistant", "content": None, "tool_calls": [call]}], None)
    arguments = message["tool_calls"][0]["function"]["arguments"]
    assert isinstance(arguments, dict) and arguments
    json.dumps(message, allow_nan=False, ensure_ascii=False).encode("utf-8")
    assert ("unreadable" in arguments) == ("text" not in sent)


def test_chats_are_those_of_episodes_that_passed(run):
    rows = [row.data for row in chats(run)]
    assert {row["model"] for row in rows} == {"oracle"} and len(rows) == len(TASKS) * len(PROTOCOLS)
    assert all(row["messages"][-1]["role"] in {"assistant", "tool"} for row in rows)


def test_preferences_pair_episodes_of_one_task_that_went_differently_far(run):
    rows = [row.data for row in preferences(run)]
    assert len(rows) == len(TASKS) * len(PROTOCOLS)
    for row in rows:
        assert (row["chosen_model"], row["rejected_model"]) == ("oracle", "noop")
        assert row["chosen_progress"] > row["rejected_progress"]
        assert row["prompt"][-1]["role"] == "user"
        assert row["chosen"][0]["role"] == row["rejected"][0]["role"] == "assistant"
        assert "messages" not in row


def test_prompts_are_what_an_episode_says_first():
    corpus = load_corpus("vbench-40")
    rows = list(prompts(corpus[:2], load_protocol("single-shot-raster"), samples=2))
    assert [row.data["seed"] for row in rows] == [0, 1, 0, 1]
    assert corpus[0].instruction in parts(rows[0].data["prompt"], "text")[0]["text"]
    assert len(rows[0].images["images"]) == 1
    assert corpus[0].target_svg not in json.dumps(rows[0].data)


def test_json_lines_keep_pictures_beside_them(run, tmp_path):
    path = tmp_path / "sets" / "all.jsonl"
    assert write_rows(trajectories(run), path) == 12
    rows = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    named = {name for row in rows for name in row["images"]}
    assert named and all((path.parent / name).read_bytes().startswith(b"\x89PNG") for name in named)
    assert {item.name for item in path.parent.iterdir()} == {"all.jsonl", "images"}


def test_nothing_to_export_and_other_endings_are_refused(run, tmp_path):
    with pytest.raises(ConfigError, match="nothing to export"):
        write_rows([], tmp_path / "none.jsonl")
    with pytest.raises(ConfigError, match=r"name a \.jsonl or \.parquet"):
        write_rows(trajectories(run), tmp_path / "rows.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("made", [trajectories, chats, preferences])
def test_parquet_and_json_lines_hold_the_same(run, tmp_path, made):
    datasets = pytest.importorskip(
        "datasets", reason="datasets is not installed; pip install 'vbench-env[datasets]'"
    )
    for ending in ("parquet", "jsonl"):
        write_rows(made(run), tmp_path / f"rows.{ending}")
    loaded = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "rows.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="ascii").splitlines()]
    assert loaded.num_rows == len(lines)
    for row, line in zip(loaded, lines, strict=True):
        for name, value in line.items():
            if COLUMNS[name] == "images":
                stored = [datasets.Image().encode_example(str(tmp_path / picture)) for picture in value]
                assert len(row[name]) == len(stored)
                assert all(picture.size == (512, 512) for picture in row[name])
            else:
                assert row[name] == value, name


def test_a_trajectory_follows_the_interchange_format(run, tmp_path):
    assert write_trajectories(run, tmp_path) == 12
    made = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(tmp_path.glob("*.json"))]
    for one in made:
        assert one["schema_version"] == "ATIF-v1.7"
        assert [step["step_id"] for step in one["steps"]] == list(range(1, len(one["steps"]) + 1))
        for step in one["steps"]:
            called = {call["tool_call_id"] for call in step.get("tool_calls", [])}
            answered = [
                result["source_call_id"] for result in step.get("observation", {"results": []})["results"]
            ]
            assert set(answered) <= called
            for part in step["message"] if isinstance(step["message"], list) else []:
                if part["type"] == "image":
                    assert (tmp_path / part["source"]["path"]).is_file()
        assert "null" not in json.dumps(one["steps"])
    assert {one["final_metrics"]["extra"]["reward"] for one in made} == {0, 1}


def test_harbors_own_model_reads_the_trajectories(run, tmp_path):
    reason = "harbor is not installed (it needs Python 3.12)"
    harbor = pytest.importorskip("harbor.models.trajectories", reason=reason)
    write_trajectories(run, tmp_path)
    read = [harbor.Trajectory.model_validate_json(path.read_bytes()) for path in tmp_path.glob("*.json")]
    assert sum(one.has_multimodal_content() for one in read) == 4


def test_a_stored_picture_is_found_by_its_name_alone(run):
    url = "data:image/png;base64," + base64.b64encode(b"\x89PNG inline").decode()
    inline = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]
    assert conversation(inline, run.path)[1] == [b"\x89PNG inline"]
    outside = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "../../secret.png"}}]}]
    assert conversation(outside, Path("/"))[1] == [b""]
