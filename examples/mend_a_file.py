"""A file that is not well-formed, mended through tools by the scripted agent.

    python examples/mend_a_file.py [--protocol interactive-text]

Tools that work on elements refuse such a document and say where it breaks; tools that work on its text go on until it
can be read. Then the drawing shows what else is wrong with it.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from vbench_agents.scripted import ScriptedAgent

from vbench_env import Episode, load_task
from vbench_env.agent import AgentTurn

SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("list_objects", {}),
    ("replace_text", {"find": 'fill="#b3322c transform', "replace": 'fill="#b3322c" transform'}),
    ("validate", {}),
    ("replace_text", {"find": "Ebb & Flood", "replace": "Ebb &amp; Flood"}),
    ("replace_text", {"find": "< 3 knots", "replace": "&lt; 3 knots"}),
    (
        "apply_patch",
        {
            "patch": "<<<<<<< SEARCH\n"
            '      <circle id="buoy-lamp" cy="-20" r="4" fill="#f2b632"/>\n'
            "  </g>\n"
            "=======\n"
            '      <circle id="buoy-lamp" cy="-20" r="4" fill="#f2b632"/>\n'
            "    </g>\n"
            "  </g>\n"
            ">>>>>>> REPLACE\n"
        },
    ),
    ("get_element", {"object": "sun"}),
    ("set_attribute", {"object": "sun", "name": "fill", "value": "#f2b632"}),
    ("submit", {}),
]
"""One call a turn: a look that is refused, the text until it can be read, then the drawing."""


def main() -> None:
    parser = argparse.ArgumentParser(description="A malformed file, mended through tools.")
    parser.add_argument("--protocol", default="interactive-text")
    options = parser.parse_args()
    task = load_task("vbench-kinds/tide-clock")
    episode = Episode(task, options.protocol)
    agent = ScriptedAgent(json.dumps({"tool": name, "args": args}) for name, args in SCRIPT)
    agent.reset(task.public, episode.protocol, 0)
    print(f"{task.instruction}\n")
    while not episode.done:
        turn = AgentTurn(episode.messages, episode.tools, episode.observe(), episode.turn + 1)
        step = episode.step(agent.act(turn).message())
        seen = step.observation
        print(f"{SCRIPT[seen.turn - 1][0]}: {seen.last_error}" if seen.last_error else seen.last_result)
    score = step.info["score"]
    print(f"\nreward {step.reward}: {score['status']}")
    for repair in score["repairs"]:
        print(f"  {repair['operation']} {repair['object']}: {'done' if repair['passed'] else 'missed'}")


if __name__ == "__main__":
    main()
