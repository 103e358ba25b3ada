"""The optimisation problem: clauses, latents and their sizes, coverage classes, constraints."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class EncoderItem:
    """An encoder candidate: decision variable ec_i.

    Attributes:
        clause: the clause; its head is the latent predicate, named by its position.
        weight: w_i, the number of latent facts.
        literals: number of body literals.
        dependencies: input predicates that the definition mentions.
    """

    clause: str
    weight: int
    literals: int
    dependencies: tuple[str, ...]


@dataclass(frozen=True)
class DecoderItem:
    """A decoder candidate: decision variable dc_i.

    Attributes:
        clause: the clause.
        predicate: the input predicate of its head.
        latents: positions of the encoders that define the latents of its body.
        literals: number of body literals.
        true: true atoms that it rebuilds.
        false: false atoms that it rebuilds.
    """

    clause: str
    predicate: str
    latents: tuple[int, ...]
    literals: int
    true: int
    false: int

    @property
    def corruption(self) -> Fraction:
        """The share of false atoms among those rebuilt."""
        return Fraction(self.false, self.true + self.false)


@dataclass(frozen=True)
class CoverageClass:
    """Ground atoms with the same truth value that exactly the same decoders rebuild.

    Attributes:
        true: whether the atoms are facts.
        weight: how many atoms there are.
        decoders: positions of the decoders that rebuild them, ascending.
    """

    true: bool
    weight: int
    decoders: tuple[int, ...]


@dataclass(frozen=True)
class LinearConstraint:
    """Sum of coefficients of selected encoders at most `bound`, in exact integers.

    Attributes:
        name: what it is, for people.
        coefficients: one per encoder.
        bound: the right-hand side.
    """

    name: str
    coefficients: tuple[int, ...]
    bound: int


@dataclass(frozen=True)
class Inclusion:
    """Clauses ordered by generality; of two comparable clauses at most one may be selected.

    Attributes:
        nodes: for each clause its node; clauses of equal extension share one.
        edges: pairs (more general node, less general node), transitively reduced.
    """

    nodes: tuple[int, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Requirement:
    """At least one of some decoders must be selected."""

    predicate: str
    decoders: tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """Everything that a solver needs to choose an auto-encoding logic program.

    Attributes:
        facts: F, the number of facts to be reconstructed.
        predicates: P, the number of predicates to be reconstructed.
        encoders: candidates ec_1, ec_2, ...
        decoders: candidates dc_1, dc_2, ...
        families: coverage classes by family; the ordinary loss is the family `ordinary`.
        unreachable: facts that no decoder rebuilds: always missing.
        bottlenecks: limits on the latent representation.
        encoder_generality: order of the encoders, or None when generality is off.
        decoder_generality: order of the decoders, or None when generality is off.
        requirements: predicates of which at least one decoder must be selected.
        irreparable: predicates that no decoder of corruption below one half rebuilds.
        atoms: ground atoms behind the coverage classes.
    """

    facts: int
    predicates: int
    encoders: tuple[EncoderItem, ...]
    decoders: tuple[DecoderItem, ...]
    families: dict[str, tuple[CoverageClass, ...]]
    unreachable: int
    bottlenecks: tuple[LinearConstraint, ...] = ()
    encoder_generality: Inclusion | None = None
    decoder_generality: Inclusion | None = None
    requirements: tuple[Requirement, ...] = ()
    irreparable: tuple[str, ...] = ()
    atoms: int = 0
    statistics: dict[str, int] = field(default_factory=dict)

    @property
    def classes(self) -> tuple[CoverageClass, ...]:
        """The coverage classes of the ordinary loss."""
        return self.families["ordinary"]

    @property
    def variables(self) -> int:
        """Number of decision and class variables."""
        return len(self.encoders) + len(self.decoders) + sum(map(len, self.families.values()))


def average_bottleneck(
    weights: tuple[int, ...], compression: Fraction, facts: int, predicates: int
) -> LinearConstraint:
    """Return the paper's bottleneck: the mean size of latent predicates is at most compression × G.

    With compression a/b and G = F/P it is Σ (w_i·b·P − a·F)·ec_i ≤ 0: exact integers, no rounding.

    >>> average_bottleneck((4, 1), Fraction(1, 2), facts=9, predicates=5).coefficients
    (31, 1)
    """
    a, b = compression.numerator, compression.denominator
    name = f"average facts per latent predicate <= {compression} * {facts}/{predicates}"
    return LinearConstraint(name, tuple(w * b * predicates - a * facts for w in weights), 0)
