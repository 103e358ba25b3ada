"""What speaks for each clause of a model: what it derives, how much of that is right, and examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal as Choice

from logicoder.logic.terms import Clause, Program
from logicoder.report.level_counts import Example, Judged, LevelCounts

Part = Choice["encoder", "decoder"]


@dataclass(frozen=True)
class ClauseEvidence:
    """One clause with what it does on the data.

    Attributes:
        clause: the clause.
        part: which of the programs it belongs to.
        layer: the layer, from 1.
        number: its place in the program, from 1.
        derived: distinct facts that it derives.
        true: of a decoder, those that are facts.
        false: of a decoder, those that are wrong; what is of unknown truth is neither.
        examples: some ground instances.
    """

    clause: Clause
    part: Part
    layer: int
    number: int
    derived: int
    true: int = 0
    false: int = 0
    examples: tuple[Example, ...] = ()

    @property
    def key(self) -> str:
        """A name for it on a page."""
        return f"{self.part}-{self.layer}-{self.number}"

    @property
    def corruption(self) -> float:
        """The share of false atoms."""
        return self.false / max(1, self.true + self.false)


@dataclass(frozen=True)
class LayerEvidence:
    """The clauses of one layer, and the facts of the predicates that it reads and makes.

    Attributes:
        encoder: the encoder clauses.
        decoder: the decoder clauses.
        inputs: facts of each predicate below.
        latents: facts of each latent predicate.
        rebuilt: of each predicate below, the facts that come back.
        kept: what is kept beside the latents, with the predicate below that it belongs to.
        given: predicates below that are background: nothing has to bring them back.
    """

    encoder: tuple[ClauseEvidence, ...]
    decoder: tuple[ClauseEvidence, ...]
    inputs: dict[str, int]
    latents: dict[str, int]
    rebuilt: dict[str, int]
    kept: dict[str, str] = field(default_factory=dict)
    given: frozenset[str] = frozenset()


def evidence_of(
    counts: LevelCounts,
    programs: Sequence[tuple[Program, Program]],
    *,
    bases: Mapping[str, str] | None = None,
) -> list[LayerEvidence]:
    """Return what speaks for the clauses of each layer.

    Args:
        counts: counts on the levels of the programs, run on the data.
        programs: encoder and decoder of each layer, from the data upwards.
        bases: the relation of each base that is kept.
    """
    found = []
    for layer, (encoder, decoder) in enumerate(programs, start=1):
        below, up, down = layer - 1, layer, 2 * len(programs) - layer + 1
        known = counts.schema(below)
        gathered = {
            part: tuple(
                ClauseEvidence(clause, part, layer, number, one.derived, one.true, one.false, one.examples)
                for number, (clause, one) in enumerate(zip(program, judged, strict=True), start=1)
            )
            for part, program, judged in _parts(counts, encoder, decoder, below, up, down)
        }
        # What a background program defines is read like data.
        kept = {n: (bases or {}).get(n, n) for n in known if n in counts.explainer.kept and layer == 1}
        inputs = {name: counts.count(below, name) for name in known if kept.get(name, name) == name} | {
            name: counts.count(up, name) for name in counts.schema(up) if name not in encoder.defined()
        }
        found.append(
            LayerEvidence(
                gathered["encoder"],
                gathered["decoder"],
                inputs,
                {name: counts.count(up, name) for name in encoder.defined()}
                | {name: counts.count(below, name) for name in kept},
                {name: counts.right(down, name, below) for name in decoder.defined()}
                | {name: counts.count(below, name) for name, of in kept.items() if name == of},
                kept,
                frozenset(n for n in inputs if n not in known or known[n].background),
            )
        )
    return found


def _parts(
    counts: LevelCounts, encoder: Program, decoder: Program, below: int, up: int, down: int
) -> Iterator[tuple[Part, Program, list[Judged]]]:
    yield "encoder", encoder, counts.judged(up, encoder, None)
    yield "decoder", decoder, counts.judged(down, decoder, below)


def with_examples(layers: Sequence[LayerEvidence], others: Sequence[LayerEvidence]) -> list[LayerEvidence]:
    """Return counts of clauses with the examples that the same clauses have on other data."""

    def joined(
        items: Sequence[ClauseEvidence], shown: Sequence[ClauseEvidence]
    ) -> tuple[ClauseEvidence, ...]:
        return tuple(replace(own, examples=x.examples) for own, x in zip(items, shown, strict=True))

    return [
        replace(own, encoder=joined(own.encoder, x.encoder), decoder=joined(own.decoder, x.decoder))
        for own, x in zip(layers, others, strict=True)
    ]
