"""What extensions promise for predicates, counted by the definition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, permutations

from logicoder.engine.handles import Extension

from .set_data import SetData
from .set_handles import rows_of
from .set_rows import Rows, columns

Cover = tuple[str, bool, int, int]
"""A predicate, whether all of its arguments are meant, the facts that agree, and the rows that do so."""


class SetPromises:
    """What extensions cover of the facts that are wanted, whole or in some arguments."""

    def __init__(self, data: SetData, wanted: Mapping[str, Rows]) -> None:
        self.data, self.wanted = data, wanted

    def covers(self, extension: Extension) -> Iterator[list[Cover]]:
        """Yield for each choice of columns what it covers of the columns of predicates with these types."""
        for size in range(1, len(extension.types) + 1):
            for chosen in combinations(range(len(extension.types)), size):
                rows = columns(rows_of(extension), chosen)
                kinds = [extension.types[i] for i in chosen]
                found: list[Cover] = []
                for name, facts in self.wanted.items():
                    types = self.data.types[name]
                    for places in permutations(range(len(types)), size):
                        if facts and [types[i] for i in places] == kinds:
                            agree = sum(tuple(fact[i] for i in places) in rows for fact in facts)
                            found.append((name, size == len(types), agree, len(rows)))
                if found:
                    yield found

    def score(self, extension: Extension) -> float:
        """Return the facts that an extension rebuilds or tells apart, less those it has."""
        return max((self._score(cover) for cover in self.covers(extension)), default=0.0) - extension.size

    @staticmethod
    def _score(cover: list[Cover]) -> float:
        best: dict[str, int] = {}
        for name, whole, agree, rows in cover:
            if whole:
                best[name] = max(best.get(name, 0), 2 * agree - rows)
        score = float(sum(best.values()))
        partial = [agree for _, whole, agree, _ in cover if not whole]
        return max(score, (2 * max(partial) - sum(partial)) / 4) if partial else score

    def rankings(
        self, predicate: str, extensions: Mapping[int, Extension], own: Collection[int], *, chains: bool
    ) -> list[list[int]]:
        """Rank extensions by what they rebuild, by what they tell apart, and pairs by what they lead to."""
        whole, part = {}, {}
        for number, extension in extensions.items():
            for cover in self.covers(extension):
                every = sum(agree for _, _, agree, _ in cover)
                for name, complete, agree, rows in cover:
                    if name == predicate and agree:
                        scores, score = (whole, 2 * agree - rows) if complete else (part, 2 * agree - every)
                        scores[number] = max(score, scores.get(number, score))
        found = [sorted(scores, key=lambda n: (-scores[n], n)) for scores in (whole, part)]
        if chains and len(self.data.types[predicate]) == 2:
            found.append(self._chains(self.wanted[predicate], extensions, own))
        return found

    @staticmethod
    def _chains(facts: Rows, extensions: Mapping[int, Extension], own: Collection[int]) -> list[int]:
        """Return pairs of extensions that lead from one argument to the other, the best first."""
        linking = {n: rows_of(e) for n, e in extensions.items() if n not in own and len(e.types) == 2}
        turned = {n: rows | columns(rows, (1, 0)) for n, rows in linking.items()}
        reach = [
            (
                -sum(
                    any((x, y) in turned[a] and (y, z) in turned[b] for _, y in turned[a]) for x, z in facts
                ),
                a,
                b,
            )
            for a in turned
            for b in turned
        ]
        return [number for score, *pair in sorted(reach) if score for number in pair]
