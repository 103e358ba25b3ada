"""Candidates in rounds: always a valid program, honest bounds, and nothing is lost on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase
from logicoder.base.progress import Event, Improved, PhaseStarted
from logicoder.base.stopping import StopToken
from logicoder.candidates import rounds
from logicoder.datasets import university
from logicoder.learner import checkpoint
from tiny_data import REPEATABLE, SIGNATURES, knowledge_bases, zero_scope


def programs(model: AutoEncoder) -> tuple[str, str]:
    return str(model.encoder_), str(model.decoder_)


@settings(REPEATABLE, max_examples=20)
@given(
    kb=knowledge_bases(SIGNATURES),
    working_set=st.sampled_from((1, 2, 5)),
    compression=st.sampled_from(("0.6", "0.8", "1")),
    seed=st.integers(0, 3),
)
def test_a_small_working_set_gives_valid_programs(kb, working_set, compression, seed) -> None:
    options = {"compression": compression, "seed": seed, "effort": 5.0}
    try:
        whole = AutoEncoder(**options).fit(kb)
    except InfeasibleError:
        whole = None
    try:
        model = AutoEncoder(**options, working_set=working_set, rounds=20).fit(kb)
    except InfeasibleError:
        # The first problem may have too few candidates; what is infeasible with all of them stays so.
        event("infeasible" if whole is None else "infeasible for want of candidates")
        return
    outcome = model.reconstruct(kb)
    assert (outcome.loss, outcome.latent_facts) == (model.loss_, model.latent_facts_)
    assert whole is not None
    assert model.bound_ <= model.loss_
    assert model.loss_ >= whole.bound_
    event("rounds" if model.statistics_["candidates"]["rounds"] else "no rounds")
    event("as good as all at once" if model.loss_ == whole.loss_ else "worse than all at once")
    lazy = whole.statistics_["candidates"]["after_naming_variants"] > working_set
    assert model.bound_scope_ == zero_scope(model, "pruned" if lazy else "enumerated")
    assert programs(AutoEncoder(**options, working_set=working_set, rounds=20).fit(kb)) == programs(model)
    # The constraints hold: the bottleneck, and every predicate that can be rebuilt is.
    assert model.latent_facts_ <= Fraction(compression) * kb.size
    rebuilt = {clause.head.predicate for clause in model.decoder_}
    assert rebuilt | set(model.problem_.irreparable) == set(kb.learnable)


@pytest.fixture(scope="module")
def world() -> KnowledgeBase:
    """A noisy world: under its bottleneck no program is without loss, so that rounds go on."""
    return university(people=20, noise=0.1, seed=2).kb


@pytest.fixture
def small_rounds(monkeypatch) -> None:
    """Few latents in each round, so that there are several."""
    monkeypatch.setattr(rounds, "_PAIRED", 25)


OPTIONS = {
    "compression": "0.5",
    "working_set": 5,
    "rounds": 3,
    "effort": 4.0,
    "max_decoders": 1000,
    "objective": "loss",
    "reconstruct_all": False,
}


class Watcher:
    """Counts selections, and calls somebody when one begins, when it improves, or when it is over."""

    def __init__(self, at: str, number: int, action) -> None:
        self._wanted, self._action = (at, number), action
        self._solved = 0
        self.losses: list[int] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, PhaseStarted):
            self._solved += event.phase == "solve"
            if (event.phase, self._solved) == self._wanted:
                self._action()
        if isinstance(event, Improved):
            self.losses.append(event.loss)
            if self._wanted == ("improved", self._solved):
                self._action()


@pytest.mark.usefixtures("small_rounds")
def test_more_rounds_are_no_worse(world) -> None:
    losses = [AutoEncoder(**OPTIONS | {"rounds": rounds}).fit(world).loss_ for rounds in (0, 1, 3)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


@pytest.mark.usefixtures("small_rounds")
@pytest.mark.parametrize("phase", ["decoders", "problem", "solve"])
def test_stopping_in_a_round_keeps_the_program(world, phase) -> None:
    stop = StopToken()
    # After the first selection; the phase `decoders` of the first round comes between.
    number = 2 if phase == "solve" else 1
    watcher = Watcher(phase, number, lambda: stop.stop("interrupted"))
    model = AutoEncoder(**OPTIONS, reporter=watcher).fit(world, stop=stop)
    assert model.stopped_ == "interrupted"
    assert model.loss_ == min(watcher.losses)
    assert model.reconstruct(world).loss == model.loss_
    assert model.bound_scope_ == zero_scope(model, "pruned")


@pytest.mark.usefixtures("small_rounds")
def test_the_time_limit_in_a_round_keeps_the_program(world) -> None:
    stop = StopToken()
    watcher = Watcher("decoders", 1, lambda: stop.allow(0))
    model = AutoEncoder(**OPTIONS, time_limit=1000.0, reporter=watcher).fit(world, stop=stop)
    assert model.stopped_ == "time limit"
    assert model.loss_ == min(watcher.losses)


class KilledError(Exception):
    """Stands for the end of the process."""


def kill() -> None:
    raise KilledError


@pytest.mark.usefixtures("small_rounds")
class TestCheckpoints:
    @pytest.mark.parametrize("at", [("improved", 1), ("decoders", 1), ("solve", 2), ("improved", 2)])
    def test_a_killed_run_goes_on_with_its_program(self, world, tmp_path, at) -> None:
        watcher = Watcher(*at, kill)
        with pytest.raises(KilledError):
            AutoEncoder(**OPTIONS, checkpoint=tmp_path, reporter=watcher).fit(world)
        resumed = AutoEncoder(**OPTIONS, checkpoint=tmp_path, resume=True).fit(world)
        assert resumed.loss_ <= min(watcher.losses)
        # Rounds that were to follow have their turn.
        assert resumed.loss_ <= AutoEncoder(**OPTIONS).fit(world).loss_
        assert resumed.reconstruct(world).loss == resumed.loss_
        assert resumed.bound_scope_ == "pruned"

    def test_so_does_one_that_is_killed_between_two_files(self, world, tmp_path, monkeypatch) -> None:
        """The problem of a round and the selection from it are two files: any state of them is whole."""
        writers = {"text": checkpoint.write_text, "problem": checkpoint.save_problem}
        written: list[str] = []

        def run(folder: Path, most: int) -> None:
            """Fit, and be killed instead of writing one file more."""

            def limited(kind: str) -> Callable[..., None]:
                def write(*arguments: object) -> None:
                    if len(written) == most:
                        raise KilledError
                    writers[kind](*arguments)
                    written.append(kind)

                return write

            written.clear()
            with monkeypatch.context() as patch:
                patch.setattr(checkpoint, "write_text", limited("text"))
                patch.setattr(checkpoint, "save_problem", limited("problem"))
                AutoEncoder(**options, checkpoint=folder).fit(world)

        options = OPTIONS | {"rounds": 1}
        run(tmp_path / "whole", 1_000_000)
        second = [number for number, kind in enumerate(written) if kind == "problem"][1]
        losses = []
        for most in range(second - 2, second + 3):
            folder = tmp_path / str(most)
            with pytest.raises(KilledError):
                run(folder, most)
            losses.append(json.loads((folder / "best.json").read_text())["loss"])
            resumed = AutoEncoder(**options, checkpoint=folder, resume=True).fit(world)
            assert resumed.loss_ <= losses[-1]
            assert resumed.reconstruct(world).loss == resumed.loss_
        assert losses[0] < world.size


def test_long_decoders_over_many_latents_come_in_rounds(world) -> None:
    options = {"encoder_length": 2, "compression": "0.4", "effort": 4.0, "objective": "loss"}
    options |= {"reconstruct_all": False, "max_latent_arity": 1}
    short = AutoEncoder(**options, decoder_length=2).fit(world)
    long = AutoEncoder(**options, decoder_length=3).fit(world)
    candidates = long.statistics_["candidates"]
    assert candidates["after_naming_variants"] > 24
    assert candidates["rounds"] > 0
    assert short.statistics_["candidates"]["rounds"] == 0
    assert long.loss_ <= short.loss_
    assert long.bound_scope_ == zero_scope(long, "pruned")
    assert long.reconstruct(world).loss == long.loss_
