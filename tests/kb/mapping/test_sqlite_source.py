"""SQLite files that are locked, missing, empty or damaged: a clear message each, and nothing is half-read."""

import os
import shutil
import signal
import sqlite3
import threading
from contextlib import closing

import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.kb.mapping import sqlite_source, tables
from logicoder.kb.mapping.table_reader import open_source


def refused(path, **options):
    with pytest.raises(InputError) as caught:
        KnowledgeBase.from_sql(path, **options)
    return str(caught.value)


def test_a_locked_database(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_source, "_PATIENCE", 0.05)
    path = tmp_path / "shop.db"
    shutil.copy(shop.path, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        assert "the database is locked" in refused(path)
        writer.execute("ROLLBACK")
    assert len(KnowledgeBase.from_sql(path)) > 0


def test_a_missing_database(tmp_path):
    assert "there is no such file" in refused(tmp_path / "no.db")
    assert "there is no such file" in refused(f"sqlite:///{tmp_path}/no.db")
    assert "folder" in refused(tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_empty_database(made, tmp_path):
    path = tmp_path / "empty.sqlite"
    path.touch()
    assert "it has no tables" in refused(path)
    with pytest.raises(InputError, match="it has no tables"):
        KnowledgeBase.from_path(path)
    assert "there are no tables" in refused(made("CREATE TABLE t (id); DROP TABLE t;"))
    assert "no facts" in refused(made("CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT);", "rows.db"))


def test_a_damaged_database(shop, tmp_path):
    content = bytearray(shop.path.read_bytes())
    for name, damaged in {
        "header.db": content[:16] + b"\xff" * 84 + content[100:],
        "short.db": content[:6000],
        "pages.db": content[:4096] + b"\x5a" * (len(content) - 4096),
    }.items():
        path = tmp_path / name
        path.write_bytes(damaged)
        assert "damaged" in refused(path), name


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "facts.sqlite"
    path.write_text("father(vader, luke).")
    assert "not an SQLite database" in refused(path)
    facts = tmp_path / "facts.pl"
    facts.write_text("father(vader, luke).")
    with pytest.raises(InputError, match="a mapping is for databases"):
        KnowledgeBase.from_path(facts, mapping="auto")


def test_a_database_is_recognised_before_alchemy(shop, tmp_path):
    assert KnowledgeBase.from_path(shop.path) == KnowledgeBase.from_sql(shop.path)
    path = tmp_path / "shop.unknown"
    shutil.copy(shop.path, path)
    assert KnowledgeBase.from_path(path) == KnowledgeBase.from_sql(f"sqlite:///{shop.path}")
    alchemy = tmp_path / "people.db"
    alchemy.write_text("Smokes(Anna)\n")
    assert len(KnowledgeBase.from_path(alchemy)) == 1
    with pytest.raises(UsageError, match="cannot be combined"):
        KnowledgeBase.from_path(shop.path, alchemy)


def test_nothing_is_written(shop):
    before = shop.path.read_bytes()
    KnowledgeBase.from_sql(shop.path)
    assert shop.path.read_bytes() == before
    assert [file.name for file in shop.path.parent.iterdir()] == ["shop.db"]
    source = open_source(shop.path)
    with pytest.raises(InputError, match="readonly"):
        source._rows("CREATE TABLE t (id)")
    source.close()


def test_views_are_read_only_by_name(shop):
    assert not any("turnover" in name for name in KnowledgeBase.from_sql(shop.path).schema)
    assert KnowledgeBase.from_sql(shop.path, tables=["turnover"]).facts()
    assert "there is no table 'sales'" in refused(shop.path, tables=["sales"])


def test_chosen_tables(shop):
    kb = KnowledgeBase.from_sql(shop.path, tables=["products"])
    assert {name.partition("_")[0] for name in kb.learnable} == {"product"}


def test_a_large_table_is_told_before_reading(shop, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 299)
    monkeypatch.setattr(sqlite_source.SqliteSource, "values", lambda *_: pytest.fail("rows were read"))
    message = refused(shop.path)
    assert "the table order has 300 rows" in message
    assert "`sample=100000`" in message


def test_a_sample_is_spread_evenly(shop, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 100)
    kb = KnowledgeBase.from_sql(shop.path, sample=100)
    orders = sorted(int(fact.arguments[0].split(":")[1]) for fact in kb.facts("order_customer"))
    assert orders == list(range(1, 301, 3))
    with pytest.raises(UsageError, match="at least one row"):
        KnowledgeBase.from_sql(shop.path, sample=0)
    with pytest.raises(UsageError, match="only to databases"):
        KnowledgeBase.from_path("facts.pl", sample=3)


def test_a_table_whose_columns_are_all_empty(made):
    path = made(
        "CREATE TABLE t(a,b); INSERT INTO t VALUES (NULL,NULL);"
        "CREATE TABLE u(x,y); INSERT INTO u VALUES (1,2);"
    )
    assert not any(name.startswith("t_") for name in KnowledgeBase.from_path(path).schema)


def test_a_name_that_is_too_long():
    with pytest.raises(InputError, match="there is no such file"):
        KnowledgeBase.from_sql("a" * 300)


def test_generated_columns_are_read(made):
    path = made(
        "CREATE TABLE maker(code TEXT PRIMARY KEY);"
        "CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT,"
        " maker TEXT GENERATED ALWAYS AS (substr(name, 1, 1)) STORED REFERENCES maker(code));"
        "INSERT INTO maker VALUES ('a'), ('b');"
        "INSERT INTO part(id, name) VALUES (1, 'a1'), (2, 'a2'), (3, 'b1');"
    )
    facts = KnowledgeBase.from_sql(path).facts("part_maker")
    assert sorted(fact.arguments for fact in facts) == [
        ("part:1", "maker:a"),
        ("part:2", "maker:a"),
        ("part:3", "maker:b"),
    ]


def test_other_letters_than_those_of_ascii_keep_their_case(made):
    path = made(
        'CREATE TABLE "É"(id TEXT PRIMARY KEY); CREATE TABLE "é"(id TEXT PRIMARY KEY);'
        'CREATE TABLE t(id INTEGER PRIMARY KEY, "Ö" TEXT REFERENCES "É"(id), "ö" TEXT REFERENCES "é"(id));'
        "INSERT INTO \"É\" VALUES ('a'); INSERT INTO \"é\" VALUES ('b');"
        "INSERT INTO t VALUES (1, 'a', 'b'), (2, 'a', 'b');"
    )
    source = open_source(path)
    (table,) = (table for table in source.tables() if table.name == "t")
    source.close()
    assert {(key.columns, key.table) for key in table.foreign_keys} == {(("Ö",), "É"), (("ö",), "é")}


def test_ctrl_c_ends_a_view_without_end(made):
    path = made(
        "CREATE TABLE t(a);"
        "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;"
    )
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    keystroke = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    keystroke.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            KnowledgeBase.from_sql(path, tables=["v"])
    finally:
        signal.signal(signal.SIGINT, former)


def test_text_that_is_not_utf_8_is_refused(made):
    path = made("CREATE TABLE t(a); INSERT INTO t VALUES (CAST(x'ff41' AS TEXT)), ('b');")
    assert "Could not decode to UTF-8" in refused(path)
