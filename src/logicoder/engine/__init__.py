"""What does a program derive from the data? Joins, unions, safe negation and a semi-naive fixpoint."""

from logicoder.engine.database import Database
from logicoder.engine.evaluate import run_program
from logicoder.engine.relation import Relation

__all__ = ["Database", "Relation", "run_program"]
