"""Frozen terms, atoms, literals, clauses and programs. No data here, only text and structure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logicoder.logic.comparisons import OPERATORS, comparison_of
from logicoder.logic.symbols import Value, atom_text, quote, symbol_of, value_of

RESERVED = ("true", "not")
"""Words of the language: predicates of these names are written in quotation marks."""


@dataclass(frozen=True, order=True)
class Variable:
    """A logic variable such as `X`."""

    name: str

    @property
    def is_anonymous(self) -> bool:
        """Whether it is written `_`: a variable that occurs once."""
        return self.name.startswith("_Anonymous")

    def __str__(self) -> str:
        return "_" if self.is_anonymous else self.name


@dataclass(frozen=True, order=True)
class Constant:
    """A constant, kept as its canonical text (see `logicoder.logic.symbols`)."""

    symbol: str

    @classmethod
    def of(cls, value: Value) -> Constant:
        """Return the constant of a Python value."""
        return cls(symbol_of(value))

    @property
    def value(self) -> Value:
        """The Python value of this constant."""
        return value_of(self.symbol)

    def __str__(self) -> str:
        return self.symbol


Term = Variable | Constant


@dataclass(frozen=True)
class Atom:
    """A predicate applied to terms.

    >>> print(Atom("father", (Constant("vader"), Variable("X"))))
    father(vader,X)
    >>> print(Atom("price >= 50", (Variable("X"),)))
    price(X) >= 50
    """

    predicate: str
    arguments: tuple[Term, ...] = ()

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return len(self.arguments)

    def variables(self) -> tuple[Variable, ...]:
        """Return the variables in the order of their first occurrence."""
        return tuple(dict.fromkeys(a for a in self.arguments if isinstance(a, Variable)))

    @property
    def is_ground(self) -> bool:
        """Whether there is no variable in it."""
        return not self.variables()

    def __str__(self) -> str:
        arguments = f"({','.join(map(str, self.arguments))})" if self.arguments else ""
        compared = comparison_of(self.predicate) if arguments else None
        if compared is not None:
            return f"{compared.kind}{arguments} {compared.operator} {compared.written}"
        name = quote(self.predicate) if self.predicate in RESERVED else atom_text(self.predicate)
        return name + arguments


@dataclass(frozen=True)
class Literal:
    r"""An atom, its negation, or a comparison of two terms: that they differ, or which is the lesser.

    >>> print(Literal.unequal(Variable("X"), Variable("Y")))
    X \= Y
    >>> print(Literal.compared("=<", Variable("X"), Constant("35")))
    X =< 35

    Attributes:
        atom: the atom; that of an inequality holds its two terms, and its predicate is the operator.
        positive: whether it is not negated.
        inequality: whether the terms of the atom are to differ, or to be in order, instead of the atom to
            hold.
    """

    atom: Atom
    positive: bool = True
    inequality: bool = False

    @classmethod
    def unequal(cls, left: Term, right: Term) -> Literal:
        """Return the literal that says that two terms differ."""
        return cls(Atom("\\=", (left, right)), inequality=True)

    @classmethod
    def compared(cls, operator: str, left: Term, right: Term) -> Literal:
        """Return the literal that says how two ordered values compare, by `<`, `=<`, `>` or `>=`."""
        return cls(Atom(operator, (left, right)), inequality=True)

    @property
    def orders(self) -> bool:
        """Whether it says which of two ordered values is the lesser."""
        return self.inequality and self.atom.predicate in OPERATORS

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables: negation and inequality only test them."""
        return self.positive and not self.inequality

    def __str__(self) -> str:
        if self.inequality:
            return f" {self.atom.predicate} ".join(map(str, self.atom.arguments))
        return str(self.atom) if self.positive else f"\\+ {self.atom}"


Body = tuple[Literal, ...]


@dataclass(frozen=True)
class Clause:
    """A head and the alternatives of its body: each a conjunction, together a disjunction.

    >>> clause = Clause.parse("parent(X,Y) :- father(X,Y) ; mother(X,Y).")
    >>> print(clause)
    parent(X,Y) :- father(X,Y) ; mother(X,Y).
    >>> clause.is_disjunction, clause.length
    (True, 2)
    """

    head: Atom
    alternatives: tuple[Body, ...] = ((),)

    @classmethod
    def parse(cls, text: str) -> Clause:
        """Read one clause; see `Program.parse`."""
        from logicoder.logic.parser import parse_clause  # noqa: PLC0415  (the parser builds on terms)

        return parse_clause(text)

    @property
    def is_fact(self) -> bool:
        """Whether the body is empty."""
        return self.alternatives == ((),)

    @property
    def is_disjunction(self) -> bool:
        """Whether there is more than one alternative."""
        return len(self.alternatives) > 1

    @property
    def length(self) -> int:
        """Number of body literals."""
        return sum(len(body) for body in self.alternatives)

    def literals(self) -> Iterator[Literal]:
        """Iterate over the body literals of all alternatives."""
        for body in self.alternatives:
            yield from body

    def body_predicates(self) -> frozenset[str]:
        """Return the names of the predicates in the body."""
        return frozenset(literal.atom.predicate for literal in self.literals() if not literal.inequality)

    def __str__(self) -> str:
        if self.is_fact:
            return f"{self.head}."
        bodies = " ; ".join(", ".join(map(str, body)) if body else "true" for body in self.alternatives)
        return f"{self.head} :- {bodies}."


@dataclass(frozen=True)
class Program:
    """A set of clauses in a fixed order.

    >>> program = Program.parse('''
    ...     grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
    ... ''')
    >>> print(program)
    grandparent(X,Z) :- parent(X,Y), parent(Y,Z).
    >>> Program.parse(str(program)) == program
    True
    """

    clauses: tuple[Clause, ...] = ()

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Program:
        r"""Read clauses in Prolog syntax: `,` and `;`, `\+` for negation, `X \= Y`, `%` comments.

        Raises:
            InputError: with line and column, when the text is not such a program.
        """
        from logicoder.logic.parser import parse_program  # noqa: PLC0415  (the parser builds on terms)

        return parse_program(text, source)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    def __len__(self) -> int:
        return len(self.clauses)

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))

    def defined(self) -> tuple[str, ...]:
        """Return the predicates that clauses define, in order of first appearance."""
        return tuple(dict.fromkeys(clause.head.predicate for clause in self.clauses))

    def mentions(self) -> dict[str, frozenset[str]]:
        """Return, for each predicate that clauses define, the predicates of their bodies.

        >>> sorted(Program.parse("p(X) :- a(X), b(X). p(X) :- c(X).").mentions()["p"])
        ['a', 'b', 'c']
        """
        found: dict[str, frozenset[str]] = dict.fromkeys(self.defined(), frozenset())
        for clause in self.clauses:
            found[clause.head.predicate] |= clause.body_predicates()
        return found

    def arities(self) -> dict[str, int]:
        """Return the arity of every predicate mentioned, heads first."""
        found: dict[str, int] = {}
        for clause in self.clauses:
            for atom in (clause.head, *(x.atom for x in clause.literals() if not x.inequality)):
                found.setdefault(atom.predicate, atom.arity)
        return found
