"""A Gymnasium space of texts.

`gymnasium.spaces.Text` allows letters and digits only, and loses its content in shared memory. This one holds
any Unicode text of bounded length, decides membership in constant time and draws small samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Space

_RANDOM_CHARACTERS = "abcxyz 019<>/\"'{}[]:,=#\n\té漢Ω🙂\u200b\u0000"


class UnicodeText(Space[str]):
    """Texts of at most `max_length` characters.

    Args:
        max_length: in characters.
        examples: texts that `sample` draws from, besides short random ones.
        seed: of the sampler.
    """

    def __init__(
        self, max_length: int, examples: Sequence[str] = (), seed: int | np.random.Generator | None = None
    ) -> None:
        self.max_length = int(max_length)
        self.examples = tuple(text for text in examples if len(text) <= self.max_length)
        super().__init__(shape=(), dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """An example, or up to 16 random characters; masks mean nothing here."""
        if self.examples and self.np_random.random() < 0.7:
            return self.examples[int(self.np_random.integers(len(self.examples)))]
        length = int(self.np_random.integers(0, min(16, self.max_length) + 1))
        picks = self.np_random.integers(0, len(_RANDOM_CHARACTERS), size=length)
        return "".join(_RANDOM_CHARACTERS[int(pick)] for pick in picks)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        return [str(sample) for sample in sample_n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and self.max_length == other.max_length

    def __hash__(self) -> int:
        return hash((UnicodeText, self.max_length))

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"
