"""Which of the accepted candidates become part of a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from logicoder.engine.handles import Decoder
from logicoder.engine.questions import Choice, DecoderStatistics, Signature

from .set_handles import Candidate, SetCounted, SetDecoder
from .set_rows import mark

_WANTED = 50
Row = tuple[int, int, SetCounted, Candidate]
"""A candidate with the place of its predicate and its own among all."""


def chosen(
    counted: Sequence[SetCounted],
    choice: Choice,
    statistics: DecoderStatistics,
    seen: set[Signature],
    places: dict[str, int],
) -> list[Decoder]:
    """Choose candidates; see `Engine.choose`."""
    every = [(batch, body) for batch in counted for body in batch.bodies]
    rows: list[Row] = [
        (places[batch.head.predicate], n, batch, body) for n, (batch, body) in enumerate(every)
    ]

    def protected(row: Row) -> bool:
        return frozenset(row[3].body.latents) in choice.protected

    def idle(row: Row) -> bool:
        return row[3].idle and not protected(row)

    if choice.drop_extensions:
        kept = [row for row in rows if not idle(row) or set(row[3].body.latents) & set(choice.needed)]
        statistics.extensions += len(rows) - len(kept)
        rows = kept
    rows.sort(key=lambda row: (row[0], row[3].body.literals, row[1]))
    if choice.most is not None and len(rows) > choice.most:
        best = _best(rows, choice, idle if choice.drop_extensions is None else lambda _: False)
        best |= {row[1] for row in rows if protected(row)}
        statistics.limit += len(rows) - len(best)
        rows = sorted((row for row in rows if row[1] in best), key=lambda row: row[1])
    found: list[Decoder] = []
    for row in rows:
        _, _, batch, item = row
        name, recursive = batch.head.predicate, item.body.step is not None
        signature = (name, item.body.latents, recursive, item.true, item.false, mark(item.atoms))
        if choice.merge_signature_variants and not protected(row):
            if signature in seen:
                statistics.signature_variants += 1
                continue
            seen.add(signature)
        found.append(SetDecoder(batch.head, item.body, item.true, item.false, item.atoms))
    return found


def _best(rows: list[Row], choice: Choice, last: Callable[[Row], bool]) -> set[int]:
    """Return the numbers of the best rows where there are too many."""
    assert choice.most is not None

    def cost(row: Row) -> int:
        return sum(choice.weights[latent] for latent in row[3].body.latents)

    def gain(row: Row) -> float:
        return row[3].worth - row[3].false

    def in_turn(some: Iterable[Row], rank: Callable[[Row], float], count: int) -> set[int]:
        """Return the rows of least rank, predicates taking turns."""
        turns: dict[int, int] = {}
        ordered = sorted(some, key=lambda row: (rank(row), cost(row), row[3].body.literals, row[1]))
        numbered = []
        for row in ordered:
            turns[row[0]] = turns.get(row[0], 0) + 1
            numbered.append((turns[row[0]], row[0], row[1]))
        return {number for _, _, number in sorted(numbered)[:count]}

    one = _one_of_each(row for row in rows if not last(row))
    if choice.thrifty:
        paying = [row for row in one if gain(row) > 0]
        best = in_turn(one, lambda row: -gain(row), choice.most // 2)
        best |= in_turn(paying, lambda row: -gain(row) / max(cost(row), 1), choice.most // 4)
        best |= in_turn(paying, cost, choice.most // 4)
    else:
        best = in_turn(one, lambda row: -gain(row), choice.most)
        others = _one_of_each(row for row in rows if last(row))
        best |= in_turn(others, lambda row: -gain(row), choice.most - len(best))
    for latent in choice.wanted:
        best |= in_turn(
            (row for row in one if latent in row[3].body.latents), lambda row: -gain(row), _WANTED
        )
    return best


def _one_of_each(rows: Iterable[Row]) -> list[Row]:
    """Return the first row of each predicate, set of latents, and numbers of true and false atoms."""
    found: dict[object, Row] = {}
    for row in rows:
        found.setdefault((row[0], row[3].body.latents, row[3].true, row[3].false), row)
    return list(found.values())
