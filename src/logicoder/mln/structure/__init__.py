"""Which clauses? Structure learning: bottom-up from the data, or all clauses within limits."""

from logicoder.mln.structure.learn import StructureLearning, learn_structure
from logicoder.mln.structure.state import Step

__all__ = ["Step", "StructureLearning", "learn_structure"]
