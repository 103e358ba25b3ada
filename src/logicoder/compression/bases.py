"""Bases: which facts of a predicate are kept so that the others follow."""

from __future__ import annotations

import numpy as np

from logicoder.compression.programs import Base
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.difference import rows_inside
from logicoder.engine.arrays.relation import Keys, Relation, pack, unpack
from logicoder.engine.arrays.rules import closed_forms
from logicoder.engine.arrays.rules.spaces import Facts, Space, space_within
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable

_GIVEN = "$given"


def base_table(base: Base, kb: KnowledgeBase, given: FactTable) -> FactTable:
    """Return the facts that are kept of a predicate; of a closed relation also what is on its diagonal.

    Of two atoms that imply each other the one whose first constant comes first is kept, in the order of code
    points: so the base depends neither on the order of the facts nor on who computes it.

    Args:
        base: the predicate, and how it is closed.
        kb: the data.
        given: what clauses derive of it without any base, in the numbering of the data.
    """
    if base.form == "rest":
        facts = kb.table(base.predicate)
        return facts.select(~rows_inside(facts, given))
    return _closed_table(base, kb, given)


def _closed_table(base: Base, kb: KnowledgeBase, given: FactTable) -> FactTable:
    kinds = kb.schema[base.predicate].types
    schema = Schema({name: Predicate(name, kinds) for name in (base.predicate, _GIVEN)})
    tables = {base.predicate: kb.table(base.predicate), _GIVEN: given}
    database = Database(KnowledgeBase(schema, kb.symbols, kb.interpretations, {"true": tables}))
    relation = database.relation(base.predicate)
    kind = relation.types[0]
    size = database.sizes[kind]
    texts = [database.symbols[number] for number in database.symbol_of[kind].tolist()]
    order = np.array(sorted(range(size), key=texts.__getitem__), np.int64)
    rank = np.empty(size, np.int64)
    rank[order] = np.arange(size)

    def keys_of(own: Relation) -> Keys:
        return np.sort(pack([rank[column].astype(np.int32) for column in own.columns], (size, size)))

    facts = keys_of(relation)
    diagonal = facts[facts // size == facts % size] if size else facts
    space = space_within(
        database,
        base.predicate,
        relation.types,
        [None, None],
        Facts(facts, (size, size)),
        apart=True,
        symmetric=base.form != "transitive",
    )
    found = np.union1d(_base(base.form, space, space.within(keys_of(database.relation(_GIVEN)))), diagonal)
    columns = tuple(order[column].astype(np.int32) for column in unpack(found, (size, size)))
    return database.decode(Relation(relation.types, columns), 2)


def _base(form: str, space: Space, given: Keys) -> Keys:
    if form == "symmetric":
        return np.setdiff1d(space.keys, given, assume_unique=True)
    closed = closed_forms.FORMS[form]
    return closed.base(space, closed.close(space, given))
