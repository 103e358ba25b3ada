"""What a message expects of each predicate: the atoms that its clauses and closures derive, read both ways.

A clause that derives a predicate says as well what its body needs. Where `shelf(X,Y) :- category(X,Y)` is
mostly right, a shelf without a category points at a category that is missing: so the clauses of a message are
turned round, too, and each of these converses is judged by its own record on the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from logicoder.autoencoder.base_rates import MERE, BaseRates
from logicoder.autoencoder.column_dependencies import dependencies
from logicoder.autoencoder.converses import Turned, converses_in
from logicoder.autoencoder.suggestions import few_exceptions
from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct, in_sorted, union
from logicoder.compression.codec import form_of
from logicoder.compression.message import Message
from logicoder.compression.plan import Step
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys, Relation, packable, unpack
from logicoder.engine.arrays.rules.closed_forms import Form
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import SpacesOf, key_columns, sorted_keys
from logicoder.logic.rules import Rule
from logicoder.logic.symbols import atom_text

_NOTHING = np.empty(0, np.int64)
_ADDED = " added"
GENERAL = ("{}(X).", "{}(X,Y).")
DENSE = 0.05
"""The share of facts among all other atoms from which on each of these is expected, if only a little."""

_MOST_VALUES = 1000
"""Values of a column that gives those of another one: a clause is looked at for each."""

_LEAST_NOTICED = 5
"""Facts from which on one value of a column speaks for one of another column."""

CLOSURES = {
    "symmetric": "{0}(X,Y) :- {0}(Y,X).",
    "transitive": "{0}(X,Z) :- {0}(X,Y), {0}(Y,Z).",
    "equivalence": "{0}(X,Z) :- {0}(X,Y), {0}(Z,Y).",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Record:
    """What derives atoms, and how often it is right, wherever its atoms are.

    Attributes:
        evidence: the clause.
        true: facts among what its record counts.
        derived: atoms that its record counts.
        turned: the clause that it is the converse of; None for what is of the message itself.
        lifts: whether it says more of its values than how common they are.
    """

    evidence: str
    true: int
    derived: int
    turned: Turned | None = None
    lifts: bool = True

    @property
    def own(self) -> bool:
        """Whether it is of the message itself."""
        return self.turned is None

    @property
    def mostly_right(self) -> bool:
        """Whether more of what it derives are facts than not."""
        return 2 * self.true > self.derived

    @property
    def has_body(self) -> bool:
        """Whether it is a clause that derives atoms from others; otherwise it says that all are common."""
        return " :- " in self.evidence

    @property
    def speaks(self) -> bool:
        """Whether it speaks for what it derives: it is mostly right, and not just by what is common."""
        return self.mostly_right and self.lifts

    @property
    def corrects(self) -> bool:
        """Whether what it says otherwise is taken for right: it is of the message, and seldom wrong."""
        return self.own and self.speaks and few_exceptions(self.true, self.derived)

    @property
    def most(self) -> float:
        """The highest score that it can give."""
        return MERE if self.mostly_right and not self.lifts else 1.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Claim(Record):
    """Atoms of a predicate that something derives beyond what the claims before it do.

    Attributes:
        atoms: what it derives, as sorted keys.
    """

    atoms: Keys


class Noticed(Claim):
    """Atoms that a column of a table suggests for another one, though the message has no use for it."""

    @property
    def own(self) -> bool:
        """Whether it is of the message itself."""
        return False


@dataclass(frozen=True, eq=False)
class Expected:
    """What is expected of one predicate.

    Attributes:
        predicate: its name.
        sizes: number of entities of each place.
        facts: its facts, as sorted keys.
        claims: what derives atoms of it, those of the message first; no atom is in two of them.
        rates: how common values are.
        given: facts from which a closure is made, which nothing can derive.
    """

    predicate: str
    sizes: tuple[int, ...]
    facts: Keys
    claims: tuple[Claim, ...]
    rates: BaseRates
    given: Keys = field(default_factory=lambda: _NOTHING)

    @cached_property
    def explained(self) -> Keys:
        """The atoms that a claim derives that speaks for them, and what is given."""
        return _joined([self.given, *(claim.atoms for claim in self.claims if claim.speaks)])

    @cached_property
    def unexplained(self) -> Keys:
        """The facts that no claim derives that speaks for them."""
        return self.facts[~in_sorted(self.facts, self.explained)]

    @cached_property
    def odd(self) -> Keys:
        """The facts that no claim derives that is mostly right, be it by what is common."""
        common = _joined([claim.atoms for claim in self.claims if claim.mostly_right])
        return self.unexplained[~in_sorted(self.unexplained, common)]

    @property
    def judged(self) -> bool:
        """Whether there is a claim that is mostly right."""
        return any(claim.mostly_right for claim in self.claims)


class Claims:
    """The claims of a message about data.

    Args:
        message: the plan and the data.

    Attributes:
        tables: the facts of all predicates whose atoms have numbers.
        effort: what looking at them may cost.
    """

    def __init__(self, message: Message) -> None:
        self._message = message
        self._database: Database = message.database
        known = message.known
        usable = {name: relation for name, relation in known.items() if self._packable(relation.types)}
        self.tables = RuleTables(self._database, usable)
        self.effort = Effort.of(self._database.kb.size, len(self._database.symbols))
        mapping = self._database.kb.mapping
        self._converses = converses_in(message.plan)
        self._columns = {} if mapping is None else dependencies(self._database, mapping.attributes())

    def __iter__(self) -> Iterator[Expected]:
        for step in self._message.plan:
            # Tables of latent predicates are made of the data, and nothing can be wrong with them.
            if step.predicate in self.tables.names and step.predicate in self._database.kb.schema:
                yield self._expected(step, self._converses.get(step.predicate, ()))

    def following(self, predicate: str, atoms: Keys) -> Iterator[tuple[str, Keys]]:
        """Iterate over what would follow of other predicates if some atoms of one were facts."""
        for turned in self._converses.get(predicate, ()):
            with suppress(JoinTooLargeError):
                yield turned.predicate, self.supporting(turned, atoms)

    def supporting(self, turned: Turned, atoms: Keys) -> Keys:
        """Return what a clause would derive if some atoms of one of its literals were facts."""
        types = self.tables.relation(turned.literal.predicate).types
        added = Relation(types, unpack(atoms, [self._database.sizes[kind] for kind in types]))
        names = turned.rule.predicates - {turned.literal.predicate}
        tables = {name: self.tables.relation(name) for name in names}
        body = list(turned.rule.body)
        for place, item in enumerate(body):
            if item.predicate == turned.literal.predicate and place != turned.place:
                tables[item.predicate] = self.tables.relation(item.predicate)
        body[turned.place] = replace(turned.literal, predicate=_ADDED)
        return RuleTables(self._database, {**tables, _ADDED: added}).atoms(
            self.tables.relation(turned.predicate).types, Rule(turned.rule.head, tuple(body)), self.effort
        )

    def _packable(self, types: Sequence[int]) -> bool:
        return packable([self._database.sizes[kind] for kind in types])

    def _expected(self, step: Step, converses: Sequence[Turned]) -> Expected:
        relation = self.tables.relation(step.predicate)
        sizes = tuple(self._database.sizes[kind] for kind in relation.types)
        facts = sorted_keys(relation, sizes)
        symbols = [self._database.symbol_of[kind] for kind in relation.types]
        flag = len(sizes) == 1 and self._database.kb.mapping is not None
        rates = BaseRates(facts, sizes, symbols, flag=flag)
        own = _Claimed(step, sizes, facts, rates)
        form = form_of(step, self.tables)
        given = self._closed(step, form, own)
        for rule in step.rules if form is None else ():
            atoms = self._atoms(relation.types, rule)
            if step.paired:
                atoms = _both_sides(atoms, sizes[1])
            own.add(self._text(step, rule), atoms)
        for turned in converses:
            atoms = self._atoms(relation.types, turned.converse)
            own.add(self._text(step, turned.converse), atoms, turned)
        noticed = self._columns.get(step.predicate)
        for rule in () if noticed is None or len(noticed.values) > _MOST_VALUES else noticed.rules():
            own.add(self._text(step, rule), self._atoms(relation.types, rule), kind=Noticed)
        own.add(GENERAL[min(len(sizes), 2) - 1].format(atom_text(step.predicate)), self._rest(own))
        return Expected(step.predicate, sizes, facts, tuple(own.claims), rates, given)

    def _closed(self, step: Step, form: Form | None, own: _Claimed) -> Keys:
        """Claim what lies on a diagonal that is told apart, and what a closure makes; return its base."""
        if not step.apart and form is None:
            return _NOTHING
        size = own.sizes[1]
        if step.paired:
            first, second = np.divmod(own.facts, size)
            turned = (second * size + first)[first != second]  # on the diagonal it would speak for itself
            own.add(CLOSURES["symmetric"].format(atom_text(step.predicate)), np.sort(turned))
        spaces = SpacesOf(self._database, step.predicate, self.tables.relation(step.predicate))
        space = spaces.space(step.told, apart=step.apart, symmetric=step.paired)
        if space.apart:
            own.add(f"{atom_text(step.predicate)}(X,X).", np.arange(size, dtype=np.int64) * (size + 1))
        if form is None:
            return _NOTHING
        seeds = [self._atoms(space.types, rule) for rule in step.seeds]
        given = form.close(space, space.within(_joined(seeds)))
        base = form.base(space, given)
        derived = np.setdiff1d(form.close(space, union(given, base)), base, assume_unique=True)
        if step.paired:
            derived, base = (_both_sides(keys, size) for keys in (derived, base))
        closing = CLOSURES.get(step.form, "").format(atom_text(step.predicate))
        own.add(closing if step.recursion is None else self._text(step, step.recursion), derived)
        return base

    def _rest(self, own: _Claimed) -> Keys:
        """Return all atoms within the domains, if facts are dense among them."""
        types = self.tables.relation(own.predicate).types
        if len(types) > len(GENERAL):
            return _NOTHING
        values = own.values()
        worlds = [self._database.world_of[kind][v] for kind, v in zip(types, values, strict=True)]
        counts = [np.bincount(world, minlength=self._database.worlds) for world in worlds]
        if np.prod(counts, axis=0).sum() * DENSE > len(own.facts):
            return _NOTHING
        if len(types) == 1:
            return values[0]
        rows, columns = np.nonzero(worlds[0][:, None] == worlds[1][None, :])
        return np.asarray(values[0][rows] * own.sizes[1] + values[1][columns])

    def _atoms(self, types: Sequence[int], rule: Rule) -> Keys:
        try:
            return self.tables.atoms(types, rule, self.effort)
        except JoinTooLargeError:  # what cannot be listed is no evidence
            return _NOTHING

    def _text(self, step: Step, rule: Rule) -> str:
        return str(rule.clause(step.predicate))


class _Claimed:
    """Collects the claims about one predicate."""

    def __init__(self, step: Step, sizes: tuple[int, ...], facts: Keys, rates: BaseRates) -> None:
        self.predicate, self.sizes, self.facts, self._rates = step.predicate, sizes, facts, rates
        self.claims: list[Claim] = []
        self._step = step
        self._columns = key_columns(facts, sizes)
        self._covered = _NOTHING

    def add(
        self, evidence: str, atoms: Keys, turned: Turned | None = None, kind: type[Claim] = Claim
    ) -> None:
        """Claim atoms. Outside of the domains that are told, the whole record counts: all is false there."""
        fresh = atoms[~in_sorted(atoms, self._covered)]
        true = int(in_sorted(fresh, self.facts).sum())
        if (turned is not None or kind is Noticed) and 2 * true <= len(fresh):
            return
        if kind is Noticed and true < _LEAST_NOTICED:  # a fact that is nearly alone would explain itself
            return
        inside, lift = self._inside(fresh), self._rates.lift(fresh)
        self.claims += [
            kind(evidence=evidence, atoms=part, true=true, derived=derived, turned=turned, lifts=lift)
            for part, derived in ((fresh[inside], int(inside.sum())), (fresh[~inside], len(fresh)))
            if len(part)
        ]
        self._covered = union(self._covered, fresh)

    def values(self) -> list[Keys]:
        """Return the values of each place: those in the facts where its domain is told, else all."""
        found = [np.arange(size, dtype=np.int64) for size in self.sizes]
        for domain in self._step.domains:
            places = self._step.places_of(domain)
            values = distinct(np.concatenate([self._columns[own] for own in places]))
            for own in places:
                found[own] = values
        return found

    def _inside(self, keys: Keys) -> np.ndarray:
        inside = np.ones(len(keys), np.bool_)
        columns = zip(key_columns(keys, self.sizes), self.values(), self.sizes, strict=True)
        for column, values, size in columns:
            if len(values) < size:
                inside &= in_sorted(column, values)
        return inside


def _both_sides(keys: Keys, size: int) -> Keys:
    low, high = np.divmod(keys, size)
    return union(keys, high * size + low)


def _joined(parts: Sequence[Keys]) -> Keys:
    return distinct(np.concatenate([_NOTHING, *parts]))
