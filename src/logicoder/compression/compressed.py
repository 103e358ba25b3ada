"""What compression finds: how each predicate is said, in which order, and what that takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from logicoder.compression.domains import Taken
from logicoder.compression.plan import Domain, Plan, Step
from logicoder.compression.ways import Choice


@dataclass(frozen=True)
class Compressed:
    """How each predicate is said, in order.

    Attributes:
        choices: the predicates in the order in which they are said.
        domains: where domains of places are taken from.
        plain_bits: the facts in the plain code, by types alone.
        domain_bits: the facts with domains of places and without any rule.
        bits: all of the message.
        relaxed_bits: what it would be if every predicate could use all others.
        stopped: why the search ended before its time, if it did.
    """

    choices: Mapping[str, Choice]
    domains: Mapping[str, Taken]
    plain_bits: float
    domain_bits: float
    bits: float
    relaxed_bits: float
    stopped: str | None = None

    @property
    def plan(self) -> Plan:
        """How each predicate is said, whatever the data."""
        return Plan(
            tuple(
                Step(name, choice.form, self._domains(name, choice), tuple(x.rules for x in choice.layers))
                for name, choice in self.choices.items()
            )
        )

    def _domains(self, name: str, choice: Choice) -> tuple[Domain, ...]:
        taken = {place: (other, column) for place, other, column in self.domains[name]}
        return tuple(Domain(place, taken.get(place)) for place in choice.space.places)
