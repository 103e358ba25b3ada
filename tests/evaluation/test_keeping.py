"""What an experiment is careful about: files that change, folds without facts, failures, versions."""

from __future__ import annotations

import json
import logging

import pytest
from tests.evaluation import worlds
from tests.evaluation.links import graphs

import logicoder
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.evaluation import experiment_run
from logicoder.evaluation.configuration import Configuration
from logicoder.evaluation.experiment_run import run_experiment
from logicoder.evaluation.experiment_summary import summary, write_results
from logicoder.evaluation.figures import save_figures
from logicoder.evaluation.links import link_prediction
from logicoder.evaluation.links.link_configuration import LinkConfiguration
from logicoder.evaluation.links.link_prediction import predict_links
from logicoder.evaluation.links.link_summary import summary as link_summary
from logicoder.evaluation.store import ENCODING

DIRECT = {"max_variables": 2, "max_literals": 2, "sigmas": (1.0,), "formula_constants": (0,), "effort": 1.0}
PLAIN = Configuration(**DIRECT, representations=("plain",))
HYBRID = Configuration(
    **DIRECT,
    representations=("plain", "hybrid"),
    hybrid_grid=("1x1",),
    hybrid_compressions=("0.01", "1"),
    hybrid_mask_weights=(5.0,),
)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data"
    KnowledgeBase.union(worlds.folds()).save(path, "alchemy")
    (path / "neg").mkdir()
    (path / "neg" / "university3.neg.db").write_text("student(nobody)\n")
    return path


def scores(experiment):
    """Return the mean of each unit that has one."""
    return {(unit["name"], unit["role"]): unit["mean"] for unit in experiment.store.units() if "mean" in unit}


def failed(experiment):
    return {unit["name"]: unit["failed"] for unit in experiment.store.units() if "failed" in unit}


class TestData:
    def test_changed_negatives_are_another_experiment(self, data, tmp_path):
        run_experiment(data, tmp_path / "out", PLAIN)
        (data / "neg" / "university3.neg.db").write_text("student(somebody)\n")
        with pytest.raises(UsageError, match=r"differs in: neg/university3\.neg\.db"):
            run_experiment(data, tmp_path / "out", PLAIN)
        (data / "neg" / "university3.neg.db").unlink()
        with pytest.raises(UsageError, match=r"differs in: neg/university3\.neg\.db"):
            run_experiment(data, tmp_path / "out", PLAIN)

    def test_wrong_negatives_are_found_before_the_work(self, data, tmp_path):
        (data / "neg" / "university3.neg.db").write_text("student(a)\nstudent(b\n")
        with pytest.raises(InputError, match=r"university3\.neg\.db:2"):
            run_experiment(data, tmp_path / "out", PLAIN)
        assert not (tmp_path / "out").exists()

    def test_files_are_read_anew(self, data, tmp_path):
        first = run_experiment(data, tmp_path / "first", PLAIN)
        fold = data / "university3.db"
        fold.write_text("\n".join(line for line in fold.read_text().splitlines() if "student" not in line))
        second = run_experiment(data, tmp_path / "second", PLAIN)
        asked = [
            {name for unit in found.store.units() if unit["role"] == "test" for name in unit["predicates"]}
            for found in (first, second)
        ]
        assert asked[0] - asked[1] == {"student"}

    @pytest.mark.parametrize(
        ("number", "role", "protocol"),
        [(1, "validation", "paper"), (3, "test", "paper"), (2, "test", "leave-one-out")],
    )
    def test_folds_without_facts_are_refused(self, data, tmp_path, number, role, protocol):
        (data / f"university{number}.db").write_text("// nothing\n")
        message = rf"the {role} fold university{number} has no facts.*university{number}\.db"
        with pytest.raises(UsageError, match=message):
            run_experiment(data, tmp_path / "out", Configuration(**DIRECT, protocol=protocol))
        assert not (tmp_path / "out").exists()


class TestGoingOn:
    def test_naming_the_usual_folds_is_the_same_experiment(self, data, tmp_path):
        named = {**DIRECT, "representations": ("plain",), "validation": "university1"}
        run_experiment(data, tmp_path / "out", Configuration(**named))
        run_experiment(data, tmp_path / "out", Configuration(**named, test="university3"))
        run_experiment(data, tmp_path / "out", PLAIN)
        with pytest.raises(UsageError, match="differs in: test, validation"):
            run_experiment(data, tmp_path / "out", Configuration(**named, test="university2"))

    def test_another_version_is_told(self, data, tmp_path, caplog):
        run_experiment(data, tmp_path / "out", PLAIN)
        path = tmp_path / "out" / "configuration.json"
        known = json.loads(path.read_text())
        assert known["version"] == logicoder.__version__
        path.write_text(json.dumps({**known, "version": "0.0.7"}))
        with caplog.at_level(logging.WARNING, "logicoder"):
            run_experiment(data, tmp_path / "out", PLAIN)
        [record] = caplog.records
        assert "0.0.7" in record.getMessage()
        assert logicoder.__version__ in record.getMessage()


class TestFailures:
    @pytest.mark.parametrize(
        ("error", "told"),
        [
            (MemoryError(), "out of memory"),
            (MemoryError("8 TB"), "out of memory: 8 TB"),
            (KeyError("x"), "KeyError: 'x'"),
            (UsageError("no such network"), "no such network"),
            (UsageError(""), "UsageError"),
        ],
    )
    def test_networks_are_tried_again(self, data, tmp_path, monkeypatch, error, told):
        def broken(*_):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(experiment_run, "learn_direct", broken)
            first = run_experiment(data, tmp_path / "out", PLAIN)
        assert first.finished
        assert failed(first) == {"plain-s1": told}
        assert not summary(first)["rows"]
        second = run_experiment(data, tmp_path / "out", PLAIN)
        assert not failed(second)
        assert scores(second) == scores(run_experiment(data, tmp_path / "other", PLAIN))

    def test_questions_are_tried_again(self, data, tmp_path, monkeypatch):
        def broken(*_):
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr(experiment_run, "question_of", broken)
            first = run_experiment(data, tmp_path / "out", PLAIN)
        assert failed(first) == {"plain-s1": "ZeroDivisionError"}
        assert summary(run_experiment(data, tmp_path / "out", PLAIN))["rows"]

    def test_of_auto_encoders_only_the_unexpected_are_tried_again(self, data, tmp_path, monkeypatch):
        learn = AutoEncoder.fit_several

        def broken(self, train, variations):
            yield next(learn(self, train, variations))
            raise RuntimeError("lightning")

        with monkeypatch.context() as patch:
            patch.setattr(AutoEncoder, "fit_several", broken)
            first = run_experiment(data, tmp_path / "out", HYBRID)
        split = first.protocol.choosing
        impossible, possible = "masked5-1x1-0.01", "masked5-1x1-1"
        assert failed(first).keys() == {impossible, possible}
        assert failed(first)[possible] == "RuntimeError: lightning"
        assert [row["variant"] for row in summary(first)["rows"]] == ["plain"]
        kept = first.store.unit_path(split, impossible, ENCODING)
        before = kept.stat().st_mtime_ns
        second = run_experiment(data, tmp_path / "out", HYBRID)
        assert failed(second).keys() == {impossible}
        assert kept.stat().st_mtime_ns == before
        assert [row["variant"] for row in summary(second)["rows"]] == ["plain", "hybrid"]

    def test_of_links_are_tried_again(self, tmp_path, monkeypatch):
        data = graphs.write(tmp_path / "graph", graphs.parts(graphs.triples(30)))
        options = LinkConfiguration(grid=("1x1",), compressions=("1",), sigmas=(1.0,), effort=1.0)

        def broken(*_):
            raise MemoryError

        with monkeypatch.context() as patch:
            patch.setattr(link_prediction, "learn_direct", broken)
            first = predict_links(data, tmp_path / "out", options)
        assert set(failed(first).values()) == {"out of memory"}
        assert [row["variant"] for row in link_summary(first)["rows"]] == ["frequency", "rule", "rules"]
        second = predict_links(data, tmp_path / "out", options)
        assert not failed(second)
        assert len(link_summary(second)["rows"]) == 9


def test_only_figures_with_points_are_drawn(data, tmp_path):
    pytest.importorskip("matplotlib")
    found = run_experiment(data, tmp_path / "out", PLAIN)
    write_results(found)
    assert [path.name for path in save_figures([tmp_path / "out"], tmp_path / "figures")] == [
        "validation.svg"
    ]
