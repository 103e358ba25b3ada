"""Tables of experiments: written out by hand for a summary that has everything in it."""

from __future__ import annotations

import pytest

from logicoder.evaluation.experiment_tables import tables, text


def answers(**changes):
    names = ("questions", "exact", "disagreeing", "cut_short", "with_formulas_left_out")
    names += ("with_contradictions", "networks", "networks_cut_short")
    return dict.fromkeys(names, 0) | {"questions": 4, "exact": 4, "networks": 2} | changes


def row(variant, folds, **changes):
    mean = {"auc_pr": sum(folds.values()) / len(folds)}
    found = {
        "variant": variant,
        "cell": f"cell of {variant}",
        "validation": 0.5,
        "folds": {fold: {"mean": {"auc_pr": value}} for fold, value in folds.items()},
        "mean": {"mean": mean},
        "spread": {"mean": {"auc_pr": 0.125}},
        "answers": answers(),
        "predicates": {"advises": {"auc_pr": 0.25}},
        "only_here": {},
    }
    return found | changes


def summary(rows, **changes):
    return {
        "configuration": {"protocol": "paper", "seed": 7},
        "choosing": {"fold": "two", "train": ["one"]},
        "rows": rows,
        "gains": [],
        "ceiling_shares": [],
        "failed": {},
        "finished": True,
    } | changes


def table(found, title):
    """Return columns and lines of the only table with a title that starts like this."""
    (own,) = [(heads, body) for name, heads, body in tables(found) if name.startswith(title)]
    return own


def test_scores_of_several_folds_have_a_spread_and_missing_folds_are_told():
    found = summary([row("plain", {"a": 0.5, "b": 1.0}), row("hybrid", {"b": 0.75})])
    assert table(found, "All predicates") == (
        ["variant", "chosen", "AUC-PR", "avg. precision", "AUC-ROC", "validation AUC-PR"],
        [
            ["plain", "cell of plain", "0.750 ± 0.125", "", "", "0.500"],
            ["hybrid (1 of 2 folds)", "cell of hybrid", "0.750", "", "", "0.500"],
        ],
    )
    assert table(found, "AUC-PR of each test fold") == (
        ["variant", "a", "b"],
        [["plain", "0.500", "1.000"], ["hybrid", "", "0.750"]],
    )
    assert table(found, "AUC-PR of each predicate")[1] == [["advises", "0.250", "0.250"]]


def test_one_fold_has_no_table_of_folds():
    titles = [title for title, *_ in tables(summary([row("plain", {"a": 0.5})]))]
    assert titles == ["All predicates", "AUC-PR of each predicate"]


def test_a_gain_has_its_interval_on_both_sides():
    gain = {"variant": "hybrid", "baseline": "plain", "kind": "mean", "measure": "auc_pr"}
    gain |= {"folds": {"a": 0.0, "b": 0.5}, "mean": 0.25, "spread": 0.125}
    tested = gain | {"half_interval": 0.5, "p": 0.0625, "mean_of_others": -0.125}
    known = gain | {"kind": "mean_known", "folds": {"a": 0.0}, "mean": -0.5}
    found = summary([row("plain", {"a": 0.5})], gains=[tested, known])
    assert table(found, "Paired gains") == (
        ["variant", "over", "AUC-PR", "known", "AUC-PR, 95% interval", "p", "AUC-PR without two"],
        [["hybrid", "plain", "+0.250 ± 0.125", "-0.500", "-0.250 to +0.750", "0.062", "-0.125"]],
    )
    assert table(summary([], gains=[gain]), "Paired gains")[0] == ["variant", "over", "AUC-PR"]


def test_answers_are_listed_where_any_of_them_is_not_exact():
    sure, unsure = row("plain", {"a": 0.5}), row("busl", {"a": 0.5}, answers=answers(exact=3, cut_short=1))
    assert not [title for title, *_ in tables(summary([sure])) if title.startswith("How questions")]
    heads, body = table(summary([sure, unsure]), "How questions")
    assert [dict(zip(heads, line, strict=True)) for line in body] == [
        {**dict.fromkeys(heads, "0"), "variant": "plain", "questions": "4", "exactly": "4"},
        {**dict.fromkeys(heads, "0"), "variant": "busl", "questions": "4", "exactly": "3", "cut short": "1"},
    ]


@pytest.mark.parametrize(("folds", "shown"), [({"a": 0.5, "b": 1.0}, "75.0% (50.0%)"), ({"a": 0.5}, "50.0%")])
def test_shares_of_ceilings_tell_the_worst_of_several_folds(folds, shown):
    least, mean = min(folds.values()), sum(folds.values()) / len(folds)
    share = {"variant": "plain", "ceiling": "ceiling 2"}
    share["auc_pr"] = {"folds": folds, "mean": mean, "least": least}
    found = summary([], ceiling_shares=[share])
    assert table(found, "Share of the ceiling")[1] == [["plain", "ceiling 2", shown, "", ""]]


def test_constants_that_only_the_question_mentions():
    found = summary([row("plain", {"a": 0.5}, only_here={"advises": [2, 9]})])
    assert table(found, "Constants of the test folds")[1] == [["advises", "2", "9"]]


def test_what_stands_above_the_tables():
    whole = summary([row("plain", {"a": 0.5})])
    said = "Protocol paper: chosen on two by mean AUC-PR, tested on a; seed 7."
    assert text(whole).startswith(said + "\n")
    assert text(summary([], finished=False)).startswith(
        "Protocol paper: chosen on two by mean AUC-PR, tested on no fold yet; seed 7. Not finished."
    )
    nested = text(summary([row("plain", {"a": 0.5})], choosing=None))
    assert nested.startswith("Protocol paper: chosen for each test fold on the one after it by mean AUC-PR")
    turns = summary([row("plain", {"a": 0.5})])
    turns["configuration"]["protocol"] = "leave-one-out"
    assert "two has chosen the configuration and is a test fold, too." in text(turns)
    assert "is a test fold, too" not in text(whole)
