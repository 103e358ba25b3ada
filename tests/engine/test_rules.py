"""Counts, closures, classes and walks of rules against what single rules derive, and against plain Python."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compression.worlds import knowledge_bases, pairs, people
from logicoder import KnowledgeBase, Program
from logicoder.base.effort import Effort
from logicoder.base.memory import MemoryBudget
from logicoder.compression.learned_plan import Compressor
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules import closed_forms, dense_chains, walks
from logicoder.engine.arrays.rules.closed_forms import FORMS
from logicoder.engine.arrays.rules.counted import Counted
from logicoder.engine.arrays.rules.counts import RuleCounts
from logicoder.engine.arrays.rules.refinements import Refinements
from logicoder.engine.arrays.rules.rule_classes import classes_of_atoms
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, SpacesOf, key_columns
from logicoder.engine.arrays.rules.walks import Walks
from logicoder.engine.arrays.rules.wide import wide_rules
from logicoder.engine.programs import run_program
from logicoder.logic.rules import Literal, Rule
from tiny_data import REPEATABLE

TIMES = settings(REPEATABLE, max_examples=40)


class Counting:
    """All there is to count rules of some data, without any bound on what they can pay."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.database = Database(kb)
        used = [name for name in kb.predicates if kb.schema[name].arity]
        self.tables = RuleTables(self.database, {name: self.database.relation(name) for name in used})
        self.spaces = Compressor(kb)._heads().tried
        self.effort = Effort()
        least = [1] * len(self.spaces)
        shared = (self.tables, self.spaces, least)
        self.counts = RuleCounts(*shared, lambda numbers, *_: np.ones(len(numbers)), self.effort)
        worth = self.counts.worth
        self.refinements = Refinements(*shared, worth, self.effort, self.counts)
        self.wide = wide_rules(*shared, self.effort)

    def counted(self, rule: Rule, number: int) -> Counted:
        space = self.spaces[number]
        atoms = space.within(self.tables.atoms(space.types, rule))
        return Counted(number, rule, len(atoms), int(space.true(atoms).sum()))


@TIMES
@given(knowledge_bases())
def test_what_is_counted_is_what_rules_derive(kb: KnowledgeBase) -> None:
    counting = Counting(kb)
    found = [*counting.counts.single(), *counting.counts.chains(), *counting.wide]
    found += [*counting.refinements.constants(), *counting.refinements.long_chains()]
    found += counting.refinements.products()
    found += counting.refinements.longer(found[:: max(1, len(found) // 20)])
    for item in found[:: max(1, len(found) // 300)]:
        assert item == counting.counted(item.rule, item.space)


@TIMES
@given(knowledge_bases())
def test_dense_and_sparse_chains_are_the_same_and_all_there_are(kb: KnowledgeBase) -> None:
    counting = Counting(kb)
    found = {(item.space, item.rule): item for item in counting.counts.chains()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense_chains, "_SHARE", 0.0)
        sparse = Counting(kb)
        assert found == {(item.space, item.rule): item for item in sparse.counts.chains()}
    for number, space in enumerate(counting.spaces):
        if len(space.types) != 2:
            continue
        views = [view for view in counting.tables.views if view.predicate != space.predicate]
        for left, right in product(views, views):
            if (left.types[0], right.types[1]) == space.types and left.types[1] == right.types[0]:
                fresh = left.literal(0, 2, 3)
                rule = Rule((0, 1), (fresh[0], right.literal(2, 1, fresh[1])[0]))
                assert (counting.counted(rule, number).true > 0) == ((number, rule) in found)


VARIABLES = (0, 1, 2, 3)


@st.composite
def rules(draw) -> tuple[KnowledgeBase, str, Rule]:
    """A connected rule for a head of one or two places, perhaps with a constant, and data for it."""
    rng = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311
    names = people(6)
    facts = [("h", x, y) for x in names for y in names] + [("u", x) for x in names]
    facts += [(p, x, y) for p in "abc" for x, y in product(names, names) if rng.random() < 0.3]
    facts += [("d", *rng.choices(names, k=3)) for _ in range(12)] + [("e", x) for x in names[:3]]
    arities = {"a": 2, "b": 2, "c": 2, "d": 3, "e": 1}
    head = (0, 1) if rng.random() < 0.7 else (0,)
    while True:
        body = []
        for _ in range(rng.randint(1, 3)):
            predicate = rng.choice("abcde")
            terms = [rng.choice((*VARIABLES, 4 + len(body))) for _ in range(arities[predicate])]
            body.append(Literal(predicate, tuple("e0" if rng.random() < 0.1 else t for t in terms)))
        bound = {t for item in body for t in item.arguments}
        if set(head) <= bound and _connected(body):
            return KnowledgeBase.from_facts(facts), "h" if len(head) == 2 else "u", Rule(head, tuple(body))


def _connected(body: list[Literal]) -> bool:
    sets = [{t for t in item.arguments if isinstance(t, int)} for item in body]
    reached = sets.pop(0)
    while near := next((s for s in sets if s & reached), None):
        reached |= near
        sets.remove(near)
    return not sets


@settings(TIMES, max_examples=300)
@given(rules())
def test_atoms_are_those_of_the_other_evaluator(made: tuple[KnowledgeBase, str, Rule]) -> None:
    kb, head, rule = made
    database = Database(kb)
    tables = RuleTables(database, {name: database.relation(name) for name in kb.predicates})
    types = database.relation(head).types
    keys = tables.atoms(types, rule)
    assert (np.diff(keys) > 0).all()
    columns = key_columns(keys, [database.sizes[kind] for kind in types])
    names = [
        [database.symbols[s] for s in database.symbol_of[kind][column].tolist()]
        for kind, column in zip(types, columns, strict=True)
    ]
    program = Program((rule.clause(head),))
    expected = {tuple(map(str, f.arguments)) for f in run_program(program, kb, kb.schema.restricted([head]))}
    assert set(zip(*names, strict=True)) == expected


# -- closures -----------------------------------------------------------------------------------------


def relation_space(edges: set[tuple[int, int]], size: int, *, symmetric: bool) -> Space:
    facts = [("p", f"{x:02}", f"{y:02}") for x, y in edges]
    # Constants are numbered as they come.
    kb = KnowledgeBase.from_facts([*(("all", f"{i:02}", f"{i:02}") for i in range(size)), *facts])
    database = Database(kb)
    assert database.sizes[database.relation("p").types[0]] == size
    return SpacesOf(database, "p", database.relation("p")).space((), apart=True, symmetric=symmetric)


EDGES = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


@settings(TIMES, max_examples=100)
@given(EDGES, st.sampled_from([1, 7, 10**6]))
def test_closures_are_those_of_plain_python(edges: set[tuple[int, int]], at_once: int) -> None:
    edges = {(x, y) for x, y in edges if x != y} or {(0, 1)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closed_forms, "_AT_ONCE", at_once)
        space = relation_space(edges, 10, symmetric=False)
        reached = set(edges)
        while more := {(x, z) for x, y in reached for y2, z in reached if y == y2} - reached:
            reached |= more
        spent = set()
        for small in (0, 100):  # dense matrices take as much work as sparse ones
            patch.setattr(closed_forms, "_SMALL", small)
            effort = Effort()
            closed = FORMS["transitive"].close(space, space.keys, effort)
            assert closed.tolist() == sorted(10 * x + y for x, y in reached if x != y)
            spent.add(effort.spent)
        assert len(spent) == 1
        space = relation_space(edges, 10, symmetric=True)
        group = list(range(10))
        for x, y in edges:
            group = [group[x] if g == group[y] else g for g in group]
        pairs_ = [10 * x + y for x, y in product(range(10), range(10)) if x < y and group[x] == group[y]]
        assert FORMS["equivalence"].close(space, space.keys, Effort()).tolist() == pairs_


@settings(TIMES, max_examples=60)
@given(EDGES, st.sampled_from(["transitive", "equivalence"]), st.booleans())
def test_bases_do_not_depend_on_parts_or_effort(edges: set[tuple[int, int]], form: str, closed: bool) -> None:
    edges = {(x, y) for x, y in edges if x != y} or {(0, 1)}
    space = relation_space(edges, 10, symmetric=form == "equivalence")
    if closed:
        every = FORMS[form].close(space, space.keys)
        space = relation_space({divmod(int(key), 10) for key in every}, 10, symmetric=form == "equivalence")
    base = FORMS[form].base(space, np.empty(0, np.int64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closed_forms, "_AT_ONCE", 3)
        assert FORMS[form].base(space, np.empty(0, np.int64), Effort()).tolist() == base.tolist()
    if closed and form == "equivalence" and len(base):
        assert FORMS[form].close(space, base).tolist() == space.keys.tolist()


def test_a_closure_too_large_for_what_is_left_is_given_up() -> None:
    space = relation_space({(i, i + 1) for i in range(50)}, 60, symmetric=False)
    assert closed_forms.closure_of(space, FORMS["transitive"], space.keys, Effort(work=100)) is None
    assert closed_forms.closure_of(space, FORMS["transitive"], space.keys, Effort()) is not None
    small = Effort(memory=MemoryBudget(1 << 12, 1 << 12))
    assert closed_forms.closure_of(space, FORMS["transitive"], space.keys, small) is None


# -- classes ------------------------------------------------------------------------------------------


@settings(TIMES, max_examples=80)
@given(st.lists(st.sets(st.integers(0, 99)), min_size=1, max_size=6), EDGES, st.booleans())
def test_classes_hold_atoms_of_the_same_rules(sets: list[set[int]], edges, huge: bool) -> None:
    space = relation_space(edges or {(0, 1)}, 10, symmetric=False)
    if huge:  # then keys and rules together are no numbers any more
        object.__setattr__(space, "sizes", (2**31, 2**30))
    derived = [np.array(sorted(own), np.int64) for own in sets]
    classes = classes_of_atoms(space, derived)
    facts = set(space.keys.tolist())
    expected: Counter[tuple[int, ...]] = Counter()
    true: Counter[tuple[int, ...]] = Counter()
    for atom in set().union(*sets):
        key = tuple(i for i, own in enumerate(sets) if atom in own)
        expected[key] += 1
        true[key] += atom in facts
    keys = [
        tuple(sorted(classes.rules[a:b].tolist()))
        for a, b in zip(classes.ends[:-1], classes.ends[1:], strict=True)
    ]
    assert dict(zip(keys, classes.atoms.tolist(), strict=True)) == expected
    assert [true[key] for key in keys] == classes.true.tolist()
    assert classes.totals[0].tolist() == [len(own) for own in sets]
    assert classes.totals[1].tolist() == [len(own & facts) for own in sets]


# -- walks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [2, 3])
@pytest.mark.parametrize("at_once", [10, 10**6])
def test_walks_are_counted_by_facts(monkeypatch, steps: int, at_once: int) -> None:
    monkeypatch.setattr(walks, "_AT_ONCE", at_once)
    rng = random.Random(3)  # noqa: S311
    facts = sorted(set().union(*(pairs(name, 12, 25, rng) for name in "abp")))
    kb = KnowledgeBase.from_facts(facts)
    database = Database(kb)
    tables = RuleTables(database, {name: database.relation(name) for name in "abp"})
    space = SpacesOf(database, "p", database.relation("p")).space(())
    graph = Walks(tables, Effort())
    found = {chain: true for true, chain in graph.likely(space, steps, 1000, 1, 10**6)}
    edges = {
        number: {(x, y)[:: 1 if view.columns == (0, 1) else -1] for n, x, y in facts if n == view.predicate}
        for number, view in enumerate(tables.views)
        if view.predicate != "p"
    }
    for chain in product(edges, repeat=steps):
        reached = {(x, x) for x in people(12)}
        for view in chain:
            reached = {(x, z) for x, y in reached for y2, z in edges[view] if y == y2}
        assert found.get(chain, 0) == sum((x, y) in reached for n, x, y in facts if n == "p")


def test_hubs_are_not_walked_through_at_any_price() -> None:
    facts = [("a", "hub", f"e{i}") for i in range(400)] + [("b", f"e{i}", "hub") for i in range(400)]
    kb = KnowledgeBase.from_facts([*facts, *(("p", f"e{i}", f"e{i + 1}") for i in range(399))])
    database = Database(kb)
    tables = RuleTables(database, {name: database.relation(name) for name in kb.predicates})
    effort = Effort(work=1000)
    space = SpacesOf(database, "p", database.relation("p")).space(())
    Walks(tables, effort).likely(space, 3, 60, 1, 10)
    assert effort.spent <= 1000


# -- limits -------------------------------------------------------------------------------------------


def test_the_largest_relations_have_views_where_not_all_fit() -> None:
    rng = random.Random(4)  # noqa: S311
    facts = set().union(*(pairs(f"p{i}", 100, 10 * (i + 1), rng) for i in range(20)))
    database = Database(KnowledgeBase.from_facts(sorted(facts)))
    relations = {f"p{i}": database.relation(f"p{i}") for i in range(20)}
    effort = Effort(memory=MemoryBudget(1_600_000, 0))
    with_views = {view.predicate for view in RuleTables(database, relations, effort).views}
    assert {"p19", "p18"} < with_views
    assert len(with_views) < 20
    assert len(RuleTables(database, relations).views) == 40


def test_chains_that_are_too_large_are_not_made() -> None:
    facts = [("a", f"x{i}", "hub") for i in range(300)] + [("b", "hub", f"y{i}") for i in range(300)]
    kb = KnowledgeBase.from_facts([*facts, *(("p", f"x{i}", f"y{j}") for i in range(9) for j in range(9))])
    counting = Counting(kb)
    counting.effort.work = 50_000
    assert not any(len(item.rule.body) == 2 for item in counting.counts.chains() if item.derived > 50_000)
    assert counting.effort.spent <= 50_000


def test_a_world_without_a_constant_has_no_atoms_with_it() -> None:
    parts = [
        KnowledgeBase.from_facts(
            [("young", f"p{i}") for i in range(6)] + [("drinks", f"p{i}", drink) for i in range(6)],
            interpretation=drink,
        )
        for drink in ("tea", "beer")
    ]
    kb = KnowledgeBase.union(parts)
    database = Database(kb)
    tables = RuleTables(database, {name: database.relation(name) for name in kb.predicates})
    types = database.relation("drinks").types
    rule = Rule((0, "tea"), (Literal("young", (0,)),))
    assert len(tables.atoms(types, rule)) == 6
    assert len(tables.atoms(types, Rule((0, "milk"), rule.body))) == 0
