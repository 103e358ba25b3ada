"""Reading `.mln` files: declarations and formulas, in any order.

A line that is a single atom without weight and period, such as `smokes(x)`, declares its predicate where the
predicate is not known yet; elsewhere it is a formula, unless its arguments are the declared types.

`position!` in a declaration such as `hasPosition(person, position!)` says that each person has exactly one
position, and becomes hard formulas.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from logicoder.base.errors import InputError, Location, UsageError
from logicoder.base.files import read_text
from logicoder.kb.formats.alchemy.declarations import (
    ARGUMENT,
    DECLARATION,
    DOMAIN,
    SCHEMA_FILE,
    parse_schema,
    without_comments,
)
from logicoder.kb.formats.alchemy.spelling import Spelling
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.parser import Token, place, symbol_of_token
from logicoder.logic.symbols import value_of
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln.alchemy.conversion import Conversion, Domains
from logicoder.mln.alchemy.formula_parser import Statement, parse_statement
from logicoder.mln.alchemy.syntax import Leaf, Node, Or, Quantified, leaves
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork, types_of

_log = logging.getLogger("logicoder")


def read_network(
    path: str | Path, schema: Schema | None = None, domains: Domains | None = None
) -> MarkovLogicNetwork:
    """Read an `.mln` file.

    Where no schema is given and the formulas use predicates that the file does not declare, the declarations
    are taken from `schema.mln` in the same folder, or from the only other `.mln` file there that has some.
    """
    path = Path(path)
    text = read_text(path)
    parts = _Parts(text, str(path), schema)
    if schema is None and not parts.complete:
        parts = _Parts(text, str(path), _sibling_schema(path))
    return parts.network(domains)


class NetworkFile:
    """An `.mln` file that is parsed before the data whose predicates it may declare are read."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._text = read_text(self._path)
        self._parts = _Parts(self._text, str(path), None)

    def declared(self) -> Schema | None:
        """Return the declarations that `read_network` takes, or those that there are; None without any."""
        if self._parts.complete:
            return self._parts.schema
        try:
            return _sibling_schema(self._path)
        except InputError:
            return self._parts.schema or None

    def network(self, schema: Schema, domains: Domains | None = None) -> MarkovLogicNetwork:
        """Return the network over a schema that has the predicates of `declared`."""
        if self._parts.complete:
            self._parts.extend(schema)
        else:  # names may have to be spelled as in the schema
            self._parts = _Parts(self._text, str(self._path), schema)
        return self._parts.network(domains)


def parse_network(
    text: str, schema: Schema | None = None, domains: Domains | None = None, source: str = "<text>"
) -> MarkovLogicNetwork:
    """Read a network from a text; `domains` are constants of types beside those that are declared."""
    return _Parts(text, source, schema).network(domains)


def parse_formulas(
    text: str, schema: Schema | None = None, domains: Domains | None = None, source: str = "<text>"
) -> tuple[Formula, ...]:
    """Read formulas from a text without declarations.

    Without a schema nothing is known about the predicates, so that neither numbers of arguments nor types are
    checked, and `+` templates and existential quantifiers cannot be expanded.

    >>> for formula in parse_formulas("2 smokes(x) <=> cancer(x)"):
    ...     print(formula)
    1 !smokes(x) v cancer(x)
    1 smokes(x) v !cancer(x)
    """
    plain = without_comments(text)
    spell = Spelling(schema or ())
    conversion = Conversion(schema, domains)
    found: list[Formula] = []
    offset = _skip_blanks(plain, 0)
    while offset < len(plain):
        statement, offset = parse_statement(plain, source, offset, spell)
        found.extend(_located(statement, conversion, schema, plain, source))
        offset = _skip_blanks(plain, offset)
    return tuple(found)


@dataclass(frozen=True)
class _Declaration:
    """A declaration with arguments marked by `!`."""

    name: str
    marked: tuple[int, ...]
    offset: int


class _Parts:
    """The declarations and the formulas of one text."""

    def __init__(self, text: str, source: str, schema: Schema | None) -> None:
        self._text = without_comments(text)
        self._source = source
        self._spelling = Spelling(schema or ())
        self._known: dict[str, tuple[str, ...]] = {n: p.types for n, p in (schema or {}).items()}
        self._types = {kind for types in self._known.values() for kind in types}
        self._statements: list[Statement] = []
        self._exactly_one: list[_Declaration] = []
        self._declared = False
        declarations = self._split()
        self.schema = schema or Schema()
        if self._declared:
            self.schema = _merged(self.schema, parse_schema(declarations, source, schema), source)

    @property
    def complete(self) -> bool:
        """Whether there are declarations, and of all predicates that the formulas use."""
        used = (leaf.literal for statement in self._statements for leaf in leaves(statement.node))
        return self._declared and all(x.inequality or x.atom.predicate in self.schema for x in used)

    def extend(self, schema: Schema) -> None:
        """Add the predicates of another schema to those that are declared."""
        self.schema = _merged(schema, self.schema, self._source)

    def network(self, domains: Domains | None) -> MarkovLogicNetwork:
        """Return the network."""
        if not self.schema:
            raise InputError(
                "no predicate is declared here",
                Location(self._source),
                "declare them in lines such as smokes(person), or pass a schema",
            )
        conversion = Conversion(self.schema, domains)
        formulas: list[Formula] = []
        for declaration in self._exactly_one:
            for statement in _exactly_one(declaration, self.schema):
                formulas.extend(self._converted(statement, conversion))
        for statement in self._statements:
            formulas.extend(self._converted(statement, conversion))
        return MarkovLogicNetwork(self.schema, tuple(formulas))

    def _converted(self, statement: Statement, conversion: Conversion) -> list[Formula]:
        return _located(statement, conversion, self.schema, self._text, self._source)

    def _split(self) -> str:
        """Read all formulas; return the text with spaces for them."""
        declarations = list(self._text)
        offset = _skip_blanks(self._text, 0)
        while offset < len(self._text):
            start = offset
            if domain := DOMAIN.match(self._text, offset):
                self._types.add(_word(domain[1]))
                self._declared = True
                offset = domain.end()
            elif (match := DECLARATION.match(self._text, offset)) and self._declares(match):
                self._note(match)
                offset = match.end()
            else:
                statement, offset = parse_statement(self._text, self._source, offset, self._spelling)
                self._statements.append(statement)
                for i in range(start, offset):
                    declarations[i] = "\n" if declarations[i] == "\n" else " "
            offset = _skip_blanks(self._text, offset)
        return "".join(declarations)

    def _declares(self, match: re.Match[str]) -> bool:
        """Whether a line that looks like a declaration is one."""
        known = self._known.get(self._name(match))
        types = _argument_types(match)
        return known is None or bool(match[1]) or known == types or self._types.issuperset(types)

    def _name(self, match: re.Match[str]) -> str:
        return _word(match[2]) if match[2][0] == "'" else self._spelling(match[2])

    def _note(self, match: re.Match[str]) -> None:
        name, types = self._name(match), _argument_types(match)
        self._declared = True
        self._known.setdefault(name, types)
        self._types.update(types)
        marked = tuple(i for i, text in enumerate(_arguments(match)) if text.endswith("!"))
        if marked:
            self._exactly_one.append(_Declaration(name, marked, match.start()))


def _word(text: str) -> str:
    """Return a name, which may stand in quotation marks."""
    return str(value_of(symbol_of_token(Token("quoted", text, 0), text, ""))) if text[0] == "'" else text


def _arguments(match: re.Match[str]) -> list[str]:
    """Return the texts of the arguments of a declaration, each up to the next."""
    if not match[3]:
        return []
    starts = [found.start() for found in ARGUMENT.finditer(match[3])]
    return [match[3][start:end].rstrip(", \t") for start, end in pairwise([*starts, len(match[3])])]


def _argument_types(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(_word(found[2]) for text in _arguments(match) if (found := ARGUMENT.match(text)))


def _skip_blanks(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _located(
    statement: Statement, conversion: Conversion, schema: Schema | None, text: str, source: str
) -> list[Formula]:
    """Return the formulas of a statement; what is wrong with it is said with its place."""
    try:
        formulas = conversion.formulas(statement)
        if schema is not None:
            for formula in formulas:
                types_of(formula.literals, schema)
                _check_constants(formula, schema)
    except UsageError as error:
        raise InputError(str(error), place(text, statement.offset, source)) from None
    return formulas


def _check_constants(formula: Formula, schema: Schema) -> None:
    for literal in formula.literals:
        if literal.inequality:
            continue
        for argument, kind in zip(literal.atom.arguments, schema[literal.atom.predicate].types, strict=True):
            domain = schema.domains.get(kind)
            if isinstance(argument, Constant) and domain is not None and argument.symbol not in domain:
                raise UsageError(
                    f"{argument} is not a declared constant of the type {kind}; add it to the declaration"
                )


def _merged(given: Schema, read: Schema, source: str) -> Schema:
    """Return the given schema with the declarations of the file."""
    spell = Spelling(given)
    new = {}
    for name, predicate in read.items():
        known = given.get(spell(name))
        if known is None:
            new[name] = predicate
        elif known.types != predicate.types:
            raise InputError(
                f"{predicate} is declared here, and {known} in the given schema",
                Location(source),
                "remove one of the two",
            )
    domains = {
        kind: tuple(dict.fromkeys((*given.domains.get(kind, ()), *read.domains.get(kind, ()))))
        for kind in (*given.domains, *read.domains)
    }
    return Schema({**given, **new}, domains)


def _exactly_one(declaration: _Declaration, schema: Schema) -> Iterator[Statement]:
    """Yield the hard formulas that say: one value of the marked arguments for each of the others."""
    predicate: Predicate = schema[declaration.name]
    first = tuple(Variable(f"a{i + 1}") for i in range(predicate.arity))
    second = tuple(Variable(f"b{i + 1}") if i in declaration.marked else v for i, v in enumerate(first))
    atoms = [Leaf(Literal(Atom(predicate.name, terms), positive=False)) for terms in (first, second)]
    for i in declaration.marked:
        equal = Literal(Literal.unequal(first[i], second[i]).atom, positive=False, inequality=True)
        yield Statement(Or((*atoms, Leaf(equal))), None, True, (), declaration.offset)
    some: Node = Leaf(Literal(Atom(predicate.name, first)))
    for i in reversed(declaration.marked):
        some = Quantified(False, first[i], some)
    yield Statement(some, None, True, (), declaration.offset)


def _sibling_schema(path: Path) -> Schema:
    named = path.parent / SCHEMA_FILE
    others = [named] if named.is_file() else sorted(path.parent.glob("*.mln"))
    others = [other for other in others if other.name != path.name]
    found = [(other, schema) for other in others if (schema := _schema_if_any(other)) is not None]
    if len(found) != 1:
        raise InputError(
            "the predicates of the formulas are not declared here"
            + (f", and {' and '.join(p.name for p, _ in found)} beside it all declare some" if found else ""),
            Location(str(path)),
            "declare them in lines such as smokes(person), or pass a schema or data",
        )
    _log.info("%s: declarations taken from %s", path, found[0][0])
    return found[0][1]


def _schema_if_any(path: Path) -> Schema | None:
    try:
        parts = _Parts(read_text(path), str(path), None)
    except InputError:
        return None
    return parts.schema if parts.complete else None
