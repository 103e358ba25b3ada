"""`logicoder explain`, `suggest` and `diff`."""

from __future__ import annotations

import csv

import pytest

from logicoder import AutoEncoder

from .helpers import as_json, invoke

DATA = (
    "mother(padme,luke). mother(padme,leia). father(vader,luke). father(han,ben). woman(padme). man(vader).\n"
)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.pl"
    path.write_text(DATA)
    return path


@pytest.fixture
def by_hand(tmp_path):
    AutoEncoder.from_programs(
        "parent(X,Y) :- mother(X,Y) ; father(X,Y).  female(X) :- woman(X).",
        "mother(X,Y) :- parent(X,Y), female(X).  father(X,Y) :- parent(X,Y).  woman(X) :- female(X).",
    ).save(tmp_path / "hand.alp")
    return tmp_path / "hand.alp"


def test_explain(by_hand, data):
    text = invoke("explain", by_hand, data, "mother(padme,luke)").stdout
    assert text.startswith("mother(padme,luke): a fact, and reconstructed\n")
    assert "woman(padme)  fact" in text
    assert "parent  X, Y: mother(X,Y) or father(X,Y)" in text
    found = as_json("explain", by_hand, data, "father(padme,luke)")
    assert found["answers"][0]["verdict"] == "false"
    assert found["answers"][0]["tree"]["derivations"][0]["clause"] == "father(X,Y) :- parent(X,Y)."
    assert "man(vader)" in invoke("explain", by_hand, data, "man(vader)").stdout


def test_explain_one_of_several_interpretations(by_hand, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.pl").write_text(DATA)
    files = tmp_path / "one.pl", tmp_path / "two.pl"
    found = as_json("explain", by_hand, *files, "woman(padme)")
    assert [answer["interpretation"] for answer in found["answers"]] == ["one", "two"]
    found = as_json("explain", by_hand, *files, "woman(padme)", "--interpretation", "two")
    assert [answer["interpretation"] for answer in found["answers"]] == ["two"]


@pytest.mark.parametrize(
    ("atom", "message"),
    [
        ("mater(padme,luke)", "hint:"),
        ("mother(padme,luk)", "did you mean luke"),
        ("mother(padme", "<atom>:1:"),
    ],
)
def test_atoms_that_cannot_be_explained(atom, message, by_hand, data):
    assert message in invoke("explain", by_hand, data, atom, code=2).stderr


def test_suggest(by_hand, data, tmp_path):
    text = invoke("suggest", by_hand, data, "--csv", tmp_path / "all.csv").stdout
    assert "father(padme,leia)" in text
    assert "2 of 4" in text
    assert "man(vader)" in text
    with (tmp_path / "all.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["atom"] for row in rows] == ["father(padme,leia)", "father(padme,luke)", "man(vader)"]
    assert [row["kind"] for row in rows] == ["add", "add", "check"]
    found = as_json("suggest", by_hand, data, "--top", 1, "--predicate", "father")
    assert [row["atom"] for row in found["suggestions"]] == ["father(padme,leia)"]
    assert found["silence"] == ""
    assert "did you mean" in invoke("suggest", by_hand, data, "--predicate", "fater", code=2).stderr


def test_audit(tmp_path, by_hand, data):
    pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
    facts = tmp_path / "pairs.pl"
    facts.write_text("".join(f"likes({x},{y}). liked({y},{x}).\n" for x, y in pairs))
    model = tmp_path / "model"
    invoke("fit", facts, "-o", model)
    rules = tmp_path / "rules.pl"
    rules.write_text("likes(X,Y) :- liked(Y,X).\nlikes(X,Y) :- liked(X,Y).\nwhatever\n")
    text = invoke("audit", model, facts, rules).stdout
    assert "0 of 2 clauses would make the message of" in text
    assert "40 of 40" in text
    assert "line 3: " in text
    found = as_json("audit", model, facts, rules, "--rule-format", "prolog")
    assert [row["line"] for row in found["rules"]] == [1, 2, 3]
    assert found["rules"][0]["implied"] or found["rules"][0]["note"]
    assert "by description length" in invoke("audit", by_hand, data, rules, code=2).stderr
    assert "one of auto" in invoke("audit", model, facts, rules, "--rule-format", "owl", code=2).stderr


def test_diff(by_hand, data, model, tmp_path):
    assert as_json("diff", by_hand, by_hand)["same_programs"]
    assert as_json("diff", by_hand, by_hand)["data"] is None
    found = as_json("diff", by_hand, model, data)
    assert not found["same_programs"]
    assert found["data"]["size"] == 6
    text = invoke("diff", by_hand, model, data).stdout
    assert "facts rebuilt" in text
    assert str(tmp_path / "none") in invoke("diff", by_hand, tmp_path / "none", code=2).stderr


def test_saved_models_say_what_latents_mean(model):
    text = (model / "model.alp").read_text(encoding="utf-8")
    loaded = AutoEncoder.load(model)
    for name, told in loaded.glosses_.items():
        assert f"\n% {told}\n{name}(" in text
        assert f"% {told}" in invoke("show", model).stdout
