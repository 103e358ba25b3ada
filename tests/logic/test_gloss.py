"""Glosses say what definitions mean."""

from __future__ import annotations

import pytest

from logicoder.logic import Program
from logicoder.logic.gloss import gloss


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("l(X) :- father(X,Y) ; sith(X).", "X: some Y with father(X,Y); or sith(X)"),
        ("l(X) :- p(X,_), q(X).", "X: p(X,_), and q(X)"),
        ("l(X,Y) :- p(X,Z), q(X), r(Z,Y).", "X, Y: some Z with p(X,Z) and r(Z,Y), and q(X)"),
        ("l(X) :- p(X,Y) ; q(X,Y).", "X: some Y with p(X,Y); or some Y with q(X,Y)"),
        ("l :- rainy.", "rainy"),
        ("l(A) :- p(A). l(B) :- q(B,A).", "A: p(A); or some Z with q(A,Z)"),
    ],
)
def test_glosses(text, told):
    assert gloss(Program.parse(text)) == told
