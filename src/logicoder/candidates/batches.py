"""Decoder candidates on their way into a problem: which are accepted, how they are kept, what is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

import numpy as np

from logicoder.candidates.targets import Target
from logicoder.engine.chains import ChainPairs
from logicoder.engine.product_pairs import ProductPairs
from logicoder.engine.relation import Column
from logicoder.engine.views import View, ViewClass


@dataclass(frozen=True)
class Acceptance:
    """Which decoder candidates are kept: at least one true atom, and corruption below a threshold if any."""

    max_corruption: Fraction | None

    def mask(self, true: np.ndarray, false: np.ndarray) -> np.ndarray:
        """Return the candidates whose corruption, false / (true + false), is below the threshold."""
        if self.max_corruption is None:
            return np.asarray(true > 0)
        low, high = self.max_corruption.numerator, self.max_corruption.denominator
        return np.asarray((true > 0) & (false * high < low * (true + false)))


@dataclass
class DecoderStatistics:
    """What happened to the decoder candidates, step by step."""

    decoders_evaluated: int = 0
    unsupported: int = 0
    corruption: int = 0
    signature_variants: int = 0
    extensions: int = 0
    limit: int = 0
    decoders: int = 0

    def add(self, other: DecoderStatistics) -> None:
        """Add the counts of another part of the work."""
        for name, number in asdict(other).items():
            setattr(self, name, getattr(self, name) + number)

    def count(self, true: np.ndarray, kept: np.ndarray) -> None:
        """Count evaluated candidates: without a true atom, too corrupt, or kept."""
        supported = int(np.count_nonzero(true > 0))
        self.decoders_evaluated += true.size
        self.unsupported += true.size - supported
        self.corruption += supported - int(np.count_nonzero(kept))


@dataclass(frozen=True, eq=False)
class Batch:
    """Accepted candidates of one head over one class of bodies; their atoms are listed on demand.

    Attributes:
        target: the head.
        pairs: the pairs of classes, or the class of single literals.
        first: first view of each candidate.
        second: second view of each candidate; None for single literals.
        true: true atoms of each candidate.
        false: false atoms of each candidate.
        idle: whether a literal of the candidate could be left out without one more false atom.
    """

    target: Target
    pairs: ProductPairs | ChainPairs | ViewClass
    first: np.ndarray
    second: np.ndarray | None
    true: np.ndarray
    false: np.ndarray
    idle: np.ndarray

    def __len__(self) -> int:
        return len(self.first)

    @property
    def shared(self) -> int:
        """Number of existentials that the literals share."""
        return 0 if isinstance(self.pairs, ViewClass) else len(self.pairs.first.shared)

    def body(self, index: int) -> tuple[View, ...]:
        """Return the literals of a candidate."""
        first = int(self.first[index])
        if isinstance(self.pairs, ViewClass):
            return (self.pairs.views[first],)
        assert self.second is not None  # noqa: S101  (pairs have two views)
        return (self.pairs.first.views[first], self.pairs.second.views[int(self.second[index])])

    def latents(self) -> np.ndarray:
        """Return the latents of all candidates, shape (n, 1 or 2)."""
        if isinstance(self.pairs, ViewClass):
            return np.asarray(_latents(self.pairs)[self.first][:, None])
        return np.column_stack(
            [_latents(self.pairs.first)[self.first], _latents(self.pairs.second)[self.second]]
        )

    def atoms(self, index: int) -> tuple[Column, ...]:
        """Return the atoms that a candidate derives, as columns in the order of the predicate's arguments."""
        first = int(self.first[index])
        if isinstance(self.pairs, ViewClass):
            rows = self.pairs.rows(first)
            columns = tuple(self.pairs.columns[v][rows] for v in self.pairs.variables)
        else:
            assert self.second is not None  # noqa: S101  (pairs have two views)
            columns = self.pairs.extension(first, int(self.second[index]))
        return tuple(columns[v] for v in self.target.arguments)


@dataclass(frozen=True, eq=False)
class ListedBatch:
    """Accepted candidates of one head whose atoms are listed already; see `Batch` for the attributes."""

    target: Target
    shared: int
    bodies: tuple[tuple[View, ...], ...]
    extensions: tuple[tuple[Column, ...], ...]
    true: np.ndarray
    false: np.ndarray
    idle: np.ndarray

    @classmethod
    def of(
        cls,
        target: Target,
        shared: int,
        items: Sequence[tuple[tuple[View, ...], tuple[Column, ...], int, int]],
    ) -> ListedBatch:
        """Return the batch of some (body, atoms, true, false)."""
        bodies, extensions, true, false = zip(*items, strict=True)
        return cls(
            target,
            shared,
            bodies,
            extensions,
            np.array(true),
            np.array(false),
            np.zeros(len(items), np.bool_),
        )

    def __len__(self) -> int:
        return len(self.bodies)

    def body(self, index: int) -> tuple[View, ...]:
        """Return the literals of a candidate."""
        return self.bodies[index]

    def latents(self) -> np.ndarray:
        """Return the latents of all candidates, a row each."""
        return np.array([[view.latent for view in body] for body in self.bodies], np.int64)

    def atoms(self, index: int) -> tuple[Column, ...]:
        """Return the atoms that a candidate derives, as columns in the order of the predicate's arguments."""
        return self.extensions[index]


def _latents(views: ViewClass) -> np.ndarray:
    return np.array([view.latent for view in views.views], np.int64)
