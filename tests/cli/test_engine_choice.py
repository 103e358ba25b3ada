"""Which engine reads what: large files, tables without a key, tables of things, DuckDB files."""

from __future__ import annotations

import json
import os

import pytest
from tests.wanted import wanted_module

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
