"""Which engine reads what: large files, tables without a key, tables of things, DuckDB files."""

from __future__ import annotations

import json
import os

import pytest
from tests.engine.sql.systems import address_of
from tests.wanted import wanted_module

from logicoder.engine.sql import choice
from logicoder.engine.sql.choice import chosen_engine

from .helpers import facts_in, invoke


@pytest.mark.parametrize(
    ("size", "engine", "told"),
    [
        (8 * 10**6, "arrays", ""),
        (8 * 10**7, "duckdb", "instead of a sample"),
        (10**12, "duckdb", "of memory"),
    ],
)
def test_large_files_are_read_by_duckdb(tmp_path, caplog, size, engine, told):
    wanted_module("duckdb")
    path = tmp_path / "likes.parquet"
    path.touch()
    os.truncate(path, size)  # a hole, which takes no place
    assert chosen_engine([tmp_path], "auto") == engine
    assert told in caplog.text


@pytest.mark.xdist_group("postgresql")
def test_large_tables_of_a_server_stay_there(postgresql, caplog, monkeypatch, tmp_path):
    psycopg = wanted_module("psycopg")
    with psycopg.connect(address_of(postgresql), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS sizes")
        connection.execute("CREATE DATABASE sizes")
    address = address_of(postgresql, "sizes")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE shop (id INTEGER PRIMARY KEY, city TEXT, dropped TEXT)")
        connection.execute("ALTER TABLE shop DROP COLUMN dropped")
        connection.execute("INSERT INTO shop SELECT i, 'c' || i % 7 FROM generate_series(1, 900) AS i")
        connection.execute("CREATE VIEW shops AS SELECT id, city FROM shop")
        assert 300 < choice._facts_on_server(address) < 3_000, "by its size, since it was never analysed"
        connection.execute("ANALYZE")
    assert choice._facts_on_server(address) == 900
    assert chosen_engine([address], "auto") == "arrays"
    assert caplog.text == ""
    monkeypatch.setattr(choice, "_CROSSING", 900)
    assert chosen_engine([address], "auto") == "postgresql"
    assert "engine postgresql: about 900 facts are many" in caplog.text
    assert chosen_engine([address_of(postgresql, "nowhere")], "auto") == "arrays"
    options = ("fit", address, "--max-sample", "100", "--json", "-o", tmp_path)
    assert json.loads(invoke(*options).stdout)["engine"]["name"] == "PostgreSQL"


def test_some_rows_of_each_table_are_read_into_memory(tmp_path):
    """Whatever would hold all of them: an engine does not leave the option out."""
    path = tmp_path / "log.duckdb"
    with wanted_module("duckdb").connect(str(path)) as connection:
        connection.execute("CREATE TABLE log AS SELECT 'a' || (i % 3) AS who FROM range(400) AS r(i)")
    found = json.loads(invoke("fit", path, "--sample", "50", "--json").stdout)
    assert (found["facts"], found.get("engine")) == (50, None)
    told = invoke("fit", path, "--sample", "50", "--engine", "duckdb", code=2).output
    assert "--sample reads rows of each table into memory" in " ".join(told.split())


def test_rows_without_a_key_are_numbered(tmp_path):
    duckdb = wanted_module("duckdb")
    path = tmp_path / "log.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE log AS SELECT 'a' || (i % 3) AS who, i % 2 = 0 AS done FROM range(400) AS r(i)"
        )
    there, here, part = (
        json.loads(invoke("fit", path, *options, "--json", "-o", tmp_path / "model").stdout)
        for options in ((), ("--engine", "arrays"), ("--max-sample", "300"))
    )
    assert there["facts"] == here["facts"] == part["facts"] == 600
    assert there["decoder"] == here["decoder"]
    invoke("encode", tmp_path / "model", path, "--lossless", "-o", tmp_path / "encoded")
    invoke("decode", tmp_path / "model", tmp_path / "encoded", "--engine", "duckdb", "-o", tmp_path / "back")
    assert facts_in(tmp_path / "back") == facts_in(path)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_tables_of_things_stay_in_their_files(tmp_path, monkeypatch, suffix):
    """Read in place, and never by the code that reads tables into memory."""
    duckdb, data = wanted_module("duckdb"), tmp_path / "shop"
    data.mkdir()
    with duckdb.connect() as connection:
        for name, query in {
            "cities": "SELECT i AS city_id, 'land' || (i % 7) AS country FROM range(40) AS r(i)",
            "shops": "SELECT i AS shop_id, i * 7 % 40 AS city_id, 'land' || (i * 7 % 40 % 7) AS country "
            "FROM range(400) AS r(i)",
        }.items():
            connection.execute(f"COPY ({query}) TO '{data / name}.{suffix}'")
    expected = facts_in(data)
    monkeypatch.setattr("logicoder.engine.sql.stored_sources.read_knowledge_base", None)
    outcome = invoke(
        "fit", data, "--engine", "duckdb", "--max-sample", "300", "--json", "-o", tmp_path / "model"
    )
    found = json.loads(outcome.stdout)
    assert (found["loss"], found["facts"]) == (0, 840)
    assert any("shop_city" in clause and "city_country" in clause for clause in found["decoder"])
    model, encoded = tmp_path / "model", tmp_path / "encoded"
    invoke("encode", model, data, "--engine", "duckdb", "--lossless", "-o", encoded)
    invoke("decode", model, encoded, "--engine", "duckdb", "-o", tmp_path / "back")
    assert facts_in(tmp_path / "back") == expected


def test_a_duckdb_file_is_read_by_duckdb(tmp_path):
    duckdb = wanted_module("duckdb")
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE city (id INTEGER PRIMARY KEY, country VARCHAR)")
        columns = "id INTEGER PRIMARY KEY, city INTEGER REFERENCES city(id), country VARCHAR"
        connection.execute(f"CREATE TABLE shop ({columns})")
        connection.execute("INSERT INTO city SELECT i, 'land' || (i % 7) FROM range(40) AS r(i)")
        connection.execute(
            "INSERT INTO shop SELECT i, i * 7 % 40, 'land' || (i * 7 % 40 % 7) FROM range(400) AS r(i)"
        )
    assert chosen_engine([path], "auto") == "duckdb"
    outcome = invoke("fit", path, "--max-sample", "300", "--json")
    found = json.loads(outcome.stdout)
    assert (found["loss"], found["facts"]) == (0, 840)
    assert any("shop_city" in clause and "city_country" in clause for clause in found["decoder"])
    in_memory = json.loads(invoke("fit", path, "--engine", "arrays", "--json", "-o", tmp_path).stdout)
    told = [
        invoke("insights", tmp_path, path, *options).stdout
        for options in (("--engine", "arrays"), (), ("--max-sample", "300"))
    ]
    assert "By the keys of their tables" in told[0]
    assert told[0] == told[1] == told[2]
    assert in_memory["plain_bits"] == pytest.approx(found["plain_bits"])
