"""Results of inference: the probabilities of atoms, and their scores against the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.evaluation.scores import CLIP, Scores, mean_scores, score
from logicoder.kb.formats.alchemy.results import Arguments, PredicateResults, Results
from logicoder.kb.knowledge_base import KnowledgeBase, Truth
from logicoder.mln.inference.result import Marginals, MostProbable


@dataclass(frozen=True)
class ResultScores:
    """How good results are.

    Attributes:
        predicates: the scores of each predicate, the atoms of all interpretations together.
        mean: their means.
        left_out: the predicates that `mean_of_others` leaves out.
        mean_of_others: the means over the others.
        missing: facts of these predicates that the results do not list; no score counts them.
        unknown: atoms of unknown truth, which are left out.
    """

    predicates: Mapping[str, Scores]
    mean: Scores
    left_out: tuple[str, ...]
    mean_of_others: Scores
    missing: int
    unknown: int


def results_of(found: Marginals | MostProbable) -> Results:
    """Return the probabilities of the open atoms of the query predicates; 0 and 1 for a most probable one."""
    results: dict[str, dict[str, PredicateResults]] = {}
    for interpretation in found.interpretations:
        part = results.setdefault(interpretation, {})
        for predicate in found.query:
            numbers, atoms = found.open_atoms(predicate, interpretation)
            values = found.array(predicate, interpretation)[numbers].astype(float)
            part[predicate] = PredicateResults(atoms, values)
    return results


def joined_results(parts: Sequence[Results]) -> Results:
    """Return the results of several queries as one."""
    joined: dict[str, dict[str, PredicateResults]] = {}
    for results in parts:
        for interpretation, predicates in results.items():
            joined.setdefault(interpretation, {}).update(predicates)
    return joined


def score_results(
    results: Results, kb: KnowledgeBase, leave_out: Sequence[str] = (), *, clip: float = CLIP
) -> ResultScores:
    """Score results against the facts of a knowledge base; other atoms are false, unless unknown.

    Results of a single interpretation match the only one of the knowledge base, regardless of its name.

    Args:
        results: the probabilities.
        kb: the truth.
        leave_out: names or patterns, such as `same*`, of predicates to leave out of a second mean.
        clip: see `cll`.

    Raises:
        UsageError: for interpretations and predicates that the data does not have.
    """
    worlds = dict(zip(kb.interpretations, kb.split(), strict=True))
    if len(results) == len(worlds) == 1:
        worlds = dict(zip(results, worlds.values(), strict=True))
    truths: dict[str, list[np.ndarray]] = {}
    probabilities: dict[str, list[np.ndarray]] = {}
    missing = unknown = 0
    for interpretation, parts in results.items():
        if interpretation not in worlds:
            raise UsageError(
                f"the data has no interpretation {interpretation}; it has: {', '.join(kb.interpretations)}"
            )
        world = worlds[interpretation]
        for name, part in parts.items():
            if name not in kb.schema:
                raise UsageError(
                    f"the data has no predicate {name}; it has: {', '.join(kb.schema)}; "
                    "if all its atoms are false, read the data with a schema that declares it"
                )
            true = set(_atoms(world, name, "true"))
            open_atoms = set(_atoms(world, name, "unknown"))
            kept = np.array([atom not in open_atoms for atom in part.atoms], bool)
            holds = np.array([atom in true for atom in part.atoms], bool)
            truths.setdefault(name, []).append(holds[kept])
            probabilities.setdefault(name, []).append(part.probabilities[kept])
            missing += len(true.difference(part.atoms))
            unknown += int((~kept).sum())
    scores = {
        name: score(np.concatenate(truths[name]), np.concatenate(probabilities[name]), clip=clip)
        for name in sorted(truths)
    }
    left_out = tuple(name for name in scores if any(fnmatchcase(name, pattern) for pattern in leave_out))
    return ResultScores(
        scores, mean_scores(scores), left_out, mean_scores(scores, left_out), missing, unknown
    )


def _atoms(kb: KnowledgeBase, name: str, truth: Truth) -> Iterator[Arguments]:
    for row in kb.table(name, truth).arguments.tolist():
        yield tuple(kb.symbols[i] for i in row)
