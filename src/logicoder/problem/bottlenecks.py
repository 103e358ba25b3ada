"""Bottlenecks: small objects that say how large the latent representation may be.

Each turns into constraints of a problem in exact integers; several may be used together. As text, on the
command line and in files: `average`, `total`, `bits` (γ is the compression), `average=0.3`, `total=0.8`,
`bits=0.9`, `latents=10`, `largest=200`, `masked=0.5`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from logicoder.base.errors import UsageError, shown
from logicoder.base.kinds import MANY, Whole
from logicoder.base.numbers import exact_fraction
from logicoder.base.plugins import Registry
from logicoder.problem.model import LinearConstraint, Problem

_LARGEST = 2**62
"""What the numbers of a constraint may add up to: the solver counts in machine words."""


@dataclass(frozen=True)
class Bottleneck(ABC):
    """A limit on the latent representation."""

    kind: ClassVar[str]

    @classmethod
    @abstractmethod
    def parse(cls, value: str | None) -> Self:
        """Return the bottleneck of the text after the equals sign, or None where there is no such sign.

        Raises:
            UsageError: if it needs another value.
        """

    @abstractmethod
    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """Yield what the bottleneck demands of a selection from a problem."""

    def at(self, compression: Fraction) -> Bottleneck:
        """Return the bottleneck with a value, where it takes that of the compression."""
        del compression
        return self


@dataclass(frozen=True)
class _Relative(Bottleneck):
    """A limit in proportion to the data.

    Attributes:
        compression: the proportion γ; None for that of the setting `compression`.
    """

    compression: Fraction | float | str | None = None

    def __post_init__(self) -> None:
        if self.compression is not None:
            exact = exact_fraction(f"the value of the bottleneck {self.kind}", self.compression)
            if not 0 < exact <= MANY:
                raise UsageError(f"the bottleneck {self.kind} needs a number greater than 0, not {exact}")
            object.__setattr__(self, "compression", exact)

    @classmethod
    def parse(cls, value: str | None) -> Self:
        """See `Bottleneck.parse`."""
        if value == "":
            raise UsageError(f"the bottleneck '{cls.kind}=' has no value; write {cls.kind}=0.5")
        return cls(value)

    @property
    def gamma(self) -> Fraction:
        """The proportion, which must be known by now."""
        if not isinstance(self.compression, Fraction):
            raise UsageError(f"the bottleneck {self.kind} has no value; write {self.kind}=0.5")
        return self.compression

    def at(self, compression: Fraction) -> Self:
        """See `Bottleneck.at`."""
        return replace(self, compression=compression) if self.compression is None else self

    def __str__(self) -> str:
        return self.kind if self.compression is None else f"{self.kind}={self.compression}"


@dataclass(frozen=True)
class AverageFacts(_Relative):
    """The paper's: the mean size of latent predicates is at most γ·F/P.

    With γ = a/b it is Σ (w_i·b·P − a·F)·ec_i ≤ 0: exact integers, no rounding.
    """

    kind: ClassVar[str] = "average"

    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """See `Bottleneck.constraints`."""
        a, b = self.gamma.numerator, self.gamma.denominator
        facts, predicates = problem.facts, problem.predicates
        name = f"average facts per latent predicate <= {self.gamma} * {facts}/{predicates}"
        sizes = tuple(e.weight * b * predicates - a * facts for e in problem.encoders)
        yield LinearConstraint(name, 0, sizes, kind=self.kind)


@dataclass(frozen=True)
class TotalFacts(_Relative):
    """All latent facts together are at most γ·F: Σ w_i·ec_i ≤ γ·F."""

    kind: ClassVar[str] = "total"

    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """See `Bottleneck.constraints`."""
        name = f"latent facts <= {self.gamma} * {problem.facts}"
        weights = tuple(encoder.weight for encoder in problem.encoders)
        yield LinearConstraint(name, int(self.gamma * problem.facts), weights, kind=self.kind)


@dataclass(frozen=True)
class DescriptionLength(_Relative):
    """Programs, latent facts and exceptions take at most γ times the bits of the facts themselves."""

    kind: ClassVar[str] = "bits"

    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """See `Bottleneck.constraints`."""
        plain = problem.plain_bits
        exceptions = tuple(target.exception_bits for target in problem.targets)
        yield LinearConstraint(
            f"description length <= {self.gamma} * {plain / 1000:.1f} bits",
            int(self.gamma * plain) - problem.fixed_bits,
            tuple(encoder.bits for encoder in problem.encoders),
            tuple(decoder.bits for decoder in problem.decoders),
            exceptions,
            exceptions,
            kind=self.kind,
        )
        yield from MaxLatents(problem.latent_cap).constraints(problem)


@dataclass(frozen=True)
class _Absolute(Bottleneck):
    """A limit as a number.

    Attributes:
        most: the greatest number allowed.
    """

    most: int

    def __post_init__(self) -> None:
        if not Whole(1).accepts(self.most):
            raise UsageError(f"the bottleneck {self.kind} needs {Whole(1).wanted}, not {shown(self.most)}")

    @classmethod
    def parse(cls, value: str | None) -> Self:
        """See `Bottleneck.parse`."""
        if value is None or not (value.isascii() and value.isdigit()):
            told = cls.kind if value is None else f"{cls.kind}={value}"
            raise UsageError(
                f"the bottleneck {cls.kind} needs a whole number, such as {cls.kind}=10, not {told!r}"
            )
        return cls(int(value))

    def __str__(self) -> str:
        return f"{self.kind}={self.most}"


@dataclass(frozen=True)
class MaxLatents(_Absolute):
    """At most so many latent predicates."""

    kind: ClassVar[str] = "latents"

    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """See `Bottleneck.constraints`."""
        ones = (1,) * len(problem.encoders)
        yield LinearConstraint(f"latent predicates <= {self.most}", self.most, ones, kind=self.kind)


@dataclass(frozen=True)
class LargestLatent(_Absolute):
    """No latent predicate has more than so many facts."""

    kind: ClassVar[str] = "largest"

    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """See `Bottleneck.constraints`."""
        name = f"facts of the largest latent predicate <= {self.most}"
        too_large = tuple(int(encoder.weight > self.most) for encoder in problem.encoders)
        yield LinearConstraint(name, 0, too_large, kind=self.kind)


@dataclass(frozen=True)
class MaskedShare(_Relative):
    """At most this share of the facts is missing when their predicate is masked.

    What a predicate's decoders rebuild without latents that depend on it; see `logicoder.problem.masking`.
    """

    kind: ClassVar[str] = "masked"

    @classmethod
    def parse(cls, value: str | None) -> Self:
        """See `Bottleneck.parse`."""
        if not value:
            raise UsageError(f"the bottleneck {cls.kind} needs a value; write {cls.kind}=0.5")
        return cls(value)

    def at(self, compression: Fraction) -> Self:
        """Return it as it is: it has nothing to do with the compression."""
        del compression
        return self

    def constraints(self, problem: Problem) -> Iterator[LinearConstraint]:
        """See `Bottleneck.constraints`."""
        name = f"facts missing when masked <= {self.gamma} * {problem.facts}"
        ones = (1,) * len(problem.targets)
        yield LinearConstraint(name, int(self.gamma * problem.facts), masked=ones, kind=self.kind)


BOTTLENECKS: Registry[type[Bottleneck]] = Registry(
    "logicoder.bottlenecks",
    "bottleneck",
    {
        kind.kind: f"{__name__}:{kind.__name__}"
        for kind in (AverageFacts, TotalFacts, DescriptionLength, MaxLatents, LargestLatent, MaskedShare)
    },
)
RELATIVE_BOTTLENECKS = tuple(kind.kind for kind in (AverageFacts, TotalFacts, DescriptionLength))
"""The kinds that take a compression: they let more pass as it grows."""


def parse_bottleneck(text: str) -> Bottleneck:
    """Read a bottleneck.

    >>> parse_bottleneck("total=0.8"), parse_bottleneck("latents=10")
    (TotalFacts(compression=Fraction(4, 5)), MaxLatents(most=10))
    >>> print(parse_bottleneck("average"))
    average
    """
    kind, equals, value = (part.strip() for part in str(text).partition("="))
    if kind not in BOTTLENECKS:
        outside = "".join(f", {name}" for name in BOTTLENECKS.names if name not in BOTTLENECKS.built_in)
        raise UsageError(
            f"there is no bottleneck {text!r}; choose from: average, total, bits (each may have a value: "
            f"total=0.8), latents=N, largest=N, masked=0.5{outside}"
        )
    return BOTTLENECKS[kind].parse(value if equals else None)


def bottlenecks_of(given: Iterable[Bottleneck | str] | Bottleneck | str) -> tuple[Bottleneck, ...]:
    """Return bottlenecks of objects or texts; the text `none` stands for none at all."""
    several: Sequence[Bottleneck | str] = (
        [given] if isinstance(given, Bottleneck | str) else list(given) if given is not None else []
    )
    if any(isinstance(item, str) and item.strip() == "none" for item in several):
        if len(several) > 1:
            raise UsageError("the bottleneck none cannot be combined with others")
        return ()
    found = []
    for item in several:
        if not isinstance(item, Bottleneck | str):
            raise UsageError(
                f"a bottleneck must be an object or a string such as total=0.8, not {shown(item)}"
            )
        found.append(parse_bottleneck(item) if isinstance(item, str) else item)
    return tuple(found)


def with_bottlenecks(problem: Problem, bottlenecks: Iterable[Bottleneck]) -> Problem:
    """Return a problem with these bottlenecks instead of its own; everything else stays."""
    others = tuple(c for c in problem.constraints if c.family != "bottleneck")
    new = tuple(c for bottleneck in bottlenecks for c in bottleneck.constraints(problem))
    for constraint in new:
        numbers = (*constraint.encoders, *constraint.decoders, constraint.bound)
        if sum(map(abs, numbers)) >= _LARGEST:
            raise UsageError(
                f"the bottleneck {constraint.name} needs numbers that are too large for the solver; choose a "
                "`compression` of fewer digits"
            )
    return replace(problem, constraints=(*new, *others))
