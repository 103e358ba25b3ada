"""Where derived facts come from: the ground instances of clauses behind them, and those that nearly hold.

A fact of a recursive predicate has a *stage*, the round of the fixpoint in which it first appears. Its
instances are read with facts of earlier stages only, so that no fact ever supports itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.fixpoint import conjunction, head_tuples, literal_bindings, run_program
from logicoder.engine.arrays.join import Bindings
from logicoder.engine.arrays.relation import Column, Relation, joint_keys
from logicoder.engine.derivations import AnyDerivations, Binding
from logicoder.engine.interface import WORLD
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable
from logicoder.logic.terms import Atom, Body, Constant, Program, Variable


class Derivations(AnyDerivations):
    """A program run on data, ready to be asked where each fact comes from.

    >>> kb = KnowledgeBase.from_facts([("edge", "a", "b"), ("edge", "b", "c"), ("edge", "c", "a")])
    >>> program = Program.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).")
    >>> found = Derivations(program, kb)
    >>> for instance in found.instances(Atom("path", (Constant("a"), Constant("c"))), world=0):
    ...     print(*instance.body)
    edge(a,b) path(b,c)

    Args:
        program: the clauses.
        kb: the facts they read.
        outputs: declared types of head predicates, where they are known.
    """

    def __init__(self, program: Program, kb: KnowledgeBase, outputs: Schema | None = None) -> None:
        self.program = program
        self.inputs = kb
        self.outputs = _with_all(run_program(program, kb, outputs), outputs)
        self.database = Database(_together(kb, self.outputs))
        self._stages: dict[str, Column] = {}

    # -- questions ------------------------------------------------------------------------------------

    def worlds_of(self, atom: Atom, truth: Truth = "true") -> list[int]:
        """See `AnyDerivations.worlds_of`."""
        relation = self.database.relation(atom.predicate, truth)
        found = literal_bindings(self.database, atom, {atom.predicate: relation})
        return sorted(set(_worlds(self.database, found).tolist()))

    def bindings(
        self, body: Body, world: int, earlier: Any = None, most: int | None = None
    ) -> Iterable[Binding]:
        """See `AnyDerivations.bindings`."""
        found = _in_world(self.database, conjunction(self.database, body, earlier or {}), world)
        return islice(self._bindings(found), most)

    def _bindings(self, found: Bindings) -> Iterator[Binding]:
        symbols = {
            variable: self.database.symbol_of[found.types[variable]][column]
            for variable, column in found.columns.items()
            if isinstance(variable, Variable)
        }
        for row in range(found.rows):
            yield {v: Constant(self.database.symbols[int(own[row])]) for v, own in symbols.items()}

    def number(self, body: Body, world: int, earlier: Any) -> int:
        """See `AnyDerivations.number`."""
        return _in_world(self.database, conjunction(self.database, body, earlier), world).rows

    def heads(self, head: Atom, body: Body) -> FactTable:
        """Return the head of every ground instance of a body, a row for each, equal ones among them."""
        bindings = conjunction(self.database, body, {})
        worlds = _worlds(self.database, bindings)
        columns = [
            self.database.symbol_of[bindings.types[term]][bindings.columns[term]]
            if isinstance(term, Variable)
            else np.full(bindings.rows, self._symbol_ids[term.symbol], np.int32)
            for term in head.arguments
        ]
        arguments = np.column_stack(columns) if columns else np.empty((bindings.rows, 0), np.int32)
        return FactTable(worlds.astype(np.int32), arguments.astype(np.int32))

    @cached_property
    def _symbol_ids(self) -> dict[str, int]:
        return {symbol: number for number, symbol in enumerate(self.database.symbols)}

    # -- stages ---------------------------------------------------------------------------------------

    def stage(self, atom: Atom, world: int) -> int:
        """Return the round of the fixpoint in which a fact of a recursive predicate first appears."""
        relation = self.database.relation(atom.predicate)
        here = np.ones(len(relation), np.bool_)
        for kind, column, argument in zip(relation.types, relation.columns, atom.arguments, strict=False):
            here &= self.database.is_constant(kind, column, str(argument))
        here &= self.database.world_of[relation.types[0]][relation.columns[0]] == world
        return int(self._stage_column(atom.predicate)[here].max(initial=0))

    def stages(self, predicate: str) -> Column | None:
        """Return the stage of each fact of a recursive predicate, in the order of `outputs`; else None."""
        return self._stage_column(predicate) if predicate in self.recursive else None

    def before(self, atom: Atom, world: int) -> dict[str, Relation]:
        """See `AnyDerivations.before`: relations of earlier stages, for what recurs with the predicate."""
        stratum = self.recursive.get(atom.predicate)
        if stratum is None:
            return {}
        limit = self.stage(atom, world)
        return {
            name: self.database.relation(name).select(self._stage_column(name) < limit) for name in stratum
        }

    def _stage_column(self, predicate: str) -> Column:
        """Return the stage of each fact of a recursive predicate."""
        if predicate not in self._stages:
            self._stages |= self._fixpoint(self.recursive[predicate])
        return self._stages[predicate]

    def _fixpoint(self, stratum: set[str]) -> dict[str, Column]:
        """Run the fixpoint once more; unlike the quick one it reads nothing of the round that it is in."""
        relations = {name: self.database.relation(name) for name in stratum}
        unseen = np.iinfo(np.int32).max
        stages = {name: np.full(len(relation), unseen, np.int32) for name, relation in relations.items()}
        places = {name: _Places(self.database, relation) for name, relation in relations.items()}
        clauses = [clause for clause in self.program if clause.head.predicate in stratum]
        number = 0
        while True:
            number += 1
            known = {name: relations[name].select(stages[name] < number) for name in stratum}
            fresh = {name: relations[name].select(stages[name] == number - 1) for name in stratum}
            derived = [
                (clause.head.predicate, tuples)
                for clause in clauses
                for body in clause.alternatives
                for tuples in self._round(clause.head, body, stratum, known, fresh if number > 1 else None)
            ]
            changed = False
            for name, tuples in derived:
                rows = places[name].of(tuples)
                rows = rows[stages[name][rows] == unseen]
                stages[name][rows] = number
                changed |= bool(len(rows))
            if not changed:
                return stages

    def _round(
        self,
        head: Atom,
        body: Body,
        stratum: set[str],
        known: Mapping[str, Relation],
        fresh: Mapping[str, Relation] | None,
    ) -> Iterator[tuple[Column, ...]]:
        recursive = [i for i, item in enumerate(body) if item.binds and item.atom.predicate in stratum]
        if fresh is None:
            if not recursive:
                yield head_tuples(self.database, head, body, known)
            return
        for position in recursive:
            if len(fresh[body[position].atom.predicate]):
                yield head_tuples(self.database, head, body, known, (position, fresh))


class _Places:
    """Finds the rows of tuples in a relation that has them all."""

    def __init__(self, database: Database, relation: Relation) -> None:
        self._relation = relation
        self._sizes = [database.sizes[kind] for kind in relation.types]

    def of(self, tuples: Sequence[Column]) -> np.ndarray:
        """Return the row of each tuple."""
        wanted, all_keys = joint_keys(tuples, self._relation.columns, self._sizes)
        order = np.argsort(all_keys)
        return np.asarray(order[np.searchsorted(all_keys[order], wanted)])


# -- worlds -------------------------------------------------------------------------------------------


def _worlds(database: Database, bindings: Bindings) -> np.ndarray:
    variable = WORLD if WORLD in bindings.columns else next(iter(bindings.columns))
    return database.world_of[bindings.types[variable]][bindings.columns[variable]]


def _in_world(database: Database, bindings: Bindings, world: int) -> Bindings:
    return bindings.select(_worlds(database, bindings) == world)


def _with_all(derived: KnowledgeBase, declared: Schema | None) -> KnowledgeBase:
    """Declare what nothing derives: a program that reads these facts may ask for it all the same."""
    if declared is None or set(declared) <= set(derived.schema):
        return derived
    known = derived.schema
    return derived.with_schema(Schema({**declared.predicates, **known.predicates}, known.domains))


def _together(inputs: KnowledgeBase, outputs: KnowledgeBase) -> KnowledgeBase:
    """Return data and derived facts as one; derived facts speak of the data's symbols and a few more."""
    schema = Schema({**inputs.schema.predicates, **outputs.schema.predicates}, inputs.schema.domains)
    tables = {
        truth: {name: inputs.table(name, truth) for name in inputs.schema}
        | {name: outputs.table(name, truth) for name in outputs.schema}
        for truth in TRUTHS
    }
    return KnowledgeBase(schema, outputs.symbols, inputs.interpretations, tables)
