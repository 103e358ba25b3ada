"""Which clauses? Structure learning: bottom-up from the data, or all clauses within limits."""

from logicoder.mln.structure.state import Step
from logicoder.mln.structure.structure_learner import StructureLearning, learn_structure

__all__ = ["Step", "StructureLearning", "learn_structure"]
