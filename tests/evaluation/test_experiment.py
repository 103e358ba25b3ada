"""Experiments: folds, choice on the validation fold, going on after a kill, tables and figures."""

from __future__ import annotations

import json
import re
import shutil
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.evaluation import worlds

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import StopToken
from logicoder.evaluation.configuration import REPRESENTATIONS, Cell, Configuration
from logicoder.evaluation.experiment_run import Folders, run_experiment
from logicoder.evaluation.experiment_summary import _answers, summary, write_results
from logicoder.evaluation.experiment_tables import text
from logicoder.evaluation.figures import save_figures
from logicoder.evaluation.fold_scores import scored
from logicoder.evaluation.scores import mean_scores, score
from logicoder.evaluation.store import TEST, VALIDATION, Store
from logicoder.evaluation.tasks import Task
from logicoder.mln.predicate_questions import Prediction

SVG = "{http://www.w3.org/2000/svg}"
TINY = {
    "grid": ("1x2",),
    "compressions": ("0.5", "1"),
    "hybrid_grid": ("1x2", "1x1c2"),
    "hybrid_compressions": ("0.5", "1"),
    "hybrid_mask_weights": (5.0,),
    "sigmas": (1.0, 3.0),
    "formula_constants": (0,),
    "ceilings": (1,),
    "effort": 1.0,
    "max_variables": 2,
    "max_literals": 2,
    "asking_seconds": 2.0,
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("experiment") / "data"
    folds = worlds.folds()
    KnowledgeBase.union(folds).save(path, "alchemy")
    (path / "neg").mkdir()
    people = KnowledgeBase.from_path(path / "university3.db").constants()["person"]
    no_student = next(p for p in people if ("student", p) not in folds[2])
    listed = f"student({no_student})\nstudent(stranger)\nadvisedby({no_student},{no_student})\n"
    (path / "neg" / "university3.neg.db").write_text(listed)
    return path


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    return run_experiment(data, tmp_path_factory.mktemp("experiment") / "out", Configuration(**TINY))


def contents(experiment) -> dict[tuple[str, str], dict]:
    """Return all units without what depends on the clock."""
    found = {}
    for unit in experiment.store.units():
        unit.pop("seconds", None)
        unit.pop("phases", None)
        for told in unit.get("predicates", {}).values():
            told["notes"].pop("seconds", None)
        found[unit["name"], unit["role"]] = unit
    return found


# -- results ------------------------------------------------------------------------------------------


def test_every_variant_is_tested_once(whole):
    assert whole.finished
    assert list(whole.chosen) == ["original busl", "latent busl", "masked busl", "plain", "hybrid"]
    tested = [unit["variant"] for unit in whole.store.units() if unit["role"] == TEST]
    assert sorted(tested) == sorted([*whole.chosen, "ceiling"])


def test_the_validation_fold_alone_chooses(whole):
    units = [unit for unit in whole.store.units() if unit["role"] == VALIDATION]
    assert {unit["fold"] for unit in units} == {"university1"}
    for variant, cell in whole.chosen.items():
        scores = {unit["name"]: unit["mean"]["auc_pr"] for unit in units if unit["variant"] == variant}
        assert scores[cell.name] == max(scores.values())


def test_means_are_means(whole, data):
    split = whole.protocol.choosing
    unit = whole.store.read(split, whole.chosen["plain"].name, TEST)
    values = [told["auc_pr"] for told in unit["predicates"].values()]
    assert unit["mean"]["auc_pr"] == pytest.approx(sum(values) / len(values))
    assert set(unit["predicates"]) == set(KnowledgeBase.from_path(data).learnable)


def test_explicit_negatives_are_scored_alone(whole, data):
    fold = next(p for p in KnowledgeBase.from_path(data).split() if p.interpretations == ("university3",))
    unit = whole.store.read(whole.protocol.choosing, whole.chosen["plain"].name, TEST)
    for name, told in unit["predicates"].items():
        if name in ("student", "advisedby"):
            assert told["explicit"]["positives"] == fold.count(name)
            assert told["explicit"]["negatives"] == 1  # strangers do not count
            assert told["negatives"] > 1
        else:
            assert "explicit" not in told


def test_unknown_atoms_do_not_count():
    facts = KnowledgeBase.from_facts(["p(a)", "q(b)", "q(c)"])
    fold = KnowledgeBase.from_facts(["p(a)", "q(b)", "q(c)"], unknown=["p(b)"])
    for kb, negatives in ((facts, 2), (fold, 1)):
        found = scored(Prediction("p", np.array([0.5, 0.9, 0.1])), kb).all_atoms
        assert (found.positives, found.negatives) == (1, negatives)
        assert found.auc_roc == (0.5 if kb is facts else 1.0)


def test_an_explicit_negative_is_no_fact():
    fold, listed = (KnowledgeBase.from_facts(facts) for facts in (["p(a)", "q(b)"], ["p(a)", "p(b)"]))
    with pytest.raises(InputError, match="1 explicit negatives of p are facts"):
        scored(Prediction("p", np.array([0.5, 0.9])), fold, listed)


def test_every_number_leads_to_a_model(whole):
    for unit in whole.store.units():
        if unit["role"] != "encoding" and unit["variant"] != "ceiling":
            folder = whole.store.folder / unit["model"]
            assert list(folder.glob("*.mln")), unit["name"]
            assert unit["seed"] == 0


def test_results_are_written(whole):
    found = write_results(whole)
    lines = (whole.store.folder / "results.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == list(whole.store.units())
    assert json.loads((whole.store.folder / "summary.json").read_text()) == found
    shown = (whole.store.folder / "results.md").read_text()
    by_name = {row["variant"]: row["mean"]["mean"]["auc_pr"] for row in found["rows"]}
    for gain in found["gains"]:
        if (gain["kind"], gain["measure"]) == ("mean", "auc_pr"):
            difference = by_name[gain["variant"]] - by_name[gain["baseline"]]
            assert gain["mean"] == pytest.approx(difference)
            assert f"{difference:+.3f}" in shown
    shares = {share["variant"]: share["auc_pr"]["mean"] for share in found["ceiling_shares"]}
    assert shares == {
        name: pytest.approx(value / by_name["ceiling 1"])
        for name, value in by_name.items()
        if name != "ceiling 1"
    }
    assert f"{shares['hybrid']:.1%}" in shown
    assert {gain["variant"] for gain in found["gains"]} == {"latent busl", "masked busl", "hybrid"}


def test_it_is_told_how_questions_were_answered(whole):
    found = summary(whole)
    for row in found["rows"]:
        assert row["answers"]["questions"] == len(row["predicates"])
        assert row["answers"]["networks"] == 1
        if row["variant"] in ("plain", "hybrid"):
            assert row["answers"]["exact"] == len(row["predicates"])
    unit = whole.store.read(whole.protocol.choosing, whole.chosen["original busl"].name, TEST)
    assert unit["learned"]["finished"] is True
    unit["learned"]["finished"] = False
    for told in unit["predicates"].values():
        told["notes"] |= {"exact": False, "agree": False, "stopped": "time limit", "formulas_left_out": 2}
    counts = _answers([unit])
    every = len(unit["predicates"])
    assert counts["exact"] == counts["with_contradictions"] == 0
    assert counts["disagreeing"] == counts["cut_short"] == counts["with_formulas_left_out"] == every
    assert counts["networks_cut_short"] == 1


def drawn(path) -> tuple[np.ndarray, set[str]]:
    """Return the places of the points of a picture, legends left out, and the texts."""
    text = path.read_text()
    inside = [
        group
        for axes in ElementTree.fromstring(text).iter(f"{SVG}g")  # noqa: S314  (own picture)
        if axes.get("id", "").startswith("axes")
        for group in axes
        if group.get("id", "").startswith("PathCollection")
    ]
    points = [(float(u.get("x")), -float(u.get("y"))) for group in inside for u in group.iter(f"{SVG}use")]
    return np.array(points), set(re.findall("<!-- (.*?) -->", text, re.DOTALL))


def assert_in_line(places, values):
    """Assert that numbers are drawn true to scale: larger ones further on, in proportion."""
    assert len(places) == len(values)
    assert np.ptp(values) > 0
    assert np.corrcoef(places, values)[0, 1] == pytest.approx(1, abs=1e-6)


def test_figures_are_drawn(whole, tmp_path):
    pytest.importorskip("matplotlib")
    told = write_results(whole)
    name = whole.store.folder.name
    found = {path.name: drawn(path) for path in save_figures([whole.store.folder], tmp_path)}
    assert list(found) == ["gains.svg", "run-times.svg", "validation.svg", "loss.svg"]
    units = list(whole.store.units())
    encodings = {unit["name"]: unit for unit in units if unit["role"] == "encoding" and "failed" not in unit}
    asked = [unit for unit in units if unit["role"] == VALIDATION]
    order = list(dict.fromkeys(unit["variant"] for unit in asked))
    asked.sort(key=lambda unit: order.index(unit["variant"]))

    places, texts = found["gains.svg"]
    means = {row["variant"]: row["mean"]["mean"] for row in told["rows"]}
    pairs = [("original busl", "latent busl"), ("original busl", "masked busl"), ("plain", "hybrid")]
    for axis, measure in enumerate(("auc_pr", "auc_roc")):
        own = places[6 * axis : 6 * axis + 6, 1]
        assert_in_line(
            own, [means[variant][measure] for some in zip(*pairs, strict=True) for variant in some]
        )
    assert len(places) == 12
    assert {line for _, variant in pairs for line in (name, variant)} <= lines_of(texts)

    places, texts = found["run-times.svg"]
    assert_in_line(places[:, 0], np.log([unit["variables"] for unit in encodings.values()]))
    assert name in lines_of(texts)

    places, texts = found["validation.svg"]
    assert_in_line(places[:, 1], [unit["mean"]["auc_pr"] for unit in asked])
    assert {unit["variant"] for unit in asked} <= lines_of(texts)

    places, texts = found["loss.svg"]
    points = [
        (encodings[encoding]["loss"] / encodings[encoding]["facts"], unit["mean"]["auc_pr"])
        for unit in asked
        if (encoding := Cell(**unit["cell"]).encoding) is not None and unit["variant"] != "hybrid"
    ]
    for axis in (0, 1):
        assert_in_line(places[:, axis], [point[axis] for point in points])
    assert {"latent busl", "masked busl"} <= lines_of(texts)
    assert "hybrid" not in lines_of(texts)


def lines_of(texts):
    return {line for text in texts for line in text.split("\n")}


def test_the_time_left_is_told(data, tmp_path):
    events: list[PhaseAdvanced] = []
    part = {**TINY, "representations": ("plain",)}

    def report(event):
        if isinstance(event, PhaseAdvanced):
            events.append(event)

    run_experiment(data, tmp_path, Configuration(**part), report=report)
    assert [event.done for event in events] == list(range(1, events[-1].total + 1))
    assert all(event.left > 0 for event in events[:-1])
    assert events[-1].left == 0
    events.clear()
    run_experiment(data, tmp_path, Configuration(**part), report=report)  # all is there: nothing takes time
    assert events
    assert {event.left for event in events} == {None}


# -- going on -----------------------------------------------------------------------------------------


def test_a_run_goes_on_after_it_was_stopped(whole, data, tmp_path):
    class AfterThree(StopToken):
        """Says stop after three questions whether to go on."""

        asked = 0

        @property
        def reason(self):
            self.asked += 1
            return "interrupted" if self.asked > 3 else None

    configuration = Configuration(**TINY)
    first = run_experiment(data, tmp_path, configuration, stop=AfterThree())
    assert not first.finished
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "units").rglob("*.json")}
    assert 0 < len(before) < len(contents(whole))
    assert "Not finished" in text(summary(first))
    second = run_experiment(data, tmp_path, configuration)
    assert second.finished
    assert contents(second) == contents(whole)
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


def test_two_processes_find_the_same(whole, data, tmp_path):
    part = {**TINY, "representations": ("latent", "hybrid"), "ceilings": ()}
    found = contents(run_experiment(data, tmp_path, Configuration(**part), jobs=2))
    assert {unit.get("variant") for unit in found.values()} == {None, "latent busl", "hybrid"}
    alone = contents(whole)
    assert found == {key: alone[key] for key in found}


def test_a_failed_cell_is_told_and_left_out(data, tmp_path):
    part = {**TINY, "representations": ("plain", "hybrid"), "hybrid_grid": ("1x2",)}
    part["hybrid_compressions"] = ("0.01", "1")
    found = run_experiment(data, tmp_path, Configuration(**part))
    assert found.chosen["hybrid"].compression == "1"
    [failed] = summary(found)["failed"]
    assert failed["name"] == "masked5-1x2-0.01"


def test_another_experiment_does_not_mix(whole, data):
    with pytest.raises(UsageError, match="it differs in: seed"):
        run_experiment(data, whole.store.folder, Configuration(**TINY, seed=1))


def test_leave_one_out_tests_every_fold(data, tmp_path):
    part = {**TINY, "representations": ("plain",), "ceilings": (), "protocol": "leave-one-out"}
    found = run_experiment(data, tmp_path, Configuration(**part))
    [row] = summary(found)["rows"]
    assert set(row["folds"]) == {"university1", "university2", "university3"}
    values = [scores["mean"]["auc_pr"] for scores in row["folds"].values()]
    assert row["mean"]["mean"]["auc_pr"] == pytest.approx(sum(values) / 3)
    for unit in found.store.units():
        assert unit["fold"] not in unit["train"]


def test_in_nested_a_test_fold_has_no_part_in_its_choice(data, tmp_path):
    part = {**TINY, "representations": ("plain",), "ceilings": (), "protocol": "nested"}
    found = run_experiment(data, tmp_path, Configuration(**part))
    results = summary(found)
    [row] = results["rows"]
    assert set(row["folds"]) == {"university1", "university2", "university3"}
    assert results["choosing"] is None
    assert "for each test fold on the one after it" in text(results)
    units = list(found.store.units())
    for protocol, chosen in found.turns:
        [split] = protocol.testing
        seen = [unit for unit in units if unit["split"] == protocol.choosing.name]
        assert seen
        for unit in seen:
            assert split.test not in (unit["fold"], *unit["train"])
        scores = {unit["name"]: unit["mean"]["auc_pr"] for unit in seen}
        assert scores[chosen["plain"].name] == max(scores.values())
        assert len(split.train) == 2
        assert chosen["plain"].name in row["cell"]


def test_gains_are_also_told_without_the_fold_that_chose(data, tmp_path):
    part = {**TINY, "representations": ("plain", "hybrid"), "protocol": "leave-one-out", "sigmas": (1.0,)}
    part |= {"hybrid_grid": ("1x2",), "hybrid_compressions": ("1",), "validation": "university2"}
    found = summary(run_experiment(data, tmp_path, Configuration(**part)))
    folds = {row["variant"]: row["folds"] for row in found["rows"]}
    for gain in found["gains"]:
        kind, measure = gain["kind"], gain["measure"]
        if kind == "mean_explicit":  # one fold has explicit negatives
            assert list(gain["folds"]) == ["university3"]
            continue
        one, three = (
            folds["hybrid"][fold][kind][measure] - folds["plain"][fold][kind][measure]
            for fold in ("university1", "university3")
        )
        assert gain["mean_of_others"] == pytest.approx((one + three) / 2)
    assert "AUC-PR without university2" in text(found)


def test_units_are_done_once(whole, data, tmp_path):
    shutil.copytree(whole.store.folder, tmp_path / "copy")
    store = Store(tmp_path / "copy")
    place = Folders(str(data), str(store.folder), Configuration(**TINY))
    split = whole.protocol.choosing
    cell = whole.chosen["plain"]
    path = store.unit_path(split, cell.name, TEST)
    path.write_text("{}")
    place.do(Task(split, TEST, (cell,)))
    assert path.read_text() == "{}"


def test_cells_on_the_same_programs_share_a_network(data, tmp_path):
    part = {**TINY, "representations": ("masked", "hybrid"), "ceilings": (), "mask_weight": 5.0}
    part |= {"hybrid_grid": ("1x2",)} | dict.fromkeys(("compressions", "hybrid_compressions"), ("9", "12"))
    found = run_experiment(data, tmp_path, Configuration(**part))
    units = [unit for unit in found.store.units() if unit["role"] == VALIDATION]
    assert len(units) == 2 + 2 * 2
    for unit in units:
        if "same_as" in unit:
            first = next(other for other in units if other["name"] == unit["same_as"])
            assert first["cell"]["compression"] != unit["cell"]["compression"]
            assert (first["mean"], first["model"]) == (unit["mean"], unit["model"])
    assert sum("same_as" in unit for unit in units) == 3
    assert len(list((tmp_path / "models").glob("*/*/*.mln"))) == 1 + 2 * len(units[0]["predicates"])


def test_names_of_cells_are_different():
    names = [cell.name for cell in Configuration(learners=("busl", "exhaustive")).cells()]
    assert len(names) == len(set(names))
    assert {Cell(name).variant for name in REPRESENTATIONS} == set(REPRESENTATIONS)


def test_means_over_no_predicate_are_told_as_none():
    assert mean_scores({"p": score([False], [0.5])}).as_dict()["auc_pr"] is None
