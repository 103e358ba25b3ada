"""What lossless decoding rebuilds of one predicate: what is kept of it, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from logicoder.autoencoder.following.fact_store import NEW, FactStore, Row
from logicoder.autoencoder.following.matcher import Number, rules_of
from logicoder.logic.terms import Clause


class Rebuilt:
    """A predicate that is kept or rebuilt by clauses that do not read it; or pair by pair.

    Args:
        predicate: its name.
        clauses: what derives it, without what tells of its base.
        number: numbers constants.
        kept: whether it is kept as it is.
        based: whether what clauses leave over is kept; otherwise it is missing.
        symmetric: whether an atom and the one turned round are rebuilt together.

    Attributes:
        rules: the clauses.
        base: the facts that are kept of it.
        missing: facts that are not rebuilt.
        false: atoms that are rebuilt and are no facts.
    """

    def __init__(
        self,
        predicate: str,
        clauses: Iterable[Clause],
        number: Number,
        *,
        kept: bool = False,
        based: bool = False,
        symmetric: bool = False,
    ) -> None:
        self.predicate = predicate
        self.rules = rules_of(tuple(clauses), number)
        self._kept, self._based, self._symmetric = kept, based, symmetric
        self.base: set[Row] = set()
        self.missing: set[Row] = set()
        self.false: set[Row] = set()

    def load(self, base: Iterable[Row], missing: Iterable[Row], false: Iterable[Row]) -> None:
        """Take what there is."""
        self.base, self.missing, self.false = set(base), set(missing), set(false)

    def update(self, store: FactStore, texts: list[str]) -> None:
        """Bring it up to date.

        Args:
            store: the facts, in the middle of a change.
            texts: the constants by number: of a pair, the one whose first constant comes first is kept.
        """
        if self._kept:
            return
        concerned = set(store.changed(self.predicate))
        for rule in self.rules:
            concerned.update(rule.concerned(store))
        for row in concerned:
            sides = [row]
            if self._symmetric and row[1] != row[2]:
                sides = sorted((row, (row[0], row[2], row[1])), key=lambda side: texts[side[1]])
            facts = [store.holds(self.predicate, side) for side in sides]
            derived = any(rule.derives(store, side, NEW) for rule in self.rules for side in sides)
            diagonal = self._symmetric and len(sides) == 1
            kept = self._based and any(facts) and (diagonal or not derived)
            for side in sides:
                _put(self.base, side, kept and side is sides[0])
            for side, fact in zip(sides, facts, strict=True):
                rebuilt = derived or kept
                _put(self.missing, side, fact and not rebuilt)
                _put(self.false, side, rebuilt and not fact)


def _put(rows: set[Row], row: Row, there: bool) -> None:
    if there:
        rows.add(row)
    else:
        rows.discard(row)
