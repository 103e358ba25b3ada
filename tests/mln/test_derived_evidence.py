r"""Latent facts while a predicate is hidden: certain is what every completion derives by some body."""

from itertools import product

import pytest

from logicoder.base.errors import UsageError
from logicoder.kb import KnowledgeBase
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.logic import Program
from logicoder.mln import MarkovLogicNetwork, hard_formulas, infer
from logicoder.mln.derived_evidence import latent_evidence

from .naive_logic import PEOPLE, SCHEMA, worlds
from .test_program_formulas import derived

ENCODERS = [
    "l(X) :- p(X).",
    "l(X) :- p(X) ; q(X,X).",
    "l(X) :- q(X,Y), p(Y).",
    "l(X) :- p(X), \\+ q(X,X).",
    "l(X) :- p(X), \\+ q(X,_). l(X) :- q(X,X), p(X).",
    "k(X,Y) :- q(Y,X). l(X) :- p(X).",
    "m(X) :- q(X,X). l(X) :- m(X) ; p(X). n(X) :- p(X), \\+ l(X). o(X) :- n(X) ; p(X).",
    "m(X) :- p(X), \\+ q(X,X). l(X) :- m(X).",
]


def run(program, world):
    """Run the strata of a program, which come in order."""
    found = set(world)
    for name in program.defined():
        found |= derived(Program(tuple(c for c in program if c.head.predicate == name)), found)
    return found - set(world)


@pytest.mark.parametrize("text", ENCODERS)
@pytest.mark.parametrize("query", ["q", "p"])
def test_certain_atoms_hold_in_every_completion(text, query):
    encoder = Program.parse(text)
    schema = parse_schema(SCHEMA)
    hidden = (
        [(query, a) for a in PEOPLE]
        if query == "p"
        else [(query, *pair) for pair in product(PEOPLE, repeat=2)]
    )
    for number, world in enumerate(worlds()):
        if number % 13:
            continue
        kb = KnowledgeBase.from_facts(sorted(world), schema=schema)
        found = latent_evidence(encoder, kb, [query])
        latents = {(f.predicate, *f.arguments) for f in found.kb if f.predicate in encoder.defined()}
        assert {(f.predicate, *f.arguments) for f in found.kb} - latents == world
        visible = {atom for atom in world if atom[0] != query}
        completions = [
            run(encoder, visible | {atom for i, atom in enumerate(hidden) if mask >> i & 1})
            for mask in range(2 ** len(hidden))
        ]
        always = set.intersection(*completions)
        assert latents <= always
        changing = {atom[0] for atom in set.union(*completions) - always}
        assert changing <= set(found.open)
        for name in set(encoder.defined()) - set(found.open):
            assert {a for a in latents if a[0] == name} == {a for a in always if a[0] == name}


def test_a_question_through_latents():
    """The decoder rebuilds p from l; what l says of p itself is hidden."""
    schema = parse_schema(SCHEMA)
    kb = KnowledgeBase.from_facts([("p", "Anna"), ("q", "Bob", "Bob")], schema=schema)
    encoder = Program.parse("l(X) :- p(X) ; q(X,X).")
    decoder = Program.parse("p(X) :- l(X).")
    known = latent_evidence(encoder, kb, ["p"])
    network = MarkovLogicNetwork(known.kb.schema, hard_formulas(decoder).formulas)
    found = infer(network, known.kb, ["p"], open=known.open)
    # l('Bob') is certain; of Anna three of four states are possible, and p holds in two of them.
    assert found.probability("p('Bob')") == 1.0
    assert found.probability("p('Anna')") == pytest.approx(2 / 3)


def test_unknown_predicates_are_refused():
    kb = KnowledgeBase.from_facts([("p", "Anna")])
    with pytest.raises(UsageError, match="there is no predicate s"):
        latent_evidence(Program.parse("l(X) :- p(X)."), kb, ["s"])
