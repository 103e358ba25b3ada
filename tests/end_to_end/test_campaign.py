"""What the campaign has found stays mended; and it notices what it looks for."""

from __future__ import annotations

import json
import logging
import os
import signal
from dataclasses import replace
from random import Random

import pytest
from campaign import loaders
from campaign.corpus import DATA, corpus
from campaign.damage import damaged
from campaign.fork_server import ran
from campaign.fuzzing import Fuzzing, Target
from campaign.kind import FAILURES, FoundError, checked, unpacked
from campaign.kinds import KINDS
from campaign.runs import undisturbed
from campaign.totals import PAGE, WORDS, known, page
from campaign.worker import Progress, attacked

CASES = sorted(FAILURES.glob("*.json"))


@pytest.fixture(autouse=True)
def _told_again():
    """The campaign silences warnings, which other tests wait for."""
    logger = logging.getLogger("logicoder")
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_found_is_mended(path, tmp_path):
    found = json.loads(path.read_text())
    corpus()  # which takes longer than a case may
    checked(KINDS[found["kind"]], found["case"], tmp_path)


def test_a_traceback_is_noticed_with_the_input_that_makes_it(tmp_path, monkeypatch):
    def careless(path):
        json.loads(path.read_text())["points"][0]["status"].upper()

    monkeypatch.setattr(loaders._targets()["v0_1/curve.json"], "read", careless)
    with pytest.raises(FoundError, match=r"curve.json: \w+Error") as caught:
        checked(KINDS["loaders"], {"target": "v0_1/curve.json", "seed": 1}, tmp_path)
    with pytest.raises(FoundError, match=r"curve.json: \w+Error"):
        checked(KINDS["loaders"], caught.value.case, tmp_path)


def test_files_that_do_something_new_are_kept(tmp_path):
    target = Target("x", [b"a"], lambda path: len(path.read_bytes()))
    for data in (b"bb", b"cc", b"ddd"):
        target.learn(target.tried(tmp_path / "x", data), data, tmp_path / "grown")
    assert sorted(path.read_bytes() for path in (tmp_path / "grown").iterdir()) == [b"bb", b"ddd"]


def test_a_process_that_crashes_is_noticed_with_its_file(tmp_path, monkeypatch):
    def crash(_):
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("campaign.kind.FAILURES", tmp_path)
    monkeypatch.setitem(KINDS, "crash", Fuzzing("crash", lambda: {"one": Target("x", [b"sound"], crash)}))
    assert attacked(Progress(1, ["crash"], True, 0.0)) == {"crash": {"tried": 1, "found": 1}}
    (kept,) = tmp_path.iterdir()
    found = json.loads(kept.read_text())
    assert found["kind"] == "crash"
    assert unpacked(found["case"]["data"])
    assert "ended with -9" in found["why"]


@pytest.mark.parametrize("moment", [{"seconds": 0.05}, {"changes": 3}])
def test_commands_are_killed_at_their_moment(moment, tmp_path):
    (tmp_path / "run").mkdir()
    run = ran(tmp_path / "run", ("fit", DATA, "-o", "model"), **moment)
    assert run.code == -9
    assert run.changes <= 3 or "changes" not in moment
    assert not (tmp_path / "run" / "model" / "model.alp").exists()


def test_a_result_that_a_kill_changed_is_noticed(tmp_path, monkeypatch):
    case = {"command": "lossless", "moments": [["seconds", 0.1]]}
    known = undisturbed("lossless")
    spoilt = replace(known, files={**known.files, "encoded/exceptions.pl": []})
    monkeypatch.setattr("campaign.kills.undisturbed", lambda _: spoilt)
    with pytest.raises(FoundError, match="other results than without kills"):
        checked(KINDS["kills"], case, tmp_path)


def test_the_page_shows_the_totals():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text
    assert set(known()) <= set(WORDS) == set(KINDS)


def test_a_hang_is_noticed(tmp_path):
    class Endless:
        unit, seconds = "inputs", 1

        def check(self, _case, _folder):
            while True:
                pass

    with pytest.raises(FoundError, match="more than 1 seconds"):
        checked(Endless(), {}, tmp_path)


def test_another_program_for_the_same_facts_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("campaign.permutations._learned", lambda path, _: path.read_text())
    with pytest.raises(FoundError, match="another order gave another program"):
        checked(KINDS["permutations"], KINDS["permutations"].case(Random(1)), tmp_path)


@pytest.mark.parametrize(
    "text", ["p(a,b).\nq(c).\n", '{"a": [1, {"b": "x"}]}', "a\tb\n", '% logicoder m\n% {\n% "a": 1\n% }\n']
)
def test_damage_is_damage(text):
    versions = [damaged(Random(seed), text.encode(), []) for seed in range(200)]
    assert len(set(versions)) > 60
    assert sum(version != text.encode() for version in versions) > 150
    assert versions == [damaged(Random(seed), text.encode(), []) for seed in range(200)]
