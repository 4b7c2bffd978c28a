"""What an agent sees: the document as text, as a picture, and public checks of it."""

from vbench_env.observations import feedback
from vbench_env.observations.base import OBSERVATIONS, AgentError, Observation, Preview, View

__all__ = ["OBSERVATIONS", "AgentError", "Observation", "Preview", "View", "feedback"]
