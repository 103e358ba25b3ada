"""Questions about decoder candidates: which are counted, which are accepted, which are chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from logicoder.engine.clauses import Head
from logicoder.engine.handles import Extension, Fingerprint, Missed

LITTLE = 0.1
"""The worth of rebuilding a fact that a present program rebuilds already, beside one that it misses."""

Signature = tuple[str, tuple[int, ...], bool, int, int, Fingerprint]
"""Equal for signature variants: head predicate, body predicates, true and false atoms, their fingerprint.

Recursive definitions, which exclude other clauses of their head, are no variants of plain clauses.
"""


@dataclass(frozen=True)
class Acceptance:
    """Which decoder candidates are kept: at least one true atom, and corruption below a threshold if any."""

    max_corruption: Fraction | None

    def mask(self, true: Any, false: Any) -> Any:
        """Whether corruption, false / (true + false), is below the threshold; numbers or arrays of them."""
        if self.max_corruption is None:
            return true > 0
        low, high = self.max_corruption.numerator, self.max_corruption.denominator
        return (true > 0) & (false * high < low * (true + false))


def stands_for(true: Any, false: Any, other_true: Any, other_false: Any) -> Any:
    """Whether a candidate that has all true and no more false atoms of another can always take its place.

    Let the first take the place of the second in a selection, under generality. A third clause inside the
    first one has to go, and must not be the only good one of its predicate, more true than false: either the
    first is good itself, or it has no more true atoms than the second, so that the third was inside that as
    well, which generality forbids. Where the first is inside a third clause, the second goes without a
    substitute, and must not be the only good one: either it is not good, or it has no more false atoms than
    the first, so that it was inside the third as well.

    Args:
        true: number of true atoms of the first, or an array of such numbers.
        false: number of its false atoms.
        other_true: number of true atoms of the second.
        other_false: number of its false atoms.
    """
    outer = (true > false) | (true == other_true)
    inner = (other_true <= other_false) | (false == other_false)
    return outer & inner


@dataclass
class DecoderStatistics:
    """What happened to the decoder candidates, step by step."""

    decoders_evaluated: int = 0
    unsupported: int = 0
    corruption: int = 0
    repeated: int = 0
    signature_variants: int = 0
    extensions: int = 0
    limit: int = 0
    dominated: int = 0
    forbidden_decoders: int = 0
    decoders: int = 0

    def add(self, other: DecoderStatistics) -> None:
        """Add the counts of another part of the work."""
        for name, number in asdict(other).items():
            setattr(self, name, getattr(self, name) + number)

    def count(self, evaluated: int, supported: int, kept: int) -> None:
        """Count evaluated candidates: how many have a true atom, and how many of these are kept."""
        self.decoders_evaluated += evaluated
        self.unsupported += evaluated - supported
        self.corruption += supported - kept


@dataclass(frozen=True)
class Sampling:
    """How candidates of large data are judged: by some of their atoms, and where joins stay small.

    Attributes:
        every: one in so many values of the first head variable is looked at; counts of these are exact.
        facts: about so many facts are among them; so many that a present program misses are in any case.
        seed: seed of the sample.
        joined_per_fact: a join over shared existentials with more tuples for each fact that is looked at,
            beside some thousands, is left out, and counted.
        together: the most tuples that are looked at together.
    """

    every: int
    facts: int
    seed: int
    joined_per_fact: int = 12
    together: int = 4_000_000


@dataclass(frozen=True)
class DecoderQuestion:
    """Decoder candidates to be counted: every body over some latents for every head.

    Attributes:
        heads: the heads; those with variables of equal types come together.
        latents: what bodies are made of, by number: latents, and predicates of the data as well.
        length: greatest number of literals; an inequality is one.
        acceptance: which candidates are kept.
        statistics: counts, updated.
        negation: whether the second literal may be negated.
        missed: what a present program misses and is therefore wanted; everything unless given.
        sampling: how large data are looked at; everything is unless given.
        most_joined: most tuples of a join of long bodies and recursions; larger ones are left out, and
            counted.
        most_bodies: most recursive definitions to evaluate for each head; those whose first step rebuilds
            most facts that the base does not come first. Others are tried only where base and step are the
            same; what is left out is counted. Likewise most disjunctions of one length to extend.
        repeats: whether a variable may occur more than once in a literal.
    """

    heads: Sequence[Head]
    latents: Mapping[int, Extension]
    length: int
    acceptance: Acceptance
    statistics: DecoderStatistics = field(default_factory=DecoderStatistics)
    negation: bool = False
    missed: Missed | None = None
    sampling: Sampling | None = None
    most_joined: int | None = None
    most_bodies: int | None = None
    repeats: bool = True


@dataclass(frozen=True)
class Choice:
    """Which of the accepted candidates become part of a problem.

    Attributes:
        weights: number of facts of each latent.
        most: the most candidates to keep; beyond it the best of each predicate, in turn.
        merge_signature_variants: keep one of the clauses with equal atoms and equal body predicates.
        drop_extensions: leave out a body of which a part derives no more false atoms; None means that such
            bodies come last where there are more than `most` candidates.
        needed: latents that must not lose users where extensions are left out.
        protected: sets of latents; no rule drops the decoders that use exactly these.
        wanted: latents of which some decoders are kept beyond `most`.
        thrifty: beyond `most`, let half of them be those that gain most for their latent facts, or have the
            fewest latent facts: a tight bottleneck needs some.
    """

    weights: Sequence[int]
    most: int | None = None
    merge_signature_variants: bool = True
    drop_extensions: bool | None = None
    needed: Collection[int] = ()
    protected: Collection[frozenset[int]] = ()
    wanted: Collection[int] = ()
    thrifty: bool = False
