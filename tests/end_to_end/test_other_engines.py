"""The library's counts of candidates against DuckDB, polars and clingo, and its optima against other solvers.

The benchmarks ask these engines the same questions and compare speeds: that means something only where all of
them agree exactly.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import random
import sys
from pathlib import Path

import pytest

from logicoder import KnowledgeBase, Predicate, Schema
from logicoder.base.clock import Clock
from logicoder.base.progress import silent
from logicoder.base.stopping import StopToken
from logicoder.datasets import university
from logicoder.learner.learn import enumerate_problem
from logicoder.learner.presets import PRESETS
from logicoder.learner.settings import Settings
from logicoder.problem import save_problem
from logicoder.selection import ExactSolver

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
ENGINES = {
    "DuckOneByOne": ("engines.duckdb_sql", "duckdb"),
    "DuckBatched": ("engines.duckdb_sql", "duckdb"),
    "DuckShared": ("engines.duckdb_sql", "duckdb"),
    "PolarsJoins": ("engines.polars_joins", "polars"),
    "ClingoGrounding": ("engines.clingo_grounding", "clingo"),
}
SOLVERS: dict[str, tuple[str, ...]] = {
    "CP-SAT, a variable per atom": (),
    "HiGHS": (),
    "RC2": ("pysat", "pindakaas"),
    "clingo": ("clingo",),
}


@pytest.fixture(scope="module", autouse=True)
def _benchmarks():
    if not (BENCHMARKS / "engines").exists():
        pytest.skip("there are no benchmarks beside the tests")
    sys.path.insert(0, str(BENCHMARKS))
    yield
    sys.path.remove(str(BENCHMARKS))


def scattered(seed: int) -> KnowledgeBase:
    """Return random facts in two worlds, of one to three arguments, some of them with equal arguments."""
    schema = Schema.of(
        Predicate("p", ("t", "t")),
        Predicate("q", ("t", "u")),
        Predicate("r", ("t",)),
        Predicate("s", ("t", "u", "t")),
    )
    numbers = random.Random(seed)  # noqa: S311
    worlds = []
    for world in ("one", "two"):
        facts = [
            (name, *(f"{kind}{numbers.randrange(6)}" for kind in predicate.types))
            for name, predicate in schema.items()
            for _ in range(9)
        ]
        worlds.append(KnowledgeBase.from_facts(set(facts), schema=schema, interpretation=world))
    return KnowledgeBase.union(worlds)


@pytest.fixture(scope="module", params=["scattered", "university"])
def data(request, _benchmarks):
    """Some data with all its candidates, ready to be asked about."""
    speed = importlib.import_module("candidate_speed")
    kb = scattered(0) if request.param == "scattered" else university(people=20, seed=1).kb
    return speed.Data(request.param, kb, kb.predicates, 1)


@pytest.fixture(scope="module")
def decoders(data):
    return data.decoders(data.encoders(1)[0])[0]


def test_samples_are_drawn_from_all_candidates():
    speed = importlib.import_module("candidate_speed")
    kb = university(people=20, seed=1).kb
    data = speed.Data("university", kb, kb.predicates, 2)
    candidates, evaluated, _ = data.decoders(data.encoders(1)[0])
    assert sum(group.count * len(group.batches) for group in candidates.groups) == evaluated > 500


def engine_named(name: str):
    module, package = ENGINES[name]
    pytest.importorskip(package)
    return getattr(importlib.import_module(module), name)()


@pytest.mark.parametrize("name", ENGINES)
def test_true_and_false_atoms_of_decoders(name, decoders):
    engine = engine_named(name)
    engine.load(decoders.tables)
    sample = decoders.sample(150, seed=0)
    # Neither all nor none of them rebuild facts, or little would be compared.
    rebuilt = [counts is not None for known in sample for counts in known.counts]
    assert 20 < sum(rebuilt) < len(rebuilt) - 20
    for known, answer in zip(sample, engine.ask([k.question for k in sample]), strict=True):
        for counts, true in zip(known.counts, answer.true, strict=True):
            assert (true, answer.size - true) == counts if counts is not None else true == 0, known.question


@pytest.mark.parametrize("name", ENGINES)
def test_sizes_of_encoders(name, data):
    from engines.candidates import encoder_questions  # noqa: PLC0415

    engine = engine_named(name)
    engine.load(data.tables)
    sample = encoder_questions(data.encoders(2)[0], data.predicates, 100, seed=0)
    assert any(len(known.question.bodies) > 1 for known in sample), "no disjunction"
    answers = engine.ask([known.question for known in sample])
    assert [answer.size for answer in answers] == [known.size for known in sample]


def test_a_wrong_count_ends_the_benchmark(decoders):
    speed = importlib.import_module("candidate_speed")
    known = next(k for k in decoders.sample(150, seed=0) if k.counts[0] is not None)
    true, false = known.counts[0]
    others = [(counts or (0, 0))[0] for counts in known.counts[1:]]
    speed.check(known, "an engine", true + false, [true, *others])
    with pytest.raises(SystemExit, match="the library"):
        speed.check(known, "an engine", true + false, [true + 1, *others])


def test_join_tuples_against_loops():
    import numpy as np  # noqa: PLC0415
    from engines.candidates import join_tuples  # noqa: PLC0415
    from engines.question import Literal, Question  # noqa: PLC0415

    numbers = np.random.Generator(np.random.PCG64(0))
    rows = np.unique(numbers.integers(0, 5, (40, 3)), axis=0)
    tables = {"p": tuple(rows.T)}
    body = Literal("p", (0, 2, 9)), Literal("p", (2, 1, 2))
    left = {(a, b) for a, b, _ in rows.tolist()}
    right = {(a, b) for a, b, c in rows.tolist() if a == c}
    expected = sum(b == c for _, b in left for c, _ in right)
    assert expected > 0
    assert join_tuples(tables, Question((0, 1), (body,))) == expected


@pytest.fixture(scope="module")
def problem():
    """A problem whose least loss is not zero."""
    kb = university(people=20, noise=0.2, seed=2).kb
    changed = {"encoder_length": 1, "bottlenecks": ("total",), "compression": 0.6, "max_decoders": 60}
    settings = Settings(**PRESETS["paper"] | changed).checked()
    return enumerate_problem(kb, settings, Clock(silent), StopToken())[0]


@pytest.fixture(scope="module")
def optimum(problem):
    solution = ExactSolver(effort=60).solve(problem)
    assert solution.status == "optimal"
    assert solution.loss > problem.unreachable
    return solution.loss


@pytest.mark.parametrize("name", SOLVERS)
def test_other_solvers_prove_the_same_optimum(name, problem, optimum, tmp_path):
    """Each in a process of its own: two copies of HiGHS, one of them in OR-Tools, do not go together."""
    from common import python, run  # noqa: PLC0415

    for package in SOLVERS[name]:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    save_problem(problem, tmp_path / "problem.json")
    arguments = ("--problem", tmp_path / "problem.json", "--solver", name, "--limit", "600")
    finished = run(python(BENCHMARKS / "solvers.py", *arguments), 600)
    assert finished.code == 0, finished.errors
    row = json.loads(finished.output)
    assert (row["status"], row["bound"], row["loss"]) == ("optimal", optimum, optimum)


def test_a_variable_per_atom(problem):
    from solvers import uncompressed  # noqa: PLC0415

    apart = uncompressed(problem)
    assert len(apart.classes) == problem.atoms > len(problem.classes)


def test_a_journal_takes_up_where_it_was_cut(tmp_path):
    from common import Journal  # noqa: PLC0415

    path = tmp_path / "folder" / "rows.jsonl"
    Journal(path).cell({"cell": 1}, lambda: {"value": 10})
    with path.open("a") as file:
        file.write('{"cell": 2, "val')
    again = Journal(path)
    assert again.cell({"cell": 1}, lambda: pytest.fail("it is there")) == {"cell": 1, "value": 10}
    again.cell({"cell": 2}, lambda: {"value": 20})
    assert [row["value"] for row in Journal(path).rows] == [10, 20]


def test_a_table_of_little_and_of_failures(tmp_path):
    """A run that was ended early, or in which something failed, is still shown."""
    from common import Journal  # noqa: PLC0415
    from tables import page  # noqa: PLC0415

    results, scale = Journal(tmp_path / "results.jsonl"), Journal(tmp_path / "scale.jsonl")
    assert page(results, scale).strip() == "", "what was not measured has no row"
    results.add({"bench": "phases", "data": "uwcse", "lengths": "2/2", "error": "time limit"})
    results.add(
        {"bench": "solvers", "data": "imdb", "solver": "RC2", "status": "none: memory", "seconds": 1.0}
    )
    results.add({"bench": "reading", "reader": "pandas, TSV", "error": "no such file"})
    for facts, seconds in ((10_000, 1.0), (100_000, 10.0), (1_000_000, 100.0)):
        row = {"seconds": seconds, "cpu": seconds, "gib": 1.0, "loss": 0, "bound": 0, "phases": {}}
        scale.add({"data": "university", "asked": facts, "options": [], **row})
    scale.add({"data": "wn18rr", "asked": 86_835, "options": [], "seconds": 30.0, "error": "time limit"})
    text = page(results, scale)
    assert "| uwcse | 2/2 | time limit |" in text
    assert "| imdb | RC2 | – | 1.00 | – | none: memory |" in text  # noqa: RUF001
    assert "seconds 1.00" in text
    assert "| wn18rr, fit | ≤ 60 s | 30 s | – | no |" in text, "a failure is not quick"  # noqa: RUF001


def test_a_process_is_ended_at_its_limit_and_has_memory_of_its_own():
    from common import python, run  # noqa: PLC0415

    ballast = bytearray(200 << 20)
    small = run(python("-S", "-c", "print('done')"), 60)
    assert (small.code, small.output) == (0, "done\n")
    assert small.gib is not None
    assert small.gib < 0.1, f"counts what its parent has, {len(ballast)} bytes and more"
    late = run(python("-c", "import time; time.sleep(60)"), 0.5)
    assert (late.code, late.why) == (None, "time limit")
    wrong = run(python("-c", "raise SystemExit('no such thing')"), 60)
    assert (wrong.code, wrong.why) == (1, "no such thing")


@pytest.mark.parametrize(
    "module",
    [
        "common",
        "engines.question",
        "engines.candidates",
        "engines.clingo_grounding",
        "scale",
        "tables",
    ],
)
def test_examples_in_the_benchmarks(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted > 0
    assert found.failed == 0
