"""Running programs: one conjunction, one clause, and whole programs by a stratified semi-naive fixpoint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from logicoder.base.errors import InputError
from logicoder.base.memory import available_memory
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import Bindings, JoinTooLargeError, bindings_of, join, semijoin
from logicoder.engine.arrays.ordered_columns import compare, compares_with
from logicoder.engine.arrays.relation import Column, Relation, distinct
from logicoder.engine.interface import WORLD
from logicoder.engine.signatures import program_schema
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable
from logicoder.logic.ordered_values import compares
from logicoder.logic.strata import strata
from logicoder.logic.terms import Atom, Body, Clause, Constant, Program, Variable

_QUICK = 1_000_000
"""Joins of so many tuples are made without asking how much memory there is."""


def run_program(program: Program, kb: KnowledgeBase, outputs: Schema | None = None) -> KnowledgeBase:
    """Return the facts that a program derives: semi-naively, stratum by stratum; see `engine.programs`."""
    schema = program_schema(program, kb.schema, outputs)
    database = Database(kb, _constants_in_heads(program, schema))
    derived: dict[str, Relation] = {}
    for name, predicate in schema.items():
        types = database.type_ids(predicate.types) or (0,)
        derived[name] = Relation(types, tuple(np.empty(0, np.int32) for _ in types))
    for stratum in strata(program):
        _fixpoint(database, [c for c in program if c.head.predicate in stratum], stratum, derived)
    tables = {
        name: database.decode(derived[name], predicate.arity)
        if len(derived[name])
        else FactTable.empty(predicate.arity)
        for name, predicate in schema.items()
    }
    return KnowledgeBase(schema, database.symbols, kb.interpretations, {"true": tables})


def _fixpoint(
    database: Database, clauses: Sequence[Clause], stratum: set[str], derived: dict[str, Relation]
) -> None:
    fresh: dict[str, Relation] = {}
    for clause in clauses:
        for body in clause.alternatives:
            if not any(literal.binds and literal.atom.predicate in stratum for literal in body):
                _add(database, clause.head, head_tuples(database, clause.head, body, derived), derived, fresh)
    while fresh:
        delta, fresh = fresh, {}
        for clause in clauses:
            for body in clause.alternatives:
                for position, literal in enumerate(body):
                    if (
                        literal.binds
                        and literal.atom.predicate in delta
                        and literal.atom.predicate in stratum
                    ):
                        tuples = head_tuples(database, clause.head, body, derived, (position, delta))
                        _add(database, clause.head, tuples, derived, fresh)


def _add(
    database: Database,
    head: Atom,
    tuples: tuple[Column, ...],
    derived: dict[str, Relation],
    fresh: dict[str, Relation],
) -> None:
    """Add derived tuples; what was not known before also becomes part of the next delta."""
    name = head.predicate
    known = derived[name]
    sizes = [database.sizes[kind] for kind in known.types]
    together = [np.concatenate([a, b]) for a, b in zip(known.columns, tuples, strict=True)]
    merged = Relation(known.types, distinct(together, sizes))
    if len(merged) > len(known):
        old = Bindings(*_positions(known), len(known))
        new = Bindings(*_positions(merged), len(merged))
        added = merged.select(~semijoin(database, new, old))
        if name in fresh:
            both = [np.concatenate([a, b]) for a, b in zip(fresh[name].columns, added.columns, strict=True)]
            added = Relation(known.types, distinct(both, sizes))
        fresh[name] = added
        derived[name] = merged


def _positions(relation: Relation) -> tuple[dict[Any, int], dict[Any, Column]]:
    return dict(enumerate(relation.types)), dict(enumerate(relation.columns))


def head_tuples(
    database: Database,
    head: Atom,
    body: Body,
    derived: Mapping[str, Relation],
    delta: tuple[int, Mapping[str, Relation]] | None = None,
) -> tuple[Column, ...]:
    """Return the distinct head tuples of one conjunction.

    With `delta`, the literal at that position reads from the given relations instead.
    """
    bindings = conjunction(database, body, derived, delta, needed=set(head.variables()))
    types = derived[head.predicate].types
    if not head.arguments:
        return distinct([_world_column(database, bindings)], [database.worlds])
    columns = []
    for argument, kind in zip(head.arguments, types, strict=True):
        if isinstance(argument, Variable):
            columns.append(bindings.columns[argument])
        else:
            worlds = _world_column(database, bindings)
            columns.append(database.entity_of_constant(kind, argument.symbol, worlds))
    return distinct(columns, [database.sizes[kind] for kind in types])


def conjunction(
    database: Database,
    body: Body,
    derived: Mapping[str, Relation],
    delta: tuple[int, Mapping[str, Relation]] | None = None,
    needed: Collection[Any] | None = None,
) -> Bindings:
    """Return all bindings of a conjunction: small and connected literals first, negated ones when bound.

    Args:
        database: the data.
        body: the conjunction.
        derived: what was derived so far.
        delta: the literal at this position reads from these relations instead.
        needed: the variables whose values count; others are dropped once no literal asks for them. None
            keeps all.
    """
    remaining: list[Bindings] = []
    for position, literal in enumerate(body):
        if literal.binds:
            source = {**derived, **delta[1]} if delta is not None and delta[0] == position else derived
            remaining.append(literal_bindings(database, literal.atom, source))
    world = Bindings({WORLD: 0}, {WORLD: np.arange(database.worlds, dtype=np.int32)}, database.worlds)
    current = world
    while remaining:
        connected = [t for t in remaining if any(v in current.columns for v in t.columns if v != WORLD)]
        following = min(connected or remaining, key=lambda t: t.rows)
        remaining.remove(following)
        current = following if current is world else _joined(database, current, following)
        if needed is not None:
            tests = {v for literal in body if not literal.binds for v in literal.atom.variables()}
            asked = tests.union(needed, *(table.columns for table in remaining))
            current = _only(database, current, asked)
    for literal in body:
        if literal.inequality:
            passes = _in_order if literal.orders else _differ
            current = current.select(passes(database, literal.atom, current))
        elif not literal.positive:
            current = current.select(_negation_holds(database, literal.atom, current, derived))
    return current


def _joined(database: Database, left: Bindings, right: Bindings) -> Bindings:
    """Return a join; what does not fit into memory is refused before it is made."""
    try:
        return join(database, left, right, _QUICK)
    except JoinTooLargeError as error:
        row = 64 + 12 * len(left.columns.keys() | right.columns.keys())
        if error.tuples * row > available_memory() // 2:
            raise InputError(
                f"a clause makes {error.tuples:,} combinations of values, too many for the memory",
                hint="literals that share no variable are combined in all ways: connect them, or split the "
                "clause",
            ) from None
        return join(database, left, right)


def _only(database: Database, bindings: Bindings, asked: Collection[Any]) -> Bindings:
    """Return the distinct values of the variables that are asked for; of the worlds, if there are none."""
    kept = [variable for variable in bindings.columns if variable in asked]
    if len(kept) == len(bindings.columns):
        return bindings
    if not kept:
        worlds = np.unique(_world_column(database, bindings)).astype(np.int32)
        return Bindings({WORLD: 0}, {WORLD: worlds}, len(worlds))
    columns = bindings.project(kept, database.sizes)
    types = {variable: bindings.types[variable] for variable in kept}
    return Bindings(types, dict(zip(kept, columns, strict=True)), len(columns[0]))


def literal_bindings(database: Database, atom: Atom, derived: Mapping[str, Relation]) -> Bindings:
    """Return the bindings of one positive literal; constants select, and a ground literal binds its world."""
    relation = derived[atom.predicate] if atom.predicate in derived else database.relation(atom.predicate)
    return _match(database, atom, relation)


def _match(database: Database, atom: Atom, relation: Relation) -> Bindings:
    if not atom.arguments:
        return bindings_of(relation, [WORLD])
    keep: np.ndarray | None = None
    for argument, kind, column in zip(atom.arguments, relation.types, relation.columns, strict=True):
        if isinstance(argument, Constant):
            same = database.is_constant(kind, column, argument.symbol)
            keep = same if keep is None else keep & same
    if keep is not None:
        relation = relation.select(keep)
    positions = [i for i, argument in enumerate(atom.arguments) if isinstance(argument, Variable)]
    if not positions:
        worlds = database.world_of[relation.types[0]][relation.columns[0]]
        return bindings_of(Relation((0,), (np.unique(worlds).astype(np.int32),)), [WORLD])
    part = Relation(
        tuple(relation.types[i] for i in positions), tuple(relation.columns[i] for i in positions)
    )
    return bindings_of(part, [atom.arguments[i] for i in positions])


def _negation_holds(
    database: Database, atom: Atom, bindings: Bindings, derived: Mapping[str, Relation]
) -> np.ndarray:
    """Return the rows where a negated literal holds: known false, never merely unknown."""
    if atom.predicate in derived:
        return ~semijoin(database, bindings, _match(database, atom, derived[atom.predicate]))
    return denied(database, atom.predicate, bindings, lambda relation: _match(database, atom, relation))


def denied(
    database: Database, predicate: str, bindings: Bindings, match: Callable[[Relation], Bindings]
) -> np.ndarray:
    """Return the rows for which an atom of the data is known to be false.

    Args:
        database: the data.
        predicate: the predicate of the atom.
        bindings: the rows.
        match: gives the bindings of the atom's variables in a relation.
    """
    if database.kb.schema[predicate].open_world:
        return semijoin(database, bindings, match(database.relation(predicate, "false")))
    holds = ~semijoin(database, bindings, match(database.relation(predicate)))
    unknown = database.relation(predicate, "unknown")
    if len(unknown):
        holds &= ~semijoin(database, bindings, match(unknown))
    return holds


def _differ(database: Database, atom: Atom, bindings: Bindings) -> np.ndarray:
    """Return the rows in which the two terms of an inequality differ."""
    left, right = atom.arguments
    if isinstance(left, Variable) and isinstance(right, Variable):
        return np.asarray(bindings.columns[left] != bindings.columns[right])
    if isinstance(left, Constant) and isinstance(right, Constant):
        return np.full(bindings.rows, left != right)
    variable, constant = (left, right) if isinstance(left, Variable) else (right, left)
    assert isinstance(variable, Variable)  # noqa: S101  (one of the two is)
    assert isinstance(constant, Constant)  # noqa: S101
    return ~database.is_constant(bindings.types[variable], bindings.columns[variable], constant.symbol)


def _in_order(database: Database, atom: Atom, bindings: Bindings) -> np.ndarray:
    """Return the rows in which the two terms of a comparison are in order."""
    left, right = atom.arguments
    if isinstance(left, Constant) and isinstance(right, Constant):
        return np.full(bindings.rows, compares(atom.predicate, left.symbol, right.symbol))
    symbols = [
        database.symbol_of[bindings.types[term]][bindings.columns[term]]
        for term in (left, right)
        if isinstance(term, Variable)
    ]
    used, places = np.unique(np.concatenate(symbols), return_inverse=True)
    texts = [database.symbols[i] for i in used.tolist()]
    if len(symbols) == 2:
        return compare(atom.predicate, texts, *np.split(places, 2))
    turned = isinstance(left, Constant)
    point = left if turned else right
    assert isinstance(point, Constant)  # noqa: S101  (one of the two is)
    return np.asarray(compares_with(atom.predicate, texts, point.symbol, turned=turned)[places])


def _world_column(database: Database, bindings: Bindings) -> Column:
    variable = next(iter(bindings.columns))
    return database.world_of[bindings.types[variable]][bindings.columns[variable]]


def _constants_in_heads(program: Program, schema: Schema) -> set[tuple[str, str]]:
    return {
        (kind, argument.symbol)
        for clause in program
        for argument, kind in zip(clause.head.arguments, schema[clause.head.predicate].types, strict=True)
        if isinstance(argument, Constant)
    }
