"""DINO and CLIP: how near the embeddings of two pictures are, by weights that the user has.

A folder of weights is what `save_pretrained` of the transformers library writes (`config.json`, `model.safetensors`,
`preprocessor_config.json`). Nothing is ever downloaded.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vbench_env.errors import ConfigError
from vbench_env.measures.base import MEASURES, Drawings, Measure, Pixels, Settings, Value, pictures
from vbench_env.measures.extras import require


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Cosine of the angle between two vectors; 0 where one of them is zero."""
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length else 0.0


@lru_cache(maxsize=4)
def _loaded(name: str, folder: Path) -> tuple[Any, Any]:
    """Model and image processor of a folder of weights."""
    kind = require("transformers", name, "CLIPModel" if name == "clip" else "AutoModel")
    pictures_of = require("transformers", name, "AutoImageProcessor")
    try:
        model = kind.from_pretrained(folder, local_files_only=True).eval()
        processor = pictures_of.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        told = str(error).splitlines()[0]
        raise ConfigError(
            f"--weights {name}={folder}: not a folder of weights for transformers: {told}"
        ) from error
    return model, processor


def embedding(name: str, folder: Path, picture: Pixels) -> NDArray[np.float64]:
    """The vector of a picture: DINO's class token after the last layer, CLIP's projected image features."""
    model, processor = _loaded(name, folder)
    torch = require("torch", name)
    inputs = processor(images=[picture.copy()], return_tensors="pt")
    with torch.no_grad():
        found = _projected(model, inputs) if name == "clip" else model(**inputs).last_hidden_state[:, 0]
    return np.asarray(found[0].double().numpy())


def _projected(model: Any, inputs: Any) -> Any:
    return model.visual_projection(model.vision_model(**inputs).pooler_output)


def _take(name: str, drawings: Drawings, settings: Settings) -> Value:
    folder = settings.weights_of(name)
    found = pictures(drawings, "candidate", "target")
    if isinstance(found, Value):
        return found
    return Value(cosine(*(embedding(name, folder.resolve(), picture) for picture in found)))


def take_dino(drawings: Drawings, settings: Settings) -> Value:
    """Cosine of class tokens."""
    return _take("dino", drawings, settings)


def take_clip(drawings: Drawings, settings: Settings) -> Value:
    """Cosine of image features."""
    return _take("clip", drawings, settings)


MEASURES.add(
    "dino",
    Measure(
        "dino",
        "cosine of DINO class tokens",
        "higher",
        take_dino,
        "DINOv2",
        needs="extra perceptual, weights",
    ),
)
MEASURES.add(
    "clip",
    Measure(
        "clip",
        "cosine of CLIP image features",
        "higher",
        take_clip,
        "CLIP",
        needs="extra perceptual, weights",
    ),
)
