"""The bits of a message that follows its data, from numbers that are kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from math import log2, prod

import numpy as np

from logicoder.autoencoder.following.fact_store import FactStore
from logicoder.autoencoder.following.matcher import Number, Rule
from logicoder.autoencoder.following.occupancy import Occupancies, Occupancy, Value
from logicoder.autoencoder.following.step_counts import StepCounts
from logicoder.autoencoder.lossless_bits import Bits
from logicoder.compression import goals
from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.codec import say
from logicoder.compression.message import Message
from logicoder.compression.plan import Domain, Plan, Step
from logicoder.engine.arrays.database import Database
from logicoder.kb.knowledge_base import KnowledgeBase


class MessageCounts:
    """All numbers that the bits of a message depend on.

    Args:
        plan: how the data are said.
        kb: the data.
        number: numbers constants.
    """

    def __init__(self, plan: Plan, kb: KnowledgeBase, number: Number) -> None:
        self._plan, self._schema = plan, kb.schema
        message = Message.of(plan, kb)
        planned = {step.predicate: step for step in plan if step.predicate in kb.schema}
        others = {n: Step(n) for n, p in kb.schema.items() if n not in planned and not p.background}
        self._planned = set(planned)
        types = {name: list(predicate.types) for name, predicate in kb.schema.items()}
        self._latent_types = {latent.name: _latent_types(message, latent.name, kb) for latent in plan.latents}
        self._steps = {
            name: StepCounts(step, types[name], [p for p in message.parts if p.predicate == name], number)
            for name, step in {**others, **planned}.items()
        }
        self._columns: dict[str, list[list[tuple[object, ...]]]] = {}
        self._values = Occupancies()
        self._load(kb)

    def _load(self, kb: KnowledgeBase) -> None:
        """Count the values of types and of the places that matter."""
        wanted: set[tuple[str, int]] = set()
        for counts in self._steps.values():
            wanted |= set(counts.told.values())
            wanted |= {d.within for d in counts.step.domains if d.within is not None}
        found: dict[tuple[object, ...], list[np.ndarray]] = {}
        for name, predicate in kb.schema.items():
            table = kb.table(name)
            self._columns[name] = []
            for place, kind in enumerate(predicate.types):
                names: list[tuple[object, ...]] = [("type", kind)]
                names += [own for own in ((name, place), (name, -1)) if own in wanted]
                self._columns[name].append(names)
                keys = table.worlds.astype(np.int64) << 32 | table.arguments[:, place].astype(np.int64)
                for own in names:
                    found.setdefault(own, []).append(keys)
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
            if counts.closure is None:
                # What comes and goes again is neither new nor gone.
                own_flips = {
                    (place, value): flip
                    for place, own in counts.looked_up.items()
                    for value, flip in flips.get(own, {}).items()
                    if flip
                }
                counts.update(store, own_flips, self._values)

    def count_again(self, touched: set[str], part: Callable[[Iterable[str]], KnowledgeBase]) -> None:
        """Count closed relations anew, where they or what they are derived from changed."""
        for name, counts in self._steps.items():
            latents = [latent for latent in self._plan.latents if latent.name in counts.reads]
            reads = counts.reads.union(*(latent.needs for latent in latents)) | {name}
            if counts.looked_up.keys() - counts.told.keys():  # constants that any fact may mention
                reads = set(self._schema)
            if counts.closure is None or not reads & touched:
                continue
            kb = part(reads & set(self._schema))
            database = Database(kb)
            step = replace(counts.step, domains=tuple(Domain(d.place) for d in counts.step.domains))
            relations = {own: database.relation(own) for own in kb.schema}
            counts.recount(say(Plan((step,), tuple(latents)), database, relations))

    # -- bits -------------------------------------------------------------------------------------------

    def bits(self, store: FactStore) -> Bits:
        """Return what the message costs, as `lossless_bits.bits_of_plan` counts it."""
        found = self.uncapped(store)
        if found.saved < 0:  # then the facts themselves are the shorter message
            return Bits(found.plain, found.plain, 0.0, 0.0)
        return found

    def uncapped(self, store: FactStore) -> Bits:
        """Return what the message costs, even where the plain facts cost less."""
        usable = [name for name in self._schema if self._schema[name].arity]
        sizes = {
            (name, place): self._size(kind)
            for name in usable
            for place, kind in enumerate(self._schema[name].types)
        }
        tests = any(rule.tested for rule in self._plan.rules())
        code = ClauseCode(len(usable), sizes, tests).with_latents(
            {name: [self._size(kind) for kind in kinds] for name, kinds in self._latent_types.items()}
        )
        program = goals.Bits(code).header(self._plan.latents)
        plain, latent, exceptions = 0.0, 0.0, 0.0
        for name, counts in self._steps.items():
            facts = len(store.rows(name))
            if name not in self._planned and not facts:
                continue
            program += self._step_bits(counts, code, len(sizes))
            plain += self._plain_bits(counts, facts)
            for role, total, chosen in counts.said(facts, self._values):
                bits = float(total if role == "turned" else set_bits(total, chosen))
                if role == "base" or role.startswith("domain") or not counts.step.layers:
                    latent += bits
                else:
                    exceptions += bits
        return Bits(plain, latent, exceptions, program)

    def _size(self, kind: str) -> int:
        return len(self._values["type", kind])

    def _step_bits(self, counts: StepCounts, code: ClauseCode, places: int) -> float:
        step, kinds = counts.step, counts.kinds
        bits = 1.0 + max(1, len(kinds)) + len(step.domains)
        if len(kinds) == 2 and kinds[0] == kinds[1]:
            bits += 1 if step.form == "plain" else 3
        bits += sum(log2(places) for domain in step.domains if counts.within(domain.place, self._values))
        return bits + sum(code.bits(step.predicate, rule) for layer in step.layers for rule in layer)

    def _plain_bits(self, counts: StepCounts, facts: int) -> float:
        columns: list[Occupancy] = [self._values["type", kind] for kind in counts.kinds]
        atoms = sum(prod(column.per_world[w] for column in columns) for w in list(columns[0].per_world))
        return float(set_bits(atoms, facts))


def _latent_types(message: Message, name: str, kb: KnowledgeBase) -> list[str]:
    """Return the types of a shorthand, by the places where its variables stand."""
    (latent,) = [latent for latent in message.plan.latents if latent.name == name]
    rule = latent.rules[0]
    kinds = {
        argument: kb.schema[item.predicate].types[place]
        for item in rule.body
        for place, argument in enumerate(item.arguments)
    }
    return [kinds[argument] for argument in rule.head]
