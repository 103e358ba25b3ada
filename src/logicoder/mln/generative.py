"""Generative networks as in the paper: learned on data or on latent facts, asked for any predicate.

A network on latents gets the decoder clauses as hard formulas. When a predicate is asked for, the latents
that depend on it are open: of those an atom is known to be true only where a disjunct that does not depend on
it derives it. All other latents are computed from what is known.

Formulas that link very many open atoms are left out of a question, and counted. There is an upper bound on
the ground clauses of a formula: the variables of its open literals range over their types, unless a literal
that is known binds some of them to its true atoms.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from logicoder.base.files import write_text
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Literal, Program, Variable
from logicoder.mln.derived_evidence import latent_evidence
from logicoder.mln.formulas import Formula
from logicoder.mln.inference import Marginals, infer
from logicoder.mln.network import MarkovLogicNetwork, types_of
from logicoder.mln.predicate_questions import Prediction, Question
from logicoder.mln.program_formulas import hard_formulas
from logicoder.mln.worlds import World, worlds_of

MOST_WORK = 4_000_000
"""Of all formulas together: inference takes some 200 bytes for each ground clause."""


@dataclass(frozen=True)
class Asking:
    """How much inference may spend on one question.

    Attributes:
        samples: states that count, of each chain.
        burn_in: states that are forgotten first.
        chains: independent chains.
        seconds: after this, sampling ends with what there is.
        seed: seed of the random numbers.
    """

    samples: int = 300
    burn_in: int = 50
    chains: int = 4
    seconds: float | None = 20.0
    seed: int = 0


@dataclass(frozen=True)
class LatentQuestion:
    """What inference needs to answer a question about the data with a network on latents.

    Attributes:
        network: the soft formulas, and the decoder clauses as hard ones.
        kb: the evidence, and the latent facts that are certain.
        open: the latent predicates that depend on what is asked for.
        left_out: how many formulas were too large.
    """

    network: MarkovLogicNetwork
    kb: KnowledgeBase
    open: tuple[str, ...]
    left_out: int


def latent_question(
    network: MarkovLogicNetwork,
    encoder: Program,
    decoder: Program,
    kb: KnowledgeBase,
    predicate: str,
    domains: Mapping[str, Sequence[str]] | None = None,
) -> LatentQuestion:
    """Return the question about a predicate of the data, whose facts play no part.

    Args:
        network: its soft formulas, over the data or over latents.
        encoder: defines the latents; empty for a network over the data.
        decoder: rebuilds the data.
        kb: the data.
        predicate: what is asked for.
        domains: constants of types, in addition to those of the data.
    """
    opened: tuple[str, ...] = ()
    if len(encoder):
        found = latent_evidence(encoder, kb, [predicate])
        kb, opened = found.kb, found.open
    rules = hard_formulas(decoder).formulas
    whole = MarkovLogicNetwork(Schema(kb.schema.predicates), (*network.formulas, *rules))
    part, left_out = affordable_part(whole, worlds_of(kb, domains), predicate, opened)
    return LatentQuestion(part, kb, opened, left_out)


@dataclass(frozen=True)
class GenerativeModel:
    """One network for all questions.

    Attributes:
        network: its soft formulas, over the data or over latents.
        encoder: defines the latents; empty for a network over the data.
        decoder: rebuilds the data.
        asking: what inference may spend.
    """

    network: MarkovLogicNetwork
    encoder: Program = field(default_factory=Program)
    decoder: Program = field(default_factory=Program)
    asking: Asking = field(default_factory=Asking)

    def answer(self, question: Question) -> Prediction:
        """Return how probable the atoms of a predicate are."""
        name = question.predicate
        asked = latent_question(
            self.network, self.encoder, self.decoder, question.evidence, name, question.domains
        )
        found = self._inferred(asked, question)
        notes: dict[str, Any] = {
            "method": ", ".join(method.name for method in found.methods),
            "exact": found.exact,
            "open": len(asked.open),
            "contradictions": sum(c.count for c in found.contradictions),
            "formulas_left_out": asked.left_out,
            "stopped": found.stopped,
            "seconds": round(found.seconds, 3),
        }
        if found.sureness is not None:
            notes["largest_error"] = found.sureness.largest_error
            notes["agree"] = found.sureness.agree
        # Sums of many products may be a rounding error above one.
        return Prediction(name, np.clip(found.array(name), 0.0, 1.0), notes)

    def _inferred(self, asked: LatentQuestion, question: Question) -> Marginals:
        asking = self.asking
        return infer(
            asked.network,
            asked.kb,
            [question.predicate],
            open=sorted(asked.open),
            domains=question.domains,
            samples=asking.samples,
            burn_in=asking.burn_in,
            chains=asking.chains,
            seed=asking.seed,
            time_limit=asking.seconds,
        )

    def save(self, folder: Path) -> None:
        """Write the network, and the programs if there are some."""
        self.network.save(folder / "network.mln")
        for name, program in (("encoder", self.encoder), ("decoder", self.decoder)):
            if len(program):
                write_text(folder / f"{name}.pl", f"{program}\n")


def affordable_part(
    network: MarkovLogicNetwork,
    worlds: Sequence[World],
    query: str,
    opened: Collection[str],
    most: int = MOST_WORK,
) -> tuple[MarkovLogicNetwork, int]:
    """Return the formulas of least work that there is room for, and how many are left out.

    Args:
        network: all formulas.
        worlds: what is known.
        query: the predicate that is asked for.
        opened: the other predicates with open atoms.
        most: the work of all formulas together.
    """
    bounds = [sum(work_of(formula, world, query, opened) for world in worlds) for formula in network.formulas]
    kept, used = set(), 0
    for number in sorted(range(len(bounds)), key=lambda i: bounds[i]):
        if used + bounds[number] <= most:
            kept.add(number)
            used += bounds[number]
    formulas = tuple(formula for number, formula in enumerate(network.formulas) if number in kept)
    return replace(network, formulas=formulas), len(bounds) - len(kept)


def work_of(formula: Formula, world: World, query: str, opened: Collection[str]) -> int:
    """Return an upper bound on the work that a formula makes.

    It is the number of ground clauses. But all bodies of an atom that is asked for in a decoder clause depend
    on each other, so there it is that times the number of bodies of each.
    """
    clauses = ground_clauses(formula, world, {query, *opened})
    heads = [literal for literal in formula.literals if literal.atom.predicate == query]
    if not (formula.hard and heads and clauses):
        return clauses
    types = types_of(formula.literals, world.schema)
    atoms = prod(len(world.domains[types[v]]) for v in heads[0].atom.variables())
    return clauses * -(-clauses // max(1, atoms))


def ground_clauses(formula: Formula, world: World, opened: Collection[str]) -> int:
    """Return an upper bound on the distinct ground clauses of a formula, without what is known.

    Args:
        formula: the formula.
        world: what is known.
        opened: the predicates with open atoms.
    """
    sizes = {v: len(world.domains[kind]) for v, kind in types_of(formula.literals, world.schema).items()}
    known: list[Literal] = []
    unknown: list[Literal] = []
    for literal in formula.literals:
        if not literal.inequality:
            (unknown if literal.atom.predicate in opened else known).append(literal)
    left: set[Variable] = {v for literal in unknown for v in literal.atom.variables()}
    found = 1
    for literal in known:
        bound = left & set(literal.atom.variables())
        true = len(world.relations[literal.atom.predicate])
        # A negated literal that is known to be false satisfies the clause: only true atoms are left.
        if not literal.positive and true < prod(sizes[v] for v in bound):
            found *= true
            left -= bound
    return found * prod(sizes[v] for v in left) if unknown else 0
