"""Results files and their scores."""

import numpy as np
import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.evaluation.inference_results import score_results
from logicoder.evaluation.scores import score
from logicoder.kb.formats.alchemy.results import PredicateResults, read_results, write_results

SYMBOLS = ["'Anna'", "bob", "7", "'7'", "'a, (b) \"c\"'", "'1.5'", "'x y'"]


def results(probabilities, name="world"):
    atoms = [(symbol,) for symbol in SYMBOLS]
    return {name: {"smokes": PredicateResults(atoms, np.array(probabilities))}}


def test_files_hold_what_was_written(tmp_path):
    given = results([0.1, 1 / 3, 1.0, 0.0, 0.5, 1e-300, 0.7])
    given["world"]["rainy"] = PredicateResults([()], np.array([0.25]))
    write_results(given, tmp_path / "world.results")
    text = (tmp_path / "world.results").read_text()
    assert text.splitlines()[:2] == ["rainy 0.25", "smokes(7) 1.0"]
    assert text.splitlines()[-1] == 'smokes("7") 0.0'
    read = read_results(tmp_path / "world.results")
    assert set(read) == {"world"}
    for name in ("smokes", "rainy"):
        pairs = [
            dict(zip(part.atoms, part.probabilities.tolist(), strict=True))
            for part in (given["world"][name], read["world"][name])
        ]
        assert pairs[0] == pairs[1]


def test_several_interpretations_are_a_folder(tmp_path):
    given = {**results([0.5] * 7, "a/b"), **results([0.25] * 7, "c")}
    with pytest.raises(UsageError, match="need a folder"):
        write_results(given, tmp_path / "x.results")
    write_results(given, tmp_path / "x")
    assert {name: part["smokes"].probabilities[0] for name, part in read_results(tmp_path / "x").items()} == {
        "a/b": 0.5,
        "c": 0.25,
    }
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \.results file"):
        read_results(tmp_path / "empty")


@pytest.mark.parametrize("line", ["smokes(Anna)", "smokes(Anna) 1.5", "smokes(Anna) x", "smokes(Anna 0.5"])
def test_lines_that_are_no_results_are_refused(line, tmp_path):
    path = tmp_path / "a.results"
    path.write_text(f"// a comment\n\nsmokes(Bob) 0.5\n{line}\n")
    with pytest.raises(InputError, match=r"a\.results:4: this is not an atom with its probability"):
        read_results(path)


def test_spellings_of_alchemy(tmp_path):
    path = tmp_path / "a.results"
    path.write_text("AdvisedBy(Anna, Bob)  0.25\nadvisedby( Bob,Anna ) 1e-05\n")
    read = read_results(path, ["advisedBy"])["a"]["advisedBy"]
    assert read.atoms == [("'Anna'", "'Bob'"), ("'Bob'", "'Anna'")]
    assert read.probabilities.tolist() == [0.25, 1e-05]


def test_scores_over_all_interpretations():
    kb = KnowledgeBase.union(
        [
            KnowledgeBase.from_facts([("smokes", "a"), ("same", "a"), ("smokes", "z")], interpretation="u"),
            KnowledgeBase.from_facts([("smokes", "b")], interpretation="v"),
        ]
    )
    given = {
        "u": {
            "smokes": PredicateResults([("a",), ("b",), ("c",)], np.array([0.9, 0.8, 0.1])),
            "same": PredicateResults([("a",), ("b",)], np.array([0.9, 0.1])),
        },
        "v": {"smokes": PredicateResults([("a",), ("b",)], np.array([0.7, 0.6]))},
    }
    found = score_results(given, kb, leave_out=["sa*"])
    assert found.predicates["smokes"] == score([1, 0, 0, 0, 1], [0.9, 0.8, 0.1, 0.7, 0.6])
    assert found.predicates["same"].auc_pr == 1.0
    assert found.left_out == ("same",)
    assert found.mean.auc_pr == pytest.approx((1 + found.predicates["smokes"].auc_pr) / 2)
    assert found.mean_of_others.auc_pr == found.predicates["smokes"].auc_pr
    assert found.missing == 1  # smokes(z)
    with pytest.raises(UsageError, match="no interpretation w"):
        score_results({"w": given["u"]}, kb)
    with pytest.raises(UsageError, match="no predicate likes"):
        score_results({"u": {"likes": given["u"]["same"]}}, kb)


def test_unknown_atoms_are_no_mistakes(tmp_path):
    (tmp_path / "v.pl").write_text("smokes(b). \\+ smokes(c). unknown(smokes(d)).\n")
    kb = KnowledgeBase.from_path(tmp_path / "v.pl")
    atoms = [("b",), ("c",), ("d",)]
    found = score_results({"other name": {"smokes": PredicateResults(atoms, np.array([0.5, 0.4, 0.9]))}}, kb)
    assert (found.predicates["smokes"].positives, found.predicates["smokes"].negatives) == (1, 1)
    assert (found.unknown, found.missing) == (1, 0)
    assert found.mean.auc_pr == 1.0
