"""Closures of one relation in a system: its base, what the base implies, and how much of that is false."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logicoder.engine.sql.relations import WORLD, Relation, Relations, empty, listed, same
from logicoder.logic.terms import Atom, Clause, Literal, Program

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData

_STEPS = Program.parse("closed(X,Y) :- step(X,Y). closed(X,Z) :- closed(X,Y), step(Y,Z).")


@dataclass(frozen=True)
class Closed:
    """A relation as the closure of a base: tables, as a look has their atoms.

    Attributes:
        facts: its facts.
        given: what follows from seeds.
        base: what is kept.
        derived: what follows from both.
    """

    facts: str
    given: str
    base: str
    derived: str


class Closures:
    """Makes closures and bases, as `logicoder.engine.arrays.rules.closed_forms` does.

    Of a symmetric relation or an equivalence, atoms are pairs with the smaller text first; the diagonal is
    left out everywhere.

    Args:
        data: the facts.
    """

    def __init__(self, data: StoredData) -> None:
        self._data, self._session = data, data.session
        self._world = [WORLD] if data.several else []
        self._columns = [*self._world, "a1", "a2"]

    def counts(
        self, form: str, name: str, seeds: Sequence[str], seen: Callable[[str], str]
    ) -> tuple[int, int, int, int, int]:
        """Return what a relation comes to as the closure of a base: see `made`, and `sizes`."""
        made = self.made(form, name, seeds, seen)
        sizes = self.sizes(made)
        self._session.drop(made.facts, made.given, made.base, made.derived)
        return sizes

    def made(self, form: str, name: str, seeds: Sequence[str], seen: Callable[[str], str]) -> Closed:
        """Return a relation as the closure of a base.

        Args:
            form: `transitive` or `equivalence`.
            name: the predicate.
            seeds: queries for atoms that are derived anyway.
            seen: returns a query for those atoms of another one that are looked at.
        """
        facts = self.atoms(form, f"SELECT * FROM {self._data.relations[name].table}")
        given = self._within(self.closed(form, self._union(map(seen, seeds))), seen)
        base = self.base(form, facts, given)
        derived = self._within(self.closed(form, f"SELECT * FROM {given} UNION SELECT * FROM {base}"), seen)
        return Closed(facts, given, base, derived)

    def gone_on(
        self, clause: Clause, seeds: Sequence[str], seen: Callable[[str], str], relations: Relations
    ) -> Closed:
        """Return a relation as what goes on from a base by a recursive clause; see `made`."""
        facts = self._data.relations[clause.head.predicate]
        looked = self._session.table(seen(f"SELECT * FROM {facts.table}"), "looking at a relation")
        given = self._along(clause, list(map(seen, seeds)), relations)
        kept = self._recursive_base(clause, Relation(looked, 2), given, relations)
        every = [f"SELECT {listed(self._columns)} FROM {table}" for table in (given, kept)]
        derived = self._along(clause, every, relations)
        return Closed(looked, self._within(given, seen), kept, self._within(derived, seen))

    def sizes(self, made: Closed) -> tuple[int, int, int, int, int]:
        """Return the numbers of a closure.

        Returns:
            atoms that follow from seeds, atoms of the base, atoms that follow from both, false ones among
            them, and facts that do not follow.
        """
        on = same("d", "f", self._columns)
        true = self._number(f"SELECT count(*) FROM {made.derived} AS d JOIN {made.facts} AS f ON {on}")
        tables = (made.given, made.base, made.derived, made.facts)
        given, base, derived, facts = (self._number(f"SELECT count(*) FROM {table}") for table in tables)
        return given, base, derived, derived - true, facts - true

    def _union(self, queries: Iterable[str]) -> str:
        return " UNION ".join(queries) or empty(self._session, self._columns)

    def _within(self, table: str, seen: Callable[[str], str]) -> str:
        found = self._session.table(seen(f"SELECT * FROM {table}"), "looking at a closure")
        self._session.drop(table)
        return found

    def _number(self, query: str) -> int:
        return self._session.value(query, "counting a closure")

    def atoms(self, form: str, query: str) -> str:
        """Return the table of atoms off the diagonal, as a form has them."""
        if form == "transitive":
            text = f"SELECT {listed(self._columns)} FROM ({query}) AS s WHERE a1 <> a2"
        else:
            turned = [*self._world, "least(a1, a2) AS a1", "greatest(a1, a2) AS a2"]
            text = f"SELECT DISTINCT {listed(turned)} FROM ({query}) AS s WHERE a1 <> a2"
        return self._session.table(text, "looking at a relation")

    def closed(self, form: str, query: str) -> str:
        """Return the table of what follows from atoms by a form, off the diagonal."""
        steps = query
        if form != "transitive":
            turned = [*self._world, "a2 AS a1", "a1 AS a2"]
            steps = f"({query}) UNION (SELECT {listed(turned)} FROM ({query}) AS s)"
        table = self._session.table(
            f"SELECT {listed(self._columns)} FROM ({steps}) AS s", "closing a relation"
        )
        closed = self._data.runs.run(_STEPS, {"step": Relation(table, 2)})["closed"].table
        test = "a1 <> a2" if form == "transitive" else "a1 < a2"
        found = self._session.table(
            f"SELECT {listed(self._columns)} FROM {closed} WHERE {test}", "closing a relation"
        )
        self._session.drop(table, closed)
        return found

    def base(self, form: str, facts: str, given: str) -> str:
        """Return the table of atoms that are to be kept beside those that are given."""
        if form == "symmetric":
            return self._minus(f"SELECT * FROM {facts}", given)
        return self._transitive(facts, given) if form == "transitive" else self._equivalence(facts, given)

    def recursive(self, clause: Clause, facts: Relation, given: Relation | None, relations: Relations) -> str:
        """Return the table of facts that are kept of a relation that a recursive clause of its own closes.

        Args:
            clause: the clause, whose body has the relation once.
            facts: the facts.
            given: atoms that are derived anyway.
            relations: what else the clause reads.
        """
        seeds = [] if given is None else [f"SELECT {listed(self._columns)} FROM {given.table}"]
        return self._recursive_base(clause, facts, self._along(clause, seeds, relations), relations)

    def _recursive_base(self, clause: Clause, facts: Relation, every: str, relations: Relations) -> str:
        """Return the facts that are kept beside the table of those that follow anyway."""
        session, name, columns = self._session, clause.head.predicate, listed(self._columns)
        (body,) = clause.alternatives
        (own,) = (literal for literal in body if literal.atom.predicate == name)
        (changed,) = (n for n in (0, 1) if own.atom.arguments[n] != clause.head.arguments[n])
        # A step that goes nowhere derives what is there already.
        moves = Literal.unequal(own.atom.arguments[changed], clause.head.arguments[changed])
        known = {**relations, name: facts}
        implied = self._data.runs.queries.select(clause.head, (*body, moves), known)
        bare = session.table(
            f"SELECT {columns} FROM {facts.table} EXCEPT ({implied}) EXCEPT SELECT {columns} FROM {every}",
            "finding a base",
        )
        derived = self._along(
            clause, [f"SELECT {columns} FROM {table}" for table in (every, bare)], relations
        )
        missing = f"SELECT {columns} FROM {facts.table} EXCEPT SELECT {columns} FROM {derived}"
        return session.table(f"SELECT {columns} FROM {bare} UNION ({missing})", "finding a base")

    def _along(self, clause: Clause, queries: Sequence[str], relations: Relations) -> str:
        """Return the table of what follows from atoms by a recursive clause."""
        union = f"SELECT {listed(self._columns)} FROM ({self._union(queries)}) AS s"
        start = Relation(self._session.table(union, "closing a relation"), 2)
        seed = Clause(clause.head, ((Literal(Atom("$start", clause.head.arguments)),),))
        program = Program((seed, clause))
        made = self._data.runs.run(program, {**relations, "$start": start})
        return made[clause.head.predicate].table

    def _minus(self, query: str, other: str) -> str:
        columns = listed(self._columns)
        return self._session.table(f"{query} EXCEPT SELECT {columns} FROM {other}", "finding a base")

    def _transitive(self, facts: str, given: str) -> str:
        """Facts that no two others imply, and as many as are needed beside them."""
        session = self._session
        world = "".join(f" AND f.{c} = g.{c}" for c in self._world)
        first = "".join(f"f.{c}, " for c in self._world)
        implied = f"SELECT {first}f.a1, g.a2 FROM {facts} AS f JOIN {facts} AS g ON f.a2 = g.a1{world}"
        columns = listed(self._columns)
        bare = session.table(
            f"SELECT {columns} FROM {facts} EXCEPT ({implied}) EXCEPT SELECT {columns} FROM {given}",
            "finding a base",
        )
        derived = self.closed("transitive", f"SELECT * FROM {bare} UNION SELECT * FROM {given}")
        missing = f"SELECT {columns} FROM {facts} EXCEPT SELECT {columns} FROM {derived}"
        found = session.table(f"SELECT {columns} FROM {bare} UNION ({missing})", "finding a base")
        session.drop(bare, derived)
        return found

    def _equivalence(self, facts: str, given: str) -> str:
        """Edges from the first of each class to the first of each part that is given."""
        session = self._session
        strong = self._strong(facts)
        best, least = "", self._number(f"SELECT count(*) FROM {facts}")
        for edges in (facts, strong):
            joined = self.closed("equivalence", f"SELECT * FROM {given} UNION SELECT * FROM {edges}")
            base = self._firsts(joined, given)
            pairs = self._number(f"SELECT count(*) FROM {joined}")
            on = same("j", "f", self._columns)
            covered = self._number(f"SELECT count(*) FROM {joined} AS j JOIN {facts} AS f ON {on}")
            every = self._number(f"SELECT count(*) FROM {facts}")
            cost = self._number(f"SELECT count(*) FROM {base}") + pairs - covered + every - covered
            session.drop(joined)
            if cost < least:
                best, least = base, cost
            else:
                session.drop(base)
        session.drop(strong)
        return best or session.table(f"SELECT * FROM {facts} WHERE 1 = 0", "finding a base")

    def _firsts(self, joined: str, given: str) -> str:
        """Return an edge from the first member of each class to the first of each part of it."""
        keys = [*self._world, "v"]

        def first(pairs: str) -> str:
            turned = listed([*self._world, "a2 AS v", "a1 AS u"])
            both = f"SELECT {turned} FROM {pairs}"
            return f"SELECT {listed(keys)}, min(u) AS u FROM ({both}) AS m GROUP BY {listed(keys)}"

        # Who is first has nobody before it, so it is only ever on the left.
        selected = listed([*self._world, "u AS a1", "v AS a2"], "c")
        query = (
            f"SELECT {selected} FROM ({first(joined)}) AS c LEFT JOIN ({first(given)}) AS p "
            f"ON {same('c', 'p', keys)} WHERE p.v IS NULL"
        )
        return self._session.table(query, "finding a base")

    def _strong(self, facts: str) -> str:
        """Return the pairs that are mostly related to the same ones."""
        session = self._session
        world = "".join(f"{c}, " for c in self._world)
        both = session.table(
            f"SELECT {world}a1 AS x, a2 AS y FROM {facts} UNION ALL SELECT {world}a2, a1 FROM {facts}",
            "finding a base",
        )
        keys = listed([*self._world, "x"])
        degrees = session.table(
            f"SELECT {keys}, count(*) + 1 AS n FROM {both} GROUP BY {keys}", "finding a base"
        )

        def matching(left: str, right: str) -> str:
            return "".join(f" AND {left}.{c} = {right}.{c}" for c in self._world)

        columns = listed(self._columns, "f")
        common = (
            f"SELECT {columns}, count(*) AS n FROM {facts} AS f "
            f"JOIN {both} AS l ON l.x = f.a1{matching('l', 'f')} "
            f"JOIN {both} AS r ON r.x = f.a2 AND r.y = l.y{matching('r', 'f')} GROUP BY {columns}"
        )
        found = session.table(
            f"SELECT {columns} FROM {facts} AS f JOIN {degrees} AS l ON l.x = f.a1{matching('l', 'f')} "
            f"JOIN {degrees} AS r ON r.x = f.a2{matching('r', 'f')} LEFT JOIN ({common}) AS c "
            f"ON {same('c', 'f', self._columns)} WHERE 3 * (coalesce(c.n, 0) + 2) >= l.n + r.n",
            "finding a base",
        )
        session.drop(both, degrees)
        return found
