"""`--engine`: data that stay where they are, as a user names them."""

from __future__ import annotations

import json

import pytest
from tests.wanted import wanted_module

from logicoder import KnowledgeBase
from logicoder.engine.sql.choice import chosen_engine

from .helpers import invoke

PAIRS = [(f"e{i}", f"e{(7 * i + 3) % 120}") for i in range(120)]
FACTS = {"likes": PAIRS, "liked": [(y, x) for x, y in PAIRS], "odd": [(x,) for x, _ in PAIRS[::2]]}


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    wanted_module("duckdb")
    folder = tmp_path_factory.mktemp("facts")
    KnowledgeBase.from_facts(FACTS).save(folder, "parquet")
    return folder


@pytest.fixture(scope="module")
def model(facts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    outcome = invoke("fit", facts, "--engine", "duckdb", "--max-sample", "100", "-o", folder, "--json")
    found = json.loads(outcome.stdout)
    assert (found["loss"], found["facts"]) == (0, 300)
    assert len(found["decoder"]) == 1
    return folder


def facts_in(folder):
    return set(map(str, KnowledgeBase.from_path(folder)))


@pytest.mark.parametrize("engine", ["duckdb", "auto"])
def test_what_is_encoded_comes_back(model, facts, tmp_path, engine):
    invoke("encode", model, facts, "--engine", "duckdb", "--lossless", "-o", tmp_path / "encoded")
    invoke("decode", model, tmp_path / "encoded", "--engine", engine, "-o", tmp_path / "back")
    assert facts_in(tmp_path / "back") == facts_in(facts)


def test_reconstruct_counts_in_the_engine(model, facts):
    outcome = invoke("reconstruct", model, facts, "--engine", "duckdb", "--json")
    assert json.loads(outcome.stdout) == {
        "facts": 300, "latent_facts": 180, "loss": 0, "missing": 0, "false": 0,
    }  # fmt: skip


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
    in_memory = json.loads(invoke("fit", path, "--engine", "arrays", "--json").stdout)
    assert in_memory["plain_bits"] == pytest.approx(found["plain_bits"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--engine", "postgresql"], "name its address"),
        (["--engine", "duckdb", "--compression", "0.5"], "description length"),
        (["--engine", "duckdb", "--layers", "2"], "--layers"),
        (["--engine", "oracle"], "oracle"),
    ],
)
def test_what_does_not_go_together_is_told(facts, arguments, told):
    assert told in invoke("fit", facts, *arguments, code=2).output


def test_an_encoding_of_another_model_is_refused(model, facts, tmp_path):
    invoke("encode", model, facts, "--engine", "duckdb", "-o", tmp_path / "encoded")
    told = tmp_path / "encoded" / "encoding.json"
    told.write_text(told.read_text().replace('"model": "', '"model": "0'))
    again = ("decode", model, tmp_path / "encoded", "-o", tmp_path / "back")
    assert "another model" in invoke(*again, code=2).output
    told.write_text("{")
    assert "this encoding is damaged" in invoke(*again, code=2).output
