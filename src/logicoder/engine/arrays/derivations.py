"""Where derived facts come from: the ground instances of clauses behind them, and those that nearly hold.

A fact of a recursive predicate has a *stage*, the round of the fixpoint in which it first appears. Its
instances are read with facts of earlier stages only, so that no fact ever supports itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.fixpoint import conjunction, head_tuples, literal_bindings, run_program
from logicoder.engine.arrays.join import Bindings
from logicoder.engine.arrays.relation import Column, Relation, joint_keys
from logicoder.engine.interface import WORLD
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable
from logicoder.logic.strata import strata
from logicoder.logic.substitution import Substitution, unify, value
from logicoder.logic.terms import Atom, Body, Clause, Constant, Literal, Program, Term, Variable

_MOST_SUBSETS = 8
"""Bodies of more literals are only cut at their end when the part that holds is looked for."""


@dataclass(frozen=True)
class Instance:
    """One alternative of a clause under a binding of its variables.

    Attributes:
        clause: the clause, with this alternative only.
        body: the literals under the binding; variables that stay free remain.
        holds: for each literal whether it holds; None where its variables are free, so that it says nothing.
    """

    clause: Clause
    body: Body
    holds: tuple[bool | None, ...]

    @property
    def fulfilled(self) -> int:
        """Number of literals that hold."""
        return sum(map(bool, self.holds))


class Derivations:
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

    @cached_property
    def defined(self) -> frozenset[str]:
        """The predicates that the program defines."""
        return frozenset(self.program.defined())

    @cached_property
    def _recursive(self) -> dict[str, set[str]]:
        """The stratum of each predicate that depends on itself."""
        found: dict[str, set[str]] = {}
        for stratum in strata(self.program):
            clauses = (clause for clause in self.program if clause.head.predicate in stratum)
            if any(clause.body_predicates() & stratum for clause in clauses):
                found |= dict.fromkeys(stratum, stratum)
        return found

    # -- questions ------------------------------------------------------------------------------------

    def worlds_of(self, atom: Atom, truth: Truth = "true") -> list[int]:
        """Return the interpretations in which an atom, or an instance of one with variables, is found."""
        relation = self.database.relation(atom.predicate, truth)
        found = literal_bindings(self.database, atom, {atom.predicate: relation})
        return sorted(set(_worlds(self.database, found).tolist()))

    def holds(self, atom: Atom, world: int) -> bool:
        """Whether an atom is a fact of the data, or derived from it."""
        return world in self.worlds_of(atom)

    def witness(self, atom: Atom, world: int) -> Atom:
        """Return the first fact that an atom with variables stands for, where there is one."""
        found = literal_bindings(self.database, atom, {})
        return self._bound(Literal(atom), _in_world(self.database, found, world), 0).atom

    def instances(self, atom: Atom, world: int, by: Clause | None = None) -> Iterator[Instance]:
        """Iterate over the ground instances that derive a ground atom, clause by clause or by one of them."""
        earlier = self._before(atom, world)
        for clause, body in self._alternatives(atom, self.program if by is None else (by,)):
            bindings = _in_world(self.database, conjunction(self.database, body, earlier), world)
            for row in range(bindings.rows):
                ground = tuple(self._bound(literal, bindings, row) for literal in body)
                yield Instance(clause, ground, (True,) * len(body))

    def count(self, atom: Atom, world: int) -> int:
        """Return the number of ground instances that derive a ground atom."""
        earlier = self._before(atom, world)
        bodies = (conjunction(self.database, body, earlier) for _, body in self._alternatives(atom))
        return sum(_in_world(self.database, found, world).rows for found in bodies)

    def near_misses(self, atom: Atom, world: int) -> Iterator[Instance]:
        """Iterate over the alternatives that could derive an atom, each with as many literals as can hold.

        The atom may have variables; it is not derived.
        """
        for clause, body in self._alternatives(atom):
            yield self._nearest(clause, body, world)

    def _nearest(self, clause: Clause, body: Body, world: int) -> Instance:
        for chosen in _subsets(len(body)):
            part = tuple(body[i] for i in chosen)
            if not _is_safe(part):
                continue
            bindings = _in_world(self.database, conjunction(self.database, part, {}), world)
            if bindings.rows:
                ground = tuple(self._bound(literal, bindings, 0) for literal in body)
                return Instance(clause, ground, tuple(self._verdict(item, world) for item in ground))
        return Instance(clause, body, tuple(self._verdict(item, world) for item in body))

    def _verdict(self, literal: Literal, world: int) -> bool | None:
        if not literal.binds:
            if _free(literal):
                return None
            return bool(_in_world(self.database, conjunction(self.database, (literal,), {}), world).rows)
        return self.holds(literal.atom, world)

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

    # -- the clauses for an atom ----------------------------------------------------------------------

    def _alternatives(
        self, atom: Atom, clauses: Iterable[Clause] | None = None
    ) -> Iterator[tuple[Clause, Body]]:
        """Iterate over the alternatives whose head is the atom, with their bodies under that binding."""
        for clause in self.program if clauses is None else clauses:
            binding = unified(clause.head, atom)
            if binding is not None:
                for body in clause.alternatives:
                    yield replace(clause, alternatives=(body,)), tuple(bound(item, binding) for item in body)

    def _bound(self, literal: Literal, bindings: Bindings, row: int) -> Literal:
        values: dict[Variable, Term] = {}
        for variable in literal.atom.variables():
            if variable in bindings.columns:
                entity = bindings.columns[variable][row]
                symbol = self.database.symbol_of[bindings.types[variable]][entity]
                values[variable] = Constant(self.database.symbols[symbol])
        return bound(literal, values)

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
        return self._stage_column(predicate) if predicate in self._recursive else None

    def _before(self, atom: Atom, world: int) -> dict[str, Relation]:
        """Return the relations of earlier stages, for the predicates that recur with the atom's."""
        stratum = self._recursive.get(atom.predicate)
        if stratum is None:
            return {}
        limit = self.stage(atom, world)
        return {
            name: self.database.relation(name).select(self._stage_column(name) < limit) for name in stratum
        }

    def _stage_column(self, predicate: str) -> Column:
        """Return the stage of each fact of a recursive predicate."""
        if predicate not in self._stages:
            self._stages |= self._fixpoint(self._recursive[predicate])
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


# -- binding ------------------------------------------------------------------------------------------


def bound(literal: Literal, binding: Mapping[Variable, Term]) -> Literal:
    """Return a literal with terms in the place of some variables."""
    arguments = tuple(binding.get(a, a) if isinstance(a, Variable) else a for a in literal.atom.arguments)
    return replace(literal, atom=replace(literal.atom, arguments=arguments))


def unified(head: Atom, atom: Atom) -> dict[Variable, Term] | None:
    """Return what a clause's variables become when its head is an atom; None if it cannot be.

    Variables of the atom are not those of the clause, whatever they are called.

    >>> X, Y = Variable("X"), Variable("Y")
    >>> unified(Atom("p", (X, Y)), Atom("p", (Constant("a"), X)))
    {Variable(name='X'): Constant(symbol='a')}
    >>> unified(Atom("p", (X, Y)), Atom("p", (Y, Y)))
    {Variable(name='X'): Variable(name='Y')}
    >>> unified(Atom("p", (X, X)), Atom("p", (Constant("a"), Constant("b")))) is None
    True
    """
    if head.predicate != atom.predicate or head.arity != atom.arity:
        return None
    apart = [Variable(f"$ {a.name}") if isinstance(a, Variable) else a for a in atom.arguments]
    found: Substitution = {}
    if not unify(head.arguments, apart, found):
        return None
    return {variable: value(variable, found) for variable in head.variables() if variable in found}


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the parts of a body, the larger and earlier ones first, down to single literals."""
    if size > _MOST_SUBSETS:
        yield from (tuple(range(length)) for length in range(size - 1, 0, -1))
        return
    for length in range(size - 1, 0, -1):
        yield from combinations(range(size), length)


def _is_safe(body: Body) -> bool:
    known = {variable for item in body if item.binds for variable in item.atom.variables()}
    return all(_free(item) <= known for item in body if not item.binds)


def _free(literal: Literal) -> set[Variable]:
    """Return the variables that something else must bind; under negation, _ stands for whatever there is."""
    return {v for v in literal.atom.variables() if literal.inequality or str(v) != "_"}


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
