"""Markov logic by definition: substitute every constant, look at every world. For small models only."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from hypothesis import strategies as st

from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork

SCHEMA = Schema.of(
    Predicate("p", ("a",)),
    Predicate("q", ("a", "b")),
    Predicate("r", ("a", "a")),
    Predicate("s", ()),
)
NAMES = {"a": ("a1", "a2", "a3"), "b": ("b1", "b2")}

Ground = tuple[str, ...]


def ground_atoms(name: str, schema: Schema, domains: dict[str, tuple[str, ...]]) -> list[Ground]:
    return [(name, *row) for row in product(*(domains[kind] for kind in schema[name].types))]


def groundings(formula: Formula, schema: Schema, domains: dict[str, tuple[str, ...]]):
    """Iterate over the ground clauses as lists of (atom, positive), or None where an (in)equality holds."""
    kinds: dict[Variable, str] = {}
    for literal in formula.literals:
        if not literal.inequality:
            for argument, kind in zip(
                literal.atom.arguments, schema[literal.atom.predicate].types, strict=True
            ):
                if isinstance(argument, Variable):
                    kinds[argument] = kind
    for values in product(*(domains[kind] for kind in kinds.values())):
        binding = dict(zip(kinds, values, strict=True))
        found: list[tuple[Ground, bool]] | None = []
        for literal in formula.literals:
            terms = tuple(binding[a] if isinstance(a, Variable) else str(a) for a in literal.atom.arguments)
            if literal.inequality:
                if (terms[0] != terms[1]) == literal.positive:
                    found = None
                    break
            else:
                found.append(((literal.atom.predicate, *terms), literal.positive))
        yield found


def distribution(
    network: MarkovLogicNetwork,
    domains: dict[str, tuple[str, ...]],
    true: set[Ground],
    still: list[Ground],
) -> tuple[np.ndarray, int]:
    """Return the probability of every assignment to the open atoms, and the violations by evidence.

    Hard groundings that the evidence alone violates are dropped and counted.
    """
    values = assignments(len(still))
    column = {atom: values[:, number] for number, atom in enumerate(still)}
    scores = np.zeros(len(values))
    dropped = 0
    for formula in network:
        for clause in groundings(formula, network.schema, domains):
            if clause is None or any(a not in column and (a in true) == sign for a, sign in clause):
                continue
            left = [column[atom] == sign for atom, sign in clause if atom in column]
            if not left:
                dropped += formula.hard
                continue
            holds = np.any(left, axis=0)
            if formula.hard:
                scores[~holds] = -math.inf
            else:
                scores[holds] += formula.weight
    if scores.max() == -math.inf:
        return scores, dropped
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(), dropped


def marginals(probabilities: np.ndarray, still: list[Ground]) -> dict[Ground, float]:
    return dict(zip(still, (probabilities @ assignments(len(still))).tolist(), strict=True))


def assignments(atoms: int) -> np.ndarray:
    """Return all truth values of some atoms, shape (2^atoms, atoms)."""
    return (np.arange(2**atoms)[:, None] >> np.arange(atoms)) & 1 == 1


@st.composite
def formulas(draw, hard: bool | None = False, most: int = 3, predicates: tuple[str, ...] = tuple(SCHEMA)):
    """Draw a clause over `SCHEMA`, variables and constants, possibly repeated."""
    variables = {"a": [Variable("X"), Variable("Y"), Variable("Z")], "b": [Variable("B"), Variable("C")]}
    literals = []
    for _ in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(predicates))
        terms = []
        for kind in SCHEMA[name].types:
            constants = [Constant(NAMES[kind][0]), Constant("nobody")]
            terms.append(draw(st.sampled_from([*variables[kind], *variables[kind], *constants])))
        literals.append(Literal(Atom(name, tuple(terms)), draw(st.booleans())))
    used = [v for x in literals for v in x.atom.variables() if v in variables["a"]]
    if len(set(used)) > 1 and draw(st.booleans()):
        left, right = sorted(set(used))[:2]
        literals.append(Literal(Atom("\\=", (left, right)), draw(st.booleans()), inequality=True))
    is_hard = draw(st.booleans()) if hard is None else hard
    weight = draw(st.floats(-2, 2).map(lambda w: round(w, 3)))
    return Formula(tuple(literals), 0.0 if is_hard else weight, is_hard)


@st.composite
def knowledge(draw, sizes: tuple[int, int] = (2, 2)):
    """Draw a small knowledge base with true, false and unknown atoms."""
    domains = {"a": NAMES["a"][: sizes[0]], "b": NAMES["b"][: sizes[1]]}
    schema = Schema(SCHEMA.predicates, domains)
    truths = {}
    for name in schema:
        for atom in ground_atoms(name, schema, domains):
            truths[atom] = draw(st.sampled_from(["true", "false", "unlisted", "unlisted", "unknown"]))
    given_atoms = {t: [a for a, v in truths.items() if v == t] for t in ("true", "false", "unknown")}
    kb = KnowledgeBase.from_facts(
        given_atoms["true"], schema=schema, negatives=given_atoms["false"], unknown=given_atoms["unknown"]
    )
    return kb, domains, truths


def known_and_open(truths: dict[Ground, str], query, unlisted, hide=True) -> tuple[set[Ground], list[Ground]]:
    """Return the true atoms and the open ones, by the words of the documentation."""
    true, still = set(), []
    for atom, truth in truths.items():
        name = atom[0]
        if name in query and hide:
            still.append(atom)
        elif name in query or name in unlisted:
            if truth == "true":
                true.add(atom)
            elif truth != "false":
                still.append(atom)
        elif truth == "true":
            true.add(atom)
        elif truth == "unknown":
            still.append(atom)
    return true, still
