"""Grounding: the clauses over the open atoms of a world that the evidence does not satisfy.

A ground clause matters where every literal that the evidence decides is false. So the evidence is joined, not
the constants enumerated: a negative literal asks for true atoms, which are few. A positive one asks for false
atoms, which are many: where all its variables occur in open literals it only filters; else the groundings
that it would keep are counted as all minus those with a true atom. Variables of evidence alone are summed
out, so that a clause with a million equal groundings is one ground clause with a larger weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln.formulas import Formula
from logicoder.mln.inference.contradictions import Contradiction
from logicoder.mln.inference.evidence import Evidence, Status
from logicoder.mln.inference.ground import ClauseStore, GroundNetwork
from logicoder.mln.inference.tables import Table, contract, lookup
from logicoder.mln.network import MarkovLogicNetwork, types_of

BLOCK = 1 << 19
"""How many groundings are looked at at once."""

MOST_GROUNDINGS = 500_000_000
"""A formula with more groundings than this that the evidence leaves undecided is refused."""

EXAMPLES = 3
"""How many contradicting groundings of a formula are shown."""


def ground(network: MarkovLogicNetwork, evidence: Evidence) -> tuple[GroundNetwork, list[Contradiction]]:
    """Return the network over the open atoms, and the hard groundings that the evidence violates.

    The latter are left out of the network.
    """
    store = ClauseStore(evidence.atoms)
    contradictions = []
    for number, formula in enumerate(network):
        if not formula.hard and not np.isfinite(formula.weight):
            raise UsageError(f"{formula}: the weight must be finite; end hard formulas with a period")
        if not formula.hard and not formula.weight:
            continue
        try:
            grounder = _Grounder(formula, evidence)
            for statuses in grounder.patterns():
                if "open" in statuses:
                    for literals, counts in grounder.clauses(statuses):
                        weights = counts * formula.weight if not formula.hard else counts * np.inf
                        store.add(literals, weights, number)
                elif formula.hard:
                    contradictions += grounder.violations(statuses, number)
        except UsageError as error:
            raise UsageError(f"formula {number + 1}, {formula}: {error}") from None
    return store.network(), contradictions


@dataclass(frozen=True, eq=False)
class _Constraint:
    """The bindings must (inside) or must not (not inside) be in a table."""

    inside: bool
    table: Table


class _Grounder:
    """Grounds one formula in one world."""

    def __init__(self, formula: Formula, evidence: Evidence) -> None:
        self._formula = formula
        self._evidence = evidence
        world = evidence.world
        self._types = types_of(formula.literals, world.schema)
        self._sizes = {v: len(world.domains[kind]) for v, kind in self._types.items()}
        # Counts are exact integers, unless the formula has so many groundings that they do not fit.
        self._dtype = np.int64 if prod(self._sizes.values()) < 2**62 else np.float64

    def patterns(self) -> Iterator[tuple[Status | None, ...]]:
        """Iterate over what may be known of the literals where the clause is not satisfied by evidence."""
        options: list[list[Status | None]] = []
        for literal in self._formula.literals:
            if literal.inequality:
                options.append([None])
                continue
            known = self._evidence.knowledge[literal.atom.predicate]
            found: list[Status | None] = ["open"] if known.open_count else []
            if known.open_count < known.size:
                wanted: Status = "false" if literal.positive else "true"
                inside, numbers = known.having(wanted)
                if len(numbers) if inside else len(numbers) < known.size:
                    found.append(wanted)
            options.append(found)
        return product(*options)

    def clauses(self, statuses: Sequence[Status | None]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Iterate over blocks of ground clauses: their literals, and how many groundings give each."""
        still = [x for x, s in zip(self._formula.literals, statuses, strict=True) if s == "open"]
        kept = tuple(dict.fromkeys(v for literal in still for v in literal.atom.variables()))
        for rows, counts in self._bindings(statuses, kept):
            columns = {v: rows[:, i] for i, v in enumerate(kept)}
            found = [2 * self._places(x.atom, columns, len(rows)) + (not x.positive) for x in still]
            yield np.column_stack(found), counts

    def violations(self, statuses: Sequence[Status | None], number: int) -> list[Contradiction]:
        """Return the groundings that the evidence violates, counted, with a few examples."""
        count = sum(int(counts.sum()) for _, counts in self._bindings(statuses, ()))
        if not count:
            return []
        variables = tuple(self._types)
        examples: list[str] = []
        for rows, _ in self._bindings(statuses, variables):
            for row in rows[: EXAMPLES - len(examples)].tolist():
                examples.append(self._text(dict(zip(variables, row, strict=True))))
            if len(examples) >= EXAMPLES:
                break
        name = self._evidence.world.name
        return [Contradiction(name, number, str(self._formula), count, tuple(examples))]

    def _bindings(
        self, statuses: Sequence[Status | None], kept: tuple[Variable, ...]
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Iterate over bindings of some variables, and how many bindings of the others go with each."""
        inside, filters, outside = self._constraints(statuses, kept)
        tables, scale = contract(inside, kept, self._sizes)
        if not scale:
            return
        covered = {v for table in tables for v in table.variables}
        tables += [self._domain(v) for v in kept if v not in covered]
        terms = [
            ((-1) ** size, contract([*inside, *chosen], kept, self._sizes))
            for size in range(1, len(outside) + 1)
            for chosen in combinations(outside, size)
        ]
        shape = tuple(len(table) for table in tables)
        total = prod(shape)
        if total > MOST_GROUNDINGS:
            raise UsageError(f"{total:,} groundings are undecided, more than {MOST_GROUNDINGS:,}")
        for start in range(0, total, BLOCK):
            places = np.arange(start, min(start + BLOCK, total))
            counts: np.ndarray = np.full(len(places), scale, self._dtype)
            rows = np.empty((len(places), len(kept)), np.int64)
            for table, chosen in zip(tables, np.unravel_index(places, shape) if shape else (), strict=True):
                counts *= table.counts[chosen]
                for column, variable in enumerate(table.variables):
                    rows[:, kept.index(variable)] = table.rows[chosen, column]
            for table in filters:
                free = lookup(table, kept, rows) == 0
                rows, counts = rows[free], counts[free]
            most = counts
            for sign, (parts, factor) in terms:
                found = np.full(len(rows), sign * factor, self._dtype)
                for table in parts:
                    found *= lookup(table, kept, rows)
                counts = counts + found
            some = counts > 1e-9 * most
            if some.any():
                yield rows[some], counts[some]

    def _constraints(
        self, statuses: Sequence[Status | None], kept: tuple[Variable, ...]
    ) -> tuple[list[Table], list[Table], list[Table]]:
        """Return the tables to be in, those not to be in over kept variables, and the others not to be in."""
        inside: list[Table] = []
        filters: list[Table] = []
        outside: list[Table] = []
        for literal, status in zip(self._formula.literals, statuses, strict=True):
            found = self._equal(literal) if status is None else self._having(literal.atom, status)
            if found.inside:
                inside.append(found.table)
            elif len(found.table):
                (filters if {*found.table.variables} <= {*kept} else outside).append(found.table)
        return inside, filters, outside

    def _having(self, atom: Atom, status: Status) -> _Constraint:
        """Return the bindings that ground an atom to one of a status."""
        world = self._evidence.world
        inside, numbers = self._evidence.knowledge[atom.predicate].having(status)
        shape = world.shape(atom.predicate)
        rows = np.empty((len(numbers), len(shape)), np.int64)
        if shape:
            rows[:] = np.column_stack(np.unravel_index(numbers, shape))
        places: dict[Variable, int] = {}
        for column, argument in enumerate(atom.arguments):
            if isinstance(argument, Variable):
                if argument in places:
                    rows = rows[rows[:, column] == rows[:, places[argument]]]
                places.setdefault(argument, column)
            else:
                rows = rows[rows[:, column] == self._constant(atom, column)]
        variables = tuple(places)
        found = Table(variables, rows[:, list(places.values())], np.ones(len(rows), self._dtype))
        return _Constraint(inside, found)

    def _equal(self, literal: Literal) -> _Constraint:
        """Return the bindings for which an (in)equality is false; terms are equal if they are one symbol."""
        domains = self._evidence.world.domains
        symbols: list[tuple[str, ...]] = []
        for term in literal.atom.arguments:
            symbols.append((term.symbol,) if isinstance(term, Constant) else domains[self._types[term]])
        places = {symbol: place for place, symbol in enumerate(symbols[1])}
        pairs = [(i, places[symbol]) for i, symbol in enumerate(symbols[0]) if symbol in places]
        rows = np.array(pairs, np.int64).reshape(-1, 2)
        columns = [i for i, term in enumerate(literal.atom.arguments) if isinstance(term, Variable)]
        variables = literal.atom.variables()
        if len(variables) < len(columns):
            columns = columns[:1]
        table = Table(variables, rows[:, columns], np.ones(len(rows), self._dtype))
        return _Constraint(literal.positive, table)

    def _domain(self, variable: Variable) -> Table:
        size = self._sizes[variable]
        return Table((variable,), np.arange(size)[:, None], np.ones(size, self._dtype))

    def _constant(self, atom: Atom, column: int) -> int:
        world = self._evidence.world
        kind = world.schema[atom.predicate].types[column]
        return world.domains[kind].index(str(atom.arguments[column]))

    def _places(self, atom: Atom, columns: Mapping[Variable, np.ndarray], rows: int) -> np.ndarray:
        """Return the open atoms that an atom grounds to."""
        numbers = np.zeros(rows, np.int64)
        for column, (argument, size) in enumerate(
            zip(atom.arguments, self._evidence.world.shape(atom.predicate), strict=True)
        ):
            here = columns[argument] if isinstance(argument, Variable) else self._constant(atom, column)
            numbers = numbers * size + here
        return self._evidence.knowledge[atom.predicate].open_places(numbers)

    def _text(self, binding: Mapping[Variable, int]) -> str:
        domains = self._evidence.world.domains
        symbols = {v: Constant(domains[self._types[v]][place]) for v, place in binding.items()}
        literals = tuple(
            Literal(
                Atom(x.atom.predicate, tuple(symbols.get(a, a) for a in x.atom.arguments)),  # type: ignore[arg-type]
                x.positive,
                x.inequality,
            )
            for x in self._formula.literals
        )
        return str(Formula(literals, hard=True)).removesuffix(".")
