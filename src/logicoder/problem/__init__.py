"""What exactly is optimised? The selection problem as plain data: no solver, no engine."""

from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    Problem,
    Requirement,
)
from logicoder.problem.evaluate import Violation, loss_of, violations
from logicoder.problem.storage import load_problem, save_problem

__all__ = [
    "CoverageClass",
    "DecoderItem",
    "EncoderItem",
    "Inclusion",
    "LinearConstraint",
    "Problem",
    "Requirement",
    "Violation",
    "load_problem",
    "loss_of",
    "save_problem",
    "violations",
]
