"""How far people and the scorer agree: a blinded page for reviewers, and what their labels say.

    sources -> sampling -> plan (a folder) -> desk and server (the page) -> labels -> agreement

A review lives in a folder of its own:

    plan.json              which outcomes, from which strata, with which weights and verdicts: the key
    items.jsonl            what a reviewer sees of each: request, start, output, target
    labels/<name>.jsonl    what each reviewer said, appended one line at a time
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vbench_env.review.agreement import agreement_of
    from vbench_env.review.findings import Agreement
    from vbench_env.review.folder import ReviewFolder
    from vbench_env.review.sampling import PlanSettings, make_review

__all__ = ["Agreement", "PlanSettings", "ReviewFolder", "agreement_of", "make_review"]

_HOMES = {
    "Agreement": "findings", "agreement_of": "agreement", "ReviewFolder": "folder",
    "PlanSettings": "sampling", "make_review": "sampling",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"vbench_env.review.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
