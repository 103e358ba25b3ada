"""Files are the same facts in an engine as in memory: headers, missing values, numbers and times."""

from __future__ import annotations

import logging
import os
import threading
from datetime import UTC, date, datetime, time
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE
from tests.wanted import wanted_module

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.base.errors import InputError, SearchError
from logicoder.base.input_record import recorded_inputs
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import PartToken, StopToken
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.stored_sources import Opening, open_stored
from logicoder.learner.settings import Settings
from logicoder.learner.stored import compress_stored

from .systems import spark

MOMENT = datetime(2024, 1, 2, 3, 4, 5)
COLUMNS = {
    "decimal": [Decimal("1.50"), Decimal("200.00"), Decimal("-0.10"), None],
    "whole_decimal": [Decimal(100), Decimal(20), Decimal(0), None],
    "number": [1.0, float("nan"), 2.5, -0.125],
    "moment": [MOMENT, MOMENT.replace(microsecond=600000), datetime(2024, 1, 2), None],
    "day": [date(2024, 1, 2), None, date(1999, 12, 31), None],
    "flag": [True, False, None, True],
    "bytes": [b"ab", b"\xff", b"", None],
    "integer": [1, -2, None, 2**62],
}
OF_DUCKDB = {
    "zoned": [MOMENT.replace(tzinfo=UTC), None, MOMENT.replace(tzinfo=UTC, microsecond=7), None],
    "hour": [time(1, 2), time(1, 2, 3, 500000), None, None],
    "large": [1e20, 1e-7, 1.5e300, None],
}


def opened(engine, path, kind, **options):
    """The facts that an engine reads, as texts."""
    if engine == "spark":
        spark().conf.set("spark.sql.session.timeZone", "UTC")
    with open_stored([path], Opening(engine, format=kind, **options)) as stored:
        return {
            (name, *row)
            for name, relation in stored.relations.items()
            for row in stored.session.rows(f"SELECT * FROM {relation.table}", "comparing")
        }


def in_memory(path, kind, **options):
    return {
        (fact.predicate, *map(str, fact.arguments))
        for fact in KnowledgeBase.from_path(path, format=kind, **options)
    }


def told(caplog, path):
    """What was said of files, without the places of lines."""
    texts = [record.getMessage().replace(str(path), "") for record in caplog.records if record.levelno >= 30]
    caplog.clear()
    return sorted({text.partition("; ")[0].split(":")[-1].strip() for text in texts})


def test_values_of_parquet(tmp_path, caplog):
    wanted_module("duckdb")
    arrow, parquet = wanted_module("pyarrow"), import_module("pyarrow.parquet")
    for name, values in (COLUMNS | OF_DUCKDB).items():
        table = arrow.table({"row": [f"r{i}" for i in range(len(values))], "value": arrow.array(values)})
        parquet.write_table(table, tmp_path / f"{name}.parquet")
    caplog.set_level(logging.WARNING)
    expected, said = in_memory(tmp_path, "parquet"), told(caplog, tmp_path)
    assert opened("duckdb", tmp_path, "parquet") == expected
    assert told(caplog, tmp_path) == said != []


@pytest.mark.xdist_group("spark")
def test_values_of_parquet_in_spark(tmp_path, caplog):
    wanted_module("pyspark")
    arrow, parquet = wanted_module("pyarrow"), import_module("pyarrow.parquet")
    table = arrow.table({name: arrow.array([values[0], values[3]]) for name, values in COLUMNS.items()})
    parquet.write_table(table, tmp_path / "all.parquet")
    expected, said = in_memory(tmp_path, "parquet"), told(caplog, tmp_path)
    assert opened("spark", tmp_path, "parquet") == expected
    assert told(caplog, tmp_path) == said
    assert len(expected) == len(said) == 1


@pytest.mark.xdist_group("spark")
def test_fields_of_csv_in_spark(tmp_path):
    wanted_module("pyspark")
    (tmp_path / "p.csv").write_text('a,"two\nlines"\nb,\n"x,y","q""r"\n')
    (tmp_path / "lives.csv").write_text("person,city\nann,paris\nbob,rome\n")
    assert opened("spark", tmp_path, "tables") == in_memory(tmp_path, "tables")


def test_headers_and_empty_fields(tmp_path, caplog):
    wanted_module("duckdb")
    (tmp_path / "p.csv").write_text('a,1.50\nb,\n,d\n"x,y","q""r"\n')
    (tmp_path / "lives.csv").write_text("person,city\nann,paris\nbob,rome\n")
    (tmp_path / "age.tsv").write_text("who\tage\nann\t3\nbob\t4\n")
    expected, said = in_memory(tmp_path, "tables"), told(caplog, tmp_path)
    assert opened("duckdb", tmp_path, "tables") == expected
    assert told(caplog, tmp_path) == said
    assert len(said) == 3
    assert opened("duckdb", tmp_path, "tables", header=True) == in_memory(tmp_path, "tables", header=True)


FIELDS = st.sampled_from(
    [
        "a",
        "b",
        "person",
        "1",
        "007",
        "1.5",
        "",
        "é",
        '"x,y"',
        '""',
        "c d",
        " e",
        "NA",
        "id",
        '"q""r"',
        "\\N",
        "'",
    ]
)
ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1, max_size=8)
)


@settings(REPEATABLE, max_examples=40)
@given(rows=ROWS)
def test_any_rows_are_the_same_facts(tmp_path_factory, rows):
    wanted_module("duckdb")
    folder = tmp_path_factory.mktemp("rows")
    (folder / "p.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    assert opened("duckdb", folder, "tables") == in_memory(folder, "tables", empty=True)


def test_a_quoted_field_of_no_letters_is_a_constant(tmp_path):
    wanted_module("duckdb")
    (tmp_path / "p.csv").write_text('a,""\nb,c\n')
    assert opened("duckdb", tmp_path, "tables") == {("p", "a", ""), ("p", "b", "c")}


def test_white_space_between_fields(tmp_path):
    wanted_module("duckdb")
    (tmp_path / "all.txt").write_text("ann knows  bob\nbob knows ann\n")
    assert opened("duckdb", tmp_path, "triples") == {("knows", "ann", "bob"), ("knows", "bob", "ann")}


def test_types_that_a_header_spells_out(tmp_path, caplog):
    wanted_module("duckdb")
    (tmp_path / "schema.mln").write_text("lives(person,city)\n")
    (tmp_path / "lives.csv").write_text("person,city\nann,paris\n")
    assert opened("duckdb", tmp_path, "tables") == {("lives", "ann", "paris")}
    assert not caplog.records


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_tables_of_things_are_the_same_as_in_memory(tmp_path, suffix):
    wanted_module("duckdb")
    frame = wanted_module("pandas").DataFrame(
        {
            "id": [1, 2, 3],
            "colour": ["red", None, "red"],
            "price": [9.5, 20.0, 70.25],
            "sold": [True, False, True],
        }
    )
    if suffix == "csv":
        frame.to_csv(tmp_path / "cars.csv", index=False)
    else:
        frame.to_parquet(tmp_path / "cars.parquet")
    kb = KnowledgeBase.from_path(tmp_path)
    assert "car_price" in kb.schema
    with open_stored([tmp_path], Opening("duckdb")) as stored:
        assert stored.mapping == kb.mapping is not None
        assert set(stored.relations) == set(kb.schema)
    with open_stored([tmp_path], Opening("duckdb", mapping=kb.mapping)) as stored:
        assert set(stored.relations) == set(kb.schema)
    assert opened("duckdb", tmp_path, "tables" if suffix == "csv" else "parquet") == in_memory(
        tmp_path, "tables" if suffix == "csv" else "parquet"
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("name", ["d[1]", "d?", "d*", "~d", "year=2024"])
def test_a_name_is_no_pattern_and_no_column(tmp_path, name, suffix, monkeypatch):
    """Of a file that is named, no other one is read, and none of its columns comes from its folder."""
    wanted_module("duckdb")
    monkeypatch.chdir(tmp_path)
    kind = "tables" if suffix == "csv" else "parquet"
    for folder, letter in ((name, "a"), ("d1", "x")):
        facts = [("likes", f"{letter}{number}", f"{letter}{number % 2}") for number in range(4)]
        KnowledgeBase.from_facts(facts).save(Path(folder), kind)
    path = Path(name) / f"likes.{suffix}"
    assert opened("duckdb", path, kind) == in_memory(path, kind) == in_memory(Path(name), kind)
    expected = KnowledgeBase.from_path(path, mapping="auto")
    with open_stored([path], Opening("duckdb", mapping="auto")) as stored:
        assert stored.counts == {own: expected.count(own) for own in expected.schema}
        assert set(map(str, read(stored))) == set(map(str, expected))


@pytest.mark.xdist_group("spark")
def test_a_name_is_no_pattern_in_spark(tmp_path):
    for folder, values in (("d[1]", ("a", "b")), ("d1", ("x", "y"))):
        KnowledgeBase.from_facts([("likes", *values)]).save(tmp_path / folder, "tables")
    assert opened("spark", tmp_path / "d[1]" / "likes.csv", "tables") == {("likes", "a", "b")}


@pytest.mark.parametrize(("kind", "content"), [("tables", b"a,b\nc,d\n"), (None, b"id,of\n1,a\n2,a\n3,b\n")])
def test_what_comes_through_a_pipe_is_read_once(tmp_path, kind, content):
    wanted_module("duckdb")
    pipe, same = tmp_path / "likes.csv", tmp_path / "same" / "likes.csv"
    same.parent.mkdir()
    same.write_bytes(content)
    os.mkfifo(pipe)
    mapping = None if kind else "auto"
    with open_stored([same], Opening("duckdb", format=kind, mapping=mapping)) as stored:
        expected = stored.counts
    threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True).start()
    with recorded_inputs(), open_stored([pipe], Opening("duckdb", format=kind, mapping=mapping)) as stored:
        assert stored.counts == expected


def test_lists_and_infinite_numbers_are_refused(tmp_path):
    wanted_module("duckdb")
    arrow, parquet = wanted_module("pyarrow"), import_module("pyarrow.parquet")
    parquet.write_table(arrow.table({"row": [[1], [2]]}), tmp_path / "p.parquet")
    with pytest.raises(InputError, match=r"column row: a BIGINT\[\] is not a constant"):
        opened("duckdb", tmp_path, "parquet")
    parquet.write_table(arrow.table({"row": [1.0, float("inf")]}), tmp_path / "p.parquet")
    with pytest.raises(InputError, match="column row: inf is not a constant"):
        opened("duckdb", tmp_path, "parquet")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\nc,\xe9\n", r"p\.csv:2:3: byte 0xe9 is not UTF-8"),
        (b"a,b\nc,d\ne,f,g\n", r"p\.csv:3:5: this row has 3 fields instead of 2"),
        (b'a,b\nc,"d\n', r"p\.csv:2:3: this quotation mark"),
    ],
)
def test_errors_have_their_places(tmp_path, content, said):
    wanted_module("duckdb")
    (tmp_path / "p.csv").write_bytes(content)
    with pytest.raises(InputError, match=said):
        opened("duckdb", tmp_path, "tables")


class TestTime:
    @pytest.fixture
    def shop(self, tmp_path):
        duckdb = wanted_module("duckdb")
        folder = tmp_path / "shop"
        folder.mkdir()
        query = (
            "SELECT i AS thing_id, 'k' || (i % 7) AS kind, 'c' || (i % 5) AS colour FROM range(300) AS r(i)"
        )
        duckdb.execute(f"COPY ({query}) TO '{folder / 'thing'}.parquet'")
        return folder

    def test_each_step_of_reading_is_told(self, shop):
        events = []
        with open_stored([shop], Opening("duckdb", report=events.append)) as data:
            assert all(isinstance(event, PhaseAdvanced) and event.phase == "read" for event in events)
            told = [(event.what, event.done, event.total) for event in events]
            assert told == [("thing", 0, 1), ("thing_kind", 0, 2), ("thing_colour", 1, 2)]
            assert set(data.relations) == {"thing_kind", "thing_colour"}

    def test_a_limit_that_is_too_short_to_read_the_data_is_told(self, shop, monkeypatch, tmp_path):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        with pytest.raises(SearchError, match="before the data was read; allow more time with `time_limit`"):
            open_stored([shop], Opening("duckdb", stop=StopToken(0)))
        assert [path.name for path in tmp_path.iterdir()] == ["shop"]

    def test_a_limit_that_is_too_short_to_take_a_sample_is_told(self, shop):
        with open_stored([shop], Opening("duckdb")) as data:
            data.session.stop = StopToken(0)
            with pytest.raises(SearchError, match="before a sample of the data was taken"):
                compress_stored(data, Settings(), Program(()), most=100)

    def test_after_a_limit_the_data_can_still_be_asked(self, shop):
        with open_stored([shop], Opening("duckdb")) as data:
            model = AutoEncoder(max_sample=100, time_limit=60).fit(data)
            assert model.facts_ == 600
            assert not isinstance(data.session.stop, PartToken)
