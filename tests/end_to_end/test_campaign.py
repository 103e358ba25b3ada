"""What the campaign has found stays mended; and it notices what it looks for."""

from __future__ import annotations

import json
from random import Random

import pytest
from campaign import loaders
from campaign.corpus import corpus
from campaign.damage import damaged
from campaign.kind import FAILURES, FoundError, checked
from campaign.kinds import KINDS

CASES = sorted(FAILURES.glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_found_is_mended(path, tmp_path):
    found = json.loads(path.read_text())
    corpus()  # which takes longer than a case may
    checked(KINDS[found["kind"]], found["case"], tmp_path)


def test_a_traceback_is_noticed_with_the_input_that_makes_it(tmp_path, monkeypatch):
    def careless(path):
        json.loads(path.read_text())["points"][0]["status"].upper()

    monkeypatch.setitem(loaders._OLD, "curve.json", careless)
    case = {"old": True, "name": "curve.json", "seed": 1}
    with pytest.raises(FoundError, match=r"curve.json: \w+Error") as caught:
        checked(KINDS["loaders"], case, tmp_path)
    with pytest.raises(FoundError, match=r"curve.json: \w+Error"):
        checked(KINDS["loaders"], caught.value.case, tmp_path)


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
