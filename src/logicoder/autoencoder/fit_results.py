"""What a fit came to: the attributes of an `AutoEncoder` that end in an underscore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from logicoder.autoencoder.layer import Layer, reconstruct_through
from logicoder.autoencoder.lossless import LosslessEncoding, encode_losslessly
from logicoder.autoencoder.predicate_scores import PredicateScore, Totals
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.learner.compress import LearnedMessage
from logicoder.learner.learn import Learned
from logicoder.learner.settings import Settings
from logicoder.logic.terms import Program
from logicoder.problem.evaluate import masked_of, mistakes_of
from logicoder.problem.masking import with_masking
from logicoder.problem.model import Problem
from logicoder.selection import in_units


def results_of(kb: KnowledgeBase, settings: Settings, learned: Learned) -> dict[str, Any]:
    """Return the attributes of a fitted `AutoEncoder` whose clauses a solver selected.

    Args:
        kb: the data that it learned from, background included.
        settings: what was demanded.
        learned: what was learned.
    """
    return selection_attributes(kb.schema, {name: kb.count(name) for name in kb.schema}, settings, learned)


def selection_attributes(
    schema: Schema, facts: Mapping[str, int], settings: Settings, learned: Learned
) -> dict[str, Any]:
    """Return the attributes, given the number of facts of each predicate."""
    problem, solution = learned.problem, learned.solution
    return {
        "schema_": schema,
        "encoder_": learned.encoder,
        "decoder_": learned.decoder,
        "history_": learned.history,
        "problem_": problem,
        "scores_": scores_of(schema, facts, problem, solution.decoders),
        "facts_": sum(facts[name] for name, own in schema.items() if not own.background),
        "loss_": solution.loss,
        "size_": solution.size,
        "size_bound_": solution.size_bound,
        "missing_": solution.missing,
        "masked_": sum(masked_of(with_masking(problem), solution.decoders)),
        "false_": solution.false,
        "objective_": in_units(problem, solution.goal, solution.objective),
        "goal_": settings.goal,
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


def layer_of_message(kb: KnowledgeBase, learned: LearnedMessage, background: Program) -> Layer:
    """Return the programs of a message about data."""
    programs = learned.programs
    return Layer(
        programs.encoder,
        programs.decoder,
        kb.schema,
        background,
        kept=programs.kept,
        bases=programs.bases,
        plan=learned.found.plan,
    )


def results_of_message(
    kb: KnowledgeBase, goal: str, learned: LearnedMessage, background: Program
) -> dict[str, Any]:
    """Return the attributes of a fitted `AutoEncoder` that says the data in a short message.

    Args:
        kb: the data that it learned from, background included.
        goal: what was minimised.
        learned: what was learned.
        background: the background program.
    """
    layer = layer_of_message(kb, learned, background)
    data = kb.restricted(set(kb.schema) - set(background.defined()))
    encoding = encode_losslessly([layer], data, signed=False)
    kept = {name: encoding.latent.count(name) for name in encoding.latent.schema}
    exceptions = sum(map(sum, _exceptions(data, encoding).values()))
    scores = _scores(layer, kb, data, encoding)
    return message_attributes(kb.schema, goal, learned, kb.size, scores, kept, exceptions)


def message_attributes(
    schema: Schema,
    goal: str,
    learned: LearnedMessage,
    facts: int,
    scores: Sequence[PredicateScore],
    kept: Mapping[str, int],
    exceptions: int,
) -> dict[str, Any]:
    """Return the attributes, given what was counted.

    Args:
        schema: types of the data.
        goal: what was minimised.
        learned: what was learned.
        facts: number of facts.
        scores: how each predicate comes back.
        kept: number of facts of each predicate that represents the data.
        exceptions: missing and false atoms if each predicate is corrected before the next one is rebuilt.
    """
    programs, found = learned.programs, learned.found
    plain = found.plain_bits
    bits, domain_bits = min(found.bits, plain), min(found.domain_bits, plain)
    literals = sum(clause.length for clause in (*programs.encoder, *programs.decoder))
    objective = bits if goal == "bits" else found.stored
    totals = Totals(tuple(scores), sum(kept.values()))
    return {
        "schema_": schema,
        "encoder_": programs.encoder,
        "decoder_": programs.decoder,
        "kept_": programs.kept,
        "bases_": programs.bases,
        "plan_": found.plan,
        "history_": learned.history,
        "scores_": totals.predicates,
        "clauses_": [asdict(score) for score in programs.scores],
        "facts_": facts,
        "loss_": totals.loss,
        "exceptions_": exceptions,
        "size_": totals.latent_facts + literals,
        "size_bound_": 0,
        "missing_": totals.missing,
        "false_": totals.false,
        "objective_": objective,
        "goal_": goal,
        "bound_": found.bound,
        "gap_": (objective - found.bound) / max(1.0, objective),
        "status_": found.status,
        "stopped_": learned.stopped,
        "bound_scope_": found.bound_scope,
        "bits_": bits,
        "plain_bits_": plain,
        "domain_bits_": domain_bits,
        "bits_saved_": domain_bits - bits,
        "latent_facts_": totals.latent_facts,
        "kept_facts_": dict(kept),
        "statistics_": {"seconds": learned.seconds},
    }


def _exceptions(data: KnowledgeBase, encoding: LosslessEncoding) -> dict[str, tuple[int, int]]:
    """Return the missing and false atoms of each predicate, where those before it are right."""
    parts = encoding.exceptions.listed, encoding.exceptions.false
    return {name: (parts[0].count(name), parts[1].count(name)) for name in data.learnable}


def _scores(
    layer: Layer, kb: KnowledgeBase, data: KnowledgeBase, encoding: LosslessEncoding
) -> tuple[PredicateScore, ...]:
    """Return how each predicate comes back from what is kept.

    Where no clause uses a predicate that is wrong, that is what the exceptions tell; otherwise the decoder is
    run as a whole.
    """
    exceptions = _exceptions(data, encoding)
    wrong = {name for name, counts in exceptions.items() if any(counts)}
    used = {n for c in layer.decoder for n in c.body_predicates() if n != c.head.predicate}
    doubtful = any(data.count(truth=truth) for truth in TRUTHS[1:])
    if doubtful or wrong & used or any(predicate.open_world for predicate in data.schema.values()):
        return reconstruct_through([layer], data, [kb, encoding.latent]).predicates
    found = []
    for name, predicate in data.schema.items():
        if not predicate.background:
            missing, false = exceptions.get(name, (0, 0))
            found.append(PredicateScore.of(name, data.count(name), missing, false))
    return tuple(found)


def scores_of(
    schema: Schema, facts: Mapping[str, int], problem: Problem, decoders: Sequence[int]
) -> tuple[PredicateScore, ...]:
    """Return how each predicate comes back, as the selection knows it: nothing is encoded for that."""
    mistakes = {
        target.name: counts
        for target, *counts in zip(problem.targets, *mistakes_of(problem, decoders), strict=True)
    }
    found = []
    for name, predicate in schema.items():
        if not predicate.background:
            missing, false = mistakes.get(name, (0, 0))
            found.append(PredicateScore.of(name, facts[name], missing, false))
    return tuple(found)
