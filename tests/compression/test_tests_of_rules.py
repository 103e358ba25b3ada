r"""Negation and inequality: found where they were planted, and evaluated as the clauses they stand for."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compression.test_lossless import program_bits
from compression.worlds import comes_back, pairs, people, shuffled
from logicoder import KnowledgeBase, Program
from logicoder.compression.codec import say
from logicoder.compression.learned_plan import Compressor
from logicoder.engine.arrays.relation import unpack
from logicoder.engine.programs import run_program
from logicoder.kb import Predicate, Schema
from logicoder.logic.rules import UNEQUAL, Literal, Rule, clause_of
from tiny_data import REPEATABLE

Facts = set[tuple[str, ...]]


def clauses(facts: Facts, *predicates: str) -> list[str]:
    compressor = Compressor(shuffled(facts, 0))
    found = compressor.run()
    assert comes_back(compressor, found)
    parts = say(
        found.plan,
        compressor.database,
        {name: compressor.database.relation(name) for name in compressor.names},
    )
    said = sum(part.bits for part in parts) + program_bits(compressor, found.plan)
    assert found.bits == pytest.approx(said, abs=1e-3)
    return [str(c) for step in found.plan if step.predicate in predicates for c in step.clauses()]


def test_all_but_some_pairs() -> None:
    rng = random.Random(1)  # noqa: S311
    sold, paid = pairs("sold", 60, 900, rng), pairs("paid", 60, 200, rng)
    paid |= {("paid", x, y) for _, x, y in sold if rng.random() < 0.4}
    owed = {("owed", x, y) for _, x, y in sold if ("paid", x, y) not in paid}
    assert clauses(sold | paid | owed, "owed") == [r"owed(X,Y) :- sold(X,Y), \+ paid(X,Y)."]


def test_the_bound_covers_tests() -> None:
    """What is sold and what of it is paid is random, and has to be said, whatever the rules."""
    rng = random.Random(9)  # noqa: S311
    sold = pairs("sold", 40, 500, rng)
    paid = {("paid", x, y) for _, x, y in sold if rng.random() < 0.5}
    owed = {("owed", x, y) for _, x, y in sold if ("paid", x, y) not in paid}
    found = Compressor(shuffled(sold | paid | owed, 0)).run()
    assert any(rule.tested for rule in found.plan.rules())
    assert found.bound_scope == "pruned"
    assert 0.7 * found.bits <= found.bound <= found.bits


def test_all_but_those_that_have_something() -> None:
    rng = random.Random(2)  # noqa: S311
    person = {("person", f"p{i}") for i in range(200)}
    works = {("works", f"p{rng.randrange(200)}", f"c{rng.randrange(9)}") for _ in range(120)}
    other = {("lives", f"p{i}", f"t{rng.randrange(9)}") for i in range(200)}
    idle = {("idle", x) for _, x in person if x not in {row[1] for row in works}}
    assert clauses(person | works | other | idle, "idle") == [r"idle(X) :- person(X), \+ works(X,_)."]


def test_what_is_left_of_three_kinds() -> None:
    """Each animal is a bird, a fish or a mammal: one of the kinds is whatever the other two are not."""
    rng = random.Random(7)  # noqa: S311
    kinds = ("bird", "fish", "mammal")
    facts = {("animal", f"a{i}") for i in range(150)} | {(rng.choice(kinds), f"a{i}") for i in range(150)}
    found = clauses(facts, *kinds)
    both = {rf"{one}(X) :- animal(X), \+ {two}(X), \+ {three}(X)." for one, two, three in permutations(kinds)}
    assert len(both & set(found)) == 1


def test_a_condition_for_what_other_rules_leave() -> None:
    """That grade d and high attendance suffice shows only where grades a to c are out of the way."""
    rng = random.Random(8)  # noqa: S311
    facts: Facts = set()
    for name in people(240):
        grade, attendance = rng.choice("abcdf"), rng.choice(("low", "mid", "high"))
        facts |= {("grade", name, grade), ("attendance", name, attendance)}
        facts |= {("major", name, rng.choice(("cs", "maths", "law")))}
        if (grade in "abc" or (grade, attendance) == ("d", "high")) != (rng.random() < 0.02):
            facts.add(("passed", name))
    found = clauses(facts, "passed")
    assert {f"passed(X) :- grade(X,{grade})." for grade in "abc"} <= set(found)
    body = ("grade(X,d)", "attendance(X,high)")
    assert any(f"passed(X) :- {', '.join(order)}." in found for order in permutations(body))


def test_two_of_a_kind() -> None:
    rng = random.Random(3)  # noqa: S311
    wrote = {("wrote", f"p{rng.randrange(150)}", f"b{i}") for i in range(200)}
    number: dict[str, int] = {}
    for _, x, _ in wrote:
        number[x] = number.get(x, 0) + 1
    author = {("author", x) for x in number} | {("author", f"p{i}") for i in range(150)}
    busy = {("busy", x) for x, n in number.items() if n > 1}
    assert clauses(wrote | author | busy, "busy") == [r"busy(X) :- wrote(X,Y), wrote(X,Z), Y \= Z."]


def test_one_value_for_all_but_those_that_have_something() -> None:
    rng = random.Random(6)  # noqa: S311
    follows = {("next", f"e{i}", f"e{i + 1}") for i in range(400) if rng.random() < 0.8}
    begun = {row[2] for row in follows}
    hour = {("hour", f"e{i}", f"h{rng.randrange(9)}") for i in range(401)}
    kinds = ("view", "edit", "save")
    action = {("action", x, rng.choice(kinds) if x in begun else "login") for _, x, _ in hour}
    assert r"action(X,login) :- hour(X,_), \+ next(_,X)." in clauses(follows | hour | action, "action")


def test_different_ends_need_no_inequality_where_the_diagonal_is_apart() -> None:
    rng = random.Random(4)  # noqa: S311
    of = {("of", name, f"c{rng.randrange(12)}") for name in people(60)}
    mate = {("mate", x, y) for _, x, c in of for _, y, d in of if c == d and x != y}
    assert clauses(of | mate, "mate") in (
        ["mate(X,Y) :- of(X,Z), of(Y,Z)."],
        [r"mate(X,Y) :- of(X,Z), of(Y,Z), X \= Y."],
    )


def test_everything_but_the_diagonal_within_one_rule() -> None:
    """The diagonal of the head is none of the rule's business: p(x,x) holds for some x by another cause."""
    rng = random.Random(5)  # noqa: S311
    a = pairs("a", 50, 150, rng)
    b = pairs("b", 50, 150, rng)
    self_made = {("made", x, x) for x in people(50) if rng.random() < 0.5}
    made = {("made", x, z) for _, x, y in a for _, y2, z in b if y == y2 and x != z} | self_made
    compressor = Compressor(shuffled(a | b | made, 0))
    found = compressor.run()
    assert comes_back(compressor, found)
    assert any("a(X,Z), b(Z,Y)" in str(c) for step in found.plan for c in step.clauses())


SCHEMA = Schema.of(Predicate("p", ("t", "t")), Predicate("q", ("t", "t")), Predicate("r", ("t",)))


@st.composite
def rules_with_tests(draw) -> Rule:
    """Rules of one or two literals that bind, and one or two that test."""
    body = [Literal("p", draw(st.sampled_from([(0, 1), (1, 0), (0, 2)])))]
    body.append(Literal("q", draw(st.sampled_from([(0, 1), (2, 1), (1, 2)]))))
    bound = sorted({a for item in body for a in item.arguments})
    some = st.sampled_from(bound)
    for number in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(("pair", "some", "one", "unequal", "constant")))
        if kind == "pair":
            body.append(Literal("q", (draw(some), draw(some)), negated=True))
        elif kind == "some":
            body.append(Literal("p", draw(st.permutations((draw(some), 9 + number))), negated=True))
        elif kind == "one":
            body.append(Literal("r", (draw(some),), negated=True))
        elif kind == "constant":
            body.append(Literal("q", (draw(some), "e1"), negated=True))
        else:
            body.append(Literal(UNEQUAL, (draw(some), draw(some))))
    head = tuple(v for v in (0, 1) if v in bound)
    return Rule(head, tuple(Literal(x.predicate, tuple(x.arguments), x.negated) for x in body))


@REPEATABLE
@given(rules_with_tests(), st.integers(0, 2**32))
def test_tests_mean_what_the_clause_says(rule: Rule, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    names = people(5)
    facts = [(n, x, y) for n in ("p", "q") for x in names for y in names if rng.random() < 0.4]
    facts += [("r", x) for x in names if rng.random() < 0.4]
    kb = KnowledgeBase.from_facts(facts, schema=SCHEMA)
    compressor = Compressor(kb)
    if not {"p", "q", "r"} <= set(compressor.tables.names):
        return
    database = compressor.database
    types = compressor.tables.relation("p").types[: len(rule.head)]
    keys = compressor.tables.atoms(types, rule)
    assert (keys[1:] > keys[:-1]).all()
    columns = unpack(keys, [database.sizes[kind] for kind in types])
    symbols = [
        [str(database.symbols[database.symbol_of[kind][entity]]) for entity in column]
        for kind, column in zip(types, columns, strict=True)
    ]
    head = Schema.of(Predicate("h", ("t",) * len(rule.head)))
    derived = run_program(Program((clause_of("h", rule.head, rule.body),)), kb, head)
    assert set(zip(*symbols, strict=True)) == {tuple(map(str, fact.arguments)) for fact in derived}
