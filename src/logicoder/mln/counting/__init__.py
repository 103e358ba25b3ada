"""How often is a clause satisfied, and what does each ground atom change about it?"""

from logicoder.mln.counting.atom_rows import AtomRows
from logicoder.mln.counting.codes import canonical
from logicoder.mln.counting.counter import Counter

__all__ = ["AtomRows", "Counter", "canonical"]
