"""Two models compared: their clauses up to names, and on data their latents and reconstructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable, number_rows
from logicoder.logic.canonical import Meaning, canonical_clause, meanings
from logicoder.logic.terms import Clause, Program

if TYPE_CHECKING:
    from logicoder.autoencoder.model_codec import Codec

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class ClauseDifference:
    """Definitions or clauses that two programs share up to names, and those that only one has.

    Attributes:
        common: pairs of texts, as the first and as the second model writes them.
        only_first: texts of the first model alone.
        only_second: texts of the second model alone.
    """

    common: tuple[tuple[str, str], ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


@dataclass(frozen=True)
class LatentMatch:
    """How a latent predicate of one model relates to one of the other, on data.

    Attributes:
        first: predicate of the first model.
        second: predicate of the second model.
        relation: `equal`, `within` (all facts of the first are facts of the second) or `contains`.
        columns: for each argument of the second, the argument of the first that it equals, from 1.
        sizes: number of facts of both.
    """

    first: str
    second: str
    relation: str
    columns: tuple[int, ...]
    sizes: tuple[int, int]


@dataclass(frozen=True)
class AtomCounts:
    """Atoms that come back from both models, from one of them, or from none."""

    both: int
    only_first: int
    only_second: int
    neither: int | None = None


@dataclass(frozen=True)
class DataDifference:
    """Two models on the same data.

    Attributes:
        latents: pairs of equal extension, and for the others the nearest that contain them or lie within.
        unmatched_first: latent predicates of the first model that have no relation to any of the second.
        unmatched_second: those of the second model.
        facts: facts of the data that come back.
        false: atoms that come back and are not facts.
        loss: missing and false atoms of both.
        missing: missing facts of both.
        latent_facts: number of latent facts of both.
        size: number of facts of the data.
    """

    latents: tuple[LatentMatch, ...]
    unmatched_first: tuple[str, ...]
    unmatched_second: tuple[str, ...]
    facts: AtomCounts
    false: AtomCounts
    loss: tuple[int, int]
    missing: tuple[int, int]
    latent_facts: tuple[int, int]
    size: int


@dataclass(frozen=True)
class Difference:
    """What two models have in common, and where they differ.

    Attributes:
        encoder: definitions of latent predicates.
        decoder: decoder clauses, over latents of equal definition.
        data: the comparison of both models on data, if any was given.
    """

    encoder: ClauseDifference
    decoder: ClauseDifference
    data: DataDifference | None = None

    @property
    def same_programs(self) -> bool:
        """Whether the programs are equal up to names and order."""
        parts = (self.encoder, self.decoder)
        return not any(part.only_first or part.only_second for part in parts)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"same_programs": self.same_programs, **asdict(self)}

    def __str__(self) -> str:
        blocks = []
        for title, part in (("Encoder", self.encoder), ("Decoder", self.decoder)):
            blocks.append("\n".join([f"{title}: {len(part.common)} in common", *_clause_lines(part)]))
        if self.data is not None:
            blocks.append("\n".join(_data_lines(self.data)))
        return "\n\n".join(blocks)


def compare_models(first: Codec, second: Codec, kb: KnowledgeBase | None = None) -> Difference:
    """Compare the programs of two models, and on data what they derive.

    >>> from logicoder import AutoEncoder
    >>> one = AutoEncoder.from_programs("l(X,Y) :- p(X,Y).", "p(X,Y) :- l(X,Y).")
    >>> two = AutoEncoder.from_programs("m(B,A) :- p(A,B). n(A) :- q(A).", "p(A,B) :- m(B,A). q(A) :- n(A).")
    >>> print(compare_models(one, two))
    Encoder: 1 in common
      = l(X,Y) :- p(X,Y).      m(B,A) :- p(A,B).
      > n(A) :- q(A).
    <BLANKLINE>
    Decoder: 1 in common
      = p(X,Y) :- l(X,Y).      p(A,B) :- m(B,A).
      > q(A) :- n(A).
    """
    known = meanings(first.encoder_), meanings(second.encoder_)
    encoder = _difference(
        *(
            {m.text: _definition(program, name) for name, m in found.items()}
            for program, found in zip((first.encoder_, second.encoder_), known, strict=True)
        )
    )
    decoder = _difference(_decoders(first.decoder_, known[0]), _decoders(second.decoder_, known[1]))
    data = None if kb is None else _on_data(first, second, kb)
    return Difference(encoder, decoder, data)


def _definition(program: Program, name: str) -> str:
    return " ".join(str(clause) for clause in program if clause.head.predicate == name)


def _decoders(program: Program, known: Mapping[str, Meaning]) -> dict[str, str]:
    alternatives = (Clause(clause.head, (body,)) for clause in program for body in clause.alternatives)
    return {canonical_clause(clause, known): str(clause) for clause in alternatives}


def _difference(first: Mapping[str, str], second: Mapping[str, str]) -> ClauseDifference:
    return ClauseDifference(
        tuple((text, second[key]) for key, text in first.items() if key in second),
        tuple(text for key, text in first.items() if key not in second),
        tuple(text for key, text in second.items() if key not in first),
    )


# -- on data ------------------------------------------------------------------------------------------


def _on_data(first: Codec, second: Codec, kb: KnowledgeBase) -> DataDifference:
    outcomes = first.reconstruct(kb), second.reconstruct(kb)
    alike = _same_places(outcomes[0].data.schema, outcomes[1].data.schema)
    known = {kind for kind, _ in alike}
    # Types of constants that only a background program mentions have the same name in both.
    alike |= {(t, t) for p in outcomes[0].latent.schema.values() for t in p.types if t not in known}
    matches = _matches(outcomes[0].latent, outcomes[1].latent, alike)
    names = [set(model.encoder_.defined()) for model in (first, second)]
    rebuilt = [_atoms(outcome.back) for outcome in outcomes]
    false = [_atoms(outcome.false) for outcome in outcomes]
    return DataDifference(
        matches,
        tuple(sorted(names[0] - {match.first for match in matches})),
        tuple(sorted(names[1] - {match.second for match in matches})),
        _counts(rebuilt, outcomes[0].facts),
        _counts(false),
        (outcomes[0].loss, outcomes[1].loss),
        (len(outcomes[0].missing), len(outcomes[1].missing)),
        (outcomes[0].latent_facts, outcomes[1].latent_facts),
        outcomes[0].facts,
    )


def _same_places(first: Schema, second: Schema) -> set[tuple[str, str]]:
    """Return the pairs of types that both models give to the same argument of a predicate.

    Each model may have learned under types of its own: what is a `person` to one is a `thing` to the other.
    """
    shared = (name for name in first if name in second)
    return {pair for name in shared for pair in zip(first[name].types, second[name].types, strict=False)}


def _atoms(kb: KnowledgeBase) -> set[tuple[str, str]]:
    return {(fact.interpretation, str(fact)) for fact in kb}


def _counts(atoms: Sequence[set[tuple[str, str]]], total: int | None = None) -> AtomCounts:
    first, second = atoms
    neither = None if total is None else total - len(first | second)
    return AtomCounts(len(first & second), len(first - second), len(second - first), neither)


def _matches(
    first: KnowledgeBase, second: KnowledgeBase, alike: set[tuple[str, str]]
) -> tuple[LatentMatch, ...]:
    """Pair latents of equal extension, and give each of the others its nearest in both directions.

    Args:
        first: latent facts of the first model.
        second: those of the second.
        alike: types of the first and the second model that mean the same.
    """
    found: list[LatentMatch] = []
    symbols = {
        symbol: number for number, symbol in enumerate(dict.fromkeys((*first.symbols, *second.symbols)))
    }
    for arity in sorted({p.arity for p in first.schema.values()}):
        mine = {n: _table(first, n, symbols) for n, p in first.schema.items() if p.arity == arity}
        theirs = {n: _table(second, n, symbols) for n, p in second.schema.items() if p.arity == arity}
        orders = list(permutations(range(arity)))
        turned = {
            (name, order): FactTable(table.worlds, table.arguments[:, list(order)])
            for name, table in theirs.items()
            for order in orders
        }
        _, numbers = number_rows([*mine.values(), *turned.values()])
        own = dict(zip(mine, numbers[: len(mine)], strict=True))
        others = dict(zip(turned, numbers[len(mine) :], strict=True))
        related = [
            match
            for name, rows in own.items()
            for (other, order), there in others.items()
            if alike.issuperset(zip(first.schema[name].types, _turned(second, other, order), strict=True))
            if (match := _related(name, rows, other, there, order)) is not None
        ]
        found += _nearest(related)
    return tuple(found)


def _turned(kb: KnowledgeBase, name: str, order: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(kb.schema[name].types[i] for i in order)


def _table(kb: KnowledgeBase, name: str, symbols: Mapping[str, int]) -> FactTable:
    """Return the facts of a predicate in a numbering of constants that both models share."""
    table = kb.table(name)
    numbers = np.array([symbols[symbol] for symbol in kb.symbols], np.int32)
    return FactTable(table.worlds, numbers[table.arguments] if table.arity else table.arguments)


def _related(first: str, rows: Rows, second: str, others: Rows, order: tuple[int, ...]) -> LatentMatch | None:
    small, large = sorted((rows, others), key=len)
    if not len(small) or not np.isin(small, large, assume_unique=True).all():
        return None
    relation = "equal" if len(small) == len(large) else "within" if small is rows else "contains"
    # Column i of the first is column order[i] of the second.
    columns = tuple(order.index(place) + 1 for place in range(len(order)))
    return LatentMatch(first, second, relation, columns, (len(rows), len(others)))


def _nearest(matches: Sequence[LatentMatch]) -> list[LatentMatch]:
    """Keep one equal partner of each latent, and of those without one the nearest that relate to them."""
    equal: list[LatentMatch] = []
    for match in matches:
        if match.relation == "equal" and not any(
            match.first == other.first or match.second == other.second for other in equal
        ):
            equal.append(match)
    paired = {match.first for match in equal}, {match.second for match in equal}
    rest: list[LatentMatch] = []
    seen: set[tuple[int, str, str]] = set()
    for match in sorted(matches, key=lambda m: (abs(m.sizes[0] - m.sizes[1]), m.first, m.second, m.columns)):
        ends = {(0, match.first, match.relation), (1, match.second, match.relation)}
        wanted = {end for end in ends if end[1] not in paired[end[0]]} - seen
        if wanted:
            rest.append(match)
            seen |= wanted
    return [*equal, *rest]


# -- text ---------------------------------------------------------------------------------------------


def _clause_lines(part: ClauseDifference) -> list[str]:
    width = max((len(text) for text, _ in part.common), default=0)
    pairs = (text if text == other else f"{text:<{width}}      {other}" for text, other in part.common)
    signs = (("=", pairs), ("<", part.only_first), (">", part.only_second))
    return [f"  {sign} {text}" for sign, texts in signs for text in texts]


def _data_lines(data: DataDifference) -> list[str]:
    lines = ["Latent predicates on the data"]
    for match in data.latents:
        columns = ", ".join(map(str, match.columns))
        order = "" if list(match.columns) == sorted(match.columns) else f" (columns {columns})"
        sizes = f"{match.sizes[0]:,} and {match.sizes[1]:,} facts"
        sign = "=" if match.relation == "equal" else match.relation
        lines.append(f"  {match.first} {sign} {match.second}{order}, {sizes}")
    lines += [f"  < {name}" for name in data.unmatched_first]
    lines += [f"  > {name}" for name in data.unmatched_second]
    facts, false = data.facts, data.false
    lines += [
        "",
        _line("", "both", "only 1st", "only 2nd", "neither"),
        _line("facts rebuilt", facts.both, facts.only_first, facts.only_second, facts.neither),
        _line("false atoms", false.both, false.only_first, false.only_second),
        "",
        _line("", "1st", "2nd"),
        _line("loss", *data.loss),
        _line("missing", *data.missing),
        _line("latent facts", *data.latent_facts),
    ]
    return lines


def _line(title: str, *cells: str | int | None) -> str:
    texts = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells)
    return f"{title:<14}" + "".join(
        f"{text:>{width}}" for text, width in zip(texts, (8, 10, 10, 9), strict=False)
    )
