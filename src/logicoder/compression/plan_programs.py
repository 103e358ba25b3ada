r"""A plan as programs: what is kept, what is derived from it, and what the values of a place are.

The plan says where facts are to be looked for; a program says which atoms there are. So of the rules of a
plan only those become decoder clauses that are mostly right. A predicate without such a rule is kept as it
is. Of others a base is kept, `friend_base`: the facts that clauses do not derive or, of a closed relation,
those from which the others follow. Rules
hold within the domains of a plan: where one would derive many atoms outside of them, the domain becomes a
latent predicate, `friend_1(X) :- friend(X,_)`, that guards the clause.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from logicoder.base.sorted_keys import in_sorted
from logicoder.compression.definitions import with_definitions, with_tables
from logicoder.compression.plan import Definition
from logicoder.compression.ways import Choice, Layer
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, key_columns, sorted_keys
from logicoder.logic.latent_names import latent_names
from logicoder.logic.parser import parse_program
from logicoder.logic.rules import Rule
from logicoder.logic.terms import Atom, Clause, Literal, Program, Variable

LEAST_FALSE = 2
"""False atoms p(x,x) from which on a clause says that its arguments differ."""

_X, _Y, _Z = (Variable(name) for name in "XYZ")


@dataclass(frozen=True)
class Base:
    """Facts of a predicate that are kept while clauses rebuild the others.

    Attributes:
        name: under which they are kept.
        predicate: the predicate.
        form: `rest` for what clauses leave over, or how a relation is closed: `symmetric`, `transitive`,
            `equivalence`, or `recursive` by a clause of its own.
        clause: that clause, as text.
    """

    name: str
    predicate: str
    form: str
    clause: str = ""


@dataclass(frozen=True)
class ClauseScore:
    """What a clause of a plan is worth.

    Attributes:
        clause: as text.
        saved: bits that it saves beyond its own, given those before it.
        derived: atoms that it derives beyond those before it.
        true: facts among them.
        decodes: whether it is part of the decoder; otherwise it only tells where facts are to be looked for.
    """

    clause: str
    saved: float
    derived: int
    true: int
    decodes: bool


@dataclass(frozen=True)
class Programs:
    """The programs of a plan.

    Attributes:
        encoder: defines the latent predicates.
        decoder: rebuilds what is not kept.
        kept: the predicates that are kept as they are.
        bases: what is kept of the others.
        scores: all rules of the plan, those that save most first.
    """

    encoder: Program = field(default_factory=Program)
    decoder: Program = field(default_factory=Program)
    kept: tuple[str, ...] = ()
    bases: tuple[Base, ...] = ()
    scores: tuple[ClauseScore, ...] = ()


def is_mostly_right(layer: Layer) -> bool:
    """Whether a layer derives more facts than false atoms."""
    return 2 * layer.true > layer.derived


def counts_of(choices: Mapping[str, Choice]) -> tuple[int, int]:
    """Return how many facts are missing or false under what decodes, and how many facts are kept."""
    mistakes = kept = 0
    for choice in choices.values():
        facts = choice.space.facts + choice.space.diagonal[1]
        used = [layer for layer in choice.layers if decodes(choice, layer)]
        covered = sum(layer.true for layer in used)
        false = sum(layer.derived - layer.true for layer in used)
        if choice.closure is not None:
            mistakes += choice.closure.false + choice.closure.missing
            kept += choice.closure.base
        elif choice.form == "symmetric":
            mistakes += false + choice.space.one_sided
            kept += choice.space.facts - covered
        elif used:
            mistakes += false
            kept += facts - covered
        else:
            kept += facts
    return mistakes, kept


def programs_of_choices(
    choices: Mapping[str, Choice],
    tables: RuleTables,
    background: Collection[str],
    latents: Sequence[Definition] = (),
) -> Programs:
    """Return the programs of the ways that were chosen.

    Args:
        choices: how each predicate is said, in order.
        tables: the data.
        background: predicates that are known whoever decodes; those that clauses use are kept as well.
        latents: stored ones, which the encoder defines, and shorthands, which the decoder defines before it
            uses them.
    """
    names = _Names((*tables.names, *(latent.name for latent in latents)))
    tables = _with_shorthands(tables, latents)
    waiting = {latent.name: latent for latent in latents if not latent.stored}
    stored = {latent.name: latent for latent in latents if latent.stored}
    encoder: list[Clause] = []
    decoder: list[Clause] = []
    kept: list[str] = []
    bases: list[Base] = []
    scores: list[ClauseScore] = []
    for name, choice in choices.items():
        if name in stored:
            continue
        rules = [rule for layer in choice.layers if decodes(choice, layer) for rule in layer.rules]
        needed = frozenset[str]().union(*(rule.predicates for rule in rules))
        decoder += [_definition(waiting.pop(shorthand)) for shorthand in sorted(waiting.keys() & needed)]
        closed = choice.closure is not None or choice.form == "symmetric"
        if closed:
            recursive = [rule for rule in rules if name in rule.predicates]
            rules = [rule for rule in rules if name not in rule.predicates]
            (text,) = [str(rule.clause(name)) for rule in recursive] or [""]
            form = "recursive" if recursive else choice.form
            base = Base(names.base(name), name, form, text)
            told = counts_of({name: choice})[1] + choice.space.diagonal[1]
            decoder += _Guarded(choice.space, tables, names, encoder).clauses(rules)
            decoder += list(closure_clauses(base, bool(rules)))[not told :]
            bases += [base] * bool(told)
        elif rules:
            decoder += _Guarded(choice.space, tables, names, encoder).clauses(rules)
            if counts_of({name: choice})[1]:
                bases.append(Base(names.base(name), name, "rest"))
                decoder.append(kept_clause(bases[-1], len(choice.space.types)))
        else:
            kept.append(name)
        scores += _scores(name, choice)
    kept.sort()
    used = {name for clause in (*encoder, *decoder) for name in clause.body_predicates()}
    encoder += [_definition(latent) for name, latent in stored.items() if name in used]
    kept += sorted(used.intersection(background))
    scores.sort(key=lambda score: (-score.saved, score.clause))
    return Programs(
        Program(tuple(encoder)), Program(tuple(decoder)), tuple(kept), tuple(bases), tuple(scores)
    )


def _scores(name: str, choice: Choice) -> Iterator[ClauseScore]:
    """Iterate over what the rules of a choice are worth; those of a closure derive all of it together."""
    closure = choice.closure
    for layer in choice.layers:
        derived, true = layer.derived, layer.true
        if closure is not None:
            derived, true = closure.derived, closure.derived - closure.false
        for rule in layer.rules:
            clause = str(rule.clause(name))
            yield ClauseScore(clause, layer.saved, derived, true, decodes(choice, layer))


def _with_shorthands(tables: RuleTables, latents: Sequence[Definition]) -> RuleTables:
    relations = {name: tables.relation(name) for name in tables.names}
    database = tables.database
    relations = dict(with_tables(relations, (d for d in latents if d.name not in relations), database))
    return RuleTables(database, with_definitions(relations, latents, database))


def _definition(latent: Definition) -> Clause:
    """Return all clauses of a shorthand as one with alternatives."""
    first, *others = latent.clauses()
    return Clause(first.head, tuple(body for clause in (first, *others) for body in clause.alternatives))


def decodes(choice: Choice, layer: Layer) -> bool:
    """Whether a layer of a choice becomes clauses of the decoder."""
    return choice.closure is not None or is_mostly_right(layer)


def kept_clause(base: Base, arity: int) -> Clause:
    """Return the clause that tells of what is kept of a predicate."""
    arguments = tuple(Variable(f"X{place}" if arity > 3 else "XYZ"[place]) for place in range(arity))
    return Clause(Atom(base.predicate, arguments), ((Literal(Atom(base.name, arguments)),),))


def closure_clauses(base: Base, has_rules: bool) -> Iterator[Clause]:
    """Iterate over the clauses that rebuild a closure from its base.

    The base of an equivalence without rules relates one member of each class to all others, and that of a
    symmetric relation holds one atom of each pair: then nothing needs recursion. The first clause is the one
    that tells of the base.
    """
    name, below = base.predicate, base.name
    yield _clause(name, (_X, _Y), (below, _X, _Y))
    if base.form == "recursive":
        yield from parse_program(base.clause, "<base>")
        return
    symmetric = base.form != "transitive"
    if symmetric:
        yield _clause(name, (_X, _Y), (name if has_rules else below, _Y, _X))
    if base.form == "transitive" and not has_rules:
        yield _clause(name, (_X, _Z), (below, _X, _Y), (name, _Y, _Z))
    elif base.form == "equivalence" and not has_rules:
        yield _different(_clause(name, (_X, _Y), (below, _Z, _X), (below, _Z, _Y)))
    elif base.form != "symmetric":
        yield _different(_clause(name, (_X, _Z), (name, _X, _Y), (name, _Y, _Z)))


def _clause(head: str, arguments: tuple[Variable, ...], *body: tuple[str, Variable, Variable]) -> Clause:
    literals = tuple(Literal(Atom(name, (first, second))) for name, first, second in body)
    return Clause(Atom(head, arguments), (literals,))


def _different(clause: Clause) -> Clause:
    """Return a clause that holds only where the arguments of its head differ."""
    (body,) = clause.alternatives
    return Clause(clause.head, ((*body, Literal.unequal(*clause.head.arguments)),))


class _Names:
    """Gives names that nobody has."""

    def __init__(self, taken: Collection[str]) -> None:
        self._taken = set(taken)

    def base(self, name: str) -> str:
        return self._free(f"{name}_base")

    def latent(self, definition: list[Clause]) -> str:
        (found,) = latent_names([definition], self._taken)
        return self._free(found)

    def _free(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


class _Guarded:
    """Makes clauses of rules that hold within a space: guarded, where they would derive too much outside.

    Args:
        space: the space.
        tables: the data.
        names: gives names to latents.
        encoder: what defines them is added here.
    """

    def __init__(self, space: Space, tables: RuleTables, names: _Names, encoder: list[Clause]) -> None:
        self._space, self._tables, self._names, self._encoder = space, tables, names, encoder
        self._latents: dict[int, str] = {}

    def clauses(self, rules: list[Rule]) -> list[Clause]:
        """Return a clause for each rule."""
        space = self._space
        looked = [self._looked_at(rule) for rule in rules]
        outside = sum(where.any(0).sum() for where, _ in looked)
        values = sum(number for number, _ in space.domains)
        found = []
        for rule, (where, diagonal) in zip(rules, looked, strict=True):
            clause = rule.clause(space.predicate)
            if outside > values and where.any():
                clause = self._guarded(clause, [place for place in range(len(where)) if where[place].any()])
            found.append(_different(clause) if diagonal else clause)
        return found

    def _looked_at(self, rule: Rule) -> tuple[np.ndarray, bool]:
        """Return what lies outside of the domain of each place, and whether most on the diagonal is false."""
        space = self._space
        nothing = np.zeros((len(space.types), 0), np.bool_), False
        if not rule.predicates.issubset(self._tables.names):  # of stored data, a sample has no such facts
            return nothing
        try:
            keys = self._tables.atoms(space.types, rule)
        except JoinTooLargeError:
            return nothing
        columns = key_columns(keys, space.sizes)
        where = np.zeros((len(columns), len(keys)), np.bool_)
        for place, (mask, column) in enumerate(zip(space.masks, columns, strict=True)):
            if mask is not None:
                where[place] = ~mask[column]
        if len(columns) != 2 or space.types[0] != space.types[1] or rule.head != (0, 1):
            return where, False
        diagonal = keys[columns[0] == columns[1]]
        facts = sorted_keys(self._tables.relation(space.predicate), space.sizes)
        false = len(diagonal) - int(in_sorted(diagonal, facts).sum())
        return where, false >= LEAST_FALSE and 2 * false > len(diagonal)

    def _guarded(self, clause: Clause, places: list[int]) -> Clause:
        (body,) = clause.alternatives
        guards = []
        for place in places:
            argument = clause.head.arguments[place]
            if isinstance(argument, Variable):
                guards.append(Literal(Atom(self._latent(place), (argument,))))
        return Clause(clause.head, ((*body, *guards),))

    def _latent(self, place: int) -> str:
        """Return the latent that holds the values of a place."""
        place = 0 if self._space.symmetric else place
        if place not in self._latents:
            definition = _values(self._space, place)
            name = self._names.latent(definition)
            self._latents[place] = name
            self._encoder += [replace(c, head=Atom(name, c.head.arguments)) for c in definition]
        return self._latents[place]


def _values(space: Space, place: int) -> list[Clause]:
    """Return what defines the values of a place: of both places, where one domain serves both."""
    places = (0, 1) if space.symmetric else (place,)
    bodies = []
    for own in places:
        arguments = tuple(_X if i == own else Variable(f"_Anonymous{i}") for i in range(len(space.types)))
        bodies.append((Literal(Atom(space.predicate, arguments)),))
    return [Clause(Atom("latent", (_X,)), tuple(bodies))]
