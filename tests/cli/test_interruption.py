"""Ctrl-C, SIGTERM and SIGHUP."""

from __future__ import annotations

import importlib
import json
import os
import signal
import time

import pytest
from tests.waiting import ended

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.progress import PhaseStarted
from logicoder.cli.guard import QuitError
from logicoder.cli.interruption import Interruption
from logicoder.datasets import university

from .helpers import invoke, started, wait_for


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A noisy world: to prove anything about it takes long."""
    path = tmp_path_factory.mktemp("world") / "university.pl"
    university(facts=1200, noise=0.2, seed=1).kb.save(path)
    return path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_best_program_is_kept(number, world, tmp_path):
    process = started(
        "fit", world, "--bottleneck", "average=0.6", "--max-decoders", 2000, "--effort", 1_000_000,
        "--checkpoint", tmp_path / "state", "--output", tmp_path / "model", "--json",
    )  # fmt: skip
    wait_for(tmp_path / "state" / "best.json", process)
    process.send_signal(number)
    out, err = ended(process)
    assert process.returncode == 130, err
    found = json.loads(out)
    assert found["stopped"] == "interrupted"
    assert found["loss"] < found["facts"]
    assert "interrupted" in err
    assert "Traceback" not in err
    model = AutoEncoder.load(tmp_path / "model")
    assert list(map(str, model.decoder_)) == found["decoder"]


def test_before_there_is_a_program(world, tmp_path):
    process = started(
        "fit",
        world,
        "--encoder-length",
        3,
        "--checkpoint",
        tmp_path / "state",
        "--output",
        tmp_path / "model",
    )
    wait_for(tmp_path / "state" / "checkpoint.json", process)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130
    assert (out, err) == ("", "Error: interrupted before any program was found\n")
    assert not (tmp_path / "model").exists()


MOMENTS = [
    "logicoder.autoencoder.auto_encoder.in_canonical_order",
    "logicoder.autoencoder.message_fit.split_of",
    "logicoder.learner.compress.programs_of_choices",
    "logicoder.autoencoder.fit_results.encode_losslessly",
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_once_data_are_read_there_is_a_program(moment, world, tmp_path, monkeypatch):
    """The data themselves are one. Whatever is at work may take longer than the patience of the handler."""
    module, _, name = moment.rpartition(".")
    original = getattr(importlib.import_module(module), name)

    def interrupted(*args, **options):
        monkeypatch.setattr(moment, original)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1.3)
        return original(*args, **options)

    monkeypatch.setattr(moment, interrupted)
    folder, few = tmp_path / "model", ("--effort", 1, "--json")
    found = json.loads(invoke("fit", world, *few, "--output", folder, code=130).stdout)
    kb = KnowledgeBase.from_path(world)
    assert found["facts"] == len(kb)
    assert set(AutoEncoder.load(folder).reconstruct(kb).rebuilt) >= set(kb)


class TestHandling:
    """The handler, signal by signal."""

    def test_before_the_search_it_is_an_exception(self):
        interruption = Interruption()
        with interruption.handling(), pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert interruption.requested

    def test_what_does_not_give_way_is_left_behind(self):
        interruption = Interruption()
        with interruption.handling():
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
            with pytest.raises(QuitError, match="before any program"):
                time.sleep(5)

    def test_during_the_search_it_is_noted(self):
        interruption = Interruption()
        with interruption.handling():
            interruption.watch(PhaseStarted("solve"))
            assert not interruption.stopped
            os.kill(os.getpid(), signal.SIGTERM)
            assert interruption.reason == "interrupted"
            os.kill(os.getpid(), signal.SIGINT)  # an echo of the first
            time.sleep(0.6)
            with pytest.raises(QuitError, match="immediately"):
                os.kill(os.getpid(), signal.SIGINT)

    def test_a_hangup_that_is_ignored_stays_so(self):
        """`nohup` starts commands like that."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            with Interruption().handling():
                assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        finally:
            signal.signal(signal.SIGHUP, before)

    def test_handlers_are_put_back(self):
        before = signal.getsignal(signal.SIGINT)
        with Interruption().handling():
            assert signal.getsignal(signal.SIGINT) != before
        assert signal.getsignal(signal.SIGINT) == before
