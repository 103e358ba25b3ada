"""Clauses that somebody proposes: Prolog by a person or a language model, and rule files of AMIE and AnyBURL.

Whatever cannot be read is kept with its line and the reason, and the lines after it are read all the same.
Nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from logicoder.base.errors import InputError, UsageError
from logicoder.base.files import read_text
from logicoder.logic.parser import Parser, tokenize
from logicoder.logic.symbols import symbol_of_field
from logicoder.logic.terms import Atom, Clause, Constant, Literal, Program, Term, Variable

FORMATS = ("auto", "prolog", "amie", "anyburl")

_ANYBURL = re.compile(r"^[\d.]+\s+[\d.]+\s+[\d.eE+-]+\s+\S.*<=")
_ANYBURL_ATOM = re.compile(r"\s*(?P<name>[^\s(]+)\((?P<first>.+?),(?P<second>.+?)\)\s*(?:,\s+|$)")
_ANYBURL_VARIABLE = re.compile(r"[A-Z]\d*\Z")
_AMIE_TERM = re.compile(r"<[^>]*>|\"[^\"]*\"\S*|\S+")
_BETWEEN = re.compile(r"(?:\s+|%[^\n]*|```[^\n]*|~~~[^\n]*)*+")
"""What may stand between clauses: spaces, comments, and the fences of an answer in Markdown."""


@dataclass(frozen=True)
class Proposal:
    """A clause of a file, or why there is none.

    Attributes:
        line: where it begins.
        text: as it is written.
        clause: the clause; None where it cannot be read.
        problem: why it cannot.
    """

    line: int
    text: str
    clause: Clause | None = None
    problem: str = ""


def proposals_in(rules: str | Path | Program, form: str = "auto") -> list[Proposal]:
    """Return the clauses of a program, of a text, or of a file.

    Args:
        rules: where they are.
        form: one of `FORMATS`; `auto` looks at the first line that can be a rule.

    Raises:
        InputError: if the file cannot be read as text.
    """
    if isinstance(rules, Program):
        return [Proposal(number, str(clause), clause) for number, clause in enumerate(rules, 1)]
    return proposals_of(read_text(rules) if isinstance(rules, Path) else rules, form)


def proposals_of(text: str, form: str = "auto") -> list[Proposal]:
    r"""Return the clauses of a text.

    >>> [row] = proposals_of("12\t20\t0.6\tspeaks(X,Y) <= born(X,A), language(A,Y)")
    >>> print(row.clause)
    speaks(X,Y) :- born(X,A), language(A,Y).
    >>> [row] = proposals_of("?a  <born>  ?c  ?c  <language>  ?b   => ?a  <speaks>  ?b\t0.1\t0.6")
    >>> print(row.clause)
    speaks(A,B) :- born(A,C), language(C,B).
    >>> [(row.line, row.problem) for row in proposals_of("p(X) :- q(X).\nplease note")][1]
    (2, "expected '.' at the end of the clause, found 'note'")
    """
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r} of rules; choose from: {', '.join(FORMATS)}")
    chosen = _guessed(text) if form == "auto" else form
    readers = {"prolog": _prolog, "amie": _amie, "anyburl": _anyburl}
    return list(readers[chosen](text))


def _guessed(text: str) -> str:
    for line in text.splitlines():
        if _ANYBURL.match(line):
            return "anyburl"
        if "=>" in line and line.lstrip().startswith("?"):
            return "amie"
    return "prolog"


def _prolog(text: str) -> Iterator[Proposal]:
    """Iterate over clauses; after one that is wrong, reading goes on with the next line."""
    offset, line, counted = 0, 1, 0
    while (offset := _BETWEEN.match(text, offset).end()) < len(text):  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, offset), offset
        try:
            end = next(t.offset + 1 for t in tokenize(text, "", offset) if t.text in (".", "end of text"))
            clause = Parser(text[offset:end]).clause()
        except InputError as error:
            end = text.find("\n", offset) % (len(text) + 1)
            yield Proposal(line, text[offset:end].strip(), problem=error.message)
        else:
            yield Proposal(line, str(clause), clause)
        offset = end


def _amie(text: str) -> Iterator[Proposal]:
    """Iterate over the rules in an output of AMIE; its other lines are no rules and are passed over."""
    for number, line in enumerate(text.splitlines(), 1):
        rule = line.split("\t")[0]
        if "=>" not in rule:
            continue
        body, _, head = rule.partition("=>")
        try:
            (first,), others = _triples(head), _triples(body)
        except ValueError:
            yield Proposal(
                number, line.strip(), problem="expected triples such as ?a  <p>  ?b => ?a  <q>  ?b"
            )
            continue
        clause = Clause(first, (tuple(map(Literal, others)),))
        yield Proposal(number, rule.strip(), clause)


def _triples(text: str) -> list[Atom]:
    words = _AMIE_TERM.findall(text)
    if not words or len(words) % 3:
        raise ValueError
    triples = [words[i : i + 3] for i in range(0, len(words), 3)]
    return [Atom(_bare(name), (_amie_term(first), _amie_term(second))) for first, name, second in triples]


def _bare(word: str) -> str:
    return word[1:-1] if word.startswith("<") and word.endswith(">") else word


def _amie_term(word: str) -> Term:
    if word.startswith("?"):
        return Variable(word[1:].capitalize() or "_")
    return Constant(symbol_of_field(_bare(word)))


def _anyburl(text: str) -> Iterator[Proposal]:
    """Iterate over the rules of AnyBURL: three numbers and a rule, or the rule alone."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        rule = line.rsplit("\t", 1)[-1].strip()
        head, found, body = rule.partition("<=")
        atoms = [_anyburl_atoms(part) for part in (head, body)]
        if not found or atoms[0] is None or atoms[1] is None or len(atoms[0]) != 1:
            yield Proposal(number, line.strip(), problem="expected a rule such as p(X,Y) <= q(X,A), r(A,Y)")
            continue
        yield Proposal(number, rule, Clause(atoms[0][0], (tuple(map(Literal, atoms[1])),)))


def _anyburl_atoms(text: str) -> list[Atom] | None:
    found, offset, text = [], 0, text.strip()
    while offset < len(text):
        match = _ANYBURL_ATOM.match(text, offset)
        if match is None:
            return None
        terms = tuple(
            Variable(word) if _ANYBURL_VARIABLE.match(word) else Constant(symbol_of_field(word))
            for word in (match["first"].strip(), match["second"].strip())
        )
        found.append(Atom(match["name"], terms))
        offset = match.end()
    return found
