"""Databases by SQLAlchemy: the same tables as without it, and no password in any message."""

import sqlite3
from contextlib import closing

import pytest
from tests.wanted import wanted_module

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, LogicoderError, MissingExtraError, OutputError, UsageError
from logicoder.export.written_tables import write_fact_tables
from logicoder.kb.mapping import sql_source
from logicoder.kb.mapping.sqlite_source import SqliteSource
from logicoder.kb.mapping.table_reader import open_source, read_tables

# ruff: noqa: S105, S608

SECRET = "s3cr3t"


def test_without_sqlalchemy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sqlalchemy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sqlalchemy>=") as caught:
        KnowledgeBase.from_sql(f"postgresql://anna:{SECRET}@host/shop")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("address", ["sqlite://", "sqlite+pysqlite://"])
def test_an_address_of_sqlite_needs_a_file(address):
    with pytest.raises(UsageError, match="contain its file"):
        KnowledgeBase.from_sql(address)


def test_connections_and_engines(shop):
    sqlalchemy = pytest.importorskip("sqlalchemy")
    expected = KnowledgeBase.from_sql(shop.path)
    with closing(sqlite3.connect(shop.path)) as connection:
        assert KnowledgeBase.from_sql(connection) == expected
    engine = sqlalchemy.create_engine(f"sqlite:///{shop.path}")
    assert KnowledgeBase.from_sql(engine) == expected
    with engine.connect() as connection:
        assert KnowledgeBase.from_sql(connection) == expected
    engine.dispose()
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(UsageError, match="in memory"):
        KnowledgeBase.from_sql(connection)
    with pytest.raises(UsageError, match="a dict is not a database"):
        KnowledgeBase.from_sql({})


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://anna:{SECRET}@localhost:1/shop",
        f"postgresql+pg8000://anna:{SECRET}@localhost:1/shop",
        f"mysql://anna:{SECRET}@localhost:1/shop",
        f"nosuch://anna:{SECRET}@localhost/shop",
        f"postgresql://anna:{SECRET}@localhost:port/shop",
        f"postgresql://localhost:1/shop?password={SECRET}",
    ],
)
def test_no_password_in_any_message(address, caplog):
    with pytest.raises(LogicoderError) as caught:
        KnowledgeBase.from_sql(address)
    assert SECRET not in str(caught.value)
    assert SECRET not in caplog.text
    assert "***" in str(caught.value)


def test_the_same_tables_as_without_it(shop):
    pytest.importorskip("sqlalchemy")
    ours, theirs = SqliteSource(shop.path), sql_source.SqlSource(f"sqlite:///{shop.path}")
    one, other = ({t.name: t for t in source.tables()} for source in (ours, theirs))
    assert one.keys() == other.keys()
    for name, table in one.items():
        assert (table.key, table.rows) == (other[name].key, other[name].rows)
        assert set(table.foreign_keys) == set(other[name].foreign_keys)
        assert list(table.columns) == list(other[name].columns)
        assert ours.values(table, 7) == {
            column: [v.isoformat() if hasattr(v, "isoformat") else v for v in values]
            for column, values in theirs.values(other[name], 7).items()
        }
    ours.close()
    kb, mapping = read_tables(theirs)
    assert kb == KnowledgeBase.from_sql(shop.path)
    assert mapping == read_tables(open_source(shop.path))[1]


def test_failures_while_reading_are_told(shop):
    pytest.importorskip("sqlalchemy")
    source = sql_source.SqlSource(f"sqlite:///{shop.path}")
    with pytest.raises(InputError, match="no table 'sales'"):
        source.tables(["sales"])
    (table,) = source.tables(["products"])
    source._connection.close()
    with pytest.raises(InputError, match="cannot be read"):
        source.values(table, 1)
    source.close()


@pytest.fixture
def postgres(postgresql):
    """The address of a database of its own: all tables are read, and other tests may have left some."""
    sqlalchemy = wanted_module("sqlalchemy")
    wanted_module("psycopg2")
    address = f"postgresql+psycopg2://tester:{SECRET}@/{{}}?host={postgresql.folder}"
    server = sqlalchemy.create_engine(address.format("postgres"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE sources")
    yield address.format("sources")
    with server.connect() as connection:
        connection.exec_driver_sql("DROP DATABASE sources WITH (FORCE)")
    server.dispose()


def test_postgresql_gives_the_same_facts(shop, postgres):
    import sqlalchemy  # noqa: PLC0415

    engine = sqlalchemy.create_engine(postgres)
    with closing(sqlite3.connect(shop.path)) as lite, engine.begin() as target:
        for (statement,) in lite.execute("SELECT sql FROM sqlite_master WHERE type = 'table'").fetchall():
            target.exec_driver_sql(statement.replace("BLOB", "BYTEA").replace("REAL", "NUMERIC"))
        for name in ("cities", "customers", "products", '"order"', '"order items"'):
            cursor = lite.execute(f"SELECT * FROM {name}")
            columns = [c[0] for c in cursor.description]
            truths = {i for i, c in enumerate(columns) if c in ("newsletter", "discontinued")}
            marks = ", ".join(["%s"] * len(columns))
            for row in cursor.fetchall():
                values = tuple(bool(v) if i in truths else v or None for i, v in enumerate(row))
                target.exec_driver_sql(f"INSERT INTO {name} VALUES ({marks})", values)
    engine.dispose()
    assert KnowledgeBase.from_sql(postgres) == KnowledgeBase.from_sql(shop.path)
    source = open_source(postgres)
    assert SECRET not in source.name
    with pytest.raises(sqlalchemy.exc.InternalError, match="read-only"):
        source._connection.exec_driver_sql("CREATE TABLE t (id INTEGER)")
    source.close()


def test_facts_are_written_to_postgresql(shop, postgres):
    kb = KnowledgeBase.from_sql(shop.path).restricted(["city_country", "customer_newsletter"])
    write_fact_tables(kb, postgres)
    assert KnowledgeBase.from_path(postgres) == kb
    less = kb.restricted(["city_country"])
    write_fact_tables(less, postgres)
    assert KnowledgeBase.from_path(postgres) == less
    with pytest.raises(OutputError) as caught:
        write_fact_tables(kb, postgres.replace("/sources?", "/nosuch?"))
    assert SECRET not in str(caught.value)


def test_a_server_sends_no_more_than_a_sample(postgres, monkeypatch):
    sqlalchemy = wanted_module("sqlalchemy")
    engine = sqlalchemy.create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("DROP TABLE IF EXISTS many"))
        connection.execute(sqlalchemy.text("CREATE TABLE many AS SELECT generate_series(1, 20000) AS id"))
    with closing(open_source(postgres)) as source:
        fetched = []
        whole = source._connection.execute

        def counted(query, *arguments, **options):
            fetched.append(str(query))
            return whole(query, *arguments, **options)

        monkeypatch.setattr(source._connection, "execute", counted)
        first, again = (source.read(["many"], 1_000)["many"].values["id"] for _ in range(2))
    assert first == again
    assert 800 < len(first) <= 1_000
    assert max(first) > 18_000  # from all over the table
    assert any("TABLESAMPLE bernoulli" in query for query in fetched)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("DROP TABLE many"))
    engine.dispose()
