"""What everything that is known says together of the atoms of a predicate: a chance for each to be a fact.

Rules that derive an atom mostly say the same, so their records cannot simply be multiplied. How much each of
them counts beside the others is fitted on the data, by logistic regression over what derives an atom and
where its arguments stand otherwise. Between that and the record of the best rule alone lies the chance: the
former sees more, the latter rests on more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logicoder.autoencoder.claims import Expected
from logicoder.autoencoder.short_rules import ShortRule
from logicoder.autoencoder.suggestions import smoothed
from logicoder.base.sorted_keys import distinct, in_sorted
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import key_columns

_RULES, _TESTS = 60, 40
"""Rules and tests that are weighed against each other, those that tell most first."""

_LEAST_BITS = 3.0
"""What a test must tell to be weighed."""

_RIDGE = 0.1
"""The precision of the prior on weights: it counts like a fraction of an atom."""

CLASSES = 20_000
"""Kinds of atoms, alike in everything that is weighed, from which weights are fitted."""

_ROUNDS, _CLOSE = 25, 1e-3
LARGEST = 20.0
"""Log-odds beyond which nothing is told apart."""

Floats = NDArray[np.float64]
Sign = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Opinion:
    """What is thought of the atoms of a predicate that anything derives.

    Attributes:
        atoms: the atoms, as sorted keys.
        chance: how likely each is a fact.
        best: for each, the number of the rule with the best record.
        number: for each, how many rules derive it.
        texts: the clauses.
        records: facts and atoms of each clause.
        spoken: whether any rule that is mostly right says more of each atom than how common its value is.
    """

    atoms: Keys
    chance: Floats
    best: NDArray[np.intp]
    number: NDArray[np.intp]
    texts: Sequence[str]
    records: Sequence[tuple[int, int]]
    spoken: Sign


def opinion_of(expected: Expected, rules: Sequence[ShortRule], tables: RuleTables) -> Opinion | None:
    """Return what claims and short rules say of a predicate; None where nothing derives anything.

    Args:
        expected: the claims.
        rules: the rules.
        tables: the facts.
    """
    every = [*_whole_claims(expected), *rules]
    every = [rule for rule in every if len(rule.atoms)]
    if not every:
        return None
    atoms = distinct(np.concatenate([rule.atoms for rule in every]))
    facts = in_sorted(atoms, expected.facts)
    places = [np.searchsorted(atoms, rule.atoms) for rule in every]
    records = [(int(facts[own].sum()), len(own)) for own in places]
    best, number = np.zeros(len(atoms), np.intp), np.zeros(len(atoms), np.intp)
    record = np.zeros(len(atoms))
    spoken = np.zeros(len(atoms), np.bool_)
    for rule, (own, (true, derived)) in enumerate(zip(places, records, strict=True)):
        share = smoothed(true, derived)
        number[own] += 1
        better = own[record[own] < share]
        best[better], record[better] = rule, share
        if 2 * true > derived and expected.rates.lift(atoms[own], len(every)):
            spoken[own] = True
    signs = [
        *_telling((_sign(own, len(atoms)) for own in places), facts, _RULES, 0.0),
        *_telling(_others(expected, atoms, facts), facts, _TESTS, _LEAST_BITS),
        *_telling(_tests(expected, atoms, tables), facts, _TESTS, _LEAST_BITS),
    ]
    odds = (_fitted(signs, facts) + np.log(record / (1 - record))) / 2
    texts = [rule.text for rule in every]
    return Opinion(atoms, 1 / (1 + np.exp(-odds)), best, number, texts, records, spoken)


def _whole_claims(expected: Expected) -> Iterator[ShortRule]:
    """Iterate over claims as rules; a clause has two if it derives something outside of domains."""
    atoms: dict[str, list[Keys]] = {}
    for claim in expected.claims:
        atoms.setdefault(claim.evidence, []).append(claim.atoms)
    for evidence, parts in atoms.items():
        yield ShortRule(evidence, distinct(np.concatenate(parts)))


def _others(expected: Expected, atoms: Keys, facts: Sign) -> Iterator[Sign]:
    """Iterate over whether other facts have all arguments of an atom but one.

    Where one value is the rule, that speaks against it.
    """
    for place in range(len(expected.sizes)) if len(expected.sizes) > 1 else ():
        own, listed = (_without(keys, expected.sizes, place) for keys in (atoms, expected.facts))
        values, counts = np.unique(listed, return_counts=True)
        if not len(values):
            continue
        at = np.minimum(np.searchsorted(values, own), len(values) - 1)
        yield np.where(values[at] == own, counts[at], 0) - facts > 0


def _without(keys: Keys, sizes: Sequence[int], place: int) -> Keys:
    found = np.zeros(len(keys), np.int64)
    for other, column in enumerate(key_columns(keys, sizes)):
        if other != place:
            found = found * sizes[other] + column
    return found


def _tests(expected: Expected, atoms: Keys, tables: RuleTables) -> Iterator[Sign]:
    """Iterate over where else the arguments of an atom stand."""
    types = tables.relation(expected.predicate).types
    columns = key_columns(atoms, expected.sizes)
    for other in tables.columns:
        for kind, column in zip(types, columns, strict=True):
            if other.kind == kind and other.predicate != expected.predicate:
                mask = np.zeros(tables.database.sizes[kind], np.bool_)
                mask[other.values] = True
                yield mask[column]
    for view in tables.views if len(types) == 2 else ():
        if view.types == types and view.predicate != expected.predicate:
            yield in_sorted(atoms, view.keys)
        elif view.types == types and view.columns == (1, 0):  # of p(a,a) that would be the fact itself
            yield in_sorted(atoms, view.keys) & (columns[0] != columns[1])


def _sign(places: Keys, size: int) -> Sign:
    found = np.zeros(size, np.bool_)
    found[places] = True
    return found


def _telling(signs: Iterable[Sign], facts: Sign, most: int, least: float) -> list[Sign]:
    """Return the signs that tell most of whether atoms are facts; of many only these are kept at a time."""
    total = int(facts.sum())
    told: list[tuple[float, int, Sign]] = []
    for place, sign in enumerate(signs):
        gain = _gain(int(sign.sum()), int(facts[sign].sum()), len(facts), total)
        if gain > least:
            told.append((-gain, place, sign))
            if len(told) > 2 * most:
                told = sorted(told, key=lambda one: one[:2])[:most]
    return [sign for _, _, sign in sorted(told, key=lambda one: one[:2])[:most]]


def chosen_signs(groups: Sequence[Sequence[tuple[int, int]]], atoms: int, facts: int) -> list[list[int]]:
    """Return which signs are weighed: of rules, of other facts, and of tests, by their places in each group.

    Args:
        groups: for each of the three the atoms and the facts that have each sign.
        atoms: how many atoms there are.
        facts: how many of them are facts.
    """
    limits = (_RULES, 0.0), (_TESTS, _LEAST_BITS), (_TESTS, _LEAST_BITS)
    found = []
    for group, (most, least) in zip(groups, limits, strict=True):
        gains = [(-_gain(*counts, atoms, facts), place) for place, counts in enumerate(group)]
        found.append([place for gain, place in sorted(gains) if -gain > least][:most])
    return found


def _gain(number: int, true: int, atoms: int, total: int) -> float:
    """Return the bits that a sign tells of whether atoms are facts."""
    return _bits(atoms, total) - (_bits(number, true) + _bits(atoms - number, total - true))


def _bits(atoms: int, true: int) -> float:
    share = (true + 0.5) / (atoms + 1)
    return float(-atoms * (share * np.log2(share) + (1 - share) * np.log2(1 - share)))


def _fitted(signs: Sequence[Sign], facts: Sign) -> Floats:
    """Return the log-odds of each atom by logistic regression over signs, with a weak prior on weights."""
    table = np.column_stack([np.ones(len(facts), np.bool_), *signs])
    first, kind = _kinds(table)
    atoms, true = np.bincount(kind).astype(float), np.bincount(kind, facts).astype(float)
    classes = table[first].astype(float)
    common = np.argsort(-atoms, kind="stable")[:CLASSES]
    weights = fitted_weights(classes[common], atoms[common], true[common])
    return log_odds(classes, weights)[kind]


def _kinds(table: Sign) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a row of each kind of rows, in the order of the rows as numbers, and the kind of each row."""
    packed = np.packbits(table, axis=1)
    words = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(">u8").astype(np.uint64)
    order = np.lexsort(words.T[::-1])  # much faster than `np.unique` of rows
    new = np.ones(len(order), np.bool_)
    new[1:] = (words[order[1:]] != words[order[:-1]]).any(axis=1)
    kind = np.empty(len(order), np.intp)
    kind[order] = np.cumsum(new) - 1
    return order[new], kind


def log_odds(classes: Floats, weights: Floats) -> Floats:
    """Return the log-odds of classes of atoms by the weights of their signs."""
    return np.asarray(np.clip(classes @ weights, -LARGEST, LARGEST))


def fitted_weights(some: Floats, number: Floats, right: Floats) -> Floats:
    """Return the weight of each sign by logistic regression, with a weak prior.

    Args:
        some: a row for each class of atoms, its signs as ones; the first one is always there.
        number: atoms of each class.
        right: facts among them.
    """
    prior = np.full(some.shape[1], _RIDGE)
    prior[0] = _RIDGE / 100
    weights = np.zeros(some.shape[1])
    share = (right.sum() + 0.5) / (number.sum() + 1)
    weights[0] = np.log(share / (1 - share))
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(some @ weights, -LARGEST, LARGEST)))
        slope = some.T @ (number * chance - right) + prior * weights
        bend = (some * (number * chance * (1 - chance))[:, None]).T @ some + np.diag(prior)
        step = np.linalg.solve(bend, slope)
        size = float(np.abs(step).max())
        weights -= step * min(1.0, 3.0 / size if size else 1.0)
        if size < _CLOSE:
            break
    return weights
