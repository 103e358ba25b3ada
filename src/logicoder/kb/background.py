"""Background knowledge: facts that hold in every interpretation, and rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError
from logicoder.base.files import read_text
from logicoder.kb.alchemy import Spelling, alchemy_grammar
from logicoder.kb.knowledge_base import Fact
from logicoder.kb.prolog import prolog_grammar
from logicoder.kb.sources import SUFFIXES, expand, suffix_of
from logicoder.logic.parser import place
from logicoder.logic.symbols import value_of
from logicoder.logic.terms import Program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from logicoder.kb.knowledge_base import Truth
    from logicoder.kb.mentions import Mention
    from logicoder.logic.terms import Clause


def read_background(*paths: str | Path) -> tuple[list[Fact], Program]:
    """Read background knowledge: `.db` files, and Prolog files whose clauses may be rules.

    Returns:
        The ground facts, and the program of the rules.

    Raises:
        InputError: with its place, where the text is wrong or a predicate changes its arity.
    """
    background = Background.read(paths)
    facts = [
        Fact(mention.predicate, tuple(map(value_of, mention.symbols)), truth=mention.truth)
        for _, found in background.files
        for mention in found
    ]
    return facts, Program(tuple(background.rules))


@dataclass(frozen=True)
class Background:
    """The background knowledge of some files.

    Attributes:
        spelling: how predicates of `.db` files are spelled.
        files: the atoms of each file.
        rules: the rules of all files.
    """

    spelling: Spelling
    files: list[tuple[Path, list[Mention]]] = field(default_factory=list)
    rules: list[Clause] = field(default_factory=list)

    @classmethod
    def read(
        cls, paths: str | Path | Iterable[str | Path] | None, spelling: Spelling | None = None
    ) -> Background:
        """Read some files, none or one."""
        found = cls(spelling or Spelling())
        given = () if paths is None else (paths,) if isinstance(paths, str | Path) else paths
        arities: dict[str, int] = {}
        for path in expand(given):
            text = read_text(path)
            rules: list[tuple[int, Clause]] = []
            is_db = suffix_of(path) in SUFFIXES["alchemy"]
            grammar = alchemy_grammar(found.spelling) if is_db else prolog_grammar(rules)
            mentions = list(grammar.mentions(text, str(path)))
            uses = [(m.offset, m.predicate, len(m.symbols)) for m in mentions]
            for offset, clause in rules:
                atoms = (clause.head, *(literal.atom for literal in clause.literals()))
                uses += [(offset, atom.predicate, atom.arity) for atom in atoms]
            for offset, name, arity in sorted(uses):
                if arities.setdefault(name, arity) != arity:
                    raise InputError(
                        f"{name} has {arity} arguments here but {arities[name]} before",
                        place(text, offset, str(path)),
                    )
            found.files.append((path, mentions))
            found.rules.extend(clause for _, clause in rules)
        return found

    @property
    def predicates(self) -> frozenset[str]:
        """The predicates that have background facts."""
        return frozenset(mention.predicate for _, found in self.files for mention in found)

    def atoms(self) -> dict[tuple[str, Truth], list[tuple[str, ...]]]:
        """Return the atoms by predicate and truth."""
        atoms: dict[tuple[str, Truth], list[tuple[str, ...]]] = {}
        for _, found in self.files:
            for mention in found:
                atoms.setdefault((mention.predicate, mention.truth), []).append(mention.symbols)
        return atoms

    def mentions(self) -> Iterator[tuple[Path, str, Mention]]:
        """Iterate over the atoms with the text that holds them."""
        for path, found in self.files:
            text = read_text(path)
            for mention in found:
                yield path, text, mention
