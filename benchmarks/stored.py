"""Engines side by side on data that stay where they are: time, memory and bytes read.

    python benchmarks/stored.py [--most FACTS] [--engine NAME ...] [--results FOLDER]

A company of growing size is made by DuckDB as Parquet files, one for each of seven relations: two of them
follow from others, one turns another round, one is symmetric, the rest is random. Arrays, DuckDB and Spark
read the files, PostgreSQL a server that the benchmark starts and fills beforehand. Each learns in a process
of its own by `logicoder fit --json`; a run that was ended takes up where it stopped. All engines must find
the same clauses and the same loss.

Bytes read are counted where the data is read. Arrays and DuckDB: what the process asked the system for
(`rchar` of /proc/PID/io), Python's own modules and what DuckDB spilled included. PostgreSQL: blocks that the
server took from its buffers or beneath (`blks_hit` and `blks_read` of pg_stat_database, 8 KiB each), those
of temporary tables included. Spark: input of all tasks by its event log, what it wrote between steps
included, and without what it shuffled.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import NOTHING, Journal, Row, python, run, say, speed_parser, table

sys.path.insert(0, str(Path(__file__).parents[1]))

SIZES = tuple(10**power for power in range(5, 9))
MOST = {"arrays": 10**7, "postgresql": 10**7, "duckdb": 10**8, "spark": 10**6}
MEMORY = {"duckdb": "4GiB"}
LIMIT = 3600.0

_RELATIONS = {
    "works_in": "SELECT 'p' || i AS a, 'd' || (hash(i) % {departments}) AS b FROM range({people}) AS r(i)",
    "located": "SELECT 'd' || i AS a, 'c' || (hash(i + 7) % {cities}) AS b FROM range({departments}) AS r(i)",
    "commutes_to": "SELECT 'p' || i AS a, 'c' || (hash((hash(i) % {departments}) + 7) % {cities}) AS b "
    "FROM range({people}) AS r(i)",
    "reports_to": "SELECT 'p' || i AS a, 'p' || (hash(i + 13) % {people}) AS b FROM range({people}) AS r(i)",
    "manages": "SELECT 'p' || (hash(i + 13) % {people}) AS a, 'p' || i AS b FROM range({people}) AS r(i)",
    "knows": "SELECT * FROM (SELECT 'p' || i AS a, 'p' || (hash(i + 29) % {people}) AS b FROM range({half}) "
    "AS r(i) UNION SELECT 'p' || (hash(i + 29) % {people}), 'p' || i FROM range({half}) AS r(i))",
    "speaks": "SELECT 'p' || i AS a, 'l' || (hash(i + 31) % 40) AS b FROM range({people}) AS r(i)",
}


def company(facts: int, folder: Path) -> None:
    """Write the relations of a company with about so many facts."""
    import duckdb  # noqa: PLC0415  (part of what is measured)

    people = int(facts / 6.01)
    sizes = {"people": people, "departments": people // 50, "cities": 200, "half": people // 2}
    with duckdb.connect() as connection:
        for name, query in _RELATIONS.items():
            connection.execute(f"COPY ({query.format(**sizes)}) TO '{folder / name}.parquet'")


@contextlib.contextmanager
def server(folder: Path) -> Iterator[str]:
    """Yield the address of a PostgreSQL server that holds the relations of a folder as tables."""
    import duckdb  # noqa: PLC0415
    import psycopg  # noqa: PLC0415
    from tests.postgresql import Postgresql  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="pg") as place:
        Path(place).chmod(0o755)
        started = Postgresql(Path(place))
        try:
            address = f"postgresql://tester@/postgres?host={place}"
            with psycopg.connect(address, autocommit=True) as connection, duckdb.connect() as reader:
                for name in _RELATIONS:
                    connection.execute(f'CREATE TABLE "{name}" (a TEXT, b TEXT, PRIMARY KEY (a, b))')
                    rows = reader.execute(f"SELECT a, b FROM '{folder / name}.parquet'")  # noqa: S608
                    with connection.cursor() as cursor, cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
                        while some := rows.fetchmany(100_000):
                            for row in some:
                                copy.write_row(row)
                connection.execute("ANALYZE")
            yield address
        finally:
            started.stop()


def measure(engine: str, folder: Path) -> Row:
    """Learn in a process of its own."""
    with contextlib.ExitStack() as stack:
        data, environment = [str(folder)], {}
        if engine == "postgresql":
            mapping = folder / "mapping.toml"
            mapping.write_text(_MAPPING)
            address = stack.enter_context(server(folder))
            data = [address, "--mapping", str(mapping)]
            before = _blocks_read(address)
        if engine == "spark":
            log = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            (log / "spark-defaults.conf").write_text(
                # Two executors in processes of their own, which share a folder with the driver.
                f"spark.master local-cluster[2,1,1024]\nspark.logicoder.folder {log}\n"
                f"spark.eventLog.enabled true\nspark.eventLog.dir file://{log}\n"
                "spark.eventLog.rolling.enabled false\nspark.eventLog.compress false\n"
                # What other threads read for a task is not counted as its input.
                "spark.hadoop.parquet.hadoop.vectored.io.enabled false\n"
            )
            environment = {"SPARK_CONF_DIR": str(log)}
        memory = ["--max-memory", MEMORY[engine]] if engine in MEMORY else []
        command = python("-m", "logicoder", "fit", *data, "--engine", engine, "--json", "--quiet", *memory)
        finished = run(command, LIMIT, environment)
        read = finished.bytes_read
        if engine == "postgresql":
            read = _blocks_read(address) - before
        if engine == "spark":
            read = _input_of_tasks(log)
    row: Row = {"seconds": finished.seconds, "cpu": finished.cpu, "gib": finished.gib, "read": read}
    if finished.code != 0:
        return {**row, "error": finished.why}
    found = json.loads(finished.output)
    clauses = sorted(clause for clause in found["decoder"] if "_base" not in clause)
    return {**row, **{key: found[key] for key in ("facts", "loss", "bits")}, "clauses": clauses}


def _blocks_read(address: str) -> int:
    """Return the bytes of all blocks that the server has looked at for the database."""
    import psycopg  # noqa: PLC0415

    query = """SELECT (blks_read + blks_hit) * current_setting('block_size')::bigint
    FROM pg_stat_database WHERE datname = current_database()"""
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def _input_of_tasks(folder: Path) -> int:
    """Return the bytes that the tasks in an event log of Spark read as their input."""
    total = 0
    for file in folder.iterdir():
        for line in file.read_text().splitlines() if file.suffix != ".conf" else ():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                total += event.get("Task Metrics", {}).get("Input Metrics", {}).get("Bytes Read", 0)
    return total


_TYPES = {
    "works_in": ("person", "department"),
    "located": ("department", "city"),
    "commutes_to": ("person", "city"),
    "reports_to": ("person", "person"),
    "manages": ("person", "person"),
    "knows": ("person", "person"),
    "speaks": ("person", "language"),
}
"""The types that the values of Parquet files show by themselves; a database is told by its mapping."""

_MAPPING = "[types]\n" + "".join(
    f'{name} = {{ kind = "text" }}\n' for name in ("person", "department", "city", "language")
)
_MAPPING += "".join(
    f'\n[tables.{name}]\nrelation = "{name}"\ncolumns = [\n'
    f'  {{ column = "a", type = "{first}" }},\n  {{ column = "b", type = "{second}" }},\n]\n'
    for name, (first, second) in _TYPES.items()
)


def main() -> None:
    """Measure what has not been measured yet, and show the table."""
    parser = speed_parser(__doc__)
    parser.add_argument("--most", type=int, default=max(SIZES))
    parser.add_argument("--engine", action="append", choices=sorted(MOST))
    options: Any = parser.parse_args()
    journal = Journal(options.results / "stored.jsonl")
    for facts in (size for size in SIZES if size <= options.most):
        engines = [e for e in options.engine or MOST if facts <= MOST[e] and (e, facts) not in _done(journal)]
        if not engines:
            continue
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as temporary:
            folder = Path(temporary) / "company"
            folder.mkdir()
            company(facts, folder)
            for engine in engines:
                say(f"{engine}, {facts:,} facts")
                journal.add({"engine": engine, "size": facts, **measure(engine, folder)})
    heads = ("engine", "facts", "seconds", "cpu", "GiB", "MB read", "loss", "bits", "clauses")
    rows = [
        [
            row["engine"],
            f"{row['size']:,}",
            f"{row['seconds']:.0f}",
            f"{row['cpu']:.0f}",
            f"{row['gib']:.2f}",
            NOTHING if row.get("read") is None else f"{row['read'] / 1e6:,.0f}",
            row.get("loss", NOTHING),
            f"{row['bits']:,.0f}" if "bits" in row else row.get("error", NOTHING),
            len(row.get("clauses", ())),
        ]
        for row in sorted(journal.rows, key=lambda row: (row["size"], list(MOST).index(row["engine"])))
    ]
    print(table(heads, rows))


def _done(journal: Journal) -> set[tuple[str, int]]:
    return {(row["engine"], row["size"]) for row in journal.rows}


if __name__ == "__main__":
    main()
