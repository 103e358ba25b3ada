"""Short candidates are counted by joins as clingo counts them one by one, in every system."""

from __future__ import annotations

import itertools
from hashlib import md5

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.asp import derived
from tests.engine.random_programs import REPEATABLE, knowledge_bases

from logicoder import KnowledgeBase, Program
from logicoder.engine.sql.candidate_rows import CHAIN, SHAPES, STRAIGHT, Head
from logicoder.engine.sql.derived_counts import DerivedCounts
from logicoder.engine.sql.relations import Relation
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.step_tables import Steps
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.walk_counts import Limits, WalkCounts

from .systems import EXAMPLES, WITHOUT_SPARK


def heads_of(kb, least=1):
    return [
        Head(name, predicate.types, len(kb.table(name).arguments), least)
        for name, predicate in kb.schema.items()
        if predicate.arity in (1, 2) and len(kb.table(name).arguments)
    ]


def literals_of(kb, variables):
    """All literals of up to three places with some of the variables, each once; `_` stands elsewhere."""
    for name, predicate in kb.schema.items():
        if 1 <= predicate.arity <= 3 and len(kb.table(name).arguments):
            for arguments in itertools.product([*variables, "_"], repeat=predicate.arity):
                shown = [a for a in arguments if a != "_"]
                if sorted(shown) == sorted(variables):
                    yield name, arguments


def bodies_of(kb, head):
    """All bodies of the three shapes for a head, by definition and not by steps."""
    if len(head.types) == 1:
        yield from ([one] for one in literals_of(kb, "X"))
        for name, predicate in kb.schema.items():
            for pair in itertools.combinations(range(predicate.arity), 2):
                if predicate.arity <= 3 and len(kb.table(name).arguments):
                    yield [(name, tuple("X" if i in pair else "_" for i in range(predicate.arity)))]
        yield from itertools.combinations(literals_of(kb, "X"), 2)
        yield from itertools.product(literals_of(kb, "XZ"), literals_of(kb, "Z"))
        yield from itertools.combinations_with_replacement(literals_of(kb, "XZ"), 2)
        return
    yield from ([one] for one in literals_of(kb, "XY"))
    yield from itertools.product(literals_of(kb, "XZ"), literals_of(kb, "ZY"))
    yield from itertools.product(literals_of(kb, "X"), literals_of(kb, "XY"))
    yield from itertools.product(literals_of(kb, "XY"), literals_of(kb, "Y"))


def well_typed(kb, head, body):
    types = dict(zip("XY", head.types, strict=False))
    return all(
        types.setdefault(a, kind) == kind
        for name, arguments in body
        for a, kind in zip(arguments, kb.schema[name].types, strict=True)
        if a != "_"
    )


def redundant(body):
    """Whether a literal follows from the other one, or both are the same."""
    if len(body) == 1:
        return False
    (one, first), (other, second) = body
    return one == other and any(
        all(b in (a, "_") for a, b in zip(*pair, strict=True)) for pair in ((first, second), (second, first))
    )


def reading(head, body):
    return head, frozenset((name, tuple(arguments)) for name, arguments in body)


def expected_of(kb):
    """Return for each candidate the atoms that clingo derives with it."""
    bodies = {}
    for head in heads_of(kb):
        for body in bodies_of(kb, head):
            if head.name not in {n for n, _ in body} and well_typed(kb, head, body) and not redundant(body):
                bodies[reading(head.name, body)] = (head, body)
    clauses = [
        f"candidate{number}({','.join('XY'[: len(head.types)])}) :- "
        + ", ".join(f"{name}({','.join(arguments)})" for name, arguments in body)
        + "."
        for number, (head, body) in enumerate(bodies.values())
    ]
    atoms = [set() for _ in bodies]
    for world, name, row in derived(Program.parse(" ".join(clauses)), kb) if clauses else ():
        atoms[int(name.removeprefix("candidate"))].add((world, row))
    return dict(zip(bodies, atoms, strict=True))


def reading_of(row, walks):
    """Return a candidate as the tests write it."""
    head = walks.heads[row.head]
    rule = row.rule(walks.heads, walks.steps.every)
    every = [a for item in rule.body for a in item.arguments]
    names = dict(zip(rule.head, "XY", strict=False))
    names |= {a: "Z" if every.count(a) > 1 else "_" for a in every if a not in names}
    return reading(head.name, [(x.predicate, [names[a] for a in x.arguments]) for x in rule.body])


def facts_of(kb):
    found = {}
    for fact in kb:
        atom = fact.interpretation, tuple(map(str, fact.arguments))
        found.setdefault(fact.predicate, set()).add(atom)
    return found


def checked(kb, data):
    """Count everything and compare it with what clingo derives; return how many candidates there were."""
    if data.session.system != "spark":
        _checked(kb, Steps(data, kb.schema))
    with Steps(data, kb.schema) as copied:
        return _checked(kb, copied)


def _checked(kb, steps):
    expected, facts = expected_of(kb), facts_of(kb)
    walks = WalkCounts(steps, heads_of(kb))
    counted = dict(walks.counted())
    found = {reading_of(row, walks): true for row, true in counted.items()}
    assert len(found) == len(counted), "no two candidates say the same"
    true = {key: len(atoms & facts[key[0]]) for key, atoms in expected.items()}
    assert found == {key: number for key, number in true.items() if number >= 2}
    for shape in SHAPES:
        for one in DerivedCounts(walks).counted(shape, [row for row in counted if row.shape == shape]):
            key = reading_of(one.row, walks)
            assert (one.derived, one.true, one.share) == (len(expected[key]), true[key], 1.0)
    return len(found)


def test_all_candidates_are_counted_as_clingo_counts_them(session):
    kb = KnowledgeBase.from_facts(
        {"p": [("a", "b"), ("b", "a"), ("c", "c")], "q": [("a", "a"), ("b", "c"), ("c", "c")]}
        | {"u": [("a",), ("c",)], "v": [("a",), ("b",), ("c",)], "t": [("a", "b", "c"), ("c", "c", "c")]},
        types="one",
    )
    elsewhere = {"p": [("a", "c"), ("b", "a")], "q": [("c", "b")], "u": [("b",)], "v": [("b",), ("c",)]}
    other = KnowledgeBase.from_facts(elsewhere, schema=kb.schema, interpretation="elsewhere")
    kb = KnowledgeBase.union([kb, other])
    assert checked(kb, StoredData.of(kb, session)) > 100
    session.clear()


@WITHOUT_SPARK
def test_all_candidates_of_random_data(session):
    @settings(REPEATABLE, max_examples=EXAMPLES[session.system] // 4)
    @given(worlds.knowledge_bases() | knowledge_bases(negatives=False))
    def check(kb):
        checked(kb, StoredData.of(kb, session))
        session.clear()

    check()


def chosen(text, share):
    return share == 1 or md5(text.encode(), usedforsecurity=False).hexdigest() < f"{int(share * 2**64):016x}"


def test_counts_are_exact_for_the_values_that_a_hash_chooses(session):
    people = [f"p{i}" for i in range(40)]
    knows = [(x, people[(3 * i + k) % 40]) for i, x in enumerate(people) for k in range(6)]
    likes = [(x, people[(5 * i + k) % 40]) for i, x in enumerate(people) for k in range(4)]
    kb = KnowledgeBase.from_facts({"knows": knows, "likes": likes, "meets": likes[:90]}, types="one")
    data = StoredData.of(kb, session)
    limits = Limits(facts=(150, 50), walks=(6000, 2000), atoms=(100, 100))
    walks = WalkCounts(Steps(data, kb.schema), heads_of(kb), limits)
    counted = dict(walks.counted())
    assert min(walks.shares) < 1
    expected, facts = expected_of(kb), facts_of(kb)
    shares = set()
    for shape in SHAPES[:2]:
        rows = [row for row in counted if row.shape == shape][:12]
        for one in DerivedCounts(walks, limits).counted(shape, rows):
            key, place = reading_of(one.row, walks), walks.heads[one.row.head].places[0]
            atoms = {atom for atom in expected[key] if chosen(atom[1][place], one.share)}
            assert (one.derived, one.true) == (len(atoms), len(atoms & facts[key[0]]))
            shares.add((shape, one.share))
    assert {shape for shape, share in shares if share < 1} == {STRAIGHT, CHAIN}
    session.clear()


@WITHOUT_SPARK
def test_what_is_too_large_is_left_out_and_told(session):
    hub = [("hub", f"e{i}") for i in range(30)]
    pairs = [(f"e{i}", f"e{(i + 1) % 30}") for i in range(30)]
    facts = {"of": hub, "near": pairs, "by": pairs[:20]}
    kb = KnowledgeBase.from_facts(facts, types="one")
    data = StoredData.of(kb, session)
    limits = Limits(hub=20, atoms=(10, 10), beyond=3, candidates=40)
    heads = [head for head in heads_of(kb) if head.name != "of"]
    walks = WalkCounts(Steps(data, kb.schema), [*heads, Head("of", ("thing", "thing"), 30, 1)], limits)
    rows = list(dict(walks.counted()))
    found = [c for shape in SHAPES for c in DerivedCounts(walks, limits).counted(shape, _of(rows, shape))]
    assert walks.heads[-1].turned, "walks begin at the end that is no hub"
    assert any("derive too much" in words for words in walks.told)
    assert any("with fewer facts" in words for words in walks.told)
    assert 0 < len(found) < len(rows)
    session.clear()


def _of(rows, shape):
    return [row for row in rows if row.shape == shape]


@WITHOUT_SPARK
def test_a_query_that_fails_tells_the_shape_of_its_candidates(session):
    pairs = [("a", "b"), ("b", "c"), ("c", "a")]
    kb = KnowledgeBase.from_facts({"p": pairs, "q": pairs, "r": pairs}, types="one")
    data = StoredData.of(kb, session)
    walks = WalkCounts(Steps(data, kb.schema), heads_of(kb))
    rows = list(dict(walks.counted()))
    data.relations["q"] = Relation(session.quoted("nowhere"), 2)
    told = r"candidates p\(X,Y\) :- q1\(X,Z\), q2\(Z,Y\)"
    with pytest.raises(QueryError, match=told):
        list(DerivedCounts(walks).counted(CHAIN, _of(rows, CHAIN)))
    session.clear()
