"""Coverage: which atoms have exactly the same covering clauses, and which clauses cover more than others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.engine.database import Database
from logicoder.engine.fingerprint import column_orders
from logicoder.engine.products import cross_counts, incidence
from logicoder.engine.relation import Column, Relation, joint_keys, key_space, numbered

_SEED = 20190401


@dataclass(frozen=True, eq=False)
class Coverage:
    """The atoms of one predicate, in classes of equal truth and equal covering clauses.

    Attributes:
        true: truth of each class.
        weight: number of atoms of each class.
        clause: clause of each (clause, class) pair.
        coverage_class: class of each (clause, class) pair.
        uncovered: facts that no clause covers.
        atoms: number of atoms that some clause covers and that are true or false.
    """

    true: np.ndarray
    weight: np.ndarray
    clause: np.ndarray
    coverage_class: np.ndarray
    uncovered: int
    atoms: int


def coverage_classes(
    database: Database, types: Sequence[int], clauses: Sequence[tuple[Column, ...]], predicate: str
) -> Coverage:
    """Return the coverage classes of the atoms that some clauses derive; unknown atoms are left out."""
    owner = np.repeat(np.arange(len(clauses)), [len(c[0]) for c in clauses])
    derived = [
        np.concatenate([c[i] for c in clauses]) if clauses else np.empty(0, np.int32)
        for i in range(len(types))
    ]
    sizes = [database.sizes[kind] for kind in types]
    facts = database.relation(predicate).columns
    keys, fact_keys = joint_keys(derived, facts, sizes)
    atoms, numbers = numbered(keys, key_space(sizes))
    true = np.isin(atoms, fact_keys, assume_unique=True)
    known = np.ones(len(atoms), np.bool_)
    open_world = database.kb.schema[predicate].open_world
    listed = database.relation(predicate, "false" if open_world else "unknown")
    if open_world or len(listed):
        both, _ = joint_keys(
            [np.concatenate([d, c]) for d, c in zip(derived, listed.columns, strict=True)],
            [c[:0] for c in listed.columns],
            sizes,
        )
        listed_atoms = np.isin(np.unique(both[: len(keys)]), both[len(keys) :])
        known = true | listed_atoms if open_world else ~listed_atoms
    uncovered = len(fact_keys) - int(np.count_nonzero(true))
    marks = _marks(numbers, owner, len(atoms), len(clauses))
    rows = np.column_stack([marks, true.astype(np.uint64)])[known]
    kinds, first, inverse, counts = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    class_of = np.full(len(atoms), -1)
    class_of[known] = inverse.ravel()
    representative = np.zeros(len(atoms), np.bool_)
    representative[np.flatnonzero(known)[first]] = True
    chosen = representative[numbers]
    return Coverage(
        kinds[:, 2].astype(np.bool_),
        counts,
        owner[chosen],
        class_of[numbers[chosen]],
        uncovered,
        int(known.sum()),
    )


def _marks(atoms: np.ndarray, clauses: np.ndarray, atom_count: int, clause_count: int) -> np.ndarray:
    """Return a 128-bit mark of the set of clauses of each atom: the sum of random numbers of the clauses."""
    random = np.random.Generator(np.random.PCG64(_SEED)).integers(
        0, 2**64, size=(clause_count, 2), dtype=np.uint64, endpoint=False
    )
    found = np.zeros((2, atom_count), np.uint64)
    for half in (0, 1):
        np.add.at(found[half], atoms, random[clauses, half])
    return np.ascontiguousarray(found.T)


def strict_inclusions(sizes: np.ndarray, common: np.ndarray) -> list[tuple[int, int]]:
    """Return the transitive reduction of strict inclusion between distinct sets.

    Args:
        sizes: size of each set.
        common: size of the intersection of each pair; `common[a, b]` counts b inside a.

    Returns:
        pairs (larger, smaller).
    """
    larger = (common == sizes[None, :]) & (sizes[:, None] > sizes[None, :])
    step = larger.astype(np.float32)
    direct = larger & ~((step @ step) > 0.5)
    return [(int(a), int(b)) for a, b in np.argwhere(direct)]


def class_inclusions(coverage: Coverage, kinds: Sequence[object]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the nodes of clauses with equal coverage, and the reduced strict inclusions between nodes.

    Args:
        coverage: what each clause covers.
        kinds: the kind of each clause; only clauses of equal kind are compared.
    """
    nodes = [0] * len(kinds)
    edges: list[tuple[int, int]] = []
    offset = 0
    for kind in dict.fromkeys(kinds):
        members = np.array([i for i, other in enumerate(kinds) if other == kind])
        place = np.full(len(kinds), -1)
        place[members] = np.arange(len(members))
        own = place[coverage.clause] >= 0
        local, reduced = _inclusions(
            place[coverage.clause[own]], coverage.coverage_class[own], coverage.weight, len(members)
        )
        for member, node in zip(members.tolist(), local.tolist(), strict=True):
            nodes[member] = node + offset
        edges.extend((a + offset, b + offset) for a, b in reduced)
        offset += int(local.max()) + 1
    return nodes, edges


def _inclusions(
    clause: np.ndarray, coverage_class: np.ndarray, weight: np.ndarray, clauses: int
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    classes = len(weight)
    marks = _marks(clause, coverage_class, clauses, classes)
    _, first, nodes = np.unique(marks, axis=0, return_index=True, return_inverse=True)
    nodes = nodes.ravel()
    chosen = np.zeros(clauses, np.bool_)
    chosen[first] = True
    keep = chosen[clause]
    rows, columns = nodes[clause[keep]], coverage_class[keep]
    matrix = incidence(rows, columns, (len(first), classes))
    weighted = matrix.multiply(weight[None, :]).tocsr()
    common = cross_counts(weighted, matrix)
    return nodes, strict_inclusions(common.diagonal(), common)


def relation_inclusions(
    database: Database, relations: Sequence[Relation], kinds: Sequence[object]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return nodes and reduced strict inclusions of extensions, up to type-preserving column permutations.

    The relations are in normal column order (see `fingerprint.normalised`), so that equal extensions are
    equal as they stand. Only relations of equal kind are compared.
    """
    nodes = [0] * len(relations)
    edges: list[tuple[int, int]] = []
    groups: dict[tuple[tuple[int, ...], object], list[int]] = {}
    for index, (relation, kind) in enumerate(zip(relations, kinds, strict=True)):
        groups.setdefault((relation.types, kind), []).append(index)
    offset = 0
    for (types, _), members in groups.items():
        by_content: dict[tuple[bytes, ...], int] = {}
        for member in members:
            content = tuple(column.tobytes() for column in _sorted_columns(relations[member]))
            nodes[member] = offset + by_content.setdefault(content, len(by_content))
        firsts: dict[int, int] = {}
        for member in members:
            firsts.setdefault(nodes[member], member)
        chosen = [relations[firsts[offset + node]] for node in range(len(by_content))]
        edges.extend((a + offset, b + offset) for a, b in _group_inclusions(database, types, chosen))
        offset += len(by_content)
    return nodes, edges


def _sorted_columns(relation: Relation) -> list[Column]:
    order = np.lexsort(relation.columns[::-1])
    return [column[order] for column in relation.columns]


def _group_inclusions(
    database: Database, types: tuple[int, ...], relations: Sequence[Relation]
) -> list[tuple[int, int]]:
    owner = np.repeat(np.arange(len(relations)), [len(r) for r in relations])
    columns = [np.concatenate([r.columns[i] for r in relations]) for i in range(len(types))]
    sizes = np.array([len(r) for r in relations])
    most = np.zeros((len(relations), len(relations)), np.int64)
    for order in column_orders(types):
        left, right = joint_keys(
            columns, [columns[i] for i in order], [database.sizes[kind] for kind in types]
        )
        present, numbers = np.unique(np.concatenate([left, right]), return_inverse=True)
        shape = (len(relations), len(present))
        common = cross_counts(
            incidence(owner, numbers[: len(left)], shape), incidence(owner, numbers[len(left) :], shape)
        )
        most = np.maximum(most, common)
    return strict_inclusions(sizes, most)
