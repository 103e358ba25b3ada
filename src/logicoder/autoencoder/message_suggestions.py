"""Likely errors by a message: exceptions of clauses that pay for themselves, read both ways.

Description length decides which clauses there are, and so what an exception is: an atom that a clause derives
and the data do not list costs as many bits as the clause is seldom wrong, and a fact that nothing derives as
many as nearly all others are derived. Suggestions come in the order of these bits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from logicoder.autoencoder.base_rates import MERE
from logicoder.autoencoder.claims import Claim, Claims, Expected
from logicoder.autoencoder.opinions import Floats, Opinion, opinion_of
from logicoder.autoencoder.short_rules import ShortRules
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
from logicoder.base.sorted_keys import distinct, in_sorted
from logicoder.compression.message import Message
from logicoder.compression.plan import Plan
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.spaces import key_columns, sorted_keys
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Atom, Constant, Literal, Variable

if TYPE_CHECKING:
    from logicoder.autoencoder.stored_claims import StoredClaim

UNSUPPORTED = 0.01
"""The chance up to which nothing speaks for a fact."""

MOST = 100_000
"""Facts to add that are listed; of what is less likely than these only the number is told."""


def suggest_by_message(
    plan: Plan,
    kb: KnowledgeBase,
    predicates: Collection[str] = (),
    *,
    weak: bool = False,
    further: bool = True,
) -> Suggestions:
    """Return suggestions from what a plan expects of data.

    Args:
        plan: how the data are said in few bits.
        kb: the data, background included; they need not be those that the plan was learned from.
        predicates: only these; all that are to be reconstructed unless given.
        weak: whether to list what is less likely than not, too.
        further: whether other short rules than those of the plan are asked, too, about what is missing.
    """
    message = Message.of(plan, kb)
    wanted = asked_for(kb.schema, predicates, kb.mapping)
    claims = Claims(message)
    every = {expected.predicate: expected for expected in claims}
    asked = [name for name in every if name in wanted and further]
    rules = ShortRules(claims.tables, asked, claims.effort)
    opinions = {name: opinion_of(every[name], list(rules.of(name)), claims.tables) for name in asked}
    judged = {name: _Judged(own, message.database, opinions.get(name)) for name, own in every.items()}
    explained: dict[str, list[Keys]] = {}
    for own in judged.values():
        for claim, atoms in own.additions():
            if claim.turned is not None:
                facts = claims.supporting(claim.turned, atoms)
                explained.setdefault(claim.turned.predicate, []).append(facts)
    excused: dict[str, list[Keys]] = {}
    for own in [] if weak else judged.values():
        for name, facts in claims.following(own.predicate, own.corrected()):
            excused.setdefault(name, []).append(facts)
    missing = {name: judged[name].missing(weak=weak) for name in asked}
    listed = _best({name: own.chance for name, own in missing.items()}, MOST)
    rows = [
        row
        for name, own in judged.items()
        if name in wanted
        for row in own.suggestions(explained.get(name, ()), excused.get(name, ()), weak=weak)
    ]
    for name, chosen in listed.items():
        found = judged[name].added(missing[name].some(chosen))
        rows += found if weak else worth_listing(found, name, kb.mapping)
    own_claims = [(every[name], c) for name in judged if name in wanted for c in judged[name].own_claims()]
    right = [(own, claim) for own, claim in own_claims if claim.has_body]
    true = sum(int(in_sorted(claim.atoms, own.facts).sum()) for own, claim in right)
    derived = sum(len(claim.atoms) for _, claim in right)
    silence = silence_of([claim for _, claim in right], true, derived)
    more = sum(len(missing[name].atoms) - len(chosen) for name, chosen in listed.items())
    return ranked(rows, silence, several=len(kb.interpretations) > 1, more=more, weak=weak)


def _best(scores: Mapping[str, Floats], most: int) -> dict[str, NDArray[np.intp]]:
    """Return the places of the highest scores of all, for each of several lists of scores."""
    if not scores:
        return {}
    every = np.concatenate(list(scores.values()))
    kept = np.ones(len(every), np.bool_)
    kept[np.argsort(-every, kind="stable")[most:]] = False
    ends = np.cumsum([len(own) for own in scores.values()])[:-1]
    return {name: np.flatnonzero(own) for name, own in zip(scores, np.split(kept, ends), strict=True)}


def silence_of(right: Sequence[Claim | StoredClaim], true: int, derived: int) -> str:
    """Return why there is nothing to suggest.

    Args:
        right: the claims of the message that are mostly right.
        true: facts among what they derive.
        derived: atoms that they derive.
    """
    clauses = len({claim.evidence for claim in right})
    if not clauses:
        return "nothing can contradict this program: it has no clause that is mostly right on this data"
    own = f"{clauses:,} clauses derive" if clauses > 1 else "clause derives"
    told = f"{derived:,} atoms that its {own} are facts"
    if not any(claim.speaks for claim in right):
        return (
            f"nothing can contradict this program: {true:,} of {told}, hardly more than by guessing the most "
            "frequent value (--weak lists more)"
        )
    if true < derived:
        return f"{true:,} of {told}; nothing is likely enough (--weak lists more)"
    return (
        f"nothing contradicts this program: all {told}, and no fact is left unexplained where most are "
        "explained"
    )


def denial(predicate: str, arity: int, place: int) -> str:
    r"""Return what a predicate forbids whose other places determine one.

    >>> denial("born", 2, 1)
    ':- born(X1,X2), born(X1,Y), X2 \\= Y.'
    """
    first = tuple(Variable(f"X{i}") for i in range(1, arity + 1))
    other = (*first[:place], Variable("Y"), *first[place + 1 :])
    atoms = Atom(predicate, first), Atom(predicate, other)
    return f":- {atoms[0]}, {atoms[1]}, {Literal.unequal(first[place], other[place])}."


def doubted(doubt: float, chance: Floats) -> Floats:
    """Return how doubtful facts are that the program does not derive: less where other rules do.

    Args:
        doubt: of a fact that nothing derives.
        chance: of each fact, by all that derives it; 0 where nothing does.

    >>> doubted(0.9, np.array([0.0, 0.5])).round(3).tolist()
    [0.9, 0.083]
    """
    chance = np.maximum(chance, UNSUPPORTED)
    odds = doubt / (1 - doubt) * (1 - chance) / chance * UNSUPPORTED / (1 - UNSUPPORTED)
    return np.asarray(odds / (1 + odds))


@dataclass(frozen=True, eq=False)
class _Missing:
    """Atoms of a predicate that may be facts.

    Attributes:
        atoms: the atoms, as keys.
        chance: how likely each is a fact.
        places: where each stands in the opinion of the predicate.
    """

    atoms: Keys
    chance: Floats
    places: NDArray[np.intp]

    def some(self, chosen: NDArray[np.intp]) -> _Missing:
        """Return some of them, by their numbers."""
        return _Missing(self.atoms[chosen], self.chance[chosen], self.places[chosen])


class _Judged:
    """What is expected of a predicate beside its facts."""

    def __init__(self, expected: Expected, database: Database, opinion: Opinion | None) -> None:
        self._expected, self._database, self._opinion = expected, database, opinion
        self.predicate = expected.predicate
        self._types = database.relation(expected.predicate).types
        total = len(expected.facts)
        explained = total - len(expected.unexplained)
        self._back = explained, total
        # Of facts that are merely common nobody knows whether they are right: they say nothing of others.
        self._beyond = explained, explained + len(expected.odd)
        self._functions = expected.rates.functions
        self._without = expected.rates.without
        denied = database.relation(expected.predicate, "false")
        self._denied = sorted_keys(denied, expected.sizes)

    def own_claims(self) -> list[Claim]:
        """Return the claims of the message that are mostly right."""
        return [claim for claim in self._expected.claims if claim.own and claim.mostly_right]

    def additions(self) -> Iterator[tuple[Claim, Keys]]:
        """Iterate over converses that are mostly right, each with the atoms that it wants added."""
        for claim in self._expected.claims:
            if not claim.own and claim.speaks:
                wrong, beside = self._wanted(claim)
                if (beside < 0).any():
                    yield claim, wrong[beside < 0]

    def corrected(self) -> Keys:
        """Return the atoms that stand instead of what the message takes for wrong or missing."""
        found = [self._wanted(claim)[0] for claim in self._expected.claims if claim.corrects]
        return distinct(np.concatenate([np.empty(0, np.int64), *found]))

    def suggestions(
        self, explained: Sequence[Keys], excused: Sequence[Keys], *, weak: bool
    ) -> Iterator[Suggestion]:
        """Iterate over all suggestions about the predicate but for those of its opinion.

        Args:
            explained: facts that additions to other predicates would explain; these are not checked.
            excused: facts that follow from what the message corrects; these are not changed either.
            weak: whether claims that are mostly wrong, or right by what is common, count, too.
        """
        doubt = smoothed(*self._beyond)
        fine = distinct(np.concatenate([np.empty(0, np.int64), *excused]))
        settled = [fine, *explained]
        for claim in self._expected.claims:
            if not weak and not claim.speaks:
                continue
            wrong, beside = self._wanted(claim)
            score = smoothed(claim.true, claim.derived)
            if self._opinion is None:
                for atom in wrong[beside < 0].tolist():
                    yield self._row("add", min(score, claim.most), atom, atom, claim)
            if doubt > LIKELY:
                doubtful = (beside >= 0) & ~in_sorted(beside, fine)
                facts = beside[doubtful]
                doubts = doubted(doubt, self._support(facts)).tolist()
                for atom, fact, own in zip(wrong[doubtful].tolist(), facts.tolist(), doubts, strict=True):
                    yield self._row("change", min(both(score, own), claim.most), fact, atom, claim)
            settled.append(beside)
        if any(claim.speaks for claim in self.own_claims()) or (weak and self._expected.judged):
            left = np.setdiff1d(self._expected.odd, np.concatenate(settled))
            doubts = doubted(smoothed(*self._back), self._support(left)).tolist()
            for fact, score in zip(left.tolist(), doubts, strict=True):
                yield self._row("check", score, fact, None, None)
        yield from self._doubled(np.concatenate(settled))

    def missing(self, *, weak: bool) -> _Missing:
        """Return atoms that may be facts, by all that derives them."""
        opinion = self._opinion
        if opinion is None:
            return _Missing(np.empty(0, np.int64), np.empty(0), np.empty(0, np.intp))
        atoms, beside = self._possible(opinion.atoms)
        atoms = atoms[beside < 0]
        places = np.searchsorted(opinion.atoms, atoms)
        chance, spoken = opinion.chance[places], opinion.spoken[places]
        likely = (self._alone(atoms, chance) >= LIKELY) & spoken
        right = np.array([2 * true > derived for true, derived in opinion.records])[opinion.best[places]]
        chance = np.where(right & ~spoken, np.minimum(chance, MERE), chance)
        chosen = np.flatnonzero(likely | weak)
        return _Missing(atoms[chosen], chance[chosen], places[chosen])

    def _alone(self, atoms: Keys, chance: Floats) -> Floats:
        """Return the chances of atoms of which only one can be a fact, where one value is the rule."""
        for place, _, _ in self._functions[:1]:
            odds = chance / (1 - chance)
            _, group = np.unique(self._without(atoms, place), return_inverse=True)
            return np.asarray(odds / (1 + np.bincount(group, odds)[group]))
        return chance

    def added(self, missing: _Missing) -> Iterator[Suggestion]:
        """Iterate over suggestions to add some atoms."""
        opinion = self._opinion
        if opinion is None:
            return
        best, number = opinion.best[missing.places].tolist(), opinion.number[missing.places].tolist()
        told = zip(self._texts(missing.atoms), missing.chance.tolist(), best, number, strict=True)
        for (text, world), chance, rule, clauses in told:
            support = clauses, *opinion.records[rule], opinion.texts[rule]
            yield Suggestion("add", chance, text, text, world, *support)

    def _support(self, facts: Keys) -> Floats:
        """Return the chances of facts by all that derives them; 0 where nothing does."""
        opinion = self._opinion
        if opinion is None:
            return np.zeros(len(facts))
        places = np.minimum(np.searchsorted(opinion.atoms, facts), len(opinion.atoms) - 1)
        return np.where(opinion.atoms[places] == facts, opinion.chance[places], 0.0)

    def _doubled(self, settled: Keys) -> Iterator[Suggestion]:
        """Iterate over facts that nothing explains beside others, where one value is the rule."""
        for place, keys, facts in self._functions[:1]:
            _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
            explained = ~in_sorted(facts, self._expected.odd)
            others = np.bincount(which, explained) > 0
            single = int((counts == 1).sum())
            evidence = denial(self._expected.predicate, len(self._expected.sizes), place)
            claim = Claim(evidence=evidence, atoms=facts, true=single, derived=len(counts))
            for row in np.flatnonzero((counts[which] > 1) & ~explained & ~np.isin(facts, settled)).tolist():
                group = which[row]
                score = smoothed(single, len(counts)) if others[group] else 1 - 1 / counts[group]
                yield self._row("check", float(score), int(facts[row]), None, claim)

    def _wanted(self, claim: Claim) -> tuple[Keys, Keys]:
        """Return atoms of a claim that may be facts, and the doubtful fact beside each, or -1."""
        return self._possible(claim.atoms)

    def _possible(self, atoms: Keys) -> tuple[Keys, Keys]:
        """Return atoms that may be facts, and the doubtful fact beside each, or -1."""
        wrong = atoms[~in_sorted(atoms, self._expected.facts)]
        wrong = wrong[~in_sorted(wrong, self._denied)]
        beside, refuted = self._beside(wrong)
        return wrong[~refuted], beside[~refuted]

    def _beside(self, atoms: Keys) -> tuple[Keys, np.ndarray]:
        """Return the unexplained fact that stands in the place of each atom, or -1, and what is refuted.

        Where a value is single and the one that is listed is explained, another one is not to be expected.
        """
        found = np.full(len(atoms), -1, np.int64)
        refuted = np.zeros(len(atoms), np.bool_)
        for place, keys, facts in self._functions:
            wanted = self._without(atoms, place)
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            there = keys[at] == wanted
            doubted = in_sorted(facts[at], self._expected.unexplained)
            refuted |= there & ~doubted
            found = np.where((found < 0) & there & doubted, facts[at], found)
        return found, refuted

    def _row(
        self, kind: str, score: float, key: int, expected: int | None, claim: Claim | None
    ) -> Suggestion:
        atom, world = self._text(key)
        wanted = "" if expected is None else self._text(expected)[0]
        if claim is None:
            clauses = sum(claim.own for claim in self._expected.claims)
            return Suggestion(kind, score, atom, wanted, world, clauses, *self._back, "")
        return Suggestion(kind, score, atom, wanted, world, 1, claim.true, claim.derived, claim.evidence)

    def _text(self, key: int) -> tuple[str, str]:
        return next(self._texts(np.array([key])))

    def _texts(self, keys: Keys) -> Iterator[tuple[str, str]]:
        """Iterate over the texts of atoms and their interpretations."""
        database, predicate = self._database, self._expected.predicate
        columns = key_columns(keys, self._expected.sizes)
        worlds = database.world_of[self._types[0]][columns[0]].tolist()
        if not database.kb.schema[predicate].arity:
            columns = []
        entities = zip(self._types, columns, strict=False)
        symbols = [database.symbol_of[kind][column].tolist() for kind, column in entities]
        for row, world in enumerate(worlds):
            constants = tuple(Constant(database.symbols[column[row]]) for column in symbols)
            yield str(Atom(predicate, constants)), database.kb.interpretations[world]
