"""Tables of things are the same facts where they are as in memory: their values, and the numbers of rows."""

from __future__ import annotations

import gzip
import logging
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE
from tests.wanted import wanted_module

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError
from logicoder.engine.sql import stored_sources
from logicoder.engine.sql.stored_sources import Opening, open_stored
from logicoder.kb.mapping.proposal import propose_mapping
from logicoder.kb.mapping.table_reader import open_source

from .systems import address_of

ROWS = [("red", 3), ("red", 3), ("blue", None), ("green", 1), ("red", 3)]


@pytest.fixture(autouse=True)
def in_place(monkeypatch):
    """Files that DuckDB cannot read in place are read into memory: not here."""
    monkeypatch.setattr(stored_sources, "_MOST_READ", 0)


def facts_of(*paths, engine="duckdb", **options):
    """The facts that an engine has, as texts, and its mapping."""
    with open_stored(list(paths), Opening(engine, **options)) as stored:
        rows = {
            (name, *row)
            for name, relation in stored.relations.items()
            for row in stored.session.rows(f"SELECT * FROM {relation.table}", "comparing")
        }
        return rows, stored.mapping


def texts_of(kb):
    return {(fact.predicate, *map(str, fact.arguments)) for fact in kb}


def compared(path, **options):
    """Facts where they are, after they were compared with those in memory."""
    kb = KnowledgeBase.from_path(path, **options)
    found, mapping = facts_of(path, **options)
    assert mapping == kb.mapping
    assert found == texts_of(kb)
    return found


def told(caplog):
    found = sorted({record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING})
    caplog.clear()
    return found


FIELDS = {
    "whole": ["1", "20", "-3", "0", "500"],
    "decimal": ["1.5", "2", ".25", "-1e3", "7.0"],
    "commas": ["1,250.50", "7", "12,000", "3"],
    "points": ["1.250,50", "7", "12.000"],
    "dotted": ["31.12.2024", "1.2.2023", "05.06.2022"],
    "slashed": ["12/31/2024", "1/2/2023", "5/6/2022"],
    "days": ["31/12/2024", "1/2/2023"],
    "unclear": ["1/2/2023", "3/4/2024"],
    "iso": ["2024-05-17", "2023-01-01", "2024-05-17 10:30"],
    "truth": ["yes", "no"],
    "text": ["a", "b", " c ", "x,y", 'q"r', "Ünï"],
    "codes": ["007", "1", "12"],
    "no_day": ["31.02.2024", "1.2.2023"],
}
BLANKS = ["", " ", "NA", "null", "\u00a0"]


@st.composite
def columns(draw, rows):
    """The fields of a column: mostly of one kind, some missing, some of another kind at the end."""
    kind = draw(st.sampled_from(sorted(FIELDS)))
    fields = [draw(st.sampled_from(FIELDS[kind])) for _ in range(rows)]
    for _ in range(draw(st.integers(0, 2))):
        fields[draw(st.integers(0, rows - 1))] = draw(st.sampled_from(BLANKS))
    if draw(st.integers(0, 3)) == 0:
        fields[-1] = draw(st.sampled_from(FIELDS[draw(st.sampled_from(sorted(FIELDS)))]))
    return fields


@st.composite
def tables(draw):
    rows = draw(st.integers(3, 9))
    return [draw(columns(rows)) for _ in range(draw(st.integers(3, 5)))]


@settings(REPEATABLE, max_examples=40)
@given(table=tables(), delimiter=st.sampled_from([",", ";", "\t"]), few=st.booleans())
def test_csv_files_have_the_values_of_memory(tmp_path_factory, table, delimiter, few):
    wanted_module("duckdb")
    path = tmp_path_factory.mktemp("csv") / "things.csv"
    lines = [[f"kind{i}" for i in range(len(table))], *map(list, zip(*table, strict=True))]
    quoted = (['"' + field.replace('"', '""') + '"' for field in line] for line in lines)
    path.write_text("".join(delimiter.join(line) + "\n" for line in quoted))
    with pytest.MonkeyPatch.context() as patch:
        if few:
            # So that most fields are seen by DuckDB alone.
            patch.setattr("logicoder.engine.sql.field_columns._FIRST", 1)
        try:
            KnowledgeBase.from_path(path)
        except InputError:
            return
        compared(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", b"id,colour,size\r\n1,red,3\r\n2,,4\r\n"),
        ("mark.csv", b"\xef\xbb\xbfid,colour,size\n1,red,3\n2,blue,4\n"),
        ("packed.csv.gz", gzip.compress(b"id,colour,size\n1,red,3\n2,blue,4\n")),
        ("blank.csv", b"\nid,colour,size\n\n1,red,3\n\n2,blue,4\n\n"),
        ("one.csv", b"colour\nred\n\nblue\nred\n"),
        ("empty.csv", b",size,,colour,colour,\n1,3, ,red,blue,\n2,4,\t,,green,\n"),
        ("filled.csv", b"id,size,,id\n1,3,,a\n2,4,x,b\n"),
        ("lines.csv", b'id,colour,"long\nsize"\n1,"re\nd",3\n2,"b""lue",4\n'),
        ("large.csv", b"id,colour,size\n" + b"".join(b"%d,red,%d\n" % (i, i % 7) for i in range(3000))),
    ],
    ids=lambda given: given if isinstance(given, str) else "",  # what is packed has a time in it
)
def test_csv_files_of_any_kind(tmp_path, monkeypatch, name, content):
    wanted_module("duckdb")
    monkeypatch.setattr(stored_sources, "_MOST_READ", 0)
    (tmp_path / name).write_bytes(content)
    mapping = propose_mapping(open_source(tmp_path / name).read())
    kb = KnowledgeBase.from_path(tmp_path / name, mapping=mapping)
    found, _ = facts_of(tmp_path / name, mapping=mapping)
    assert found == texts_of(kb)


def test_guesses_about_fields_are_told_as_in_memory(tmp_path, caplog):
    wanted_module("duckdb")
    lines = ["id;price;since;kind", *(f"{i};1.{i}00,5;{i}.3.2024;a" for i in range(1, 9))]
    lines += ["9;NA;-;b", "10;2;3.4.2024;NA", r"11;2;3.4.2024; \N", "12;2;3.4.2024;none"]
    (tmp_path / "cars.csv").write_text("\n".join(lines))
    kb = KnowledgeBase.from_path(tmp_path)
    expected = told(caplog)
    found, _ = facts_of(tmp_path)
    assert told(caplog) == expected
    assert found == texts_of(kb)
    assert any("1.100,5 is read as 1100.5; NA is read as missing" in text for text in expected)
    assert any(r"column kind: NA and \N are read as missing" in text for text in expected)


def test_parquet_files_have_the_values_of_memory(tmp_path):
    wanted_module("duckdb")
    arrow, parquet = wanted_module("pyarrow"), import_module("pyarrow.parquet")
    moment = datetime(2024, 1, 2, 3, 4)
    table = arrow.table(
        {
            "id": list(range(1, 9)),
            "whole": [1.0, None, 3.0, 3.0, 1.0, 1.0, 3.0, 1.0],
            "real": [1.5, float("nan"), float("inf"), 2.0, 0.1, 7.0, 8.0, 9.0],
            "single": arrow.array([0.1, 0.2, 0.1, 0.1, 0.3, 0.2, 0.2, 0.1], arrow.float32()),
            "decimal": [Decimal("1.50"), Decimal("2.00"), None, *[Decimal("7.25")] * 5],
            "day": [date(2024, 1, i % 3 + 1) for i in range(8)],
            "midnight": [datetime(2024, 1, i % 3 + 1) for i in range(8)],
            "moment": [moment, None, *[moment.replace(minute=i) for i in range(6)]],
            "zoned": [moment.replace(tzinfo=UTC, hour=i) for i in range(8)],
            "sold": [True, False, None, True, True, False, True, False],
            "bytes": [b"a"] * 8,
            "colour": ["red", None, "", "blue", "red", "red", "blue", "red"],
            "digits": ["1", "2", "3", "1", "2", "3", "1", "2"],
        }
    )
    parquet.write_table(table, tmp_path / "cars.parquet")
    parquet.write_table(
        arrow.table({"car_id": [1, 2, 2], "tag": ["x", "y", "x"], "n": [1, 1, 1], "m": [1, 2, 3]}),
        tmp_path / "tags.parquet",
    )
    found = compared(tmp_path)
    assert ("car_whole", "car:1", "1") in found
    assert compared(tmp_path, mapping=KnowledgeBase.from_path(tmp_path).mapping) == found


def test_hostile_names_of_files_and_columns(tmp_path):
    wanted_module("duckdb")
    lines = ['"a""b",drop table;--,c d,row_number', *(f"{i % 3},x{i % 2},{i},{i % 2}" for i in range(8))]
    (tmp_path / 'o\'brien "x".csv').write_text("\n".join(lines))
    assert compared(tmp_path)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_rows_of_files_without_a_key_are_numbered(tmp_path, suffix):
    wanted_module("duckdb")
    frame = wanted_module("pandas").DataFrame(
        [(*row, kind) for row in ROWS for kind in (True, False)] * 700, columns=["colour", "size", "sold"]
    )
    frame["colour2"] = frame["colour"]
    path = tmp_path / f"paint.{suffix}"
    if suffix == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, row_group_size=500)
    found = compared(path)
    assert ("paint_colour", "paint:5", "blue") in found
    assert ("paint_sold", "paint:6999") in found


def test_what_only_memory_reads_is_read_there(tmp_path, monkeypatch):
    wanted_module("duckdb")
    monkeypatch.setattr(stored_sources, "_MOST_READ", 1 << 20)
    path = tmp_path / "cars.csv"
    path.write_bytes("id,colour,size\n1,größe,3\n2,rot,4\n3,rot,4\n".encode("utf-16"))
    compared(path)
    path.write_text("id,colour,size,n\n" + "".join(f"{i},red,3,4\n" for i in range(600)) + "600,blue,3\n")
    with pytest.raises(InputError, match=r"cars\.csv:602: this row has 3 fields instead of 4"):
        facts_of(path)


def test_rows_of_a_duckdb_file_are_numbered(tmp_path):
    duckdb = wanted_module("duckdb")
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('CREATE TABLE paint (colour TEXT, "logicoder_row" INTEGER)')
        connection.executemany("INSERT INTO paint VALUES (?, ?)", [("gone", 0), *ROWS])
        connection.execute("DELETE FROM paint WHERE colour = 'gone'")
    found = compared(path)
    assert ("paint_colour", "paint:3", "blue") in found
    assert ("paint_logicoder_row", "paint:5", "3") in found


def outline(mapping):
    """Keys and references, which no sample of rows tells."""
    return {
        name: (
            table.entity,
            table.key,
            table.relation,
            [(a.columns, a.refers) for a in table.used if a.refers],
        )
        for name, table in mapping.tables.items()
    }


@pytest.mark.parametrize("kind", ["csv", "duckdb", "postgresql"])
def test_all_rows_tell_keys_and_references(tmp_path, monkeypatch, kind, request):
    """Of the rows that are read, none of the customers and few of the orders fit together."""
    frames, duckdb = wanted_module("pandas"), wanted_module("duckdb")
    buyers, nights = [i * 7 % 120 for i in range(240)], range(99)
    content = {
        "customers": {"customer_id": range(120), "city": [i % 5 for i in range(120)]},
        "orders": {"order_id": range(240), "customer_id": buyers, "paid": [i % 4 for i in buyers]},
        # Nearly a key: only two rows, not both of which are read, have the same.
        "visits": {
            "visit_id": [*range(98), 97],
            "shop": ["a"] * 97 + ["b"] * 2,
            "paid": [i % 3 for i in nights],
        },
        "stays": {
            "room": [i // 9 for i in nights],
            "night": [i % 9 for i in nights],
            "paid": [i % 2 for i in nights],
        },
    }
    tables = {name: frames.DataFrame(columns) for name, columns in content.items()}
    where = {"csv": tmp_path, "duckdb": tmp_path / "shop.duckdb"}.get(kind)
    if kind == "csv":
        for name, frame in tables.items():
            frame.to_csv(tmp_path / f"{name}.csv", index=False)
    elif kind == "duckdb":
        with duckdb.connect(str(where)) as connection:
            for name, frame in tables.items():
                connection.register("given", frame)
                connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
    else:
        # A database of its own: all tables are read, and other tests may have left some.
        server = request.getfixturevalue("postgresql")
        with wanted_module("psycopg").connect(address_of(server), autocommit=True) as connection:
            connection.execute("CREATE DATABASE mapped")
        where = address_of(server, "mapped")
        with wanted_module("psycopg").connect(where, autocommit=True) as connection:
            for name, frame in tables.items():
                kinds = ", ".join(f"{c} {'TEXT' if c == 'shop' else 'INTEGER'}" for c in frame)
                connection.execute(f"CREATE TABLE {name} ({kinds})")
                places = ", ".join(["%s"] * frame.shape[1])
                with connection.cursor() as cursor:
                    cursor.executemany(
                        f"INSERT INTO {name} VALUES ({places})", frame.astype(object).values.tolist()
                    )
    if kind == "postgresql":
        kb = KnowledgeBase.from_sql(where.replace("://", "+psycopg://"), tables=list(tables))
    else:
        kb = KnowledgeBase.from_path(where)
    monkeypatch.setattr("logicoder.engine.sql.mapped_tables._MAPPED_ROWS", 20)
    try:
        _, mapping = facts_of(where, engine="postgresql" if kind == "postgresql" else "duckdb")
    finally:
        if kind == "postgresql":
            with wanted_module("psycopg").connect(address_of(server), autocommit=True) as connection:
                connection.execute("DROP DATABASE mapped WITH (FORCE)")
    found = outline(mapping)
    assert found == outline(kb.mapping)
    assert found["orders"][3] == [(("customer_id",), "customers")]
    assert found["visits"][1] == ("visit_id", "shop", "paid")
    assert found["stays"][1] == ("room", "night")


def test_rows_of_a_server_are_numbered(postgresql):
    psycopg = wanted_module("psycopg")
    address = address_of(postgresql)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE paint (colour TEXT, size INTEGER) PARTITION BY LIST (size)")
        connection.execute("CREATE TABLE paint_3 PARTITION OF paint FOR VALUES IN (3)")
        connection.execute("CREATE TABLE paint_else PARTITION OF paint DEFAULT")
        connection.execute("CREATE TABLE wood (colour TEXT, size INTEGER)")
        for row in ROWS:
            connection.execute("INSERT INTO wood VALUES (%s, %s)", row)
            connection.execute("INSERT INTO paint VALUES (%s, %s)", row)
        connection.execute("CREATE VIEW shown AS SELECT colour, size FROM wood")
    try:
        kb = KnowledgeBase.from_sql(address.replace("://", "+psycopg://"), tables=["wood"])
        found, _ = facts_of(address, engine="postgresql", mapping=kb.mapping)
        assert found == texts_of(kb)
        assert ("wood_colour", "wood:3", "blue") in found
        for name in ("paint", "shown"):
            # No order is defined, but a row has one number in all of its facts.
            mapping = KnowledgeBase.from_sql(address.replace("://", "+psycopg://"), tables=[name]).mapping
            found, _ = facts_of(address, engine="postgresql", mapping=mapping)
            colours = {row: colour for fact, row, colour in found if fact.endswith("_colour")}
            sizes = {row: size for fact, row, size in found if fact.endswith("_size")}
            rows = sorted((colour, sizes.get(row, "")) for row, colour in colours.items())
            assert rows == sorted((colour, "" if size is None else str(size)) for colour, size in ROWS)
    finally:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP TABLE paint; DROP TABLE wood CASCADE")
