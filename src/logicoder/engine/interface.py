"""What an engine is: the operations that learning, coding and explaining ask of whatever holds the data.

Callers describe clauses as plain data (`clauses`, `questions`) and get counts and handles (`handles`), never
rows. Questions come in batches: thousands of bodies or millions of candidates in one call, so that an engine
may answer each *shape* of body by one join over a table of candidates. What an engine **must** do:

- number types as `type_numbers` does, and keep interpretations apart: a join never crosses them;
- answer exactly, or refuse where a limit says so; a sample is one of values, on which counts are exact;
- give the same answers in the same order for the same questions, whatever the number of threads.

What it **may** do: take questions from iterators ahead of its answers; keep its facts anywhere (memory,
files, a server) and drop them when their handle is gone; choose its own fingerprints, 128 bits of them; call
`advanced` as seldom as it likes, but often enough that a user can stop it. `template.py` is a start for a new
one, and `registry.py` says how it is found by name.

Bodies are made of extensions, of latents and of predicates of the data alike (`facts`). So the operations
also answer what a description length asks: counts of clauses over the data's own predicates (`count`), the
closures of a relation (`evaluate` a disjunction with its converse, a recursion with itself), the values of an
argument (`evaluate` with one head variable) and whether they are among those of another (`inclusions`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from logicoder.engine.clauses import Definition, Head, Join, Template
    from logicoder.engine.handles import (
        Counted,
        Coverage,
        Decoder,
        Derived,
        Extension,
        Grown,
        Missed,
        Order,
        Refused,
    )
    from logicoder.engine.questions import Choice, DecoderQuestion, DecoderStatistics, Signature
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.schema import Schema
    from logicoder.logic.terms import Program

WORLD = "$world"
"""The hidden type of interpretations: the one argument of a proposition. Its number is 0."""

Advanced = Callable[[int, int], None]
"""Told how much of a piece of work is done, of how much; it raises where the work is to end."""


def type_numbers(schema: Schema) -> dict[str, int]:
    """Return the numbers of types: the hidden type, then others as the schema mentions them."""
    kinds = dict.fromkeys(kind for predicate in schema.values() for kind in predicate.types)
    return {kind: number for number, kind in enumerate((WORLD, *kinds))}


class Growth(Protocol):
    """Bodies of one head that are grown literal by literal."""

    def first(self) -> list[Grown]:
        """Return the bodies of one literal that cover a fact."""

    def extensions(self, body: Grown) -> Iterator[Grown]:
        """Yield the bodies with one more literal that cover a fact."""

    def listed(self, bodies: Sequence[Grown]) -> Counted | None:
        """Return bodies that bind all head variables as candidates; None where all are too large."""


class Engine(ABC):
    """The data of one run, in the hands of one engine.

    Args:
        kb: the data.
        constants: constants of types with at most so many exist in every interpretation, so that heads may
            name them; 0 for none.
        jobs: number of threads.
    """

    name: ClassVar[str]

    @abstractmethod
    def __init__(self, kb: KnowledgeBase, *, constants: int = 0, jobs: int = 1) -> None: ...

    # -- the data -------------------------------------------------------------------------------------

    @abstractmethod
    def facts(self, predicate: str) -> Extension:
        """Return the facts of a predicate of the data."""

    @abstractmethod
    def selections(self, predicate: str, most: int) -> list[tuple[str | None, ...]]:
        """Return the non-empty selections of a predicate by constants of types with at most so many."""

    @abstractmethod
    def domain_sizes(self) -> Sequence[int]:
        """Return the number of constants of each type, by its number; one is as many as worlds have it."""

    @abstractmethod
    def possible_atoms(self, types: Sequence[int]) -> int:
        """Return how many atoms there could be: in each world, any constants of the types in its data."""

    @abstractmethod
    def constants(self) -> int:
        """Return the number of constants in the data, whatever their type and world."""

    # -- definitions ----------------------------------------------------------------------------------

    @abstractmethod
    def sizes(self, vocabulary: Sequence[Template], joins: Sequence[Join]) -> list[int]:
        """Return the exact size of each join, without making it."""

    @abstractmethod
    def evaluate(
        self, vocabulary: Sequence[Template], definitions: Iterable[Definition], limit: int | None
    ) -> Iterator[Sequence[Derived | None] | Refused]:
        """Evaluate definitions over templates; answers come in the order of the definitions.

        Yields:
            for each definition what each of its heads derives, None for nothing; `Refused` where a join would
            have had more than `limit` tuples, here or in the conjunction that this one extends.
        """

    @abstractmethod
    def inclusions(self, extensions: Sequence[Extension], kinds: Sequence[object]) -> Order:
        """Order extensions by inclusion, up to the order of arguments of equal type.

        Args:
            extensions: the extensions.
            kinds: only extensions of equal kind are compared.
        """

    # -- decoder candidates ---------------------------------------------------------------------------

    @abstractmethod
    def fact_counts(self, heads: Sequence[Head]) -> list[int]:
        """Return how many facts have the form of each head."""

    @abstractmethod
    def count(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[Counted]:
        """Count the candidates of at most two literals; yield those that are accepted, head by head."""

    @abstractmethod
    def count_recursive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[Counted]:
        """Count recursive definitions of binary heads: a base and a step, each a single literal."""

    @abstractmethod
    def count_disjunctive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[Counted]:
        """Count the candidates whose literals are alternatives; heads that say "differ" have none."""

    @abstractmethod
    def grow(self, question: DecoderQuestion, *, drop_clean: bool) -> Iterator[Growth]:
        """Yield what grows bodies for each head; with `drop_clean`, not those that derive nothing false."""

    @abstractmethod
    def choose(
        self,
        counted: Sequence[Counted],
        choice: Choice,
        statistics: DecoderStatistics,
        seen: set[Signature],
    ) -> list[Decoder]:
        """Choose candidates; `seen` holds signatures that are there already, and is added to."""

    @abstractmethod
    def dominance(self, decoders: Sequence[Decoder]) -> Callable[[int, int], bool]:
        """Return what says whether one decoder has all true and no more false atoms of another."""

    @abstractmethod
    def missed(self, program: Collection[Decoder]) -> Missed:
        """Return the facts that some decoders do not derive."""

    # -- large data -----------------------------------------------------------------------------------

    @abstractmethod
    def promises(
        self, extensions: Mapping[int, Extension], predicates: Sequence[str], missed: Missed | None = None
    ) -> dict[int, float]:
        """Return how much each extension promises to rebuild of all predicates: more is better.

        Args:
            extensions: the extensions, by number.
            predicates: the predicates.
            missed: where anything of a predicate is missed, only that counts.
        """

    @abstractmethod
    def promising(
        self,
        extensions: Mapping[int, Extension],
        predicates: Sequence[str],
        missed: Missed | None,
        own: Mapping[str, Collection[int]],
        *,
        links: int,
        together: int,
    ) -> Callable[[str], list[list[int]]]:
        """Return what ranks extensions for a predicate: a few short lists, the best of each first.

        Args:
            extensions: the extensions, by number, the most promising first.
            predicates: the predicates that will be asked about.
            missed: where anything of a predicate is missed, only that counts.
            own: for each predicate the extensions that do not count as a way from one argument to the other.
            links: such ways, of two literals, are looked for among so many pairs of values; 0 for none.
            together: the most tuples of extensions to look at together, for want of memory.
        """

    @abstractmethod
    def complete(
        self, decoder: Decoder, latents: Mapping[int, Extension], limit: int | None
    ) -> Decoder | None:
        """Return a decoder that was judged by a sample with all it derives; None where that is too much."""

    # -- problems -------------------------------------------------------------------------------------

    @abstractmethod
    def coverage(
        self, predicate: str, decoders: Sequence[Decoder], former: Coverage | None = None
    ) -> Coverage:
        """Return the coverage classes of decoders of one predicate; unknown atoms are left out.

        Args:
            predicate: the predicate.
            decoders: the decoders.
            former: the coverage of other decoders, many of which are among these: its classes are split and
                merged instead of being found anew. The answer does not depend on it.
        """

    @abstractmethod
    def generality(self, coverage: Coverage, kinds: Sequence[object]) -> Order:
        """Order the decoders of a coverage by what they cover; only those of equal kind are compared."""

    # -- programs -------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def run(cls, program: Program, kb: KnowledgeBase, outputs: Schema | None = None) -> KnowledgeBase:
        """Return the facts that a program derives from a knowledge base; see `run_program`."""

    @abstractmethod
    def materialise(self, extension: Extension) -> list[tuple[str, ...]]:
        """Return the facts behind a handle, for people: interpretation and arguments of each."""
