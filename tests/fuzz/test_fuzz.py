"""A moment of fuzzing on every target, and every input that was a finding once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fuzz.fuzz_inputs import FINDINGS, mutated, seeds
from tests.fuzz.fuzz_targets import TARGETS

ROUNDS = {"scorer": 25, "tools": 25, "own_target": 12, "action": 25}


@pytest.mark.parametrize("path", sorted(FINDINGS.glob("*.bin")), ids=lambda path: path.stem)
def test_a_finding_stays_mended(path: Path) -> None:
    TARGETS[path.name.partition("-")[0]](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_their_mutations_hold(name: str) -> None:
    """Small seeds, so that a round is short; the long run takes real files."""
    start = [data for data in seeds(name) if len(data) < 3000]
    rng = Random(20)
    for _ in range(ROUNDS.get(name, 150)):
        TARGETS[name](mutated(rng.choice(start), start, rng))
