"""The bits of a message that follows its data, from numbers that are kept up to date."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import prod

import numpy as np

from logicoder.autoencoder.following.fact_store import FactStore
from logicoder.autoencoder.following.matcher import Number, Rule
from logicoder.autoencoder.following.occupancy import Occupancies, Occupancy, Value
from logicoder.autoencoder.following.step_counts import StepCounts
from logicoder.autoencoder.lossless_bits import Bits
from logicoder.compression import goals
from logicoder.compression.code import ClauseCode, rest_bits, set_bits
from logicoder.compression.definitions import types_with
from logicoder.compression.message import Message
from logicoder.compression.plan import Plan, Step
from logicoder.kb.knowledge_base import KnowledgeBase


class MessageCounts:
    """All numbers that the bits of a message depend on.

    Args:
        plan: how the data are said.
        kb: the data, with what a background program derives.
        store: the same facts, and those of latent predicates.
        number: numbers constants.
    """

    def __init__(self, plan: Plan, kb: KnowledgeBase, store: FactStore, number: Number) -> None:
        self._plan, self._schema = plan, kb.schema
        message = Message.of(plan, kb)
        types = types_with({name: own.types for name, own in kb.schema.items()}, plan.latents)
        self._types = types
        planned = {step.predicate: step for step in plan if step.predicate in types}
        others = {n: Step(n) for n, p in kb.schema.items() if n not in planned and not p.background}
        self._planned = set(planned)
        self._values = Occupancies()
        self._steps = {
            name: StepCounts(
                step, types[name], [p for p in message.parts if p.predicate == name], number, self._values
            )
            for name, step in {**others, **planned}.items()
        }
        self._columns: dict[str, list[list[tuple[object, ...]]]] = {}
        self._load(store, types)
        for counts in self._steps.values():
            counts.load(store)

    def _load(self, store: FactStore, types: Mapping[str, Sequence[str]]) -> None:
        """Count the values of types and of the places that matter."""
        wanted: set[tuple[str, int]] = set()
        for counts in self._steps.values():
            wanted |= set(counts.told.values())
            wanted |= {d.within for d in counts.step.domains if d.within is not None}
        found: dict[tuple[object, ...], list[np.ndarray]] = {}
        for name, kinds in types.items():
            rows = store.rows(name)
            table = np.array(list(rows), np.int64).reshape(len(rows), len(kinds) + 1)
            self._columns[name] = []
            for place, kind in enumerate(kinds):
                # The facts of latent predicates have no entities but those of the data.
                names: list[tuple[object, ...]] = [("type", kind)] if name in self._schema else []
                names += [own for own in ((name, place), (name, -1)) if own in wanted]
                self._columns[name].append(names)
                for own in names:
                    found.setdefault(own, []).append(table[:, 0] << 32 | table[:, place + 1])
        for own, parts in found.items():
            values, numbers = np.unique(np.concatenate(parts), return_counts=True)
            pairs = zip((values >> 32).tolist(), (values & 0xFFFFFFFF).tolist(), strict=True)
            self._values[own].load(pairs, numbers.tolist())
        for counts in self._steps.values():
            for domain in counts.step.domains:
                if domain.within is not None:
                    self._values.watch(counts.column(domain.place), domain.within)
            both = sorted(set(counts.told.values()))
            if counts.apart and len(both) == 2:
                self._values.watch(*both)

    def rules(self) -> Iterator[Rule]:
        """Iterate over all rules of the plan."""
        for counts in self._steps.values():
            yield from counts.rules

    def update(self, store: FactStore) -> None:
        """Bring the numbers up to date, in the middle of a change."""
        flips: dict[Hashable, dict[Value, int]] = {}
        for name, added, removed in store.changes():
            for rows, by in ((added, 1), (removed, -1)):
                for row in rows if name in self._columns else ():
                    for place, names in enumerate(self._columns[name]):
                        value = (row[0], row[place + 1])
                        for own in names:
                            flip = self._values.change(own, value, by)
                            if flip:
                                noted = flips.setdefault(own, {})
                                noted[value] = noted.get(value, 0) + flip
        for counts in self._steps.values():
            # What comes and goes again is neither new nor gone.
            own_flips = {
                (place, value): flip
                for place, own in counts.looked_up.items()
                for value, flip in flips.get(own, {}).items()
                if flip
            }
            counts.update(store, own_flips)

    # -- bits -------------------------------------------------------------------------------------------

    def bits(self, store: FactStore) -> Bits:
        """Return what the message costs, as `lossless_bits.bits_of_plan` counts it."""
        found = self.uncapped(store)
        if found.saved < 0:  # then the facts themselves are the shorter message
            return Bits(found.plain, found.plain, 0.0, 0.0)
        return found

    def uncapped(self, store: FactStore) -> Bits:
        """Return what the message costs, even where the plain facts cost less."""
        sizes = {name: [len(self._values["type", kind]) for kind in own] for name, own in self._types.items()}
        code, places = ClauseCode.of(sizes, self._plan), sum(own.arity for own in self._schema.values())
        program = goals.Bits(code).header(self._plan.latents)
        plain, latent, exceptions = 0.0, 0.0, 0.0
        for name, counts in self._steps.items():
            facts = len(store.rows(name))
            if name not in self._planned and not facts:
                continue
            named = sum(map(counts.within, (domain.place for domain in counts.step.domains)))
            program += code.step(counts.step, counts.kinds, named, places)
            plain += self._plain_bits(counts, facts) if name in self._schema else 0.0
            for role, total, chosen, options in counts.said(facts):
                bits = float(total if role == "turned" else rest_bits(total, chosen, options))
                if role == "base" or role.startswith("domain") or not counts.step.layers:
                    latent += bits
                else:
                    exceptions += bits
        return Bits(plain, latent, exceptions, program)

    def _plain_bits(self, counts: StepCounts, facts: int) -> float:
        columns: list[Occupancy] = [self._values["type", kind] for kind in counts.kinds]
        atoms = sum(prod(column.per_world[w] for column in columns) for w in list(columns[0].per_world))
        return float(set_bits(atoms, facts))
