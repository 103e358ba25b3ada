"""Grounding: the clauses over the open atoms of a world that the evidence does not satisfy.

A ground clause matters where every literal that the evidence decides is false. So the evidence is joined, not
the constants enumerated: a negative literal asks for true atoms, which are few. A positive one asks for false
atoms, which are many: where all its variables occur in open literals it only filters; else the groundings
that it would keep are counted as all minus those with a true atom. Variables of evidence alone are summed
out, so that a clause with a million equal groundings is one ground clause with a larger weight.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.engine.arrays.relation import distinct
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln.counting.count_tables import CountTable
from logicoder.mln.counting.joins import contract
from logicoder.mln.formulas import Formula
from logicoder.mln.inference.contradictions import EXAMPLES, Contradiction
from logicoder.mln.inference.ground_network import ClauseStore, GroundNetwork
from logicoder.mln.inference.known_atoms import Evidence, Status
from logicoder.mln.network import MarkovLogicNetwork, types_of

BLOCK = 1 << 19
"""How many groundings are looked at at once."""

JOIN_BUDGET = 1 << 22
"""How many pairs of rows a join looks at at once."""

MOST_GROUNDINGS = 500_000_000
"""A formula with more groundings than this that the evidence leaves undecided is refused."""

MOST_OUTSIDE = 10
"""k positive literals of evidence over variables that do not occur in open ones take 2^k joins."""


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


class _Grounder:
    """Grounds one formula in one world."""

    def __init__(self, formula: Formula, evidence: Evidence) -> None:
        self._formula = formula
        self._evidence = evidence
        world = evidence.world
        self._types = types_of(formula.literals, world.schema)
        self._numbers = {v: number for number, v in enumerate(self._types)}
        self._sizes = {self._numbers[v]: len(world.domains[kind]) for v, kind in self._types.items()}
        # Counts are exact: Python's integers where there may be very many groundings.
        self._dtype: type = np.int64 if prod(self._sizes.values()) < 2**62 else object
        # Atoms of constants that do not exist in this world are false.
        missing = {literal for literal in formula.literals if self._is_missing(literal)}
        self._satisfied = not all(literal.positive for literal in missing)
        self._literals = [literal for literal in formula.literals if literal not in missing]

    def _is_missing(self, literal: Literal) -> bool:
        arguments = () if literal.inequality else literal.atom.arguments
        constants = (i for i, argument in enumerate(arguments) if isinstance(argument, Constant))
        return any(self._constant(literal.atom, i) < 0 for i in constants)

    def patterns(self) -> Iterator[tuple[Status | None, ...]]:
        """Iterate over what may be known of the literals where the clause is not satisfied by evidence."""
        options: list[list[Status | None]] = [[]] if self._satisfied else []
        for literal in self._literals:
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
        still = [x for x, status in zip(self._literals, statuses, strict=True) if status == "open"]
        kept = dict.fromkeys(self._numbers[v] for literal in still for v in literal.atom.variables())
        for columns, counts in self._bindings(statuses, tuple(kept)):
            found = [2 * self._places(x.atom, columns, len(counts)) + (not x.positive) for x in still]
            yield np.column_stack(found), counts.astype(float)

    def violations(self, statuses: Sequence[Status | None], number: int) -> list[Contradiction]:
        """Return the groundings that the evidence violates, counted, with a few examples."""
        count = sum(int(counts.sum()) for _, counts in self._bindings(statuses, ()))
        if not count:
            return []
        examples: list[str] = []
        for columns, counts in self._bindings(statuses, tuple(self._sizes), most=None):
            for row in range(min(EXAMPLES - len(examples), len(counts))):
                examples.append(self._text({v: int(columns[i][row]) for v, i in self._numbers.items()}))
            if len(examples) >= EXAMPLES:
                break
        name = self._evidence.world.name
        return [Contradiction(name, number, str(self._formula), count, tuple(examples))]

    def _bindings(
        self, statuses: Sequence[Status | None], kept: tuple[int, ...], most: int | None = MOST_GROUNDINGS
    ) -> Iterator[tuple[dict[int, np.ndarray], np.ndarray]]:
        """Iterate over bindings of some variables, and how many bindings of the others go with each.

        More than `most` of them are refused.
        """
        inside, filters, outside = self._constraints(statuses, kept)
        tables, scale = contract(inside, kept, self._sizes, JOIN_BUDGET)
        if not scale:
            return
        covered = {v for table in tables for v in table.variables}
        tables += [self._domain(v) for v in kept if v not in covered]
        terms = [
            ((-1) ** size, contract([*inside, *chosen], kept, self._sizes, JOIN_BUDGET))
            for size in range(1, len(outside) + 1)
            for chosen in combinations(outside, size)
        ]
        shape = tuple(len(table.counts) for table in tables)
        total = prod(shape)
        if most is not None and total > most:
            raise UsageError(f"{total:,} groundings are undecided, more than {most:,}")
        for start in range(0, total, BLOCK):
            places = np.arange(start, min(start + BLOCK, total))
            counts: np.ndarray = np.full(len(places), scale, self._dtype)
            columns: dict[int, np.ndarray] = {}
            for table, chosen in zip(tables, np.unravel_index(places, shape) if shape else (), strict=True):
                counts *= table.counts[chosen]
                for variable, column in zip(table.variables, table.columns, strict=True):
                    columns[variable] = column[chosen]
            for table in filters:
                columns, counts = _selected(columns, counts, table.at(columns, len(counts)) == 0)
            for sign, (parts, factor) in terms:
                found: np.ndarray = np.full(len(counts), sign * factor, self._dtype)
                for table in parts:
                    found *= table.at(columns, len(counts))
                counts = counts + found
            if terms:
                columns, counts = _selected(columns, counts, counts > 0)
            if len(counts):
                yield columns, counts

    def _constraints(
        self, statuses: Sequence[Status | None], kept: tuple[int, ...]
    ) -> tuple[list[CountTable], list[CountTable], list[CountTable]]:
        """Return the tables to be in, those not to be in over kept variables, and the others not to be in."""
        inside: list[CountTable] = []
        filters: list[CountTable] = []
        outside: list[CountTable] = []
        for literal, status in zip(self._literals, statuses, strict=True):
            must, table = self._equal(literal) if status is None else self._having(literal.atom, status)
            if must:
                inside.append(table)
            elif len(table.counts):
                (filters if {*table.variables} <= {*kept} else outside).append(table)
        return inside, filters, self._united(outside)

    def _united(self, tables: Sequence[CountTable]) -> list[CountTable]:
        """Make one table of those over the same variables: to be in none is not to be in their union."""
        groups: dict[tuple[int, ...], list[CountTable]] = {}
        for table in tables:
            groups.setdefault(tuple(sorted(table.variables)), []).append(table)
        if len(groups) > MOST_OUTSIDE:
            raise UsageError(f"more than {MOST_OUTSIDE} positive literals mention other variables")
        return [self._union(v, group) if len(group) > 1 else group[0] for v, group in groups.items()]

    def _union(self, variables: Sequence[int], tables: Sequence[CountTable]) -> CountTable:
        ordered = [[table.columns[table.variables.index(v)] for v in variables] for table in tables]
        columns = [np.concatenate(parts) for parts in zip(*ordered, strict=True)]
        found = distinct(columns, [self._sizes[v] for v in variables])
        return self._table(dict(zip(variables, found, strict=True)), len(found[0]))

    def _having(self, atom: Atom, status: Status) -> tuple[bool, CountTable]:
        """Return the bindings that ground an atom to one of a status: those in, or outside, a table."""
        inside, numbers = self._evidence.knowledge[atom.predicate].having(status)
        shape = self._evidence.world.shape(atom.predicate)
        columns = np.unravel_index(numbers, shape) if shape else ()
        keep = np.ones(len(numbers), bool)
        found: dict[int, np.ndarray] = {}
        for place, (argument, column) in enumerate(zip(atom.arguments, columns, strict=True)):
            if isinstance(argument, Constant):
                keep &= column == self._constant(atom, place)
            else:
                keep &= found.setdefault(self._numbers[argument], column) == column
        return inside, self._table({v: column[keep] for v, column in found.items()}, int(keep.sum()))

    def _equal(self, literal: Literal) -> tuple[bool, CountTable]:
        """Return the bindings for which an (in)equality is false; terms are equal if they are one symbol."""
        domains = self._evidence.world.domains
        symbols = [
            (term.symbol,) if isinstance(term, Constant) else domains[self._types[term]]
            for term in literal.atom.arguments
        ]
        places = {symbol: place for place, symbol in enumerate(symbols[1])}
        pairs = [(i, places[symbol]) for i, symbol in enumerate(symbols[0]) if symbol in places]
        columns = np.array(pairs, np.int64).reshape(-1, 2).T
        found = {
            self._numbers[term]: column
            for term, column in zip(literal.atom.arguments, columns, strict=True)
            if isinstance(term, Variable)
        }
        return literal.positive, self._table(found, len(pairs))

    def _domain(self, variable: int) -> CountTable:
        size = self._sizes[variable]
        return self._table({variable: np.arange(size)}, size)

    def _table(self, columns: Mapping[int, np.ndarray], rows: int) -> CountTable:
        sizes = tuple(self._sizes[v] for v in columns)
        return CountTable(tuple(columns), tuple(columns.values()), np.ones(rows, self._dtype), sizes)

    def _constant(self, atom: Atom, column: int) -> int:
        """Return the place of a constant in its domain, or -1."""
        world = self._evidence.world
        domain = world.domains[world.schema[atom.predicate].types[column]]
        symbol = str(atom.arguments[column])
        place = bisect_left(domain, symbol)
        return place if place < len(domain) and domain[place] == symbol else -1

    def _places(self, atom: Atom, columns: Mapping[int, np.ndarray], rows: int) -> np.ndarray:
        """Return the open atoms that an atom grounds to."""
        numbers = np.zeros(rows, np.int64)
        shape = self._evidence.world.shape(atom.predicate)
        for column, (argument, size) in enumerate(zip(atom.arguments, shape, strict=True)):
            if isinstance(argument, Constant):
                numbers = numbers * size + self._constant(atom, column)
            else:
                numbers = numbers * size + columns[self._numbers[argument]]
        return self._evidence.knowledge[atom.predicate].open_places(numbers)

    def _text(self, binding: Mapping[Variable, int]) -> str:
        """Return a ground clause; atoms as in facts, so that they can be looked up there."""
        domains = self._evidence.world.domains
        symbols = {v: Constant(domains[self._types[v]][place]) for v, place in binding.items()}
        found = []
        for literal in self._formula.literals:
            terms = tuple(
                term if isinstance(term, Constant) else symbols[term] for term in literal.atom.arguments
            )
            if literal.inequality:
                found.append(f"{terms[0]} {'!=' if literal.positive else '='} {terms[1]}")
            else:
                found.append(f"{'' if literal.positive else '!'}{Atom(literal.atom.predicate, terms)}")
        return " v ".join(found)


def _selected(
    columns: dict[int, np.ndarray], counts: np.ndarray, chosen: np.ndarray
) -> tuple[dict[int, np.ndarray], np.ndarray]:
    return {v: column[chosen] for v, column in columns.items()}, counts[chosen]
