"""Clauses up to renaming: one text, and one test of equality, by all renamings and all orders."""

from __future__ import annotations

from itertools import permutations

from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.logic import Atom, Clause, Constant, Literal, Program, Variable
from logicoder.logic.canonical import canonical_clause, meanings
from logicoder.logic.clause_shapes import column_orders, contains, same_clause
from logicoder.logic.orders import least_readings, number_of, orders

VARIABLES = [Variable(name) for name in "XYZ"]
TERMS = st.sampled_from([*VARIABLES, *VARIABLES, Constant.of("c")])


@st.composite
def bodies(draw, most: int = 3):
    literals = []
    for name, arity in draw(
        st.lists(st.sampled_from([("p", 2), ("q", 1), ("r", 2)]), min_size=1, max_size=most)
    ):
        arguments = tuple(draw(st.lists(TERMS, min_size=arity, max_size=arity)))
        literals.append(Literal(Atom(name, arguments), draw(st.booleans())))
    return tuple(literals)


@st.composite
def clauses(draw, most: int = 2):
    head = tuple(draw(st.lists(TERMS, max_size=2)))
    return Clause(Atom("h", head), tuple(draw(st.lists(bodies(), min_size=1, max_size=most))))


def renamed(literals, names):
    return tuple(
        Literal(Atom(x.atom.predicate, tuple(names.get(a, a) for a in x.atom.arguments)), x.positive)
        for x in literals
    )


def shuffled(draw, clause: Clause) -> Clause:
    """Return the same clause under other names and in another order."""
    other = dict(zip(VARIABLES, draw(st.permutations([Variable(name) for name in "ABC"])), strict=True))
    alternatives = [
        tuple(renamed(draw(st.permutations(body)), other))
        for body in draw(st.permutations(clause.alternatives))
    ]
    return Clause(Atom("h", tuple(other.get(a, a) for a in clause.head.arguments)), tuple(alternatives))


def variants(clause: Clause) -> set[frozenset]:
    """Return all a clause of one alternative may read, for all names; the order of literals is lost."""
    [body] = clause.alternatives
    used = list(dict.fromkeys(v for x in (clause.head, *(x.atom for x in body)) for v in x.variables()))
    found = set()
    for names in permutations("ABC", len(used)):
        other = dict(zip(used, map(Variable, names), strict=True))
        literals = sorted(map(str, renamed(body, other)))
        found.add((str([other.get(a, a) for a in clause.head.arguments]), *literals))
    return found


@settings(derandomize=True, max_examples=200, deadline=None)
@given(clauses(), st.data())
def test_other_names_and_orders_make_no_difference(clause, data) -> None:
    other = shuffled(data.draw, clause)
    assert canonical_clause(clause, {}) == canonical_clause(other, {})
    assert same_clause(clause, other)
    assert contains(other, clause.alternatives[0])


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    clauses().filter(lambda c: len(c.alternatives) == 1), clauses().filter(lambda c: len(c.alternatives) == 1)
)
def test_clauses_are_the_same_exactly_when_some_renaming_makes_them_equal(one, two) -> None:
    same = len(one.head.arguments) == len(two.head.arguments) and variants(one) == variants(two)
    event(str(same))
    assert (canonical_clause(one, {}) == canonical_clause(two, {})) == same
    assert same_clause(one, two) == same


@settings(derandomize=True, max_examples=150, deadline=None)
@given(clauses(), st.data())
def test_meanings_do_not_depend_on_names_of_latents_and_columns(clause, data) -> None:
    other = shuffled(data.draw, clause)
    places = data.draw(st.permutations(range(len(other.head.arguments))))
    turned = Clause(Atom("k", tuple(other.head.arguments[i] for i in places)), other.alternatives)
    first = meanings(Program((clause,)))["h"]
    second = meanings(Program((turned,)))["k"]
    assert first.text == second.text
    # Argument i of the clause is argument order[i] of the other one.
    assert any(
        all(clause.head.arity == 0 or places[order[i]] == i for i in range(clause.head.arity))
        for order in column_orders(clause, turned)
    )


@given(st.lists(st.tuples(st.sampled_from("pq"), st.integers(0, 2), st.integers(0, 2)), max_size=4))
def test_the_least_reading_is_the_least_of_all(items) -> None:
    def reading(order, numbers):
        return [(name, number_of(a, numbers), number_of(b, numbers)) for name, a, b in order]

    every = [o for o in permutations(items) if [x[0] for x in o] == sorted(x[0] for x in items)]
    readings = {order: reading(order, {}) for order in every}
    least, found = least_readings(orders(items, lambda item: item[0]), reading)
    assert least == min(readings.values())
    assert {order for order, _ in found} == {o for o, read in readings.items() if read == least}
    assert all(reading(order, dict(numbers)) == least for order, numbers in found)


def test_of_many_items_one_order_is_tried() -> None:
    assert list(orders("cab", most=2)) == [("c", "a", "b")]
    assert list(orders("cab", lambda x: x == "c", most=2)) == [("a", "b", "c")]
