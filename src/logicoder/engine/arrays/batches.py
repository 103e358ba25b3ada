"""Accepted decoder candidates in bulk; what they derive is listed on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.engine.arrays.atom_hashes import Factors
from logicoder.engine.arrays.chains import ChainPairs
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.listing import Listing, borders
from logicoder.engine.arrays.product_pairs import ProductPairs
from logicoder.engine.arrays.relation import Column, distinct
from logicoder.engine.arrays.sparse_chains import SparseChains
from logicoder.engine.arrays.targets import Target
from logicoder.engine.arrays.views import ViewClass
from logicoder.engine.clauses import DecoderBody, Head
from logicoder.engine.questions import DecoderStatistics


def tally(statistics: DecoderStatistics, true: np.ndarray, kept: np.ndarray | None = None) -> None:
    """Count evaluated candidates: without a true atom, too corrupt, or kept; none is kept unless given."""
    supported = int(np.count_nonzero(true > 0))
    statistics.count(true.size, supported, 0 if kept is None else int(np.count_nonzero(kept)))


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

    @property
    def head(self) -> Head:
        """The head."""
        return self.target.head

    def __len__(self) -> int:
        return len(self.first)

    @property
    def literals(self) -> np.ndarray:
        """Number of body literals of each candidate."""
        views = 1 if isinstance(self.pairs, ViewClass) else 2
        return np.full(len(self), views + self.target.head.unequal)

    def body(self, index: int) -> DecoderBody:
        """Return the body of a candidate."""
        first = int(self.first[index])
        if isinstance(self.pairs, ViewClass):
            return DecoderBody((self.pairs.views[first],), unequal=self.target.head.unequal)
        assert self.second is not None  # noqa: S101  (pairs have two views)
        second = self.pairs.second.views[int(self.second[index])]
        if self.negated:
            second = replace(second, positive=False)
        views = (self.pairs.first.views[first], second)
        return DecoderBody(views, len(self.pairs.first.shared), self.target.head.unequal)

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

    def forget(self) -> None:
        """Give back memory, for a while."""
        if not isinstance(self.pairs, ViewClass):
            self.pairs.forget()

    @property
    def _listed_first(self) -> bool:
        """Whether fingerprints are those of listed atoms: the others are quicker to find by algebra."""
        return isinstance(self.pairs, ChainPairs | SparseChains) or self.target.head.unequal

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

    @property
    def head(self) -> Head:
        """The head."""
        return self.target.head

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


@dataclass(frozen=True, eq=False)
class UnionBatch:
    """Accepted candidates of one head whose literals are alternatives; see `Batch` for the attributes.

    Attributes:
        views: the literals, each of which binds all head variables.
        members: the literals of each candidate, ascending, a row each.
    """

    database: Database
    target: Target
    views: ViewClass
    members: np.ndarray
    true: np.ndarray
    false: np.ndarray
    idle: np.ndarray
    worth: np.ndarray

    @property
    def head(self) -> Head:
        """The head."""
        return self.target.head

    def __len__(self) -> int:
        return len(self.members)

    @property
    def literals(self) -> np.ndarray:
        """Number of body literals of each candidate."""
        return np.full(len(self), self.members.shape[1])

    def body(self, index: int) -> DecoderBody:
        """Return the body of a candidate."""
        return DecoderBody(tuple(self.views.views[v] for v in self.members[index]), alternatives=True)

    def latents(self) -> np.ndarray:
        """Return the latents of all candidates, a row each."""
        return np.asarray(self.views.latents[self.members])

    def examined(self, chosen: np.ndarray) -> Examined:
        """Return the fingerprints of some candidates, and their atoms."""
        members = self.members[chosen]
        parts = self.views.listed(members.ravel())
        owner = np.repeat(np.arange(len(chosen), dtype=np.int32), members.shape[1])
        owner = np.repeat(owner, np.diff(parts.borders))
        sizes = [len(chosen), *(self.database.sizes[kind] for kind in self.target.types)]
        number, *columns = distinct([owner, *parts.columns], sizes)
        heads = Listing(borders(np.bincount(number, minlength=len(chosen))), tuple(columns))
        atoms = self.target.listed(self.database, heads)
        return Examined(self.target.fingerprints(self.database, atoms), atoms.sets)


AnyBatch = Batch | ListedBatch | UnionBatch
