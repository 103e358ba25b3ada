"""Plans as choices: the receiver makes the same plan, and each choice takes the bits that the code counts."""

from __future__ import annotations

from math import log2

import pytest

from logicoder.compression.code import ClauseCode
from logicoder.compression.goals import Bits
from logicoder.compression.packed_plan import Vocabulary, carried, in_order
from logicoder.compression.plan import FORMS, Definition, Domain, Plan, Step
from logicoder.logic.rules import UNEQUAL, Literal, Rule

CONSTANTS = {0: ("a", "b", "c", "d", "e"), 1: ("x", "y", "z")}
TYPES = {"p": (0, 0), "q": (0, 1), "r": (1,)}
LATENT_TYPES = {"latent 0": (0, 0), "latent 1": (0,)}
LATENTS = (
    Definition("latent 0", (Rule((0, 1), (Literal("q", (0, 2)), Literal("q", (1, 2)))),)),
    Definition("latent 1", (Rule((0,), (Literal("q", (0, 1)),)), Rule((0,), (Literal("p", (0, 0)),))), True),
)
PLAIN = ((Rule((0, 1), (Literal("latent 0", (0, 1)),)),), (Rule((0, "b"), (Literal("q", (0, "y")),)),))
TESTED = ((Rule((0, 1), (Literal("p", (0, 2)), Literal("q", (2, 1)), Literal(UNEQUAL, (0, 2)))),),)
NEGATED = ((Rule((0, 1), (Literal("q", (0, 1)), Literal("latent 1", (0,), negated=True))),),)


class Written:
    """Takes down what is chosen, and of how many."""

    def __init__(self) -> None:
        self.choices: list[tuple[int, int]] = []

    def choose(self, total: int, value: int | None) -> int:
        assert value is not None
        assert 0 <= value < total
        self.choices.append((total, value))
        return value


class Read:
    """Gives what was chosen, in the same order."""

    def __init__(self, choices: list[tuple[int, int]]) -> None:
        self._choices = iter(choices)

    def choose(self, total: int, value: int | None) -> int:
        assert value is None
        of, found = next(self._choices)
        assert of == total
        return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layers", [(), PLAIN, TESTED, NEGATED])
@pytest.mark.parametrize("domains", [(), (Domain(0),), (Domain(0, ("r", 0)), Domain(1))])
def test_choices_take_the_bits_of_the_code(form, layers, domains) -> None:
    if form == "symmetric":
        domains = domains[:1]
    last = Step("p", form, domains, layers if layers is not TESTED else ())
    steps = Step("r"), Step("q", layers=TESTED if layers is TESTED else ()), Step("latent 1"), last
    plan = in_order(Plan(steps, LATENTS if layers is not TESTED else ()))
    if not plan.latents:
        plan = Plan(tuple(step for step in plan if step.predicate != "latent 1"))
    vocabulary = Vocabulary(TYPES, tuple(sorted(TYPES)), CONSTANTS)
    written = Written()
    carried(written, vocabulary, plan)
    assert carried(Read(written.choices), vocabulary, None) == plan
    types = TYPES | {latent.name: LATENT_TYPES[latent.name] for latent in plan.latents}
    sizes = {name: [len(CONSTANTS[kind]) for kind in kinds] for name, kinds in types.items()}
    code = ClauseCode.of(sizes, plan)
    expected = Bits(code).header(plan.latents)
    for step in plan:
        named = sum(domain.within is not None for domain in step.domains)
        expected += code.step(step, types[step.predicate], named, sum(map(len, TYPES.values())))
    assert sum(log2(total) for total, _ in written.choices) == pytest.approx(expected)
