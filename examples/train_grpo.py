"""Train a language model to repair drawings: TRL's GRPO on generated tasks, tool calls and all.

    pip install "vbench-env[trl]" torch
    python examples/train_grpo.py --smoke                                  # a minute on a CPU
    accelerate launch examples/train_grpo.py --model Qwen/Qwen3-4B --tasks 2000 --level 1 --out grpo

The environment class gives the model the tools of a protocol; the reward of a rollout is that of its episode.
`--smoke` makes a tiny model on the spot, which knows four tool calls by heart and has to find out which of them
repairs the drawing: no download, and the mean reward rises within a few steps.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from vbench_env.generate.corpus import Order, Tally, generate_many, write_folder
from vbench_env.integrations.trl import environment_class, rows

TOOLS = """
extends: interactive-text
tools: [list_objects, get_element, measure, set_attribute, set_style, set_text, move, scale, rotate, set_points,
        insert_element, delete_element, duplicate_element, reorder_element, undo, submit]
"""
"""A protocol with the tools that a small model needs; fewer tools make shorter prompts."""
SMOKE_TOOLS = "extends: interactive-text\ntools: [set_attribute, submit]\nprompts: {system: Repair it.}\n"
SUN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
    '<circle id="sun" cx="20" cy="20" r="9" fill="%s"/></svg>'
)


def train(model: Any, tokenizer: Any, corpus: Path, protocol: Path, args: GRPOConfig) -> GRPOTrainer:
    """A trainer that has trained on the tasks of a corpus."""
    environment = environment_class(corpus=str(corpus), protocol=str(protocol), reward="progress")
    trainer = GRPOTrainer(
        model=model, processing_class=tokenizer, environment_factory=environment, args=args,
        train_dataset=Dataset.from_list(rows(environment)),
    )  # fmt: skip
    trainer.train()
    return trainer


def run(model: str, level: int, tasks: int, steps: int, out: Path) -> None:
    """Train a model of a hub or folder on generated tasks; wants a GPU."""
    corpus, protocol = out / "tasks", out / "protocol.yaml"
    write_folder(generate_many(Order(tasks, seed=1, level=level, split="train"), Tally()), corpus)
    protocol.write_text(TOOLS, encoding="utf-8")
    args = GRPOConfig(
        output_dir=str(out / "checkpoints"), max_steps=steps, per_device_train_batch_size=8, num_generations=8,
        gradient_accumulation_steps=4, learning_rate=1e-6, max_completion_length=4096, max_tool_calling_iterations=12,
        gradient_checkpointing=True, bf16=True, use_vllm=True, vllm_mode="colocate", logging_steps=1, save_steps=50,
    )  # fmt: skip
    train(model, None, corpus, protocol, args).save_model(str(out / "model"))


def smoke(steps: int, out: Path) -> list[float]:
    """Mean reward of each step of the tiny model on one tiny task."""
    corpus, protocol = out / "tasks", out / "protocol.yaml"
    corpus.mkdir(parents=True)
    (corpus / "sunny.json").write_text(json.dumps(tiny_task()), encoding="utf-8")
    protocol.write_text(SMOKE_TOOLS, encoding="utf-8")
    paints = [
        {"object": "sun", "name": "fill", "value": value} for value in ("#f39c12", "#2c3e50", "#8e44ad")
    ]
    calls = [*(call_text("set_attribute", paint) for paint in paints), call_text("submit", {})]
    tokenizer = tiny_tokenizer(calls)
    args = GRPOConfig(
        output_dir=str(out / "checkpoints"), max_steps=steps, per_device_train_batch_size=8, num_generations=8,
        learning_rate=0.3, max_completion_length=400, max_tool_calling_iterations=1, use_cpu=True, bf16=False,
        report_to=[], logging_steps=1, save_strategy="no", seed=1, disable_tqdm=True,
    )  # fmt: skip
    trainer = train(tiny_model(tokenizer, calls), tokenizer, corpus, protocol, args)
    return [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]


def tiny_task() -> dict[str, Any]:
    """A task short enough for tokens that are bytes."""
    return {
        "task_id": "sunny", "instruction": "Make the sun orange, #f39c12.", "initial_svg": SUN % "#95a5a6",
        "target_svg": SUN % "#f39c12", "should_preserve": [],
        "expected_diff": [{"part": "sun", "attribute": "fill", "before": "#95a5a6", "after": "#f39c12"}],
    }  # fmt: skip


def call_text(name: str, arguments: dict[str, Any]) -> str:
    """A tool call in Qwen's form."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def tiny_tokenizer(calls: list[str]) -> PreTrainedTokenizerFast:
    """Bytes, the marks of a chat, and each call as one token."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE({char: number for number, char in enumerate(alphabet)}, []))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    marks = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
    bare.add_tokens([AddedToken(mark, special=True, normalized=False) for mark in marks])
    bare.add_tokens([AddedToken(call, special=False, normalized=False) for call in calls])
    template = (files("trl") / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
    return PreTrainedTokenizerFast(
        tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=template,
        model_max_length=32_768,
    )  # fmt: skip


def tiny_model(tokenizer: PreTrainedTokenizerFast, calls: list[str]) -> Qwen3ForCausalLM:
    """One layer; after a newline, where an answer begins, it says one of the calls, then ends its message."""
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer), hidden_size=64, intermediate_size=16, num_hidden_layers=1,
            num_attention_heads=1, num_key_value_heads=1, head_dim=8, max_position_embeddings=32_768,
            tie_word_embeddings=False, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
        )
    )  # fmt: skip
    (newline,) = tokenizer.encode("\n", add_special_tokens=False)
    known, axes = [tokenizer.convert_tokens_to_ids(call) for call in calls], torch.eye(64)
    model.model.requires_grad_(False)
    with torch.no_grad():
        model.model.layers[0].self_attn.o_proj.weight.zero_()
        model.model.layers[0].mlp.down_proj.weight.zero_()
        model.lm_head.weight.zero_()
        model.model.embed_tokens.weight[newline] = axes[0]
        model.model.embed_tokens.weight[known] = axes[1]
        model.lm_head.weight[known, 0] = 3.0
        model.lm_head.weight[tokenizer.eos_token_id, 1] = 3.0
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--smoke", action="store_true", help="a tiny model made on the spot, on the CPU")
    parser.add_argument(
        "--model", default="Qwen/Qwen3-4B", help="a chat model that knows tools: name or folder"
    )
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=None)
    parser.add_argument("--out", type=Path, default=Path("grpo"))
    args = parser.parse_args()
    if args.smoke:
        with tempfile.TemporaryDirectory() as folder:
            rewards = smoke(args.steps or 6, Path(folder))
        print("mean reward of each step:", " ".join(f"{reward:.2f}" for reward in rewards))
    else:
        args.out.mkdir(parents=True, exist_ok=True)
        run(args.model, args.level, args.tasks, args.steps or 300, args.out)


if __name__ == "__main__":
    main()
