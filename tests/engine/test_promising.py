"""Latents that are worth combining for a head, on data where this can be seen."""

from __future__ import annotations

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.promising import Promising
from logicoder.kb import KnowledgeBase

KB = KnowledgeBase.from_facts(
    [
        *("p(a,b)", "p(b,c)", "p(c,d)", "q(d,a)", "q(d,b)"),
        *("same(a,b)", "same(b,c)", "same(c,d)"),
        *("most(a,b)", "most(b,c)"),
        *("more(a,b)", "more(b,c)", "more(c,d)", "more(a,a)", "more(b,b)", "more(c,c)", "more(d,a)"),
        *("none(d,d)", "none(c,a)"),
        *("half(a,x)", "half(b,y)", "half(c,z)", "rest(x,b)", "rest(y,c)", "rest(z,d)"),
        *("first(a)", "first(b)", "first(c)", "last(d)"),
    ]
)
LATENTS = [name for name in KB.predicates if name not in ("p", "q")]


def rankings(predicate: str, *, chains: bool = True, own: tuple[str, ...] = ()) -> list[list[str]]:
    database = Database(KB)
    latents = {number: database.relation(name) for number, name in enumerate(LATENTS)}
    facts = {name: database.relation(name) for name in ("p", "q")}
    left_out = {predicate: [LATENTS.index(name) for name in own]}
    found = Promising(database, facts, latents, left_out, links=10**6 * chains, together=10**6)(predicate)
    return [[LATENTS[number] for number in ranking] for ranking in found]


def test_few_false_atoms_or_many_facts() -> None:
    found = rankings("p", chains=False)
    assert ["same", "most", "more"] in found, "by true less false atoms"
    assert ["same", "more", "most"] in found, "by true atoms"
    assert ["more"] in rankings("q", chains=False)


def test_arguments_that_tell_facts_from_those_of_others() -> None:
    assert rankings("p", chains=False)[-2:] == [["first"], ["last", "first"]]
    assert rankings("q", chains=False)[-2:] == [["last"], ["first"]]


def test_pairs_that_lead_from_one_argument_to_the_other() -> None:
    found = rankings("p")
    assert found[:-1] == rankings("p", chains=False)
    assert found[-1][:2] == ["half", "rest"]
    assert "half" not in rankings("p", own=("half",))[-1]
