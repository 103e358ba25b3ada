"""How clauses are written in the notation of Alchemy.

Variables start with a lower-case letter; constants with an upper-case one, or they are integers or stand in
double quotes. Names that Alchemy cannot hold (predicates with capitals or spaces) stand in single quotes,
which this package reads back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from logicoder.base.errors import UsageError
from logicoder.kb.formats.alchemy.spelling import NAME, alchemy_name
from logicoder.logic.symbols import quote, value_of
from logicoder.logic.terms import Constant, Literal, Term, Variable

OR = "v"
EXIST = "exist"
FORALL = "forall"
KEYWORDS = frozenset({OR, EXIST, FORALL})
"""Words of the language, whatever their case (only `v` has to be in lower case)."""

_NAME = re.compile(NAME)


def is_constant(word: str) -> bool:
    """Whether an unquoted word is a constant rather than a variable."""
    return word[0].isupper() or not _NAME.match(word)


def constant_in_formula(symbol: str) -> str:
    """Return a constant as a formula holds it.

    >>> print(constant_in_formula("'Anna'"), constant_in_formula("anna"), constant_in_formula("7"))
    Anna "anna" 7

    Raises:
        UsageError: for strings and for numbers with a fraction, which Alchemy does not have.
    """
    value = value_of(symbol)
    if isinstance(value, str):
        plain = _NAME.fullmatch(value) and is_constant(value) and value.lower() not in KEYWORDS
        return value if plain else quote(value, '"')
    if isinstance(value, int):
        return symbol
    raise UsageError(f"the constant {symbol} cannot be used in a formula; use an integer or a name instead")


def predicate_text(name: str) -> str:
    """Return the name of a predicate as declarations and formulas write it."""
    return name if alchemy_name(name) and name.lower() not in KEYWORDS else quote(name)


def clause_text(literals: Iterable[Literal]) -> str:
    """Return a disjunction of literals; variables that Alchemy would not take for such are renamed.

    >>> from logicoder.logic.terms import Atom
    >>> x, y = Variable("X"), Variable("Y")
    >>> friends = Literal(Atom("friends", (x, y)), positive=False)
    >>> print(clause_text([friends, Literal(Atom("knows", (x, Constant("anna")))), Literal.unequal(x, y)]))
    !friends(x,y) v knows(x,"anna") v x != y
    """
    found = tuple(literals)
    names = _variable_names(dict.fromkeys(v for literal in found for v in literal.atom.variables()))
    return f" {OR} ".join(_literal_text(literal, names) for literal in found)


def _literal_text(literal: Literal, names: dict[Variable, str]) -> str:
    arguments = [_term_text(argument, names) for argument in literal.atom.arguments]
    if literal.inequality:
        return f"{arguments[0]} {'!=' if literal.positive else '='} {arguments[1]}"
    name = predicate_text(literal.atom.predicate)
    atom = f"{name}({','.join(arguments)})" if arguments else name
    return atom if literal.positive else f"!{atom}"


def _term_text(term: Term, names: dict[Variable, str]) -> str:
    return constant_in_formula(term.symbol) if isinstance(term, Constant) else names[term]


def _variable_names(variables: Iterable[Variable]) -> dict[Variable, str]:
    """Return how each variable is written: as it is called where that is possible."""
    names = {v: v.name for v in variables if _is_variable_name(v.name)}
    taken = set(names.values())
    for variable in variables:
        if variable not in names:
            name = variable.name.lower()
            number = 0
            while name in taken or not _is_variable_name(name):
                number += 1
                name = f"x{number}"
            names[variable] = name
            taken.add(name)
    return names


def _is_variable_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name[0].islower() and name.lower() not in KEYWORDS
