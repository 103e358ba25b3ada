"""Checkpoints: a run that was cut off goes on where it was."""

import gzip
import json

import pytest

from logicoder import AutoEncoder, InputError
from logicoder.base.errors import OutputError
from logicoder.base.progress import PhaseStarted
from logicoder.datasets import university
from logicoder.problem import TotalFacts
from logicoder.selection import OBJECTIVES


@pytest.fixture(scope="module")
def world():
    return university(people=20, seed=2)


@pytest.fixture(autouse=True)
def short_proofs(monkeypatch):
    """Proving the least size takes longest and is not what these tests are about."""
    monkeypatch.setitem(OBJECTIVES, "lexicographic", ("loss",))


def test_a_resumed_run_enumerates_nothing_and_is_no_worse(world, tmp_path):
    first = AutoEncoder(compression=world.compression, objective="loss", checkpoint=tmp_path).fit(world.kb)
    phases = []
    second = AutoEncoder(
        compression=world.compression,
        checkpoint=tmp_path,
        resume=True,
        reporter=lambda event: phases.append(event.phase) if isinstance(event, PhaseStarted) else None,
    ).fit(world.kb)
    assert phases == ["solve"]
    assert (second.loss_, second.size_) <= (first.loss_, first.size_)
    assert second.statistics_["candidates"] == first.statistics_["candidates"]
    kept = json.loads((tmp_path / "best.json").read_text())
    assert kept["loss"] == second.loss_


def test_every_better_selection_is_kept_at_once(world, tmp_path):
    """A reporter that breaks off at the first improvement stands for a run that is killed."""

    class KilledError(Exception):
        pass

    def kill(event):
        if type(event).__name__ == "Improved":
            raise KilledError

    with pytest.raises(KilledError):
        AutoEncoder(compression=world.compression, checkpoint=tmp_path, reporter=kill).fit(world.kb)
    kept = json.loads((tmp_path / "best.json").read_text())
    resumed = AutoEncoder(compression=world.compression, checkpoint=tmp_path, resume=True).fit(world.kb)
    assert resumed.loss_ <= kept["loss"]


@pytest.mark.parametrize("effort", [0.01, 0.2])
def test_a_search_that_ends_by_its_effort_ends_alike_after_a_kill(tmp_path, effort):
    """The search goes through all of its stages again, whatever was kept."""
    world = university(people=20, noise=0.1, seed=2)
    options = {"compression": "0.8", "objective": "loss", "effort": effort, "reconstruct_all": False}
    undisturbed = AutoEncoder(**options).fit(world.kb)
    losses = []

    def kill(event):
        if type(event).__name__ == "Improved":
            losses.append(event.loss)
            raise KeyError

    with pytest.raises(KeyError):
        AutoEncoder(**options, checkpoint=tmp_path, reporter=kill).fit(world.kb)
    assert losses[-1] > undisturbed.loss_
    assert undisturbed.stopped_ == "effort"
    resumed = AutoEncoder(**options, checkpoint=tmp_path, resume=True).fit(world.kb)
    assert (str(resumed.encoder_), str(resumed.decoder_)) == (
        str(undisturbed.encoder_),
        str(undisturbed.decoder_),
    )
    assert (resumed.loss_, resumed.bound_) == (undisturbed.loss_, undisturbed.bound_)


def test_without_resume_the_folder_is_started_anew(world, tmp_path):
    (tmp_path / "best.json").write_text("rubbish")
    AutoEncoder(compression=world.compression, checkpoint=tmp_path).fit(world.kb)
    assert json.loads((tmp_path / "best.json").read_text())["loss"] == 0


def test_other_data_or_settings_are_refused(world, tmp_path):
    AutoEncoder(compression=world.compression, checkpoint=tmp_path).fit(world.kb)
    with pytest.raises(InputError, match="other settings"):
        AutoEncoder(compression=0.9, checkpoint=tmp_path, resume=True).fit(world.kb)
    with pytest.raises(InputError, match="other data"):
        AutoEncoder(compression=world.compression, checkpoint=tmp_path, resume=True).fit(
            university(people=21, seed=2).kb
        )
    (tmp_path / "checkpoint.json").write_text("{")
    with pytest.raises(InputError, match="start anew without `resume`"):
        AutoEncoder(compression=world.compression, checkpoint=tmp_path, resume=True).fit(world.kb)


def test_resuming_from_nothing_says_so_and_starts(world, tmp_path, caplog):
    AutoEncoder(compression=world.compression, checkpoint=tmp_path / "new", resume=True).fit(world.kb)
    assert "the run starts from the beginning" in caplog.text


@pytest.mark.parametrize("damage", ["cut", "old"])
def test_a_damaged_problem_says_how_to_go_on(world, tmp_path, damage):
    options = {"encoder_length": 1, "decoder_length": 1, "bottlenecks": (), "checkpoint": tmp_path}
    AutoEncoder(**options).fit(world.kb)
    path = tmp_path / "problem.json.gz"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    else:
        data = json.loads(gzip.decompress(path.read_bytes())) | {"version": 1}
        path.write_bytes(gzip.compress(json.dumps(data).encode()))
    with pytest.raises(InputError, match="start anew without `resume`") as caught:
        AutoEncoder(**options, resume=True).fit(world.kb)
    assert str(path) in str(caught.value)


def test_constraints_belong_to_the_settings_of_a_checkpoint(world, tmp_path):
    options = {"encoder_length": 1, "decoder_length": 1, "checkpoint": tmp_path}
    AutoEncoder(**options, bottlenecks=[TotalFacts("2")], limits={"student": {"loss": 9}}).fit(world.kb)
    same = AutoEncoder(**options, bottlenecks=("total=2",), limits={"student": {"loss": 9}}, resume=True)
    assert same.fit(world.kb).statistics_["seconds"]["encoders"] == 0
    with pytest.raises(InputError, match="other settings"):
        AutoEncoder(**options, bottlenecks=("total=3",), resume=True).fit(world.kb)


def test_a_folder_belongs_to_one_run_at_a_time(world, tmp_path):
    """The second run is refused while the first one is at work, and may have the folder afterwards."""
    refused = []

    def meanwhile(event):
        if isinstance(event, PhaseStarted) and event.phase == "solve":
            with pytest.raises(OutputError, match="another run is using this folder") as caught:
                AutoEncoder(1, 1, compression=0.9, checkpoint=tmp_path).fit(university(people=21, seed=2).kb)
            refused.append(str(caught.value))

    options = {"encoder_length": 1, "decoder_length": 1, "bottlenecks": (), "checkpoint": tmp_path}
    AutoEncoder(**options, reporter=meanwhile).fit(world.kb)
    assert len(refused) == 1
    AutoEncoder(**options, resume=True).fit(world.kb)


@pytest.mark.parametrize("name", ["problem.json.gz", "candidates.json", "best.json"])
def test_files_of_another_run_are_refused(world, tmp_path, name):
    """The clauses of both are the same; the data are not."""
    folders = tmp_path / "one", tmp_path / "other"
    for folder, kb in zip(folders, (world.kb, university(people=20, seed=5).kb), strict=True):
        AutoEncoder(1, 1, bottlenecks=(), checkpoint=folder).fit(kb)
    (folders[0] / name).write_bytes((folders[1] / name).read_bytes())
    with pytest.raises(InputError, match=r"does not (belong|fit)"):
        AutoEncoder(1, 1, bottlenecks=(), checkpoint=folders[0], resume=True).fit(world.kb)
