"""A plan on data that it was not made for."""

from __future__ import annotations

from logicoder.compression.code import ClauseCode
from logicoder.compression.plan import Definition, Domain, Plan, Step
from logicoder.logic.rules import Literal, Rule


def rule(*names: str) -> Rule:
    return Rule((0, 1), tuple(Literal(name, (0, 1)) for name in names))


SHORT = Definition("short", (rule("a"),))
OF_SHORT = Definition("of_short", (rule("short", "b"),))
STRANGE = Definition("strange", (rule("gone"),))
OF_STRANGE = Definition("of_strange", (rule("strange"),))
PLAN = Plan(
    (
        Step("a"),
        Step("gone"),
        Step("b", "symmetric", (Domain(0, ("a", 1)),), ((rule("gone"),), (rule("a"), rule("strange")))),
        Step("c", "plain", (Domain(0, ("a", 0)), Domain(1, ("b", 1))), ((rule("of_short"),),)),
    ),
    (SHORT, STRANGE, OF_SHORT, OF_STRANGE),
)


def test_what_the_data_do_not_have_is_left_out():
    asked = []

    def holds(predicate, places, within):
        asked.append((predicate, places, within))
        return within == ("a", 0)

    found = PLAN.fitted({"a", "b", "c", "new", "given"}, ["a", "b", "c", "new"], holds)
    assert found.latents == (SHORT, OF_SHORT)
    assert found.steps == (
        Step("new"),  # what is unknown to the plan may be background of what it knows
        Step("a"),
        Step("b", "symmetric", (Domain(0),), ((rule("a"),),)),
        Step("c", "plain", (Domain(0, ("a", 0)), Domain(1)), ((rule("of_short"),),)),
    )
    # One domain serves both places of pairs.
    assert asked == [("b", (0, 1), ("a", 1)), ("c", (0,), ("a", 0)), ("c", (1,), ("b", 1))]


def test_a_plan_fits_what_it_was_made_for():
    known = ("a", "gone", "b", "c")
    assert PLAN.fitted(known, known, lambda *_: True) == PLAN


def test_places_whose_domains_are_told():
    assert Step("p", "symmetric", (Domain(0),)).told == (0, 1)
    assert Step("p", "apart", (Domain(1),)).told == (1,)
    assert Step("p", "symmetric").told == ()
    assert [Step("p", form).paired for form in ("plain", "apart", "transitive", "equivalence")] == [
        *(False, False, False, True)
    ]


def test_bits_of_how_a_predicate_is_said():
    code = ClauseCode.of({"p": (4, 4), "q": (4, 8), "r": ()})
    assert (code.symbols, code.tests) == (2, False)
    assert code.constants == {("p", 0): 4, ("p", 1): 4, ("q", 0): 4, ("q", 1): 8}
    # That no clause follows, a flag for each place, where a domain is told whether it is named, and the form.
    assert code.step(Step("p"), ("t", "t"), 0, 4) == 1 + 2 + 1
    assert code.step(Step("p", "apart"), ("t", "t"), 0, 4) == 1 + 2 + 3
    domains = Domain(0, ("p", 0)), Domain(1)
    assert code.step(Step("q", "plain", domains), ("t", "u"), 1, 4) == 1 + 2 + 2 + 2
    clause = rule("p")
    whole = code.step(Step("q", "plain", domains, ((clause,),)), ("t", "u"), 1, 4)
    assert whole == 7 + code.bits("q", clause)
    tested = Rule((0,), (Literal("p", (0, 1)), Literal("q", (0, 0), negated=True)))
    assert ClauseCode.of({"p": (4, 4)}, Plan((Step("q", layers=((tested,),)),))).tests
