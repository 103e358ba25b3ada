"""Files that version 0.1 wrote are read by every later one, and say the same.

`tests/fixtures/v0_1` holds the family in `family/` and what was learned from it: two models and a stack with
their run records, what they make of the family without loss, a selection problem and a curve. None of these
files is ever made anew.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from logicoder import AutoEncoder, Curve, KnowledgeBase, Program, StackedAutoEncoder
from logicoder.autoencoder import load_model
from logicoder.autoencoder.run_record import read_run_record
from logicoder.base.files import sha256_of
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.problem import load_problem, save_problem
from logicoder.selection import ExactSolver

V0_1 = Path(__file__).parents[1] / "fixtures" / "v0_1"


def family() -> KnowledgeBase:
    return KnowledgeBase.from_path(V0_1 / "family")


def header_of(name: str) -> dict:
    lines = (V0_1 / name).read_text(encoding="utf-8").splitlines()[1:]
    return json.loads("\n".join(line[1:] for line in lines[: lines.index("% }") + 1]))


def content(kb: KnowledgeBase) -> set:
    return {(truth, f.interpretation, str(f)) for truth in TRUTHS for f in kb.facts(truth=truth)}


def test_a_model() -> None:
    model = load_model(V0_1 / "model.alp")
    assert isinstance(model, AutoEncoder)
    assert (model.loss_, model.status_, model.size_, model.latent_facts_) == (7, "optimal", 31, 9)
    assert model.get_params()["weights"] == {"age": 2}
    assert model.get_params()["limits"] == {"woman": {"loss": "90%"}}
    assert (model.compression, model.seed, model.constants) == ("0.35", 3, 2)
    assert model.background_predicates() == {"parent", "oldest"}
    assert model.schema_["age"].types == ("person", "years")
    assert [event.loss for event in model.history_][-1] == 7
    outcome = model.reconstruct(family())
    assert (outcome.loss, outcome.facts, outcome.latent_facts) == (model.loss_, 26, 9)


def test_a_stack() -> None:
    stack = load_model(V0_1 / "stack.alp")
    assert isinstance(stack, StackedAutoEncoder)
    assert len(stack.layers_) == stack.layers == 2
    assert (stack.loss_, stack.latent_facts_) == (3, 10)
    assert stack.get_params()["compression"] == "0.8"
    assert stack.background_predicates() == {"parent"}
    outcome = stack.reconstruct(family())
    assert (outcome.loss, outcome.latent_facts) == (3, 10)


def test_a_hand_written_model() -> None:
    model = load_model(V0_1 / "written.alp")
    assert model.schema_ is None
    assert model.encoder_.clauses[0] == Program.parse("parent(X,Y) :- mother(X,Y) ; father(X,Y).").clauses[0]
    assert not hasattr(model, "loss_")


@pytest.mark.parametrize("name", ["model.alp", "stack.alp", "written.alp"])
def test_what_is_saved_anew_says_the_same(name, tmp_path) -> None:
    model = load_model(V0_1 / name)
    model.save(tmp_path / name)
    again = load_model(tmp_path / name)
    assert again.programs() == model.programs()
    assert again.get_params() == model.get_params()
    assert again.transform(family()) == model.transform(family())


@pytest.mark.parametrize(
    ("model", "folder", "kinds"),
    [
        ("model.alp", "lossless", {"missing", "negative", "unknown"}),
        ("stack.alp", "lossless_stack", {"missing", "negative", "unknown"}),
        ("written.alp", "lossless_written", {"missing", "false", "negative", "unknown"}),
    ],
)
def test_lossless_encodings_decode_to_the_family(model, folder, kinds) -> None:
    lines = (V0_1 / folder / "exceptions.pl").read_text(encoding="utf-8").splitlines()
    assert {line.split("(")[0] for line in lines if not line.startswith("%")} == kinds
    latent = KnowledgeBase.from_path(V0_1 / folder / "latent")
    back = load_model(V0_1 / model).decode_losslessly(latent, V0_1 / folder / "exceptions.pl")
    assert back == family()
    assert content(back) == content(family())
    assert back.schema == family().schema


def test_a_problem(tmp_path) -> None:
    problem = load_problem(V0_1 / "problem.json")
    assert (problem.facts, problem.predicates) == (26, 5)
    solution = ExactSolver(effort=5, objective="masked").solve(problem)
    assert (solution.status, solution.objective) == ("optimal", 22)
    save_problem(problem, tmp_path / "problem.json")
    assert load_problem(tmp_path / "problem.json") == problem


def test_a_curve() -> None:
    curve = Curve.load(V0_1 / "curve.json")
    assert [point.compression for point in curve] == [Fraction(3, 10), Fraction(6, 10), Fraction(9, 10)]
    assert [(point.loss, point.bound, point.status) for point in curve] == [
        (8, 8, "optimal"),
        (0, 0, "optimal"),
        (0, 0, "optimal"),
    ]
    point = curve.points[0]
    model = AutoEncoder.from_programs(point.encoder, point.decoder, schema=family().schema)
    outcome = model.reconstruct(family())
    assert (outcome.loss, outcome.latent_facts) == (8, point.latent_facts)


def test_the_record_of_a_run() -> None:
    record = read_run_record(V0_1 / "model.alp")
    assert record["versions"]["logicoder"] == "0.1.0"
    assert record["results"]["loss_"] == 7
    assert record["seed"] == 3
    for item in record["inputs"]:
        assert item["sha256"] == sha256_of(V0_1 / item["path"])
    assert read_run_record(V0_1 / "stack.alp")["parameters"]["layers"] == 2
