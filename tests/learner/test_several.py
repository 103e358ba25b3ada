"""Several compressions from one enumeration: the same programs as from one fit each."""

from __future__ import annotations

import sys

import pytest

from logicoder import AutoEncoder
from logicoder.base.errors import InfeasibleError, SearchError, UsageError
from logicoder.datasets import star_wars_figure, university

VALUES = ["0.6", "0.8", "1.2"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"encoder_length": 1},
        {"encoder_length": 1, "objective": "masked", "mask_weight": 3},
        {"encoder_length": 1, "bottlenecks": ("average",), "dominance": False, "max_corruption": 0.5},
        {"working_set": 10, "rounds": 2},  # candidates in rounds
    ],
    ids=["default", "masked", "average", "rounds"],
)
def test_one_enumeration_serves_all_compressions(parameters):
    kb = university(people=20, seed=2).kb
    common = {"effort": 1.0, "reconstruct_all": False, **parameters}
    for value, model in zip(VALUES, AutoEncoder(**common).fit_several(kb, VALUES), strict=True):
        alone = AutoEncoder(compression=value, **common).fit(kb)
        assert model.compression == value
        assert (model.encoder_, model.decoder_) == (alone.encoder_, alone.decoder_)
        assert (model.loss_, model.masked_, model.latent_facts_) == (
            alone.loss_,
            alone.masked_,
            alone.latent_facts_,
        )


def test_mask_weights_vary_as_well():
    kb = university(people=40, noise=0.1, seed=2).kb
    common = {"encoder_length": 1, "objective": "masked", "effort": 1.0, "compression": "0.6"}
    variations = [{"mask_weight": weight} for weight in ("0", "1/3", 9)]
    models = list(AutoEncoder(**common).fit_several(kb, variations))
    for variation, model in zip(variations, models, strict=True):
        alone = AutoEncoder(**common, **variation).fit(kb)
        assert model.get_params()["mask_weight"] == variation["mask_weight"]
        assert (model.encoder_, model.decoder_) == (alone.encoder_, alone.decoder_)
        assert (model.objective_, model.masked_) == (alone.objective_, alone.masked_)
    assert models[0].masked_ > models[2].masked_


def test_nothing_else_may_vary():
    with pytest.raises(UsageError, match="seed: only compression and mask_weight may vary"):
        list(AutoEncoder().fit_several(star_wars_figure(), [{"seed": 1}]))


def test_candidates_that_take_too_long_end_all_of_them(monkeypatch):
    monkeypatch.setattr(sys.modules["logicoder.learner.time_budget"], "_GRACE", 0.0)
    kb = university(people=60, seed=2).kb
    found = list(AutoEncoder(3, 3, time_limit=1e-3).fit_several(kb, VALUES))
    assert [type(error) for error in found] == [SearchError] * 3


def test_an_impossible_compression_does_not_stop_the_others():
    found = list(AutoEncoder().fit_several(star_wars_figure(), ["0.01", "1"]))
    assert isinstance(found[0], InfeasibleError)
    assert found[1].loss_ == 0
