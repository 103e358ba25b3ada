"""Baselines for suggestions: rules of one or two literals, each by itself, and frequencies of arguments."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from logicoder import KnowledgeBase
from logicoder.base.sorted_keys import in_sorted
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.rule_tables import RuleTables, join_size
from logicoder.engine.arrays.rules.spaces import key_columns, sorted_keys
from logicoder.logic.terms import Atom, Constant

LEAST_TRUE, LEAST_SHARE = 2, 0.05
MOST_WALKS = 3_000_000
SMALL = 150  # entities, up to which dense matrices are faster
MOST_RANKED = 50_000
MOST_ATOMS = 20_000_000

Scored = tuple[str, np.ndarray, np.ndarray]
"""A predicate, atoms of it as keys, and their scores."""


class SingleRules:
    """Rankings of atoms by rules that know nothing of each other.

    Args:
        kb: the data.
    """

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb, self.database = kb, Database(kb)
        usable = [name for name in kb.predicates if kb.schema[name].arity]
        self._relations = {name: self.database.relation(name) for name in usable}
        self._tables = RuleTables(self.database, self._relations)
        self._heads = [name for name in kb.learnable if kb.schema[name].arity]
        self._sizes = {n: [self.database.sizes[kind] for kind in r.types] for n, r in self._relations.items()}
        self._facts = {name: sorted_keys(self._relations[name], self._sizes[name]) for name in self._heads}

    def one_rule(self, task: str) -> Iterator[tuple[str, str]]:
        """Rank by the rule of each predicate whose precision times its true atoms is largest."""
        found = []
        for name, rules in self._rules.items():
            if rules:
                best = max(rules, key=lambda rule: rule[1] * rule[0])
                found.append(self._judged(name, *best[1:], task))
        return self._ranked(found)

    def best_rule(self, task: str) -> Iterator[tuple[str, str]]:
        """Rank each atom by the most precise rule that derives it; facts by the best that does not."""
        found = []
        for name, rules in self._rules.items():
            if not rules:
                continue
            if task == "wrong":
                parts = [self._judged(name, share, atoms, task) for _, share, atoms in rules if share > 0.5]
            else:
                parts = [self._judged(name, share, atoms, task) for _, share, atoms in rules]
            if parts:
                keys = np.concatenate([part[1] for part in parts])
                scores = np.concatenate([part[2] for part in parts])
                order = np.lexsort((-scores, keys))
                keys, first = np.unique(keys[order], return_index=True)
                found.append((name, keys, scores[order][first]))
        return self._ranked(found)

    def frequency(self, task: str) -> Iterator[tuple[str, str]]:
        """Rank by how often the arguments of an atom occur at their places, more often than not together."""
        found = []
        for name in self._heads:
            facts, sizes = self._facts[name], self._sizes[name]
            columns = key_columns(facts, sizes)
            counts = [np.bincount(c, minlength=s).astype(float) for c, s in zip(columns, sizes, strict=True)]
            if task == "wrong":
                scores = np.prod([n[c] for n, c in zip(counts, columns, strict=True)], axis=0)
                found.append((name, facts, -scores / max(1, len(facts)) ** (len(sizes) - 1)))
            elif len(sizes) == 2:
                found.append(self._products(name, counts))
        return self._ranked(found)

    def _products(self, name: str, counts: list[np.ndarray]) -> Scored:
        values = [np.flatnonzero(count) for count in counts]
        if len(values[0]) * len(values[1]) > MOST_ATOMS:  # the most frequent ones are enough
            values = [np.sort(np.argsort(-count)[:3000]) for count in counts]
        types = self._relations[name].types
        worlds = [self.database.world_of[kind][own] for kind, own in zip(types, values, strict=True)]
        scores = np.outer(counts[0][values[0]], counts[1][values[1]]) / max(1, len(self._facts[name]))
        scores[worlds[0][:, None] != worlds[1][None, :]] = 0
        keys = (values[0][:, None].astype(np.int64) * self._sizes[name][1] + values[1][None, :]).ravel()
        scores = scores.ravel()
        wanted = (scores > 0) & ~in_sorted(keys, self._facts[name])
        keys, scores = keys[wanted], scores[wanted]
        if len(keys) > MOST_ATOMS // 4:  # of large relations only what can be ranked, ties included
            wanted = scores >= np.partition(scores, -MOST_RANKED)[-MOST_RANKED]
            keys, scores = keys[wanted], scores[wanted]
        return name, keys, scores

    @cached_property
    def _rules(self) -> dict[str, list[tuple[int, float, np.ndarray]]]:
        """Facts, precision and atoms of all rules of each predicate."""
        found: dict[str, list[tuple[int, float, np.ndarray]]] = {name: [] for name in self._heads}
        groups: dict[tuple[int, ...], list[str]] = {}
        for name in self._heads:
            groups.setdefault(self._relations[name].types, []).append(name)
        keys = {kinds: np.concatenate([self._facts[n] for n in names]) for kinds, names in groups.items()}
        owners = {
            kinds: np.repeat(np.arange(len(names)), [len(self._facts[n]) for n in names])
            for kinds, names in groups.items()
        }
        for kinds, skip, atoms in self._bodies():
            held = owners[kinds][in_sorted(keys[kinds], atoms)]  # all heads of these types at once
            counts = np.bincount(held, minlength=len(groups[kinds]))
            shares = (counts + 1) / (len(atoms) + 2)
            for place in np.flatnonzero((counts >= LEAST_TRUE) & (shares >= LEAST_SHARE)).tolist():
                name = groups[kinds][place]
                if name != skip:
                    found[name].append((int(counts[place]), float(shares[place]), atoms))
        return found

    def _bodies(self) -> Iterator[tuple[tuple[int, ...], str | None, np.ndarray]]:
        """Iterate over what bodies derive: types, the head that they say nothing about, and atoms."""
        wanted = {self._relations[name].types for name in self._heads}
        for column in self._tables.columns:
            if (column.kind,) in wanted:
                own = column.predicate if column.arity == 1 else None
                yield (column.kind,), own, column.values.astype(np.int64)
        for kind in range(1, len(self.database.sizes)):
            if (kind, kind) in wanted:
                yield (
                    (kind, kind),
                    None,
                    np.arange(self.database.sizes[kind]) * (self.database.sizes[kind] + 1),
                )
        views = self._tables.views
        for view in views:
            if view.types in wanted:
                plain = view.columns == (0, 1) and view.arity == 2
                yield view.types, view.predicate if plain else None, view.keys
        small = {id(v): v.matrix.toarray() for v in views if max(v.matrix.shape) <= SMALL}
        for first in views:
            for second in views:
                kinds = (first.types[0], second.types[1])
                joined = kinds in wanted and first.types[1] == second.types[0]
                if not joined or join_size(first, second) > MOST_WALKS:
                    continue
                if id(first) in small and id(second) in small:
                    yield kinds, None, np.flatnonzero(small[id(first)] @ small[id(second)])
                else:
                    product = (first.matrix @ second.matrix).tocsr()
                    rows = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
                    yield kinds, None, np.sort(rows.astype(np.int64) * product.shape[1] + product.indices)

    def _judged(self, name: str, share: float, atoms: np.ndarray, task: str) -> Scored:
        facts = self._facts[name]
        if task == "hidden":
            wanted = atoms[~in_sorted(atoms, facts)]
            return name, wanted, np.full(len(wanted), share)
        doubted = facts[~in_sorted(facts, atoms)]
        score = (len(facts) - len(doubted) + 1) / (len(facts) + 2)
        return name, doubted, np.full(len(doubted), score)

    def _ranked(self, found: list[Scored]) -> Iterator[tuple[str, str]]:
        """Iterate over atoms, the best first; equal ones in an order that says nothing."""
        if not found:
            return
        scores = np.concatenate([part[2] for part in found])
        where = np.concatenate([np.full(len(part[1]), number) for number, part in enumerate(found)])
        keys = np.concatenate([part[1] for part in found])
        mixed = np.random.Generator(np.random.PCG64(0)).permutation(len(scores))
        for row in mixed[np.argsort(-scores[mixed], kind="stable")][:MOST_RANKED].tolist():
            yield self._text(found[where[row]][0], keys[row])

    def _text(self, name: str, key: int) -> tuple[str, str]:
        types = self._relations[name].types
        columns = key_columns(np.array([key]), self._sizes[name])
        entities = [(kind, int(column[0])) for kind, column in zip(types, columns, strict=True)]
        symbols = [self.database.symbols[self.database.symbol_of[kind][e]] for kind, e in entities]
        world = int(self.database.world_of[entities[0][0]][entities[0][1]])
        return self.kb.interpretations[world], str(Atom(name, tuple(map(Constant, symbols))))
