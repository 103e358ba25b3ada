"""Predicting links from files to tables: choice on valid, one test, going on, the same again."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.evaluation.links import graphs

from logicoder import Program
from logicoder.base.errors import UsageError
from logicoder.base.stopping import StopToken
from logicoder.evaluation.links.knowledge_graph import read_graph
from logicoder.evaluation.links.link_configuration import MEASURES, LinkConfiguration
from logicoder.evaluation.links.link_prediction import SPLIT, predict_links
from logicoder.evaluation.links.link_summary import summary, text, write_results
from logicoder.evaluation.store import TEST, VALIDATION

TINY = LinkConfiguration(grid=("1x2",), compressions=("0.9",), sigmas=(0.3, 1.0), effort=1.0)
VARIANTS = [
    *("frequency", "rule", "rules", "plain", "latent", "hybrid"),
    *("plain apart", "latent apart", "hybrid apart"),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return graphs.write(tmp_path_factory.mktemp("predicting") / "graph", graphs.parts(graphs.triples(30)))


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    return predict_links(data, tmp_path_factory.mktemp("predicting") / "out", TINY)


def contents(found) -> dict[tuple[str, str], dict]:
    """Return all units without what depends on the clock."""
    units = {(unit["name"], unit["role"]): unit for unit in found.store.units()}
    for unit in units.values():
        unit.pop("seconds")
        unit.pop("phases", None)
    return units


def test_every_variant_is_tested_once(whole):
    assert whole.finished
    assert list(whole.chosen) == VARIANTS
    tested = [unit["variant"] for unit in whole.store.units() if unit["role"] == TEST]
    assert sorted(tested) == sorted(VARIANTS)


def test_valid_alone_chooses(whole):
    units = [unit for unit in whole.store.units() if unit["role"] == VALIDATION]
    assert {unit["fold"] for unit in units} == {"valid"}
    for variant, cell in whole.chosen.items():
        scores = {unit["name"]: unit["mean"]["mrr"] for unit in units if unit["variant"] == variant}
        assert scores[cell.name] == max(scores.values())


def test_means_are_over_facts(whole, data):
    lines = (data / "test.txt").read_text().splitlines()
    for cell in whole.chosen.values():
        unit = whole.store.read(SPLIT, cell.name, TEST)
        own = list(unit["relations"].values())
        assert unit["mean"]["facts"] == len(lines) == sum(part["facts"] for part in own)
        for measure in MEASURES:
            expected = sum(part[measure] * part["facts"] for part in own) / len(lines)
            assert unit["mean"][measure] == pytest.approx(expected)


def test_frequency_by_hand(whole, data):
    parts = {
        p: [tuple(x.split("\t")) for x in (data / f"{p}.txt").read_text().splitlines()] for p in SPLIT_PARTS
    }
    every = {fact for facts in parts.values() for fact in facts}
    entities = {e for h, _, t in parts["train"] for e in (h, t)}
    reciprocal = []
    for h, r, t in parts["test"]:
        for side, answer in ((2, t), (0, h)):
            counts = {e: sum(f[1] == r and f[side] == e for f in parts["train"]) for e in entities}
            asked = {e: (h, r, e) if side == 2 else (e, r, t) for e in entities}
            rivals = [counts[e] for e in entities if e != answer and asked[e] not in every]
            above = sum(c > counts[answer] for c in rivals)
            level = sum(c == counts[answer] for c in rivals)
            reciprocal.append(1 / (1 + above + level / 2))
    unit = whole.store.read(SPLIT, "frequency", TEST)
    assert unit["mean"]["mrr"] == pytest.approx(np.mean(reciprocal))


SPLIT_PARTS = ("train", "valid", "test")


def test_networks_learn_something(whole):
    scores = {row["variant"]: row["mean"]["mrr"] for row in summary(whole)["rows"]}
    assert scores["hybrid apart"] > scores["frequency"] + 0.1
    assert scores["latent"] > scores["frequency"]


def test_every_number_leads_to_a_model(whole, data):
    relations = read_graph(data).relations
    for unit in whole.store.units():
        if unit["role"] == TEST and "features" in unit:
            folder = whole.store.folder / unit["model"]
            assert {path.stem for path in folder.glob("*.mln")} == set(relations)
            for name in relations:
                program = Program.parse((folder / f"{name}.pl").read_text())
                if "apart" not in unit["variant"]:
                    assert name not in {p for clause in program for p in clause.body_predicates()}
    assert "advisedby(X,Y) :- " in whole.store.read(SPLIT, "rule", TEST)["rules"]["advisedby"]


def test_results_are_written(whole):
    found = write_results(whole)
    folder = whole.store.folder
    units = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert units == list(whole.store.units())
    assert json.loads((folder / "summary.json").read_text()) == found
    for row in found["rows"]:
        for shown in ((folder / "results.md").read_text(), (folder / "results.txt").read_text()):
            assert row["cell"] in shown
            assert f"{row['mean']['mrr']:.3f}" in shown
    kept = json.loads((folder / "configuration.json").read_text())
    assert set(kept["data"]) == {"train.txt", "valid.txt", "test.txt"}
    assert kept["configuration"] == json.loads(json.dumps(TINY.as_dict()))


def test_a_run_goes_on_after_it_was_stopped(whole, data, tmp_path):
    class AfterSome(StopToken):
        asked = 0

        @property
        def reason(self):
            self.asked += 1
            return "interrupted" if self.asked > 5 else None

    first = predict_links(data, tmp_path, TINY, stop=AfterSome())
    assert not first.finished
    assert "Not finished" in text(summary(first))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "units").rglob("*.json")}
    assert 0 < len(before) < len(contents(whole))
    second = predict_links(data, tmp_path, TINY)
    assert contents(second) == contents(whole)
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())


def test_another_comparison_does_not_mix(whole, data, tmp_path):
    other = LinkConfiguration(**{**TINY.as_dict(), "seed": 1})
    with pytest.raises(UsageError, match="it differs in: seed"):
        predict_links(data, whole.store.folder, other)
    changed = {
        part: [tuple(x.split("\t")) for x in (data / f"{part}.txt").read_text().splitlines()]
        for part in SPLIT_PARTS
    }
    changed["test"] = changed["test"][1:]
    with pytest.raises(UsageError, match=r"it differs in: test\.txt"):
        predict_links(graphs.write(tmp_path / "graph", changed), whole.store.folder, TINY)


def test_relations_of_any_name(tmp_path):
    facts = graphs.parts(graphs.triples(30))
    named = {
        part: [(h, r.replace("advisedby", "/people/Advised by"), t) for h, r, t in rows]
        for part, rows in facts.items()
    }
    found = predict_links(graphs.write(tmp_path / "graph", named), tmp_path / "out", TINY)
    assert "/people/Advised by" in summary(found)["rows"][-1]["relations"]
    assert not summary(found)["failed"]


def test_cells_on_the_same_programs_share_a_network(data, tmp_path):
    options = {**TINY.as_dict(), "grid": ("1x1",), "compressions": ("9", "12"), "sigmas": (1.0,)}
    units = list(predict_links(data, tmp_path, LinkConfiguration(**options)).store.units())
    shared = {unit["name"]: unit for unit in units if "same_as" in unit}
    kinds = ("latent", "hybrid", "latent-apart", "hybrid-apart")
    assert {name: unit["same_as"] for name, unit in shared.items()} == {
        f"{kind}-1x1-12-w5-s1": f"{kind}-1x1-9-w5-s1" for kind in kinds
    }
    by_name = {unit["name"]: unit for unit in units if unit["role"] == VALIDATION}
    for unit in shared.values():
        assert unit["mean"] == by_name[unit["same_as"]]["mean"]


def test_a_grid_must_not_be_empty():
    with pytest.raises(UsageError, match="sigmas must be a list of at least one item"):
        LinkConfiguration(sigmas=())
