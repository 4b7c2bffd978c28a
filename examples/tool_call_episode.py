"""A scripted episode with native tool calls: look, measure, edit, compare with the start, hand in.

    python examples/tool_call_episode.py [--protocol interactive-raster]

Each message below is what a model with tool calls would send: several calls in one message run in order. Three
of the seven defects are repaired, so the episode ends with a partial score; the others are left to you.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from vbench_env import Episode, load_task

Calls = list[tuple[str, dict[str, Any]]]

SCRIPT: list[tuple[str, Calls]] = [
    (
        "First I look at the lighthouse and at the row of bollards.",
        [
            ("list_objects", {"object": "lighthouse"}),
            ("measure", {"object": "second-bollard", "other": "fourth-bollard"}),
            ("measure", {"object": "lantern", "other": "plaster"}),
        ],
    ),
    (
        "The lamp house is 26 units too far to the right.",
        [
            ("move", {"object": "lantern", "dx": -26, "dy": 0}),
            ("measure", {"object": "lantern", "other": "plaster"}),
        ],
    ),
    (
        "The missing bollard belongs half-way between the second and the fourth.",
        [
            ("duplicate_element", {"object": "second-bollard", "new_id": "third-bollard"}),
            ("move", {"object": "third-bollard", "dx": 132, "dy": 0}),
        ],
    ),
    (
        "Now the sign. My first try names an object that is not there; nothing happens to the drawing.",
        [
            ("set_text", {"object": "sign-botom", "text": "MARKET"}),
            ("set_text", {"object": "sign-bottom", "text": "MARKET"}),
        ],
    ),
    ("A last look at what I changed.", [("diff", {}), ("validate", {}), ("submit", {})]),
]


def message(turn: int, content: str, calls: Calls) -> dict[str, Any]:
    """An assistant message in OpenAI form."""
    made = [
        {
            "id": f"call_{turn}_{n}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(args)},
        }
        for n, (name, args) in enumerate(calls)
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted episode with native tool calls.")
    parser.add_argument("--task", default="harbor-dawn")
    parser.add_argument("--protocol", default="interactive-text")
    options = parser.parse_args()
    episode = Episode(load_task(options.task), options.protocol)
    print(f"{episode!r}\n\n{episode.observe().instruction}\n")
    for turn, (content, calls) in enumerate(SCRIPT, 1):
        step = episode.step(message(turn, content, calls))
        print(f"--- turn {turn}: {content}")
        answers = [said for said in step.info["messages"] if said["role"] == "tool"]
        for (name, args), answer in zip(calls, answers, strict=True):
            print(f"{name}({', '.join(f'{key}={value!r}' for key, value in args.items())})")
            print("    " + answer["content"].replace("\n", "\n    "))
    score = step.info["score"]
    print(f"\nreward {step.reward}: {score['status']}, {score['edit_completion']:.0%} of the repairs")
    for repair in score["repairs"]:
        print(
            f"  {'repaired' if repair['passed'] else 'left    '}  {repair['object']}: {repair['operation']}"
        )


if __name__ == "__main__":
    main()
