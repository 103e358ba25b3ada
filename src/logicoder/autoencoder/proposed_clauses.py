"""Clauses that somebody proposes: Prolog by a person or a language model, and rule files of AMIE and AnyBURL.

Clauses may stand in lists, in code within prose, and beside each other in different languages. Whatever
cannot be read is kept with its line and the reason, and the lines after it are read all the same. Nothing is
executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from logicoder.base.errors import InputError, UsageError, shown
from logicoder.base.files import read_text
from logicoder.logic.parser import Parser, parse_clause, tokenize
from logicoder.logic.symbols import symbol_of_field
from logicoder.logic.terms import Atom, Clause, Constant, Literal, Program, Term, Variable

FORMATS = ("auto", "prolog", "amie", "anyburl")

_ANYBURL_RULE = re.compile(r"(?:[\d.]+\s+[\d.]+\s+[\d.eE+-]+\s+)?\S+\(.*\)\s*<=")
_ANYBURL_ATOM = re.compile(r"\s*(?P<name>[^\s(]+)\((?P<first>.+?),(?P<second>.+?)\)\s*(?:,\s+|$)")
_ANYBURL_VARIABLE = re.compile(r"[A-Z]\d*\Z")
_ITSELF = "me_myself_i"
"""What AnyBURL writes for an argument that is the same as the other one."""
_AMIE_RULE = re.compile(r"[?<].*=>")
_AMIE_TERM = re.compile(r"<[^>]*>|\"[^\"]*\"\S*|\S+")
_AMIE_COLUMNS = re.compile(r"Rule\tHead Coverage")
_BETWEEN = re.compile(r"(?:\s+|%[^\n]*|```[^\n]*|~~~[^\n]*)*+")
"""What may stand between clauses: spaces, comments, and the fences of an answer in Markdown."""
_MARKER = re.compile(r"(?:[-*+•>|]|\(?\d+[.):]|\(?[a-zA-Z][.)])\s+")
"""What begins an entry of a list."""
_SPAN = re.compile(r"`+([^`\n]+)`+")
_HEAD = re.compile(r"(?<!\w)(?:[a-z]\w*|'[^'\n]*')\([^()\n]*\)\s*:-")
"""How a clause begins amid other text."""
_ARROW = re.compile("[←⇐→⇒]")
_ATOM = re.compile(r"(?:[a-z]\w*|'[^'\n]*')\(")


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
        form: one of `FORMATS`; `auto` takes whatever a line is written in.

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
    >>> rows = proposals_of("Here they are:\n1. `p(X) :- q(X).`\n2. r(X) :- q(X)")
    >>> [(row.line, str(row.clause or row.problem)) for row in rows]
    [(1, 'this is no clause'), (2, 'p(X) :- q(X).'), (3, 'r(X) :- q(X).')]
    """
    if form not in FORMATS:
        raise UsageError(f"there is no format {shown(form)} of rules; choose from: {', '.join(FORMATS)}")
    return list(_Reader(text, form))


class _Reader:
    """Goes through a text: each line is read, or told with the reason why it is not.

    Args:
        text: the text.
        form: what rules are written in.
    """

    def __init__(self, text: str, form: str) -> None:
        self._text = text
        self._form = form

    def __iter__(self) -> Iterator[Proposal]:
        offset, line, counted = 0, 1, 0
        between = re.compile(r"\s*+") if self._form in ("amie", "anyburl") else _BETWEEN
        while (offset := between.match(self._text, offset).end()) < len(self._text):  # type: ignore[union-attr]
            line, counted = line + self._text.count("\n", counted, offset), offset
            start = self._text.rfind("\n", 0, offset) + 1
            end = self._text.find("\n", offset) % (len(self._text) + 1)
            if not self._text[start:offset].strip():
                marker = _MARKER.match(self._text, offset)
                offset = marker.end() if marker and marker.end() < end else offset
            rule = self._rule(line, self._text[offset:end])
            if rule is not None:
                offset = end
                yield from rule
                continue
            found, offset = self._clauses(line, offset, end)
            yield from found

    def _rule(self, line: int, text: str) -> list[Proposal] | None:
        """Return what a line of AMIE or AnyBURL says; None for any other."""
        if self._form in ("auto", "amie") and _AMIE_COLUMNS.match(text):
            return []
        if self._form == "amie" or (self._form == "auto" and _AMIE_RULE.match(text)):
            return [_amie(line, text)]
        if self._form == "anyburl" or (self._form == "auto" and _ANYBURL_RULE.match(text)):
            return [_anyburl(line, text)]
        return None

    def _clauses(self, line: int, offset: int, end: int) -> tuple[list[Proposal], int]:
        """Return the clause that begins at a place, or those in the rest of its line, and where to go on."""
        text = self._text
        try:
            stop = next(t.offset + 1 for t in tokenize(text, "", offset) if t.text in (".", "end of text"))
            clause = Parser(text[offset:stop]).clause()
        except InputError as error:
            return self._amid(line, offset, end, error.message)
        rest = text[stop : max(stop, text.find("\n", stop) % (len(text) + 1))]
        # What follows on the line is another clause, or says something about this one.
        return [Proposal(line, str(clause), clause)], stop if "(" in rest or "%" in rest else stop + len(rest)

    def _amid(self, line: int, offset: int, end: int, problem: str) -> tuple[list[Proposal], int]:
        """Return the clauses amid the text of a line."""
        rest = self._text[offset:end].strip()
        bare = rest.strip("* ")  # in bold
        parts = (bare, *_SPAN.findall(rest)) if "`" in rest else (bare, bare.rpartition(": ")[2])
        spans = [_parsed(text) for text in dict.fromkeys(parts)]
        found = [Proposal(line, str(clause), clause) for clause in spans if clause is not None]
        if found:
            return found, end
        head = _HEAD.search(self._text, offset + 1, end)
        before = self._text[offset : head.start() if head else end].strip()
        meant = ":-" in before or _ATOM.match(before)
        wrong = [Proposal(line, before, problem=problem if meant else "this is no clause")]
        if head is None:
            return wrong, end
        found, stop = self._clauses(line, head.start(), end)
        return [*(wrong if ":-" in before else []), *found], stop


def _parsed(text: str) -> Clause | None:
    """Return the clause that is all of a text, with a full stop or without; None if it is none."""
    plain = _as_prolog(text)
    try:
        return parse_clause(plain) if ":-" in plain else None
    except InputError:
        return None


def _as_prolog(text: str) -> str:
    """Return a rule with arrows as Prolog has it, whichever way they point.

    >>> _as_prolog("p(X) ← q(X,Y) ∧ r(Y)"), _as_prolog("q(X) ∧ r(X) → p(X).")
    ('p(X) :- q(X,Y) , r(Y)', 'p(X) :- q(X) , r(X)')
    """
    left, arrow, right = re.sub("[∧&]", ",", text).partition(next(iter(_ARROW.findall(text)), ":-"))
    if not arrow or "(" not in left or "(" not in right:  # prose has arrows, too
        return text
    head, body = (left, right) if arrow in ":-←⇐" else (right.strip().rstrip("."), left)
    return f"{head.strip()} :- {body.strip()}"


def _amie(line: int, text: str) -> Proposal:
    """Return the rule of a line of AMIE."""
    rule = text.split("\t", maxsplit=1)[0]
    body, arrow, head = rule.partition("=>")
    try:
        (first,), others = _triples(head), _triples(body)
    except ValueError:
        expected = "expected triples such as ?a  <p>  ?b => ?a  <q>  ?b"
        return Proposal(line, text.strip(), problem=expected if arrow else "this is no rule")
    return Proposal(line, rule.strip(), Clause(first, (tuple(map(Literal, others)),)))


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


def _anyburl(line: int, text: str) -> Proposal:
    """Return the rule of a line of AnyBURL: three numbers and the rule, or the rule alone."""
    rule = text.rsplit("\t", 1)[-1].strip()
    head, found, body = rule.partition("<=")
    atoms = [_anyburl_atoms(part) for part in (head, body)]
    if not found or atoms[0] is None or atoms[1] is None or len(atoms[0]) != 1:
        return Proposal(line, text.strip(), problem="expected a rule such as p(X,Y) <= q(X,A), r(A,Y)")
    return Proposal(line, rule, Clause(atoms[0][0], (tuple(map(Literal, atoms[1])),)))


def _anyburl_atoms(text: str) -> list[Atom] | None:
    found, offset, text = [], 0, text.strip()
    while offset < len(text):
        match = _ANYBURL_ATOM.match(text, offset)
        if match is None:
            return None
        first, second = match["first"].strip(), match["second"].strip()
        words = second if first == _ITSELF else first, first if second == _ITSELF else second
        terms = tuple(
            Variable(word) if _ANYBURL_VARIABLE.match(word) else Constant(symbol_of_field(word))
            for word in words
        )
        found.append(Atom(match["name"], terms))
        offset = match.end()
    return found
