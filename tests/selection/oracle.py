"""The best selection of a problem by clingo: its constraints and goals written down once more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import clingo

if TYPE_CHECKING:
    from collections.abc import Iterable

    from logicoder.problem import Inclusion, Problem

RULES = """
{ decoder(D) } :- user(D,_).
encoder(E) :- decoder(D), user(D,E).                               % connection

:- limit(K,B), #sum { C,E : encoder(E), coefficient(K,E,C) } > B.  % bottleneck

above(T,A,C) :- edge(T,A,C).                                       % generality: all pairs, by closure
above(T,A,C) :- above(T,A,B), edge(T,B,C).
selected(encoder,E) :- encoder(E).
selected(decoder,D) :- decoder(D).
:- selected(T,A), selected(T,B), A < B, node(T,A,N), node(T,B,N).
:- selected(T,A), selected(T,B), node(T,A,N), node(T,B,M), above(T,N,M).

met(R) :- decoder(D), helps(D,R).                                  % reconstruction
:- requirement(R), not met(R).

covered(K) :- decoder(D), covers(D,K).
wrong(K) :- class(K,true,_), not covered(K).
wrong(K) :- class(K,false,_), covered(K).
"""

LOSS = """
#minimize { W@2,K : wrong(K), class(K,_,W) }.
"""

SIZE = """
#minimize { S@1,encoder,E : encoder(E), size(encoder,E,S) ; S@1,decoder,D : decoder(D), size(decoder,D,S) }.
"""


def optimum(problem: Problem, *, size: bool = False) -> tuple[int, ...] | None:
    """Return the least loss, with `size` also the least size at this loss; None where nothing is allowed."""
    best = _last_model(problem, LOSS + (SIZE if size else ""))
    if best is None:
        return None
    loss, *rest = best[0] or [0]
    return (loss + problem.unreachable, *rest, *([0] if size and not rest else []))


def worst(problem: Problem) -> tuple[int, ...]:
    """Return an allowed selection with the greatest loss: a bad place to start from."""
    found = _last_model(problem, LOSS.replace("minimize", "maximize"))
    assert found is not None
    return found[1]


def _last_model(problem: Problem, goals: str) -> tuple[list[int], tuple[int, ...]] | None:
    control = clingo.Control(["--opt-mode=opt", "--warn=none"])
    control.add("base", [], "\n".join([*facts(problem), RULES, goals, "#show decoder/1."]))
    control.ground([("base", [])])
    found: list[tuple[list[int], tuple[int, ...]]] = []

    def remember(model: clingo.Model) -> None:
        decoders = (atom.arguments[0].number for atom in model.symbols(shown=True))
        found.append((list(model.cost), tuple(sorted(decoders))))

    control.solve(on_model=remember)
    return found[-1] if found else None


def facts(problem: Problem) -> Iterable[str]:
    for number, encoder in enumerate(problem.encoders):
        yield f"size(encoder,{number},{encoder.weight + encoder.literals})."
    for number, decoder in enumerate(problem.decoders):
        yield f"size(decoder,{number},{decoder.literals})."
        for latent in decoder.latents:
            yield f"user({number},{latent})."
    for number, limit in enumerate(problem.constraints):
        assert limit.decoders == limit.missing == limit.false == (), "brute force does these"
        yield f"limit({number},{limit.bound})."
        for encoder, coefficient in enumerate(limit.encoders):
            yield f"coefficient({number},{encoder},{coefficient})."
    yield from order("encoder", problem.encoder_generality)
    yield from order("decoder", problem.decoder_generality)
    for requirement in problem.requirements:
        name = json.dumps(requirement.predicate)
        yield f"requirement({name})."
        for decoder in requirement.decoders:
            yield f"helps({decoder},{name})."
    for number, item in enumerate(problem.classes):
        yield f"class({number},{str(item.true).lower()},{item.weight})."
        for decoder in item.decoders:
            yield f"covers({decoder},{number})."


def order(kind: str, inclusion: Inclusion | None) -> Iterable[str]:
    if inclusion is not None:
        for clause, node in enumerate(inclusion.nodes):
            yield f"node({kind},{clause},{node})."
        for parent, child in inclusion.edges:
            yield f"edge({kind},{parent},{child})."
