"""Coverage: which atoms have exactly the same covering decoders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.base.sorted_keys import distinct, inside
from logicoder.engine.arrays.array_handles import atoms_of, own
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import sorted_matches
from logicoder.engine.arrays.relation import Column, joint_keys, pack, packable
from logicoder.engine.handles import Coverage, Decoder

_SEED = 20190401


@dataclass(frozen=True, eq=False)
class ArrayCoverage(Coverage):
    """Coverage classes with what it takes to split them.

    Attributes:
        weight: number of atoms of each class.
        clause: decoder of each (decoder, class) pair.
        coverage_class: class of each (decoder, class) pair.
        serials: the decoders, by their serial numbers.
        others: keys of the atoms that are not facts, sorted.
        class_of: class of each atom, facts first; -1 where it is not covered or not known.
    """

    weight: np.ndarray
    clause: np.ndarray
    coverage_class: np.ndarray
    serials: list[int]
    others: np.ndarray
    class_of: np.ndarray


def coverage_classes(
    database: Database, predicate: str, decoders: Sequence[Decoder], former: ArrayCoverage | None = None
) -> ArrayCoverage:
    """Return the coverage classes of the atoms that some decoders derive; unknown atoms are left out.

    Decoders come one after the other, and only the numbers of their atoms are kept, so that memory grows with
    the number of different atoms rather than with all that is derived. Those that a former coverage knows are
    not looked at again: every atom of one of its classes is covered by the same of them.
    """
    types = database.relation(predicate).types
    sizes = [database.sizes[kind] for kind in types]
    serials = [own(decoder).serial for decoder in decoders]
    known = {} if former is None else {serial: place for place, serial in enumerate(former.serials)}
    kept = [(place, known[serial]) for place, serial in enumerate(serials) if serial in known]
    if former is None or not packable(sizes) or 2 * len(kept) < len(decoders):
        former, kept = None, []
    again = {place for place, _ in kept}
    fresh = [place for place in range(len(decoders)) if place not in again]
    keys, fact_keys, listed_keys = _atom_keys(
        database, types, [atoms_of(decoders[place]) for place in fresh], predicate
    )
    facts = np.sort(fact_keys)
    numbers, others = _numbered(keys, facts, None if former is None else former.others)
    listed = inside(others, listed_keys)
    is_open = database.kb.schema[predicate].open_world
    known_atoms = np.concatenate([np.ones(len(facts), np.bool_), listed if is_open else ~listed])
    random = random_marks(len(decoders))
    marks = np.zeros((len(known_atoms), 2), np.uint64)
    old_class = np.full(len(known_atoms), -1, np.int64)
    clause, old = np.empty(0, np.int64), np.empty(0, np.int64)
    if former is not None:
        old_class = _placed(former, others, len(facts))
        clause, old = _kept_pairs(former, kept)
        of_class = np.zeros((len(former.weight), 2), np.uint64)
        np.add.at(of_class, old, random[clause])
        covered = old_class >= 0
        marks[covered] = of_class[old_class[covered]]
    for place, atoms in zip(fresh, numbers, strict=True):
        marks[atoms] += random[place]
    return _classes(serials, facts, others, known_atoms, marks, (fresh, numbers), (clause, old, old_class))


def _classes(
    serials: list[int],
    facts: np.ndarray,
    others: np.ndarray,
    known: np.ndarray,
    marks: np.ndarray,
    fresh: tuple[Sequence[int], Sequence[np.ndarray]],
    kept: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> ArrayCoverage:
    """Return the classes of atoms of equal mark and truth.

    Args:
        serials: the decoders.
        facts: keys of the facts.
        others: keys of all other atoms.
        known: which atoms are true or false.
        marks: a mark of the set of decoders of each atom.
        fresh: decoders, and the atoms of each.
        kept: decoder and former class of (decoder, former class) pairs, and the former class of each atom.
    """
    covered = np.flatnonzero(known & marks.any(axis=1))
    true = covered < len(facts)
    order = np.lexsort((true, marks[covered, 1], marks[covered, 0]))
    covered, true = covered[order], true[order]
    changes = np.ones(len(covered), np.bool_)
    changes[1:] = (marks[covered[1:]] != marks[covered[:-1]]).any(axis=1) | (true[1:] != true[:-1])
    first = np.flatnonzero(changes)
    class_of = np.full(len(known), -1, np.int32)
    class_of[covered[first]] = np.arange(len(first))
    # One atom of each class tells which decoders cover it.
    pairs = [found[found >= 0] for found in (class_of[atoms] for atoms in fresh[1])]
    clause = [np.repeat(np.asarray(fresh[0], np.int64), [len(found) for found in pairs])]
    if len(kept[0]):
        firsts = covered[first]
        again, classes = _matches(kept[1], kept[2][firsts])
        clause.append(kept[0][again])
        pairs.append(classes)
    class_of[covered] = np.cumsum(changes) - 1
    found_clause = np.concatenate(clause)
    found_class = np.concatenate(pairs) if pairs else np.empty(0, np.int64)
    weight = np.diff(np.append(first, len(covered)))
    return ArrayCoverage(
        _covering(true[first], weight, found_clause, found_class),
        len(facts) - int(np.count_nonzero(true)),
        len(covered),
        weight,
        found_clause,
        found_class,
        serials,
        others,
        class_of,
    )


def _covering(
    true: np.ndarray, weight: np.ndarray, clause: np.ndarray, coverage_class: np.ndarray
) -> list[tuple[bool, int, tuple[int, ...]]]:
    """Return truth, weight and decoders of each class."""
    order = np.lexsort((clause, coverage_class))
    members = clause[order].tolist()
    borders = np.searchsorted(coverage_class[order], np.arange(len(weight) + 1)).tolist()
    return [
        (truth, count, tuple(members[low:high]))
        for truth, count, low, high in zip(
            true.tolist(), weight.tolist(), borders[:-1], borders[1:], strict=True
        )
    ]


def _numbered(
    keys: Iterable[np.ndarray], facts: np.ndarray, former: np.ndarray | None
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the numbers of the atoms of each decoder, facts first, and the keys of all others, sorted."""
    numbers: list[np.ndarray] = []
    strangers: list[np.ndarray] = []
    for clause in keys:
        ordered = np.sort(clause)
        place, hit = member(ordered, facts)
        numbers.append(place[hit].astype(np.int32))
        strangers.append(ordered[~hit])
    others = distinct(np.concatenate([np.empty(0, np.int64) if former is None else former, *strangers]))
    for number, (covered, found) in enumerate(zip(numbers, strangers, strict=True)):
        places = (np.searchsorted(others, found) + len(facts)).astype(np.int32)
        numbers[number] = np.concatenate([covered, places])
    return numbers, others


def _placed(former: ArrayCoverage, others: np.ndarray, facts: int) -> np.ndarray:
    """Return the former class of each atom, among which there are further ones now."""
    found = np.full(facts + len(others), -1, np.int64)
    found[:facts] = former.class_of[:facts]
    found[facts + np.searchsorted(others, former.others)] = former.class_of[facts:]
    return found


def _kept_pairs(former: ArrayCoverage, kept: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the (decoder, class) pairs of a former coverage whose decoders are still there, renumbered."""
    place = np.full(len(former.serials), -1, np.int64)
    place[[old for _, old in kept]] = [new for new, _ in kept]
    stays = place[former.clause] >= 0
    return place[former.clause[stays]], former.coverage_class[stays].astype(np.int64)


def _matches(old: np.ndarray, former: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return, for pairs with former classes, the pairs and the present classes that come from these.

    Args:
        old: former class of each pair.
        former: former class of one atom of each present class, -1 for none.
    """
    order = np.argsort(former, kind="stable")
    pair, place = sorted_matches(old, former[order], None)
    return pair, order[place].astype(np.int32)


def _atom_keys(
    database: Database, types: Sequence[int], clauses: Sequence[tuple[Column, ...]], predicate: str
) -> tuple[Iterable[np.ndarray], np.ndarray, np.ndarray]:
    """Return keys of the atoms of each clause, of the facts, and of unknown atoms or explicit negatives."""
    sizes = [database.sizes[kind] for kind in types]
    facts = database.relation(predicate).columns
    open_world = database.kb.schema[predicate].open_world
    listed = database.relation(predicate, "false" if open_world else "unknown").columns
    if packable(sizes):
        return (pack(clause, sizes) for clause in clauses), pack(facts, sizes), pack(listed, sizes)
    tables = [*clauses, facts, listed]
    stacked = [np.concatenate([table[i] for table in tables]) for i in range(len(types))]
    keys, _ = joint_keys(stacked, [column[:0] for column in stacked], sizes)
    *parts, fact_keys, listed_keys, _ = np.split(keys, np.cumsum([len(table[0]) for table in tables]))
    return parts, fact_keys, listed_keys


def member(keys: np.ndarray, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of each key in a sorted table, and which keys are there."""
    if not len(table):
        return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
    place = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return place, np.asarray(table[place] == keys)


def random_marks(count: int) -> np.ndarray:
    """Return random numbers of so many things; sums of those of a set are a 128-bit mark of it."""
    return np.random.Generator(np.random.PCG64(_SEED)).integers(
        0, 2**64, size=(count, 2), dtype=np.uint64, endpoint=False
    )
