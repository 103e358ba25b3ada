"""Clauses of candidates are made when somebody reads them, and equal to their text."""

from __future__ import annotations

import json

from logicoder.logic import Program
from logicoder.problem import DecoderItem, PredicateItem, Problem
from logicoder.problem.clause_text import ClauseText, program_of
from logicoder.problem.storage import load_problem, save_problem

TEXT = "p(X,Y) :- latent1(X,Z), latent1(Z,Y)."


def test_nobody_reads_what_is_only_selected(tmp_path) -> None:
    made = []

    def make() -> Program:
        made.append(TEXT)
        return Program.parse(TEXT)

    item = DecoderItem(ClauseText(make), "p", (), 2, 3, 1)
    problem = Problem((PredicateItem("p", 3),), (), (item,), {"ordinary": ()})
    assert problem.variables == 1
    assert item.corruption.denominator == 4
    assert not made
    save_problem(problem, tmp_path / "problem.json")
    assert json.loads((tmp_path / "problem.json").read_text())["decoders"][0]["clause"] == TEXT
    loaded = load_problem(tmp_path / "problem.json")
    assert loaded == problem
    assert loaded.decoders[0].program == item.program
    assert len(made) == 1


def test_texts_are_compared_as_texts() -> None:
    lazy = ClauseText(lambda: Program.parse(TEXT))
    assert lazy == TEXT
    assert lazy == ClauseText(lambda: Program.parse(TEXT))
    assert lazy != "p(X,Y) :- latent1(X,Y)."
    assert hash(lazy) == hash(TEXT)
    assert program_of(lazy) == program_of(TEXT)
