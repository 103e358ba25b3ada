"""How do they work together? The loop: enumerate, evaluate, prune, select."""

from logicoder.learner.learn import Learned, learn
from logicoder.learner.settings import PRESETS, Settings

__all__ = ["PRESETS", "Learned", "Settings", "learn"]
