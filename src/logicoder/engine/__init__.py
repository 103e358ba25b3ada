"""What does a program derive from the data? Engines behind one interface, and the one made of arrays."""

from logicoder.engine.programs import run_program
from logicoder.engine.registry import engine_named

__all__ = ["engine_named", "run_program"]
