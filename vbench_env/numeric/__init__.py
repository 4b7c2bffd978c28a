"""The numeric face: a drawing and a request as arrays, and a list of candidate edits to choose from."""

from __future__ import annotations

from vbench_env.numeric.face import NumericFace
from vbench_env.numeric.propose import Candidate, Proposal, propose

__all__ = ["Candidate", "NumericFace", "Proposal", "propose"]
