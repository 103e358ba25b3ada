"""True atoms of all candidates at once: walks from one argument of each fact to the other.

Facts of the heads are looked at, of large predicates some that a hash chooses. Which steps begin at their
arguments is known by one aggregate; it tells which candidates can have enough true atoms, and at which end
fewer walks begin. Then one join for each shape counts the facts that a candidate derives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from logicoder.engine.sql.candidate_rows import (
    CHAIN,
    NONE,
    OPEN,
    STRAIGHT,
    CandidateRow,
    Head,
    chained,
    opened,
    straight,
    table_of,
)
from logicoder.engine.sql.relations import argument_columns, listed
from logicoder.engine.sql.step_tables import Steps, chosen_by_hash


@dataclass(frozen=True)
class Limits:
    """What counting may cost, whatever the size of the data.

    Attributes:
        facts: facts of heads that are looked at, all heads together, and at least as many of each head.
        walks: first steps from these facts, as `facts`.
        hub: facts that a value is in; from one with more of them nothing is begun.
        candidates: candidates of one shape.
        atoms: atoms that candidates derive, as `facts`, for each shape.
        beyond: how many times more atoms than these a candidate may derive.
    """

    facts: tuple[int, int] = (100_000, 2_000)
    walks: tuple[int, int] = (1_000_000, 10_000)
    hub: int = 2_000
    candidates: int = 50_000
    atoms: tuple[int, int] = (500_000, 4_000)
    beyond: int = 1_000

    @staticmethod
    def each(limit: tuple[int, int], number: int) -> int:
        """Return the part of one of several."""
        return max(limit[1], limit[0] // max(1, number))


@dataclass
class _Near:
    """The facts of the heads that are looked at, and the steps from them.

    Attributes:
        facts: their table.
        shares: the part of each head's facts that is in it.
        begins: for each head and step, the facts from whose first argument it leads; the same of their last.
    """

    facts: str
    shares: list[float]
    begins: tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]] = field(
        default_factory=lambda: (Counter(), Counter())
    )


class WalkCounts:
    """Counts true atoms.

    Args:
        steps: what bodies are made of.
        heads: what they derive.
        limits: what that may cost.

    Attributes:
        heads: the heads, turned round where fewer walks begin at the other end.
        shares: the part of each head's facts that was walked from.
        told: what was left out, in words.
    """

    def __init__(self, steps: Steps, heads: Sequence[Head], limits: Limits | None = None) -> None:
        self.steps, self._data, self._session = steps, steps.data, steps.data.session
        self.heads, self._limits = list(heads), limits or Limits()
        self.shares = [1.0] * len(heads)
        self.told: list[str] = []
        self._world = steps.world

    def counted(self) -> Iterator[tuple[CandidateRow, int]]:
        """Iterate over the candidates with enough true atoms, and how many of those looked at are true."""
        if not self.heads:
            return
        session = self._session
        near = self._near()
        walked = self._walked(near)
        rows = list(self._candidates(near))
        session.drop(near.facts)
        if not rows:
            session.drop(walked)
            return
        walks = self._first_steps(walked, rows)
        session.drop(walked)
        for shape in (STRAIGHT, CHAIN, OPEN):
            known = {(row.head, row.first, row.second): row for row in rows if row.shape == shape}
            if known:
                found = self._counted(shape, walks, list(known.values()))
                yield from ((known[key], true) for key, true in found if true >= self._least(key[0]))
        session.drop(walks)

    # -- facts, and what begins at them -----------------------------------------------------------------

    def _near(self) -> _Near:
        most = Limits.each(self._limits.facts, len(self.heads))
        shares = [min(1.0, most / max(1, head.facts)) for head in self.heads]
        facts = self._session.table(self.facts(shares), "choosing facts to walk from")
        return _Near(facts, shares)

    def facts(self, shares: Sequence[float] | None = None) -> str:
        """Return the query for facts of the heads: number `h`, interpretation, from `x` to `y`."""
        parts = []
        for number, head in enumerate(self.heads):
            relation = self._data.relations[head.name]
            first, last = (argument_columns(relation.arity)[place] for place in head.places)
            columns = [f"{number} AS h", *self._world, f"{first} AS x", f"{last} AS y"]
            where = "" if shares is None else self._some(argument_columns(relation.arity), shares[number])
            parts.append(
                f"SELECT {listed(columns)} FROM {relation.table}" + (f" WHERE {where}" if where else "")
            )
        return " UNION ALL ".join(parts)

    def _some(self, columns: Sequence[str], share: float) -> str:
        separated = f" || {self._session.literal(',')} || ".join(columns)
        return chosen_by_hash(self._data, separated, share)

    def _walked(self, near: _Near) -> str:
        """Return the facts to walk from, each at the end where fewer walks begin; look at all of them."""
        session, world = self._session, listed([*self._world, ""])
        purpose = "looking at what begins at facts"
        values = session.table(
            f"SELECT {world}x AS v FROM {near.facts} UNION SELECT {world}y AS v FROM {near.facts}", purpose
        )
        # All steps from one place of a predicate begin at the same values.
        degrees = session.table(
            f"SELECT p, {world}u AS v, count(*) AS n FROM ({self.steps.begun()}) AS e "
            f"WHERE {self.steps.within('e', values)} GROUP BY p, {world}u",
            purpose,
        )
        session.drop(values)
        for end, begins in zip("xy", near.begins, strict=True):
            query = (
                f"SELECT f.h, d.p, count(*) FROM {near.facts} AS f JOIN {degrees} AS d "
                f"ON d.v = f.{end}{self._same('f', 'd')} GROUP BY f.h, d.p"
            )
            found = {(int(h), int(p)): int(n) for h, p, n in session.rows(query, purpose)}
            for head in range(len(self.heads)):
                begins.update({(head, p): found.get((head, q), 0) for p, q in enumerate(self.steps.begins)})
        totals = session.table(
            f"SELECT {world}v, sum(n) AS n FROM {degrees} GROUP BY {listed([*self._world, 'v'])}", purpose
        )
        session.drop(degrees)
        walked = self._thinned(near, totals)
        session.drop(totals)
        return walked

    def _thinned(self, near: _Near, totals: str) -> str:
        """Return the facts to walk from: none at hubs, and no more than there may be walks."""
        purpose, hub = "looking at how many walks begin at facts", self._limits.hub
        sums = [
            f"sum(CASE WHEN d{end}.n <= {hub} THEN {value} ELSE 0 END)"
            for end in "xy"
            for value in ("1", f"d{end}.n")
        ]
        joined = f"FROM {near.facts} AS f"
        for end in "xy":
            joined += f" JOIN {totals} AS d{end} ON d{end}.v = f.{end}{self._same('f', f'd{end}')}"
        rows = self._session.rows(f"SELECT f.h, {listed(sums)}, count(*) {joined} GROUP BY f.h", purpose)
        most = Limits.each(self._limits.walks, len(self.heads))
        parts = []
        for number, *counts, every in (tuple(map(int, row)) for row in rows):
            head, (kept_x, walks_x, kept_y, walks_y) = self.heads[number], counts
            turned = not head.unary and (-kept_y, walks_y) < (-kept_x, walks_x)
            kept, walks = (kept_y, walks_y) if turned else (kept_x, walks_x)
            if kept < every:
                self.told.append(
                    f"{every - kept:,} facts of {head.name} about values that are in more than {hub:,} facts"
                )
            self.heads[number] = replace(head, turned=turned)
            share = near.shares[number] * min(1.0, most / max(1, walks))
            self.shares[number] = share * kept / every
            x, y = ("y", "x") if turned else ("x", "y")
            columns = ["f.h", *(f"f.{w}" for w in self._world), f"f.{x} AS x", f"f.{y} AS y"]
            some = self._some(["f.x"] if head.unary else ["f.x", "f.y"], share)
            tests = [f"f.h = {number}", f"d.n <= {hub}", *([some] if share < near.shares[number] else [])]
            parts.append(
                f"SELECT {listed(columns)} FROM {near.facts} AS f JOIN {totals} AS d "
                f"ON d.v = f.{x}{self._same('f', 'd')} WHERE {' AND '.join(tests)}"
            )
        parts = parts or [f"SELECT * FROM {near.facts} WHERE 1 = 0"]
        return self._session.table(" UNION ALL ".join(parts), "choosing facts to walk from")

    def _same(self, one: str, other: str) -> str:
        return "".join(f" AND {one}.{w} = {other}.{w}" for w in self._world)

    # -- candidates -------------------------------------------------------------------------------------

    def _least(self, number: int, share: float | None = None) -> int:
        """Return the fewest true atoms, of those looked at, with which a clause of a head can pay."""
        head, share = self.heads[number], self.shares[number] if share is None else share
        return max(2, ceil(head.least * share)) if share < 1 else max(2, head.least)

    def _candidates(self, near: _Near) -> Iterator[CandidateRow]:
        """Iterate over all well-typed candidates that can have enough true atoms."""
        every = self.steps.every
        chains: list[tuple[int, CandidateRow]] = []
        opens: list[tuple[int, CandidateRow]] = []
        for number, head in enumerate(self.heads):
            least = self._least(number, near.shares[number])
            begins, ends = near.begins[::-1] if head.turned else near.begins
            able = [(p, begins[number, p]) for p in range(len(every)) if begins[number, p] >= least]
            last = [
                (p, ends[number, self.steps.turned[p]])
                for p in range(len(every))
                if ends[number, self.steps.turned[p]] >= least
            ]
            for first, some in able:
                if straight(head, every[first]):
                    yield CandidateRow(STRAIGHT, number, first)
                chains += [
                    (min(some, other), CandidateRow(CHAIN, number, first, second))
                    for second, other in last
                    if chained(head, every[first], every[second])
                ]
                opens += [
                    (some, CandidateRow(OPEN, number, first, second))
                    for second in range(len(every) if head.unary else 0)
                    if opened(head, every[first], every[second])
                ]
        yield from self._most(chains)
        yield from self._most(opens)

    def _most(self, found: list[tuple[int, CandidateRow]]) -> Iterator[CandidateRow]:
        """Iterate over as many candidates of a shape as there may be, those with the most facts first."""
        most = self._limits.candidates
        if len(found) > most:
            self.told.append(f"{len(found) - most:,} candidates {found[0][1].shape} with fewer facts")
            found.sort(key=lambda one: (-one[0], one[1].head, one[1].first, one[1].second))
        return (row for _, row in found[:most])

    # -- joins ------------------------------------------------------------------------------------------

    def _first_steps(self, walked: str, rows: Iterable[CandidateRow]) -> str:
        """Return the table of first steps: head, step, interpretation, fact from `x` to `y`, reached `z`."""
        rows = list(dict.fromkeys(CandidateRow(STRAIGHT, row.head, row.first) for row in rows))
        begun = table_of(self._session, enumerate(rows))
        world = [f"t.{w}" for w in self._world]
        values = self._values(walked, "x")
        view = self.steps.view({row.first for row in rows}, among=values)
        query = (
            f"SELECT {listed(['t.h', 'e.p AS p1', *world, 't.x', 't.y', 'e.v AS z'])} FROM {walked} AS t "
            f"JOIN ({view}) AS e ON e.u = t.x{self._same('t', 'e')} "
            f"WHERE EXISTS (SELECT 1 FROM {begun} AS c WHERE c.head = t.h AND c.p1 = e.p)"
        )
        made = self._session.table(query, "walking from facts by one step")
        self._session.drop(begun, values)
        return made

    def _values(self, table: str, column: str) -> str:
        """Return the table of the values of a column."""
        columns = listed([*self._world, f"{column} AS v"])
        return self._session.table(f"SELECT DISTINCT {columns} FROM {table}", "listing values of facts")

    def _counted(
        self, shape: str, walks: str, rows: Sequence[CandidateRow]
    ) -> Iterator[tuple[tuple[int, int, int], int]]:
        """Iterate over candidates of a shape, by head and steps, with their true atoms."""
        purpose = f"counting true atoms of candidates {shape}"
        if shape == STRAIGHT:
            query = f"SELECT h, p1, {NONE}, count(*) FROM {walks} WHERE z = y GROUP BY h, p1"
            known = {(row.head, row.first, row.second) for row in rows}
            found = [tuple(map(int, row)) for row in self._session.rows(query, purpose)]
            yield from ((row[:3], row[3]) for row in found if row[:3] in known)  # type: ignore[misc]
            return
        session = self._session
        candidate, values = table_of(session, enumerate(rows)), self._values(walks, "z")
        view = self.steps.view({row.second for row in rows}, among=values)
        atom = [*(f"t.{w}" for w in self._world), "t.x", "t.y"]
        arrived = " AND e.v = t.y" * (shape == CHAIN)
        # What asks both tables comes after their join: nothing else may be joined with all candidates.
        atoms = (
            f"SELECT DISTINCT {listed(['t.h', 't.p1', 'e.p AS p2', *atom])} FROM {walks} AS t "
            f"JOIN ({view}) AS e ON e.u = t.z{arrived}{self._same('t', 'e')} WHERE EXISTS "
            f"(SELECT 1 FROM {candidate} AS c WHERE c.head = t.h AND c.p1 = t.p1 AND c.p2 = e.p)"
        )
        query = f"SELECT h, p1, p2, count(*) FROM ({atoms}) AS d GROUP BY h, p1, p2"
        for h, p1, p2, true in session.rows(query, purpose):
            yield (int(h), int(p1), int(p2)), int(true)
        session.drop(candidate, values)
