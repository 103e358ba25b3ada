"""What a fit came to: the attributes of an `AutoEncoder` that end in an underscore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from logicoder.autoencoder.reconstruction import PredicateScore
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.learner.learn import Learned
from logicoder.problem.evaluate import masked_of, mistakes_of
from logicoder.problem.masking import with_masking
from logicoder.problem.model import Problem
from logicoder.selection import in_units

RESULTS = (
    "facts_", "loss_", "objective_", "bits_", "plain_bits_", "bits_saved_", "size_", "size_bound_",
    "missing_", "false_", "masked_", "bound_", "gap_", "status_", "stopped_", "bound_scope_",
    "latent_facts_", "statistics_",
)  # fmt: skip
"""What a saved model keeps, in the order of run records."""


def results_of(kb: KnowledgeBase, learned: Learned) -> dict[str, Any]:
    """Return the attributes of a fitted `AutoEncoder`.

    Args:
        kb: the data that it learned from, background included.
        learned: what was learned.
    """
    problem, solution = learned.problem, learned.solution
    return {
        "schema_": kb.schema,
        "encoder_": learned.encoder,
        "decoder_": learned.decoder,
        "history_": learned.history,
        "problem_": problem,
        "scores_": scores_of(kb, problem, solution.decoders),
        "facts_": kb.size,
        "loss_": solution.loss,
        "size_": solution.size,
        "size_bound_": solution.size_bound,
        "missing_": solution.missing,
        "masked_": sum(masked_of(with_masking(problem), solution.decoders)),
        "false_": solution.false,
        "objective_": in_units(problem, solution.goal, solution.objective),
        "bound_": in_units(problem, solution.goal, solution.bound),
        "gap_": solution.gap,
        "status_": solution.status,
        "stopped_": solution.stopped,
        "bound_scope_": learned.bound_scope,
        "bits_": solution.bits / 1000,
        "plain_bits_": problem.plain_bits / 1000,
        "bits_saved_": (problem.plain_bits - solution.bits) / 1000,
        "latent_facts_": sum(problem.encoders[e].weight for e in solution.encoders),
        "statistics_": {
            "candidates": learned.candidates,
            "problem": {
                "variables": problem.variables,
                "atoms": problem.atoms,
                "classes": len(problem.classes),
            },
            "seconds": learned.seconds,
        },
    }


def scores_of(kb: KnowledgeBase, problem: Problem, decoders: Sequence[int]) -> tuple[PredicateScore, ...]:
    """Return how each predicate comes back, as the selection knows it: nothing is encoded for that."""
    mistakes = {
        target.name: counts
        for target, *counts in zip(problem.targets, *mistakes_of(problem, decoders), strict=True)
    }
    found = []
    for name, predicate in kb.schema.items():
        if not predicate.background:
            facts = kb.count(name)
            missing, false = mistakes.get(name, (0, 0))
            found.append(PredicateScore(name, facts, facts - missing, missing, false))
    return tuple(found)
