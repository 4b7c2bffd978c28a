"""Seeds derived by hashing, so that neighbouring seeds share nothing."""

from __future__ import annotations

import hashlib
import random


def derive_seed(*parts: object) -> int:
    """A 63-bit seed from any printable parts; equal parts give equal seeds in every process."""
    text = "\x1f".join(repr(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def derive_random(*parts: object) -> random.Random:
    """A private generator seeded by `derive_seed`."""
    return random.Random(derive_seed(*parts))
