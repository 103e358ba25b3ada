"""From latents and decoder candidates to the problem that a solver sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from logicoder.candidates.candidate_clauses import as_written, latent_name, written_decoder
from logicoder.candidates.encoders import Latent
from logicoder.candidates.language import EncoderLanguage
from logicoder.candidates.lengths import Lengths
from logicoder.engine.handles import Coverage, Decoder
from logicoder.logic.terms import Program
from logicoder.problem.bits import millibits
from logicoder.problem.clause_text import ClauseText
from logicoder.problem.masking import is_eligible
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    PredicateItem,
    Problem,
    Requirement,
)

_WORLD = (0,)
"""The types of propositions."""


@dataclass
class Assembly:
    """Builds the problems of one run; each splits the coverage classes of the one before.

    Attributes:
        language: the language of the latents' definitions.
        predicates: predicates to be reconstructed.
        latents: encoder candidates.
        generality: whether at most one of two comparable clauses may be selected.
        reconstruct_all: whether every predicate needs a decoder.
        masking: whether the masked loss counts; then only clauses of equal eligibility are compared.
        origins: what predicates of the data were derived from, if they were: latents depend on that too.
    """

    language: EncoderLanguage
    predicates: Sequence[str]
    latents: Sequence[Latent]
    generality: bool
    reconstruct_all: bool
    masking: bool = False
    origins: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _coverage: dict[str, Coverage] = field(default_factory=dict)

    def problem(self, decoders: Iterable[Decoder]) -> Problem:
        """Return the problem over the latents that some decoder uses, without bottlenecks."""
        by_predicate: dict[str, list[Decoder]] = {name: [] for name in self.predicates}
        for decoder in decoders:
            by_predicate[decoder.predicate].append(decoder)
        return _Building(self, by_predicate).problem()

    def coverage(self, predicate: str, decoders: Sequence[Decoder]) -> Coverage:
        """Return the coverage classes of the decoders of a predicate, and remember them."""
        found = self.language.engine.coverage(predicate, decoders, self._coverage.get(predicate))
        self._coverage[predicate] = found
        return found


class _Building:
    """One problem in the making."""

    def __init__(self, assembly: Assembly, decoders: Mapping[str, Sequence[Decoder]]) -> None:
        self._parts = assembly
        self._engine = assembly.language.engine
        self._by_predicate = decoders
        self._used = sorted({latent for found in decoders.values() for d in found for latent in d.latents})
        self._position = {latent: number for number, latent in enumerate(self._used)}
        taken = assembly.language.schema
        self._names = {latent: latent_name(number, taken) for latent, number in self._position.items()}
        self._worldly = {i for i in self._used if assembly.latents[i].extension.types == _WORLD}
        self._propositions = assembly.language.propositions | {self._names[i] for i in self._worldly}
        self._lengths = Lengths.of(self._engine, len(assembly.language.predicates), len(assembly.predicates))
        self._bits: dict[object, int] = {}
        self._encoders = [self._encoder(i) for i in self._used]

    def problem(self) -> Problem:
        """Return the problem."""
        targets: list[PredicateItem] = []
        items: list[DecoderItem] = []
        classes: list[CoverageClass] = []
        nodes: list[int] = []
        edges: list[tuple[int, int]] = []
        requirements: list[Requirement] = []
        irreparable: list[str] = []
        first = atoms = plain_bits = 0
        for index, (name, members) in enumerate(self._by_predicate.items()):
            offset = len(items)
            items.extend(map(self._decoder, members))
            coverage = self._parts.coverage(name, members)
            classes.extend(
                CoverageClass(true, weight, tuple(number + offset for number in cover), index)
                for true, weight, cover in coverage.classes
            )
            facts = self._engine.facts(name)
            exception = self._lengths.exception(facts.types)
            targets.append(PredicateItem(name, facts.size, coverage.uncovered, exception_bits=exception))
            plain_bits += self._lengths.table(facts.types, facts.size)
            atoms += coverage.atoms
            if self._parts.generality and members:
                kinds = [self._parts.masking and is_eligible(i, self._encoders) for i in items[offset:]]
                local, reduced = self._engine.generality(coverage, kinds)
                nodes.extend(node + first for node in local)
                edges.extend((a + first, b + first) for a, b in reduced)
                first += max(local) + 1
            good = tuple(offset + i for i, d in enumerate(members) if d.true > d.false)
            if good:
                requirements.append(Requirement(name, good))
            else:
                irreparable.append(name)
        return Problem(
            targets=tuple(targets),
            encoders=tuple(self._encoders),
            decoders=tuple(items),
            families={"ordinary": tuple(classes)},
            encoder_generality=self._encoder_generality(),
            decoder_generality=Inclusion(tuple(nodes), tuple(edges)) if self._parts.generality else None,
            requirements=tuple(requirements) if self._parts.reconstruct_all else (),
            irreparable=tuple(irreparable),
            atoms=atoms,
            latent_cap=self._lengths.code.latents,
            fixed_bits=millibits(self._lengths.code.fixed),
            plain_bits=plain_bits,
        )

    def _encoder(self, number: int) -> EncoderItem:
        latent, language = self._parts.latents[number], self._parts.language
        definition = as_written(latent.definition(self._names[number], language), self._propositions)
        size = latent.extension.size
        return EncoderItem(
            ClauseText(partial(Program, definition.clauses)),
            size,
            latent.literals,
            _dependencies((language.predicates[p] for p in latent.dependencies), self._parts.origins),
            self._lengths.encoder(definition.clauses, latent.extension.types, size),
        )

    def _decoder(self, decoder: Decoder) -> DecoderItem:
        names = {latent: self._names[latent] for latent in decoder.latents}
        return DecoderItem(
            ClauseText(partial(written_decoder, decoder.head, decoder.body, names, self._propositions)),
            decoder.predicate,
            tuple(sorted(self._position[i] for i in decoder.latents)),
            decoder.body.literals,
            decoder.true,
            decoder.false,
            self._decoder_bits(decoder),
            exclusive=decoder.body.step is not None,
        )

    def _decoder_bits(self, decoder: Decoder) -> int:
        """Return the description length of a decoder, measured once for all of its shape."""
        head, body = decoder.head, decoder.body
        views = (*body.views, *(() if body.step is None else (body.step,)))
        shape = (
            head.arguments,
            head.predicate in self._propositions,
            tuple((view.arguments, view.latent in self._worldly) for view in views),
            (body.shared, body.unequal, body.step is None, body.left, body.alternatives),
        )
        if shape not in self._bits:
            clauses = written_decoder(head, body, self._names, self._propositions).clauses
            self._bits[shape] = self._lengths.decoder(clauses)
        return self._bits[shape]

    def _encoder_generality(self) -> Inclusion | None:
        if not self._parts.generality:
            return None
        extensions = [self._parts.latents[i].extension for i in self._used]
        kinds = [encoder.dependencies if self._parts.masking else () for encoder in self._encoders]
        nodes, edges = self._engine.inclusions(extensions, kinds)
        return Inclusion(tuple(nodes), tuple(edges))


def _dependencies(mentioned: Iterable[str], origins: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the predicates that a definition depends on: those it mentions, and what they came from."""
    direct = set(mentioned)
    return tuple(sorted(direct.union(*(origins.get(name, ()) for name in direct))))
