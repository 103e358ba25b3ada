"""A sample that rules can be learned from: some constants, and every fact about no others.

In such a part of the data a clause without negation derives nothing that it would not derive in all of it,
and what it derives is true in the part exactly if it is true in the whole. So a clause that is right stays
right; only that it derives all facts may no longer be seen. Constants are taken in the neighbourhood of a
few, chosen by a hash of their text: the same in every system.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from logicoder.engine.sql.relations import WORLD, argument_columns, listed
from logicoder.kb.builder import KnowledgeBaseBuilder

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.knowledge_base import KnowledgeBase

_FIRST = 64
"""Constants to begin with."""

_STEPS = 2
"""How far a neighbourhood reaches: two literals of a body."""

_HUB = 200
"""What is in more facts than so many is taken, but nothing on account of it."""

_TRIES = 12

_log = logging.getLogger("logicoder")


def sampled(data: StoredData, most: int) -> tuple[KnowledgeBase, bool]:
    """Return at most about so many facts as a knowledge base, and whether they are all.

    Args:
        data: the facts.
        most: how many facts may come; up to twice as many may, where few constants are in most facts.
    """
    if len(data) <= most:
        return read(data), True
    worlds = _some_worlds(data, most) if data.several else None
    if worlds is not None and sum(worlds.values()) <= 2 * most:
        return read(data, worlds=list(worlds)), False
    return _Neighbourhoods(data, most).read(), False


def at_hand(data: StoredData, most: int) -> KnowledgeBase | StoredData:
    """Return stored data as a knowledge base if they have no more facts than that, else as they are."""
    return data if len(data) > most else read(data)


def read(
    data: StoredData,
    chosen: str | None = None,
    worlds: list[str] | None = None,
) -> KnowledgeBase:
    """Return facts as a knowledge base.

    Args:
        data: the facts.
        chosen: the table of constants that facts may have; None for all.
        worlds: the interpretations; None for all.
    """
    session = data.session
    builder = KnowledgeBaseBuilder(data.schema, types=data.types)
    names = worlds or data.worlds
    numbers = {name: builder.interpretation(name) for name in names}
    known: dict[str, int] = {}
    for name, relation in data.relations.items():
        query = f"SELECT {listed(data.columns(name))} FROM {relation.table} AS s"
        conditions = []
        if chosen is not None:
            conditions += [
                f"EXISTS (SELECT 1 FROM {chosen} AS c WHERE c.v = s.{column})"
                for column in argument_columns(relation.arity)
                if relation.arity
            ]
        if worlds is not None:
            conditions.append(f"{WORLD} IN ({', '.join(map(session.literal, worlds))})")
        query += f" WHERE {' AND '.join(conditions)}" if conditions else ""
        builder.check_arity(name, relation.arity)
        # Systems give rows in any order, and what is learned must not depend on it.
        rows = sorted(row for batch in session.batches(query, f"reading some of {name}") for row in batch)
        _add(builder, name, relation.arity, rows, numbers, known, symbol=data.symbol, several=data.several)
    found = builder.build()
    found.mapping = data.mapping
    return found


def _add(
    builder: KnowledgeBaseBuilder,
    name: str,
    arity: int,
    rows: list[tuple[str, ...]],
    numbers: dict[str, int],
    known: dict[str, int],
    *,
    symbol: Callable[[str], str],
    several: bool,
) -> None:
    for row in rows:
        for text in row[several:] if arity else ():
            if text not in known:
                known[text] = builder.intern(symbol(text))
    own = np.array([[known[text] for text in row[several:]] for row in rows], np.int32) if arity else None
    ids = np.empty((len(rows), 0), np.int32) if own is None else own.reshape(len(rows), arity)
    if not several:
        builder.add_rows(name, ids, next(iter(numbers.values())))
        return
    worlds = np.array([numbers[row[0]] for row in rows], np.int64)
    for world in np.unique(worlds).tolist():
        builder.add_rows(name, ids[worlds == world], world)


def _some_worlds(data: StoredData, most: int) -> dict[str, int]:
    """Return interpretations with their numbers of facts, in the order of a hash, as many as fit."""
    sizes: dict[str, int] = dict.fromkeys(data.interpretations, 0)
    for name, relation in data.relations.items():
        query = f"SELECT {WORLD}, count(*) FROM {relation.table} GROUP BY {WORLD}"
        for world, count in data.session.rows(query, f"counting {name}"):
            sizes[world] += int(count)
    found: dict[str, int] = {}
    for world in sorted(sizes, key=_hash):
        if found and sum(found.values()) + sizes[world] > most:
            break
        found[world] = sizes[world]
    return found


def _hash(text: str) -> str:
    from hashlib import md5  # noqa: PLC0415

    return md5(text.encode(), usedforsecurity=False).hexdigest()


class _Neighbourhoods:
    """Grows a set of constants until the facts about them are many enough."""

    def __init__(self, data: StoredData, most: int) -> None:
        self._data, self._session, self._most = data, data.session, most
        self._places = [
            (relation.table, column)
            for relation in data.relations.values()
            if relation.arity
            for column in argument_columns(relation.arity)
        ]
        self._ranked, self._listed = "", 0

    def read(self) -> KnowledgeBase:
        """Return the facts about the constants."""
        best, largest = "", 0
        first, steps = _FIRST, _STEPS
        for _ in range(_TRIES):
            chosen = self._grown(first, steps)
            facts = self._facts(chosen)
            if facts > 2 * self._most and (best or steps or first > 1):
                self._session.drop(chosen)
                if best:
                    break
                # Fewer constants to begin with; where one alone has too many around it, not so far.
                first, steps = (first // 8, steps) if first >= 8 else (_FIRST, max(0, steps - 1))
                continue
            if best:
                self._session.drop(best)
            best = chosen
            if facts <= largest or 2 * facts > self._most:
                break
            largest = facts
            first = int(first * min(16.0, max(1.5, 0.8 * self._most / max(1, facts))))
        found = read(self._data, best)
        self._session.drop(best, self._ranked)
        return found

    def _first(self, number: int) -> str:
        """Return the table of the constants whose hashes come first, of those in first places."""
        purpose = "choosing constants"
        if number > self._listed:
            # All of the data is read for them: not again each time that some more are needed.
            self._session.drop(self._ranked)
            self._listed = 16 * max(number, 1024)
            every = " UNION ".join(
                f"SELECT {column} AS v FROM {table}" for table, column in self._places if column == "a1"
            )
            query = f"SELECT v, md5(v) AS h FROM ({every}) AS every_value ORDER BY h, v LIMIT {self._listed}"
            self._ranked = self._session.table(query, purpose)
        return self._session.table(f"SELECT v FROM {self._ranked} ORDER BY h, v LIMIT {number}", purpose)

    def _grown(self, number: int, steps: int) -> str:
        session = self._session
        chosen = fresh = self._first(number)
        for _ in range(steps):
            degrees = " UNION ALL ".join(
                f"SELECT f.v FROM {table} AS s JOIN {fresh} AS f ON s.{column} = f.v"
                for table, column in self._places
            )
            few = session.table(
                f"SELECT v FROM ({degrees}) AS d GROUP BY v HAVING count(*) <= {_HUB}", "looking for hubs"
            )
            reached = " UNION ".join(
                f"SELECT s.{other} AS v FROM {table} AS s JOIN {few} AS f ON s.{column} = f.v"
                for table, column in self._places
                for same_table, other in self._places
                if same_table == table and other != column
            )
            old = f"SELECT v FROM {chosen}"
            fresh_now = session.table(
                f"({reached}) EXCEPT {old}" if reached else f"{old} WHERE 1 = 0", "growing the sample"
            )
            grown = session.table(f"{old} UNION ALL SELECT v FROM {fresh_now}", "growing the sample")
            session.drop(few, *{chosen, fresh})
            chosen, fresh = grown, fresh_now
        if fresh != chosen:
            session.drop(fresh)
        return chosen

    def _facts(self, chosen: str) -> int:
        """Return the number of facts about chosen constants alone."""
        total = 0
        for name, relation in self._data.relations.items():
            inside = " AND ".join(
                f"EXISTS (SELECT 1 FROM {chosen} AS c WHERE c.v = s.{column})"
                for column in argument_columns(relation.arity)
            )
            if relation.arity:
                query = f"SELECT count(*) FROM {relation.table} AS s WHERE {inside}"
                total += self._session.value(query, f"counting the sample of {name}")
        return total
