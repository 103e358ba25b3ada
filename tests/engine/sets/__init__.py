"""An engine of plain Python sets, written against the interface alone: slow, small, and easy to believe.

It answers every question of the interface by its definition. A sample stands for all values, and no join is
too large.
"""

from .set_engine import SetEngine

__all__ = ["SetEngine"]
