"""The data sets of the paper's experiments, with its settings: lengths two and two, γ = 1/2."""

from __future__ import annotations

from pathlib import Path

import pytest

from logicoder import AutoEncoder, KnowledgeBase


def folds(datasets: Path, folder: str, *names: str) -> KnowledgeBase:
    place = datasets / folder
    kb = KnowledgeBase.from_path(*(place / f"{name}.db" for name in names), schema=place / "schema.mln")
    assert len(kb.interpretations) == len(names)
    return kb


def learn(kb: KnowledgeBase, **options) -> AutoEncoder:
    learned = AutoEncoder.from_preset("paper", encoder_length=2, decoder_length=2, compression=0.5, **options)
    learned.fit(kb)
    outcome = learned.reconstruct(kb)
    assert outcome.loss == learned.loss_ == learned.missing_ + learned.false_
    assert outcome.latent_facts == learned.latent_facts_
    assert 0 <= learned.bound_ <= learned.loss_
    mean = learned.latent_facts_ / len(learned.encoder_)
    assert mean <= 0.5 * kb.size / len(kb.learnable)
    return learned


@pytest.mark.parametrize(
    ("folder", "names"), [("webkb", ("cornell", "texas")), ("imdb", ("imdb1", "imdb2", "imdb3"))]
)
def test_webkb_and_imdb_are_solved_to_optimality(datasets, folder, names) -> None:
    learned = learn(folds(datasets, folder, *names))
    assert (learned.loss_, learned.status_) == (0, "optimal")


def test_cora_ends_with_a_loss_and_a_bound(datasets) -> None:
    learned = learn(folds(datasets, "cora_er", "cora1", "cora2", "cora3"), effort=10.0)
    assert learned.loss_ < learned.facts_
    assert learned.status_ in ("optimal", "feasible")


def test_uwcse_is_nearly_lossless(datasets) -> None:
    """The largest of the problems: millions of decoder candidates."""
    learned = learn(folds(datasets, "uwcse", "ai", "graphics", "language"), effort=1.0)
    assert learned.loss_ <= 5
