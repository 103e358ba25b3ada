"""Words and counts are of the same clause: domains, usual values, and what one clause says of another."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.case_words import value_words
from logicoder.autoencoder.counted_facts import CountedFacts
from logicoder.autoencoder.insight import Insight
from logicoder.autoencoder.told_clauses import (
    within_domains,
    without_domains,
    without_needless,
    without_special_cases,
)
from logicoder.compression.plan import Plan
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.parser import parse_clause
from logicoder.logic.subsumption import subsumes


def _found(kb: KnowledgeBase, predicate: str) -> Insight:
    (row,) = [row for row in AutoEncoder().fit(kb).insights(kb).findings if row.predicate == predicate]
    return row


def test_what_is_counted_within_domains_says_so() -> None:
    """Of many pairs few are about what has any value of the relation; counted again with sets."""
    rng = random.Random(0)  # noqa: S311
    needs = {(f"e{rng.randrange(100)}", f"e{rng.randrange(100)}") for _ in range(900)}
    wants = {(y, x) for x, y in needs if {x, y} <= {f"e{i}" for i in range(20)}}
    wants -= {min(wants)}
    kb = KnowledgeBase.from_facts({"needs": sorted(needs), "wants": sorted(wants)})
    domains = [{pair[place] for pair in wants} for place in (0, 1)]
    masks = tuple(np.arange(100) < len(domain) for domain in domains)
    keys = np.arange(len(wants))
    space = Space("wants", (0, 0), (100, 100), masks, False, False, 9900, keys, (0, 0), 0)
    clauses = [parse_clause("wants(X,Y) :- needs(Y,X).")]
    inside = {(y, x) for x, y in needs if y in domains[0] and x in domains[1]}
    told, found = within_domains(clauses, space, CountedFacts(Database(kb)), Plan(()))
    assert (found.holds, found.wrong) == (len(inside & wants), len(inside - wants))
    assert [str(clause) for clause in told] == ["wants(X,Y) :- needs(Y,X), wants(X,_), wants(_,Y)."]
    bare, places = without_domains(told)
    assert (bare, places) == (clauses, (0, 1))
    whole = replace(space, masks=(None, None))
    assert (
        within_domains(clauses, whole, CountedFacts(Database(kb)), Plan(()))[1].wrong
        == len(needs) - found.holds
    )


@pytest.mark.parametrize(
    ("value", "unmarked", "usual"),
    [("on", "other", True), ("on", "on", False), ("other 1", "other", False)],
)
def test_a_usual_value_is_that_of_most_with_or_without_the_condition(
    value: str, unmarked: str, usual: bool
) -> None:
    """Nearly all rows have a mark: that is no condition, unless the value is also there without."""
    state = ["on" if i < 40 else f"other {i % 7}" for i in range(57)] + [unmarked] * 3
    mark = [f"m{i % 5}" if i < 57 else None for i in range(60)]
    table = pl.DataFrame({"item_id": [f"i{i}" for i in range(60)], "mark": mark, "state": state})
    kb = KnowledgeBase.from_frames({"items": table}, mapping="auto")
    clause = parse_clause(f"item_state(X,'{value}') :- item_mark(X,_).")
    facts, plan = CountedFacts(Database(kb)), Plan(())
    told = without_needless([clause], facts.followed("item_state", [clause], plan), facts, plan)
    assert (list(told) != [clause]) == usual


def test_that_a_relation_has_a_value_where_it_has_any_is_no_condition() -> None:
    """Where entities have other facts, the program guards the usual value by a latent."""
    facts = [("scope", f"e{i}", "odd" if i % 50 == 7 else "plain") for i in range(300)]
    facts += [("name", f"e{i}", f"n{i % 3}") for i in range(0, 600, 2)]
    row = _found(KnowledgeBase.from_facts(facts), "scope")
    assert row.text == "Argument 2 of scope is usually plain: 294 of 300."


def test_special_cases_are_left_out_and_nothing_else() -> None:
    texts = ["p(X,Y) :- q(Z,Y), r('a 1',Z).", "p(X,Y) :- q(Z,Y), r(_,Z).", "p(X,a) :- q(a,X)."]
    clauses = [parse_clause(text) for text in texts]
    assert without_special_cases(clauses) == clauses[1:]
    assert without_special_cases(clauses[::-1]) == clauses[:0:-1]


@pytest.mark.parametrize(
    ("general", "special", "holds"),
    [
        (r"p(X) :- q(X), \+ r(X,_).", r"p(X) :- q(X), \+ r(X,a).", False),
        (r"p(X) :- q(X), \+ r(X,a).", r"p(X) :- q(X), \+ r(X,a), s(X).", True),
        (r"p(X) :- q(X), \+ r(X,_).", r"p(X) :- q(X), \+ r(X,_), s(X).", True),
    ],
)
def test_that_there_is_no_value_at_all_says_more(general: str, special: str, holds: bool) -> None:
    assert subsumes(parse_clause(general), parse_clause(special)) == holds


def test_blank_values_are_seen() -> None:
    assert [value_words(f"'{text}'") for text in ("", " ", "a ", "a b")] == ['""', '" "', '"a "', "a b"]
    table = pl.DataFrame({"item_id": range(20), "mark": [" "] * 20})
    kb = KnowledgeBase.from_frames({"items": table}, mapping="auto")
    constant = AutoEncoder().fit(kb).insights(kb).of("constant")
    assert [row.text for row in constant] in (['item_mark is always " ": 20 of 20.'], [])
