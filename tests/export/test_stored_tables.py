"""Facts that an engine writes into tables: read back as they were, and nothing else is touched."""

from __future__ import annotations

import pytest
from tests.engine.sql.systems import address_of
from tests.wanted import wanted_module

from logicoder import AutoEncoder, KnowledgeBase, UsageError
from logicoder.autoencoder.stored_files import read_encoding, write_encoding
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.postgresql_session import PostgresqlSession
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_sources import Opening, open_stored
from logicoder.export.stored_tables import write_stored_tables
from logicoder.export.written_tables import write_fact_tables

NAMES = ("likes", 'say "x"', "Likes")


def facts(number=50, *, worlds=("earth", "o'mars")):
    parts = []
    for world in worlds:
        pairs = [(f"e{i}", f"e{(7 * i + 3) % number}") for i in range(number)]
        rows = {name: pairs if name != "Likes" else [(y, x) for x, y in pairs] for name in NAMES}
        rows["odd"] = [(7,), ("O'Brien",)]
        parts.append(KnowledgeBase.from_facts({**rows, "rains": [()]}, interpretation=world))
    return KnowledgeBase.union(parts)


def told(kb):
    several = len(kb.interpretations) > 1
    return {(fact.interpretation if several else "", str(fact)) for fact in kb}


@pytest.mark.parametrize("worlds", [("earth",), ("earth", "o'mars")])
def test_a_duckdb_file_gives_back_what_was_written(tmp_path, worlds):
    where = str(tmp_path / "new" / "facts.duckdb")
    kb = facts(worlds=worlds)
    for _ in range(2):  # the second time they are replaced
        with StoredData.of(kb, DuckdbSession()) as data:
            write_stored_tables(data, where)
    with open_stored([tmp_path / "new" / "facts.duckdb"], Opening("duckdb")) as data:
        assert told(read(data)) == told(kb)
    assert told(KnowledgeBase.from_path(where)) == told(kb)


def test_other_tables_are_not_touched(tmp_path):
    duckdb = wanted_module("duckdb")
    where = str(tmp_path / "shop.duckdb")
    with duckdb.connect(where) as connection:
        connection.execute("CREATE TABLE LIKES (a INTEGER)")
    with StoredData.of(facts(), DuckdbSession()) as data, pytest.raises(UsageError, match="the table likes"):
        write_stored_tables(data, where)
    with duckdb.connect(where) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("LIKES",)]


@pytest.mark.xdist_group("postgresql")
class TestPostgresql:
    @pytest.fixture
    def address(self, postgresql):
        psycopg = wanted_module("psycopg")
        with psycopg.connect(address_of(postgresql), autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return address_of(postgresql)

    def test_interpretations_go_round(self, address, tmp_path):
        """Written, learned from, encoded into files, and decoded into the server again."""
        kb = facts()
        write_fact_tables(kb, address.replace("postgresql:", "postgresql+psycopg:"))
        with open_stored([address], Opening("postgresql")) as data:
            assert data.several
            assert told(read(data)) == told(kb)
            model = AutoEncoder(max_sample=100).fit(data)
            (layer,) = model.stack()
            stored = StoredLayer(layer, data)
            represented = stored.encoded()
            write_encoding([layer], data.having(represented, None), stored.exceptions(represented), tmp_path)
        assert model.loss_ == 0
        with PostgresqlSession(address) as session:
            latent, exceptions, worlds = read_encoding([layer], tmp_path, session)
            plain = StoredData(session, {}, "latent", layer.schema, worlds, plain=True)
            write_stored_tables(
                plain.having(StoredLayer(layer, plain).decoded(latent, exceptions), plain.schema), address
            )
        with open_stored([address], Opening("postgresql")) as data:
            assert told(read(data)) == told(kb)

    def test_another_server_is_refused(self, address):
        with (
            StoredData.of(facts(), PostgresqlSession(address)) as data,
            pytest.raises(UsageError, match="pass the same URL"),
        ):
            write_stored_tables(data, "postgresql://elsewhere/shop")
