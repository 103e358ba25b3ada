"""Databases on the command line: inspect and write the mapping, fit, encode new data with the same cuts."""

import json
import sqlite3
from contextlib import closing

import pytest
from tests.wanted import wanted_module

from cli.helpers import as_json, invoke
from logicoder import KnowledgeBase
from logicoder.cli import fit_run
from logicoder.kb.mapping.mapping_file import read_mapping

CARS = """
CREATE TABLE makers (id INTEGER PRIMARY KEY, country TEXT);
CREATE TABLE cars (id INTEGER PRIMARY KEY, maker_id INTEGER, price REAL, origin TEXT, sold BOOLEAN);
"""


def cars(path, prices):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(CARS)
        makers = [(1, "italy"), (2, "japan"), (3, "korea"), (4, "spain")]
        connection.executemany("INSERT INTO makers VALUES (?, ?)", makers)
        rows = [(n, n % 4 + 1, price, makers[n % 4][1], n % 2) for n, price in enumerate(prices, 1)]
        connection.executemany("INSERT INTO cars VALUES (?, ?, ?, ?, ?)", rows)
    return path


@pytest.fixture
def old(tmp_path):
    return cars(tmp_path / "old.db", [float(price) for price in range(10, 90)])


def test_inspect_writes_the_mapping_and_shows_the_evidence(old, tmp_path):
    path = tmp_path / "cars.toml"
    out = invoke("inspect", old, "--mapping", path).stdout
    assert "not declared: the name fits, and 4 of 4 values are keys of makers" in out
    assert "shared by makers.country, cars.origin" in out
    assert f"Written to {path}" in out
    assert KnowledgeBase.from_sql(old, mapping=path) == KnowledgeBase.from_sql(old)


def test_inspect_proposes_without_writing(old, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "primary key" in invoke("inspect", str(old), "--mapping", "auto").stdout
    assert not list(tmp_path.glob("auto"))


def test_inspect_uses_a_mapping_that_is_there(old, tmp_path):
    path = tmp_path / "cars.toml"
    invoke("inspect", old, "--mapping", path)
    path.write_text(path.read_text().replace("cuts = [30, 50, 70]", "cuts = [40]"))
    before = path.read_bytes()
    assert as_json("inspect", old, "--mapping", path)["constants"]["price"] == 2
    assert path.read_bytes() == before


def test_decisions_as_json(old):
    found = as_json("inspect", old)
    assert ["cars.price", "car_price(car, price)", "80 values, numbers"] in found["decisions"]
    assert ["type price", "number, 4 bins", "80 values; cut at quantiles"] in found["decisions"]


def test_an_address_on_the_command_line(old):
    assert as_json("inspect", f"sqlite:///{old}") == as_json("inspect", old)


def test_a_model_keeps_its_mapping(old, tmp_path):
    model = tmp_path / "model"
    invoke("fit", old, "--output", model, "--compression", "1", "--time-limit", "20")
    assert read_mapping(model / "mapping.toml").types["price"].cuts == (30, 50, 70)
    new = cars(tmp_path / "new.db", [500.0, 600.0, 700.0])
    rebuilt = as_json("reconstruct", model, new)
    assert rebuilt["loss"] == 0
    printed = invoke("encode", model, new).stdout
    assert "'[70..)'" in printed
    assert "[600" not in printed
    record = json.loads((model / "run.json").read_text())
    assert [item["path"] for item in record["inputs"]] == [str(old)]


def test_a_mapping_that_is_not_there_is_named(old, tmp_path):
    outcome = invoke("fit", old, "--mapping", tmp_path / "no.toml", code=2)
    assert "no.toml: there is no such file" in outcome.stderr


def test_large_tables_are_offered_as_samples(old, monkeypatch):
    monkeypatch.setattr("logicoder.kb.mapping.tables.MOST_ROWS", 79)
    outcome = invoke("inspect", old, code=2)
    assert "the table cars has 80 rows" in outcome.stderr
    assert "--sample 100000" in outcome.stderr
    found = as_json("inspect", old, "--sample", "40")
    assert {p["name"]: p["facts"] for p in found["predicates"]}["car_price"] == 40


def test_passwords_are_not_recorded(monkeypatch):
    address = "postgresql://anna:s3cr:et/@host/shop?password=s3cret"
    monkeypatch.setattr("sys.argv", ["logicoder", "fit", address, "--output", "model"])
    assert "s3c" not in " ".join(fit_run._command())
    assert "postgresql://anna:***@host/shop?password=***" in fit_run._command()


def test_generate_shop(tmp_path):
    path = tmp_path / "shop.db"
    out = invoke("generate", "shop", "-o", path, "--orders", "20", "--seed", "3").stdout
    assert len(out.splitlines()[1].split(",")) == 9
    assert KnowledgeBase.from_path(path).count("order_customer") == 20
    assert "at least 9" in invoke("generate", "shop", "-o", path, "--orders", "8", code=2).stderr


@pytest.mark.xdist_group("postgresql")
def test_no_password_in_anything_that_is_made_of_a_server(postgresql, tmp_path):
    sqlalchemy = wanted_module("sqlalchemy")
    wanted_module("psycopg2")
    secret = "s3cr3tword"  # noqa: S105
    address = f"postgresql+psycopg2://tester:{secret}@/postgres?host={postgresql.folder}"
    engine = sqlalchemy.create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE cars")
    engine.dispose()
    address = address.replace("/postgres?", "/cars?")
    engine = sqlalchemy.create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE maker (id INTEGER PRIMARY KEY, country TEXT)")
        connection.exec_driver_sql(
            "CREATE TABLE car (id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES maker, country TEXT)"
        )
        for i in range(4):
            connection.exec_driver_sql(f"INSERT INTO maker VALUES ({i}, 'land{i % 3}')")  # noqa: S608
        for i in range(60):
            connection.exec_driver_sql(f"INSERT INTO car VALUES ({i}, {i % 4}, 'land{i % 4 % 3}')")  # noqa: S608
    engine.dispose()
    model, said = tmp_path / "model", ""
    for command in (
        ("inspect", address, "--mapping", tmp_path / "cars.toml"),
        ("fit", address, "-o", model, "-v"),
        ("report", model, address, "-o", tmp_path / "page.html"),
        ("encode", model, address, "-o", tmp_path / "latent", "--lossless"),
        ("insights", model, address, "--json"),
        ("suggest", model, address),
        ("export", model, "--to", "sql:postgresql", "-o", tmp_path / "views.sql"),
    ):
        outcome = invoke(*command)
        said += outcome.stdout + outcome.stderr
    assert "car_country(X,Y) :- car_maker(X,Z), maker_country(Z,Y)." in said
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"cars.toml", "model.alp", "page.html", "views.sql"} <= {path.name for path in made}
    assert "tester:***@" in "".join(path.read_text() for path in made)
    assert not [path for path in made if secret.encode() in path.read_bytes()]
    assert secret not in said
