"""Facts of all predicates as one relation: every literal that leads from one variable to another is a step.

`parent(X,Y)` leads from X to Y, and from Y to X; so does a wider predicate from any of its places to any
other. `student(X)` stays where it is, and so does `parent(X,_)`. Bodies are walks of such steps, and one
join walks all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from logicoder.engine.sql.relations import WORLD, argument_columns, listed
from logicoder.logic.rules import Literal, literal

if TYPE_CHECKING:
    from types import TracebackType

    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.schema import Schema

_WIDEST = 3
"""Predicates with more places are no steps: each pair of places would be one."""

_COPIED = 1_000_000
"""Up to so many facts, steps are one table: systems take long to read many small ones."""


@dataclass(frozen=True)
class Step:
    """A literal of one or two variables.

    Attributes:
        predicate: its name.
        places: of the first variable and of the second one; the same where there is but one.
        types: of both.
        arity: of the predicate.
    """

    predicate: str
    places: tuple[int, int]
    types: tuple[str, str]
    arity: int

    @property
    def stays(self) -> bool:
        """Whether it has one variable."""
        return self.places[0] == self.places[1]

    @property
    def several(self) -> bool:
        """Whether several facts may be one step, since some of their places do not matter."""
        return self.arity > len(set(self.places))

    def literal(self, first: int, second: int, fresh: int) -> tuple[Literal, int]:
        """Return the literal, and the next number that is free: see `logicoder.logic.rules.literal`."""
        return literal(
            self.predicate, self.arity, dict(zip(self.places, (first, second), strict=True)), fresh
        )


class Steps:
    """The steps of some data, each with a number; within a `with`, they may be copied into one table.

    Args:
        data: the facts.
        schema: their types.

    Attributes:
        world: the column of the interpretation, where there are several.
        every: the steps, by their numbers.
        turned: the number of each step backwards.
        begins: the number of the step that stays where another one begins.
    """

    def __init__(self, data: StoredData, schema: Schema) -> None:
        self.data = data
        self.world = [WORLD] if data.several else []
        self.every: list[Step] = []
        for name, relation in data.relations.items():
            types = schema[name].types
            if data.counts[name] and relation.arity <= _WIDEST:
                places = range(relation.arity)
                self.every += [
                    Step(name, (first, second), (types[first], types[second]), relation.arity)
                    for first in places
                    for second in places
                ]
        numbers = {(step.predicate, step.places): number for number, step in enumerate(self.every)}
        self.turned = [numbers[step.predicate, step.places[::-1]] for step in self.every]
        self.begins = [numbers[step.predicate, (step.places[0],) * 2] for step in self.every]

        self._table: str | None = None

    def __enter__(self) -> Self:
        """Copy the facts if they are not many."""
        if self.every and len(self.data) <= _COPIED:
            every = self._joined(range(len(self.every)), lambda *_: "", None)
            self._table = self.data.session.table(every, "putting facts of all predicates into one table")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._table is not None and kind is None:
            self.data.session.drop(self._table)
        self._table = None

    def size(self, number: int) -> int:
        """Return how often a step can be made, at the most."""
        return self.data.counts[self.every[number].predicate]

    def view(
        self,
        numbers: Iterable[int],
        where: Callable[[int, str], str] = lambda *_: "",
        *,
        among: str | None = None,
    ) -> str:
        """Return the query for steps: number `p`, interpretation, from `u` to `v`; no row comes twice.

        Args:
            numbers: which steps; one at least.
            where: returns a condition on a step, given its number and the column of its first variable.
            among: a table of values `v`; steps that begin at others may be left out.
        """
        if self._table is None:
            return self._joined(numbers, where, among)
        tests = {number: where(number, "u") for number in sorted(numbers)}
        every = [str(number) for number, test in tests.items() if not test]
        parts = [f"p IN ({', '.join(every)})"] if every else []
        parts += [f"(p = {number} AND {test})" for number, test in tests.items() if test]
        columns = listed(["p", *self.world, "u", "v"])
        return f"SELECT {columns} FROM {self._table} WHERE {' OR '.join(parts)}"

    def begun(self) -> str:
        """Return the query for the places of facts: the step `p` that stays at `u`, for each fact."""
        return " UNION ALL ".join(self._of_fact(number) for number in sorted(set(self.begins)))

    def _of_fact(self, number: int) -> str:
        step = self.every[number]
        relation = self.data.relations[step.predicate]
        first, second = (argument_columns(relation.arity)[place] for place in step.places)
        columns = [f"{number} AS p", *self.world, f"{first} AS u", f"{second} AS v"]
        return f"SELECT {listed(columns)} FROM {relation.table}"

    def _joined(self, numbers: Iterable[int], where: Callable[[int, str], str], among: str | None) -> str:
        """Return the steps from the tables of all predicates."""
        plain: list[str] = []
        several: list[str] = []
        for number in sorted(numbers):
            step = self.every[number]
            condition = where(number, argument_columns(step.arity)[step.places[0]])
            query = self._of_fact(number) + (f" WHERE {condition}" if condition else "")
            (several if step.several else plain).append(query)
        if several:
            # What is left out need not be told apart, and one test does for all of them.
            test = "" if among is None else f" WHERE {self.within('s', among)}"
            told = listed(["p", *self.world, "u", "v"])
            plain.append(f"SELECT DISTINCT {told} FROM ({' UNION ALL '.join(several)}) AS s{test}")
        return " UNION ALL ".join(plain)

    def within(self, steps: str, values: str) -> str:
        """Return the condition that steps begin at a value `v` of a table."""
        world = "".join(f" AND k.{w} = {steps}.{w}" for w in self.world)
        return f"EXISTS (SELECT 1 FROM {values} AS k WHERE k.v = {steps}.u{world})"

    def hashed(self, shares: Mapping[int, float]) -> Callable[[int, str], str]:
        """Return the condition, for `view`, that steps begin at values of which there is a share."""
        return lambda number, column: chosen_by_hash(self.data, column, shares[number])


def chosen_by_hash(data: StoredData, text: str, share: float) -> str:
    """Return the condition that a text is one of a share of all, the same in every system; none for all."""
    if share >= 1:
        return ""
    session = data.session
    border = session.as_text(session.literal(f"{int(share * 2**64):016x}"))
    return f"{session.as_text(f'md5({text})')} < {border}"
