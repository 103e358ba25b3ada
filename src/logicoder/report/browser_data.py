"""Everything that the fact browser of a page needs, as compact plain data: facts as columns of numbers.

The page finds derivations by itself, from the facts of all levels and the clauses between them, so that it
can explain any atom. Of very large data it holds some facts only, with explanations made beforehand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from logicoder.autoencoder.explainer import Explainer, atom_of
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.engine.arrays.array_derivations import Derivations
from logicoder.engine.arrays.difference import rows_inside
from logicoder.kb.knowledge_base import KnowledgeBase, Truth
from logicoder.kb.table import FactTable
from logicoder.logic.terms import Atom, Clause, Literal, Variable

MOST_ATOMS = 400_000
"""Data with more atoms on all levels together is shown by a sample."""

SAMPLE = 1_000
"""Atoms in such a sample."""


def browsable(
    explainer: Explainer,
    outcome: Reconstruction,
    *,
    most: int = MOST_ATOMS,
    sample: int = SAMPLE,
    seed: int = 0,
) -> dict[str, Any]:
    """Return what the fact browser needs.

    Args:
        explainer: the programs, run on the data.
        outcome: what came back.
        most: data with more atoms than this is sampled.
        sample: size of the sample.
        seed: of the sample.
    """
    total = len(explainer.data) + sum(len(level.outputs) for level in explainer.levels)
    if total > most:
        return _sampled(explainer, outcome, sample, seed)
    return _Columns().content(explainer)


class _Columns:
    """Facts as columns of numbers, and clauses in the same numbers."""

    def __init__(self) -> None:
        self._symbols: dict[str, int] = {}

    def content(self, explainer: Explainer) -> dict[str, Any]:
        levels: list[dict[str, Any]] = [{"predicates": self._predicates(explainer.data), "clauses": []}]
        for level in explainer.levels:
            predicates = self._predicates(level.outputs, level)
            clauses = [self._clause(clause) for clause in level.program]
            levels.append({"predicates": predicates, "clauses": clauses})
        self._compare(explainer, levels)
        return {
            "worlds": list(explainer.data.interpretations),
            "levels": levels,
            "background": sorted(explainer.background),
            "kept": sorted(explainer.kept),
            "glosses": explainer.glosses(),
            "names": self._names(explainer),
            "symbols": list(self._symbols),
        }

    @staticmethod
    def _compare(explainer: Explainer, levels: list[dict[str, Any]]) -> None:
        """Add the rows of facts that are missing, and of derived atoms that are not facts."""
        back = explainer.levels[-1].outputs
        for name, stored in levels[0]["predicates"].items():
            facts = explainer.data.table(name)
            rebuilt = back.table(name) if name in back.schema else FactTable.empty(facts.arity)
            # Levels number the constants of the data as the data does, and new ones after them.
            if name not in explainer.kept:
                stored["missing"] = np.flatnonzero(~rows_inside(facts, rebuilt)).tolist()
            if name in levels[-1]["predicates"]:
                added = np.flatnonzero(~rows_inside(rebuilt, facts)).tolist()
                levels[-1]["predicates"][name]["added"] = added

    @staticmethod
    def _names(explainer: Explainer) -> dict[str, str]:
        """Return how predicates are written that need quotation marks."""
        everyone = {*explainer.data.schema, *(n for level in explainer.levels for n in level.defined)}
        return {name: text for name in sorted(everyone) if (text := str(Atom(name))) != name}

    def _number(self, symbol: str) -> int:
        return self._symbols.setdefault(symbol, len(self._symbols))

    def _predicates(self, kb: KnowledgeBase, level: Derivations | None = None) -> dict[str, Any]:
        numbers = [self._number(symbol) for symbol in kb.symbols]
        found: dict[str, Any] = {}
        for name, predicate in kb.schema.items():
            stages = level.stages(name) if level is not None else None
            one: dict[str, Any] = {"arity": predicate.arity, **self._table(kb, name, "true", numbers)}
            if stages is not None:
                one["stages"] = stages.tolist()
            for mark, holds in (("open", predicate.open_world), ("background", predicate.background)):
                if holds:
                    one[mark] = True
            for truth in ("false", "unknown"):
                if kb.count(name, truth):
                    one[truth] = self._table(kb, name, truth, numbers)
            found[name] = one
        return found

    @staticmethod
    def _table(kb: KnowledgeBase, name: str, truth: Truth, numbers: list[int]) -> dict[str, Any]:
        table: FactTable = kb.table(name, truth)
        return {
            "rows": len(table),
            "worlds": table.worlds.tolist() if len(kb.interpretations) > 1 else None,
            "columns": [[numbers[i] for i in column] for column in table.arguments.T.tolist()],
        }

    def _clause(self, clause: Clause) -> dict[str, Any]:
        return {
            "head": self._atom(clause.head),
            "bodies": [
                [{"kind": _kind(literal), "atom": self._atom(literal.atom)} for literal in body]
                for body in clause.alternatives
            ],
        }

    def _atom(self, atom: Atom) -> list[Any]:
        """Return the predicate and the terms: a number for a constant, `?` and its name for a variable."""
        return [
            atom.predicate,
            *(f"?{t.name}" if isinstance(t, Variable) else self._number(t.symbol) for t in atom.arguments),
        ]


def _kind(literal: Literal) -> str:
    return "differ" if literal.inequality else "holds" if literal.positive else "fails"


def _sampled(explainer: Explainer, outcome: Reconstruction, sample: int, seed: int) -> dict[str, Any]:
    """Return explanations of some atoms: a third each of missing, false and rebuilt ones if there are."""
    generator = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    right = outcome.facts - len(outcome.missing)
    counts = {"missing": len(outcome.missing), "false": len(outcome.false), "reconstructed": right}
    asked: list[tuple[str, str, str]] = []
    for number, (state, total) in enumerate(counts.items()):
        room = (sample - len(asked)) // (len(counts) - number)
        rows = sorted(generator.sample(range(total), min(room, total)))
        asked += _picked(outcome, state, rows)
    return {
        "worlds": list(explainer.data.interpretations),
        "counts": counts,
        "answers": [
            {"state": state, **explainer.explain(atom, interpretation=world, limit=2).as_dict()["answers"][0]}
            for state, atom, world in asked
        ],
    }


def _picked(outcome: Reconstruction, state: str, rows: list[int]) -> Iterator[tuple[str, str, str]]:
    """Iterate over atoms of one kind by their places."""
    source = {"missing": outcome.missing, "false": outcome.false}.get(state)
    wanted = iter(rows)
    following = next(wanted, None)
    facts = (source if source is not None else outcome.back).facts()
    for place, fact in enumerate(facts):
        if place == following:
            yield state, str(atom_of(fact)), fact.interpretation
            following = next(wanted, None)
        if following is None:
            return
