"""Which clauses? Structure learning: bottom-up from the data, or all clauses within limits."""

from logicoder.mln.structure.state import NetworkChange
from logicoder.mln.structure.structure_learner import StructureLearning, learn_structure

__all__ = ["NetworkChange", "StructureLearning", "learn_structure"]
