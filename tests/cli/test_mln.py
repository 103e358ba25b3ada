"""`logicoder mln` and `generate smokers`."""

from __future__ import annotations

import inspect
import json
import math
import signal
from typing import get_args

import pytest
import typer.main
from tests.waiting import ended

from logicoder import KnowledgeBase
from logicoder.base.setting import settings_of
from logicoder.cli.app import app
from logicoder.cli.commands import mln_infer
from logicoder.datasets import smokers, university
from logicoder.mln import MarkovLogicNetwork
from logicoder.mln.alchemy import network_reader
from logicoder.mln.formula_weights import learn_weights
from logicoder.mln.inference import infer, most_probable
from logicoder.mln.likelihood import Objective
from logicoder.mln.priors import PriorName
from logicoder.mln.structure.structure_learner import learn_structure
from logicoder.mln.structure.structure_settings import Settings
from logicoder.mln.weight_parameters import InferenceParameters, WeightParameters

from .helpers import as_json, invoke, started, wait_for

SMOKERS = "smokes(person)\ncancer(person)\nfriends(person,person)\n"
TOY = "d(person)\nlat(person)\nh(person)\n2 !d(x) v lat(x)\n-1 lat(x)\nh(x) v !lat(x).\n"


@pytest.fixture
def world(tmp_path):
    """The files of a small world: its data and the planted network."""
    invoke("generate", "smokers", "--people", 60, "--degree", 4, "-o", tmp_path / "world.db")
    return tmp_path / "world.db", tmp_path / "world.db.planted.mln"


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def test_generate_smokers(world, tmp_path):
    data, planted = world
    expected = smokers(60, 4)
    assert KnowledgeBase.from_path(data).count() == expected.kb.count()
    assert len(KnowledgeBase.from_path(data).schema.domains["person"]) == 60
    assert MarkovLogicNetwork.load(planted) == expected.network
    options = ("--people", 60, "--degree", 4, "--interpretations", 2, "--seed", 7)
    invoke("generate", "smokers", *options, "--output-format", "alchemy", "-o", tmp_path / "worlds")
    kb = KnowledgeBase.from_path(tmp_path / "worlds")
    assert kb == smokers(60, 4, interpretations=2, seed=7).kb
    assert (tmp_path / "worlds" / "planted.mln").exists()
    assert "degree" in invoke("generate", "smokers", "--people", 3, "-o", tmp_path / "x.db", code=2).stderr


def test_weights(world, tmp_path):
    data, planted = world
    options = ("--objective", "cll", "--query", "smokes", "--query", "cancer", "--sigma", 10)
    found = as_json("mln", "weights", planted, data, *options, "-o", tmp_path / "w.mln")
    expected = learn_weights(
        MarkovLogicNetwork.load(planted),
        KnowledgeBase.from_path(data),
        objective="cll",
        query=["smokes", "cancer"],
        sigma=10,
    )
    assert [f["weight"] for f in found["formulas"]] == pytest.approx(expected.weights.tolist())
    assert found["converged"]
    assert found["atoms"] == 120
    read = MarkovLogicNetwork.load(tmp_path / "w.mln")
    assert [f.weight for f in read] == [f["weight"] for f in found["formulas"]]
    assert not read.schema.domains  # the people of the training data are no part of the network
    text = invoke("mln", "weights", planted, data, *options).stdout
    assert "!smokes(x) v cancer(x)" in text
    assert "cll less the prior" in text


def test_inference_and_scores(tmp_path):
    (tmp_path / "toy.mln").write_text(TOY)
    (tmp_path / "toy.db").write_text("d(Anna)\nh(Bob)\nh(Anna)\n")
    asked = ("mln", "infer", tmp_path / "toy.mln", tmp_path / "toy.db", "--query", "h", "--open", "lat")
    found = as_json(*asked)
    assert found["queries"][0]["exact"]
    lines = dict(line.split() for line in found["results"]["toy"])
    # Four states of lat and h, of which (true, false) is impossible.
    weights = {(0, 0): 1, (0, 1): 1, (1, 1): math.exp(1)}
    total = sum(weights.values())
    assert float(lines["h(Anna)"]) == pytest.approx((1 + math.exp(1)) / total)
    assert float(lines["h(Anna)"]) == pytest.approx(0.788, abs=5e-4)
    assert float(lines["h(Bob)"]) == pytest.approx((1 + math.exp(-1)) / (2 + math.exp(-1)))

    outcome = invoke(*asked)
    assert outcome.stdout.splitlines()[0] == f"h(Anna) {lines['h(Anna)']}"
    assert "exact" in outcome.stderr  # atoms to standard output, how they were found beside it
    outcome = invoke(*asked, "-o", tmp_path / "toy.results")
    assert outcome.stdout.startswith(f"2 atoms: {tmp_path / 'toy.results'}\n")
    assert "exact" in outcome.stdout

    found = as_json("mln", "score", tmp_path / "toy.results", tmp_path / "toy.db")
    assert found["predicates"]["h"]["auc_pr"] == 1.0
    assert found["predicates"]["h"]["auc_roc"] is None
    assert found["missing"] == 0
    table = invoke("mln", "score", tmp_path / "toy.results", tmp_path / "toy.db", "--leave-out", "h*").stdout
    assert "mean without h" in table
    assert "AUC-PR" in table


def test_formulas_that_say_nothing_are_named(tmp_path):
    (tmp_path / "data.db").write_text("smokes(Anna)\nfriends(Anna,Bob)\n")
    (tmp_path / "network.mln").write_text(f"{SMOKERS}friends(x,y) => friends(y,x)\n1 smokes(Ana)\n")
    asked = ("mln", "infer", tmp_path / "network.mln", tmp_path / "data.db", "--query", "smokes")
    said = invoke(*asked).stderr
    assert "1 formula of weight 0 says nothing: !friends(x,y) v friends(y,x)" in said
    assert "1 constant of formulas is not in the data: 'Ana'" in said
    (tmp_path / "network.mln").write_text(f"{SMOKERS}friends(x,y) => friends(y,x).\n1 smokes(Anna)\n")
    assert "warning" not in invoke(*asked).stderr
    (tmp_path / "network.mln").write_text(f"person = {{Anna, Bob, Ana}}\n{SMOKERS}1 smokes(Ana)\n")
    outcome = invoke(*asked)
    assert "warning" not in outcome.stderr
    assert outcome.stdout.startswith("smokes(Ana) 0.73")
    (tmp_path / "network.mln").write_text(SMOKERS)
    assert "there are no formulas" in invoke(*asked).stderr


def test_weights_count_the_constants_of_the_network(tmp_path):
    """A schema lies with the data, and does not hide what the network declares."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "schema.mln").write_text(SMOKERS)
    (tmp_path / "data" / "data.db").write_text("smokes(Anna)\n")
    (tmp_path / "network.mln").write_text(f"person = {{Anna, Bob, Carl, Dora}}\n{SMOKERS}smokes(x)\n")
    options = ("--objective", "cll", "--query", "smokes", "--prior", "none")
    found = as_json("mln", "weights", tmp_path / "network.mln", tmp_path / "data" / "data.db", *options)
    assert found["atoms"] == 4
    assert found["formulas"][0]["weight"] == pytest.approx(-math.log(3), abs=1e-5)


def test_every_predicate_is_asked_for_given_the_others(tmp_path):
    folder = tmp_path / "worlds"
    invoke("generate", "smokers", "--people", 20, "--degree", 3, "--interpretations", 2, "-o", folder)
    found = as_json("mln", "infer", folder / "planted.mln", folder, "-o", tmp_path / "results")
    assert [query["query"] for query in found["queries"]] == [["smokes"], ["cancer"], ["friends"]]
    assert found["results"] is None
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == [
        "smokers1.results",
        "smokers2.results",
    ]
    scores = as_json("mln", "score", tmp_path / "results", folder, "--leave-out", "friends")
    assert set(scores["predicates"]) == {"smokes", "cancer", "friends"}
    assert scores["left_out"] == ["friends"]
    assert scores["mean_of_others"]["auc_pr"] == pytest.approx(
        (scores["predicates"]["smokes"]["auc_pr"] + scores["predicates"]["cancer"]["auc_pr"]) / 2
    )
    assert scores["predicates"]["cancer"]["positives"] == KnowledgeBase.from_path(folder).count("cancer")
    # The cancer of somebody with known smoking is exact.
    [line] = [
        text
        for text in (tmp_path / "results" / "smokers1.results").read_text().splitlines()
        if text.startswith("cancer(P1) ")
    ]
    kb = KnowledgeBase.from_path(folder).split()[0]
    smoking = "smokes(P1)" in {str(f).replace("'", "") for f in kb.facts("smokes")}
    assert float(line.split()[1]) == pytest.approx(sigmoid(-2 + 2 * smoking))


def test_the_most_probable_world(tmp_path):
    (tmp_path / "toy.mln").write_text(TOY.replace("-1 lat(x)", "3 lat(x)"))
    (tmp_path / "toy.db").write_text("d(Anna)\n")
    asked = ("mln", "infer", tmp_path / "toy.mln", tmp_path / "toy.db", "--query", "h", "--query", "lat")
    found = as_json(*asked, "--map")
    assert found["results"]["toy"] == ["h(Anna) 1.0", "lat(Anna) 1.0"]
    assert found["queries"][0]["proved"]
    assert "proved" in invoke(*asked, "--map").stderr
    assert "--map has only one method" in invoke(*asked, "--map", "--method", "gibbs", code=2).stderr


def test_contradictions_are_told(tmp_path):
    (tmp_path / "toy.mln").write_text(TOY + "!d(x) v !h(x).\n")
    (tmp_path / "toy.db").write_text("d(Anna)\nh(Anna)\nlat(Bob)\n")
    found = as_json("mln", "infer", tmp_path / "toy.mln", tmp_path / "toy.db", "--query", "lat")
    [contradiction] = found["queries"][0]["contradictions"]
    assert contradiction["text"] == "!d(x) v !h(x)."
    assert contradiction["count"] == 1


def test_learning_clauses(world, tmp_path):
    data, _ = world
    found = as_json("mln", "learn", data, "--max-variables", 2, "-o", tmp_path / "n.mln")
    expected = learn_structure(KnowledgeBase.from_path(data), max_variables=2)
    read = MarkovLogicNetwork.load(tmp_path / "n.mln")
    assert read.formulas == MarkovLogicNetwork.parse(str(expected.network)).formulas
    assert len(found["formulas"]) == len(read)
    assert found["finished"]
    assert found["value"] == pytest.approx(expected.value)
    text = invoke("mln", "learn", data, "--method", "exhaustive", "--max-literals", 2).stdout
    assert "pseudo-log-likelihood" in text


def test_ctrl_c_keeps_the_best_network(tmp_path):
    university(facts=1500, noise=0.1, predicates="full").kb.save(tmp_path / "u.pl")
    process = started(
        *("mln", "learn", tmp_path / "u.pl", "--method", "exhaustive", "--max-literals", 5),
        *("--max-variables", 5, "--checkpoint", tmp_path / "state", "-o", tmp_path / "n.mln", "--json"),
    )
    wait_for(tmp_path / "state", process)
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130, err
    assert json.loads(out)["stopped"] == "interrupted"
    assert not json.loads(out)["finished"]
    assert "interrupted: this is the best network so far" in err
    assert len(MarkovLogicNetwork.load(tmp_path / "n.mln")) == len(json.loads(out)["formulas"]) > 0


def test_after_ctrl_c_no_further_query_is_asked(tmp_path, monkeypatch):
    (tmp_path / "data.db").write_text("smokes(Anna)\nfriends(Anna,Bob)\n")
    (tmp_path / "network.mln").write_text(f"{SMOKERS}1 smokes(x)\n")
    ask = mln_infer._asked

    def interrupted(*arguments, **options):
        found = ask(*arguments, **options)
        monkeypatch.setattr(type(arguments[3]["stop"]), "requested", True)
        return found

    monkeypatch.setattr(mln_infer, "_asked", interrupted)
    outcome = invoke("mln", "infer", tmp_path / "network.mln", tmp_path / "data.db", code=130)
    assert [line.split("(")[0] for line in outcome.stdout.splitlines()] == ["smokes", "smokes"]
    assert "no longer queried: cancer" in outcome.stderr
    assert "no longer queried: friends" in outcome.stderr


def test_types_come_from_the_network_where_the_data_has_none(tmp_path):
    (tmp_path / "n.mln").write_text(SMOKERS + "1 smokes(+x) ^ friends(x,y) => smokes(y)\n")
    (tmp_path / "x").mkdir()
    data = tmp_path / "x" / "data.db"
    data.write_text("Smokes(Anna)\nfriends(Anna,Bob)\nlikes(Anna,Tea)\n")
    found = as_json("mln", "weights", tmp_path / "n.mln", data)
    # One formula for each constant of the data.
    assert [f["clause"] for f in found["formulas"]] == [
        f"!smokes({name}) v !friends({name},y) v smokes(y)" for name in ("Anna", "Bob")
    ]


def test_a_network_that_declares_its_predicates_is_parsed_once(tmp_path, monkeypatch):
    (tmp_path / "net.mln").write_text(SMOKERS + "1.5 !smokes(x) v cancer(x)\n")
    (tmp_path / "world.db").write_text("smokes(Anna)\nfriends(Anna,Bob)\n")
    parsed = []
    parse = network_reader.parse_statement
    monkeypatch.setattr(
        network_reader, "parse_statement", lambda *given: parsed.append(given[1]) or parse(*given)
    )
    invoke("mln", "infer", tmp_path / "net.mln", tmp_path / "world.db", "--query", "cancer")
    assert parsed == [str(tmp_path / "net.mln")]


def test_types_come_from_the_file_beside_the_network(tmp_path):
    (tmp_path / "n.mln").write_text("1 likes(x,y)\n")
    (tmp_path / "types.mln").write_text("likes(person,thing)\n")
    (tmp_path / "data.db").write_text("likes(Anna,Tea)\nlikes(Bob,Tea)\n")
    found = as_json("mln", "infer", tmp_path / "n.mln", tmp_path / "data.db")
    assert found["queries"][0]["atoms"] == 2  # of one type, there would be nine


@pytest.mark.parametrize(
    ("network", "arguments", "message"),
    [
        ("1 smokes(x", ("infer",), "n.mln:4:9: this parenthesis ( is not closed"),
        ("1 likes(x)", ("infer",), "n.mln:4:1: there is no predicate likes"),
        ("1 smokes(x)", ("infer", "--query", "likes"), "there is no predicate likes"),
        ("1 smokes(x)", ("infer", "--samples", "0"), "is not a whole number of at least 1"),
        ("1 smokes(x)", ("infer", "--precision", "2"), "is not a number of at least 0 and at most 1"),
        ("1 smokes(x)", ("weights", "--sigma", "-1"), "is not a number of at least 1e-09"),
        ("1 smokes(x)", ("weights", "--mean", "x"), "is not a number"),
        ("1 smokes(x)", ("weights", "--objective", "cll"), "query"),
    ],
)
def test_mistakes_are_explained(network, arguments, message, tmp_path):
    (tmp_path / "n.mln").write_text(SMOKERS + network + "\n")
    (tmp_path / "data.db").write_text("smokes(Anna)\nfriends(Anna,Bob)\n")
    command, *rest = arguments
    outcome = invoke("mln", command, tmp_path / "n.mln", tmp_path / "data.db", *rest, code=2)
    assert message in " ".join(outcome.stderr.split())
    assert "Traceback" not in outcome.stderr


def test_results_that_do_not_fit_the_data(tmp_path):
    (tmp_path / "a.results").write_text("likes(Anna) 0.5\n")
    (tmp_path / "data.db").write_text("smokes(Anna)\n")
    outcome = invoke("mln", "score", tmp_path / "a.results", tmp_path / "data.db", code=2)
    assert "the data has no predicate likes; it has: smokes" in outcome.stderr


@pytest.mark.parametrize(
    ("command", "declared", "functions"),
    [
        ("learn", Settings, ()),
        ("weights", WeightParameters, (learn_weights,)),
        ("infer", InferenceParameters, (infer, most_probable)),
    ],
)
def test_defaults_are_those_of_the_library(command, declared, functions):
    options = {p.name: p for p in typer.main.get_command(app).commands["mln"].commands[command].params}
    for name, item in settings_of(declared).items():
        assert options[name].opts == [item.options[0]]
        assert options[name].show_default == (item.default_words or False)
    for function in functions:
        library = inspect.signature(function).parameters
        shared = library.keys() & settings_of(declared).keys() - {"query"}
        assert {name: library[name].default for name in shared} == {
            name: settings_of(declared)[name].default for name in shared
        }
        others = {"domains", "progress", "stop", "start", "tolerance", "iterations"}
        keywords = {name for name, p in library.items() if p.default is not inspect.Parameter.empty}
        assert keywords - shared - {"query"} <= others


def test_choices_are_those_of_the_library():
    weights = settings_of(WeightParameters)
    assert weights["objective"].kind.known == get_args(Objective)
    assert weights["prior"].kind.known == get_args(PriorName)
