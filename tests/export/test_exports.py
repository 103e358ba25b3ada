"""Exports of models: their parts, what they refuse, and what those say that cannot be run here."""

import re
import sqlite3

import pytest
from tests.cli.helpers import invoke
from tests.wanted import wanted_module

from logicoder import AutoEncoder, KnowledgeBase, Program, StackedAutoEncoder, UsageError
from logicoder.base.errors import OutputError
from logicoder.export import EXPORTERS, export_model, export_program
from logicoder.export.created import create_in
from logicoder.kb import Predicate, Schema
from logicoder.mln import MarkovLogicNetwork

from .test_systems import HOSTILE_NAMES, HOSTILE_VALUES, RECURSIVE, hostile, symbol_of

KB = KnowledgeBase.from_facts(
    {"mother": [("padme", "luke")], "father": [("vader", "luke")], "woman": ["padme"], "man": ["vader"]}
)
MODEL = AutoEncoder.from_programs(
    "parent(X,Y) :- mother(X,Y) ; father(X,Y).  female(X) :- woman(X).",
    "mother(X,Y) :- parent(X,Y), female(X).  woman(X) :- female(X)."
    "father(X,Y) :- parent(X,Y), \\+ female(X).",
)


def test_both_programs_run_together():
    export = export_model(MODEL, "sql:sqlite", facts=KB)
    connection = sqlite3.connect(":memory:")
    connection.executescript(export.text)
    for name in ("mother", "father", "woman"):
        rows = set(connection.execute(f"SELECT * FROM {name}_decoded"))
        assert rows == {fact.arguments for fact in MODEL.inverse_transform(MODEL.transform(KB)).facts(name)}
    assert set(connection.execute("SELECT * FROM parent")) == {("padme", "luke"), ("vader", "luke")}
    connection.close()


def test_a_stack_is_exported_as_one_layer():
    below = AutoEncoder.from_programs("p(X) :- a(X) ; b(X).", "a(X) :- p(X).")
    above = AutoEncoder.from_programs("q(X) :- p(X).", "p(X) :- q(X).")
    stack = StackedAutoEncoder.from_layers([below, above])
    kb = KnowledgeBase.from_facts({"a": ["x"], "b": ["y"]})
    export = export_model(stack, "sql:sqlite", facts=kb)
    connection = sqlite3.connect(":memory:")
    connection.executescript(export.text)
    assert set(connection.execute("SELECT * FROM a_decoded")) == {("x",), ("y",)}
    assert set(connection.execute("SELECT * FROM q")) == {fact.arguments for fact in stack.transform(kb)}
    connection.close()


def test_parts():
    assert '"mother_decoded"' not in export_model(MODEL, "sql:sqlite", part="encoder").text
    decoder = export_model(MODEL, "sql:sqlite", part="decoder").text
    assert 'CREATE TABLE IF NOT EXISTS "parent"' in decoder
    assert 'CREATE VIEW "mother"' in decoder
    with pytest.raises(UsageError, match="part must be one of both, encoder, decoder"):
        export_model(MODEL, "asp", part="all")


def test_latents_are_explained():
    assert "% parent: X, Y: mother(X,Y) or father(X,Y)" in export_model(MODEL, "asp").text


def test_unknown_atoms_are_not_negated():
    model = AutoEncoder.from_programs("l(X) :- p(X), \\+ q(X).", "p(X) :- l(X).")
    model.schema_ = Schema.of(Predicate("p", ("t",)), Predicate("q", ("t",), open_world=True))
    with pytest.raises(UsageError, match="negates q, whose unlisted atoms are unknown"):
        export_model(model, "prolog")


def test_several_interpretations_are_refused():
    kb = KnowledgeBase.union([KB, KB])
    with pytest.raises(UsageError, match="one interpretation, and there are 2"):
        export_model(MODEL, "prolog", facts=kb)


@pytest.mark.parametrize("language", EXPORTERS.names)
def test_no_two_names_and_no_two_constants_are_alike(language):
    exporter = EXPORTERS[language]()
    names = exporter.names(HOSTILE_NAMES)
    assert len(set(names.values())) == len(HOSTILE_NAMES)
    symbols = {symbol_of(value) for value in HOSTILE_VALUES}
    assert len({exporter.constant(symbol) for symbol in symbols}) == len(symbols)


DATALOG_NAME = r"[a-z_]\w*"
DATALOG_TERM = r'(?:x\d+|_|"(?:[^"\\\n]|\\.)*")'
DATALOG_ATOM = rf"{DATALOG_NAME}\((?:{DATALOG_TERM}(?:, {DATALOG_TERM})*)?\)"
DATALOG_LITERAL = rf"(?:!?{DATALOG_ATOM}|{DATALOG_TERM} != {DATALOG_TERM})"
DATALOG_LINE = re.compile(
    rf"//.*|\.decl {DATALOG_NAME}\((?:argument\d+: symbol(?:, )?)*\)|\.(?:in|out)put {DATALOG_NAME}"
    rf"|{DATALOG_ATOM}(?: :- {DATALOG_LITERAL}(?:, {DATALOG_LITERAL})*)?\.",
    re.ASCII,
)


@pytest.mark.parametrize("program", [RECURSIVE, hostile()[0]], ids=["recursive", "hostile"])
def test_datalog_is_well_formed(program):
    """Soufflé is not among the packages that tests can install, so its grammar is checked alone."""
    for line in export_program(program, "datalog").text.splitlines():
        assert DATALOG_LINE.fullmatch(line), line


@pytest.mark.parametrize("program", [RECURSIVE, hostile()[0]], ids=["recursive", "hostile"])
def test_alchemy_is_read_as_formulas(program):
    text = export_program(program, "alchemy").text
    network = MarkovLogicNetwork.parse(text)
    rules = sum(len(clause.alternatives) for clause in program)
    assert len(network.formulas) == rules
    assert text.count("=>") == rules


@pytest.mark.parametrize(("to", "program"), [("sparql", "p :- q(X)."), ("sparql", "p(X) :- q(X,Y,Y).")])
def test_what_a_language_cannot_say_is_refused(to, program):
    with pytest.raises(UsageError, match="SPARQL has only classes and properties"):
        export_program(Program.parse(program), to)


def test_command(tmp_path):
    MODEL.save(tmp_path / "model.alp")
    KB.save(tmp_path / "data.pl")
    printed = invoke("export", tmp_path / "model.alp", "--to", "prolog").stdout
    assert printed == export_model(MODEL, "prolog").text
    target = tmp_path / "views.sql"
    invoke("export", tmp_path / "model.alp", tmp_path / "data.pl", "--to", "sql:sqlite", "-o", target)
    assert target.read_text().count("INSERT INTO") == 3
    outcome = invoke("export", tmp_path / "model.alp", "--to", "cobol", code=2)
    assert "sql:postgresql" in outcome.stderr


def test_what_a_server_refuses_is_told_without_its_password():
    wanted_module("psycopg")
    with pytest.raises(OutputError, match="the views were not created") as caught:
        create_in("CREATE VIEW v AS SELECT 1", "sql:postgresql", "postgresql://me:secret7@localhost:1/data")
    assert "secret7" not in str(caught.value)
