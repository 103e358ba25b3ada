"""`logicoder experiment` as a user meets it: tables, JSON, a kill in the middle, and wrong options."""

from __future__ import annotations

import json
import re
import time

import pytest
from tests.cli.helpers import as_json, invoke, started
from tests.evaluation import worlds
from tests.test_docs import section

from logicoder import KnowledgeBase
from logicoder.evaluation.configuration import Configuration

OPTIONS = (
    *("--grid", "1x2", "--compressions", "1", "--hybrid-grid", "1x2", "--hybrid-compressions", "1"),
    *("--hybrid-mask-weights", "5", "--sigmas", "1", "--effort", "1", "--max-variables", "2"),
    *("--max-literals", "2", "--representations", "original,masked,plain,hybrid", "--jobs", "1"),
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
    while process.poll() is None and not list(tmp_path.glob("units/*/*.validation.json")):
        time.sleep(0.02)
    process.kill()
    process.communicate()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("units/*/*.json")}
    assert kept
    invoke("experiment", data, "-o", tmp_path, *OPTIONS)
    assert scores(tmp_path) == scores(folder)
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())


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
    told = set(re.findall(r"\w+", section("reference.md", "### of `experiment --json`")))
    assert found.keys() <= told
    assert set().union(*found["rows"], *found["gains"], *found["ceiling_shares"], found["choosing"]) <= told
    assert set().union(*(means for row in found["rows"] for means in row["mean"].values())) <= told
    assert found["configuration"].keys() == Configuration.__dataclass_fields__.keys()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grid", "2y2"), "'--grid': '2y2' is not two lengths"),
        (("--hybrid-grid", "2x0"), "'--hybrid-grid': '2x0' is not"),
        (("--representations", "strange"), "choose from: original"),
        (("--learner", "other"), "choose from: busl, exhaustive"),
        (("--test", "nowhere"), "there is no fold nowhere"),
        (("--compressions", "0"), "greater than 0"),
    ],
)
def test_wrong_options_are_explained(data, tmp_path, options, message):
    outcome = invoke("experiment", data, "-o", tmp_path / "out", *options, code=2)
    assert message in outcome.output.replace("\n", " ")
    assert not (tmp_path / "out").exists()
