"""Counts on the levels of an explainer of stored data: the system makes them, of all facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logicoder.autoencoder.predicate_scores import PredicateScore
from logicoder.engine.sql.query_coverage import coverage_classes, covered_atoms
from logicoder.report.level_counts import Judged, LevelCounts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from logicoder.autoencoder.stored_explainer import StoredExplainer
    from logicoder.engine.sql.relations import Relation
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.logic.terms import Clause, Program


class StoredCounts(LevelCounts):
    """Counts by queries, one for all clauses of a predicate; without examples.

    Args:
        explainer: the programs, run in the system.
        data: the facts.
    """

    explainer: StoredExplainer

    def __init__(self, explainer: StoredExplainer, data: StoredData) -> None:
        super().__init__(explainer)
        self._data = data
        self._counts: dict[str, int] = {}

    def scores(self) -> tuple[PredicateScore, ...]:
        """Return how each predicate of the data comes back."""
        last, found = len(self.explainer.levels), []
        for name, predicate in self.schema(0).items():
            if predicate.background:
                continue
            facts = derived = rebuilt = self.count(0, name)
            if name not in self.explainer.kept:
                derived, rebuilt = self.count(last, name), self.right(last, name, 0)
            false = 0 if predicate.open_world else derived - rebuilt
            found.append(PredicateScore.of(name, facts, facts - rebuilt, false))
        return tuple(found)

    def count(self, level: int, name: str) -> int:
        """See `LevelCounts.count`."""
        relation = self._relations(level).get(name)
        if relation is None:
            return 0
        if relation.table not in self._counts:
            query = f"SELECT count(*) FROM {relation.table}"
            self._counts[relation.table] = self._data.session.value(query, f"counting {name}")
        return self._counts[relation.table]

    def right(self, level: int, name: str, below: int) -> int:
        """See `LevelCounts.right`."""
        derived, facts = (self._relations(place).get(name) for place in (level, below))
        if derived is None or facts is None or not self.count(level, name):
            return 0
        missing = self._data.missing_from(facts, derived)
        query = f"SELECT count(*) FROM ({missing}) AS s"
        return self.count(below, name) - self._data.session.value(query, f"comparing {name}")

    def judged(self, level: int, program: Program, below: int | None) -> list[Judged]:
        """See `LevelCounts.judged`."""
        found: dict[int, Judged] = {}
        for name in program.defined():
            own = [(number, clause) for number, clause in enumerate(program) if clause.head.predicate == name]
            judged = self._judged(level, name, [clause for _, clause in own], below)
            found |= {number: one for (number, _), one in zip(own, judged, strict=True)}
        return [found[number] for number in sorted(found)]

    def _judged(self, level: int, name: str, clauses: Sequence[Clause], below: int | None) -> list[Judged]:
        data, relations = self._data, self.explainer.levels[level - 1].relations
        queries = [
            " UNION ".join(data.runs.queries.select(c.head, body, relations) for body in c.alternatives)
            for c in clauses
        ]
        facts = None if below is None else self._relations(below).get(name)
        atoms = f"({covered_atoms(data, facts or relations[name], queries)})"
        purpose = f"counting what {len(clauses)} clauses derive of {name}"
        classes = coverage_classes(data, atoms, len(clauses), purpose)
        judged = []
        for number in range(len(clauses)):
            own = [(true, size) for mask, true, size in classes if mask >> number & 1]
            derived = sum(size for _, size in own)
            right = sum(size for true, size in own if true) if facts is not None else 0
            opened = below is None or (name in self.schema(below) and self.schema(below)[name].open_world)
            judged.append(Judged(derived, right, 0 if opened else derived - right))
        return judged

    def _relations(self, level: int) -> Mapping[str, Relation]:
        """Return the facts of a level; of the data, those of its predicates alone."""
        explainer = self.explainer
        made: Mapping[str, Relation] = explainer.levels[level - 1].made if level else explainer.facts
        known = self.schema(level)
        return {name: relation for name, relation in made.items() if name in known}
