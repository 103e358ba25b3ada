"""Which folds are trained on, which choose the model, and which test it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logicoder.base.errors import UsageError, shown

PROTOCOLS = ("paper", "leave-one-out", "nested")


@dataclass(frozen=True)
class Split:
    """Folds by name.

    Attributes:
        name: what the results are called by.
        train: the folds that models are learned on.
        validation: the fold that chooses among models; None where that was done elsewhere.
        test: the fold that the chosen models are tested on; None for a split that only chooses.
    """

    name: str
    train: tuple[str, ...]
    validation: str | None = None
    test: str | None = None


@dataclass(frozen=True)
class Protocol:
    """What one choice of the configuration rests on, and what it is for.

    Attributes:
        choosing: the split whose validation fold chooses the configuration.
        testing: the splits whose test folds are reported.
    """

    choosing: Split
    testing: tuple[Split, ...]


def turns_of(
    name: str, folds: Sequence[str], test: str | None = None, validation: str | None = None
) -> tuple[Protocol, ...]:
    """Return all choices of a protocol: in `nested` one for each test fold, which has no part in it.

    The fold after the test fold (the first after the last) chooses among models of the rest; then the test
    fold tests what is trained, with that configuration, on all folds but itself.

    >>> for turn in turns_of("nested", ["a", "b", "c"]):
    ...     print(turn.choosing.train, turn.choosing.validation, turn.testing[0].train, turn.testing[0].test)
    ('c',) b ('b', 'c') a
    ('a',) c ('a', 'c') b
    ('b',) a ('a', 'b') c
    """
    if name != "nested":
        return (protocol_of(name, folds, test, validation),)
    for option, fold in (("test", test), ("validation", validation)):
        if fold is not None:
            raise UsageError(
                f"`{option}`: with the protocol nested, every fold is the test fold once, and the fold "
                "after it chooses the model"
            )
    inner = [protocol_of("paper", folds, fold).choosing for fold in folds]
    return tuple(
        Protocol(
            Split(f"choice-{split.validation}-without-{split.test}", split.train, split.validation),
            (Split(f"test-{split.test}", _others(folds, split.test or ""), None, split.test),),
        )
        for split in inner
    )


def protocol_of(
    name: str, folds: Sequence[str], test: str | None = None, validation: str | None = None
) -> Protocol:
    """Return the splits of a protocol with one choice; see `turns_of` for others.

    In the protocol of the paper one fold tests, the next one (the first after the last) validates, and the
    rest trains. In leave-one-out one fold chooses the configuration first, with all others as training data;
    then every fold is the test fold once, and all others are trained on with that configuration.

    >>> found = protocol_of("paper", ["a", "b", "c", "d"])
    >>> found.choosing.train, found.choosing.validation, found.choosing.test
    (('b', 'c'), 'a', 'd')
    >>> found = protocol_of("leave-one-out", ["a", "b", "c"])
    >>> found.choosing.validation, [split.test for split in found.testing]
    ('a', ['a', 'b', 'c'])

    Args:
        name: `paper` or `leave-one-out`.
        folds: the names of all folds.
        test: the test fold of the paper's protocol, the last one unless given.
        validation: the fold that chooses.
    """
    if name not in PROTOCOLS:
        raise UsageError(f"there is no protocol {shown(name)}; choose from: {', '.join(PROTOCOLS)}")
    least = 3 if name == "paper" else 2
    if len(folds) < least:
        raise UsageError(
            f"the protocol {name} needs at least {least} folds (files), and there are {len(folds)}: "
            f"{', '.join(folds)}"
        )
    for option, fold in (("test", test), ("validation", validation)):
        if fold is not None and fold not in folds:
            raise UsageError(f"`{option}`: there is no fold {fold}; there are: {', '.join(folds)}")
    if name == "leave-one-out":
        if test is not None:
            raise UsageError("`test`: in leave-one-out, every fold is the test fold once")
        chooser = folds[0] if validation is None else validation
        choosing = Split(f"choice-{chooser}", _others(folds, chooser), chooser)
        return Protocol(choosing, tuple(Split(f"test-{f}", _others(folds, f), None, f) for f in folds))
    tested = folds[-1] if test is None else test
    if validation is None:
        validation = folds[(folds.index(tested) + 1) % len(folds)]
    if validation == tested:
        raise UsageError(f"`validation`: {tested} is the test fold, which must not choose the model")
    split = Split(f"test-{tested}", _others(folds, tested, validation), validation, tested)
    return Protocol(split, (split,))


def _others(folds: Sequence[str], *left_out: str) -> tuple[str, ...]:
    return tuple(fold for fold in folds if fold not in left_out)
