"""A generated university with noise, and a hand-written auto-encoder for it."""

from __future__ import annotations

from logicoder import AutoEncoder, KnowledgeBase, Schema
from logicoder.datasets import university

ENCODER = """
    together(X,Y) :- publication(T,X), publication(T,Y).
    assists(X,Y) :- ta(C,X), taughtby(C,Y).
    works(X) :- ta(_,X) ; publication(_,X).
    student_copy(X) :- student(X).
    advised(X,Y) :- advisedby(X,Y) ; paidby(X,Y).
    teaches(X,Y) :- taughtby(X,Y).
"""
DECODER = """
    advisedby(X,Y) :- together(X,Y), student_copy(X).
    advisedby(X,Y) :- advised(X,Y), works(X).
    paidby(X,Y) :- assists(X,Y).
    paidby(X,Y) :- advised(X,Y), student_copy(X).
    student(X) :- works(X).
    ta(X,Y) :- teaches(X,Z), advised(Y,Z).
    taughtby(X,Y) :- teaches(X,Y).
"""


def folds() -> list[KnowledgeBase]:
    return university(people=63, noise=0.05, interpretations=3, seed=3).kb.split()


def hand_written(schema: Schema) -> AutoEncoder:
    return AutoEncoder.from_programs(ENCODER, DECODER, schema=schema)
