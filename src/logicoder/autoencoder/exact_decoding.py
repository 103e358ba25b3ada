"""Rebuilding predicate after predicate: each is corrected before the next one uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from logicoder.autoencoder.layer import Layer
from logicoder.engine.arrays.difference import aligned
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable
from logicoder.logic.strata import strata
from logicoder.logic.terms import Program

Correct = Callable[[str, FactTable, Sequence[str]], FactTable]
"""Returns the facts of a predicate, given what was derived of it, and the symbols that this refers to."""


def decode_exactly(
    layer: Layer, latent: KnowledgeBase, frame: KnowledgeBase, correct: Correct
) -> tuple[Sequence[str], Mapping[str, FactTable]]:
    """Return what is derived of each predicate from facts that are corrected before they are used.

    Args:
        layer: the programs.
        latent: the facts that represent the data.
        frame: the predicates, interpretations and symbols of the data.
        correct: makes what was derived of a predicate right.

    Returns:
        symbols, those of the frame first, and a table for each predicate of the frame.
    """
    latent = layer.understood(latent)
    known: dict[str, FactTable] = {}
    types = dict(latent.schema)
    empty = KnowledgeBase(latent.schema, frame.symbols, frame.interpretations, {})
    symbols, tables = aligned(empty, latent)
    known |= tables
    found = {name: known[name] for name in layer.kept if name in known}
    outputs = layer.schema or frame.schema
    for stratum in strata(layer.decoder):
        program = Program(tuple(c for c in layer.decoder if c.head.predicate in stratum))
        read = {name for clause in program for name in clause.body_predicates()} - stratum
        inputs = KnowledgeBase(
            Schema({name: types[name] for name in types if name in read}),
            symbols,
            frame.interpretations,
            {"true": {name: known[name] for name in read}},
        )
        derived = run_program(program, inputs, outputs.restricted(set(outputs) & stratum))
        symbols, types = derived.symbols, {**types, **derived.schema}
        for name in sorted(stratum):
            table = found[name] = derived.table(name)
            known[name] = correct(name, table, symbols) if name in frame.schema else table
    return symbols, {
        name: found.get(name, FactTable.empty(predicate.arity)) for name, predicate in frame.schema.items()
    }
