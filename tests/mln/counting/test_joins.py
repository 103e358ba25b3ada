"""Products of tables of counts against sums over all bindings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.mln.counting import joins
from logicoder.mln.counting.count_tables import CountTable
from logicoder.mln.counting.joins import contract, joined

SIZES = (2, 3, 4, 2)


@st.composite
def tables(draw: st.DrawFn, width: int = 2) -> CountTable:
    """Draw a table of at most so many variables, in any order, with distinct rows in any order."""
    variables = tuple(draw(st.permutations(range(len(SIZES))))[: draw(st.integers(1, width))])
    sizes = tuple(SIZES[v] for v in variables)
    rows = draw(st.lists(st.tuples(*(st.integers(0, n - 1) for n in sizes)), unique=True))
    counts = draw(st.lists(st.integers(1, 5), min_size=len(rows), max_size=len(rows)))
    columns = np.array(rows, np.int32).reshape(-1, len(variables)).T
    return CountTable(variables, tuple(columns), np.array(counts, np.int64), sizes)


def listed(table: CountTable) -> dict[tuple[int, ...], int]:
    """Return the counts of all rows but those that count zero; no row is there twice."""
    rows = list(zip(*(column.tolist() for column in table.columns), strict=True)) or [()] * len(table.counts)
    assert len(set(rows)) == len(rows) == len(table.counts)
    return {row: int(n) for row, n in zip(rows, table.counts.tolist(), strict=True) if n}


def summed(factors: Sequence[CountTable], kept: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Return the product of some tables, summed over all variables that are not kept, binding by binding."""
    known = [(factor.variables, listed(factor)) for factor in factors]
    found: dict[tuple[int, ...], int] = {}
    for values in product(*map(range, SIZES)):
        number = prod(rows.get(tuple(values[v] for v in variables), 0) for variables, rows in known)
        unused = prod(n for v, n in enumerate(SIZES) if not any(v in names for names, _ in known))
        key = tuple(values[v] for v in kept)
        found[key] = found.get(key, 0) + number
    return {key: number // unused for key, number in found.items() if number}


@pytest.mark.parametrize("many", [0, 1 << 16])
@settings(max_examples=120, deadline=None)
@given(left=tables(), right=tables(), wanted=st.sets(st.sampled_from(range(4))), budget=st.integers(24, 99))
def test_joins(many: int, left: CountTable, right: CountTable, wanted: set[int], budget: int) -> None:
    """By matching rows in blocks, and by products of matrices where there is a chain."""
    kept = [v for v in dict.fromkeys((*left.variables, *right.variables)) if v in wanted]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joins, "_MANY", many)
        patch.setattr(joins, "_ARRAYS", budget)  # one match at a time, or a few
        found = joined(left, right, kept, budget).summed(kept)  # matrices keep both ends of a chain
    assert set(found.variables) == set(kept)
    assert found.sizes == tuple(SIZES[v] for v in found.variables)
    assert listed(found) == summed([left, right], found.variables)


@settings(max_examples=80, deadline=None)
@given(factors=st.lists(tables(), min_size=1, max_size=3), kept=st.sets(st.sampled_from(range(4))))
def test_contractions(factors: list[CountTable], kept: set[int]) -> None:
    parts, scale = contract(factors, sorted(kept), dict(enumerate(SIZES)), 1000)
    covered = [v for part in parts for v in part.variables]
    assert len(covered) == len(set(covered))
    assert set(covered) <= kept
    used = {v for factor in factors for v in factor.variables}
    free = prod(n for v, n in enumerate(SIZES) if v not in used and v not in kept)
    found = summed(parts, sorted(covered)) if parts else {(): 1}
    found = {row: number * scale for row, number in found.items() if scale}
    assert found == {row: number * free for row, number in summed(factors, sorted(covered)).items()}


@settings(max_examples=60, deadline=None)
@given(table=tables(width=3), seed=st.integers(0, 99))
def test_counts_of_bindings(table: CountTable, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {v: rng.integers(0, n, 9) for v, n in enumerate(SIZES)}
    known = listed(table)
    rows = zip(*(columns[v].tolist() for v in table.variables), strict=True)
    assert table.at(columns, 9).tolist() == [known.get(row, 0) for row in rows]
    alone = table.summed(())
    assert alone.at(columns, 9).tolist() == [sum(known.values())] * 9


def test_results_beyond_the_budget_are_refused() -> None:
    pair = CountTable((0, 1), (np.array([0, 1]), np.array([0, 0])), np.ones(2, np.int64), (2, 3))
    other = CountTable((1, 2), (np.array([0, 0, 0]), np.arange(3)), np.ones(3, np.int64), (3, 4))
    assert len(joined(pair, other, (0, 1, 2), 6).counts) == 6
    with pytest.raises(UsageError, match="more than 5 different counts"):
        joined(pair, other, (0, 1, 2), 5)
