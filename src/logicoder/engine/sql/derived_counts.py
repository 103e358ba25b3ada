"""What candidates derive, and how much of it is true: for values of the first variable that a hash chooses.

Of such values every atom is counted, so that the counts are exact for them. How large a join will be is told
by the degrees of the values that the first steps reach, before it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from logicoder.engine.sql.candidate_rows import CHAIN, NONE, STRAIGHT, CandidateRow, table_of
from logicoder.engine.sql.relations import listed
from logicoder.engine.sql.step_tables import chosen_by_hash
from logicoder.engine.sql.walk_counts import Limits, WalkCounts


class DerivedCount(NamedTuple):
    """What a candidate comes to.

    Attributes:
        row: the candidate.
        derived: atoms that it derives.
        true: facts among them.
        share: the part of all values of the first variable for which these are the counts.
    """

    row: CandidateRow
    derived: int
    true: int
    share: float


class DerivedCounts:
    """Counts what candidates derive.

    Args:
        walks: has counted their true atoms, and says which heads and steps there are.
        limits: what that may cost.
    """

    def __init__(self, walks: WalkCounts, limits: Limits | None = None) -> None:
        self._walks, self._steps, self._limits = walks, walks.steps, limits or Limits()
        self._data, self._session = walks.steps.data, walks.steps.data.session
        self._world = walks.steps.world

    def counted(self, shape: str, rows: Sequence[CandidateRow]) -> Iterator[DerivedCount]:
        """Iterate over candidates of a shape with their counts; those that derive too much are left out."""
        if not rows:
            return
        session = self._session
        most = Limits.each(self._limits.atoms, len(rows))
        firsts = {row.first for row in rows}
        shares = {first: min(1.0, most / max(1, self._steps.size(first))) for first in firsts}
        begun = self._begun(shape, rows, shares)
        every = {number: shares[row.first] for number, row in enumerate(rows)}
        if shape != STRAIGHT:
            begun, every = self._bounded(shape, begun, rows, every, most)
        atoms = session.table(self._atoms(shape, begun, rows), self._purpose("atoms", shape))
        session.drop(begun)
        derived = f"SELECT id, count(*) FROM {atoms} GROUP BY id"
        counts = {int(i): int(n) for i, n in session.rows(derived, self._purpose("atoms", shape))}
        matching = "".join(f" AND f.{w} = d.{w}" for w in self._world)
        true = (
            f"SELECT d.id, count(*) FROM {atoms} AS d JOIN ({self._walks.facts()}) AS f "
            f"ON f.h = d.head AND f.x = d.x AND f.y = d.y{matching} GROUP BY d.id"
        )
        facts = {int(i): int(n) for i, n in session.rows(true, self._purpose("true atoms", shape))}
        session.drop(atoms)
        for number, share in every.items():
            yield DerivedCount(rows[number], counts.get(number, 0), facts.get(number, 0), share)

    def _purpose(self, what: str, shape: str) -> str:
        return f"counting {what} that candidates {shape} derive"

    def _begun(self, shape: str, rows: Sequence[CandidateRow], shares: dict[int, float]) -> str:
        """Return the table of first steps: `id` and `head` of a candidate, its `p2`, from `x` to `z`."""
        candidate = table_of(self._session, enumerate(rows))
        view = self._steps.view(shares, self._steps.hashed(shares))
        columns = ["c.id", "c.head", "c.p2", *(f"e.{w}" for w in self._world), "e.u AS x", "e.v AS z"]
        made = self._session.table(
            f"SELECT {listed(columns)} FROM ({view}) AS e JOIN {candidate} AS c ON c.p1 = e.p",
            self._purpose("first steps", shape),
        )
        self._session.drop(candidate)
        return made

    def _bounded(
        self, shape: str, begun: str, rows: Sequence[CandidateRow], shares: dict[int, float], most: int
    ) -> tuple[str, dict[int, float]]:
        """Return fewer first steps where second ones would be too many, and the shares of what is left."""
        session, purpose = self._session, f"looking at sizes of joins {shape}"
        view, same = self._second(begun, rows), "".join(f" AND d.{w} = b.{w}" for w in self._world)
        key = listed(["p", *self._world, "u"])
        reached = f"(SELECT {listed([*self._world, 'z AS v'])} FROM {begun})"
        where = self._steps.within("e", reached)
        degrees = f"SELECT {key}, count(*) AS n FROM ({view}) AS e WHERE {where} GROUP BY {key}"
        query = (
            f"SELECT b.id, sum(d.n) FROM {begun} AS b JOIN ({degrees}) AS d "
            f"ON d.p = b.p2 AND d.u = b.z{same} GROUP BY b.id"
        )
        sizes = {int(number): int(size) for number, size in session.rows(query, purpose)}
        large = {number: size for number, size in sizes.items() if size > most}
        if not large:
            return begun, shares
        beyond = {number for number, size in large.items() if size > self._limits.beyond * most}
        if beyond:
            self._walks.told.append(f"{len(beyond):,} candidates {shape} that derive too much")
        kept = {number: share for number, share in shares.items() if number not in beyond}
        tests = []
        for number in large.keys() & kept.keys():
            kept[number] *= most / large[number]
            tests.append(f"(id = {number} AND {chosen_by_hash(self._data, 'x', kept[number])})")
        others = ", ".join(map(str, large))
        fewer = " OR ".join([f"id NOT IN ({others})", *tests])
        made = session.table(f"SELECT * FROM {begun} WHERE {fewer}", purpose)
        session.drop(begun)
        return made, kept

    def _second(self, begun: str, rows: Sequence[CandidateRow]) -> str:
        """Return the query for the second steps of candidates, from where the first ones lead."""
        reached = f"(SELECT {listed([*self._world, 'z AS v'])} FROM {begun})"
        return self._steps.view({row.second for row in rows}, among=reached)

    def _atoms(self, shape: str, begun: str, rows: Sequence[CandidateRow]) -> str:
        """Return the query for the atoms of candidates: `id`, `head`, interpretation, from `x` to `y`."""
        unary = [str(number) for number, head in enumerate(self._walks.heads) if head.unary]
        own = ["b.id", "b.head", *(f"b.{w}" for w in self._world), "b.x"]
        last = {STRAIGHT: "b.z", CHAIN: "e.v"}.get(shape, "b.x")
        joined = ""
        if rows[0].second != NONE:
            same = "".join(f" AND e.{w} = b.{w}" for w in self._world)
            joined = f" JOIN ({self._second(begun, rows)}) AS e ON e.p = b.p2 AND e.u = b.z{same}"
        # Atoms of unary heads end where they began.
        back = f" WHERE (b.head NOT IN ({', '.join(unary)}) OR {last} = b.x)" if unary else ""
        distinct = "DISTINCT " * (shape != STRAIGHT)
        return f"SELECT {distinct}{listed([*own, f'{last} AS y'])} FROM {begun} AS b{joined}{back}"
