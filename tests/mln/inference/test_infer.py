"""Questions to networks: evidence, contradictions, symmetry, interruption, reports."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import UsageError
from logicoder.base.progress import PhaseAdvanced, PhaseFinished, PhaseStarted
from logicoder.base.stopping import StopToken
from logicoder.kb.schema import Predicate, Schema
from logicoder.mln import MarkovLogicNetwork
from logicoder.mln.inference import infer, marginals, most_probable
from mln.inference.smokers import FRIENDS, of, ring


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def test_friends_and_smokers():
    network, kb = of(FRIENDS, ["friends(anna,bob)", "friends(bob,anna)", "smokes(anna)", "cancer(carl)"])
    given_smokers = infer(network, kb, "cancer")
    assert given_smokers.probability("cancer(anna)") == pytest.approx(sigmoid(1.5 - 2.3))
    assert given_smokers.probability("cancer(bob)") == pytest.approx(sigmoid(-2.3))
    assert [(m.name, m.atoms) for m in given_smokers.methods] == [("closed form", 3)]

    together = infer(network, kb, ["smokes", "cancer"])
    free = 1 + math.exp(-2.3)
    with_cancer = math.exp(-1.5) + math.exp(-2.3)
    smokes = math.exp(-1.4) * with_cancer
    alike = 1.1
    both, one, none = smokes**2, smokes * free * math.exp(-alike), free**2
    anna = (both + one) / (both + 2 * one + none)
    assert together.probability("smokes(anna)") == pytest.approx(anna)
    assert together.probability("smokes(carl)") == pytest.approx(smokes / (smokes + free))
    assert together.exact


def test_atoms_of_the_query_do_not_see_the_truth_of_their_neighbours():
    """With the true neighbours, the answer would leak: every second smoker is a friend of smokers only."""
    network, kb = of(FRIENDS, ["friends(anna,bob)", "friends(bob,anna)", "smokes(anna)", "smokes(bob)"])
    without = KnowledgeBase.from_facts(
        ["friends(anna,bob)", "friends(bob,anna)"], schema=network.schema, negatives=["smokes(bob)"]
    )
    one, two = infer(network, kb, "smokes"), infer(network, without, "smokes")
    assert one.array("smokes").tolist() == two.array("smokes").tolist()


def test_open_closed_and_known_atoms():
    text = "p(t)\nq(t)\n1 p(x) => q(x)\n0.5 p(x)"
    network = MarkovLogicNetwork.parse(text)
    kb = KnowledgeBase.from_facts(
        ["p(a)"], schema=network.schema, negatives=["p(b)", "q(a)"], unknown=["p(c)", "q(d)"]
    )
    closed = infer(network, kb, "q")
    assert closed.predicates == ("p", "q")  # p(c) is listed as unknown
    assert closed.probability("p(a)") == 1.0
    assert closed.probability("p(b)") == closed.probability("p(d)") == 0.0
    assert closed.probability("q(a)") == pytest.approx(sigmoid(1))
    assert closed.probability("q(b)") == 0.5
    # p(c) and q(c): weights 1, e^-0.5·… of the four states: p q → e^1.5, p ¬q → e^0.5, ¬p → e^1 twice.
    total = math.exp(1.5) + math.exp(0.5) + 2 * math.e
    assert closed.probability("p(c)") == pytest.approx((math.exp(1.5) + math.exp(0.5)) / total)
    assert closed.probability("q(c)") == pytest.approx((math.exp(1.5) + math.e) / total)

    opened = infer(network, kb, "q", open=["p"])
    assert opened.probability("p(b)") == 0.0
    assert opened.probability("p(d)") == pytest.approx(closed.probability("p(c)"))
    shown = infer(network, kb, "q", hide=False)
    assert shown.probability("q(a)") == 0.0
    assert shown.probability("q(b)") == 0.5
    assert shown.errors("q").max() == 0.0
    wider = infer(network, kb, "q", domains={"t": ["e"]})
    assert wider.probability("q(e)") == 0.5
    with pytest.raises(UsageError, match="e is not a t of data"):
        closed.probability("q(e)")


def test_predicates_that_the_schema_declares_open():
    network = MarkovLogicNetwork.parse("p(t)\nq(t)\n1 p(x) => q(x)")
    declared = Schema.of(Predicate("p", ("t",), open_world=True), Predicate("q", ("t",)))
    kb = KnowledgeBase.from_facts(["q(a)"], schema=declared)
    network = MarkovLogicNetwork(declared, network.formulas)
    # Of the four states of p(a) and q(a) only p without q has a lower weight.
    assert infer(network, kb, "q").probability("q(a)") == pytest.approx(2 * math.e / (1 + 3 * math.e))
    assert infer(network, kb, "q", closed=["p"]).probability("q(a)") == 0.5


def test_evidence_that_contradicts_hard_formulas_is_reported():
    text = "p(t)\nq(t)\np(x) => q(x).\n!q(x) v !p(y).\n1 q(x)"
    network, kb = of(text, ["p(a)", "p(b)", "q(b)"])
    found = infer(network, kb, "p")
    # Given q: p(a) is violated by the first formula where q(a) is false, so p(a) must be false, and all p.
    assert found.array("p").tolist() == [0.0, 0.0]
    assert not found.contradictions
    nobody = infer(network, kb, "q", closed=["p"])
    # p(a), p(b) want q(a), q(b); and the second formula forbids q to both: the first formula wins.
    assert nobody.array("q").tolist() == [1.0, 1.0]
    [entry] = nobody.contradictions
    assert (entry.number, entry.interpretation) == (1, "data")
    assert entry.count == 2
    assert entry.examples[0] == "!q(a)"

    text = "p(t)\nq(t)\nr(t)\np(x) => q(x).\n1 r(x)"
    network, kb = of(text, ["p(a)", "p(b)", "p(c)", "p(d)", "q(b)"])
    found = infer(network, kb, "r")
    [entry] = found.contradictions
    assert (entry.count, entry.formula) == (3, "!p(x) v q(x).")
    assert entry.examples == ("!p(a) v q(a)", "!p(c) v q(c)", "!p(d) v q(d)")
    assert found.probability("r(a)") == pytest.approx(sigmoid(1))
    assert "violated 3 times" in str(found)


def test_hard_formulas_that_cannot_hold_together_are_given_up_as_few_as_possible():
    text = "p(t)\nq(t)\np(x) v q(x).\n!p(x) v q(x).\np(x) v !q(x).\n!p(x) v !q(x)."
    network, kb = of(text, ["p(a)"])
    for method in ("auto", "mc-sat"):
        found = infer(network, kb, ["p", "q"], method=method)
        assert sum(entry.count for entry in found.contradictions) == 1
        assert not np.isnan(found.array("p")).any()
    assert sum(entry.count for entry in most_probable(network, kb, ["p", "q"]).contradictions) == 1


def test_an_observed_false_head_forbids_its_bodies():
    text = "l(t)\nk(t)\nh(t)\nh(x) v !l(x) v !k(x).\n1 l(x)\n1 k(x)"
    network, kb = of(text, ["h(b)", "l(a)", "k(a)"])
    found = infer(network, kb, ["l", "k"])
    weight = math.e
    assert found.probability("l(a)") == pytest.approx((weight) / (1 + 2 * weight))
    assert found.probability("l(b)") == pytest.approx(sigmoid(1))


def test_opposite_atoms():
    network, kb = of("p(t)\nq(t)\np(x) v q(x).\n!p(x) v !q(x).\n1 p(x)\n0.5 q(x)", ["p(a)", "p(b)"])
    found = infer(network, kb, ["p", "q"])
    assert found.probability("p(a)") == pytest.approx(sigmoid(0.5))
    assert found.probability("q(a)") == pytest.approx(1 - sigmoid(0.5))
    assert [(m.name, m.atoms) for m in found.methods] == [("closed form", 4)]
    best = most_probable(network, kb, ["p", "q"])
    assert list(best) == [("data", "p(a)"), ("data", "p(b)")]
    assert best.value == pytest.approx(2)


def test_evidence_of_other_variables_is_counted_once():
    """c and d are in neither p nor r; a and b are, b in both."""
    network, kb = of(
        "p(t)\nr(t,t)\ns(u)\n0.3 s(y) v p(x) v r(x,x)", ["p(a)", "p(b)", "r(b,b)", "r(c,d)", "s(e)"]
    )
    assert infer(network, kb, "s").probability("s(e)") == pytest.approx(sigmoid(2 * 0.3))


def test_types_without_constants_have_no_atoms():
    network, kb = of("p(t)\nq(u)\n1 p(x) v q(y)\nq(y) v p(x).", ["p(a)"])
    found = infer(network, kb, ["q"])
    assert found.array("q").tolist() == []
    assert infer(network, kb, ["p"]).probability("p(a)") == 0.5


def test_many_contradictions_are_counted_and_few_are_shown():
    people = [f"c{i}" for i in range(60)]
    facts = [f"p({a})" for a in people] + [f"q({a})" for a in people]
    network, kb = of("p(t)\nq(t)\nh(t)\n!p(x) v !q(y) v !q(z) v h(w).\n!p(x) v h(x).\n!h(x).", facts)
    found = infer(network, kb, ["p"])
    # Nobody has h: whoever is p, if anybody is, violates the first formula for all y, z and w.
    assert found.array("p").max() == 0.0
    assert not found.contradictions
    given_p = infer(network, kb, ["q"])
    [first] = [c for c in given_p.contradictions if c.number == 1]
    assert (first.count, len(first.examples)) == (60, 3)
    together = infer(network, kb, ["h"])
    # h must hold for all (the second formula) and for nobody (the third, which comes later).
    assert together.array("h").min() == 1.0
    [third] = together.contradictions
    assert (third.number, third.count, third.examples) == (2, 60, ("!h(c0)", "!h(c1)", "!h(c10)"))


def test_names_do_not_matter():
    facts = ["friends(anna,bob)", "friends(bob,carl)", "friends(carl,anna)", "friends(dora,anna)"]
    network, kb = of(FRIENDS, facts)
    renamed = FRIENDS.replace("smokes", "drinks").replace("cancer", "asthma").replace("friends", "knows")
    names = {"anna": "zoe", "bob": "yan", "carl": "ada", "dora": "max"}
    others = [fact.replace("friends", "knows") for fact in facts]
    for old, new in names.items():
        others = [fact.replace(old, new) for fact in others]
    other_network, other_kb = of(renamed, others)
    one, two = infer(network, kb, ["smokes", "cancer"]), infer(other_network, other_kb, ["drinks", "asthma"])
    for old, new in names.items():
        for name, other in (("smokes", "drinks"), ("cancer", "asthma")):
            assert one.probability(f"{name}({old})") == pytest.approx(two.probability(f"{other}({new})"))
    backwards = MarkovLogicNetwork(network.schema, network.formulas[::-1])
    again = infer(backwards, kb, ["cancer", "smokes"])
    np.testing.assert_allclose(again.array("smokes"), one.array("smokes"), atol=1e-12)


def test_sampling_says_so_and_is_the_same_for_the_same_seed():
    network, kb = ring(40)
    events = []
    every = {"samples": 100, "chains": 4, "burn_in": 10, "precision": 0.0}
    found = infer(network, kb, ["smokes"], **every, seed=5, progress=events.append)
    assert [m.name for m in found.methods] == ["gibbs"]
    assert not found.exact
    assert found.sureness.samples == 400
    assert 0 < found.sureness.least_effective <= found.sureness.median_effective
    assert 0 < found.sureness.largest_error < 0.1
    assert found.sureness.largest_spread < 2
    assert found.sureness.agree
    assert "do not agree" not in str(found)
    assert json.loads(json.dumps(found.summary()))["methods"][0]["name"] == "gibbs"
    assert isinstance(events[0], PhaseStarted)
    assert isinstance(events[1], PhaseFinished)
    assert [e.done for e in events if isinstance(e, PhaseAdvanced)][-1] == 110
    again = infer(network, kb, ["smokes"], **every, seed=5)
    assert again.array("smokes").tolist() == found.array("smokes").tolist()
    other = infer(network, kb, ["smokes"], **every, seed=6)
    difference = np.abs(other.array("smokes") - found.array("smokes"))
    assert 0 < difference.max() < 8 * found.sureness.largest_error
    sampled = infer(network, kb, ["smokes"], samples=100, chains=4, method="mc-sat")
    assert np.abs(sampled.array("smokes") - found.array("smokes")).max() < 0.1
    with pytest.raises(UsageError, match="too complex"):
        infer(network, kb, ["smokes"], method="exact")


@pytest.mark.parametrize("method", ["gibbs", "mc-sat"])
def test_sampling_ends_when_the_numbers_are_sure(method):
    network, kb = ring(20)
    options = {"method": method, "samples": 300, "chains": 4, "seed": 3}
    every = infer(network, kb, "smokes", **options, precision=0)
    assert every.sureness.samples == 1200
    rough, fine = (infer(network, kb, "smokes", **options, precision=x) for x in (0.03, 0.009))
    assert 100 <= rough.sureness.samples <= fine.sureness.samples < 1200
    assert rough.stopped is None
    for found, precision in ((rough, 0.03), (fine, 0.009)):
        assert found.sureness.agree
        assert found.sureness.largest_error <= precision
        difference = np.abs(found.array("smokes") - every.array("smokes"))
        assert (difference <= 6 * np.hypot(found.errors("smokes"), every.errors("smokes"))).all()
    again = infer(network, kb, "smokes", **options, precision=0.009)
    assert again.array("smokes").tolist() == fine.array("smokes").tolist()
    with pytest.raises(UsageError, match="precision must be a number of at least 0 and at most 1, not 2"):
        infer(network, kb, "smokes", precision=2)


def test_chains_that_do_not_agree_are_not_hidden():
    network, kb = of("p(t)\n2 p(x) v !p(y)\n0.01 p(x)", [f"p(c{i})" for i in range(15)])
    found = infer(network, kb, "p", method="gibbs", samples=40, chains=4)
    assert not found.sureness.agree
    assert "the chains do not agree" in str(found)
    assert infer(network, kb, "p").exact


@pytest.mark.parametrize(("samples", "chains"), [(1, 1), (1, 3), (50, 1)])
def test_where_nobody_can_tell_whether_chains_agree_none_says_so(samples, chains):
    network, kb = ring(20)
    found = infer(network, kb, "smokes", method="gibbs", samples=samples, chains=chains)
    assert not found.sureness.agree
    assert "cannot be told" in str(found)
    assert "nan" not in str(found)

    def refuse(name):
        raise AssertionError(name)

    read = json.loads(json.dumps(found.summary()), parse_constant=refuse)  # JSON knows no NaN
    assert read["sureness"]["largest_spread"] is None
    assert read["sureness"]["samples"] == samples * chains


def test_where_gibbs_disagrees_mcsat_is_tried(monkeypatch):
    """Friends so much alike that nearly all smoke, or nearly none."""
    numbers = np.random.default_rng(0)
    people = [f"p{i}" for i in range(20)]
    facts = [f"friends({a},{b})" for a in people for b in people if a != b and numbers.random() < 0.5]
    text = "smokes(p)\nfriends(p,p)\n0.05 smokes(x)\n0.5 friends(x,y) ^ smokes(x) => smokes(y)"
    network, kb = of(text, facts)
    wanted = infer(network, kb, "smokes", method="exact").array("smokes")
    alone = infer(network, kb, "smokes", method="gibbs")
    assert not alone.sureness.agree
    monkeypatch.setattr(marginals, "CELLS", 1 << 10)
    found = infer(network, kb, "smokes")
    assert [m.name for m in found.methods] == ["mc-sat"]
    assert found.sureness.agree
    assert (np.abs(found.array("smokes") - wanted) <= 8 * found.errors("smokes")).all()
    assert np.abs(found.array("smokes") - wanted).max() < 0.1

    def interrupt(event):
        if isinstance(event, PhaseAdvanced) and event.phase == "mc-sat":
            raise KeyboardInterrupt

    kept = infer(network, kb, "smokes", burn_in=1, progress=interrupt)
    assert kept.stopped == "interrupted"
    assert [m.name for m in kept.methods] == ["gibbs"]


@pytest.mark.parametrize(("when", "kept"), [(20, None), (52, 25), (90, 40)])
def test_interruption_keeps_the_better_of_two_stages(when, kept):
    """25 states are forgotten, 25 count at first, then 50 of which most must be there."""
    network, kb = ring(20)

    def interrupt(event):
        if isinstance(event, PhaseAdvanced) and event.done >= when:
            raise KeyboardInterrupt

    options = {"method": "gibbs", "precision": 1e-6, "progress": interrupt}
    if kept is None:
        with pytest.raises(KeyboardInterrupt):
            infer(network, kb, "smokes", **options)
    else:
        found = infer(network, kb, "smokes", **options)
        assert found.stopped == "interrupted"
        assert found.sureness.samples == 8 * kept


@pytest.mark.parametrize("method", ["gibbs", "mc-sat"])
def test_interruption_keeps_the_estimate_so_far(method):
    network, kb = ring(20)

    def interrupt(event):
        if isinstance(event, PhaseAdvanced) and event.done >= 200:
            raise KeyboardInterrupt

    found = infer(network, kb, "smokes", method=method, chains=2, progress=interrupt)
    assert found.stopped == "interrupted"
    assert found.sureness.samples == 200
    assert not np.isnan(found.array("smokes")).any()

    token = StopToken()
    token.stop("interrupted")
    at_once = infer(network, kb, "smokes", method=method, chains=2, stop=token)
    assert at_once.sureness.samples == 2
    assert not np.isnan(at_once.array("smokes")).any()
    clock = StopToken()
    limited = infer(network, kb, "smokes", method=method, time_limit=0.0, stop=clock)
    assert limited.stopped == "time limit"
    next_one = infer(network, kb, "smokes", method=method, samples=20, time_limit=1000.0, stop=clock)
    assert next_one.stopped is None
    assert next_one.sureness.samples == 20 * 8


def test_contradictions_with_evidence_and_with_other_formulas_are_counted_together():
    """Ann is known to be rich and not happy; that Bob is rich follows from the first formula."""
    text = "heir(p,p)\nrich(p)\nhappy(p)\nheir(x,y) => rich(y).\nrich(x) => happy(x)."
    network, kb = of(text, ["heir(ann,bob)", "rich(ann)"])
    found = infer(network, kb, "rich", hide=False)
    [one] = found.contradictions
    assert (one.number, one.count) == (1, 2)
    assert one.examples == ("!rich(ann) v happy(ann)", "!rich(bob)")
    assert found.probability("rich(bob)") == 1.0


def test_interpretations_are_independent():
    network, kb = of(FRIENDS, ["friends(anna,bob)", "friends(bob,anna)"], interpretation="one")
    other = KnowledgeBase.from_facts(
        ["friends(anna,bob)", "friends(bob,carl)"], schema=network.schema, interpretation="two"
    )
    both = infer(network, KnowledgeBase.union([kb, other]), ["smokes"])
    assert both.interpretations == ("one", "two")
    for part in (kb, other):
        name = part.interpretations[0]
        assert both.array("smokes", name).tolist() == infer(network, part, "smokes").array("smokes").tolist()
    with pytest.raises(UsageError, match="name one of the interpretations: one, two"):
        both.array("smokes")
    assert len(both) == len(list(both)) == 5


def test_truth_and_atoms_are_numbered_as_the_probabilities():
    network, kb = of(FRIENDS, ["friends(anna,bob)", "friends(bob,anna)", "smokes(bob)"])
    found = infer(network, kb, "friends")
    pairs = ["anna,anna", "anna,bob", "bob,anna", "bob,bob"]
    assert found.atoms("friends") == [f"friends({pair})" for pair in pairs]
    assert found.truth("friends").tolist() == [False, True, True, False]
    assert found.probability("friends(bob,anna)") == found.array("friends")[2] != 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query": "drinks"}, "query: there is no predicate drinks"),
        ({"query": []}, "query: name at least one"),
        ({"query": "smokes", "open": ["drinks"]}, "open: there is no predicate drinks"),
        ({"query": "smokes", "closed": ["smokes"]}, "smokes cannot be both query and closed"),
        ({"query": "cancer", "open": ["smokes"], "closed": ["smokes"]}, "cannot be both open and closed"),
        ({"query": "smokes", "method": "magic"}, "method must be one of"),
        ({"query": "smokes", "samples": 0}, "samples must be a whole number of at least 1"),
        ({"query": "smokes", "domains": {"animal": ["rex"]}}, "there is no type animal"),
    ],
)
def test_wrong_questions(options, message):
    network, kb = of(FRIENDS, ["friends(anna,bob)"])
    with pytest.raises(UsageError, match=message):
        infer(network, kb, **options)
