"""What a lossless encoding costs in bits: by hand, by counting, and as the learner counts it."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder
from logicoder.datasets import university
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.problem.bits import exception_bits, log2_choose, table_bits


@pytest.mark.parametrize("possible", range(7))
def test_bits_of_facts_count_subsets(possible):
    for count in range(possible + 1):
        subsets = len(list(combinations(range(possible), count)))
        assert math.isclose(table_bits(possible, count), math.log2(possible + 1) + math.log2(subsets))


@pytest.mark.parametrize(
    ("possible", "count"),
    [
        (10**6, 999),
        (10**6, 1000),
        (10**5, 40_000),
        (10**5, 99_000),
        (2000, 1000),
        (10**18, 1500),
        (10**30, 2),
    ],
)
def test_bits_of_many_facts_are_exact(possible, count):
    # Python takes logarithms of whole numbers of any size.
    assert math.isclose(log2_choose(possible, count), math.log2(math.comb(possible, count)), rel_tol=1e-12)


PARENTS = AutoEncoder.from_programs(
    "parent(X,Y) :- mother(X,Y) ; father(X,Y).", "mother(X,Y) :- parent(X,Y).  father(X,Y) :- parent(X,Y)."
)


def test_bits_by_hand():
    kb = KnowledgeBase.from_facts([("mother", "padme", "luke"), ("father", "vader", "luke")])
    bits = PARENTS.encode_losslessly(kb).bits
    # Three constants, so nine possible atoms of each predicate; one derived atom too many for each of two.
    assert math.isclose(bits.plain, 2 * (math.log2(10) + math.log2(9)))
    assert math.isclose(bits.latent, math.log2(10) + math.log2(36))
    assert math.isclose(bits.exceptions, 2 * (math.log2(9) + 1))
    # All clauses: more clauses? 1; two variables: 3; end: 2; arguments of one in two variables or a constant.
    code = 1 + 3 + 2
    encoder = code + 3 + 2 + 2 * (2 + math.log2(3)) + 6 * math.log2(3)  # arity, another alternative, literals
    decoder = code + 1 + (2 + math.log2(17)) + 4 * math.log2(3)  # one of two predicates, one of 16 latents
    fixed = math.log2(18) + 1 + 2
    assert math.isclose(bits.program, encoder + 2 * decoder + fixed)
    assert math.isclose(bits.saved, bits.plain - bits.latent - bits.exceptions - bits.program)
    assert exception_bits(0) == 1


def test_more_latents_than_the_code_provides_for_take_longer_names():
    """The code names one of 16 latents; programs with more of them say how many there are."""
    facts = [(f"p{number}", "a") for number in range(20)]

    def program_bits(latents):
        encoder = " ".join(f"l{n}(X) :- p{n}(X)." for n in range(latents))
        decoder = " ".join(f"p0(X) :- l{n}(X)." for n in range(latents))
        kb = KnowledgeBase.from_facts(facts)
        return AutoEncoder.from_programs(encoder, decoder).encode_losslessly(kb).bits.program

    twelve, sixteen, twenty = map(program_bits, (12, 16, 20))
    longer = (twenty - sixteen) - (sixteen - twelve)
    assert math.isclose(longer, 20 * (math.log2(21) - math.log2(17)) + math.log2(22) - math.log2(18))


def test_the_learner_counts_the_same_bits():
    world = university(people=25, seed=1)
    model = AutoEncoder(1, 2, compression=2).fit(world.kb)
    bits = model.encode_losslessly(world.kb).bits
    assert math.isclose(model.plain_bits_, bits.plain, abs_tol=0.1)
    assert math.isclose(model.bits_, bits.latent + bits.exceptions + bits.program, abs_tol=0.1)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_planted_programs_save_bits(noise):
    world = university(people=100, interpretations=2, seed=3, noise=noise)
    model = AutoEncoder.from_programs(world.encoder, world.decoder, schema=world.kb.schema)
    encoded = model.encode_losslessly(world.kb)
    assert encoded.bits.saved > 0
    assert (len(encoded.exceptions) > 0) == (noise > 0)
    assert model.decode_losslessly(encoded.latent, encoded.exceptions) == world.kb


def test_learned_programs_save_bits_on_planted_data():
    world = university(people=40, seed=3)
    model = AutoEncoder(compression=world.compression, max_decoders=500).fit(world.kb)
    assert model.encode_losslessly(world.kb).bits.saved > 0


def test_the_programs_of_a_stack_cost_what_its_layers_cost():
    kb = KnowledgeBase.from_facts([(f"p{number}", "a", "b") for number in range(5)])
    below = AutoEncoder.from_programs(
        "l(X,Y) :- p0(X,Y), p1(X,Y). k(X) :- p2(X,Y), p3(X,Y).", "p0(X,Y) :- l(X,Y), k(X). p4(X,Y) :- l(X,Y)."
    )
    above = AutoEncoder.from_programs("m(X,Y) :- l(X,Y), k(X).", "l(X,Y) :- m(X,Y). k(X) :- m(X,Y).")
    whole = StackedAutoEncoder.from_layers([below, above]).encode_losslessly(kb)
    latent = below.transform(kb)
    parts = below.encode_losslessly(kb), above.encode_losslessly(latent)
    assert math.isclose(whole.bits.program, sum(part.bits.program for part in parts))
    assert math.isclose(whole.bits.latent, parts[1].bits.latent)


def test_constants_in_programs_leave_the_plain_facts_as_long_as_they_are():
    """A small type whose constants are not in every interpretation: the plain facts know of no programs."""
    builder = KnowledgeBaseBuilder(parse_schema("likes(person, colour)\ntall(person)"))
    for name, colours in {"a": ["red", "green"], "b": ["red", "blue"], "c": ["blue"]}.items():
        world = builder.interpretation(name)
        builder.add("tall", ("x0",), world)
        for colour in colours:
            for person in ("x0", "x1", "x2"):
                builder.add("likes", (person, colour), world)
    kb = builder.build()
    plain, rich = (AutoEncoder(1, 1, compression=2, constants=n).fit(kb) for n in (0, 5))
    assert rich.plain_bits_ == plain.plain_bits_
    bits = rich.encode_losslessly(kb).bits
    assert math.isclose(rich.plain_bits_, bits.plain, abs_tol=0.1)
    assert math.isclose(rich.bits_, bits.latent + bits.exceptions + bits.program, abs_tol=0.1)


def test_plain_bits_are_those_of_the_data_whatever_a_program_derives():
    kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a")])
    plain, strange = (
        AutoEncoder.from_programs("l(X) :- p(X).", decoder).encode_losslessly(kb).bits.plain
        for decoder in ("p(X) :- l(X).", "p(X) :- l(X). p(elsewhere) :- l(X).")
    )
    assert plain == strange
