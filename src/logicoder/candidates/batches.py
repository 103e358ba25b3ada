"""Decoder candidates on their way into a problem: which are accepted, how they are kept, what is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from logicoder.candidates.targets import Target
from logicoder.engine.atom_hashes import Factors
from logicoder.engine.chains import ChainPairs
from logicoder.engine.database import Database
from logicoder.engine.listing import Listing, borders
from logicoder.engine.product_pairs import ProductPairs
from logicoder.engine.relation import Column
from logicoder.engine.sparse_chains import SparseChains
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


def good(true: Any, false: Any) -> Any:
    """Whether a candidate is one of those of which each predicate must have one; numbers or arrays."""
    return true > false


def stands_for(true: Any, false: Any, other_true: Any, other_false: Any) -> Any:
    """Whether a candidate that has all true and no more false atoms of another can always take its place.

    Let the first take the place of the second in a selection, under generality. A third clause inside the
    first one has to go, and must not be the only good one of its predicate: either the first is good itself,
    or it has no more true atoms than the second, so that the third was inside that as well, which generality
    forbids. Where the first is inside a third clause, the second goes without a substitute, and must not be
    the only good one: either it is not good, or it has no more false atoms than the first, so that it was
    inside the third as well.

    Args:
        true: number of true atoms of the first, or an array of such numbers.
        false: number of its false atoms.
        other_true: number of true atoms of the second.
        other_false: number of its false atoms.
    """
    outer = good(true, false) | (true == other_true)
    inner = np.logical_not(good(other_true, other_false)) | (false == other_false)
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

    def count(self, true: np.ndarray, kept: np.ndarray) -> None:
        """Count evaluated candidates: without a true atom, too corrupt, or kept."""
        supported = int(np.count_nonzero(true > 0))
        self.decoders_evaluated += true.size
        self.unsupported += true.size - supported
        self.corruption += supported - int(np.count_nonzero(kept))


@dataclass(frozen=True)
class DecoderBody:
    r"""What stands below the head of a decoder candidate.

    Attributes:
        views: its literals.
        shared: number of existential variables that literals share; they are numbered after the head's.
        unequal: whether it says that the two head variables differ.
        step: for a recursive definition `h(X,Y) :- view(X,Y).  h(X,Z) :- step(X,Y), h(Y,Z).` its step.
        left: whether the recursion is on the left: `h(X,Z) :- h(X,Y), step(Y,Z)`.
    """

    views: tuple[View, ...]
    shared: int = 0
    unequal: bool = False
    step: View | None = None
    left: bool = False

    @property
    def latents(self) -> tuple[int, ...]:
        """The latent predicates, ascending."""
        step = () if self.step is None else (self.step,)
        return tuple(sorted({view.latent for view in (*self.views, *step)}))

    @property
    def literals(self) -> int:
        """Number of body literals."""
        return len(self.views) + self.unequal + (0 if self.step is None else 2)


@dataclass(frozen=True, eq=False)
class Batch:
    """Accepted candidates of one head over one class of bodies; their atoms are listed on demand.

    Attributes:
        database: the data.
        target: the head.
        pairs: the pairs of classes, or the class of single literals.
        first: first view of each candidate.
        second: second view of each candidate; None for single literals.
        true: true atoms of each candidate.
        false: false atoms of each candidate.
        idle: whether the candidate without one of its literals can always take its place.
        worth: worth of the true atoms of each candidate.
        negated: whether the second literal is negated.
    """

    database: Database
    target: Target
    pairs: ProductPairs | ChainPairs | SparseChains | ViewClass
    first: np.ndarray
    second: np.ndarray | None
    true: np.ndarray
    false: np.ndarray
    idle: np.ndarray
    worth: np.ndarray
    negated: bool = False

    def __len__(self) -> int:
        return len(self.first)

    @property
    def literals(self) -> np.ndarray:
        """Number of body literals of each candidate."""
        views = 1 if isinstance(self.pairs, ViewClass) else 2
        return np.full(len(self), views + self.target.unequal)

    def body(self, index: int) -> DecoderBody:
        """Return the body of a candidate."""
        first = int(self.first[index])
        if isinstance(self.pairs, ViewClass):
            return DecoderBody((self.pairs.views[first],), unequal=self.target.unequal)
        assert self.second is not None  # noqa: S101  (pairs have two views)
        second = self.pairs.second.views[int(self.second[index])]
        if self.negated:
            second = replace(second, positive=False)
        views = (self.pairs.first.views[first], second)
        return DecoderBody(views, len(self.pairs.first.shared), self.target.unequal)

    def latents(self) -> np.ndarray:
        """Return the latents of all candidates, shape (n, 1 or 2)."""
        if isinstance(self.pairs, ViewClass):
            return np.asarray(self.pairs.latents[self.first][:, None])
        return np.column_stack([self.pairs.first.latents[self.first], self.pairs.second.latents[self.second]])

    def examined(self, chosen: np.ndarray) -> Examined:
        """Return the fingerprints of some candidates, and their atoms on demand."""
        if self._listed_first:
            atoms = self._atoms(chosen)
            return Examined(self.target.fingerprints(self.database, atoms), atoms.sets)
        factors = self.target.factors(self.database)
        first, second = self._views(chosen)
        if isinstance(self.pairs, ViewClass):
            prints = self.pairs.fingerprints(factors)[:, first]
        else:
            assert isinstance(self.pairs, ProductPairs)  # noqa: S101
            prints = self.pairs.fingerprints(first, second, factors)
            if self.negated:
                prints = self.pairs.first.fingerprints(factors)[:, first] - prints
        return Examined(prints, lambda kept: self._atoms(chosen[kept]).sets(np.arange(len(kept))))

    @property
    def _listed_first(self) -> bool:
        """Whether fingerprints are those of listed atoms: the others are quicker to find by algebra."""
        return isinstance(self.pairs, ChainPairs | SparseChains) or self.target.unequal

    def _views(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the first and the second views of some candidates; of single literals the first twice."""
        first = self.first[chosen]
        return first, first if self.second is None else self.second[chosen]

    def _atoms(self, chosen: np.ndarray) -> Listing:
        """Return the atoms of some candidates."""
        first, second = self._views(chosen)
        if isinstance(self.pairs, ViewClass):
            heads = self.pairs.listed(first)
        elif self.negated:
            heads = self.pairs.differences(first, second)
        else:
            heads = Listing.joined(list(self.pairs.extensions(first, second)), len(self.target.types))
        return self.target.listed(self.database, heads)


@dataclass(frozen=True, eq=False)
class Examined:
    """Some candidates looked at more closely.

    Attributes:
        fingerprints: two numbers for each candidate, equal where candidates derive the same atoms.
        atoms: returns the atoms of some candidates, as columns in the order of the predicate's arguments.
    """

    fingerprints: Factors
    atoms: Callable[[np.ndarray], list[tuple[Column, ...]]]


@dataclass(frozen=True, eq=False)
class ListedBatch:
    """Accepted candidates of one head whose atoms are listed already; see `Batch` for the attributes."""

    database: Database
    target: Target
    bodies: tuple[DecoderBody, ...]
    extensions: tuple[tuple[Column, ...], ...]
    true: np.ndarray
    false: np.ndarray
    idle: np.ndarray
    worth: np.ndarray

    @classmethod
    def of(
        cls,
        database: Database,
        target: Target,
        items: Sequence[tuple[DecoderBody, tuple[Column, ...], int, int, float]],
    ) -> ListedBatch:
        """Return the batch of some (body, atoms, true, false, worth)."""
        bodies, extensions, true, false, worth = zip(*items, strict=True)
        idle = np.zeros(len(items), np.bool_)
        return cls(
            database, target, bodies, extensions, np.array(true), np.array(false), idle, np.array(worth)
        )

    def __len__(self) -> int:
        return len(self.bodies)

    @property
    def literals(self) -> np.ndarray:
        """Number of body literals of each candidate."""
        return np.array([body.literals for body in self.bodies])

    def body(self, index: int) -> DecoderBody:
        """Return the body of a candidate."""
        return self.bodies[index]

    def latents(self) -> np.ndarray:
        """Return the latents of all candidates, a row each; shorter rows repeat their last latent."""
        width = max(len(body.latents) for body in self.bodies)
        rows = [(*body.latents, *body.latents[-1:] * (width - len(body.latents))) for body in self.bodies]
        return np.array(rows, np.int64)

    def examined(self, chosen: np.ndarray) -> Examined:
        """Return the fingerprints of some candidates, and their atoms."""
        atoms = [self.extensions[index] for index in chosen.tolist()]
        columns = tuple(np.concatenate(parts) for parts in zip(*atoms, strict=True))
        listing = Listing(borders(np.array([len(extension[0]) for extension in atoms])), columns)
        prints = self.target.fingerprints(self.database, listing)
        return Examined(prints, lambda kept: [atoms[i] for i in kept.tolist()])
