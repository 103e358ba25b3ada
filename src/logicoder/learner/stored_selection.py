"""What clauses that a solver selected in a sample come to in all facts.

The selection is counted as a problem of its own: its clauses are the only candidates, their latent facts and
coverage classes are those of all data. So every figure comes from the code that computes it in memory.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from logicoder.engine.signatures import program_schema
from logicoder.engine.sql.query_coverage import coverage_classes, covered_atoms
from logicoder.engine.sql.space_counts import SpaceCounts
from logicoder.kb.schema import Schema
from logicoder.learner.bound_scope import bound_scope
from logicoder.logic.terms import Clause, Program
from logicoder.problem.bits import ProgramCode, exception_bits, millibits, table_bits
from logicoder.problem.evaluate import masked_of, mistakes_of, sum_of
from logicoder.problem.model import CoverageClass, DecoderItem, EncoderItem, PredicateItem, Problem
from logicoder.selection import Solution

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.learner.learn import Learned
    from logicoder.learner.settings import Settings

_log = logging.getLogger("logicoder")


@dataclass(frozen=True)
class Demanded:
    """A constraint that a selection satisfies in the sample, and what it comes to in all facts.

    Attributes:
        asked: the constraint.
        found: what there is in all facts.
        holds: whether all facts satisfy it.
    """

    asked: str
    found: str
    holds: bool


def tell_unmet(demanded: Sequence[Demanded], where: str = "") -> None:
    """Warn of constraints that only the sample satisfies.

    Args:
        demanded: the constraints.
        where: which selection it is about, in words before the constraint.
    """
    for one in demanded:
        if not one.holds:
            _log.warning(
                "%s%s: the sample satisfies this, but all facts have %s", where, one.asked, one.found
            )


class SelectionCounts:
    """Counts selections on all facts.

    Args:
        data: all facts, with those of the background.
        schema: their types, as the sample has them.
    """

    def __init__(self, data: StoredData, schema: Schema) -> None:
        self._data, self._schema = data, schema
        # What does not occur in the data counts for nothing here, whatever domains are declared.
        self._spaces = SpaceCounts(data, Schema(schema.predicates))
        self._known: dict[tuple[Program, Program], Problem] = {}
        self._outputs = [n for n, own in schema.items() if data.counts.get(n) and not own.background]

    @property
    def facts(self) -> int:
        """Number of facts to be reconstructed."""
        return sum(self._data.counts[name] for name in self._outputs)

    def plain_bits(self) -> float:
        """Return the description length of the facts themselves."""
        return sum(self._plain(name) for name in self._outputs) / 1000

    def _plain(self, name: str) -> int:
        return millibits(table_bits(self._spaces.atoms(self._schema[name].types), self._data.counts[name]))

    def of(self, learned: Learned, settings: Settings) -> tuple[Learned, list[Demanded]]:
        """Return what was learned from a sample with the counts of all facts, and what became of constraints.

        Args:
            learned: the selection.
            settings: what was demanded.
        """
        programs = learned.encoder, learned.decoder
        if programs not in self._known:
            counting = _Counting(learned, self._data, self._schema, self._spaces)
            try:
                self._known[programs] = counting.problem()
            finally:
                counting.end()
        problem = settings.constrained(self._known[programs])
        solution = Solution.of(
            problem,
            range(len(problem.decoders)),
            0,  # nothing is proved about other selections
            learned.solution.method,
            goal=learned.solution.goal,
            effort=learned.solution.effort,
            stopped=learned.solution.stopped,
        )
        scope = bound_scope(learned.candidates, settings, solution)
        found = replace(learned, problem=problem, solution=solution, bound_scope=scope)
        return found, list(_demanded(problem, solution))


class _Counting:
    """One problem in the making."""

    def __init__(self, learned: Learned, data: StoredData, schema: Schema, counts: SpaceCounts) -> None:
        self._problem, self._solution, self._data = learned.problem, learned.solution, data
        self._schema, self._counts, self._learned = schema, counts, learned
        self._represented = data.runs.run(learned.encoder, data.relations)
        self._types = program_schema(learned.encoder, schema)
        there = [name for name in schema if data.counts.get(name)]
        self._outputs = [name for name in there if not schema[name].background]
        self._code = ProgramCode.of(len(there), len(self._outputs), self._constants())
        self._position = {number: place for place, number in enumerate(self._solution.encoders)}

    def end(self) -> None:
        """Drop the latent facts."""
        self._data.session.drop(*(relation.table for relation in self._represented.values()))

    def problem(self) -> Problem:
        decoders = self._decoders()
        items: list[DecoderItem] = []
        targets: list[PredicateItem] = []
        classes: list[CoverageClass] = []
        plain = atoms = 0
        for place, name in enumerate(self._outputs):
            own = [(item, clauses) for item, clauses in decoders if item.predicate == name]
            facts = self._data.counts[name]
            covered = self._classes(name, [clauses for _, clauses in own])
            found = sum(number for _, true, number in covered if true)
            for number, (item, clauses) in enumerate(own):
                counts = [
                    sum(n for mask, true, n in covered if true is wanted and mask >> number & 1)
                    for wanted in (True, False)
                ]
                items.append(self._decoder(item, clauses, *counts))
            first = len(items) - len(own)
            for mask, true, number in covered:
                members = tuple(first + n for n in range(len(own)) if mask >> n & 1)
                classes.append(CoverageClass(true, number, members, place))
            possible = self._counts.atoms(self._schema[name].types)
            exception = millibits(exception_bits(possible))
            targets.append(PredicateItem(name, facts, facts - found, exception_bits=exception))
            plain += millibits(table_bits(possible, facts))
            atoms += sum(number for _, _, number in covered)
        return Problem(
            tuple(targets),
            tuple(self._encoders()),
            tuple(items),
            {"ordinary": tuple(classes)},
            irreparable=self._problem.irreparable,
            atoms=atoms,
            latent_cap=self._code.latents,
            fixed_bits=millibits(self._code.fixed),
            plain_bits=plain,
        )

    def _constants(self) -> int:
        kinds = dict.fromkeys(kind for name in self._data.relations for kind in self._schema[name].types)
        tables = [self._counts.listed_entities(kind)[0] for kind in kinds]
        if not tables:
            return 0
        union = " UNION ".join(f"SELECT v FROM {table}" for table in tables)
        return self._data.session.value(f"SELECT count(*) FROM ({union}) AS s", "counting constants")

    def _encoders(self) -> Iterator[EncoderItem]:
        for number, name in zip(self._solution.encoders, self._learned.encoder.defined(), strict=True):
            item = self._problem.encoders[number]
            table = self._represented[name].table
            size = self._data.session.value(f"SELECT count(*) FROM {table}", f"counting {name}")
            possible = self._counts.atoms(self._types[name].types)
            bits = self._code.encoder(item.program.clauses) + table_bits(possible, size)
            yield replace(item, weight=size, bits=millibits(bits))

    def _decoders(self) -> list[tuple[DecoderItem, tuple[Clause, ...]]]:
        """Return the selected decoders, each with its clauses as the program has them."""
        left = iter(self._learned.decoder)
        items = [self._problem.decoders[number] for number in self._solution.decoders]
        return [(item, tuple(next(left) for _ in item.program.clauses)) for item in items]

    def _decoder(self, item: DecoderItem, clauses: Sequence[Clause], true: int, false: int) -> DecoderItem:
        latents = tuple(sorted(self._position[number] for number in item.latents))
        bits = millibits(self._code.decoder(clauses))
        return replace(item, latents=latents, true=true, false=false, bits=bits)

    def _classes(self, name: str, decoders: Sequence[Sequence[Clause]]) -> list[tuple[int, bool, int]]:
        """Return the coverage classes of decoders: which derive, whether facts, and how many atoms."""
        if not decoders:
            return []
        data = self._data
        queries = [data.runs.query(Program(tuple(own)), name, self._represented) for own in decoders]
        atoms = f"({covered_atoms(data, data.relations[name], queries)})"
        purpose = f"counting what {len(decoders)} clauses rebuild of {name}"
        return coverage_classes(data, atoms, len(decoders), purpose)


def _demanded(problem: Problem, solution: Solution) -> Iterator[Demanded]:
    """Iterate over the constraints, with what they come to."""
    chosen, mistakes = solution.decoders, mistakes_of(problem, solution.decoders)
    latent = sum(encoder.weight for encoder in problem.encoders)
    masked = masked_of(problem, chosen)
    shares = {
        "total": Fraction(latent, max(1, problem.facts)),
        "average": Fraction(
            latent * problem.predicates, max(1, problem.facts) * max(1, len(problem.encoders))
        ),
        "bits": Fraction(solution.bits, max(1, problem.plain_bits)),
        "masked": Fraction(sum(masked), max(1, problem.facts)),
    }
    largest = max((encoder.weight for encoder in problem.encoders), default=0)
    for constraint in problem.constraints:
        total = sum_of(constraint, solution.encoders, chosen, mistakes, masked)
        found = f"{largest if constraint.kind == 'largest' else total:,}"
        if constraint.kind in shares:
            found = f"{float(shares[constraint.kind]):.4g} * {constraint.name.partition(' * ')[2]}"
        yield Demanded(constraint.name, found, total <= constraint.bound)
