"""Latent predicates that follow from what is known: their facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from logicoder.base.effort import Effort
from logicoder.compression.code import ClauseCode
from logicoder.compression.plan import Definition
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Relation, unpack
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.logic.rules import Rule

Relations = Mapping[str, Relation]


def relation_of(
    definition: Definition, database: Database, known: Relations, effort: Effort | None = None
) -> Relation:
    """Return the facts of a latent predicate.

    Raises:
        JoinTooLargeError: where a join has more tuples than may be made.
    """
    tables = RuleTables(database, {name: known[name] for name in definition.needs})
    types = head_types(definition.rules[0], known)
    keys = [tables.atoms(types, rule, effort) for rule in definition.rules]
    sizes = [database.sizes[kind] for kind in types]
    return Relation(types, unpack(np.unique(np.concatenate(keys)), sizes))


def head_types(rule: Rule, known: Relations) -> tuple[int, ...]:
    """Return the types of a head without constants, by the places where its variables stand."""
    types = {
        argument: known[item.predicate].types[place]
        for item in rule.body
        for place, argument in enumerate(item.arguments)
    }
    return tuple(types[argument] for argument in rule.head)


def with_definitions(known: Relations, definitions: Iterable[Definition], database: Database) -> Relations:
    """Return what is known together with the latent predicates all of whose parts are."""
    ready = [d for d in definitions if d.name not in known and d.needs <= known.keys()]
    return {**known, **{d.name: relation_of(d, database, known) for d in ready}} if ready else known


def code_with(code: ClauseCode, definitions: Iterable[Definition], tables: RuleTables) -> ClauseCode:
    """Return the code of clauses where bodies may use some latent predicates."""
    known = {name: tables.relation(name) for name in tables.names}
    sizes = tables.database.sizes
    return code.with_latents(
        {d.name: [sizes[kind] for kind in head_types(d.rules[0], known)] for d in definitions}
    )
