"""Predicates that follow from others by clauses: latent ones and those of background programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from logicoder.autoencoder.following.fact_store import NEW, OLD, FactStore, Row
from logicoder.autoencoder.following.matcher import Number, Rule, rules_of
from logicoder.logic.strata import strata
from logicoder.logic.terms import Clause, Program

Run = Callable[[Program], Mapping[str, Iterable[Row]]]
"""Runs a program on the facts as they will be; returns what it derives."""


class View:
    """Predicates that depend on each other, or a single one.

    What comes is added step by step, under recursion too. Where something may go from predicates that read
    themselves, they are derived anew.

    Args:
        clauses: what defines them.
        number: numbers constants.
    """

    def __init__(self, clauses: Sequence[Clause], number: Number) -> None:
        self._program = Program(tuple(clauses))
        self.names = self._program.defined()
        self._rules = {
            name: rules_of([c for c in clauses if c.head.predicate == name], number) for name in self.names
        }
        self._recursive = any(clause.body_predicates() & set(self.names) for clause in clauses)

    def rules(self) -> Iterator[Rule]:
        """Iterate over all rules."""
        for rules in self._rules.values():
            yield from rules

    def enter(self, store: FactStore, world: int) -> None:
        """Add what holds in every interpretation to a new one."""
        for name, rules in self._rules.items():
            for rule in rules:
                constants = rule.holding()
                if constants is not None:
                    store.put(name, (world, *constants), there=True)

    def update(self, store: FactStore, run: Run) -> None:
        """Work in what changed in the predicates that are read."""
        concerned = self._concerned(store)
        if self._recursive and any(self._may_go(store, *one) for one in concerned):
            self._derive_anew(store, run)
            return
        while concerned:
            fresh: dict[str, set[Row]] = {}
            for name, row in concerned:
                now = any(rule.derives(store, row, NEW) for rule in self._rules[name])
                if now != store.holds(name, row):
                    store.put(name, row, now)
                    fresh.setdefault(name, set()).add(row)
            concerned = self._concerned(store, fresh) if self._recursive else set()

    def _concerned(
        self, store: FactStore, changes: Mapping[str, set[Row]] | None = None
    ) -> set[tuple[str, Row]]:
        return {
            (name, row)
            for name, rules in self._rules.items()
            for rule in rules
            for row in rule.concerned(store, changes)
        }

    def _may_go(self, store: FactStore, name: str, row: Row) -> bool:
        """Whether some rule derived an atom before and does so no longer: another one may lean on itself."""
        return any(
            rule.derives(store, row, OLD) and not rule.derives(store, row, NEW) for rule in self._rules[name]
        )

    def _derive_anew(self, store: FactStore, run: Run) -> None:
        found = run(self._program)
        for name in self.names:
            now = set(found[name])
            for row in store.rows_now(name) - now:
                store.put(name, row, there=False)
            for row in now:
                store.put(name, row, there=True)


def views_of(program: Program, number: Number) -> list[View]:
    """Return the views of a program, each after those that it reads."""
    return [
        View([clause for clause in program if clause.head.predicate in names], number)
        for names in strata(program)
    ]
