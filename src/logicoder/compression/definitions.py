"""Latent predicates that follow from the data: their facts and types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct
from logicoder.compression.code import ClauseCode
from logicoder.compression.plan import Definition
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import key_columns
from logicoder.logic.rules import Rule

Relations = Mapping[str, Relation]
Types = Mapping[str, tuple[int, ...]]
Kind = TypeVar("Kind")
"""A type: its number or its name."""


def relation_of(
    definition: Definition, database: Database, known: Relations, effort: Effort | None = None
) -> Relation:
    """Return the facts of a latent predicate.

    Raises:
        JoinTooLargeError: where a join has more tuples than may be made.
    """
    tables = RuleTables(database, {name: known[name] for name in definition.needs})
    types = head_types(definition.rules[0], types_of(known))
    keys = [tables.atoms(types, rule, effort) for rule in definition.rules]
    sizes = [database.sizes[kind] for kind in types]
    columns = key_columns(distinct(np.concatenate(keys)), sizes)
    return Relation(types, tuple(column.astype(np.int32) for column in columns))


def types_of(relations: Relations) -> Types:
    """Return the types of relations."""
    return {name: relation.types for name, relation in relations.items()}


def head_types(rule: Rule, known: Mapping[str, Sequence[Kind]]) -> tuple[Kind, ...]:
    """Return the types of a head without constants, by the places where its variables stand."""
    types = {
        argument: known[item.predicate][place]
        for item in rule.body
        if not item.tests
        for place, argument in enumerate(item.arguments)
    }
    return tuple(types[argument] for argument in rule.head)


def types_with(
    known: Mapping[str, tuple[Kind, ...]], definitions: Iterable[Definition]
) -> dict[str, tuple[Kind, ...]]:
    """Return the types of predicates together with those of latent ones, each made of those before it."""
    found = dict(known)
    for definition in definitions:
        found[definition.name] = head_types(definition.rules[0], found)
    return found


def with_definitions(known: Relations, definitions: Iterable[Definition], database: Database) -> Relations:
    """Return what is known together with the shorthands all of whose parts are."""
    ready = [d for d in definitions if not d.stored and d.name not in known and d.needs <= known.keys()]
    return {**known, **{d.name: relation_of(d, database, known) for d in ready}} if ready else known


def with_tables(relations: Relations, definitions: Iterable[Definition], database: Database) -> Relations:
    """Return the facts of the data together with those of stored latent predicates."""
    stored = [d for d in definitions if d.stored]
    return {**relations, **{d.name: relation_of(d, database, relations) for d in stored}}


def code_with(code: ClauseCode, definitions: Sequence[Definition], tables: RuleTables) -> ClauseCode:
    """Return the code of clauses where bodies may use some latent predicates."""
    types = types_with({name: tables.relation(name).types for name in tables.names}, definitions)
    sizes = tables.database.sizes
    return code.with_latents({d.name: [sizes[kind] for kind in types[d.name]] for d in definitions})
