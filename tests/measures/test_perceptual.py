"""Measures of optional extras, on tiny weights made up here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vbench_env.errors import ConfigError
from vbench_env.measures import Settings, measure
from vbench_env.measures.encoders import cosine
from vbench_env.measures.extras import require

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'


def drawing(fill: str) -> str:
    return f'{HEAD}<rect width="64" height="40" fill="{fill}"/><circle cx="20" cy="44" r="12" fill="#246"/></svg>'


RED, BLUE = drawing("red"), drawing("blue")


def preprocessor(folder: Path) -> None:
    config = {
        "image_processor_type": "CLIPImageProcessor", "do_resize": True, "do_center_crop": True, "do_normalize": True,
        "size": {"shortest_edge": 28}, "crop_size": {"height": 28, "width": 28},
        "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
    }  # fmt: skip
    (folder / "preprocessor_config.json").write_text(json.dumps(config), encoding="utf-8")


def dino(folder: Path) -> Any:
    transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
    torch.manual_seed(0)
    config = transformers.Dinov2Config(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, image_size=28, patch_size=14
    )
    model = transformers.Dinov2Model(config)
    model.save_pretrained(folder)
    preprocessor(folder)
    return model


def clip(folder: Path) -> None:
    transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
    torch.manual_seed(0)
    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        text_config={**small, "vocab_size": 50, "max_position_embeddings": 8},
        vision_config={**small, "image_size": 28, "patch_size": 14}, projection_dim=8,
    )  # fmt: skip
    transformers.CLIPModel(config).save_pretrained(folder)
    preprocessor(folder)


def test_cosine_of_vectors_by_hand() -> None:
    assert cosine(np.array([1.0, 0.0]), np.array([1.0, 1.0])) == pytest.approx(2**-0.5)
    assert cosine(np.array([1.0, 0.0]), np.array([-2.0, 0.0])) == -1
    assert cosine(np.zeros(2), np.ones(2)) == 0


@pytest.mark.parametrize(("name", "make"), [("dino", dino), ("clip", clip)])
def test_encoders_load_the_weights_of_the_user(name: str, make: Any, tmp_path: Path) -> None:
    make(tmp_path)
    settings = Settings(width_px=64, weights={name: tmp_path})
    assert measure(name, RED, RED, settings=settings).value == pytest.approx(1, abs=1e-5)
    other = measure(name, BLUE, RED, settings=settings).value
    assert other is not None and -1 <= other < 1 - 1e-6
    assert measure(name, "<svg", RED, settings=settings).reason.startswith("the candidate cannot be drawn")


def test_dino_is_the_class_token_of_the_model_itself(tmp_path: Path) -> None:
    model = dino(tmp_path)
    torch = pytest.importorskip("torch")
    from vbench_env.measures.base import Drawings
    from vbench_env.measures.encoders import embedding

    picture = Drawings(RED, RED, width_px=28).picture("target")
    assert not isinstance(picture, str)
    scaled = torch.from_numpy(picture.copy()).permute(2, 0, 1)[None].float() / 255
    with torch.no_grad():
        wanted = model.eval()(pixel_values=(scaled - 0.5) / 0.5).last_hidden_state[0, 0]
    assert embedding("dino", tmp_path.resolve(), picture) == pytest.approx(wanted.numpy(), abs=1e-4)


@pytest.mark.parametrize("name", ["dino", "clip"])
def test_a_folder_without_weights_is_an_error_that_says_so(name: str, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(ConfigError, match="not a folder of weights"):
        measure(name, RED, RED, settings=Settings(weights={name: tmp_path}))


def test_lpips_takes_a_backbone_of_the_user(tmp_path: Path) -> None:
    torch, torchvision = pytest.importorskip("torch"), pytest.importorskip("torchvision")
    pytest.importorskip("lpips")
    torch.manual_seed(0)
    state = torchvision.models.alexnet(weights=None).state_dict()
    kept = {name: value for name, value in state.items() if name.startswith("features.")}
    torch.save(kept, tmp_path / "alex.pth")
    settings = Settings(width_px=64, weights={"lpips": tmp_path})
    assert measure("lpips", RED, RED, settings=settings).value == 0
    far = measure("lpips", BLUE, RED, settings=settings).value
    near = measure("lpips", drawing("#f01010"), RED, settings=settings).value
    assert far is not None and near is not None and 0 < near < far
    (tmp_path / "other").mkdir()
    torch.save(dict(list(kept.items())[:2]), tmp_path / "other" / "alex.pth")
    with pytest.raises(ConfigError, match="the backbone lacks"):
        measure("lpips", RED, RED, settings=Settings(weights={"lpips": tmp_path / "other"}))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="needs alex"):
        measure("lpips", RED, RED, settings=Settings(weights={"lpips": tmp_path / "empty"}))


def test_ssim_is_1_for_equal_pictures_and_close_to_our_own_otherwise() -> None:
    pytest.importorskip("skimage")
    assert measure("ssim", RED, RED).value == pytest.approx(1)
    found = measure("ssim", BLUE, RED).value
    assert found is not None and found < 0.9
    assert (
        measure("ssim", RED, RED, settings=Settings(width_px=8)).reason == "pictures are smaller than 14 px"
    )


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "skimage.metrics", None)
    with pytest.raises(ConfigError, match=r"pip install 'vbench-env\[metrics\]'"):
        measure("ssim", RED, RED)


@pytest.mark.parametrize(
    "code", ["raise RuntimeError('operator does not exist')", "import no_such_module_at_all"]
)
def test_a_library_that_is_there_but_broken_is_an_error_that_says_so(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_backend.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        ConfigError, match=r"measure lpips needs broken_backend: pip install.*\((operator|No module)"
    ):
        require("broken_backend", "lpips")
