"""Likely errors of data that stay where they are: exceptions of clauses, found, counted and ranked in place.

What is suggested, and why, is as `logicoder.autoencoder.message_suggestions` has it; the short rules beside
those of the program are found in a sample. Records of clauses and numbers of suggestions are exact; of each
clause a limited number of suggestions is brought here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from logicoder.autoencoder.base_rates import MERE
from logicoder.autoencoder.converses import Turned, converses_in
from logicoder.autoencoder.message_suggestions import denial, doubted, silence_of
from logicoder.autoencoder.stored_claims import StoredClaim, StoredClaims, StoredExpected
from logicoder.autoencoder.stored_evidence import suggest_by_programs
from logicoder.autoencoder.stored_explainer import StoredExplainer
from logicoder.autoencoder.stored_layer import prepared
from logicoder.autoencoder.stored_listing import StoredListing
from logicoder.autoencoder.stored_opinions import MARGIN, StoredOpinion, StoredOpinions, promising_rules
from logicoder.autoencoder.suggestions import (
    LIKELY,
    Suggestion,
    Suggestions,
    asked_for,
    both,
    ranked,
    smoothed,
    worth_listing,
)
from logicoder.compression.stored_message import StoredMessage
from logicoder.engine.sql.bit_masks import mask_of
from logicoder.engine.sql.relations import WORLD, argument_columns, listed, same
from logicoder.engine.sql.sample import sampled

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.compression.plan import Plan
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.schema import Schema
    from logicoder.logic.rules import Rule


def suggest_stored(
    layers: Sequence[Layer],
    data: StoredData,
    predicates: Collection[str] = (),
    *,
    most: int,
    weak: bool = False,
) -> Suggestions:
    """Return suggestions for stored data: by a message and short rules, or by the programs as they are.

    Args:
        layers: the layers of a model.
        data: the facts.
        predicates: only these; all that are to be reconstructed unless given.
        most: facts that may be brought into memory.
        weak: whether to list what is less likely than not, too.
    """
    first = layers[0]
    if len(layers) > 1 or first.plan is None:
        return suggest_by_programs(StoredExplainer(layers, data), data, predicates)
    known = prepared(first, data)
    schema = known.known_schema
    rules = promising_rules(first.plan, sampled(known, most)[0], asked_for(schema, predicates, data.mapping))
    return suggest_in_place(first.plan, known, schema, predicates, weak=weak, rules=rules)


def suggest_in_place(
    plan: Plan,
    data: StoredData,
    schema: Schema,
    predicates: Collection[str] = (),
    *,
    weak: bool = False,
    rules: Mapping[str, Sequence[Rule]] | None = None,
) -> Suggestions:
    """Return suggestions from what a plan expects of stored data.

    Args:
        plan: how the data are said in few bits.
        data: the facts; they need not be those that the plan was learned from.
        schema: their types.
        predicates: only these; all that are to be reconstructed unless given.
        weak: whether to list what is less likely than not, too.
        rules: short rules of each predicate that are asked about what is missing, beside the clauses of the
            plan; None for no others.
    """
    wanted = asked_for(schema, predicates, data.mapping)
    message = StoredMessage(plan, data, schema)
    opinions = StoredOpinions(message, rules or {})
    judged = {}
    for expected in StoredClaims(message):
        name = expected.predicate
        opinion = opinions.of(expected) if rules is not None and name in wanted else None
        judged[name] = _Judged(expected, message, opinion, weak=weak)
    explained: dict[str, list[str]] = {}
    excused: dict[str, list[str]] = {}
    converses = converses_in(plan)
    for own in judged.values():
        for name, query in own.supported():
            explained.setdefault(name, []).append(query)
        for name, query in own.following(converses):
            excused.setdefault(name, []).append(query)
    rows, more = list[Suggestion](), 0
    for name, own in judged.items():
        if name in wanted:
            own.settle(explained.get(name, ()), excused.get(name, ()))
            found = own.suggestions()
            rows += found if weak else worth_listing(found, name, data.mapping)
            more += own.left_out
    right = [c for name in judged if name in wanted for c in judged[name].own_claims() if c.has_body]
    true = sum(claim.true for claim in right if claim.inside)  # outside of the domains nothing is a fact
    silence = silence_of(right, true, sum(claim.atoms for claim in right))
    return ranked(rows, silence, several=data.several, more=more, weak=weak)


def _doubt(doubt: float, odds: str | float | None) -> float:
    """Return how doubtful a fact is, by the log-odds that it has by other rules."""
    chance = 0.0 if odds is None else 1 / (1 + exp(-float(odds)))
    return float(doubted(doubt, np.array([chance]))[0])


class _Judged(StoredListing):
    """What is expected of a predicate beside its facts."""

    def __init__(
        self, expected: StoredExpected, message: StoredMessage, opinion: StoredOpinion | None, *, weak: bool
    ) -> None:
        super().__init__(message.data, expected.predicate)
        self._expected, self._opinion, self._weak = expected, opinion, weak
        self._relation = message.data.relations[self._name]
        self._columns = message.data.columns(self._name)
        self._arguments = argument_columns(self._relation.arity) if self._relation.arity else []
        total = message.data.counts[self._name]
        explained = total - expected.missing
        self._back, self._beyond = (explained, total), (explained, explained + expected.odds)
        self._functions, self._others = expected.rates.functions, expected.rates.others
        self._settled = self._wanted = ""
        if self._considered:
            tests = " OR ".join(claim.test for claim in self._considered)
            self._wanted = self._beside(f"{expected.table} WHERE f = 0 AND ({tests})", ["c", "i"])

    @property
    def _considered(self) -> list[StoredClaim]:
        return [claim for claim in self._expected.claims if self._weak or claim.speaks]

    def own_claims(self) -> list[StoredClaim]:
        """Return the claims of the message that are mostly right."""
        return [claim for claim in self._expected.claims if claim.own and claim.mostly_right]

    def _beside(self, source: str, more: Sequence[str]) -> str:
        """Return the table of atoms that may be facts, each with the doubtful fact in its place, if any.

        Where a value is single and the one that is listed is explained, another one is not to be expected.

        Args:
            source: where the atoms are.
            more: further columns that they have there.
        """
        sources = [f"(SELECT * FROM {source}) AS t"]
        kept, cases = [], dict[str, list[str]]()
        for place, _, _ in self._functions:
            value, others, n = self._arguments[place], self._others(place), f"g{place}"
            groups = f"FROM {self._relation.table} GROUP BY {listed(others)}"
            first = f"SELECT {listed(others)}, min({value}) AS v {groups}"
            sources.append(f"LEFT JOIN ({first}) AS {n} ON {same('t', n, others)}")
            on = f"{same('t', f'u{place}', others)} AND u{place}.{value} = {n}.v"
            sources.append(f"LEFT JOIN {self._expected.unexplained} AS u{place} ON {on}")
            kept.append(f"({n}.v IS NULL OR u{place}.{value} IS NOT NULL)")
            for column in self._arguments:
                found = f"{n}.v" if column == value else f"t.{column}"
                cases.setdefault(column, []).append(f"WHEN {n}.v IS NOT NULL THEN {found}")
        nothing = self._session.as_text("NULL")
        beside = [
            f"CASE {' '.join(cases[column])} ELSE {nothing} END AS b{column}"
            if column in cases
            else f"{nothing} AS b{column}"
            for column in self._arguments or self._columns[-1:]
        ]
        where = f" WHERE {' AND '.join(kept)}" if kept else ""
        query = f"SELECT {listed([*self._columns, *more], 't')}, {listed(beside)} FROM {' '.join(sources)}"
        return self._session.table(f"{query}{where}", f"looking for what is missing of {self._name}")

    @property
    def _last(self) -> str:
        return f"b{self._columns[-1]}"

    def supported(self) -> Iterator[tuple[str, str]]:
        """Iterate over queries for atoms of others that additions by converses would explain."""
        for claim in self._considered:
            turned = claim.turned
            if turned is None or not claim.speaks:
                continue
            added = f"(SELECT {listed(self._columns)} FROM {self._wanted} WHERE {claim.test}"
            added += f" AND {self._last} IS NULL)"
            instead, relations = {turned.place: added}, self._data.relations
            query = self._data.runs.queries.of_rule(turned.predicate, turned.rule, relations, instead)
            yield turned.predicate, query

    def following(self, converses: Mapping[str, Sequence[Turned]]) -> Iterator[tuple[str, str]]:
        """Iterate over queries for what would follow of others from what the message corrects."""
        tests = [claim.test for claim in self._considered if claim.corrects]
        if self._weak or not tests:
            return
        added = f"(SELECT {listed(self._columns)} FROM {self._wanted} WHERE {' OR '.join(tests)})"
        for turned in converses.get(self._name, ()):
            instead, relations = {turned.place: added}, self._data.relations
            query = self._data.runs.queries.of_rule(turned.predicate, turned.rule, relations, instead)
            yield turned.predicate, query

    def settle(self, explained: Sequence[str], excused: Sequence[str]) -> None:
        """Take note of facts that are not doubted by themselves.

        Args:
            explained: queries for facts that additions to other predicates would explain.
            excused: queries for facts that follow from what the message corrects.
        """
        both = (*explained, *excused)
        parts = [f"SELECT {listed(self._columns)} FROM ({query}) AS s" for query in both]
        if excused and self._wanted:
            fine = " UNION ".join(f"SELECT {listed(self._columns)} FROM ({query}) AS s" for query in excused)
            table = self._session.table(fine, f"looking for facts of {self._name} that follow")
            pairs = [*([(WORLD, WORLD)] * self._data.several), *((f"b{a}", a) for a in self._arguments)]
            on = " AND ".join(f"w.{here} = e.{there}" for here, there in pairs) or "1 = 1"
            rest = (
                f"SELECT * FROM {self._wanted} AS w WHERE NOT EXISTS (SELECT 1 FROM {table} AS e WHERE {on})"
            )
            self._wanted = self._session.table(rest, f"looking for facts of {self._name} to doubt")
        if self._wanted and self._functions:
            world = [WORLD] if self._data.several else []
            beside = [f"b{column} AS {column}" for column in self._arguments]
            there = f"{self._last} IS NOT NULL"
            parts.append(f"SELECT {listed([*world, *beside])} FROM {self._wanted} WHERE {there}")
        rest = f"SELECT {listed(self._columns)} FROM {self._expected.odd}"
        query = " EXCEPT ".join([rest, f"({' UNION '.join(parts)})"] if parts else [rest])
        self._settled = self._session.table(query, f"looking for facts of {self._name} to doubt")

    # -- suggestions --------------------------------------------------------------------------------------

    def suggestions(self) -> Iterator[Suggestion]:
        """Iterate over suggestions about the predicate, after `settle`."""
        doubt = smoothed(*self._beyond)
        for claim in self._considered:
            record = smoothed(claim.true, claim.derived)
            score, changed = min(record, claim.most), min(both(record, doubt), claim.most)
            test = f"{claim.test} AND {self._last} IS"
            if self._opinion is None:
                for row in self._few(self._columns, f"{self._wanted} WHERE {test} NULL", score):
                    atom = self._text(row)
                    yield self._row("add", score, atom, atom[0], claim)
            if doubt > LIKELY and self._functions:
                beside = [f"b{column}" for column in self._arguments]
                source = self._supported(f"{self._wanted} WHERE {test} NOT NULL", beside)
                for row in self._few([*self._columns, *beside, "o"], source, changed):
                    split = len(self._columns)
                    fact = self._text([*row[: self._data.several], *row[split:-1]])
                    own = min(both(record, _doubt(doubt, row[-1])), claim.most)
                    yield self._row("change", own, fact, self._text(row[:split])[0], claim)
        yield from self._missing()
        doubt = smoothed(*self._back)
        if any(claim.speaks for claim in self.own_claims()) or (self._weak and self._expected.judged):
            source = self._supported(self._settled, self._arguments)
            for row in self._few([*self._columns, "o"], source, doubt):
                yield self._row("check", _doubt(doubt, row[-1]), self._text(row[:-1]), "", None)
        yield from self._doubled()
        if self._opinion is not None:
            self._session.drop(self._opinion.table)

    def _supported(self, source: str, fact: Sequence[str]) -> str:
        """Return a source with the log-odds of facts by all that derives them (`o`), NULL where nothing does.

        Args:
            source: where the facts are.
            fact: the columns there that hold the arguments of a fact.
        """
        number, opinion = self._session.number, self._opinion
        if opinion is None:
            return f"(SELECT q.*, CAST(NULL AS {number}) AS o FROM (SELECT * FROM {source}) AS q) AS z"
        columns = listed(self._columns)
        known = f"SELECT {columns}, {opinion.odds()} AS o FROM {opinion.table} AS t WHERE f = 1"
        pairs = [*([(WORLD, WORLD)] * self._data.several), *zip(fact, self._arguments, strict=True)]
        on = " AND ".join(f"q.{here} = w.{there}" for here, there in pairs) or "1 = 1"
        return f"(SELECT q.*, w.o FROM (SELECT * FROM {source}) AS q LEFT JOIN ({known}) AS w ON {on}) AS z"

    def _missing(self) -> Iterator[Suggestion]:
        """Iterate over atoms that may be facts, by all that derives them."""
        opinion = self._opinion
        if opinion is None or not (opinion.spoken or self._weak):
            return
        more = [*opinion.masks, "l", "r", "n"]
        table = self._beside(f"{opinion.table} WHERE f = 0", more)
        source = f"(SELECT t.*, {opinion.odds()} AS o FROM {table} AS t WHERE {self._last} IS NULL) AS s"
        if not self._weak:
            # Of values that exclude each other none is likely unless it is likelier than all others together.
            group = f"PARTITION BY {listed(self._others(self._functions[0][0]))}" if self._functions else ""
            total = f"sum(exp(o)) OVER ({group})" if group else "exp(o)"
            source = (
                f"(SELECT s.*, exp(o) / (1 + {total}) AS alone FROM {source}) AS q "
                f"WHERE alone >= {LIKELY} - {MARGIN} AND l = 1"
            )
        rows = self._first([*self._columns, *more], source, ["o DESC", *self._columns])
        width = len(self._columns)
        masks = [mask_of(row[width:-3]) for row in rows]
        for row, chance in zip(rows, opinion.chances(masks, [int(row[-2]) for row in rows]), strict=True):
            text, world = self._text(row[:width])
            rule = int(row[-2])
            true, derived = opinion.records[rule]
            score = min(chance, MERE) if 2 * true > derived and not int(row[-3]) else chance
            yield Suggestion(
                "add", score, text, text, world, int(row[-1]), true, derived, opinion.texts[rule]
            )
        self._session.drop(table)

    def _doubled(self) -> Iterator[Suggestion]:
        """Iterate over facts that nothing explains beside others, where one value is the rule."""
        for place, number, single in self._functions[:1]:
            others = self._others(place)
            evidence = denial(self._name, len(self._arguments), place)
            claim = StoredClaim(
                evidence=evidence, true=single, derived=number, number=-1, inside=True, atoms=0
            )
            on = same("x", "u", self._columns)
            groups = (
                f"SELECT {listed(others, 'x')}, count(*) AS n, count(u.{self._columns[-1]}) AS k "
                f"FROM {self._relation.table} AS x LEFT JOIN {self._expected.odd} AS u ON {on} "
                f"GROUP BY {listed(others, 'x')} HAVING count(*) > 1"
            )
            joined = f"{self._settled} AS s JOIN ({groups}) AS g ON {same('s', 'g', others)}"
            columns = [*(f"s.{column}" for column in self._columns), "g.n", "g.k"]
            for row in self._few(columns, joined, 1.0):
                size, unexplained = int(row[-2]), int(row[-1])
                score = smoothed(single, number) if unexplained < size else 1 - 1 / size
                yield self._row("check", score, self._text(row[:-2]), "", claim)

    def _few(self, columns: Sequence[str], source: str, score: float) -> list[tuple[str, ...]]:
        """Return the first rows of a source, in the order of their columns, if they would be suggested."""
        if not self._weak and score < LIKELY:
            return []
        return self._first(columns, source, [str(number) for number in range(1, len(columns) + 1)])

    def _row(
        self, kind: str, score: float, about: tuple[str, str], expected: str, claim: StoredClaim | None
    ) -> Suggestion:
        atom, world = about
        if claim is None:
            clauses = sum(claim.own for claim in self._expected.claims)
            return Suggestion(kind, score, atom, expected, world, clauses, *self._back, "")
        return Suggestion(kind, score, atom, expected, world, 1, claim.true, claim.derived, claim.evidence)
