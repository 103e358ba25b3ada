from fractions import Fraction

import pytest

from logicoder.datasets import star_wars, star_wars_figure
from logicoder.logic import Program

from . import naive

FACTS = {
    "father": 7,
    "mother": 8,
    "son": 5,
    "daughter": 10,
    "brother": 1,
    "sister": 5,
    "grandparent": 12,
    "male": 12,
    "female": 8,
    "jedi": 6,
    "sith": 4,
    "saber": 11,
}


def test_star_wars_has_the_documented_facts() -> None:
    kb = star_wars()
    assert {name: kb.count(name) for name in kb.schema} == FACTS
    assert len(kb) == kb.size == 89
    assert kb.interpretations == ("star_wars",)


def test_star_wars_is_typed() -> None:
    schema = star_wars().schema
    assert schema.types() == ("colour", "person")
    assert schema["saber"].types == ("person", "colour")
    assert all(kind == "person" for p in schema.values() if p.name != "saber" for kind in p.types)


@pytest.mark.parametrize(
    "fact",
    [
        "father(vader,luke)",
        "father(vader,leia)",
        "mother(padme,luke)",
        "mother(padme,leia)",
        "saber(vader,red)",
    ],
)
@pytest.mark.parametrize("load", [star_wars, star_wars_figure])
def test_the_facts_of_the_paper_are_there(load, fact: str) -> None:
    assert fact in load()


def test_star_wars_has_a_lossless_program_with_62_latent_facts() -> None:
    encoder = Program.parse("""
        parent(X,Y) :- father(X,Y) ; mother(X,Y).
        sibling(X,Y) :- brother(X,Y) ; sister(X,Y).
        man(X) :- male(X).
        woman(X) :- female(X).
        light(X) :- jedi(X).
        dark(X) :- sith(X).
        wields(X,C) :- saber(X,C).
    """)
    decoder = Program.parse("""
        father(X,Y) :- parent(X,Y), man(X).
        mother(X,Y) :- parent(X,Y), woman(X).
        son(X,Y) :- parent(Y,X), man(X).
        daughter(X,Y) :- parent(Y,X), woman(X).
        brother(X,Y) :- sibling(X,Y), man(X).
        sister(X,Y) :- sibling(X,Y), woman(X).
        grandparent(X,Z) :- parent(X,Y), parent(Y,Z).
        male(X) :- man(X).
        female(X) :- woman(X).
        jedi(X) :- light(X).
        sith(X) :- dark(X).
        saber(X,C) :- wields(X,C).
    """)
    facts = naive.ground_atoms(star_wars())
    latent = naive.derive(encoder, facts)
    assert len(latent) == 62
    assert naive.derive(decoder, latent) == facts


def test_a_red_saber_marks_a_sith_with_one_exception() -> None:
    facts = naive.ground_atoms(star_wars())
    marked = naive.derive(Program.parse("sith(X) :- saber(X,red)."), facts)
    assert marked - facts == {("star_wars", "sith", ("ben",))}
    assert {fact for fact in facts if fact[1] == "sith"} <= marked


def test_the_figure_has_the_numbers_of_the_paper() -> None:
    kb = star_wars_figure()
    assert Fraction(kb.size, len(kb.learnable)) == Fraction(9, 5)
    parent = naive.derive(Program.parse("latent1(X,Y) :- mother(X,Y) ; father(X,Y)."), naive.ground_atoms(kb))
    assert len(parent) == 4
