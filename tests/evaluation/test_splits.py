"""Which folds train, choose and test."""

from __future__ import annotations

import pytest

from logicoder.base.errors import UsageError
from logicoder.evaluation.splits import protocol_of


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
