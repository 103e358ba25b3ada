"""Reading a million generated facts, and ten million: time and memory, beside plain readers.

    python benchmarks/reading.py [--quick] [--results FOLDER]

The library interns constants, checks types and drops repeated facts; the plain readers only split lines, and
keep columns of text. Each reader is a process of its own; its memory is what it has more than after imports,
at the end and at its peak. The ten million are ten relations of a million pairs among a million constants.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow
from common import Journal, Row, journal_of, python, run, say, speed_parser
from pyarrow import parquet

FACTS = 1_000_000
PROLOGUE = """
import json, resource, sys, time
from glob import glob
path = sys.argv[1]
files = sorted(glob(path + "/**/*.tsv", recursive=True))
def rss():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
"""
EPILOGUE = """
peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": seconds, "cpu": cpu, "bytes": rss() - before, "peak": peak - before}))
"""
TIMED = """
before, started, used = rss(), time.perf_counter(), time.process_time()
kept = {work}
seconds, cpu = time.perf_counter() - started, time.process_time() - used
"""
IMPORT = "from logicoder import KnowledgeBase"
READERS: dict[str, tuple[str, str, str]] = {
    "logicoder, .db": ("alchemy", IMPORT, "KnowledgeBase.from_path(path)"),
    "logicoder, Prolog": ("prolog", IMPORT, "KnowledgeBase.from_path(path)"),
    "logicoder, TSV": ("tables", IMPORT, "KnowledgeBase.from_path(path, format='tables')"),
    "logicoder, Parquet": ("parquet", IMPORT, "KnowledgeBase.from_path(path, format='parquet')"),
    "logicoder, JSON lines": ("jsonl", IMPORT, "KnowledgeBase.from_path(path)"),
    "csv module, TSV": (
        "tables",
        "import csv",
        "[list(csv.reader(open(f), delimiter='\\t')) for f in files]",
    ),
    "pandas, TSV": (
        "tables",
        "import pandas",
        "[pandas.read_csv(f, sep='\\t', header=None, dtype=str) for f in files]",
    ),
    "polars, TSV": (
        "tables",
        "import polars",
        "[polars.read_csv(f, separator='\\t', has_header=False, infer_schema=False) for f in files]",
    ),
    "polars, TSV, dictionaries": (
        "tables",
        "import polars",
        "[polars.read_csv(f, separator='\\t', has_header=False, infer_schema=False).cast(polars.Categorical) "
        "for f in files]",
    ),
}
POLARS = (
    "[(polars.read_parquet(f) if f.endswith('parquet') else polars.read_csv(f, "
    "separator=',' if f.endswith('csv') else '\\t', has_header=False, infer_schema=False))"
    ".cast(polars.Categorical) for f in sorted(glob(path + '/*'))]"
)
LARGE = {"csv": "tables", "tsv": "tables", "triples": "triples", "parquet": "parquet"}
"""Folders of ten million facts, and their formats."""
PATHS = {
    "alchemy": "data.db",
    "prolog": "data.pl",
    "tables": "tables",
    "parquet": "tables",
    "jsonl": "data.jsonl",
}


def generate(folder: Path, facts: int) -> None:
    """Write the same facts in each format, to folders of their own: types lie beside the data."""
    for written, name in PATHS.items():
        path = folder / written / name
        path.parent.mkdir()
        command = python("-m", "logicoder", "generate", "university", "--facts", str(facts), "--quiet")
        finished = run([*command, "--output-format", written, "--output", path], 900)
        if finished.code != 0:
            raise SystemExit(f"cannot generate {facts} facts: {finished.why}")
    for path in (folder / "tables").rglob("*.csv"):
        # The names of the generator hold no commas.
        path.with_suffix(".tsv").write_text(path.read_text().replace(",", "\t"))
        path.unlink()


def generate_large(folder: Path, facts: int) -> None:
    """Write the same pairs in each format."""
    random = np.random.Generator(np.random.PCG64(0))
    names = pyarrow.array([f"person{i}" for i in range(facts // 10)])
    for kind in LARGE:
        (folder / kind).mkdir()
    with (folder / "triples" / "all.tsv").open("w") as triples:
        for relation in range(10):
            pairs = [names.take(pyarrow.array(random.integers(0, len(names), len(names)))) for _ in range(2)]
            table = pyarrow.table(pairs, ["a", "b"])
            parquet.write_table(table, folder / "parquet" / f"relation{relation}.parquet")
            rows = list(zip(*(column.to_pylist() for column in pairs), strict=True))
            for kind, mark in (("csv", ","), ("tsv", "\t")):
                lines = (f"{a}{mark}{b}\n" for a, b in rows)
                (folder / kind / f"relation{relation}.{kind}").write_text("".join(lines))
            triples.writelines(f"{a}\trelation{relation}\t{b}\n" for a, b in rows)


def read(path: Path, imports: str, work: str, facts: int) -> Row:
    """Read in a process of its own."""
    program = PROLOGUE + imports + TIMED.format(work=work) + EPILOGUE
    finished = run(python("-c", program, path), 600)
    if finished.code != 0:
        return {"error": finished.why}
    found = json.loads(finished.output)
    return {
        "facts": facts,
        "seconds": found["seconds"],
        "cpu": found["cpu"],
        "rate": facts / found["seconds"],
        "bytes_per_fact": found["bytes"] / facts,
        "peak_per_fact": found["peak"] / facts,
        "gib": finished.gib,
    }


def measure(_folder: Path, journal: Journal, *, quick: bool = False) -> None:
    """Add the rows that are not there yet."""
    facts = FACTS // 10 if quick else FACTS
    _measure_large(journal, 10 * facts)
    if len(journal.find(bench="reading", facts=facts)) == len(READERS):
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        say(f"{facts:,} facts to read")
        generate(folder, facts)
        for name, (written, imports, work) in READERS.items():
            path = folder / written / PATHS[written]
            row = journal.cell(
                {"bench": "reading", "reader": name, "facts": facts},
                lambda: read(path, imports, work, facts),  # noqa: B023  (called at once)
            )
            if "error" in row:
                say(f"{name}: {row['error']}")


def _measure_large(journal: Journal, facts: int) -> None:
    if len(journal.find(bench="reading", facts=facts)) == 2 * len(LARGE):
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        say(f"{facts:,} facts to read")
        generate_large(folder, facts)
        for kind, format_name in LARGE.items():
            own = f"KnowledgeBase.from_path(path, format='{format_name}')"
            for name, imports, work in (("logicoder", IMPORT, own), ("polars", "import polars", POLARS)):
                path = folder / kind
                row = journal.cell(
                    {"bench": "reading", "reader": f"{name}, {kind}", "facts": facts},
                    lambda: read(path, imports, work, facts),  # noqa: B023  (called at once)
                )
                if "error" in row:
                    say(f"{name}, {kind}: {row['error']}")


def main() -> None:
    """Measure."""
    options = speed_parser(__doc__).parse_args()
    measure(options.data, journal_of(options), quick=options.quick)


if __name__ == "__main__":
    main()
