"""Loss weights of predicates, so that a large predicate cannot drown a small one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

from logicoder.base.errors import UsageError, shown
from logicoder.base.numbers import exact_fraction
from logicoder.problem.limits import require_known
from logicoder.problem.model import Problem

BALANCED = "balanced"
"""Weights inverse to the number of facts: the largest predicate has weight one."""

_PRECISION = 1000
_LARGEST = 10**12
"""The weighted loss stays below what a float holds exactly, which is how CP-SAT tells its bounds."""

Weights = Mapping[str, Fraction] | str


def weights_of(given: object) -> Weights:
    """Return checked weights of a mapping, of the word `balanced`, or of texts such as `advisedby=5`.

    >>> weights_of(["advisedby=2.5"])
    {'advisedby': Fraction(5, 2)}
    """
    if given is None:
        return {}
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif isinstance(given, Iterable):
        texts = [str(text) for text in given]
        if BALANCED in texts:
            if len(texts) > 1:
                raise UsageError("the weights are either balanced or given by predicate, not both")
            return BALANCED
        pairs = []
        for text in texts:
            name, equals, value = text.rpartition("=")
            if not (name and equals):
                raise UsageError(f"write a weight as PREDICATE=NUMBER, or balanced, not {shown(text)}")
            pairs.append((name.strip(), value.strip()))
    else:
        raise UsageError(
            f"weights must be a mapping from predicates to numbers, or balanced, not {shown(given)}"
        )
    found = {}
    for name, value in pairs:
        weight = exact_fraction(f"the weight of {name}", value)
        if weight <= 0:
            raise UsageError(f"the weight of {name} must be greater than 0, not {value}")
        found[str(name)] = weight
    return found


def with_weights(problem: Problem, weights: Weights) -> Problem:
    """Return a problem whose loss counts the mistakes of some predicates more than those of others.

    Weights become integers: they are multiplied by their common denominator, or, where they are balanced,
    rounded to thousandths.
    """
    if isinstance(weights, str):
        largest = max((t.facts for t in problem.targets), default=1)
        scaled = [round(Fraction(_PRECISION * largest, max(1, t.facts))) for t in problem.targets]
        unit = _PRECISION
    else:
        for name in weights:
            require_known(name, problem.positions, f"the weight of {name}")
        unit = lcm(*(weight.denominator for weight in weights.values()))
        scaled = [int(weights.get(t.name, Fraction(1)) * unit) for t in problem.targets]
    common = gcd(unit, *scaled)
    unit, scaled = unit // common, [weight // common for weight in scaled]
    if max(scaled, default=1) * (problem.atoms + problem.facts) > _LARGEST:
        raise UsageError("these weights are too far apart, or have too many digits; choose simpler ones")
    targets = tuple(replace(t, weight=weight) for t, weight in zip(problem.targets, scaled, strict=True))
    return replace(problem, targets=targets, weight_unit=unit)
