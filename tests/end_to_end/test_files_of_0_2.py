"""Files that version 0.2 wrote are read by every later one, and say the same.

`tests/fixtures/v0_2` holds a family in `family.pl` and what was learned from it by description length: the
model with its run record, what it makes of the family without loss, as text and as bytes, the state that
`update` keeps, and a checkpoint. None of these files is ever made again.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from cli.helpers import as_json, invoke
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder import load_model
from logicoder.base.files import sha256_of

V0_2 = Path(__file__).parents[1] / "fixtures" / "v0_2"


def family() -> KnowledgeBase:
    return KnowledgeBase.from_path(V0_2 / "family.pl")


def test_a_model() -> None:
    model = load_model(V0_2 / "model.alp")
    assert isinstance(model, AutoEncoder)
    assert (model.loss_, model.exceptions_, model.latent_facts_, round(model.bits_, 1)) == (0, 0, 59, 608.3)
    assert "son(X,Y) :- parent(Y,X), male(X)." in str(model.decoder_)
    outcome = model.reconstruct(family())
    assert (outcome.loss, outcome.facts, outcome.latent_facts) == (0, 219, 59)
    assert any(finding.text.startswith("daughter is redundant") for finding in model.insights(family()))


def test_encodings_decode_to_the_family(tmp_path) -> None:
    for folder in ("lossless", "packed"):
        invoke("decode", V0_2 / "model.alp", V0_2 / folder, "--output", tmp_path / f"{folder}.pl")
        assert set(map(str, KnowledgeBase.from_path(tmp_path / f"{folder}.pl"))) == set(map(str, family()))


def test_a_state_is_brought_up_to_date(tmp_path) -> None:
    shutil.copytree(V0_2 / "state", tmp_path / "state")
    gone = next(family().facts("son"))
    (tmp_path / "gone.pl").write_text(f"{gone}.\n", encoding="utf-8")
    changed = as_json("update", V0_2 / "model.alp", tmp_path / "state", "--remove", tmp_path / "gone.pl")
    assert (changed["removed"], changed["facts"]) == (1, 218)


def test_a_checkpoint_is_taken_up(tmp_path) -> None:
    shutil.copytree(V0_2 / "checkpoint", tmp_path / "checkpoint")
    resumed = AutoEncoder(checkpoint=tmp_path / "checkpoint", resume=True, time_limit=1).fit(family())
    assert resumed.bits_ <= 608.4


def test_the_record_of_a_run() -> None:
    record = json.loads((V0_2 / "run.json").read_text(encoding="utf-8"))
    assert record["versions"]["logicoder"] == "0.2.0"
    (read,) = record["inputs"]
    assert read["sha256"] == sha256_of(V0_2 / "family.pl")
