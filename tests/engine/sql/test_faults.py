"""What happens when a system fails in the middle: a clear error or the right result, and nothing is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from tests.waiting import PATIENCE, joined

from logicoder import AutoEncoder, InputError, KnowledgeBase, UsageError
from logicoder.datasets import family
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.postgresql_session import PostgresqlSession
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.spark_session import SparkSession
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_sources import Opening, open_stored
from logicoder.kb.mapping.mapping_file import parse_mapping

from .systems import address_of, left_behind, session_of, spark

MAPPING = """
[types]
thing = { kind = "text" }
[tables."select ""x"" --"]
relation = "likes"
columns = [{ column = "from", type = "thing" }, { column = "to; drop", type = "thing" }]
[tables.liked]
relation = "liked"
columns = [{ column = "a", type = "thing" }, { column = "b", type = "thing" }]
""".replace('"select ""x"" --"', "'select \"x\" --'")


@pytest.fixture
def shop(postgresql):
    """A database with hostile names, and a reader who may make temporary tables and nothing else."""
    import psycopg  # noqa: PLC0415

    pairs = [(f"e{i}", f"e{(7 * i + 3) % 90}") for i in range(90)]
    with psycopg.connect(address_of(postgresql), autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        connection.execute('CREATE TABLE "select ""x"" --" ("from" TEXT, "to; drop" TEXT)')
        connection.execute("CREATE TABLE liked (a TEXT, b TEXT)")
        with connection.cursor() as cursor:
            cursor.executemany('INSERT INTO "select ""x"" --" VALUES (%s, %s)', pairs)
            cursor.executemany("INSERT INTO liked VALUES (%s, %s)", [(y, x) for x, y in pairs])
        connection.execute("DROP OWNED BY reader" if _is_there(connection) else "CREATE ROLE reader LOGIN")
        connection.execute("GRANT USAGE ON SCHEMA public TO reader")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        connection.execute("GRANT TEMPORARY ON DATABASE postgres TO reader")
    return address_of(postgresql, user="reader")


def _is_there(connection):
    return connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'reader'").fetchone() is not None


@pytest.mark.xdist_group("postgresql")
class TestPostgresql:
    def test_a_readers_rights_suffice_and_names_may_be_hostile(self, shop, postgresql):
        opening = Opening("postgresql", mapping=parse_mapping(MAPPING))
        with open_stored([shop], opening) as data:
            model = AutoEncoder(max_sample=100).fit(data)
        assert (model.loss_, model.facts_) == (0, 180)
        assert len(model.decoder_) == 1
        assert left_behind(postgresql) == 0

    def test_two_runs_at_once_do_not_meet(self, shop):
        results = []

        def learn():
            with open_stored([shop], Opening("postgresql", mapping=parse_mapping(MAPPING))) as data:
                results.append(AutoEncoder(max_sample=100).fit(data).bits_)

        threads = [threading.Thread(target=learn) for _ in range(2)]
        for thread in threads:
            thread.start()
        joined(*threads)
        assert len(results) == 2
        assert len(set(results)) == 1

    def test_a_backend_that_is_killed_ends_the_run_with_a_clear_error(self, postgresql):
        with PostgresqlSession(address_of(postgresql)) as session:
            data = StoredData.of(family(), session)
            number = session.value("SELECT pg_backend_pid()", "asking")
            killer = threading.Timer(0.3, os.kill, (number, signal.SIGTERM))
            killer.start()
            with pytest.raises(QueryError, match="PostgreSQL failed while waiting"):
                session.rows("SELECT pg_sleep(20)", "waiting")
            assert len(data.relations)
        assert left_behind(postgresql) == 0

    @pytest.mark.parametrize("during", ["choosing constants", "walking from facts", "counting clauses for"])
    def test_a_backend_that_is_killed_in_the_middle_of_a_fit_is_told(
        self, shop, postgresql, monkeypatch, during
    ):
        guarded = PostgresqlSession._guarded

        def killed(session, work, purpose):
            if purpose.startswith(during):
                number = guarded(session, lambda: session._rows("SELECT pg_backend_pid()"), "asking")[0][0]
                os.kill(number, signal.SIGTERM)
            return guarded(session, work, purpose)

        monkeypatch.setattr(PostgresqlSession, "_guarded", killed)
        with open_stored([shop], Opening("postgresql", mapping=parse_mapping(MAPPING))) as data:
            session = data.session
            with pytest.raises(QueryError, match=f"PostgreSQL failed while {during}"):
                AutoEncoder(max_sample=100).fit(data)
        assert session._connection.closed
        monkeypatch.undo()
        assert left_behind(postgresql) == 0

    def test_a_password_is_in_no_message(self):
        with pytest.raises(Exception, match="cannot be reached") as caught:
            PostgresqlSession("postgresql://anna:geheim@127.0.0.1:1/shop")
        assert "geheim" not in str(caught.value)


@pytest.mark.xdist_group("duckdb")
class TestDuckdb:
    def test_a_full_disk_under_what_spills_is_told_and_nothing_is_left(self, tmp_path):
        with DuckdbSession(max_memory=60 << 20, jobs=1, folder=tmp_path) as session:
            session.execute("SET max_temp_directory_size = '1MB'", "testing")
            with pytest.raises(QueryError, match="DuckDB failed while sorting"):
                session.table("SELECT md5(i::VARCHAR) AS a FROM range(6000000) AS r(i) ORDER BY a", "sorting")
        assert not list(tmp_path.iterdir())

    def test_an_error_while_opening_leaves_no_folder(self, tmp_path):
        broken = tmp_path / "broken.duckdb"
        broken.write_bytes(b"12345678DUCK but not really")
        with pytest.raises(Exception, match=r"broken\.duckdb"):
            DuckdbSession(broken, folder=tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["broken.duckdb"]

    def test_closing_in_the_middle_of_a_query_ends_it_first(self, tmp_path):
        session, failures = DuckdbSession(jobs=1, folder=tmp_path), []

        def ask():
            try:
                session.rows("SELECT sum(hash(i)) FROM range(10000000000) AS r(i)", "adding up")
            except QueryError as error:
                failures.append(str(error))

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.3)
        session.close()
        joined(asking)
        assert len(failures) == 1
        assert "adding up" in failures[0]
        assert not list(tmp_path.iterdir())


@pytest.mark.xdist_group("spark")
class TestSpark:
    def test_killing_an_executor_changes_nothing(self, request):
        pairs = [(f"e{i}", f"e{(7 * i + 3) % 500}") for i in range(500)]
        kb = KnowledgeBase.from_facts({"likes": pairs, "liked": [(y, x) for x, y in pairs]})
        with session_of("spark", request) as session:
            data = StoredData.of(kb, session)
            before = session.value(_joined(data), "counting")
            killer = threading.Timer(0.2, _kill_an_executor)
            killer.start()
            assert [session.value(_joined(data), "counting") for _ in range(3)] == [before] * 3
            joined(killer)

    def test_a_folder_for_all_executors_is_left_as_it_was(self, tmp_path):
        with SparkSession(spark(), folder=f"file://{tmp_path}") as session:
            kept = session.table(f"SELECT * FROM {session.filled(['a'], [('x',)], 'testing')}", "testing")
            assert session.rows(f"SELECT * FROM {kept}", "testing") == [("x",)]
            assert list(tmp_path.iterdir())
        assert not list(tmp_path.iterdir())

    def test_executors_of_a_cluster_write_where_all_of_them_read(self, monkeypatch):
        """Each would write on its own machine, and nobody would find the rows."""
        monkeypatch.setattr(spark().sparkContext, "master", "yarn")
        with pytest.raises(UsageError, match=r"--conf spark\.logicoder\.folder=hdfs:///tmp/logicoder"):
            SparkSession(spark())

    def test_what_is_configured_holds(self, tmp_path):
        """A Spark that nobody has started is that of the settings, and not one of this machine by default."""
        (tmp_path / "spark-defaults.conf").write_text(
            "spark.master local[1]\nspark.sql.shuffle.partitions 3\n"
            f"spark.logicoder.folder file://{tmp_path}/kept\n"
        )
        script = """import signal
from logicoder.engine.sql.spark_session import SparkSession
mine = signal.getsignal(signal.SIGINT)
with SparkSession(max_memory=600 << 20) as session:
    native = session._spark
    assert signal.getsignal(signal.SIGINT) is mine, "Ctrl-C is not for Spark alone"
    heap = native._jvm.java.lang.Runtime.getRuntime().maxMemory() >> 20
    print(native.sparkContext.master, native.conf.get("spark.sql.shuffle.partitions"), heap, session._folder)
"""
        environment = {**os.environ, "SPARK_CONF_DIR": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        master, partitions, heap, folder = run.stdout.split()
        assert (master, partitions) == ("local[1]", "3")
        assert 500 < int(heap) <= 600
        assert folder.startswith(f"file://{tmp_path}/kept/")

    def test_frames_stay_where_they_are(self):
        frame = spark().createDataFrame(
            [("a", "knows", "b"), ("b", "knows", "c"), ("a", "is", "x")], ["s", "p", "o"]
        )
        with KnowledgeBase.from_spark(frame) as data:
            assert data.counts == {"is": 1, "knows": 2}
            model = AutoEncoder().fit(data)
        assert model.facts_ == 3

    def test_tables_of_the_catalog_are_named(self, tmp_path):
        frame = spark().createDataFrame([("a", "b"), ("b", "c")], ["it's", "to; drop"])
        frame.createOrReplaceTempView("some_edges")
        frame.select("it's").write.parquet(f"file://{tmp_path}/ends.parquet")
        with KnowledgeBase.in_place("some_edges", f"file://{tmp_path}/ends.parquet", engine="spark") as data:
            assert set(map(str, data.read())) == {"some_edges(a,b)", "some_edges(b,c)", "ends(a)", "ends(b)"}
        with KnowledgeBase.from_spark({"edge": "some_edges", "twins": frame.toDF("twin", "Twin")}) as data:
            assert {str(f) for f in data.read() if f.predicate == "twins"} == {"twins(a,b)", "twins(b,c)"}
        assert spark().catalog.tableExists("some_edges"), "views of the caller stay"
        spark().catalog.dropTempView("some_edges")
        with pytest.raises(InputError, match="some_edges: there is no such file, nor a table"):
            KnowledgeBase.in_place("some_edges", engine="spark")
        with pytest.raises(UsageError, match="edge is a int, not a Spark data frame or the name of a table"):
            KnowledgeBase.from_spark({"edge": 7})


def _joined(data):
    likes, liked = (data.relations[name].table for name in ("likes", "liked"))
    return f"SELECT count(*) FROM {likes} AS a JOIN {liked} AS b ON a.a1 = b.a2 AND a.a2 = b.a1"


def _kill_an_executor():
    listed = subprocess.run(
        ["ps", "-ewwo", "pid,args"],  # noqa: S607
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout
    # Those of this run alone: others may run Spark on the same machine.
    executor = f"CoarseGrainedExecutorBackend .*--app-id {spark().sparkContext.applicationId}( |$)"
    executors = [int(line.split()[0]) for line in listed.splitlines() if re.search(executor, line)]
    assert executors, "there is an executor to kill"
    os.kill(executors[0], signal.SIGKILL)
    time.sleep(0.5)
