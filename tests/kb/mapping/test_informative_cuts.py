"""Cuts by description length: found where other columns change, and nowhere else."""

from __future__ import annotations

from math import comb, log2

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder.kb.mapping.informative_cuts import Column, informative_cuts
from logicoder.kb.mapping.mapping_file import parse_mapping
from logicoder.kb.mapping.table_reader import open_source, read_tables


def bits(values, kinds):
    """Bits of a list of values whose counts are told first, by whole numbers."""
    ways, left = 1, len(values)
    for kind in range(kinds):
        ways *= comb(left, values.count(kind))
        left -= values.count(kind)
    return log2(ways) + log2(comb(len(values) + kinds - 1, kinds - 1))


ROWS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=40)


@settings(REPEATABLE, max_examples=200)
@given(rows=ROWS, repeated=st.integers(1, 12))
def test_the_first_cut_is_the_best_of_all(rows, repeated):
    rows = rows * repeated
    points = np.array([float(row[0]) for row in rows])
    targets = {f"t{i}": np.array([row[i] for row in rows]) for i in (1, 2)}
    tops = sorted({row[0] for row in rows})[1:]
    saved = {}
    for top in tops:
        saved[top] = 0.0
        for i in (1, 2):
            column = [row[i] for row in rows]
            kinds = max(column) + 1
            left = [row[i] for row in rows if row[0] < top]
            right = [row[i] for row in rows if row[0] >= top]
            named = 1 + log2(len(tops)) + log2(2)  # and which of the two columns
            gain = bits(column, kinds) - bits(left, kinds) - bits(right, kinds) - named
            saved[top] += max(gain, 0)
    found = informative_cuts([Column(points, targets)], 2)
    best = max(saved.values(), default=0)
    if best < 1e-9:
        assert found == [] or found[0].saved < 1e-6
    else:
        assert abs(found[0].saved - best) < 1e-6
        assert abs(saved[found[0].top] - best) < 1e-6
        assert found[0].below == max(row[0] for row in rows if row[0] < found[0].top)


def test_noise_is_not_cut():
    numbers = np.random.default_rng(0)
    for _ in range(20):
        targets = {f"t{i}": numbers.integers(0, 3, 500) for i in range(5)}
        assert informative_cuts([Column(numbers.normal(size=500), targets)], 8) == []


def test_planted_cuts_of_many_values_are_found():
    numbers = np.random.default_rng(1)
    points = numbers.uniform(0, 1000, 20_000)
    wrong = numbers.random(20_000) < 0.1
    bracket = np.where(wrong, numbers.integers(0, 3, 20_000), np.searchsorted([200, 700], points))
    cuts = sorted(cut.top for cut in informative_cuts([Column(points, {"bracket": bracket})], 8))
    assert len(cuts) == 2
    assert np.allclose(cuts, [200, 700], atol=0.5)


PEOPLE = """
CREATE TABLE town (id INTEGER PRIMARY KEY, coast BOOLEAN);
CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER, since TEXT, retired BOOLEAN, town_id INTEGER
  REFERENCES town (id), temperature REAL, shoe INTEGER);
INSERT INTO town VALUES {};
INSERT INTO person VALUES {};
"""


def people(made):
    numbers = np.random.default_rng(2)
    towns = ", ".join(f"({i}, {i % 2})" for i in range(6))
    rows = []
    for i in range(400):
        age, town = 16 + i % 74, int(numbers.integers(6))
        year = 1990 + int(numbers.integers(30))
        warmth = numbers.normal(25 if town % 2 else 15, 1)
        shoe = 36 + int(numbers.integers(14))
        rows.append(f"({i}, {age}, '{year}-06-15', {int(age >= 66)}, {town}, {warmth:.2f}, {shoe})")
    return made(PEOPLE.format(towns, ", ".join(rows)))


def test_a_proposal_cuts_where_columns_of_the_table_and_of_what_it_refers_to_change(made):
    _, mapping = read_tables(open_source(people(made)))
    assert mapping.types["age"].cuts == (66,)
    assert "cut where person.retired changes" in mapping.types["age"].why
    (cut,) = mapping.types["temperature"].cuts
    assert 18 < cut < 22
    assert "town.coast" in mapping.types["temperature"].why
    assert "cut at quantiles" in mapping.types["shoe"].why
    assert len(mapping.types["shoe"].cuts) == 3


def test_a_mapping_may_ask_for_them(made):
    mapping = parse_mapping("""
        [types]
        age = { kind = "number", bins = "informative:8" }
        [tables.person]
        entity = "person"
        key = ["id"]
        columns = [
          { column = "age", predicate = "age", type = "age" },
          { column = "retired", predicate = "retired", holds = [1] },
        ]
    """)
    kb, used = read_tables(open_source(people(made)), mapping)
    assert used.types["age"].cuts == (66,)
    old = {row[0] for row in kb.query("age(X,Y), age(Y) >= 66").rows}
    assert old == {fact.arguments[0] for fact in kb.facts("retired")}
