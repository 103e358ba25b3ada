"""Networks that are learned here predict at least as well as those of Alchemy.

Each predicate of a fold is asked for in turn, given all the others; the areas under the precision-recall
curves (Davis and Goadrich) are averaged over the predicates with facts. All folds of all data are in
benchmarks/mln_structure.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from logicoder import KnowledgeBase
from logicoder.evaluation.scores import auc_pr
from logicoder.mln import worlds_of
from logicoder.mln.inference import infer
from logicoder.mln.structure.structure_learner import learn_structure

ALCHEMY_ON_IMDB = 0.630


@pytest.fixture(scope="module")
def references(datasets: Path) -> Path:
    """The folds on which Alchemy was measured, beside the data sets."""
    folder = datasets.parent / "mln_reference"
    if not folder.is_dir():
        pytest.skip(f"no folds of Alchemy's measurements in {folder}")
    return folder


def read(references: Path, name: str, folds: Iterable[int]) -> KnowledgeBase:
    folder = references / name
    return KnowledgeBase.from_path(*(folder / f"f{i}.db" for i in folds), schema=folder / f"{name}.mln")


def mean_area(references: Path, name: str, fold: int, method: str, samples: int) -> float:
    learned = learn_structure(read(references, name, {1, 2, 3, 4, 5} - {fold}), method=method)
    kb = read(references, name, [fold])
    [world] = worlds_of(kb)
    found = []
    for predicate in kb.schema:
        truth = np.zeros(world.groundings(predicate), bool)
        truth[world.numbers(predicate)] = True
        if truth.any():
            marginals = infer(
                learned.network, kb, [predicate], samples=samples, burn_in=samples // 4, chains=2
            )
            found.append(auc_pr(truth, marginals.array(predicate, world.name)))
    return float(np.mean(found))


def test_busl_on_imdb_is_as_good_as_alchemy(references: Path) -> None:
    found = [mean_area(references, "imdb", fold, "busl", 40) for fold in range(1, 6)]
    assert np.mean(found) > ALCHEMY_ON_IMDB - 0.03, found


def test_exhaustive_on_imdb_is_better_than_alchemy(references: Path) -> None:
    found = [mean_area(references, "imdb", fold, "exhaustive", 40) for fold in range(1, 6)]
    assert np.mean(found) > ALCHEMY_ON_IMDB + 0.03, found


def test_busl_on_the_first_fold_of_uwcse(references: Path) -> None:
    found = mean_area(references, "uwcse", 1, "busl", 16)
    assert found > 0.40, found
