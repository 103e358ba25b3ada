"""Unfolding: replacing predicates by their definitions, so that a program speaks of others only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, product
from math import prod

from logicoder.logic.substitution import Substitution, unify, value
from logicoder.logic.terms import Atom, Body, Clause, Literal, Program, Variable

MOST_ALTERNATIVES = 10_000
"""A definition that would grow beyond this keeps its predicates as auxiliary ones."""

Rule = tuple[Atom, Body]


def unfold(program: Program, keep: Collection[str], inputs: Collection[str]) -> Program:
    r"""Return a program that derives the predicates to keep directly from the inputs.

    Disjunctions multiply. A predicate that is negated or recursive cannot be replaced by its definition: it
    stays, as an auxiliary predicate. One that is neither an input nor defined has no facts.

    >>> program = Program.parse('''
    ...     parent(X,Y) :- mother(X,Y) ; father(X,Y).
    ...     grandparent(X,Z) :- parent(X,Y), parent(Y,Z).
    ... ''')
    >>> print(unfold(program, ["grandparent"], ["mother", "father"]))
    grandparent(X,Z) :- mother(X,A), mother(A,Z) ; mother(X,A), father(A,Z) ;
        father(X,A), mother(A,Z) ; father(X,A), father(A,Z).

    Args:
        program: the clauses.
        keep: the predicates whose definitions are wanted.
        inputs: the predicates that facts are given for.
    """
    return _Unfolding(program, set(keep), set(inputs)).program()


class _Unfolding:
    def __init__(self, program: Program, keep: set[str], inputs: set[str]) -> None:
        self._clauses: dict[str, list[Clause]] = {}
        for clause in program:
            self._clauses.setdefault(clause.head.predicate, []).append(clause)
        self._keep = keep
        self._inputs = inputs - set(self._clauses)
        negated = {
            item.atom.predicate for clause in program for item in clause.literals() if not item.positive
        }
        # What stays: the predicates to keep, and those that no definition can stand for.
        self._staying = keep | (negated & set(self._clauses)) | _recursive(self._clauses)
        self._definitions: dict[str, list[Rule]] = {}
        self._fresh = count(1)

    def program(self) -> Program:
        """Return the clauses of all that stays and is used."""
        found = self._found()
        while vanished := [name for name, clauses in found.items() if not clauses]:
            # No body of theirs can hold: they have no facts, and those that use them can say so.
            for name in vanished:
                del self._clauses[name]
            self._definitions.clear()
            found = self._found()
        # Auxiliary predicates come before those that use them, as they do in the program.
        return Program(tuple(clause for name in self._clauses if name in found for clause in found[name]))

    def _found(self) -> dict[str, list[Clause]]:
        """Return the clauses of each predicate to keep, and of what they use."""
        wanted = [name for name in self._clauses if name in self._keep]
        found: dict[str, list[Clause]] = {}
        while wanted:
            name = wanted.pop(0)
            if name in found:
                continue
            found[name] = [c for clause in self._clauses[name] for c in self._unfolded(clause)]
            used = {item.atom.predicate for clause in found[name] for item in clause.literals()}
            wanted += [other for other in self._clauses if other in used]
        return found

    def _unfolded(self, clause: Clause) -> Iterator[Clause]:
        """Return a clause over inputs and what stays; more than one where arguments of its head coincide."""
        by_head: dict[Atom, list[Body]] = {}
        for head, body in map(_tidy, self._rules(clause)):
            by_head.setdefault(head, []).append(body)
        for head, bodies in by_head.items():
            yield Clause(head, tuple(_without_superfluous(bodies)))

    def _definition(self, name: str) -> list[Rule]:
        if name not in self._definitions:
            rules = [rule for clause in self._clauses[name] for rule in self._rules(clause)]
            self._definitions[name] = list({_tidy(rule): None for rule in rules})
        return self._definitions[name]

    def _rules(self, clause: Clause) -> list[Rule]:
        sizes = [
            prod(len(self._definition(a.predicate)) for a in self._replaceable(body))
            for body in clause.alternatives
        ]
        if sum(sizes) > MOST_ALTERNATIVES:
            self._staying |= {a.predicate for body in clause.alternatives for a in self._replaceable(body)}
        return [rule for body in clause.alternatives for rule in self._expanded(clause.head, body)]

    def _replaceable(self, body: Body) -> list[Atom]:
        return [
            item.atom
            for item in body
            if item.binds
            and item.atom.predicate in self._clauses
            and item.atom.predicate not in self._staying
        ]

    def _empty(self, item: Literal) -> bool:
        """Whether the predicate of a literal has no facts."""
        name = item.atom.predicate
        return not item.inequality and name not in self._inputs and name not in self._clauses

    def _expanded(self, head: Atom, body: Body) -> Iterator[Rule]:
        """Replace the replaceable literals of one conjunction in all ways."""
        if any(item.positive and self._empty(item) for item in body):
            return
        body = tuple(item for item in body if not self._empty(item))
        replaceable = self._replaceable(body)
        for choice in product(*(self._definition(atom.predicate) for atom in replaceable)):
            definitions = iter(choice)
            substitution: Substitution = {}
            found: list[Literal] = []
            for item in body:
                if not item.binds or item.atom not in replaceable:
                    found.append(item)
                    continue
                other_head, other_body = self._apart(next(definitions))
                if not unify(item.atom.arguments, other_head.arguments, substitution):
                    break
                found += other_body
            else:
                literals = dict.fromkeys(replace(i, atom=_applied(i.atom, substitution)) for i in found)
                settled = _settled(literals)
                if settled is not None:
                    yield _applied(head, substitution), settled

    def _apart(self, rule: Rule) -> Rule:
        """Rename the variables of a rule to such as occur nowhere else."""
        names: Substitution = {}
        for variable in _variables(rule):
            anonymous = "_Anonymous" if variable.is_anonymous else "$"
            names[variable] = Variable(f"{anonymous}{next(self._fresh)}u")
        head, body = rule
        return _applied(head, names), tuple(replace(i, atom=_applied(i.atom, names)) for i in body)


def _recursive(clauses: Mapping[str, Iterable[Clause]]) -> set[str]:
    """Return the predicates that depend on themselves."""
    uses = {name: {p for c in several for p in c.body_predicates()} for name, several in clauses.items()}
    found = set()
    for name, direct in uses.items():
        seen: set[str] = set()
        work = list(direct)
        while work:
            other = work.pop()
            if other not in seen:
                seen.add(other)
                work += uses.get(other, ())
        if name in seen:
            found.add(name)
    return found


def _variables(rule: Rule) -> list[Variable]:
    head, body = rule
    atoms = (head, *(item.atom for item in body))
    return list(dict.fromkeys(variable for atom in atoms for variable in atom.variables()))


def _applied(atom: Atom, substitution: Substitution) -> Atom:
    return replace(atom, arguments=tuple(value(argument, substitution) for argument in atom.arguments))


def _settled(literals: Iterable[Literal]) -> Body | None:
    """Leave out inequalities that hold anyway, with variables first in others; None where one cannot hold."""
    found: list[Literal] = []
    for item in literals:
        if not item.inequality:
            found.append(item)
            continue
        left, right = item.atom.arguments
        if item.orders:
            found.append(item)
            continue
        if left == right:
            return None
        if isinstance(left, Variable) or isinstance(right, Variable):
            found.append(item if isinstance(left, Variable) else Literal.unequal(right, left))
    return tuple(found)


def _tidy(rule: Rule) -> Rule:
    """Give the variables short names: those of the head keep theirs, those that occur once have none."""
    head, body = rule
    times = Counter(a for atom in (head, *(i.atom for i in body)) for a in atom.arguments)
    taken = {variable.name for variable in head.variables() if not _made_up(variable)}
    letters = (f"{chr(ord('A') + i % 26)}{i // 26 or ''}" for i in count())
    names: Substitution = {}
    anonymous = count(1)
    for variable in _variables(rule):
        if variable.name in taken:
            continue
        if times[variable] == 1 and variable not in head.arguments:
            names[variable] = Variable(f"_Anonymous{next(anonymous)}")
        else:
            names[variable] = Variable(next(name for name in letters if name not in taken))
    renamed = (replace(i, atom=_renamed(i.atom, names)) for i in body)
    return _renamed(head, names), tuple(renamed)


def _renamed(atom: Atom, names: Substitution) -> Atom:
    """Rename all variables at once: a new name may be the old one of another variable."""
    arguments = (names.get(a, a) if isinstance(a, Variable) else a for a in atom.arguments)
    return replace(atom, arguments=tuple(arguments))


def _made_up(variable: Variable) -> bool:
    return variable.is_anonymous or variable.name.startswith("$")


def _without_superfluous(bodies: Iterable[Body]) -> list[Body]:
    """Leave out conjunctions that say no more than others do with fewer literals."""
    found: list[Body] = []
    for body in sorted(dict.fromkeys(bodies), key=len):
        if not any(set(other) <= set(body) for other in found):
            found.append(body)
    order = {body: position for position, body in enumerate(dict.fromkeys(bodies))}
    return sorted(found, key=order.__getitem__)
