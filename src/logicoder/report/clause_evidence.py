"""What speaks for each clause of a model: what it derives, how much of that is right, and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal as Choice

import numpy as np

from logicoder.autoencoder.explainer import Explainer
from logicoder.engine.arrays.array_derivations import Derivations
from logicoder.engine.arrays.difference import rows_inside
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.table import FactTable
from logicoder.logic.terms import Atom, Clause, Constant, Program

EXAMPLES = 3
"""Most ground instances to show of one clause."""

Part = Choice["encoder", "decoder"]


@dataclass(frozen=True)
class Example:
    """A ground instance of a clause; `right` says whether its head is a fact, None where nobody knows."""

    head: str
    body: tuple[str, ...]
    interpretation: str
    right: bool | None


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
    explainer: Explainer,
    programs: Iterable[tuple[Program, Program]],
    *,
    bases: Mapping[str, str] | None = None,
    examples: int = EXAMPLES,
) -> list[LayerEvidence]:
    """Return what speaks for the clauses of each layer.

    Args:
        explainer: the programs, run on the data.
        programs: encoder and decoder of each layer, from the data upwards.
        bases: the relation of each base that is kept.
        examples: most ground instances of each clause.
    """
    pairs = list(programs)
    found = []
    for layer, (encoder, decoder) in enumerate(pairs, start=1):
        below = explainer.levels[layer - 2].outputs if layer > 1 else explainer.data
        up, down = explainer.levels[layer - 1], explainer.levels[2 * len(pairs) - layer]
        gathered = [
            tuple(
                _one(level, clause, part, layer, number, below if part == "decoder" else None, examples)
                for number, clause in enumerate(program, start=1)
            )
            for part, program, level in _parts(encoder, decoder, up, down)
        ]
        # What a background program defines is read like data.
        kept = {n: (bases or {}).get(n, n) for n in below.schema if n in explainer.kept and layer == 1}
        inputs = {name: below.count(name) for name in below.schema if kept.get(name, name) == name} | {
            name: up.outputs.count(name) for name in up.outputs.schema if name not in encoder.defined()
        }
        found.append(
            LayerEvidence(
                gathered[0],
                gathered[1],
                inputs,
                {name: up.outputs.count(name) for name in encoder.defined()}
                | {name: below.count(name) for name in kept},
                {name: _right(down.outputs, below, name) for name in decoder.defined()}
                | {name: below.count(name) for name, of in kept.items() if name == of},
                kept,
                frozenset(n for n in inputs if n not in below.schema or below.schema[n].background),
            )
        )
    return found


def _parts(
    encoder: Program, decoder: Program, up: Derivations, down: Derivations
) -> Iterator[tuple[Part, Program, Derivations]]:
    yield "encoder", encoder, up
    yield "decoder", decoder, down


def _right(rebuilt: KnowledgeBase, facts: KnowledgeBase, name: str) -> int:
    if name not in facts.schema:
        return 0
    # Levels number the constants of the data as the data does, and new ones after them.
    return int(rows_inside(rebuilt.table(name), facts.table(name)).sum())


def _one(
    level: Derivations,
    clause: Clause,
    part: Part,
    layer: int,
    number: int,
    facts: KnowledgeBase | None,
    examples: int,
) -> ClauseEvidence:
    parts = [level.heads(clause.head, body) for body in clause.alternatives]
    atoms = FactTable.distinct(
        np.concatenate([table.worlds for table in parts]),
        np.concatenate([table.arguments for table in parts]),
    )
    found = ClauseEvidence(clause, part, layer, number, len(atoms))
    verdicts = np.zeros(len(atoms), np.int8)
    if facts is not None:
        verdicts = _verdicts(atoms, facts, clause.head.predicate)
        found = replace(found, true=int((verdicts > 0).sum()), false=int((verdicts < 0).sum()))
    shown = tuple(_examples(level, clause, atoms, verdicts, examples, judged=facts is not None))
    return replace(found, examples=shown)


def _verdicts(atoms: FactTable, facts: KnowledgeBase, name: str) -> np.ndarray:
    """Return 1 for atoms that are facts, -1 for those that are wrong, 0 where nobody knows."""
    if name not in facts.schema:
        return np.full(len(atoms), -1, np.int8)
    right = rows_inside(atoms, facts.table(name))
    if facts.schema[name].open_world:
        wrong = rows_inside(atoms, facts.table(name, "false"))
    else:
        wrong = ~right & ~rows_inside(atoms, facts.table(name, "unknown"))
    return right.astype(np.int8) - wrong.astype(np.int8)


def _examples(
    level: Derivations, clause: Clause, atoms: FactTable, verdicts: np.ndarray, count: int, *, judged: bool
) -> Iterator[Example]:
    """Iterate over some instances: right ones, and in the last place a wrong one if there is any."""
    symbols = level.database.symbols
    wrong = np.flatnonzero(verdicts < 0)
    others = np.flatnonzero(verdicts >= 0)[: count - bool(len(wrong))]
    for row in [*others, *wrong[: count - len(others)]]:
        world = int(atoms.worlds[row])
        head = Atom(clause.head.predicate, tuple(Constant(symbols[i]) for i in atoms.arguments[row].tolist()))
        # A recursive clause may derive a fact again that came from another one: then there is no instance.
        instance = next(level.instances(head, world, clause), None)
        if instance is not None:
            verdict = int(verdicts[row])
            yield Example(
                str(head),
                tuple(map(str, instance.body)),
                level.outputs.interpretations[world],
                verdict > 0 if judged and verdict else None,
            )
