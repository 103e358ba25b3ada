"""What exactly is optimised? The selection problem as plain data: no solver, no engine."""

from logicoder.problem.bottlenecks import (
    AverageFacts,
    Bottleneck,
    DescriptionLength,
    LargestLatent,
    MaxLatents,
    TotalFacts,
)
from logicoder.problem.evaluate import Violation, bits_of, encoders_of, loss_of, size_of, violations
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    Demand,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    PredicateItem,
    Problem,
    Requirement,
)
from logicoder.problem.storage import load_problem, save_problem

__all__ = [
    "AverageFacts",
    "Bottleneck",
    "CoverageClass",
    "DecoderItem",
    "Demand",
    "DescriptionLength",
    "EncoderItem",
    "Inclusion",
    "LargestLatent",
    "LinearConstraint",
    "MaxLatents",
    "PredicateItem",
    "Problem",
    "Requirement",
    "TotalFacts",
    "Violation",
    "bits_of",
    "encoders_of",
    "load_problem",
    "loss_of",
    "save_problem",
    "size_of",
    "violations",
]
