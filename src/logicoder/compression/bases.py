"""Bases: which facts of a predicate are kept so that the others follow."""

from __future__ import annotations

import numpy as np

from logicoder.base.sorted_keys import union
from logicoder.compression.plan_programs import Base
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.difference import rows_inside
from logicoder.engine.arrays.relation import Keys, Relation, pack, unpack
from logicoder.engine.arrays.rules import closed_forms
from logicoder.engine.arrays.rules.recursive_forms import along_of, recursive_form
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Facts, Space, sorted_keys, space_within
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable
from logicoder.logic.parser import parse_program
from logicoder.logic.rules import rule_of

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
    return _recursive_table(base, kb, given) if base.form == "recursive" else _closed_table(base, kb, given)


def _database(base: Base, kb: KnowledgeBase, given: FactTable, *further: str) -> Database:
    """Return the facts of a predicate, what is given of it, and further predicates."""
    kinds = kb.schema[base.predicate].types
    schema = {name: Predicate(name, kinds) for name in (base.predicate, _GIVEN)}
    schema |= {name: Predicate(name, kb.schema[name].types) for name in further}
    tables = {name: kb.table(name) for name in (base.predicate, *further)} | {_GIVEN: given}
    return Database(KnowledgeBase(Schema(schema), kb.symbols, kb.interpretations, {"true": tables}))


def _recursive_table(base: Base, kb: KnowledgeBase, given: FactTable) -> FactTable:
    (clause,) = parse_program(base.clause, "<base>")
    along = along_of(rule_of(clause), base.predicate)
    if along.predicate not in kb.schema:  # then nothing follows from anything
        facts = kb.table(base.predicate)
        return facts.select(~rows_inside(facts, given))
    database = _database(base, kb, given, along.predicate)
    form = recursive_form(along, RuleTables(database, {along.predicate: database.relation(along.predicate)}))
    relation = database.relation(base.predicate)
    sizes = [database.sizes[kind] for kind in relation.types]
    facts_of = Facts(sorted_keys(relation, sizes), sizes)
    space = space_within(
        database, base.predicate, relation.types, [None, None], facts_of, apart=False, symmetric=False
    )
    known = form.close(space, sorted_keys(database.relation(_GIVEN), sizes))
    return database.decode(Relation(relation.types, unpack(form.base(space, known), sizes)), 2)


def _closed_table(base: Base, kb: KnowledgeBase, given: FactTable) -> FactTable:
    database = _database(base, kb, given)
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
    found = union(_base(base.form, space, space.within(keys_of(database.relation(_GIVEN)))), diagonal)
    columns = tuple(order[column].astype(np.int32) for column in unpack(found, (size, size)))
    return database.decode(Relation(relation.types, columns), 2)


def _base(form: str, space: Space, given: Keys) -> Keys:
    if form == "symmetric":
        return np.setdiff1d(space.keys, given, assume_unique=True)
    closed = closed_forms.FORMS[form]
    return closed.base(space, closed.close(space, given))
