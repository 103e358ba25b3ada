"""The description length, computed once more from the printed programs and the data, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import ceil, comb, log2

import pytest

from logicoder import AutoEncoder, Clause, Constant, KnowledgeBase, Program
from logicoder.datasets import star_wars_figure, university
from logicoder.engine import run_program
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.problem.bits import ProgramCode


def gamma(number: int) -> int:
    """The length of Elias' gamma code of number + 1, by its definition: zeros, then the binary number."""
    binary = f"{number + 1:b}"
    return len("0" * (len(binary) - 1) + binary)


def domains(kb: KnowledgeBase) -> dict[str, dict[str, set]]:
    """Return the constants of each type in each interpretation."""
    found: dict[str, dict[str, set]] = {world: defaultdict(set) for world in kb.interpretations}
    for truth in ("true", "false", "unknown"):
        for fact in kb.facts(truth=truth):
            for kind, argument in zip(kb.schema[fact.predicate].types, fact.arguments, strict=True):
                found[fact.interpretation][kind].add(argument)
    return found


def possible(kb: KnowledgeBase, types: tuple[str, ...]) -> int:
    total = 0
    for constants in domains(kb).values():
        atoms = 1
        for kind in types:
            atoms *= len(constants[kind])
        total += atoms
    return total


def table(atoms: int, facts: int) -> float:
    return log2(atoms + 1) + log2(comb(atoms, facts))


def clause_bits(clause: Clause, symbol: float, constants: int) -> float:
    arguments = [
        a for atom in (clause.head, *(lit.atom for lit in clause.literals())) for a in atom.arguments
    ]
    variables = len({a for a in arguments if not isinstance(a, Constant)})
    total = 1 + gamma(variables) + 2 + 2 * (len(clause.alternatives) - 1)
    total += clause.length * (2 + symbol)
    for argument in arguments:
        total += log2(variables + 1) + (log2(constants) if isinstance(argument, Constant) else 0)
    return total


def recomputed(model: AutoEncoder, kb: KnowledgeBase) -> tuple[float, float]:
    """Return bits and plain bits, in thousandths rounded up item by item."""

    def up(bits: float) -> Fraction:
        return Fraction(ceil(bits * 1000 - 1e-5), 1000)

    predicates, targets = list(kb.predicates), list(kb.learnable)
    constants = len({argument for kinds in domains(kb).values() for s in kinds.values() for argument in s})
    cap = max(16, 4 * len(targets))
    latents = run_program(model.encoder_, kb)
    total = up(log2(cap + 2) + 1 + len(targets))
    for clause in model.encoder_:
        name = clause.head.predicate
        facts = sum(1 for _ in latents.facts(name))
        code = clause_bits(clause, log2(len(predicates) + 1), constants) + gamma(clause.head.arity)
        total += up(code + table(possible(kb, latents.schema[name].types), facts))
    for clause in model.decoder_:
        total += up(clause_bits(clause, log2(cap + 1), constants) + log2(len(targets)))
    outcome = model.reconstruct(kb)
    plain = Fraction(0)
    for score in outcome.predicates:
        atoms = possible(kb, kb.schema[score.predicate].types)
        total += (score.missing + score.false) * up(1 + log2(atoms))
        plain += up(table(atoms, score.facts))
    return float(total), float(plain)


FITS = {
    "the figure": (star_wars_figure, {"compression": 1}),
    "with mistakes": (
        star_wars_figure,
        {"encoder_length": 1, "compression": "0.7", "reconstruct_all": False},
    ),
    "by bits": (star_wars_figure, {"objective": "bits", "bottlenecks": (), "reconstruct_all": False}),
    "two worlds with types": (
        lambda: university(people=40, interpretations=2, noise=0.05).kb,
        {"encoder_length": 1, "compression": 1, "max_decoders": 300, "effort": 3},
    ),
    "background, propositions, negatives": (
        lambda: KnowledgeBase.from_facts(
            [("rainy",), ("wet", "roof"), ("wet", "street"), ("near", "roof", "street"), ("dry", "bed")],
            schema=parse_schema("rainy\nwet(place)\nbackground near(place, place)\nopen dry(place)"),
            negatives=[("dry", "roof"), ("wet", "sofa")],
        ),
        {"compression": 2},
    ),
}


@pytest.mark.parametrize(("data", "parameters"), FITS.values(), ids=FITS.keys())
def test_bits_are_those_of_the_documented_code(data, parameters) -> None:
    kb = data()
    model = AutoEncoder(**parameters).fit(kb)
    bits, plain = recomputed(model, kb)
    assert model.bits_ == pytest.approx(bits, abs=0.002)
    assert model.plain_bits_ == pytest.approx(plain, abs=0.002)
    assert model.bits_saved_ == pytest.approx(plain - bits, abs=0.004)
    if parameters.get("objective") == "bits":
        assert model.objective_ == model.bits_
        assert model.bound_ <= model.bits_


def test_fewer_bits_than_any_other_fit() -> None:
    """Minimising the bits gives no more of them than minimising anything else."""
    kb = star_wars_figure()
    options = {"bottlenecks": (), "reconstruct_all": False, "encoder_length": 1, "decoder_length": 2}
    least = AutoEncoder(objective="bits", **options).fit(kb)
    assert least.status_ == "optimal"
    for objective in ("loss", "lexicographic"):
        assert AutoEncoder(objective=objective, **options).fit(kb).bits_ >= least.bits_


def test_repetitive_data_is_described_in_fewer_bits() -> None:
    """Who likes whom is who knows whom: one latent predicate serves two predicates."""
    pairs = [(f"p{n}", f"p{n * k % 31}") for n in range(1, 31) for k in (2, 3, 5)]
    facts = [(name, *pair) for name in ("likes", "knows") for pair in pairs]
    model = AutoEncoder(1, 1, objective="bits", bottlenecks=()).fit(KnowledgeBase.from_facts(facts))
    assert len(model.encoder_) == 1
    assert model.loss_ == 0
    assert model.bits_saved_ > 0


def test_the_code_of_clauses_by_hand() -> None:
    code = ProgramCode(inputs=3, outputs=4, latents=15, constants=8)
    (clause,) = Program.parse("l(X) :- p(X,Y), q(Y,a) ; r(X).")
    # more clauses? 1; variables: gamma(3) = 5; end: 2; one more alternative: 2; three literals: 3 * (2 + 2);
    # six arguments of one in two variables or a constant: 6 * log2(3); one constant: 3; arity: gamma(2) = 3
    assert code.encoder([clause]) == pytest.approx(1 + 5 - 2 + 2 + 2 + 12 + 6 * log2(3) + 3 + 3)
    (clause,) = Program.parse("p(X,Y) :- l(X), k(Y,X).")
    # predicate: 2; more? 1; variables: 3; end: 2; literals: 2 * (2 + 4); arguments: 5 * log2(3)
    assert code.decoder([clause]) == pytest.approx(2 + 1 + 3 + 2 + 12 + 5 * log2(3))
    assert code.fixed == pytest.approx(log2(17) + 1 + 4)
