"""Do rendering engines agree on the drawings of a corpus, and which features does each one lack?"""

from __future__ import annotations

from vbench_env.taskkit.engines.compare import Agreement, compare_engines
from vbench_env.taskkit.engines.features import FEATURES, Feature, lacking, used_features

__all__ = ["FEATURES", "Agreement", "Feature", "compare_engines", "lacking", "used_features"]
