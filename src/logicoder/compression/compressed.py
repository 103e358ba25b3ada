"""What compression finds: how each predicate is said, in which order, and what that takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from logicoder.compression.domains import Taken
from logicoder.compression.plan import Definition, Domain, Plan, Step
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
        stored: facts that are kept, missing or derived and false, values of domains, and literals of clauses.
        cost: what the goal comes to: bits, or stored facts.
        relaxed_bits: what the goal would come to if every predicate could use all others.
        bound: what of the goal cannot be undercut.
        bound_scope: by which messages: of the `language`, or of the candidates that were kept (`pruned`).
        optimal: whether no message of the language is better.
        latents: shorthands that rules use.
        stopped: why the search ended before its time, if it did.
    """

    choices: Mapping[str, Choice]
    domains: Mapping[str, Taken]
    plain_bits: float
    domain_bits: float
    bits: float
    stored: int
    cost: float
    relaxed_bits: float
    bound: float = 0.0
    bound_scope: str = "none"
    optimal: bool = False
    latents: tuple[Definition, ...] = ()
    stopped: str | None = None

    @property
    def status(self) -> str:
        """`optimal` or `feasible`."""
        return "optimal" if self.optimal else "feasible"

    @property
    def plan(self) -> Plan:
        """How each predicate is said, whatever the data."""
        return Plan(
            tuple(
                Step(name, choice.form, self._domains(name, choice), tuple(x.rules for x in choice.layers))
                for name, choice in self.choices.items()
            ),
            self.latents,
        )

    def _domains(self, name: str, choice: Choice) -> tuple[Domain, ...]:
        taken = {place: (other, column) for place, other, column in self.domains[name]}
        return tuple(Domain(place, taken.get(place)) for place in choice.space.places)
