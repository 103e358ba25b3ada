"""What an exporter is: a language that a program can be written in."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from logicoder.export.script import Rule, Script
from logicoder.logic.terms import Atom, Constant, Variable

_VARIABLE = re.compile(r"[A-Z][A-Za-z0-9_]*\Z")


@dataclass(frozen=True)
class Export:
    """An exported program.

    Attributes:
        text: what to write to a file.
        names: what each predicate is called in it.
    """

    text: str
    names: Mapping[str, str]


class Exporter(ABC):
    """A language that programs are exported to. It has no state and is made without arguments.

    Attributes:
        name: what `--to` calls it.
        summary: what it is, in a few words.
        comment: what a line of comment starts with.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    comment: ClassVar[str]

    @abstractmethod
    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """Return what predicates are called, no two alike."""

    @abstractmethod
    def constant(self, symbol: str) -> str:
        """Return how a constant is written, given as its canonical text; no two alike."""

    @abstractmethod
    def lines(self, script: Script, names: Mapping[str, str]) -> Iterable[str]:
        """Return the lines of a script.

        Raises:
            UsageError: if the language cannot express something.
        """

    def names_in(self, script: Script) -> dict[str, str]:
        """Return what the predicates of a script are called."""
        return self.names(script.arities)

    def export(self, script: Script) -> Export:
        """Return a script in this language."""
        names = self.names_in(script)
        renamed = [f"{name} is called {new}" for name, new in names.items() if new != name]
        remarks = [
            f"{names[name]}: {remark}" for name, remark in script.remarks.items() if name in script.defined
        ]
        heading = [f"{self.comment} {' '.join(line.split())}" for line in (*renamed, *remarks)]
        return Export("\n".join((*heading, *self.lines(script, names))) + "\n", names)


def different(
    names: Iterable[str], spelled: Callable[[str], str], same: Callable[[str], str] = str
) -> dict[str, str]:
    """Return a spelling for each name, numbered where two would be the same.

    >>> different(["a b", "a_b"], lambda name: name.replace(" ", "_"))
    {'a b': 'a_b_2', 'a_b': 'a_b'}

    Args:
        names: the names.
        spelled: how a name may be written in the language; names that it does not change come first.
        same: maps spellings that the language takes for the same to one.
    """
    wanted = list(names)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(wanted, key=lambda name: spelled(name) != name):
        number, spelling = 1, spelled(name)
        while same(spelling) in taken:
            number += 1
            spelling = f"{spelled(name)}_{number}"
        taken.add(same(spelling))
        found[name] = spelling
    return {name: found[name] for name in wanted}


def word(name: str, start: str = "p_") -> str:
    """Return a name as a word of ASCII letters, digits and underscores that starts with a small letter.

    >>> word("father"), word("Father"), word("it's 7")
    ('father', 'father', 'it_s_7')
    """
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    text = text[:1].lower() + text[1:]
    return text if re.match(r"[a-z]", text) else start + text


class Writer:
    """Writes the atoms of one rule, in languages where they look like those of Prolog.

    Args:
        rule: the rule; a variable that occurs once, is written as `_`.
        names: what predicates are called.
        constant: how constants are written.
        nullary: what follows the name of a predicate without arguments.
        variable: what variables start with; `V` keeps the names of the program where it can.
    """

    def __init__(
        self,
        rule: Rule,
        names: Mapping[str, str],
        constant: Callable[[str], str],
        nullary: str = "",
        variable: str = "V",
    ) -> None:
        self._names = names
        self._constant = constant
        self._nullary = nullary
        atoms = (rule.head, *rule.positive, *rule.negated)
        uses = Counter(a for atom in atoms for a in atom.arguments)
        uses.update(term for pair in rule.unequal for term in pair)
        bound = [v for v in dict.fromkeys(v for a in rule.positive for v in a.variables()) if uses[v] > 1]
        plain = variable == "V" and all(_VARIABLE.match(v.name) for v in bound)
        self._variables = {
            v: v.name if plain else f"{variable}{number}" for number, v in enumerate(bound, start=1)
        }

    def term(self, term: Variable | Constant) -> str:
        """Return a variable or a constant."""
        if isinstance(term, Variable):
            return self._variables.get(term, "_")
        return self._constant(term.symbol)

    def atom(self, atom: Atom) -> str:
        """Return an atom."""
        name = self._names[atom.predicate]
        if not atom.arguments:
            return name + self._nullary
        return f"{name}({', '.join(map(self.term, atom.arguments))})"
