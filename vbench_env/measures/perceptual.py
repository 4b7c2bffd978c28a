"""LPIPS: learned perceptual distance of pictures, by weights that the user has.

The weights are a folder with the backbone's state (`alex.pth`, `vgg.pth` or `squeeze.pth`, as torchvision publishes it)
and, optionally, `lin.pth` with the linear layers; without it those that come with the lpips library are taken.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from vbench_env.errors import ConfigError
from vbench_env.measures.base import MEASURES, Drawings, Measure, Pixels, Settings, Value, pictures
from vbench_env.measures.extras import require

_BACKBONES = ("alex", "vgg", "squeeze")


@lru_cache(maxsize=2)
def _loaded(folder: Path) -> Any:
    backbone = next((name for name in _BACKBONES if (folder / f"{name}.pth").is_file()), None)
    if backbone is None:
        raise ConfigError(
            f"--weights lpips={folder}: needs {', '.join(f'{name}.pth' for name in _BACKBONES[:2])} or such"
        )
    lpips, torch = require("lpips", "lpips"), require("torch", "lpips")
    linear = folder / "lin.pth"
    model = lpips.LPIPS(
        net=backbone, pnet_rand=True, verbose=False, model_path=str(linear) if linear.is_file() else None
    )
    state = torch.load(folder / f"{backbone}.pth", map_location="cpu", weights_only=True)
    _fill(model.net, {name.removeprefix("features."): value for name, value in state.items()}, folder, torch)
    return model.eval()


def _fill(net: Any, state: dict[str, Any], folder: Path, torch: Any) -> None:
    """Put the backbone's layers into the slices that lpips cuts it into; the numbers of layers stay."""
    for name, parameter in net.named_parameters():
        layer = name.partition(".")[2]
        if layer not in state or state[layer].shape != parameter.shape:
            raise ConfigError(f"--weights lpips={folder}: the backbone lacks features.{layer}")
        with torch.no_grad():
            parameter.copy_(state[layer])


def distance(folder: Path, one: Pixels, other: Pixels) -> float:
    """LPIPS of two pictures, whose channels it takes from -1 to 1."""
    model, torch = _loaded(folder), require("torch", "lpips")
    tensors = [
        torch.from_numpy(item.copy()).permute(2, 0, 1)[None].float() / 127.5 - 1.0 for item in (one, other)
    ]
    with torch.no_grad():
        return float(model(*tensors))


def take(drawings: Drawings, settings: Settings) -> Value:
    """0 for equal pictures."""
    folder = settings.weights_of("lpips")
    found = pictures(drawings, "candidate", "target")
    return found if isinstance(found, Value) else Value(distance(folder.resolve(), *found))


MEASURES.add(
    "lpips",
    Measure(
        "lpips",
        "learned perceptual distance",
        "lower",
        take,
        "Zhang et al. 2018",
        needs="extra perceptual, weights",
    ),
)
