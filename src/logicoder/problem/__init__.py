"""What exactly is optimised? The selection problem as plain data: no solver, no engine."""

from logicoder.problem.evaluate import Violation, encoders_of, loss_of, size_of, violations
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    Problem,
    Requirement,
)
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
    "encoders_of",
    "load_problem",
    "loss_of",
    "save_problem",
    "size_of",
    "violations",
]
