"""What the candidates of a run depend on, as far as a user chooses it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Protocol

from logicoder.base.memory import MemoryBudget
from logicoder.candidates.encoder_limits import EncoderLimits
from logicoder.candidates.language import Switches
from logicoder.logic.terms import Program
from logicoder.problem.model import Problem

Wish = Program | str | Sequence[Program | str] | None


class CandidateOptions(Protocol):
    """The settings of a learner that matter to candidates and problems; see `logicoder.AutoEncoder`."""

    @property
    def encoder_length(self) -> int: ...
    @property
    def decoder_length(self) -> int: ...
    @property
    def max_latent_arity(self) -> int | None: ...
    @property
    def constants(self) -> int: ...
    @property
    def recursion(self) -> bool: ...
    @property
    def disjunctive_decoders(self) -> bool: ...
    @property
    def naming_variants(self) -> bool: ...
    @property
    def dependency_variants(self) -> bool: ...
    @property
    def signature_variants(self) -> bool: ...
    @property
    def max_decoders(self) -> int | None: ...
    @property
    def working_set(self) -> int | None: ...
    @property
    def rounds(self) -> int: ...
    @property
    def max_bodies(self) -> int | None: ...
    @property
    def max_tuples(self) -> int | None: ...
    @property
    def max_work(self) -> int | None: ...
    @property
    def max_memory(self) -> int | str | None: ...
    @property
    def generality(self) -> bool: ...
    @property
    def reconstruct_all(self) -> bool: ...
    @property
    def require(self) -> Wish: ...
    @property
    def forbid(self) -> Wish: ...
    @property
    def seed(self) -> int: ...
    @property
    def jobs(self) -> int | None: ...

    @property
    def switches(self) -> Switches:
        """What clauses may hold besides plain literals."""

    @property
    def corruption(self) -> Fraction | None:
        """The corruption threshold."""

    @property
    def masks(self) -> bool:
        """Whether the masked loss counts."""

    @property
    def drops_extensions(self) -> bool | None:
        """Whether a body is left out of which a part derives no more false atoms; None: such come last."""

    @property
    def prunes_dominated(self) -> bool:
        """Whether dominated decoders are left out."""

    def check_predicates(self, learnable: Collection[str]) -> None:
        """Refuse weights and limits of unknown predicates."""

    def average_limit(self, facts: int, predicates: int) -> Fraction | None:
        """Return the mean size of latents that bottlenecks allow."""

    def join_limit(self, facts: int) -> int | None:
        """Return the most tuples of a join."""

    def encoder_limits(self, facts: int, budget: MemoryBudget) -> EncoderLimits:
        """Return the limits on encoder candidates."""

    def constrained(self, problem: Problem) -> Problem:
        """Return a problem with the weights, limits and bottlenecks of the settings."""
