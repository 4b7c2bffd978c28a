"""A language model made on the spot: bytes as tokens, and a few whole tool calls as tokens that it likes to say.

Its attention and its feed-forward part are silenced, so that the next token depends on the last one only: after a
newline (where an answer begins) one of the calls, after a call the end of the message.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

END, PAD = "<|im_end|>", "<|endoftext|>"


def call_text(name: str, arguments: dict[str, Any]) -> str:
    """A tool call in Qwen's form."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def make_tokenizer(sayings: list[str]) -> PreTrainedTokenizerFast:
    """Bytes, the marks of a chat, and each saying as one token."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE({char: number for number, char in enumerate(alphabet)}, []))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    bare.add_tokens([AddedToken(mark, special=True, normalized=False) for mark in ("<|im_start|>", END, PAD)])
    bare.add_tokens([AddedToken(saying, special=False, normalized=False) for saying in sayings])
    template = (files("trl") / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
    return PreTrainedTokenizerFast(
        tokenizer_object=bare, eos_token=END, pad_token=PAD, chat_template=template, model_max_length=32_768
    )


def make_model(tokenizer: PreTrainedTokenizerFast, sayings: list[str]) -> Qwen3ForCausalLM:
    """Says one of `sayings` at the start of a message, each as likely, and ends the message."""
    torch.manual_seed(0)
    size = len(tokenizer)
    config = Qwen3Config(
        vocab_size=size, hidden_size=64, intermediate_size=16, num_hidden_layers=1, num_attention_heads=1,
        num_key_value_heads=1, head_dim=8, max_position_embeddings=32_768, tie_word_embeddings=False,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    model = Qwen3ForCausalLM(config)
    calls = [tokenizer.convert_tokens_to_ids(saying) for saying in sayings]
    (newline,) = tokenizer.encode("\n", add_special_tokens=False)
    with torch.no_grad():
        layer = model.model.layers[0]
        layer.self_attn.o_proj.weight.zero_()
        layer.mlp.down_proj.weight.zero_()
        embedding, head = model.model.embed_tokens.weight, model.lm_head.weight
        head.zero_()
        embedding[newline] = torch.nn.functional.one_hot(torch.tensor(0), 64)
        head[calls, 0] = 3.0
        for call in calls:
            embedding[call] = torch.nn.functional.one_hot(torch.tensor(1), 64)
        head[tokenizer.eos_token_id, 1] = 3.0
    return model
