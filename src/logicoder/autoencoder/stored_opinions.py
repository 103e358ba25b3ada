"""What everything that is known says together of atoms of stored data; see `logicoder.autoencoder.opinions`.

Short rules are those that a sample shows; all facts say what each of them is worth. For each predicate one
table holds every atom that anything derives, with its signs; weights follow from the counts of their sets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from math import log
from typing import TYPE_CHECKING

import numpy as np

from logicoder.autoencoder.claims import Claims
from logicoder.autoencoder.opinions import (
    CLASSES,
    LARGEST,
    Floats,
    chosen_signs,
    fitted_weights,
    log_odds,
)
from logicoder.autoencoder.short_rules import ShortRules
from logicoder.autoencoder.suggestions import smoothed
from logicoder.compression.message import Message
from logicoder.engine.interface import WORLD as HIDDEN
from logicoder.engine.sql.bit_masks import BITS, has, marked, mask_names, mask_of
from logicoder.engine.sql.join_sizes import JoinSizes, most_tuples
from logicoder.engine.sql.query_coverage import covered_atoms, is_fact
from logicoder.engine.sql.relations import WORLD, argument_columns, listed, same
from logicoder.logic.rules import Rule

if TYPE_CHECKING:
    from logicoder.autoencoder.stored_claims import StoredExpected
    from logicoder.compression.plan import Plan
    from logicoder.compression.stored_message import StoredMessage
    from logicoder.kb.knowledge_base import KnowledgeBase

MOST_RULES = 60
"""Short rules of a predicate that are asked: those that promise most in a sample."""

_COUNTED = 300
"""Signs that one query counts."""

_MOST_PAIRS = 56
"""Predicates with more pairs of places are no tests."""

MARGIN = 1e-9
"""What numbers of different systems may differ by."""


def promising_rules(
    plan: Plan, kb: KnowledgeBase, names: Collection[str], most: int = MOST_RULES
) -> dict[str, list[Rule]]:
    """Return the short rules of predicates that promise most in a sample.

    Args:
        plan: how the data are said in few bits.
        kb: the sample, background included.
        names: the predicates.
        most: so many of each.
    """
    claims = Claims(Message.of(plan, kb))
    asked = [name for name in names if name in claims.tables.names]
    rules = ShortRules(claims.tables, asked, claims.effort)
    return {name: [counted.rule for counted in rules.ranked(name, most)] for name in asked}


@dataclass(frozen=True, eq=False)
class StoredOpinion:
    """What is thought of the atoms of a predicate that anything derives.

    Attributes:
        table: the atoms: whether each is a fact (`f`), its signs as bits (`k0` and so on), the number of the
            rule with the best record (`r`), how many rules derive it (`n`), and whether any that is mostly
            right says more than how common its value is (`l`).
        signs: how many signs there are.
        weights: of the signs, that of none at all first.
        texts: the clauses.
        records: facts and atoms of each clause.
        spoken: whether there is a clause that is mostly right, and not just by what is common.
        number: the type of numbers in this system.
    """

    table: str
    signs: int
    weights: Floats
    texts: Sequence[str]
    records: Sequence[tuple[int, int]]
    spoken: bool
    number: str

    @property
    def masks(self) -> list[str]:
        """The columns of signs."""
        return [mask.replace("m", "k") for mask in mask_names(self.signs)]

    @cached_property
    def _records(self) -> Floats:
        shares = [smoothed(true, derived) for true, derived in self.records]
        return np.array([log(share / (1 - share)) for share in shares])

    def odds(self) -> str:
        """Return the log-odds of an atom, as an expression."""

        def real(value: float) -> str:
            return f"CAST({value!r} AS {self.number})"

        parts = [real(float(self.weights[0]))]
        for place, weight in enumerate(self.weights[1:].tolist()):
            test = has(place).replace("(m", "(k")
            parts.append(f"CASE WHEN {test} THEN {real(weight)} ELSE {real(0.0)} END")
        fitted = f"least({real(LARGEST)}, greatest({real(-LARGEST)}, {' + '.join(parts)}))"
        best = " ".join(f"WHEN {n} THEN {real(own)}" for n, own in enumerate(self._records.tolist()))
        return f"({fitted} + CASE r {best} END) / 2"

    def chances(self, masks: Sequence[int], best: Sequence[int]) -> list[float]:
        """Return how likely atoms are facts, given their signs and the clauses with the best records."""
        odds = (log_odds(_classes(masks, self.signs), self.weights) + self._records[list(best)]) / 2
        return list((1 / (1 + np.exp(-odds))).tolist())


def _classes(masks: Sequence[int], signs: int) -> Floats:
    rows = [[1.0, *(float(mask >> place & 1) for place in range(signs))] for mask in masks]
    return np.array(rows).reshape(len(masks), signs + 1)


class StoredOpinions:
    """Makes opinions about the predicates of stored data.

    Args:
        message: the plan and the data.
        rules: the short rules of each predicate.
    """

    def __init__(self, message: StoredMessage, rules: Mapping[str, Sequence[Rule]]) -> None:
        self._message, self._data, self._rules = message, message.data, rules
        self._session = message.data.session
        self._world = [WORLD] if message.data.several else []
        self._sizes, self._most = JoinSizes(self._data, self._data.relations), most_tuples(self._data)
        self._values: dict[str, tuple[str, list[tuple[str, int]]]] = {}
        self._pairs: dict[tuple[str, ...], tuple[str, list[tuple[str, int, int]]]] = {}

    def of(self, expected: StoredExpected) -> StoredOpinion | None:
        """Return what claims and short rules say of a predicate; None where nothing derives anything."""
        name = expected.predicate
        columns = listed(self._data.columns(name))
        rules = [rule for rule in self._rules.get(name, ()) if self._sizes.within(rule, self._most)]
        claimed: dict[str, list[str]] = {}
        for claim in expected.claims:
            claimed.setdefault(claim.evidence, []).append(f"({claim.test})")
        texts = list(claimed)
        texts += [str(rule.clause(name)) for rule in rules]
        tested = (" OR ".join(tests) for tests in claimed.values())
        queries = [f"SELECT {columns} FROM {expected.table} WHERE {test}" for test in tested]
        queries += [self._message.query(name, rule) for rule in rules]
        if not queries:
            return None
        tests = list(self._tests(name))
        table = self._with_signs(name, queries)
        others = [f"o{place} = 1" for place in range(self._other_places(name))]
        groups = [[has(number) for number in range(len(texts))], others, tests]
        atoms, facts, counts = self._counted(name, table, groups)
        if not atoms:
            self._session.drop(table)
            return None
        chosen = chosen_signs(counts, atoms, facts)
        signs = [group[place] for group, places in zip(groups, chosen, strict=True) for place in places]
        records = [(true, number) for number, true in counts[0]]
        lifts = expected.rates.lift(table, groups[0], sum(derived > 0 for _, derived in records))
        speaking = [
            number
            for number, ((true, derived), lift) in enumerate(zip(records, lifts, strict=True))
            if lift and 2 * true > derived
        ]
        final = self._weighed(name, table, signs, records, speaking)
        self._session.drop(table)
        number, spoken = self._session.number, bool(speaking)
        found = StoredOpinion(final, len(signs), np.zeros(0), texts, records, spoken, number)
        return replace(found, weights=self._weights(found))

    # -- signs --------------------------------------------------------------------------------------------

    def _types(self, name: str) -> tuple[str, ...]:
        return self._message.schema[name].types or (HIDDEN,)

    def _other_places(self, name: str) -> int:
        """Return how many places an atom has beside which others can stand."""
        return len(self._types(name)) if len(self._types(name)) > 1 else 0

    def _with_signs(self, name: str, queries: Sequence[str]) -> str:
        """Return the table of all atoms with everything that is known of each."""
        data, columns = self._data, self._data.columns(name)
        own = argument_columns(data.relations[name].arity)
        facts = data.relations[name].table
        selected, joins = list[str](), list[str]()
        for place in range(self._other_places(name)):
            others = [column for column in columns if column != own[place]]
            groups = f"SELECT {listed(others)}, count(*) AS c FROM {facts} GROUP BY {listed(others)}"
            joins.append(f"LEFT JOIN ({groups}) AS g{place} ON {same('s', f'g{place}', others)}")
            more = f"coalesce(g{place}.c, 0) > {is_fact(columns)}"
            selected.append(f"CASE WHEN {more} THEN 1 ELSE 0 END AS o{place}")
        for place, kind in enumerate(self._types(name)):
            table, places = self._values_of(kind)
            alias = f"u{place}"
            on = [f"{alias}.v = s.{own[place]}", *(f"{alias}.{w} = s.{w}" for w in self._world)]
            joins.append(f"LEFT JOIN {table} AS {alias} ON {' AND '.join(on)}")
            selected += [f"{alias}.{mask} AS {alias}_{mask}" for mask in mask_names(len(places))]
        if len(own) == 2:
            table, views = self._pairs_of(self._types(name))
            if views:
                joins.append(f"LEFT JOIN {table} AS p ON {same('s', 'p', columns)}")
                selected += [f"p.{mask} AS p_{mask}" for mask in mask_names(len(views))]
        query = covered_atoms(data, data.relations[name], queries, selected, joins)
        return self._session.table(query, f"asking {len(queries)} rules about {name}")

    def _tests(self, name: str) -> Iterator[str]:
        """Iterate over where else the arguments of an atom stand, as conditions."""
        types = self._types(name)
        for other in sorted(self._data.relations):
            for column, kind in enumerate(self._types(other)):
                for place, own in enumerate(types):
                    if own == kind and other != name:
                        number = self._values_of(kind)[1].index((other, column))
                        yield has(number).replace("(m", f"(u{place}_m")
        for number, (other, *columns) in enumerate(self._pairs_of(types)[1] if len(types) == 2 else ()):
            test = has(number).replace("(m", "(p_m")
            if other != name:
                yield test
            elif columns == [1, 0]:  # of p(a,a) that would be the fact itself
                yield f"{test} AND a1 <> a2"

    def _values_of(self, kind: str) -> tuple[str, list[tuple[str, int]]]:
        """Return the table of the values of a type with the places that they stand at, and these places."""
        if kind not in self._values:
            relations = self._data.relations
            every = [(name, place) for name in sorted(relations) for place in range(len(self._types(name)))]
            places = [(name, place) for name, place in every if self._types(name)[place] == kind]
            queries = []
            for name, place in places:
                own = argument_columns(relations[name].arity)[place]
                selected = listed([*self._world, f"{own} AS v"])
                queries.append(f"SELECT {selected} FROM {relations[name].table}")
            table = self._session.table(
                marked([*self._world, "v"], queries), f"looking where values of the type {kind} stand"
            )
            self._values[kind] = table, places
        return self._values[kind]

    def _pairs_of(self, types: tuple[str, ...]) -> tuple[str, list[tuple[str, int, int]]]:
        """Return the table of pairs of two types with the places that they stand at, and these places."""
        if types not in self._pairs:
            relations = self._data.relations
            views = []
            for name in sorted(relations):
                own = self._types(name)
                if len(own) * (len(own) - 1) <= _MOST_PAIRS:
                    for first, second in permutations(range(len(own)), 2):
                        if (own[first], own[second]) == types:
                            views.append((name, first, second))
            queries = [
                f"SELECT {listed([*self._world, f'a{first + 1} AS a1', f'a{second + 1} AS a2'])} "
                f"FROM {relations[name].table}"
                for name, first, second in views
            ]
            purpose = f"looking where pairs of the types {' and '.join(types)} stand"
            columns = [*self._world, "a1", "a2"]
            table = self._session.table(marked(columns, queries), purpose) if views else ""
            self._pairs[types] = table, views
        return self._pairs[types]

    # -- counting -----------------------------------------------------------------------------------------

    def _counted(
        self, name: str, table: str, groups: Sequence[Sequence[str]]
    ) -> tuple[int, int, list[list[tuple[int, int]]]]:
        """Return the atoms, the facts among them, and for each sign the atoms and facts that have it."""
        conditions = [condition for group in groups for condition in group]
        numbers: list[int] = []
        atoms = facts = 0
        for start in range(0, max(1, len(conditions)), _COUNTED):
            selected = ["count(*)", "sum(f)"]
            for condition in conditions[start : start + _COUNTED]:
                selected += [
                    f"sum(CASE WHEN {condition} THEN 1 ELSE 0 END)",
                    f"sum(CASE WHEN {condition} AND f = 1 THEN 1 ELSE 0 END)",
                ]
            row = self._session.row(f"SELECT {listed(selected)} FROM {table}", f"counting signs of {name}")
            atoms, facts, *more = (int(value or 0) for value in row)
            numbers += more
        pairs = iter(zip(numbers[::2], numbers[1::2], strict=True))
        return atoms, facts, [[next(pairs) for _ in group] for group in groups]

    def _weighed(
        self,
        name: str,
        table: str,
        signs: Sequence[str],
        records: Sequence[tuple[int, int]],
        speaking: Sequence[int],
    ) -> str:
        """Return the table of atoms with the signs that are weighed, and the best of their rules."""
        order = sorted(range(len(records)), key=lambda number: (-smoothed(*records[number]), number))
        best = " ".join(f"WHEN {has(number)} THEN {number}" for number in order)
        number = " + ".join(f"CASE WHEN {has(number)} THEN 1 ELSE 0 END" for number in order)
        spoken = " OR ".join(has(number) for number in speaking)
        lift = f"CASE WHEN {spoken} THEN 1 ELSE 0 END" if spoken else "0"
        selected = [*self._data.columns(name), "f", f"CASE {best} END AS r", f"{number} AS n", f"{lift} AS l"]
        for place in range(len(mask_names(len(signs)))):
            own = signs[place * BITS : (place + 1) * BITS]
            bits = [f"CASE WHEN {sign} THEN {1 << bit} ELSE 0 END" for bit, sign in enumerate(own)]
            selected.append(f"CAST({' + '.join(bits) or '0'} AS BIGINT) AS k{place}")
        return self._session.table(f"SELECT {listed(selected)} FROM {table}", f"weighing rules about {name}")

    def _weights(self, opinion: StoredOpinion) -> Floats:
        masks = listed(opinion.masks)
        query = f"SELECT {masks}, count(*), sum(f) FROM {opinion.table} GROUP BY {masks}"
        rows = self._session.rows(
            f"{query} ORDER BY count(*) DESC, {masks} LIMIT {CLASSES}", "counting sets of signs"
        )
        classes = _classes([mask_of(row[:-2]) for row in rows], opinion.signs)
        counts = np.array([[float(row[-2]), float(row[-1])] for row in rows])
        return fitted_weights(classes, counts[:, 0], counts[:, 1])
