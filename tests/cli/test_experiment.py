"""`logicoder experiment` as a user meets it: tables, JSON, a kill in the middle, and wrong options."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
import typer
from tests.cli.helpers import as_json, invoke, started
from tests.evaluation import worlds
from tests.waiting import PATIENCE, ended, until

from end_to_end.test_docs import section
from logicoder import KnowledgeBase
from logicoder.cli.app import app
from logicoder.evaluation.configuration import Configuration

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
OPTIONS = (
    *("--grid", "1x2", "--compressions", "1", "--hybrid-grid", "1x2", "--hybrid-compressions", "1"),
    *("--hybrid-mask-weights", "5", "--formula-constants", "0", "--sigmas", "1", "--effort", "1"),
    *("--max-variables", "2", "--max-literals", "2", "--jobs", "1"),
    *("--representations", "original,masked,plain,hybrid"),
)

MEASURES = ("auc_pr", "average_precision", "auc_roc", "cll", "positives", "negatives")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("experimenting") / "data"
    KnowledgeBase.union(worlds.folds()).save(path, "alchemy")
    return path


@pytest.fixture(scope="module")
def finished(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("experimenting") / "out"
    return folder, invoke("experiment", data, "-o", folder, *OPTIONS)


def scores(folder):
    """Return the scores of all units, without what depends on the clock."""
    lines = (folder / "results.jsonl").read_text().splitlines()
    units = [json.loads(line) for line in lines]
    return {(u["name"], u["role"]): u.get("mean") for u in units}


def test_tables_are_shown_and_kept(finished):
    folder, outcome = finished
    assert "Paired gains over the same learner without latents" in outcome.stdout
    assert outcome.stdout.strip() == (folder / "results.txt").read_text().strip()


def test_json_is_the_summary(finished, data):
    folder, _ = finished
    found = as_json("experiment", data, "-o", folder, *OPTIONS)
    assert found == json.loads((folder / "summary.json").read_text())
    assert [row["variant"] for row in found["rows"]] == ["original busl", "masked busl", "plain", "hybrid"]


def test_a_killed_run_goes_on(finished, data, tmp_path):
    folder, _ = finished
    process = started("experiment", data, "-o", tmp_path, *OPTIONS)
    until(lambda: list(tmp_path.glob("units/*/*.validation.json")), "a validation is done", process)
    process.kill()
    ended(process)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("units/*/*.json")}
    assert kept
    invoke("experiment", data, "-o", tmp_path, *OPTIONS)
    assert scores(tmp_path) == scores(folder)
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())


def children(parent: int) -> set[int]:
    """Return the processes that a process has started and that go on; what nobody has waited for does not."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, its_parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it has ended just now
        if int(its_parent) == parent and state != "Z":
            found.add(int(path.parent.name))
    return found


def goes_on(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to find workers in")
def test_workers_end_with_a_killed_parent(data, tmp_path):
    # One task at first, which two workers cannot share: one of them waits.
    process = started("experiment", data, "-o", tmp_path, *OPTIONS, "--jobs", "2")
    until(lambda: list(tmp_path.glob("units/*/*.encoding.json")), "an encoding is done", process)
    workers = children(process.pid)
    process.kill()
    process.wait(PATIENCE)  # and not for its output, which workers would keep open
    assert workers
    end = time.monotonic() + PATIENCE
    while any(map(goes_on, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    left = [worker for worker in workers if goes_on(worker)]
    for worker in left:
        os.kill(worker, signal.SIGKILL)
    ended(process)
    assert not left


def test_a_variant_without_result_is_a_failure(data, tmp_path):
    impossible = ("--representations", "plain,hybrid", "--hybrid-compressions", "0.01")
    outcome = invoke("experiment", data, "-o", tmp_path, *OPTIONS, *impossible, code=1)
    assert "no test result for: hybrid" in outcome.stderr
    assert "plain" in outcome.stdout
    assert "masked5-1x2-0.01" in outcome.stdout


@pytest.mark.parametrize("variant", ["plain", "hybrid"])
def test_saved_networks_give_the_scores_of_the_unit(finished, data, tmp_path, variant):
    """With the definitions of their predicates; without them there is a warning, and other scores."""
    folder, _ = finished
    units = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    [unit] = [u for u in units if u.get("variant") == variant and u["role"] == "test"]
    model, fold = folder / unit["model"], data / f"{unit['fold']}.db"
    encoder = ("--definitions", model / "encoder.pl") if variant == "hybrid" else ()
    differ = 0
    for name, told in unit["predicates"].items():
        network, results = model / f"{name}.mln", tmp_path / f"{name}.results"
        query = ("--query", name, "-o", results)
        invoke("mln", "infer", network, fold, *encoder, "--definitions", model / f"{name}.pl", *query)
        found = as_json("mln", "score", results, fold)["predicates"][name]
        assert {key: found[key] for key in MEASURES} == pytest.approx({key: told[key] for key in MEASURES})
        invoke("mln", "infer", network, fold, *query)
        differ += as_json("mln", "score", results, fold)["predicates"][name]["cll"] != pytest.approx(
            told["cll"]
        )
    assert differ


def test_saved_networks_on_latents_give_the_scores_of_the_unit(finished, data, tmp_path):
    folder, _ = finished
    units = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    [unit] = [u for u in units if u.get("variant") == "masked busl" and u["role"] == "test"]
    model, fold = folder / unit["model"], data / f"{unit['fold']}.db"
    programs = ("--encoder", model / "encoder.pl", "--decoder", model / "decoder.pl")
    exact = [name for name, told in unit["predicates"].items() if told["notes"]["exact"]]
    assert exact
    for name in exact:
        results = tmp_path / f"{name}.results"
        invoke("mln", "infer", model / "network.mln", fold, *programs, "--query", name, "-o", results)
        found = as_json("mln", "score", results, fold)["predicates"][name]
        told = unit["predicates"][name]
        assert {key: found[key] for key in MEASURES} == pytest.approx({key: told[key] for key in MEASURES})


def test_fields_of_the_json_are_told(finished):
    folder, _ = finished
    found = json.loads((folder / "summary.json").read_text())
    told = set(re.findall(r"\w+", section("reference/json.md", "## `experiment --json`")))
    assert found.keys() <= told
    assert set().union(*found["rows"], *found["gains"], *found["ceiling_shares"], found["choosing"]) <= told
    assert set().union(*(means for row in found["rows"] for means in row["mean"].values())) <= told
    assert found["configuration"].keys() == Configuration.__dataclass_fields__.keys()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grid", "2y2"), "'--grid': '2y2' is not a pair of lengths"),
        (("--hybrid-grid", "2x0"), "'--hybrid-grid': '2x0' is not"),
        (("--representations", "strange"), "each of them one of original"),
        (("--learner", "other"), "each of them one of busl, exhaustive"),
        (("--test", "nowhere"), "there is no fold nowhere"),
        (("--compressions", "0"), "greater than 0"),
    ],
)
def test_wrong_options_are_explained(data, tmp_path, options, message):
    outcome = invoke("experiment", data, "-o", tmp_path / "out", *options, code=2)
    assert message in outcome.output.replace("\n", " ")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def benchmark(monkeypatch):
    if not (BENCHMARKS / "experiments.py").exists():
        pytest.skip("there are no benchmarks beside the tests")
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    return importlib.import_module("experiments")


def test_the_commands_of_the_benchmarks_are_told(benchmark):
    told = section("howto/experiments.md", "## Commands for the benchmarks")
    assert "make experiments" in told
    parts = (benchmark.COMMON, *benchmark.PARTS.values(), *benchmark.CEILINGS.values())
    for options in filter(None, parts):
        assert f"`{' '.join(options)}`" in told
    for line in re.findall(r"^logicoder experiment (.*)$", told, re.MULTILINE):
        name, _, folder, *options = line.split()
        part = folder.split("/")[-2]
        assert tuple(options) == benchmark.options_of(part, name)


def test_the_options_of_the_benchmarks_are_accepted(benchmark, data, tmp_path):
    command = typer.main.get_command(app).commands["experiment"]
    for part in benchmark.PARTS:
        for name in benchmark.CEILINGS:
            given = [str(data), "-o", str(tmp_path), *benchmark.options_of(part, name)]
            with command.make_context("experiment", given) as context:
                assert context.params["asking_seconds"] == 5.0
                assert not context.args
