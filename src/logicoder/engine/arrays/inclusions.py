"""Inclusions: which extensions, and which sets of coverage classes, are inside others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.engine.arrays.array_handles import relation_of
from logicoder.engine.arrays.coverage import ArrayCoverage, member, random_marks
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.fingerprint import column_orders, mixed
from logicoder.engine.arrays.products import cross_counts, incidence
from logicoder.engine.arrays.relation import Relation, joint_keys, pack, packable
from logicoder.engine.handles import Extension, Fingerprint, Order

_SEED = 20190401

_MANY = 1_000_000
"""Extensions of more tuples than these are compared one by one, by samples first."""


def _marks(atoms: np.ndarray, clauses: np.ndarray, atom_count: int, clause_count: int) -> np.ndarray:
    """Return a 128-bit mark of the set of clauses of each atom: the sum of random numbers of the clauses."""
    random = random_marks(clause_count)
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
    return reduced((common == sizes[None, :]) & (sizes[:, None] > sizes[None, :]))


def reduced(larger: np.ndarray) -> list[tuple[int, int]]:
    """Return the transitive reduction of a strict order, given as a matrix: pairs (larger, smaller)."""
    step = larger.astype(np.float32)
    direct = larger & ~((step @ step) > 0.5)
    return [(int(a), int(b)) for a, b in np.argwhere(direct)]


def class_inclusions(coverage: ArrayCoverage, kinds: Sequence[object]) -> Order:
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
        for clause, node in zip(members.tolist(), local.tolist(), strict=True):
            nodes[clause] = node + offset
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


def extension_inclusions(
    database: Database, extensions: Sequence[Extension], kinds: Sequence[object]
) -> Order:
    """Return nodes and reduced strict inclusions of extensions, up to type-preserving column permutations.

    Only extensions of equal kind are compared.
    """
    nodes = [0] * len(extensions)
    edges: list[tuple[int, int]] = []
    groups: dict[tuple[tuple[int, ...], object], list[int]] = {}
    for index, (extension, kind) in enumerate(zip(extensions, kinds, strict=True)):
        groups.setdefault((extension.types, kind), []).append(index)
    offset = 0
    for (types, _), members in groups.items():
        by_content: dict[tuple[int, Fingerprint], int] = {}
        firsts: dict[int, int] = {}
        for index in members:
            content = (extensions[index].size, extensions[index].fingerprint)
            nodes[index] = offset + by_content.setdefault(content, len(by_content))
            firsts.setdefault(nodes[index], index)
        chosen = [relation_of(extensions[firsts[offset + node]]) for node in range(len(by_content))]
        edges.extend((a + offset, b + offset) for a, b in _group_inclusions(database, types, chosen))
        offset += len(by_content)
    return nodes, edges


def _group_inclusions(
    database: Database, types: tuple[int, ...], relations: Sequence[Relation]
) -> list[tuple[int, int]]:
    sizes = np.array([len(r) for r in relations])
    if sizes.sum() > _MANY and packable([database.sizes[kind] for kind in types]):
        return large_inclusions(database, types, relations)
    owner = np.repeat(np.arange(len(relations)), sizes)
    columns = [np.concatenate([r.columns[i] for r in relations]) for i in range(len(types))]
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


def large_inclusions(
    database: Database, types: tuple[int, ...], relations: Sequence[Relation]
) -> list[tuple[int, int]]:
    """Return the reduced strict inclusions of distinct large extensions.

    A sample of values tells nearly all pairs apart that are not comparable; what it leaves is made sure of,
    edge by edge. The sample does not depend on the order of columns: a tuple is in it if the sum of the mixed
    values is.
    """
    sizes = np.array([len(r) for r in relations])
    every = np.uint64(max(1, int(sizes.sum()) // _MANY))
    samples = []
    for relation in relations:
        # Of small extensions every tuple is looked at in the end, so that no sample of them is needed.
        total = np.zeros(len(relation), np.uint64)
        for column in relation.columns:
            total += mixed(column.astype(np.uint64) + np.uint64(_SEED))
        samples.append(relation.select(mixed(total) % every == 0))
    inclusions = _Inclusions(database, types, relations)
    maybe = np.zeros((len(relations), len(relations)), np.bool_)
    partial = _Inclusions(database, types, samples)
    for large, small in np.argwhere(sizes[:, None] > sizes[None, :]).tolist():
        maybe[large, small] = partial.inside(small, large)
    sure: set[tuple[int, int]] = set()
    while True:
        edges = reduced(maybe)
        wrong = [edge for edge in edges if edge not in sure and not inclusions.inside(edge[1], edge[0])]
        if not wrong:
            return edges
        sure.update(edge for edge in edges if edge not in wrong)
        for edge in wrong:
            maybe[edge] = False


class _Inclusions:
    """Tests of inclusion up to type-preserving column permutations."""

    def __init__(self, database: Database, types: tuple[int, ...], relations: Sequence[Relation]) -> None:
        self._sizes = [database.sizes[kind] for kind in types]
        self._orders = list(column_orders(types))
        self._relations = relations
        self._keys: dict[int, np.ndarray] = {}

    def inside(self, small: int, large: int) -> bool:
        """Whether an extension, in some order of its columns, is inside another."""
        if large not in self._keys:
            self._keys[large] = np.sort(pack(self._relations[large].columns, self._sizes))
        columns = self._relations[small].columns
        for order in self._orders:
            keys = pack([columns[i] for i in order], self._sizes)
            # A few tuples settle most questions.
            if all(member(part, self._keys[large])[1].all() for part in (keys[:64], keys)):
                return True
        return False
