"""Facts in tables of databases: read back as they were, beside other tables, all or nothing."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.cli.helpers import invoke
from tests.engine.random_programs import REPEATABLE
from tests.kb.test_round_trips import everything, knowledge_bases, texts

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Schema
from logicoder.base.errors import InputError, OutputError, UsageError
from logicoder.export import export_model, written_tables
from logicoder.export.written_tables import write_fact_tables
from logicoder.logic.plain_constants import plain_constant, symbol_of_plain
from logicoder.logic.symbols import symbol_of

NO_SURROGATES = texts.filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text))
ANY = knowledge_bases(
    NO_SURROGATES.filter(lambda text: text.strip() and "\0" not in text), everything, truths=("true",)
)
FAMILY = KnowledgeBase.from_facts(
    {"mother": [("padme", "luke")], "father": [("vader", "luke")]},
    schema=Schema.of(Predicate("mother", ("p", "p")), Predicate("father", ("p", "p"))),
)
MODEL = AutoEncoder.from_programs(
    "parent(X,Y) :- mother(X,Y) ; father(X,Y). woman(X) :- mother(X,_).",
    "mother(X,Y) :- parent(X,Y), woman(X). father(X,Y) :- parent(X,Y), \\+ woman(X).",
)


@given(everything)
def test_constants_are_read_back(value):
    symbol = symbol_of(value)
    text = plain_constant(symbol)
    assert symbol_of_plain(text) == symbol or "\\xd" in text  # half of a character cannot be read anywhere


@settings(REPEATABLE, max_examples=60)
@given(ANY)
def test_any_facts_are_read_back(kb):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.sqlite"
        write_fact_tables(kb, path)
        assert KnowledgeBase.from_path(path) == kb
        written_tables._write_elsewhere(list(written_tables._tables(kb)), f"sqlite:///{folder}/other.sqlite")
        assert KnowledgeBase.from_path(f"sqlite:///{folder}/other.sqlite") == kb


def names_in(path):
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}


@pytest.mark.parametrize("how", ["standard library", "sqlalchemy"])
def test_other_tables_are_left_alone(tmp_path, how):
    path = tmp_path / "shop.sqlite"

    def write(kb):
        if how == "sqlalchemy":
            written_tables._write_elsewhere(list(written_tables._tables(kb)), f"sqlite:///{path}")
        else:
            write_fact_tables(kb, path)

    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE Mine (id INTEGER); INSERT INTO Mine VALUES (7);")
    write(FAMILY)
    write(FAMILY.restricted(["mother"]))
    assert names_in(path) == {"Mine", "mother", "logicoder_facts"}
    with pytest.raises(UsageError, match="the table mine already exists"):
        write(KnowledgeBase.from_facts(["mine(a)", "new(b)"]))
    assert names_in(path) == {"Mine", "mother", "logicoder_facts"}
    assert KnowledgeBase.from_path(path) == FAMILY.restricted(["mother"])


def test_what_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "new.sqlite"
    rows = [("p", ("argument1",), [("a",), (object(),)])]
    monkeypatch.setattr(written_tables, "_tables", lambda _: [written_tables._Table(*row) for row in rows])
    with pytest.raises(OutputError, match="cannot be written"):
        write_fact_tables(FAMILY, path)
    assert not path.exists()
    monkeypatch.undo()
    with pytest.raises(UsageError, match="true facts only"):
        write_fact_tables(KnowledgeBase.from_facts(["p(a)"], negatives=["p(b)"]), path)
    path.write_text("not a database")
    with pytest.raises(OutputError, match="not a database"):
        write_fact_tables(FAMILY, path)
    assert path.read_text() == "not a database"


def test_a_table_that_was_changed_is_told(tmp_path):
    path = tmp_path / "facts.sqlite"
    for change, said in (
        ("UPDATE mother SET argument1 = '''x'", "not a constant"),
        ("DROP TABLE mother", "no table"),
    ):
        write_fact_tables(FAMILY, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(change)
        with pytest.raises(InputError, match=said):
            KnowledgeBase.from_path(path)
        path.unlink()


def test_encode_to_and_decode_from_a_database(tmp_path):
    model, data, latent = tmp_path / "model.alp", tmp_path / "data.pl", tmp_path / "latent.sqlite"
    MODEL.save(model)
    FAMILY.save(data)
    assert invoke("encode", model, data, "-o", latent).exit_code == 0
    assert KnowledgeBase.from_path(latent).count("parent") == 2
    back = tmp_path / "back.sqlite"
    assert invoke("decode", model, latent, "-o", f"sqlite:///{back}").exit_code == 0
    assert set(map(str, KnowledgeBase.from_path(back))) == set(map(str, FAMILY))
    # Views of the decoder, in the database of the latent facts, give the same.
    with closing(sqlite3.connect(latent)) as connection:
        connection.executescript(export_model(MODEL, "sql:sqlite", part="decoder").text)
        assert connection.execute("SELECT * FROM mother").fetchall() == [("padme", "luke")]


def test_encode_to_parquet(tmp_path):
    model, data, latent = tmp_path / "model.alp", tmp_path / "data.pl", tmp_path / "latent"
    MODEL.save(model)
    FAMILY.save(data)
    assert invoke("encode", model, data, "-o", latent, "--output-format", "parquet").exit_code == 0
    assert (latent / "parent.parquet").exists()
    found = invoke("decode", model, latent, "--format", "parquet")
    assert set(found.stdout.split()) == {"mother(padme,luke).", "father(vader,luke)."}
