"""What the benchmarks of Markov logic share: data sets first, then smokers of growing number, with slopes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from common import Row, parser_of, require_data, require_known, table


def measure_all(
    text: str | None,
    names: Sequence[str],
    measured: Callable[[str, Path], list[Row]],
    smoked: Callable[[int], Row],
    columns: Sequence[str],
) -> None:
    """Measure the data sets, then the smokers, and print both with log-log slopes.

    Args:
        text: describes the benchmark.
        names: the data sets there are.
        measured: returns the rows of a data set, given its name and the folder of all of them.
        smoked: returns the row of so many people.
        columns: the columns of seconds whose slopes are of interest.
    """
    parser = parser_of(text)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}; all unless given")
    parser.add_argument("--people", default="100,1000,10000", help="sizes of smokers; empty for none")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    options = parser.parse_args()
    require_known(options.names, names)
    data = require_data(options)
    results = {"data": [row for name in options.names or names for row in measured(name, data)]}
    _show(results["data"])
    sizes = [int(size) for size in options.people.split(",") if size]
    if sizes:
        results["smokers"] = [smoked(size) for size in sizes]
        _show(results["smokers"])
    if len(sizes) > 1:
        for column in columns:
            seconds = np.log([max(row[column], 1e-3) for row in results["smokers"]])
            print(f"log-log slope of {column}: {np.polyfit(np.log(sizes), seconds, 1)[0]:.2f}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _show(rows: Sequence[Row]) -> None:
    print(table(list(rows[0]), [list(row.values()) for row in rows]))
