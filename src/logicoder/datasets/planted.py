"""The planted programs of the university world, as text: schemas, encoders and decoders."""

from __future__ import annotations

from dataclasses import dataclass

from logicoder.base.errors import UsageError, shown
from logicoder.kb import Predicate, Schema
from logicoder.logic import Program

_CORE_INPUTS = (
    Predicate("student", ("person",)),
    Predicate("advisedby", ("person", "person")),
    Predicate("paidby", ("person", "person")),
    Predicate("taughtby", ("course", "person")),
    Predicate("ta", ("course", "person")),
    Predicate("publication", ("title", "person")),
)
_CORE_LATENTS = (
    Predicate("works_with", ("person", "person")),
    Predicate("supervisor", ("person",)),
    Predicate("funded", ("person",)),
    Predicate("lectures", ("person", "course")),
    Predicate("leads", ("person", "title")),
)
_CORE_ENCODER = """
works_with(S,P) :- advisedby(S,P) ; paidby(S,P).
supervisor(P) :- advisedby(S,P).
funded(P) :- paidby(S,P).
lectures(P,C) :- taughtby(C,P).
leads(S,T) :- publication(T,S), student(S).
"""
_CORE_DECODER = """
student(S) :- works_with(S,P).
advisedby(S,P) :- works_with(S,P), supervisor(P).
paidby(S,P) :- works_with(S,P), funded(P).
taughtby(C,P) :- lectures(P,C).
ta(C,S) :- works_with(S,P), lectures(P,C).
publication(T,S) :- leads(S,T).
publication(T,P) :- leads(S,T), works_with(S,P).
"""

_EXTRA_INPUTS = (
    Predicate("professor", ("person",)),
    Predicate("colleague", ("person", "person")),
    Predicate("inlab", ("person", "lab")),
    Predicate("offers", ("lab", "course")),
)
_EXTRA_LATENTS = (Predicate("belongs", ("person", "lab")),)
_EXTRA_ENCODER = """
belongs(P,L) :- inlab(P,L), professor(P).
"""
_EXTRA_DECODER = """
professor(P) :- works_with(S,P).
colleague(S,R) :- works_with(S,P), works_with(R,P).
inlab(P,L) :- belongs(P,L).
inlab(S,L) :- works_with(S,P), belongs(P,L).
offers(L,C) :- belongs(P,L), lectures(P,C).
"""


@dataclass(frozen=True)
class Planted:
    """A planted program and the schemas of what it maps between."""

    inputs: Schema
    latents: Schema
    encoder: Program
    decoder: Program


CORE = Planted(
    Schema.of(*_CORE_INPUTS),
    Schema.of(*_CORE_LATENTS),
    Program.parse(_CORE_ENCODER),
    Program.parse(_CORE_DECODER),
)
FULL = Planted(
    Schema.of(*_CORE_INPUTS, *_EXTRA_INPUTS),
    Schema.of(*_CORE_LATENTS, *_EXTRA_LATENTS),
    Program.parse(_CORE_ENCODER + _EXTRA_ENCODER),
    Program.parse(_CORE_DECODER + _EXTRA_DECODER),
)
_BY_NAME = {"core": CORE, "full": FULL}


def planted(predicates: str) -> Planted:
    """Return the planted program for `core` or `full`."""
    try:
        return _BY_NAME[predicates]
    except KeyError:
        raise UsageError(f"predicates must be 'core' or 'full', not {shown(predicates)}") from None
