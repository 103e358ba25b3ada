"""`--engine`: data that stay where they are, as a user names them."""

from __future__ import annotations

import json
import signal
import threading
import time

import pytest
from tests.waiting import PATIENCE, ended, until
from tests.wanted import wanted_module

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.cli.inputs import DataOptions
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.sample import read

from .helpers import facts_in, invoke, started

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


@pytest.mark.parametrize("engine", ["duckdb", "auto"])
def test_what_is_encoded_comes_back(model, facts, tmp_path, engine):
    invoke("encode", model, facts, "--engine", "duckdb", "--lossless", "-o", tmp_path / "encoded")
    invoke("decode", model, tmp_path / "encoded", "--engine", engine, "-o", tmp_path / "back")
    assert facts_in(tmp_path / "back") == facts_in(facts)


def test_reconstruct_counts_in_the_engine(model, facts, tmp_path):
    there, here = (
        json.loads(invoke("reconstruct", model, facts, "--engine", engine, "--json").stdout)
        for engine in ("duckdb", "arrays")
    )
    assert there == here
    assert (here["facts"], here["latent_facts"], here["loss"]) == (300, 180, 0)
    fewer = tmp_path / "fewer"
    KnowledgeBase.from_facts({**FACTS, "liked": FACTS["liked"][:-2]}).save(fewer, "parquet")
    shown = invoke("reconstruct", model, fewer, "--engine", "duckdb", "--show", "1").stdout
    assert "(first 1 of 2)" in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", "facts.pl"], "not a file of prolog; name a folder"),
        (["--lossless", "--packed", "-o", "packed"], "--engine arrays"),
    ],
)
def test_files_that_an_engine_does_not_write_are_refused(model, facts, tmp_path, arguments, told):
    arguments[-1] = tmp_path / arguments[-1]
    assert told in invoke("encode", model, facts, "--engine", "duckdb", *arguments, code=2).output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--engine", "postgresql"], "pass its URL"),
        (["--engine", "oracle"], "oracle"),
    ],
)
def test_what_does_not_go_together_is_told(facts, arguments, told):
    assert told in invoke("fit", facts, *arguments, code=2).output


def test_a_solver_selects_clauses_for_a_sample(facts):
    arguments = ("fit", facts, "--engine", "duckdb", "--max-sample", "100", "--compression", "0.7")
    found = json.loads(invoke(*arguments, "--effort", "1", "--json").stdout)
    assert (found["facts"], found["engine"]["name"], found["bound"]) == (300, "DuckDB", 0)
    (told,) = found["engine"]["constraints"]
    assert told["asked"] == "latent facts <= 7/10 * 300"
    assert told["holds"] is (found["latent_facts"] <= 210)
    assert "counted by DuckDB; the program is that of" in invoke(*arguments, "--effort", "1").stdout


def test_layers_are_learned_and_used_in_the_engine(facts, tmp_path):
    layers = ("--layers", "2", "--compression", "0.9", "--effort", "1")
    found = json.loads(invoke("fit", facts, *LARGER, *layers, "--json", "-o", tmp_path / "model").stdout)
    there, here = (
        json.loads(invoke("reconstruct", tmp_path / "model", facts, "--engine", engine, "--json").stdout)
        for engine in ("duckdb", "arrays")
    )
    assert there["predicates"] == here["predicates"]
    assert (found["facts"], found["loss"], found["latent_facts"]) == (300, here["loss"], here["latent_facts"])
    invoke(
        "encode", tmp_path / "model", facts, "--engine", "duckdb", "--lossless", "-o", tmp_path / "encoded"
    )
    invoke("decode", tmp_path / "model", tmp_path / "encoded", "-o", tmp_path / "back")
    assert facts_in(tmp_path / "back") == facts_in(facts)


def test_a_state_is_written_of_data_that_are_read(facts, tmp_path):
    asked = ("fit", facts, "--engine", "duckdb", "-o", tmp_path / "model", "--state")
    invoke(*asked, tmp_path / "state")
    invoke("fit", facts, "--engine", "arrays", "-o", tmp_path / "same", "--state", tmp_path / "here")
    states = [(tmp_path / name / "state.json").read_text() for name in ("state", "here")]
    assert states[0] == states[1]
    (tmp_path / "new.pl").write_text("odd(e1).")
    invoke("update", tmp_path / "model", tmp_path / "state", "--add", tmp_path / "new.pl")
    told = invoke(*asked, tmp_path / "large", "--max-sample", "100", code=2).output
    assert "the data has 300 facts" in told
    assert not (tmp_path / "large").exists()


@pytest.mark.parametrize("first", ["memory", "packed", "duckdb"])
@pytest.mark.parametrize("second", ["memory", "packed", "duckdb"])
def test_a_folder_has_one_encoding(model, facts, tmp_path, first, second):
    """Two of different forms side by side would be two answers to what it stands for."""
    ways = {"memory": (), "packed": ("--packed",), "duckdb": ("--engine", "duckdb")}
    other = tmp_path / "other" / facts.name
    KnowledgeBase.from_facts({**FACTS, "odd": [("e1",)]}).save(other, "parquet")
    encoded, back = tmp_path / "encoded", tmp_path / "back"
    invoke("encode", model, facts, *ways[first], "--lossless", "-o", encoded)
    again = ("encode", model, other, *ways[second], "--lossless", "-o", encoded)
    told = invoke(*again, code=0 if first == second else 2)
    if first != second:
        assert "this folder has" in told.output
    invoke("decode", model, encoded, "-o", back)
    assert facts_in(back) == facts_in(other if first == second else facts)


def test_changed_files_of_an_encoding_are_refused(model, facts, tmp_path):
    encoded = tmp_path / "encoded"
    invoke("encode", model, facts, "--engine", "duckdb", "--lossless", "-o", encoded)
    again = ("decode", model, encoded, "-o", tmp_path / "back")
    (file, *_) = (encoded / "latent").glob("*.parquet")
    file.rename(encoded / "kept")
    assert f"{file}: this file of an encoding is missing" in " ".join(invoke(*again, code=2).output.split())
    half = f"FROM read_parquet('{encoded / 'kept'}') LIMIT 1"
    wanted_module("duckdb").sql(half).write_parquet(str(file))
    assert "was changed after it was written" in " ".join(invoke(*again, code=2).output.split())
    (encoded / "kept").rename(file)
    file.with_suffix(".csv").write_text("a1\ne1\n")  # as PostgreSQL would write it
    assert "was changed after it was written" in " ".join(invoke(*again, code=2).output.split())
    invoke("encode", model, facts, "--engine", "duckdb", "--lossless", "-o", encoded)
    assert not file.with_suffix(".csv").exists()
    told = encoded / "encoding.json"
    text = told.read_text()
    told.write_text(text.replace('"lossless": true', '"lossless": false'))
    assert "was changed after it was written" in " ".join(invoke(*again, code=2).output.split())
    told.write_text(text)
    invoke(*again)
    assert facts_in(tmp_path / "back") == facts_in(facts)


@pytest.mark.parametrize("header", ["x" * 200_000, "", "\0", "a1,a2,a3,a4"])
def test_encodings_without_sums_have_their_columns(model, facts, tmp_path, header):
    """Those that were written before there were sums."""
    encoded = tmp_path / "encoded"
    invoke("encode", model, facts, "--engine", "duckdb", "--lossless", "-o", encoded)
    told = json.loads((encoded / "encoding.json").read_text())
    del told["sums"], told["sha256"]
    (encoded / "encoding.json").write_text(json.dumps(told))
    again = ("decode", model, encoded, "-o", tmp_path / "back")
    invoke(*again)
    (file, *_) = (encoded / "latent").glob("*.parquet")
    file.unlink()
    file.with_suffix(".csv").write_text(f"{header}\na,b\n")
    assert "does not have the columns" in " ".join(invoke(*again, code=2).output.split())


def test_an_encoding_of_another_model_is_refused(model, facts, tmp_path):
    invoke("encode", model, facts, "--engine", "duckdb", "-o", tmp_path / "encoded")
    told = tmp_path / "encoded" / "encoding.json"
    told.write_text(told.read_text().replace('"model": "', '"model": "0'))
    again = ("decode", model, tmp_path / "encoded", "-o", tmp_path / "back")
    assert "another model" in invoke(*again, code=2).output
    told.write_text("{")
    assert "this encoding is damaged" in invoke(*again, code=2).output


LARGER = ("--engine", "duckdb", "--max-sample", "100")
"""More facts than are read: every answer comes from the engine, or says that it does not."""


@pytest.mark.parametrize(
    ("command", "more"), [("explain", ["likes(e1,e10)"]), ("suggest", []), ("insights", [])]
)
def test_answers_are_those_of_memory(model, facts, command, more):
    there, here = (
        json.loads(invoke(command, model, facts, *more, "--json", *options).stdout)
        for options in (LARGER, ("--engine", "arrays"))
    )
    if command == "explain":
        assert [answer.pop("interpretation") for answer in here["answers"]]
        assert [answer.pop("interpretation") for answer in there["answers"]] == ["data"]
    assert there == here


def test_suggestions_of_wrong_data(model, tmp_path):
    wrong = tmp_path / "wrong"
    pairs = [*PAIRS[:-1], ("e119", "e5")]
    KnowledgeBase.from_facts({**FACTS, "liked": [(y, x) for x, y in pairs]}).save(wrong, "parquet")
    there, here = (
        json.loads(invoke("suggest", model, wrong, "--json", "--weak", "--top", "1000", *options).stdout)
        for options in (LARGER, ("--engine", "arrays"))
    )
    assert len(here["suggestions"]) > 1
    expected, doubted = [], []
    for rows in (there, here):
        for row in rows["suggestions"]:
            del row["interpretation"]
        expected.append({row["atom"] for row in rows["suggestions"] if row["kind"] == "add"})
        doubted.append([row for row in rows["suggestions"] if row["kind"] != "add"])
    assert doubted[0] == doubted[1]
    assert expected[0] <= expected[1]  # in memory, other rules than the program's are asked, too
    assert (
        "Likely errors (first 1 of" in invoke("suggest", model, wrong, "--weak", "--top", "1", *LARGER).stdout
    )


def test_a_report_counts_all_facts_and_says_what_is_a_sample(model, facts, tmp_path):
    page = tmp_path / "report.html"
    invoke("report", model, facts, "-o", page, *LARGER)
    text = page.read_text()
    assert "All numbers are those of all 300 facts, as DuckDB counts them" in text
    assert "come from a sample: " in text
    assert "300 facts become 180 kept facts" in text


def test_a_curve_counts_all_facts_of_programs_that_a_sample_chose(facts):
    asked = ("curve", facts, "--compressions", "0.5,1", *LARGER)
    found = json.loads(invoke(*asked, "--json").stdout)
    assert found["facts"] == 300
    assert found["sample"] < 300
    kb = KnowledgeBase.from_path(facts)
    assert len(found["points"]) == 2
    for point in found["points"]:
        model = AutoEncoder.from_programs(*("\n".join(point[part]) for part in ("encoder", "decoder")))
        assert point["loss"] == model.reconstruct(kb).loss
        assert point["latent_facts"] == len(model.transform(kb))
        assert point["bound"] == 0
    told = invoke(*asked).output
    assert "300 facts, " in told
    assert f"for programs chosen on a sample of {found['sample']}; nothing is proven" in told


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    """Facts of three interpretations, and a model of them."""
    folder = tmp_path_factory.mktemp("worlds")
    parts = []
    for name in ("a'b", "mars", "the moon"):
        number = 40 + len(parts)
        pairs = [(f"e{i}", f"e{(7 * i + 3) % number}") for i in range(number)]
        rows = {"likes": pairs, "liked": [(y, x) for x, y in pairs]}
        parts.append(KnowledgeBase.from_facts(rows, interpretation=name))
    KnowledgeBase.union(parts).save(folder / "facts", "parquet")
    invoke("fit", folder / "facts", *LARGER, "-o", folder / "model")
    return folder


def told(kb):
    return {(fact.interpretation, str(fact)) for fact in kb}


@pytest.mark.parametrize("target", ["back", "back.duckdb"])
def test_interpretations_are_decoded_into_what_can_be_learned_from(worlds, tmp_path, target):
    facts, model = worlds / "facts", worlds / "model"
    invoke("encode", model, facts, "--engine", "duckdb", "--lossless", "-o", tmp_path / "encoded")
    invoke("decode", model, tmp_path / "encoded", "--engine", "duckdb", "-o", tmp_path / target)
    with DataOptions([tmp_path / target]).stored("duckdb") as data:
        assert told(read(data)) == told(KnowledgeBase.from_path(facts))
    assert told(DataOptions([tmp_path / target]).read()) == told(KnowledgeBase.from_path(facts))
    learned = json.loads(invoke("fit", tmp_path / target, *LARGER, "--json").stdout)
    assert (learned["facts"], learned["loss"]) == (246, 0)


def test_tables_stay_in_a_duckdb_file_and_views_are_made_there(model, facts, tmp_path):
    duckdb = wanted_module("duckdb")
    shop = str(tmp_path / "shop.duckdb")
    invoke("encode", model, facts, "--engine", "duckdb", "-o", shop)
    invoke("export", model, "--to", "sql:duckdb", "--part", "decoder", "-o", shop)
    decoded = json.loads(invoke("show", model, "--json").stdout)["decoder"][0].partition("(")[0]
    with duckdb.connect(shop, read_only=True) as connection:
        assert sorted(connection.table(decoded).fetchall()) == sorted(FACTS[decoded])
    again = ("export", model, "--part", "decoder", "-o", shop, "--to")
    assert "views were not created" in invoke(*again, "sql:duckdb", code=1).output
    assert "choose --to sql:duckdb" in invoke(*again, "sql:sqlite", code=2).output
    # What was encoded is decoded from its tables.
    back = tmp_path / "back"
    invoke("decode", model, shop, "--engine", "duckdb", "-o", back)
    assert facts_in(back) == facts_in(facts)
    assert (
        "would be replaced" in invoke("decode", model, shop, "--engine", "duckdb", "-o", shop, code=2).output
    )


def test_ctrl_c_in_the_middle_of_a_query_is_no_error(model, facts, monkeypatch):
    made = DuckdbSession._create
    ending = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))

    def slowly(self, name, query):
        if not ending.is_alive() and not ending.finished.is_set():
            ending.start()  # the first query is under way
        time.sleep(1)
        made(self, name, query)

    monkeypatch.setattr(DuckdbSession, "_create", slowly)
    try:
        assert "interrupted" in invoke("reconstruct", model, facts, "--engine", "duckdb", code=130).output
    finally:
        ending.join(PATIENCE)


@pytest.fixture(scope="module")
def sales(tmp_path_factory):
    """Tables that take DuckDB a while to read."""
    duckdb = wanted_module("duckdb")
    folder = tmp_path_factory.mktemp("sales")
    sale = "SELECT i AS sale_id, hash(i) % 500 AS shop_id, 'k' || (i % 7) AS kind FROM range(400000) AS r(i)"
    shop = "SELECT i AS shop_id, 'city' || (i % 9) AS city FROM range(500) AS r(i)"
    for name, query in {"sale": sale, "shop": shop}.items():
        duckdb.execute(f"COPY ({query}) TO '{folder / name}.parquet'")
    return folder


@pytest.mark.parametrize("seconds", [0.0, 0.4, 1.2])
def test_a_process_that_is_ended_while_duckdb_reads_leaves_nothing(sales, tmp_path, monkeypatch, seconds):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = started("fit", sales, "--engine", "duckdb", "--max-sample", "1000")
    until(lambda: list(tmp_path.glob("logicoder-*/run.duckdb")), "DuckDB has a file", process)
    time.sleep(seconds)
    process.send_signal(signal.SIGTERM)
    _, err = ended(process)
    assert process.returncode == 130, err
    assert err.splitlines()[-1].startswith(("Error: interrupted", "interrupted: "))
    assert not any(said in err for said in ("internal error", "terminate called", "FATAL", "Traceback"))
    assert not list(tmp_path.iterdir())
