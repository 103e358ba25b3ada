"""What a program makes of stored facts that it was not learned from; see `logicoder.autoencoder.unseen`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.predicate_scores import Totals
from logicoder.autoencoder.stored_layer import StoredLayer, prepared
from logicoder.autoencoder.unseen import SEPARATOR, Unseen, share_held_out, unseen_worlds, worlds_held_out
from logicoder.compression.stored_message import StoredMessage
from logicoder.engine.programs import beside, derived_beside
from logicoder.engine.sql.relations import WORLD, Relation, argument_columns, listed
from logicoder.engine.sql.space_counts import SpaceCounts
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.schema import Schema

if TYPE_CHECKING:
    from fractions import Fraction

    from logicoder.autoencoder.layer import Layer


@dataclass(frozen=True)
class StoredSplit:
    """Stored data in two parts.

    Attributes:
        whole: all of them.
        seen: to learn from.
        held_out: to be told afterwards.
        by_facts: whether single facts are held out; otherwise whole interpretations.
    """

    whole: StoredData
    seen: StoredData
    held_out: StoredData
    by_facts: bool

    @property
    def made(self) -> set[str]:
        """The tables that were made for it."""
        parts = [{r.table for r in part.relations.values()} for part in (self.seen, self.held_out)]
        return set().union(*parts) - {relation.table for relation in self.whole.relations.values()}


def stored_split(data: StoredData, share: Fraction | None, seed: int) -> StoredSplit | None:
    """Return stored data in the two parts that `split_of` makes of data in memory."""
    learnable = [name for name in data.relations if data.schema is None or not data.schema[name].background]
    size = sum(data.counts[name] for name in learnable)
    share = share_held_out(share, size, several=data.several)
    if data.several:
        chosen = worlds_held_out(data.interpretations, share, seed)
        if not chosen:
            return None
        held, seen = (
            _part_of_worlds(data, [w for w in data.interpretations if (w in chosen) == part])
            for part in (True, False)
        )
        return StoredSplit(data, seen, held, by_facts=False)
    count = int(share * size)
    if count == 0:
        return None
    hashes = {name: _hash(data, name, seed) for name in learnable}
    # Far fewer rows are sorted than there are: hashes are spread evenly.
    most = min(1.0, float(share) + 3 / sqrt(size))
    first = "" if most == 1.0 else f" WHERE h < {data.session.literal(f'{int(most * 2**64):016x}')}"
    union = " UNION ALL ".join(
        f"SELECT {own} AS h FROM {data.relations[n].table}" for n, own in hashes.items()
    )
    query = f"SELECT h FROM ({union}) AS s{first} ORDER BY h LIMIT 1 OFFSET {count - 1}"
    ((last,),) = data.session.rows(query, "choosing facts to hold out")
    border = data.session.as_text(data.session.literal(last))
    seen, held = (
        _part(data, {name: f"{own} {test} {border}" for name, own in hashes.items()}) for test in (">", "<=")
    )
    return StoredSplit(data, seen, held, by_facts=True)


def _hash(data: StoredData, name: str, seed: int) -> str:
    """Return the hash of a fact as an expression."""
    session, arity = data.session, data.relations[name].arity
    texts = [session.literal(SEPARATOR.join([str(seed), name])), *(argument_columns(arity) if arity else ())]
    text = f" || {session.literal(SEPARATOR)} || ".join(texts)
    return session.as_text(f"md5({text})")


def _part_of_worlds(data: StoredData, worlds: list[str]) -> StoredData:
    session = data.session
    named = ", ".join(map(session.literal, worlds))
    relations = {}
    for name, relation in data.relations.items():
        columns = listed(relation.columns(worlds=len(worlds) > 1))
        query = f"SELECT {columns} FROM {relation.table} WHERE {WORLD} IN ({named})"
        relations[name] = Relation(session.table(query, f"splitting {name}"), relation.arity)
    return StoredData(
        session, relations, data.name, data.schema, worlds, data.mapping, plain=data.plain, types=data.types
    )


def _part(data: StoredData, tests: Mapping[str, str]) -> StoredData:
    """Return the facts that pass the test of their predicate; predicates without a test are as they are."""
    found = copy(data)
    vars(found).pop("counts", None)
    made = {}
    for name, test in tests.items():
        query = f"SELECT {listed(data.columns(name))} FROM {data.relations[name].table} WHERE {test}"
        table = data.session.table(query, f"splitting {name}")
        made[name] = Relation(table, data.relations[name].arity)
    found.relations = {**data.relations, **made}
    return found


def stored_unseen(layer: Layer, split: StoredSplit) -> dict[str, Any]:
    """Return what a layer that was learned from one part of stored data makes of the other."""
    return _facts(layer, split) if split.by_facts else _interpretations(layer, split.held_out)


def _interpretations(layer: Layer, data: StoredData) -> dict[str, Any]:
    stored = StoredLayer(layer, data)
    represented = stored.encoded()
    scores = stored.scores(represented, stored.exceptions(represented))
    totals = Totals(tuple(scores), sum(map(stored.count, represented.values())))
    if layer.plan is None:
        return unseen_worlds(totals, None)
    known = prepared(layer, data)
    return unseen_worlds(totals, StoredMessage(layer.plan, known, known.known_schema))


def _facts(layer: Layer, split: StoredSplit) -> dict[str, Any]:
    stored, session = StoredLayer(layer, split.seen), split.seen.session
    schema = stored.schema
    known = {**stored.given, **stored.encoded()}
    # Whoever is told knows the other facts, and need not rebuild them: clauses read those.
    program = derived_beside(layer.decoder, [name for name in layer.decoder.defined() if name in known])
    derived = split.seen.runs.run(program, known)
    whole = prepared(layer, split.whole)
    counts = SpaceCounts(whole, Schema(schema.predicates))

    def number(query: str, name: str) -> int:
        return session.value(f"SELECT count(*) FROM ({query}) AS s", f"counting what was held out of {name}")

    total = Unseen()
    for name, before in split.seen.relations.items():
        facts = split.seen.counts[name]
        if name not in schema or schema[name].background or not facts:
            continue
        atoms = right = 0
        if beside(name) in derived:
            new = split.seen.missing_from(derived[beside(name)], before)
            columns = listed(before.columns(worlds=split.seen.several))
            atoms = number(new, name)
            held = f"SELECT {columns} FROM {split.held_out.relations[name].table}"
            right = number(f"({new}) INTERSECT {held}", name)
        possible = counts.atoms(schema[name].types) - facts
        total.add(possible, split.held_out.counts[name], atoms, right)
    return total.result()
