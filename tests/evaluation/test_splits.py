"""Which folds train, choose and test."""

from __future__ import annotations

import pytest

from logicoder.base.errors import UsageError
from logicoder.evaluation.splits import protocol_of, turns_of


def test_folds_take_turns():
    folds = ["a", "b", "c", "d"]
    for test in folds:
        split = protocol_of("paper", folds, test).choosing
        assert split.validation == folds[(folds.index(test) + 1) % 4]
        assert {*split.train, split.validation, split.test} == set(folds)
        assert len(split.train) == 2
    for split in protocol_of("leave-one-out", folds).testing:
        assert {*split.train, split.test} == set(folds)
        assert split.test not in split.train


def test_nested_turns():
    folds = ["a", "b", "c", "d"]
    turns = turns_of("nested", folds)
    assert [turn.testing[0].test for turn in turns] == folds
    for turn in turns:
        [split] = turn.testing
        assert {*turn.choosing.train, turn.choosing.validation, split.test} == set(folds)
        assert len(turn.choosing.train) == 2
        assert {*split.train, split.test} == set(folds)
    assert len({split.name for turn in turns for split in (turn.choosing, *turn.testing)}) == 8
    assert turns_of("paper", folds) == (protocol_of("paper", folds),)
    for options in ({"test": "a"}, {"validation": "b"}):
        with pytest.raises(UsageError, match="the fold after it chooses"):
            turns_of("nested", folds, **options)
    with pytest.raises(UsageError, match="at least 3 folds"):
        turns_of("nested", folds[:2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("paper", ["a", "b"]), "at least 3 folds"),
        (("paper", ["a", "b", "c"], "x"), "there is no fold x"),
        (("paper", ["a", "b", "c"], "a", "a"), "must not choose"),
        (("leave-one-out", ["a", "b"], "a"), "every fold"),
        (("other", ["a", "b", "c"]), "no protocol"),
    ],
)
def test_wrong_folds_are_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        protocol_of(*arguments)
