"""How often is a clause satisfied, and what does each ground atom change about it?"""

from logicoder.mln.counting.coding import canonical
from logicoder.mln.counting.counter import Counter
from logicoder.mln.counting.rows import Rows

__all__ = ["Counter", "Rows", "canonical"]
