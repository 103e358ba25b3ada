"""Every system counts and samples the same, as arrays count; what they derive is in `test_every_engine`."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE

from logicoder import KnowledgeBase, Program
from logicoder.base.effort import StoppedError
from logicoder.base.stopping import StopToken
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.stored_search import StoredSearch
from logicoder.engine.arrays.rules.closed_forms import FORMS, closure_of
from logicoder.engine.arrays.rules.spaces import SpacesOf
from logicoder.engine.sql.closures import Closures
from logicoder.engine.sql.join_sizes import JoinSizes
from logicoder.engine.sql.sample import sampled
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.space_counts import Look, SpaceCounts
from logicoder.engine.sql.stored_data import StoredData
from logicoder.logic.rules import Literal, Rule

from .systems import EXAMPLES


def rows_of(session, relation):
    return session.rows(f"SELECT * FROM {relation.table}", "testing")


def test_recursion_over_more_rounds_than_are_kept_apart(session):
    steps = 10 if session.system == "spark" else 40
    kb = KnowledgeBase.from_facts([("edge", f"n{i}", f"n{i + 1}") for i in range(steps)])
    program = Program.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z).")
    data = StoredData.of(kb, session)
    found = data.runs.run(program, data.relations)["path"]
    assert len(rows_of(session, found)) == steps * (steps + 1) // 2
    session.clear()


def test_spaces_are_counted_as_arrays_count_them(session):
    @settings(REPEATABLE, max_examples=max(2, EXAMPLES[session.system] // 3))
    @given(worlds.knowledge_bases())
    def check(kb):
        compressor = Compressor(kb)
        data = StoredData.of(kb, session)
        counts = SpaceCounts(data, kb.schema)
        for name in kb.learnable:
            every = SpacesOf(compressor.database, name, compressor.database.relation(name)).every()
            for space in every[:: 1 if session.system != "spark" else 4]:
                told = (0, 1) if space.symmetric and space.places else space.places
                found = counts.look(Look(name, told, space.apart, space.symmetric))
                assert (found.atoms, found.facts) == (space.atoms, space.facts)
                assert (found.diagonal, found.one_sided) == (space.diagonal, space.one_sided)
                assert (found.domains, found.values) == (space.domains, space.values)
        session.clear()

    check()


def test_messages_are_judged_as_arrays_judge_them(session):
    """What was found in memory, judged by coverage classes of the system, takes no more bits."""

    @settings(REPEATABLE, max_examples=max(1, EXAMPLES[session.system] // 6))
    @given(worlds.knowledge_bases())
    def check(kb):
        compressor = Compressor(kb)
        found = compressor.run()
        judged = StoredSearch(compressor, found, StoredData.of(kb, session), kb.schema).message()
        assert judged.plain_bits == pytest.approx(found.plain_bits)
        assert judged.domain_bits == pytest.approx(found.domain_bits)
        for name, choice in judged.choices.items():
            known = found.choices[name]
            if choice.form == known.form and [x.rules for x in choice.layers] == [
                x.rules for x in known.layers
            ]:
                counts = [(x.derived, x.true) for x in choice.layers]
                assert counts == [(x.derived, x.true) for x in known.layers]
        assert judged.bits <= found.bits * 1.02 + 1
        session.clear()

    check()


def test_closures_are_counted_as_arrays_count_them(session):
    rng = random.Random(5)  # noqa: S311
    tries, size = (2, 5) if session.system == "spark" else (8, 8)  # what is deep takes more queries
    for number in range(tries):
        names = [f"n{i}" for i in range(size)]
        form = ("transitive", "equivalence")[number % 2]
        facts = {("p", rng.choice(names), rng.choice(names)) for _ in range(size + 6)}
        if number >= tries // 2:
            groups = [names[:3], names[3 : size - 1]]
            facts |= {
                ("p", x, y)
                for group in groups
                for x in group
                for y in group
                if x < y or form == "equivalence"
            }
        kb = KnowledgeBase.from_facts(sorted(facts), types="one")
        compressor = Compressor(kb)
        spaces = SpacesOf(compressor.database, "p", compressor.database.relation("p"))
        space = spaces.space((), apart=True, symmetric=form == "equivalence")
        expected = closure_of(space, FORMS[form])
        data = StoredData.of(kb, session)
        seen = SpaceCounts(data, kb.schema).seen
        look = Look("p", (), apart=True, symmetric=form == "equivalence")
        found = Closures(data).counts(form, "p", [], lambda query, look=look, seen=seen: seen(query, look))
        if expected.base:  # of what is not transitive at all, arrays make no base
            assert found == (
                expected.given,
                expected.base,
                expected.derived,
                expected.false,
                expected.missing,
            )
        session.clear()


def test_a_sample_is_all_facts_about_some_constants(session):
    rng = random.Random(3)  # noqa: S311
    people = [f"p{i}" for i in range(400)]
    facts = {("likes", rng.choice(people), rng.choice(people)) for _ in range(900)}
    facts |= {("born", person, f"c{rng.randrange(5)}") for person in people}
    kb = KnowledgeBase.from_facts(sorted(facts))
    data = StoredData.of(kb, session)
    part, whole = sampled(data, 300)
    assert not whole
    constants = {value for fact in part for value in fact.arguments}
    expected = {str(fact) for fact in kb if constants.issuperset(fact.arguments)}
    assert set(map(str, part)) == expected
    assert 100 < len(part) <= 700
    session.clear()


def test_a_query_that_fails_tells_what_it_was_for(session):
    with pytest.raises(QueryError, match=f"{session.name} failed while looking for trouble"):
        session.rows("SELECT nothing FROM nowhere", "looking for trouble")


def test_a_query_ends_when_somebody_says_stop(session):
    kb = KnowledgeBase.from_facts([("p", f"a{i}") for i in range(2_000)])
    data = StoredData.of(kb, session)
    table = data.relations["p"].table
    before, session.stop = session.stop, StopToken(seconds=0.3)
    # A task of Spark that only joins does not hear that it was cancelled, and would keep a core for ever.
    tables = 3 if session.system == "spark" else 5
    joined = ", ".join(f"{table} AS t{i}" for i in range(tables))
    long = f"SELECT count(*) FROM {joined} WHERE t0.a1 < t{tables - 1}.a1 AND md5(t2.a1) < t1.a1"
    try:
        with pytest.raises(StoppedError):
            session.rows(long, "counting")
    finally:
        session.stop = before
    assert session.value(f"SELECT count(*) FROM {table}", "counting") == 2_000
    session.clear()


def test_sizes_of_joins_are_never_underestimated(session):
    @settings(REPEATABLE, max_examples=max(1, EXAMPLES[session.system] // 3))
    @given(st.data())
    def check(drawn):
        kb = drawn.draw(worlds.knowledge_bases())
        binary = [name for name in kb.schema if kb.schema[name].arity == 2] or [kb.learnable[0]]
        body = []
        for _ in range(drawn.draw(st.integers(2, 3))):
            name = drawn.draw(st.sampled_from(binary))
            numbers = st.integers(0, 3)
            body.append(Literal(name, tuple(drawn.draw(numbers) for _ in range(kb.schema[name].arity))))
        rule = Rule((body[0].arguments[:1]), tuple(body))
        data = StoredData.of(kb, session)
        sizes = JoinSizes(data, data.relations)
        size = len(_tuples(kb, body))
        assert sizes.within(rule, size - 1) is False or size == 0
        shared = sum(
            len(set(x.arguments) & {a for y in body[:i] for a in y.arguments}) for i, x in enumerate(body)
        )
        repeated = any(len(set(x.arguments)) < len(x.arguments) for x in body)
        if shared == len(body) - 1 and not repeated:  # a tree: the size is exact
            assert sizes.within(rule, size)
        session.clear()

    check()


def _tuples(kb, body):
    found = [(world, {}) for world in range(len(kb.interpretations))]
    for item in body:
        table = kb.table(item.predicate)
        rows = list(zip(table.worlds.tolist(), table.arguments.tolist(), strict=True))
        found = [
            (world, bound | dict(zip(item.arguments, row, strict=True)))
            for world, bound in found
            for own, row in rows
            if own == world
            and len({(a, v) for a, v in zip(item.arguments, row, strict=True)}) == len(set(item.arguments))
            and all(bound.get(a, v) == v for a, v in zip(item.arguments, row, strict=True))
        ]
    return found
