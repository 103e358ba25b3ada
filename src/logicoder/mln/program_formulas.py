r"""Logic programs as hard formulas, and back.

A clause `h :- b1, \+ b2.` says that h holds where its body does: `h v !b1 v b2.` So do all clauses of a
decoder. The clauses of an encoder are definitions: a latent atom holds exactly where one of its bodies does,
so there is also `!h v (body or body or ...)`, multiplied out. That direction is no clause where a body has
variables which are not in the head, unless the constants of their types are known: then it becomes a
disjunction over them. What cannot be said is left out, and named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from logicoder.base.errors import UsageError
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Atom, Body, Clause, Constant, Literal, Program, Term, Variable
from logicoder.mln.alchemy.conversion import Conversion
from logicoder.mln.alchemy.normal_form import clauses_of
from logicoder.mln.alchemy.syntax import (
    And,
    Implies,
    Leaf,
    Node,
    Not,
    Or,
    Quantified,
    free_variables,
    substituted,
)
from logicoder.mln.formulas import Formula, Literals


@dataclass(frozen=True)
class HardFormulas:
    """A program in clausal normal form.

    Attributes:
        formulas: hard formulas.
        omitted: what no clause can express, each with its reason.
    """

    formulas: tuple[Formula, ...]
    omitted: tuple[str, ...] = ()


def hard_formulas(
    program: Program,
    *,
    definitions: bool = False,
    schema: Schema | None = None,
    domains: Mapping[str, Sequence[str]] | None = None,
) -> HardFormulas:
    """Return the hard formulas of a program.

    Args:
        program: the clauses, such as `model.decoder_`.
        definitions: whether atoms hold only where a body does, as those of an encoder. For recursive clauses,
            this is the completion, which has more models than the program.
        schema: the predicates with their types; needed for variables that some constant must satisfy.
        domains: the constants of types, beside those that the schema declares; `kb.constants()` are those of
            a knowledge base.

    >>> program = Program.parse("parent(X,Y) :- father(X,Y) ; mother(X,Y).")
    >>> for formula in hard_formulas(program, definitions=True).formulas:
    ...     print(formula)
    parent(x,y) v !father(x,y).
    parent(x,y) v !mother(x,y).
    !parent(x,y) v father(x,y) v mother(x,y).
    >>> hard_formulas(Program.parse("parent(X) :- father(X,Y)."), definitions=True).omitted
    ('parent(X) :- father(X,Y). only: the type of Y is unknown; pass a schema with its constants',)
    """
    conversion = Conversion(schema, domains)
    formulas: dict[Formula, None] = {}
    omitted: list[str] = []

    def add(node: Node, what: str, head_last: bool) -> None:
        try:
            clauses = clauses_of(node, conversion.constants)
        except UsageError as error:
            omitted.append(f"{what}: {error}")
            return
        for clause in clauses:
            found = (clause[-1], *clause[:-1]) if head_last else clause
            formulas[Formula(found, hard=True)] = None

    for clause in program:
        head = Leaf(Literal(clause.head))
        for body in clause.alternatives:
            add(Implies(_body(body, clause.head), head), str(clause), head_last=True)
    if definitions:
        for name in program.defined():
            clauses = [clause for clause in program if clause.head.predicate == name]
            add(_only(clauses), f"{' '.join(map(str, clauses))} only", head_last=False)
    return HardFormulas(tuple(formulas), tuple(omitted))


def program_of(
    formulas: Iterable[Formula], heads: Collection[str] | None = None
) -> tuple[Program, tuple[Formula, ...]]:
    r"""Return the clauses of hard formulas, and the formulas that are not clauses.

    A formula with one positive atom is a clause with this head. Where `heads` says which predicates are to be
    heads, the other positive atoms become negated ones of the body.

    >>> found, rest = program_of(Formula.parse_all("p(x) v !q(x,y) v r(y) v x = y.  "), heads=["p"])
    >>> print(found)
    p(X) :- q(X,Y), \+ r(Y), X \= Y.
    """
    clauses: list[Clause] = []
    others: list[Formula] = []
    for formula in formulas:
        clause = _clause(formula, heads)
        if clause is None:
            others.append(formula)
        else:
            clauses.append(clause)
    return Program(tuple(clauses)), tuple(others)


def _body(body: Body, head: Atom) -> Node:
    r"""Return the conjunction of a body; what only a negated literal mentions is local to it: `\+ p(X,_)`."""
    known = {*head.variables(), *(v for x in body if x.binds for v in x.atom.variables())}
    parts: list[Node] = []
    for literal in body:
        if literal.orders:
            raise UsageError(f"Markov logic has no comparison {literal}; make it a predicate of the data")
        leaf: Node = Leaf(Literal(literal.atom, True, literal.inequality))
        if not literal.inequality:
            for variable in literal.atom.variables():
                if variable not in known:
                    leaf = Quantified(False, variable, leaf)
        parts.append(leaf if literal.positive else Not(leaf))
    return And(tuple(parts))


def _only(clauses: Sequence[Clause]) -> Node:
    """Return the formula that says: the head holds only where one of the bodies does."""
    general = clauses[0].head
    if len({clause.head for clause in clauses}) > 1 or not _has_distinct_variables(general):
        general = Atom(general.predicate, tuple(Variable(f"A{i + 1}") for i in range(general.arity)))
    bodies = [_matching(clause, body, general) for clause in clauses for body in clause.alternatives]
    return Implies(Leaf(Literal(general)), bodies[0] if len(bodies) == 1 else Or(tuple(bodies)))


def _has_distinct_variables(atom: Atom) -> bool:
    return len(atom.variables()) == atom.arity


def _matching(clause: Clause, body: Body, general: Atom) -> Node:
    """Return what a body demands of the arguments of a general head."""
    node = _body(body, clause.head)
    equal: list[Node] = []
    values: dict[Variable, Term] = {}
    if clause.head != general:
        # Other variables of the body must not be taken for those of the general head.
        inner = free_variables(node) - set(clause.head.variables())
        for number, variable in enumerate(sorted(inner)):
            values[variable] = Variable(f"B{number + 1}")
        for place, argument in zip(general.arguments, clause.head.arguments, strict=True):
            if isinstance(argument, Variable) and argument not in values:
                values[argument] = place
                continue
            other = values[argument] if isinstance(argument, Variable) else argument
            equal.append(Leaf(Literal(Literal.unequal(place, other).atom, positive=False, inequality=True)))
        node = substituted(node, values)
    node = And((*equal, node)) if equal else node
    for variable in sorted(free_variables(node) - set(general.variables())):
        node = Quantified(False, variable, node)
    return node


def _clause(formula: Formula, heads: Collection[str] | None) -> Clause | None:
    if not formula.hard:
        return None
    literals = _without_equalities(formula.literals)
    atoms = [x for x in literals if x.positive and not x.inequality]
    candidates = atoms if heads is None else [x for x in atoms if x.atom.predicate in heads]
    if len(candidates) != 1 or (heads is None and len(atoms) != 1):
        return None
    [head] = candidates
    names = _prolog_names(literals)

    def term(argument: Term) -> Term:
        return names[argument] if isinstance(argument, Variable) else argument

    def renamed(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(map(term, atom.arguments)))

    body = tuple(
        Literal(renamed(x.atom), positive=x.inequality or not x.positive, inequality=x.inequality)
        for x in literals
        if x is not head
    )
    return Clause(renamed(head.atom), (body,))


def _without_equalities(literals: Literals) -> Literals:
    """Put equal terms for each other: `x != y` in a clause is `x = y` in a body, which programs lack."""
    for literal in literals:
        if literal.inequality and literal.positive:
            left, right = literal.atom.arguments
            if isinstance(left, Constant):
                left, right = right, left
            if isinstance(left, Variable):
                rest = tuple(x for x in literals if x is not literal)
                node = substituted(Or(tuple(Leaf(x) for x in rest)), {left: right})
                assert isinstance(node, Or)  # noqa: S101  (a substitution keeps the kind)
                changed = tuple(part.literal for part in node.parts if isinstance(part, Leaf))
                return _without_equalities(changed)
    return literals


def _prolog_names(literals: Literals) -> dict[Variable, Variable]:
    """Return a variable with an upper-case first letter for each variable."""
    names: dict[Variable, Variable] = {}
    for variable in dict.fromkeys(v for literal in literals for v in literal.atom.variables()):
        first = variable.name[0].upper() + variable.name[1:]
        options = (first if i == 0 else f"{first}_{i}" for i in count())
        names[variable] = Variable(next(n for n in options if Variable(n) not in names.values()))
    return names
