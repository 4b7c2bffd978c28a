"""Small data sets of our own in the layouts of others."""

from __future__ import annotations

import json
from pathlib import Path

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">'
FACE = (
    HEAD
    + '<circle fill="#FFCC4D" cx="18" cy="18" r="18"/><ellipse fill="#664500" cx="12" cy="13" rx="2" ry="4"/>'
    '<ellipse fill="#664500" cx="24" cy="13" rx="2" ry="4"/><path fill="#664500" d="M10 24 Q18 30 26 24 Z"/></svg>'
)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def query(words: str, svg: str = FACE) -> str:
    return f"{words}\n\nSVG code:\n```svg\n{svg}\n```\n"


def svgeditbench(root: Path) -> Path:
    """Six folders of tasks, each with query and answer files."""
    answers = {
        "ChangeColor": FACE.replace("#FFCC4D", "#0000FF"),
        "SetContour": FACE.replace('r="18"', 'r="18" stroke="black" stroke-width="1"'),
        "UpsideDown": FACE.replace(HEAD, HEAD + '<g transform="rotate(180 18 18)">').replace("</svg>", "</g></svg>"),
        "Transparency": FACE.replace('r="18"', 'r="18" opacity="0.5"'),
        "CropToHalf": FACE.replace("0 0 36 36", "0 0 18 36"),
        "Compression": FACE,
    }  # fmt: skip
    files: dict[str, str] = {}
    for name, answer in answers.items():
        files[f"{name}/query/1f600.txt"] = query(f"{name} of the drawing.")
        files[f"{name}/answer/1f600.svg"] = answer
    files["ChangeColor/query/1f601.txt"] = query("Make it green.")
    files["ChangeColor/answer/1f602.svg"] = FACE
    return write(root, files)


def svgenius(root: Path) -> Path:
    """JSON files below src/tasks/editing, with other columns in each."""
    wrong = FACE.replace('cx="24"', 'cx="30"')
    broken = FACE.replace("</svg>", "")
    pink = {"svg": FACE, "instruction": "Make the face pink.", "answer": FACE.replace("#FFCC4D", "pink")}
    base = "src/tasks/editing/"
    return write(
        root,
        {
            base + "bug_fixing/easy.json": json.dumps(
                [
                    {"id": 1, "bug_svg": wrong, "original_svg": FACE, "bug_type": "wrong attribute"},
                    {"id": 2, "bug_svg": broken, "original_svg": FACE, "bug_type": "missing tag"},
                    {"id": 3, "bug_svg": FACE, "original_svg": FACE},
                ]
            ),
            base + "code_optimization/data.json": json.dumps(
                {"easy": [{"original_svg": FACE.replace("><", "> <"), "optimized_svg": FACE}]}
            ),
            base + "style_editing/hard.json": json.dumps({"data": [pink]}),
        },
    )  # fmt: skip


def triple(**columns: str) -> dict[str, str]:
    return {
        "original_svg": FACE, "editing_prompt": "Make the face red.",
        "editing_target_svg": FACE.replace("#FFCC4D", "red"), **columns,
    }  # fmt: skip
