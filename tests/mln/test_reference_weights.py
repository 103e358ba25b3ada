"""Weights that Alchemy learned: the likelihood at exactly these, and the optimum that it stopped short of.

The values come out with one world per file, each with the constants that occur in its own facts (not with
the union over the files), with a1 and a2 ranging over all pairs, equal ones included, and with the mean over
the atoms of a predicate taken for each file by itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.alchemy.network_reader import read_network
from logicoder.mln.counting import Counter
from logicoder.mln.formula_weights import learn_weights, wpll
from logicoder.mln.likelihood import pseudo_likelihood
from logicoder.mln.worlds import worlds_of


@pytest.fixture(scope="module")
def references(datasets: Path) -> Path:
    """The folder of networks with weights by Alchemy, beside that of the data sets."""
    folder = datasets.parent / "mln_reference"
    if not folder.is_dir():
        pytest.skip(f"no networks with weights by Alchemy in {folder}")
    return folder


@pytest.mark.parametrize(
    ("name", "reference", "optimum", "atoms", "rows", "merged"),
    [
        ("imdb", -4.071444, -4.0676, 13_349, 187, 139),
        ("uwcse", -8.397692, -8.3939, 214_719, 451, 254),
    ],
)
def test_alchemy_values(
    references: Path, name: str, reference: float, optimum: float, atoms: int, rows: int, merged: int
) -> None:
    folder = references / name
    schema = folder / f"{name}.mln"
    kb = KnowledgeBase.from_path(*(folder / f"f{fold}.db" for fold in (2, 3, 4, 5)), schema=schema)
    network = read_network(folder / "weighted.mln", kb.schema)
    counter = Counter(worlds_of(kb))
    assert wpll(network, counter, prior="gaussian", sigma=100.0) == pytest.approx(reference, abs=5e-7)
    # Equal rows of one world and predicate, and of all of them.
    clauses = [formula.literals for formula in network]
    found = sum(len(counter.rows(clauses, p, w)) for p in kb.schema for w in range(4))
    assert found == rows
    assert len(pseudo_likelihood(network, counter).shares) == merged
    learned = learn_weights(network, counter)
    assert learned.converged
    assert learned.value == pytest.approx(optimum, abs=5e-5)
    assert (learned.atoms, learned.rows) == (atoms, merged)
