"""The systems that contract tests run in: real ones, each started once."""

from __future__ import annotations

import functools
import os

import pytest
from tests.wanted import wanted_module, wanted_or_skipped

from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.postgresql_session import PostgresqlSession
from logicoder.engine.sql.spark_session import SparkSession

SYSTEMS = ("duckdb", "postgresql", "spark")

EXAMPLES = {"duckdb": 60, "postgresql": 60, "spark": 2}
"""Random examples for each: Spark takes a second for what others do in milliseconds."""


WITHOUT_SPARK = pytest.mark.parametrize(
    "session",
    [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS[:2]],
    indirect=True,
    scope="module",
)
"""For what no system does in its own way."""


def address_of(server, database="postgres", user="tester"):
    """Return the address of a server that tests started."""
    return f"postgresql://{user}@/{database}?host={server.folder}"


def left_behind(server):
    """Return how many tables of runs there are on a server."""
    with PostgresqlSession(address_of(server)) as session:
        return session.value("SELECT count(*) FROM pg_class WHERE relname LIKE 'logicoder_%'", "looking")


@functools.cache
def spark():
    """Return a Spark with two executors in processes of their own."""
    wanted_module("pyspark")
    if os.system("command -v java > /dev/null") != 0:  # noqa: S605, S607
        wanted_or_skipped("Java is not installed: run scripts/install-systems")
    native = __import__("pyspark.sql").sql.SparkSession
    return (
        native.builder.master("local-cluster[2,1,1024]")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        # Processes that live for minutes gain nothing from optimising what they compile.
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.sql.catalogImplementation", "in-memory")
        .getOrCreate()
    )


def session_of(system, request):
    """Return a new session of a system."""
    if system == "duckdb":
        wanted_module("duckdb")
        return DuckdbSession()
    if system == "postgresql":
        wanted_module("psycopg")
        return PostgresqlSession(address_of(request.getfixturevalue("postgresql")))
    return SparkSession(spark())
