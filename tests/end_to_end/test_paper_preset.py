"""A program with a disjunctive decoder goes wherever programs go."""

from __future__ import annotations

from fractions import Fraction

import clingo
import pytest
from typer.testing import CliRunner

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.cli.app import app
from logicoder.problem.storage import load_problem, save_problem

FACTS = {"p": "stuvw", "a": "stxy", "b": "uvwxy"}
KB = KnowledgeBase.from_facts([(name, value) for name, values in FACTS.items() for value in values])
DERIVED = {name: set(values) for name, values in FACTS.items()} | {"b": set("stuvwxy")}


@pytest.fixture(scope="module")
def model() -> AutoEncoder:
    return AutoEncoder.from_preset("paper", encoder_length=1, compression="0.97").fit(KB)


@pytest.fixture
def folder(model, tmp_path):
    (tmp_path / "facts.pl").write_text("".join(f"{fact}.\n" for fact in KB))
    model.save(tmp_path / "model.alp")
    return tmp_path


def done(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_it_is_one_clause_with_alternatives(model) -> None:
    [clause] = [clause for clause in model.decoder_ if clause.head.predicate == "b"]
    assert len(clause.alternatives) == 2
    assert {literal.atom.predicate for literal in clause.literals()} == {"a_copy", "p_copy"}
    assert max(decoder.corruption for decoder in model.problem_.decoders) < Fraction(1, 2)


def test_saved_and_loaded_it_derives_the_same(model, folder) -> None:
    again = AutoEncoder.load(folder / "model.alp")
    assert again.decoder_ == model.decoder_
    for found in (model, again):
        rebuilt = found.inverse_transform(found.transform(KB))
        for name, values in DERIVED.items():
            assert {str(fact.arguments[0]) for fact in rebuilt.facts(name)} == values
    save_problem(model.problem_, folder / "problem.json")
    loaded = load_problem(folder / "problem.json")
    assert [str(d.program) for d in loaded.decoders] == [str(d.program) for d in model.problem_.decoders]
    assert any(" ; " in d.clause for d in loaded.decoders)


def test_an_encoding_without_loss_comes_back(folder) -> None:
    done("encode", folder / "model.alp", folder / "facts.pl", "--lossless", "-o", folder / "encoded")
    done("decode", folder / "model.alp", folder / "encoded", "-o", folder / "back.pl")
    assert sorted((folder / "back.pl").read_text().split()) == sorted(
        (folder / "facts.pl").read_text().split()
    )


def test_other_systems_derive_the_same(folder) -> None:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], done("export", folder / "model.alp", "--to", "asp"))
    control.add("base", [], (folder / "facts.pl").read_text())
    control.ground([("base", [])])
    models: list[set[str]] = []
    control.solve(on_model=lambda found: models.append(set(map(str, found.symbols(shown=True)))))
    derived = {text for text in models[0] if "_decoded(" in text}
    assert derived == {f"{name}_decoded({v})" for name, values in DERIVED.items() for v in values}


def test_explanations_name_the_alternative(folder) -> None:
    text = done("explain", folder / "model.alp", folder / "facts.pl", "b(u)")
    assert "b(X) :- p_copy(X)." in text
    assert "a_copy" not in text


def test_the_appendix_leaves_out_what_repeats_a_variable() -> None:
    kb = KnowledgeBase.from_facts(
        [*(("same", x, x) for x in "abc"), *(("age", x, "old") for x in "ab"), ("age", "c", "new")]
    )
    paper, appendix = (AutoEncoder.from_preset(name, compression=4).fit(kb) for name in ("paper", "appendix"))

    def repeats(found: AutoEncoder) -> bool:
        items = (*found.problem_.encoders, *found.problem_.decoders)
        atoms = (a for i in items for c in i.program for a in (c.head, *(x.atom for x in c.literals())))
        return any(len(set(atom.arguments)) < len(atom.arguments) for atom in atoms)

    assert repeats(paper)
    assert not repeats(appendix)
    assert paper.loss_ == appendix.loss_ == 0
