"""`mln infer` with logic programs beside the network: definitions, encoder and decoder."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.evaluation import worlds
from tests.mln.test_generative import DECODER, ENCODER, FACTS, by_hand

from logicoder import KnowledgeBase, Schema
from logicoder.evaluation.fold_scores import asked_predicates
from logicoder.kb.formats.alchemy.results import read_results
from logicoder.mln.direct.design import DirectSettings, learn_direct
from logicoder.mln.direct.vocabulary import Vocabulary, data_bodies, small_types
from logicoder.mln.predicate_questions import question_of

from .helpers import as_json, invoke

NETWORK = "rich(person)\nboss(person)\n2 rich(x) v !boss(x)\n"


def probabilities(results):
    """Return the probabilities of printed results."""
    lines = [line.rsplit(" ", 1) for line in results.splitlines()]
    return {atom: float(value) for atom, value in lines}


@pytest.fixture
def firm(tmp_path):
    (tmp_path / "schema.mln").write_text("leads(person,person)\nrich(person)\n")
    (tmp_path / "firm.db").write_text("leads(Ann,Bob)\nleads(Bob,Cid)\nrich(Ann)\nrich(Dan)\n")
    (tmp_path / "rich.network").write_text(NETWORK)
    return tmp_path


def program(folder, text, name="definitions.pl"):
    (folder / name).write_text(text)
    return ("--definitions", folder / name)


def test_what_definitions_derive_is_evidence(firm):
    ask = ("mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich")
    high = 1 / (1 + math.exp(-2))
    expected = {"rich(Ann)": high, "rich(Bob)": high, "rich(Cid)": 0.5, "rich(Dan)": 0.5}
    found = invoke(*ask, *program(firm, "boss(X) :- leads(X,Y)."))
    assert probabilities(found.stdout) == pytest.approx(expected)
    assert "no facts" not in found.stderr
    first = program(firm, "above(X) :- leads(X,Y), leads(Y,Z).", "first.pl")
    two = invoke(*ask, *first, *program(firm, "boss(X) :- above(X).", "second.pl"))
    assert probabilities(two.stdout) == pytest.approx(dict.fromkeys(expected, 0.5) | {"rich(Ann)": high})


def test_evidence_that_nobody_gave_is_told(firm):
    outcome = invoke("mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich")
    assert "the data has no facts of boss" in outcome.stderr
    assert "--definitions" in outcome.stderr
    opened = invoke(
        "mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich", "--open", "boss"
    )
    assert "no facts" not in opened.stderr


def test_long_warnings_are_cut(firm):
    names = [f"b{number}" for number in range(7)]
    network = "".join(f"{name}(person)\n1 rich(x) v !{name}(x)\n" for name in names)
    (firm / "rich.network").write_text(f"rich(person)\n{network}")
    outcome = invoke("mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich")
    assert "no facts of b0, b1, b2, b3, b4 and 2 more: " in outcome.stderr


def test_defined_predicates_are_not_asked_for(firm):
    (firm / "rich.network").write_text(f"{NETWORK}leads(x,y)\n")
    options = program(firm, "boss(X) :- big(X). big(a).")
    found = as_json("mln", "infer", firm / "rich.network", firm / "firm.db", *options)
    assert [part["query"] for part in found["queries"]] == [["leads"], ["rich"]]


def test_definitions_add_no_constants(firm):
    """A constant of a head that the data does not know has no atoms, whether asked for or not."""
    options = program(firm, "boss('Zoe') :- leads(X,Y). boss('Cid') :- leads(X,Y).")
    found = invoke("mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich", *options)
    assert {atom for atom, p in probabilities(found.stdout).items() if p > 0.5} == {"rich(Cid)"}
    assert len(probabilities(found.stdout)) == 4


@pytest.mark.parametrize(
    ("text", "options", "messages"),
    [
        ("boss(X) :- some(X). some(X) :- rich(X).", (), ["clause some(X) :- rich(X).", "depends on rich"]),
        ("boss(X) :- leads(X,Y), \\+ rich(Y).", (), ["clause boss(X) :- leads(X,Y)", "depends on rich"]),
        ("boss(X) :- leads(X,Y).", ("--open", "leads"), ["depends on leads", "open"]),
        ("boss(X) :- leads(X,Y). rich(X) :- leads(X,X).", (), ["clause rich(X)", "queried"]),
        ("boss(X) :- leads(X,Y). leads(X,X) :- leads(X,Y).", (), ["clause leads(X,X)", "facts of it"]),
        ("boss(X) :- loves(X,Y).", (), ["no predicate loves"]),
        ("boss(X) :- leads(X,Y)", (), ["definitions.pl:1:"]),
        ("boss(X) :- leads(X,Y).", ("--encoder", "x.pl"), ["--encoder and --decoder"]),
        ("boss(X) :- leads(X,Y).", ("--encoder", "x.pl", "--decoder", "x.pl"), ["exclude each other"]),
    ],
)
def test_wrong_programs_are_explained(firm, text, options, messages):
    ask = ("mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich")
    shown = " ".join(invoke(*ask, *program(firm, text), *options, code=2).output.replace("│", " ").split())
    for message in messages:
        assert message in shown


def test_what_no_formula_needs_may_depend_on_the_query(firm):
    options = program(firm, "boss(X) :- leads(X,Y). other(X) :- rich(X).")
    invoke("mln", "infer", firm / "rich.network", firm / "firm.db", "--query", "rich", *options)


def test_saved_networks_answer_as_the_model(tmp_path):
    data = tmp_path / "data"
    KnowledgeBase.union(worlds.folds()).save(data, "alchemy")
    *some, fold = KnowledgeBase.from_path(data).split()
    train = KnowledgeBase.union(some)
    alp = worlds.hand_written(train.schema)
    vocabulary = Vocabulary(data_bodies(train, 1), constants=small_types(train, 3))
    vocabulary.add_latents(train.schema, alp.encoder_, alp.decoder_)
    [model] = learn_direct(train, alp.encoder_, vocabulary, [1.0], DirectSettings(most=40, refined=5))
    model.save(tmp_path, Schema(train.schema.predicates))
    encoder = ("--definitions", tmp_path / "encoder.pl")
    used = 0
    for name in asked_predicates(fold):
        own = ("--definitions", tmp_path / f"{name}.pl", "--query", name, "-o", tmp_path / f"{name}.results")
        invoke(
            "mln", "infer", tmp_path / f"{name}.mln", data / f"{fold.interpretations[0]}.db", *encoder, *own
        )
        [found] = read_results(tmp_path / f"{name}.results").values()
        question = question_of(fold, name)
        # Ground atoms are numbered in the order of their constants.
        order = sorted(range(len(found[name].atoms)), key=found[name].atoms.__getitem__)
        expected = model.answer(question).probabilities
        np.testing.assert_allclose(found[name].probabilities[order], expected, atol=1e-9, err_msg=name)
        used += bool(model.networks[name].definitions.mentions().keys())
    assert used


def test_networks_on_latents(tmp_path):
    (tmp_path / "schema.mln").write_text("p(thing)\nq(thing)\nr(thing)\n")
    (tmp_path / "facts.db").write_text("\n".join(f"{f[:2]}{f[2].upper()})" for f in FACTS) + "\n")
    (tmp_path / "net.mln").write_text(
        "either(thing)\nboth(thing)\n-0.7 either(x)\n1.3 !both(x) v either(x)\n0.4 either(x) v either(y)\n"
    )
    (tmp_path / "encoder.pl").write_text(f"{ENCODER}\n")
    (tmp_path / "decoder.pl").write_text(f"{DECODER}\n")
    programs = ("--encoder", tmp_path / "encoder.pl", "--decoder", tmp_path / "decoder.pl")
    ask = ("mln", "infer", tmp_path / "net.mln", tmp_path / "facts.db", *programs)
    found = invoke(*ask, "--query", "p")
    assert probabilities(found.stdout) == pytest.approx({f"p({x.upper()})": v for x, v in by_hand().items()})
    assert "no facts" not in found.stderr
    each = as_json(*ask)
    assert [part["query"] for part in each["queries"]] == [["p"], ["q"], ["r"]]
    assert "add --each" in invoke(*ask, "--query", "p", "--query", "q", code=2).output
    assert "--open q: with --encoder" in invoke(*ask, "--query", "p", "--open", "q", code=2).output
    assert "--no-hide: with --encoder" in invoke(*ask, "--query", "p", "--no-hide", code=2).output
