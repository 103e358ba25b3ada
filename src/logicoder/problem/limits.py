"""Limits of single predicates: how many clauses a predicate may take, how many mistakes it may have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral

from logicoder.base.errors import UsageError, shown
from logicoder.base.kinds import MANY
from logicoder.base.numbers import exact_fraction
from logicoder.problem.model import LinearConstraint, Problem

LIMITS = ("clauses", "loss", "missing", "false", "masked")
"""What can be limited: decoder clauses, mistakes in all, missing facts, false atoms, missing when masked."""


@dataclass(frozen=True)
class Limit:
    """At most so much of something for one predicate.

    Attributes:
        predicate: the predicate.
        kind: what is limited; see `LIMITS`.
        value: the greatest number, or, where `share`, the greatest share of the facts of the predicate.
        share: whether the value is a share.
    """

    predicate: str
    kind: str
    value: Fraction
    share: bool = False

    @classmethod
    def of(cls, predicate: str, kind: str, value: object) -> Limit:
        """Return the limit of a number or of a text such as `10%`."""
        told = f"{predicate}:{kind}={value}"
        if kind not in LIMITS:
            raise UsageError(f"the limit {told} has an unknown kind; choose from: {', '.join(LIMITS)}")
        text = str(value).strip()
        share = text.endswith("%")
        try:
            number = exact_fraction(told, text.removesuffix("%").strip()) / (100 if share else 1)
        except UsageError:
            number = Fraction(-1)
        whole = not isinstance(value, bool) and (isinstance(value, str | Integral) or number == int(number))
        if not 0 <= number <= MANY or not whole or (not share and number.denominator != 1):
            raise UsageError(f"the limit {told} needs a whole number of at least 0, or a share such as 10%")
        if share and kind == "clauses":
            raise UsageError(f"the limit {told} counts clauses: it needs a whole number")
        return cls(predicate, kind, number, share)

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Read a limit.

        >>> print(Limit.parse("advisedby:missing=10%"))
        advisedby:missing=10%
        """
        predicate, colon, rest = str(text).rpartition(":")
        kind, equals, value = rest.partition("=")
        if not (predicate and colon and equals):
            raise UsageError(
                f"write a limit as PREDICATE:KIND=NUMBER, such as advisedby:loss=0, not {shown(text)}"
            )
        return cls.of(predicate.strip(), kind.strip(), value)

    def constraint(self, problem: Problem) -> LinearConstraint:
        """Return the limit as a constraint of a problem."""
        position = problem.positions.get(self.predicate)
        if position is None:
            known = ", ".join(target.name for target in problem.targets)
            raise UsageError(f"the limit {self} does not name a predicate to reconstruct; these are: {known}")
        most = int(self.value * problem.targets[position].facts) if self.share else int(self.value)
        name = f"{self.kind} of {self.predicate} <= {most}"
        if self.kind == "clauses":
            own = tuple(int(decoder.predicate == self.predicate) for decoder in problem.decoders)
            return LinearConstraint(name, most, decoders=own, kind="limit")
        one = tuple(int(p == position) for p in range(len(problem.targets)))
        missing = one if self.kind in ("missing", "loss") else ()
        false = one if self.kind in ("false", "loss") else ()
        masked = one if self.kind == "masked" else ()
        return LinearConstraint(name, most, missing=missing, false=false, masked=masked, kind="limit")

    def __str__(self) -> str:
        value = f"{self.value * 100}%" if self.share else str(self.value)
        return f"{self.predicate}:{self.kind}={value}"


def require_known(predicate: str, known: Collection[str], what: str) -> None:
    """Refuse a limit or weight of a predicate that nobody reconstructs."""
    if predicate not in known:
        raise UsageError(f"{what} does not name a predicate to reconstruct; these are: {', '.join(known)}")


def limits_of(
    given: Mapping[str, Mapping[str, object]] | Iterable[str | Limit] | str | None,
) -> tuple[Limit, ...]:
    """Return the limits of a mapping (predicate to kind to value), or of texts.

    >>> print(*limits_of({"advisedby": {"loss": 0, "clauses": 3}}))
    advisedby:loss=0 advisedby:clauses=3
    """
    if given is None:
        return ()
    if isinstance(given, Mapping):
        for predicate, kinds in given.items():
            if not isinstance(kinds, Mapping):
                raise UsageError(
                    f"the limits of {predicate} must be a mapping such as {{'loss': 0}}, not {shown(kinds)}"
                )
        return tuple(Limit.of(p, k, value) for p, kinds in given.items() for k, value in kinds.items())
    texts = [given] if isinstance(given, str) else given
    return tuple(item if isinstance(item, Limit) else Limit.parse(item) for item in texts)


def with_limits(problem: Problem, limits: Iterable[Limit]) -> Problem:
    """Return a problem with further limits."""
    return replace(
        problem, constraints=(*problem.constraints, *(limit.constraint(problem) for limit in limits))
    )
