"""What a solver returns: a choice of clauses with its loss, a proven bound, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from logicoder.problem.evaluate import encoders_of, loss_of, size_of
from logicoder.problem.model import Problem


@dataclass(frozen=True)
class Solution:
    """A selection of decoders, hence of encoders.

    Attributes:
        decoders: positions of the selected decoders.
        encoders: positions of the encoders that define their latents.
        missing: facts that are not rebuilt.
        false: atoms that are rebuilt but are not facts.
        size: latent facts plus body literals of all selected clauses.
        bound: proven lower bound on the loss of any selection from this problem.
        size_bound: proven lower bound on the size of any selection with this loss; 0 where none was sought.
        method: the solver that found it.
        effort: deterministic effort spent, in the solver's own seconds.
        stopped: why the search ended before everything was proved: `interrupted`, `time limit` or `effort`.
    """

    decoders: tuple[int, ...]
    encoders: tuple[int, ...]
    missing: int
    false: int
    size: int
    bound: int
    size_bound: int
    method: str
    effort: float = 0.0
    stopped: str | None = None

    @classmethod
    def of(
        cls,
        problem: Problem,
        decoders: Iterable[int],
        bound: int,
        method: str,
        *,
        size_bound: int = 0,
        effort: float = 0.0,
        stopped: str | None = None,
    ) -> Solution:
        """Return the solution of a choice of decoders, its loss counted anew from the problem."""
        chosen = tuple(sorted(set(decoders)))
        missing, false = loss_of(problem, chosen)
        size = size_of(problem, chosen)
        return cls(
            chosen,
            encoders_of(problem, chosen),
            missing,
            false,
            size,
            min(bound, missing + false),
            min(size_bound, size),
            method,
            effort,
            stopped,
        )

    @property
    def loss(self) -> int:
        """Missing and false atoms together."""
        return self.missing + self.false

    @property
    def gap(self) -> float:
        """(loss - bound) / max(1, loss): zero means proved optimal."""
        return (self.loss - self.bound) / max(1, self.loss)

    @property
    def status(self) -> str:
        """`optimal` where the bound is reached, otherwise `feasible`."""
        return "optimal" if self.loss == self.bound else "feasible"
