"""What compression finds: how each predicate is said, in which order, and what that takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from logicoder.compression.code import ClauseCode
from logicoder.compression.domains import Domains, Taken
from logicoder.compression.goals import Bits, Goal, Stored
from logicoder.compression.plan import Definition, Domain, Plan, Step
from logicoder.compression.ways import Choice, message_cost


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

    @classmethod
    def of(
        cls,
        choices: Mapping[str, Choice],
        taken: Mapping[str, Taken],
        latents: Sequence[Definition],
        *,
        code: ClauseCode,
        goal_of: Callable[[ClauseCode], Goal],
        domains: Domains,
        background: Collection[str],
        plain_bits: float,
        domain_bits: float,
        relaxed_bits: float | None = None,
    ) -> Compressed:
        """Return choices with what they cost together.

        Args:
            choices: the predicates in the order in which they are said.
            taken: where domains of places are taken from.
            latents: shorthands that rules use.
            code: the code of clauses.
            goal_of: returns what is to be small, by a code.
            domains: what taking a domain from elsewhere saves.
            background: the predicates that are known beforehand.
            plain_bits: of the facts by types alone.
            domain_bits: of the facts with domains and without any rule.
            relaxed_bits: the cost if every predicate could use all others; None where nobody knows.
        """
        saved, known = 0.0, set(background)
        for name, choice in choices.items():
            saved += domains.saved(choice.space, known)[0]
            known.add(name)
        goals = goal_of(code), Bits(code), Stored(code)
        cost, bits, stored = (message_cost(goal, choices, latents, saved) for goal in goals)
        return cls(
            choices=choices,
            domains=taken,
            plain_bits=plain_bits,
            domain_bits=domain_bits,
            bits=bits,
            stored=round(stored),
            cost=cost,
            relaxed_bits=cost if relaxed_bits is None else relaxed_bits,
            latents=tuple(latents),
        )

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
