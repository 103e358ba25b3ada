"""CP-SAT, HiGHS, RC2 and clingo on identical selection problems, and what coverage classes are worth.

    python benchmarks/solvers.py [--quick] [--data FOLDER] [--results FOLDER] [--limit SECONDS]

The problems are those of the paper's setting (lengths 2/2, compression 0.5), saved as files. Each cell is a
process of its own; its time counts from the loaded problem to the proved optimum, or to the time limit. Each
solution is checked against the problem's own constraints and loss.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from common import (
    TRAINING,
    Journal,
    Row,
    Stopwatch,
    journal_of,
    python,
    require_data,
    run,
    say,
    speed_parser,
    training_data,
)

from logicoder.base.clock import Clock
from logicoder.base.errors import SearchError
from logicoder.base.progress import silent
from logicoder.base.stopping import StopToken
from logicoder.learner.learn import enumerate_problem
from logicoder.learner.presets import PRESETS
from logicoder.learner.settings import Settings
from logicoder.problem import CoverageClass, Problem, load_problem, loss_of, save_problem, violations
from logicoder.selection import SOLVERS as NAMED
from logicoder.selection import AutoSolver, ExactSolver, Solution, Solver

LIMIT = 45.0
UNLIMITED = 1e9
PER_ATOM = ", a variable per atom"
CP_SAT: dict[str, Solver] = {
    "logicoder": AutoSolver(UNLIMITED),
    "CP-SAT": ExactSolver(UNLIMITED, interleaved=False),
}
"""The library's own solvers: its default one (CP-SAT with neighbourhood search), and CP-SAT alone."""

OTHERS = {name: NAMED[name.lower()](UNLIMITED) for name in ("HiGHS", "RC2", "clingo")}
SOLVERS = (*CP_SAT, *(name + PER_ATOM for name in CP_SAT), *OTHERS)


def uncompressed(problem: Problem) -> Problem:
    """Return a problem with a class for each ground atom, not a weighted one for all that are alike."""

    def apart(classes: Iterable[CoverageClass]) -> tuple[CoverageClass, ...]:
        return tuple(replace(item, weight=1) for item in classes for _ in range(item.weight))

    return replace(problem, families={name: apart(classes) for name, classes in problem.families.items()})


def problem_file(folder: Path, results: Path, name: str) -> Path:
    """Return the file of a problem, made unless it is there."""
    path = results / "problems" / f"{name}.json.gz"
    if not path.exists():
        say(f"problem of {name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        settings = Settings(**PRESETS["paper"]).checked()
        problem, _ = enumerate_problem(training_data(folder, name), settings, Clock(silent), StopToken())
        save_problem(problem, path)
    return path


def found_by(solver: Solver, problem: Problem, seconds: float) -> Solution | None:
    """Solve by the clock alone."""
    stop = StopToken(seconds)
    try:
        return solver.solve(problem, stop=stop, explain=False)
    except SearchError:
        return None


def solved(path: Path, name: str, seconds: float) -> Row:
    """Solve one problem in this process."""
    original = load_problem(path)
    problem = uncompressed(original) if name.endswith(PER_ATOM) else original
    solver = {**CP_SAT, **OTHERS}[name.removesuffix(PER_ATOM)]
    watch = Stopwatch()
    with watch.running():
        found = found_by(solver, problem, seconds)
    row: Row = {
        "status": found.status if found else "unknown",
        "bound": found.bound if found else None,
        "seconds": watch.seconds,
        "cpu": watch.cpu,
        "variables": problem.variables,
        "loss": None,
    }
    if found is not None:
        broken = violations(original, found.decoders)
        if broken:
            raise SystemExit(f"the solution of {name} violates {broken[0]}")
        row["loss"] = sum(loss_of(original, found.decoders))
        if found.status == "optimal" and found.bound != row["loss"]:
            raise SystemExit(f"{name} reports the optimum {found.bound}; it is a loss of {row['loss']}")
    return row


def measure(folder: Path, journal: Journal, *, quick: bool = False, limit: float = LIMIT) -> None:
    """Add the rows that are not there yet."""
    seconds = 5.0 if quick else limit
    for name in ("webkb", "imdb") if quick else TRAINING:
        path = problem_file(folder, journal.path.parent, name)
        for solver in SOLVERS:
            key = {"bench": "solvers", "data": name, "solver": solver, "limit": seconds}
            journal.cell(key, lambda: _cell(path, solver, seconds))  # noqa: B023  (called at once)
        optima = {row["loss"] for row in journal.find(bench="solvers", data=name, status="optimal")}
        if len(optima) > 1:
            raise SystemExit(f"solvers prove different optima of {name}: {sorted(optima)}")


def _cell(path: Path, solver: str, seconds: float) -> Row:
    say(f"{path.name}: {solver}")
    # A solver that does not keep to its limit is ended.
    command = python(__file__, "--problem", path, "--solver", solver, "--limit", str(seconds))
    finished = run(command, 2 * seconds + 30)
    if finished.code != 0:
        return {"status": f"none: {finished.why}", "gib": finished.gib, "seconds": finished.seconds}
    return {**json.loads(finished.output.splitlines()[-1]), "gib": finished.gib}


def options_of() -> argparse.Namespace:
    """Return the options."""
    parser = speed_parser(__doc__)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for each cell")
    parser.add_argument("--problem", type=Path, help="solve one problem file in this process")
    parser.add_argument("--solver", choices=SOLVERS, help="by this solver")
    return parser.parse_args()


def main() -> None:
    """Measure."""
    options = options_of()
    if options.problem is not None:
        print(json.dumps(solved(options.problem, options.solver or SOLVERS[0], options.limit)))
        return
    measure(require_data(options), journal_of(options), quick=options.quick, limit=options.limit)


if __name__ == "__main__":
    main()
