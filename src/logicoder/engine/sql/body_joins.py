"""A body as a join: which tables are read, where variables are found, and what must hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from logicoder.logic.terms import Atom, Constant, Term, Variable


@dataclass(frozen=True)
class Notation:
    """How queries write what clauses consist of.

    Attributes:
        columns: returns the columns of a predicate of some arity.
        constant: returns a constant, given as its canonical text.
        true: what the only column of a predicate without arguments holds.
    """

    columns: Callable[[int], Sequence[str]]
    constant: Callable[[str], str]
    true: str


@dataclass
class BodyJoin:
    """The parts of a query for one body.

    Attributes:
        notation: how they are written.
        sources: the tables, each with a name of its own.
        conditions: what must hold.
        where: the column that each variable is found in.
    """

    notation: Notation
    sources: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    where: dict[Variable, str] = field(default_factory=dict)

    def read(self, atom: Atom, table: str, alias: str) -> None:
        """Add an atom that holds."""
        self.sources.append(f"{table} AS {alias}")
        self._match(atom, alias, self.where, self.conditions)

    def differ(self, left: Term, right: Term) -> None:
        """Add that two terms are different."""
        self.conditions.append(f"{self.term(left)} <> {self.term(right)}")

    def lack(self, atom: Atom, table: str, alias: str, more: Sequence[str] = ()) -> None:
        """Add an atom that does not hold, whatever stands for variables of its own.

        Args:
            atom: the atom.
            table: its facts.
            alias: what they are called.
            more: further conditions on these facts.
        """
        self.conditions.append(f"NOT {self._exists(atom, table, alias, more)}")

    def have(self, atom: Atom, table: str, alias: str, more: Sequence[str] = ()) -> None:
        """Add an atom that holds for something in place of variables of its own: no row comes twice for it.

        Arguments as for `lack`.
        """
        self.conditions.append(self._exists(atom, table, alias, more))

    def _exists(self, atom: Atom, table: str, alias: str, more: Sequence[str]) -> str:
        inner: list[str] = []
        self._match(atom, alias, dict(self.where), inner)
        test = " AND ".join([*inner, *more])
        where = f" WHERE {test}" if test else ""
        return f"EXISTS (SELECT 1 FROM {table} AS {alias}{where})"

    def term(self, term: Term) -> str:
        """Return a constant, or the column of a variable."""
        return self.notation.constant(term.symbol) if isinstance(term, Constant) else self.where[term]

    def values(self, head: Atom) -> list[str]:
        """Return the arguments of a head."""
        return [self.term(argument) for argument in head.arguments] or [self.notation.true]

    def text(self, selected: str, *, distinct: bool = True) -> str:
        """Return the query, given what it selects."""
        lines = [f"SELECT {'DISTINCT ' if distinct else ''}{selected}"]
        lines += [f"FROM {', '.join(self.sources)}"] if self.sources else []
        lines += [f"WHERE {' AND '.join(self.conditions)}"] if self.conditions else []
        return "\n".join(lines)

    def _match(self, atom: Atom, table: str, where: dict[Variable, str], conditions: list[str]) -> None:
        """Say where an atom's variables are found, and what its columns must equal."""
        columns = self.notation.columns(atom.arity)
        for column, argument in zip(columns, atom.arguments, strict=False):
            place = f"{table}.{column}"
            if isinstance(argument, Constant):
                conditions.append(f"{place} = {self.notation.constant(argument.symbol)}")
            elif where.setdefault(argument, place) != place:
                conditions.append(f"{place} = {where[argument]}")
