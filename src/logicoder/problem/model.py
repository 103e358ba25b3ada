"""The optimisation problem: clauses, latents and their sizes, coverage classes, constraints."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from logicoder.base.saved_json import Count, Whole
from logicoder.logic.terms import Program
from logicoder.problem.clause_text import ClauseText, program_of

Weight = Annotated[int, Meta(ge=1, le=2**62)]


@dataclass(frozen=True)
class PredicateItem:
    """A predicate to be reconstructed.

    Attributes:
        name: its name.
        facts: number of its facts.
        unreachable: facts that no decoder rebuilds: always missing.
        weight: what one mistake counts in the weighted loss, a positive integer.
        exception_bits: what it costs to list one mistake, in millibits.
    """

    name: str
    facts: Count
    unreachable: Count = 0
    weight: Weight = 1
    exception_bits: Count = 0


@dataclass(frozen=True)
class EncoderItem:
    """An encoder candidate: decision variable ec_i.

    Attributes:
        definition: the clause, or the clauses of a recursive definition; their head is the latent predicate,
            named by its position.
        weight: w_i, the number of latent facts.
        literals: number of body literals.
        dependencies: input predicates that the definition mentions.
        bits: description length of the definition and of the latent facts, in millibits.
    """

    definition: str | ClauseText
    weight: Count
    literals: Count
    dependencies: tuple[str, ...]
    bits: Whole = 0

    @property
    def clause(self) -> str:
        """The text of the definition, a clause per line."""
        return str(self.definition)

    @property
    def program(self) -> Program:
        """The clauses of the definition."""
        return program_of(self.definition)


@dataclass(frozen=True)
class DecoderItem:
    """A decoder candidate: decision variable dc_i.

    Attributes:
        definition: the clause, or the clauses of a recursive definition.
        predicate: the input predicate of its head.
        latents: positions of the encoders that define the latents of its body.
        literals: number of body literals.
        true: true atoms that it rebuilds.
        false: false atoms that it rebuilds.
        bits: description length of the clauses, in millibits.
        exclusive: if selected, no other decoder of the same predicate may be: what a recursive definition
            derives would depend on the others.
    """

    definition: str | ClauseText
    predicate: str
    latents: tuple[Count, ...]
    literals: Count
    true: Count
    false: Count
    bits: Whole = 0
    exclusive: bool = False

    @property
    def clause(self) -> str:
        """The text of the definition, a clause per line."""
        return str(self.definition)

    @property
    def program(self) -> Program:
        """The clauses of the definition."""
        return program_of(self.definition)

    @property
    def corruption(self) -> Fraction:
        """The share of false atoms among those rebuilt."""
        return Fraction(self.false, self.true + self.false)


@dataclass(frozen=True)
class CoverageClass:
    """Ground atoms of one predicate, of the same truth value, that exactly the same decoders rebuild.

    Attributes:
        true: whether the atoms are facts.
        weight: how many atoms there are.
        decoders: positions of the decoders that rebuild them, ascending.
        predicate: position of their predicate.
    """

    true: bool
    weight: Count
    decoders: tuple[Count, ...]
    predicate: Count


@dataclass(frozen=True)
class LinearConstraint:
    """A weighted sum over what is selected and what is wrong is at most `bound`, in exact integers.

    An empty tuple of coefficients stands for zeros. Coefficients of mistakes are not negative: the solver
    counts mistakes from below only.

    Attributes:
        name: what it is, for people.
        bound: the right-hand side.
        encoders: coefficient of each encoder, if selected.
        decoders: coefficient of each decoder, if selected.
        missing: coefficient of each missing fact, by predicate.
        false: coefficient of each false atom, by predicate.
        masked: coefficient of each fact that is missing when its predicate is masked, by predicate.
        kind: the kind of bottleneck, or `limit`; it tells how to explain that the constraint cannot hold.
    """

    name: str
    bound: Whole
    encoders: tuple[Whole, ...] = ()
    decoders: tuple[Whole, ...] = ()
    missing: tuple[Count, ...] = ()
    false: tuple[Count, ...] = ()
    masked: tuple[Count, ...] = ()
    kind: str = ""

    @property
    def family(self) -> str:
        """`limit` for a user's limit on one predicate, `bottleneck` for everything else."""
        return "limit" if self.kind == "limit" else "bottleneck"


@dataclass(frozen=True)
class Inclusion:
    """Clauses ordered by generality; of two comparable clauses at most one may be selected.

    Attributes:
        nodes: for each clause its node; clauses of equal extension share one.
        edges: pairs (more general node, less general node), transitively reduced.
    """

    nodes: tuple[Count, ...] = ()
    edges: tuple[tuple[Count, Count], ...] = ()


@dataclass(frozen=True)
class Requirement:
    """At least one of some decoders must be selected, so that a predicate is reconstructed."""

    predicate: str
    decoders: tuple[Count, ...]


@dataclass(frozen=True)
class Demand:
    """What a user requires: at least one of some encoders and decoders must be selected.

    Attributes:
        name: what is required, for people.
        encoders: positions of encoders.
        decoders: positions of decoders.
    """

    name: str
    encoders: tuple[Count, ...] = ()
    decoders: tuple[Count, ...] = ()


@dataclass(frozen=True)
class Problem:
    """Everything that a solver needs to choose an auto-encoding logic program.

    Attributes:
        targets: the predicates to be reconstructed.
        encoders: candidates ec_1, ec_2, ...
        decoders: candidates dc_1, dc_2, ...
        families: coverage classes by family: `ordinary` for the loss, `masked` for the masked loss, if it is
            of interest.
        constraints: bottlenecks, and limits of single predicates.
        encoder_generality: order of the encoders, or None when generality is off.
        decoder_generality: order of the decoders, or None when generality is off.
        requirements: predicates of which at least one decoder must be selected.
        demands: clauses that the user requires.
        irreparable: predicates that no decoder of corruption below one half rebuilds.
        atoms: ground atoms behind the coverage classes.
        weight_unit: the integer that stands for a loss weight of one.
        latent_cap: the number of latent predicates that the description length provides for.
        fixed_bits: the part of the description length that does not depend on the selection, in millibits.
        plain_bits: description length of the facts themselves, in millibits.
        mask: numerator and denominator of what a fact that is missing when masked counts.
    """

    targets: tuple[PredicateItem, ...]
    encoders: tuple[EncoderItem, ...]
    decoders: tuple[DecoderItem, ...]
    families: dict[str, tuple[CoverageClass, ...]]
    constraints: tuple[LinearConstraint, ...] = ()
    encoder_generality: Inclusion | None = None
    decoder_generality: Inclusion | None = None
    requirements: tuple[Requirement, ...] = ()
    demands: tuple[Demand, ...] = ()
    irreparable: tuple[str, ...] = ()
    atoms: int = 0
    weight_unit: int = 1
    latent_cap: int = 16
    fixed_bits: int = 0
    plain_bits: int = 0
    mask: tuple[int, int] = (1, 1)
    statistics: dict[str, int] = field(default_factory=dict)

    @property
    def facts(self) -> int:
        """F, the number of facts to be reconstructed."""
        return sum(target.facts for target in self.targets)

    @property
    def predicates(self) -> int:
        """P, the number of predicates to be reconstructed."""
        return len(self.targets)

    @property
    def unreachable(self) -> int:
        """Facts that no decoder rebuilds: always missing."""
        return sum(target.unreachable for target in self.targets)

    @property
    def positions(self) -> dict[str, int]:
        """The positions of the predicates by name."""
        return {target.name: position for position, target in enumerate(self.targets)}

    @property
    def bottlenecks(self) -> tuple[LinearConstraint, ...]:
        """The constraints on the latent representation."""
        return tuple(c for c in self.constraints if c.family == "bottleneck")

    @property
    def classes(self) -> tuple[CoverageClass, ...]:
        """The coverage classes of the ordinary loss."""
        return self.families["ordinary"]

    @property
    def variables(self) -> int:
        """Number of decision and class variables."""
        return len(self.encoders) + len(self.decoders) + sum(map(len, self.families.values()))
