"""Comparisons as facts: which of the values that there are compare so, since no two systems compare alike.

`X < Y` becomes the predicate `below(X,Y)`, and `X >= 50` the predicate `at_least_50(X)`; all of their facts
are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.export.script import free_name
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.mapping.bins import labels
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable
from logicoder.logic.ordered_values import compares, lies_within, ordered_value
from logicoder.logic.symbols import plain_text, symbol_of
from logicoder.logic.terms import Atom, Clause, Constant, Literal, Program

if TYPE_CHECKING:
    from logicoder.kb.mapping.data_mapping import DataMapping

_WORDS = {"<": "below", "=<": "at_most", ">": "above", ">=": "at_least"}
_TURNED = {"<": ">", "=<": ">=", ">": "<", ">=": "=<"}
_MOST_PAIRS = 1_000_000


def compared_by_facts(
    program: Program, facts: KnowledgeBase | None, mapping: DataMapping | None
) -> tuple[Program, KnowledgeBase | None]:
    """Return a program without comparisons, and the facts, which say instead how values compare.

    Args:
        program: the clauses.
        facts: data that is exported with them: its values are compared.
        mapping: how data comes from tables: the bins are compared, and those facts are clauses.

    Raises:
        UsageError: if there are comparisons and neither data nor a mapping; for a point within a bin; for too
            many values.
    """
    if not any(literal.orders for clause in program for literal in clause.literals()):
        return program, facts
    if facts is None and mapping is None:
        raise UsageError(
            "the program compares values that are not known: export it with its data, or with the mapping "
            "of the database"
        )
    values = list(dict.fromkeys(_values(program, facts, mapping)))
    taken = set(program.arities()) | set(facts.schema if facts is not None else ())
    found: dict[tuple[str, str | None], tuple[str, list[tuple[str, ...]]]] = {}

    def atom(literal: Literal) -> Literal:
        """Return the atom that says the same."""
        operator, (left, right) = literal.atom.predicate, literal.atom.arguments
        if isinstance(left, Constant):
            operator, left, right = _TURNED[operator], right, left
        point = right.symbol if isinstance(right, Constant) else None
        if (operator, point) not in found:
            name = _WORDS[operator] if point is None else f"{_WORDS[operator]}_{plain_text(point)}"
            name = free_name(name, taken)
            taken.add(name)
            if point is not None and facts is None:
                _refuse_within(point, values)
            found[operator, point] = name, list(_rows(operator, point, values))
        arguments = (left, right) if point is None else (left,)
        return Literal(Atom(found[operator, point][0], arguments))

    clauses = [
        replace(
            clause,
            alternatives=tuple(
                tuple(atom(x) if x.orders else x for x in body) for body in clause.alternatives
            ),
        )
        for clause in program
    ]
    if facts is not None:
        return Program(tuple(clauses)), _with_rows(facts, dict(found.values()))
    listed = [Clause(Atom(name, tuple(map(Constant, row)))) for name, rows in found.values() for row in rows]
    return Program((*listed, *clauses)), None


def _values(program: Program, facts: KnowledgeBase | None, mapping: DataMapping | None) -> Iterator[str]:
    """Iterate over the ordered values that may be compared."""
    constants = (
        argument.symbol
        for clause in program
        for atom in (clause.head, *(literal.atom for literal in clause.literals()))
        for argument in atom.arguments
        if isinstance(argument, Constant)
    )
    known = facts.symbols if facts is not None else ()
    kinds = mapping.types.values() if mapping is not None else ()
    bins = (symbol_of(label) for kind in kinds for label in labels(kind.cuts or ()) if kind.cuts)
    for symbol in (*known, *bins, *constants):
        if ordered_value(symbol) is not None:
            yield symbol


def _rows(operator: str, point: str | None, values: Iterable[str]) -> Iterator[tuple[str, ...]]:
    values = list(values)
    if point is not None:
        yield from ((value,) for value in values if compares(operator, value, point))
        return
    if len(values) ** 2 > _MOST_PAIRS:
        raise UsageError(
            f"the program compares {len(values):,} values with each other, too many to list; compare bins "
            f"(see the mapping), or with a point"
        )
    yield from ((left, right) for left in values for right in values if compares(operator, left, right))


def _refuse_within(point: str, values: list[str]) -> None:
    """Refuse a point that is within a bin and the end of none, where all values are bins."""
    bins = [value for value in values if lies_within(point, value)]
    where = ordered_value(point)
    known = [v for v in map(ordered_value, values) if v is not None and v.is_bin]
    ends = {(v.kind, end) for v in known for end in (v.low, v.high)}
    if bins and where is not None and not where.is_bin and (where.kind, where.low) not in ends:
        raise UsageError(f"{plain_text(point)} lies within the bin {plain_text(bins[0])}, but is not a cut")


def _with_rows(kb: KnowledgeBase, predicates: dict[str, list[tuple[str, ...]]]) -> KnowledgeBase:
    """Return data with further facts, of the only interpretation."""
    symbols = {symbol: number for number, symbol in enumerate(kb.symbols)}
    tables = {truth: {name: kb.table(name, truth) for name in kb.schema} for truth in TRUTHS}
    declared = dict(kb.schema.predicates)
    for name, rows in predicates.items():
        width = len(rows[0]) if rows else 1
        ids = [[symbols.setdefault(s, len(symbols)) for s in row] for row in rows]
        tables["true"][name] = FactTable(
            np.zeros(len(rows), np.int32), np.array(ids, np.int32).reshape(-1, width)
        )
        declared[name] = Predicate(name, ("thing",) * width)
    schema = Schema(declared, kb.schema.domains)
    return KnowledgeBase(schema, list(symbols), kb.interpretations, tables, kb.mapping)
