"""The results as a part of docs/explanation/results.md: targets first, then a table each, ratios first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from common import NOTHING, Journal, Row, table
from fit_phases import LENGTHS
from scale import rows_of, scale_table, slopes

PHASES = ("read", "encoders", "decoders", "problem", "solve")


def page(journal: Journal, scale: Journal) -> str:
    """Return everything that there is."""
    parts = [
        ("Targets", targets(journal, scale)),
        ("Candidates per second", candidate_tables(journal)),
        ("Joins of more than a million tuples", large_join_tables(journal)),
        ("Solvers on identical problems", solver_table(journal)),
        ("Phases of a fit", phase_table(journal)),
        ("Reading", reading_table(journal)),
        ("Cold start", cold_start_table(journal)),
        ("Scale", scale_table(rows_of(scale)) if scale.rows else ""),
    ]
    sections = [f"### {title}\n\n{text}" for title, text in parts if text]
    return "\n\n".join([machine(journal), *sections]) + "\n"


def machine(journal: Journal) -> str:
    """Return what is to be known of the machine."""
    found = journal.find(bench="machine")
    lines = [
        f"{row['cores']} cores, Python {row['python']}, load average {row['load']}, "
        f"ten million numbers sorted in {row['yardstick']:.2f} s."
        for row in found
    ]
    return "\n".join(dict.fromkeys(lines))


# -- targets ------------------------------------------------------------------------------------------


def targets(journal: Journal, scale: Journal) -> str:
    """Return what was aimed at beside what was measured."""
    rows = [*_ratio_targets(journal), *_fit_targets(journal), *_scale_targets(scale)]
    measured = [row for row in rows if row]
    return table(("target", "aim", "measured", "of the processor", "met"), measured, 2) if measured else ""


def _target(name: str, aim: str, value: float | None, met: bool, unit: str, cpu: float | None) -> list[str]:
    """Return a row, or an empty list for what was not measured."""
    if value is None:
        return []
    other = NOTHING if cpu is None else f"{_number(cpu)}{unit}"
    return [name, aim, f"{_number(value)}{unit}", other, "yes" if met else "no"]


def _ratio_targets(journal: Journal) -> list[list[str]]:
    decoders = journal.find(bench="candidates", data="uwcse", kind="decoders")
    large = journal.find(bench="large joins")
    wanted = (
        ("UW-CSE candidates/s against DuckDB, at its best", decoders, "DuckDB", 30),
        ("UW-CSE candidates/s against polars", decoders, "polars", 30),
        ("joins above a million tuples against batched DuckDB, at its best", large, "DuckDB, batched", 3),
    )
    found = []
    for name, rows, engine, aim in wanted:
        rivals = [row for row in rows if row["engine"].startswith(engine)]
        value = min((row["ratio"] for row in rivals), default=None)
        cpu = min((row["cpu_ratio"] for row in rivals if row["cpu_ratio"]), default=None)
        found.append(_target(name, f"≥ {aim}", value, (value or 0) >= aim, " times", cpu))
    return found


def _fit_targets(journal: Journal) -> list[list[str]]:
    found = []
    for name, aim in (("imdb", 5), ("webkb", 5), ("cora_er", 5), ("uwcse", 20)):
        row = next(iter(journal.find(bench="phases", data=name, lengths="2/2")), {})
        value = row.get("end_to_end")
        title = f"{name}, lengths 2/2, end to end"
        found.append(_target(title, f"≤ {aim} s", value, (value or 0) <= aim, " s", row.get("cpu")))
    row = next(iter(journal.find(bench="phases", data="uwcse", lengths="2/2")), {})
    phases = row.get("phases")
    value = phases["encoders"] + phases["decoders"] if phases else None
    found.append(_target("uwcse, candidate evaluation", "≤ 3 s", value, (value or 0) <= 3, " s", None))
    return found


def _scale_targets(scale: Journal) -> list[list[str]]:
    rows = [row for row in rows_of(scale) if not row["options"]]
    found = slopes(rows)
    slope = found["seconds"]
    result = [
        _target("log-log slope of time over facts", "≤ 1.15", slope, (slope or 9) <= 1.15, "", found["cpu"])
    ]
    for name, aim in (("wn18rr", 60), ("fb15k237", 600)):
        row: Row = next((row for row in rows if row["data"] == name), {})
        value = row.get("seconds")
        met = value is not None and value <= aim and "error" not in row
        result.append(_target(f"{name}, fit", f"≤ {aim} s", value, met, " s", row.get("cpu")))
    row = next((row for row in rows if row["data"] == "fb15k237"), {})
    memory = row.get("gib")
    result.append(
        _target(
            "fb15k237, peak memory", "≤ 12 GiB", memory, memory is not None and memory <= 12, " GiB", None
        )
    )
    return result


# -- one table for each benchmark ---------------------------------------------------------------------


def candidate_tables(journal: Journal) -> str:
    """Return the tables of candidates per second, by data and kind of candidate."""
    return _by_groups(journal.find(bench="candidates"), ("data", "kind"))


def large_join_tables(journal: Journal) -> str:
    """Return the tables of large joins, by data."""
    return _by_groups(journal.find(bench="large joins"), ("data",))


def _by_groups(rows: Sequence[Row], keys: Sequence[str]) -> str:
    header = (
        "engine",
        "times slower than logicoder",
        "by the processor",
        "candidates/s",
        "asked",
        "seconds",
        "processor s",
    )
    groups: dict[str, list[list[str]]] = {}
    for row in rows:
        groups.setdefault(", ".join(row[key] for key in keys), []).append(
            [
                row["engine"],
                _number(row["ratio"]),
                _number(row["cpu_ratio"]),
                _number(row["rate"]),
                f"{row['candidates']:,}",
                f"{row['seconds']:.2f}",
                f"{row['cpu']:.2f}",
            ]
        )
    return "\n\n".join(f"{title}:\n\n{table(header, cells)}" for title, cells in groups.items())


def solver_table(journal: Journal) -> str:
    """Return the table of solvers: time relative to the library's, then status, loss and bound.

    Ratios are those of processor seconds, which a busy machine changes least.
    """
    header = (
        "data",
        "solver",
        "times logicoder's processor time",
        "seconds",
        "processor s",
        "status",
        "loss",
        "bound",
        "GiB",
    )
    rows = journal.find(bench="solvers")
    own = {row["data"]: row["cpu"] for row in rows if row["solver"] == "logicoder" and "cpu" in row}
    cells = [
        [
            row["data"],
            row["solver"],
            _number(row["cpu"] / own[row["data"]]) if row["data"] in own and "cpu" in row else NOTHING,
            f"{row['seconds']:.2f}",
            _or_nothing(row.get("cpu"), "{:.2f}".format),
            _short(row["status"]),
            _or_nothing(row.get("loss")),
            _or_nothing(row.get("bound")),
            _or_nothing(row.get("gib"), "{:.2f}".format),
        ]
        for row in rows
    ]
    return table(header, cells, 2) if cells else ""


def phase_table(journal: Journal) -> str:
    """Return the table of phases."""
    header = ("data", "lengths", *PHASES, "end to end", "processor s", "GiB", "evaluated", "loss", "bound")
    rows = journal.find(bench="phases")
    order = {"/".join(map(str, lengths)): place for place, lengths in enumerate(LENGTHS)}
    cells = []
    for row in sorted(rows, key=lambda row: order[row["lengths"]]):
        first = [row["data"], row["lengths"]]
        if "error" in row:
            cells.append([*first, _short(row["error"]), *[NOTHING] * (len(header) - 3)])
            continue
        cells.append(
            [
                *first,
                *(f"{row['phases'].get(phase, 0.0):.2f}" for phase in PHASES),
                f"{row['end_to_end']:.1f}",
                f"{row['cpu']:.1f}",
                f"{row['gib']:.2f}",
                f"{row['evaluated']:,}",
                f"{row['loss']:,}",
                f"{row['bound']:,}",
            ]
        )
    return table(header, cells, 2) if cells else ""


def reading_table(journal: Journal) -> str:
    """Return the table of readers: facts per second, and processor seconds relative to polars."""
    rows = [row for row in journal.find(bench="reading") if "error" not in row]
    others = {(row["reader"], row["facts"]): row for row in rows if row["reader"].startswith("polars")}

    def quickest(row: Row) -> Row | None:
        """Return what polars took for the same file, or for the same facts as a table."""
        kind = row["reader"].partition(", ")[2]
        wanted = (f"polars, {kind}, dictionaries", f"polars, {kind}", "polars, TSV, dictionaries")
        return next((others[name, row["facts"]] for name in wanted if (name, row["facts"]) in others), None)

    header = (
        "reader",
        "times polars' processor time",
        "facts",
        "facts/s",
        "bytes per fact",
        "seconds",
        "processor s",
    )
    cells = [
        [
            row["reader"],
            _number(row["cpu"] / other["cpu"]) if (other := quickest(row)) else NOTHING,
            f"{row['facts']:,}",
            f"{row['rate']:,.0f}",
            f"{row['bytes_per_fact']:.0f}",
            f"{row['seconds']:.2f}",
            f"{row['cpu']:.2f}",
        ]
        for row in rows
    ]
    return table(header, cells) if cells else ""


def cold_start_table(journal: Journal) -> str:
    """Return the table of cold starts."""
    cells = [
        [row["what"], f"{row['seconds']:.3f}", f"{row['cpu']:.3f}"]
        for row in journal.find(bench="cold start")
    ]
    return table(("what", "seconds", "processor s"), cells) if cells else ""


def _number(value: float | None) -> str:
    """Return a number with as many digits as mean something.

    >>> _number(1234.5), _number(12.34), _number(0.123)
    ('1,234', '12', '0.12')
    """
    if value is None:
        return NOTHING
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def _short(message: str) -> str:
    """Return the first part of a message, without the name of its class.

    >>> _short("package.SearchError: no program was found (time limit); allow more time")
    'no program was found (time limit)'
    """
    return message.rpartition("Error: ")[2].partition(";")[0]


def _or_nothing(value: Any, text: Callable[[Any], str] = "{:,}".format) -> str:
    return NOTHING if value is None else text(value)
