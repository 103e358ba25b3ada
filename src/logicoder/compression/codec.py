"""Saying data by a plan, and understanding it again: all that is said are subsets of known sets.

Entities of a type for a domain, atoms that rules derive, atoms that they do not: the receiver can list each
set by the time a subset of it is named. Sender and receiver walk through the plan by the same function; one
records the subsets, the other one is told them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np

from logicoder.base.sorted_keys import distinct, inside, union
from logicoder.compression.code import rest_bits
from logicoder.compression.definitions import types_with, with_definitions, with_tables
from logicoder.compression.functional import Functional
from logicoder.compression.plan import Plan, Step
from logicoder.compression.universes import Listed, Remaining, Universe
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Keys, Relation
from logicoder.engine.arrays.rules.closed_forms import FORMS, Form
from logicoder.engine.arrays.rules.ranks import AtomRanks
from logicoder.engine.arrays.rules.recursive_forms import along_of, recursive_form
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import (
    Facts,
    Mask,
    Space,
    key_columns,
    key_type,
    sorted_keys,
    space_within,
)

Relations = Mapping[str, Relation]
Others = Callable[[Keys], Universe]
"""The atoms of a space without some."""

_NOTHING = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Part:
    """A subset of a known set.

    Attributes:
        predicate: of which it says something.
        role: what it says.
        total: number of elements of the known set.
        chosen: the elements, sorted, as keys.
        options: how many there could be of each value of a place that has exactly one; otherwise 0.
    """

    predicate: str
    role: str
    total: int
    chosen: Keys
    options: int = 0

    @property
    def bits(self) -> float:
        """How many elements there are, and which; one bit for each where there is nothing to expect."""
        if self.role == "turned":
            return float(self.total)
        return float(rest_bits(self.total, len(self.chosen), self.options))


InOrder = Callable[[], Universe]
"""The known set in an order; asked for only by those who write or read the subset as bytes."""


class Channel(Protocol):
    """Carries subsets from the sender to the receiver."""

    def subset(
        self,
        predicate: str,
        role: str,
        total: int,
        universe: InOrder,
        members: Callable[[], Keys],
        functional: Functional | None = None,
    ) -> Keys:
        """Return a subset of a set of `total` elements; only the sender asks for its members."""


@dataclass
class Sender:
    """Records what is said."""

    parts: list[Part] = field(default_factory=list)

    def subset(
        self,
        predicate: str,
        role: str,
        total: int,
        universe: InOrder,  # noqa: ARG002
        members: Callable[[], Keys],
        functional: Functional | None = None,
    ) -> Keys:
        """Record a subset."""
        chosen = members()
        options = 0 if functional is None else functional.options(len(chosen))
        part = Part(predicate, role, total, chosen, options)
        self.parts.append(part)
        return part.chosen


@dataclass
class Receiver:
    """Gives what was said, in the same order."""

    parts: Iterator[Part]

    def subset(
        self,
        predicate: str,
        role: str,
        total: int,
        universe: InOrder,  # noqa: ARG002
        members: Callable[[], Keys],  # noqa: ARG002
        functional: Functional | None = None,  # noqa: ARG002
    ) -> Keys:
        """Return the next subset."""
        part = next(self.parts)
        if (part.predicate, part.role, part.total) != (predicate, role, total):
            raise ValueError(f"{role} of {predicate} was expected, not {part.role} of {part.predicate}")
        return part.chosen


def say(plan: Plan, database: Database, relations: Relations) -> list[Part]:
    """Return what is to be said of data so that `understand` gives them back."""
    planned = {step.predicate for step in plan}
    background = {name: relation for name, relation in relations.items() if name not in planned}
    sender = Sender()
    walked(plan, database, background, {n: r.types for n, r in relations.items()}, sender, relations)
    return sender.parts


def understand(
    plan: Plan,
    database: Database,
    background: Relations,
    types: Mapping[str, tuple[int, ...]],
    parts: list[Part],
) -> dict[str, Relation]:
    """Return the facts of all predicates.

    Args:
        plan: how each predicate is said.
        database: the entities; of its facts only those of background predicates are used.
        background: the facts of background predicates.
        types: types of each predicate.
        parts: the message.
    """
    return walked(plan, database, background, types, Receiver(iter(parts)))


def walked(
    plan: Plan,
    database: Database,
    background: Relations,
    types: Mapping[str, tuple[int, ...]],
    channel: Channel,
    relations: Relations | None = None,
) -> dict[str, Relation]:
    """Walk through a plan, as the sender, who has the facts, or as the receiver; return all facts."""
    known = dict(background)
    types = types_with(types, plan.latents)
    if relations is not None:
        relations = with_tables(relations, plan.latents, database)
    for step in plan:
        known = dict(with_definitions(known, plan.latents, database))
        facts = None if relations is None else relations[step.predicate]
        found = _walk(step, database, known, types[step.predicate], channel, facts)
        known[step.predicate] = found if facts is None else facts
    latent = {definition.name for definition in plan.latents}
    return {name: relation for name, relation in known.items() if name not in latent}


def _walk(
    step: Step,
    database: Database,
    known: Relations,
    types: tuple[int, ...],
    channel: Channel,
    facts: Relation | None,
) -> Relation:
    """Say one predicate, or understand it where its facts are not given."""
    sizes = [database.sizes[kind] for kind in types]
    keys = sorted_keys(facts, sizes) if facts is not None else np.empty(0, key_type(sizes))
    masks = _domains(step, database, known, types, channel, facts)
    held = Facts(keys, sizes)
    space = space_within(
        database, step.predicate, types, masks, held, apart=step.apart, symmetric=step.paired
    )
    apart = keys[:0]
    if space.apart:
        apart = channel.subset(
            step.predicate,
            "diagonal",
            space.diagonal[0],
            partial(_diagonal, space),
            lambda: keys[keys // sizes[1] == keys % sizes[1]],
        )
    ranks = partial(AtomRanks, database, types, masks, apart=space.apart, symmetric=step.paired)

    def rest(removed: Keys) -> Universe:
        return Remaining(ranks(), space.sizes, removed)

    tables = RuleTables(database, {name: known[name] for name in step.needs})
    form = form_of(step, tables)
    found = (
        _layered(step, space, tables, channel, rest)
        if form is None
        else _closed(step, form, space, tables, channel, rest)
    )
    if step.paired:
        found = _sides(step, found, sizes[1], channel, keys)
    columns = key_columns(np.sort(np.concatenate([found, apart])), sizes)
    return Relation(types, tuple(column.astype(np.int32) for column in columns))


def _diagonal(space: Space) -> Universe:
    first, second = (np.ones(space.sizes[0], np.bool_) if mask is None else mask for mask in space.masks)
    both = np.flatnonzero(first & second).astype(np.int64)
    return Listed(both * space.sizes[1] + both)


def _domains(
    step: Step,
    database: Database,
    known: Relations,
    types: tuple[int, ...],
    channel: Channel,
    facts: Relation | None,
) -> list[Mask | None]:
    masks: list[Mask | None] = [None] * len(types)
    for domain in step.domains:
        size = database.sizes[types[domain.place]]

        def values(place: int = domain.place) -> Keys:
            own = facts.columns if facts is not None else ()  # only the sender asks
            columns = own if step.paired else own[place : place + 1]
            return distinct(np.concatenate(columns)).astype(np.int64)

        held: np.ndarray = np.arange(size)
        if domain.within is not None:
            other, column = domain.within
            held = distinct(known[other].columns[column])
        mask = np.zeros(size, np.bool_)
        role = f"domain {domain.place}"
        mask[channel.subset(step.predicate, role, len(held), partial(Listed, held), values)] = True
        masks[domain.place] = mask
    return [masks[0]] * 2 if step.paired else masks


def _layered(step: Step, space: Space, tables: RuleTables, channel: Channel, others: Others) -> Keys:
    covered = found = space.keys[:0]
    for number, layer in enumerate(step.layers):
        atoms = [space.within(tables.atoms(space.types, rule)) for rule in layer]
        fresh = np.setdiff1d(distinct(np.concatenate(atoms)), covered, assume_unique=True)
        true = channel.subset(
            step.predicate,
            f"layer {number}",
            len(fresh),
            partial(Listed, fresh),
            partial(_facts_among, space, fresh),
        )
        covered, found = union(covered, fresh), np.concatenate([found, true])
    rest = channel.subset(
        step.predicate,
        "rest",
        space.atoms - len(covered),
        lambda: others(covered),
        lambda: np.setdiff1d(space.keys, covered, assume_unique=True),
        Functional(space, found),
    )
    return np.sort(np.concatenate([found, rest]))


def _facts_among(space: Space, atoms: Keys) -> Keys:
    return atoms[space.true(atoms)]


def form_of(step: Step, tables: RuleTables) -> Form | None:
    """Return how a predicate is closed, if it is."""
    if step.recursion is not None:
        return recursive_form(along_of(step.recursion, step.predicate), tables)
    return FORMS.get(step.form)


def _closed(
    step: Step, form: Form, space: Space, tables: RuleTables, channel: Channel, others: Others
) -> Keys:
    seeds = [tables.atoms(space.types, rule) for rule in step.seeds]
    given = form.close(space, space.within(distinct(np.concatenate([_NOTHING, *seeds]))))
    base = channel.subset(
        step.predicate,
        "base",
        space.atoms - len(given),
        lambda: others(given),
        lambda: form.base(space, given),
    )
    derived = form.close(space, union(given, base))
    false = channel.subset(
        step.predicate,
        "false",
        len(derived),
        partial(Listed, derived),
        lambda: derived[~space.true(derived)],
    )
    rest = channel.subset(
        step.predicate,
        "rest",
        space.atoms - len(derived),
        lambda: others(derived),
        lambda: np.setdiff1d(space.keys, derived, assume_unique=True),
    )
    return np.sort(np.concatenate([np.setdiff1d(derived, false, assume_unique=True), rest]))


def _sides(step: Step, pairs: Keys, size: int, channel: Channel, facts: Keys) -> Keys:
    """Return both atoms of each pair, but for those of which one alone holds."""
    low, high = np.divmod(pairs, size)
    turned = high * size + low

    def one_sided() -> Keys:
        return np.asarray(pairs[inside(pairs, facts) != inside(turned, facts)])

    single = channel.subset(step.predicate, "one_sided", len(pairs), partial(Listed, pairs), one_sided)
    only = channel.subset(
        step.predicate,
        "turned",
        len(single),
        partial(Listed, single),
        lambda: single[~inside(single, facts)],
    )
    upright = pairs[~inside(pairs, only)]
    other = turned[~inside(pairs, single) | inside(pairs, only)]
    return np.sort(np.concatenate([upright, other]))
