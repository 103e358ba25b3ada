"""Data that stay where they are: a session, a relation for each predicate, and their types once known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError
from logicoder.engine.signatures import program_schema
from logicoder.engine.sql.program_runs import ProgramRuns
from logicoder.engine.sql.relations import HOLDS, WORLD, Relation, listed
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.written_files import write_facts
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.plain_constants import plain_constant, symbol_of_plain
from logicoder.logic.symbols import symbol_of
from logicoder.logic.terms import Atom, Constant, Program, Term, Variable

if TYPE_CHECKING:
    from types import TracebackType

    from logicoder.engine.sql.session import Session
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.mapping.data_mapping import DataMapping


class StoredData:
    """Facts in a system that speaks SQL.

    Args:
        session: the system.
        relations: the facts of each predicate.
        name: what messages call the data.
        schema: predicates and types; None as long as nobody knows them.
        interpretations: names of the interpretations, where there are several: the values of the column `w`.
        mapping: how tables became these predicates, if they did.
        plain: whether `plain_constant` wrote the texts; otherwise they are what somebody had.
        types: for undeclared predicates, see `KnowledgeBase.from_facts`.
    """

    def __init__(
        self,
        session: Session,
        relations: Mapping[str, Relation],
        name: str,
        schema: Schema | None = None,
        interpretations: Sequence[str] = (),
        mapping: DataMapping | None = None,
        *,
        plain: bool = False,
        types: str = "auto",
    ) -> None:
        self.session, self.relations, self.name, self.schema = session, dict(relations), name, schema
        self.interpretations, self.mapping = tuple(interpretations), mapping
        self.plain, self.types = plain, types
        self.several = len(self.interpretations) > 1
        self._worlds: str | None = None
        if self.several:
            rows = [(name,) for name in self.interpretations]
            self._worlds = session.filled([WORLD], rows, "listing the interpretations")
        self.runs = ProgramRuns(session, self._worlds)

    @classmethod
    def of(cls, kb: KnowledgeBase, session: Session) -> StoredData:
        """Return the true facts of a knowledge base, brought into a system."""
        several = len(kb.interpretations) > 1
        texts = [plain_constant(symbol) for symbol in kb.symbols]
        relations = {}
        for name, predicate in kb.schema.items():
            table = kb.table(name)
            columns = Relation("", predicate.arity).columns(worlds=several)
            rows = (
                [*([kb.interpretations[world]] * several), *([texts[i] for i in row] or ["true"])]
                for world, row in zip(table.worlds.tolist(), table.arguments.tolist(), strict=True)
            )
            made = session.filled(columns, rows, f"bringing {name} in")
            relations[name] = Relation(made, predicate.arity)
        return cls(session, relations, "the data", kb.schema, kb.interpretations, kb.mapping, plain=True)

    def of_schema(self, schema: Schema, more: Mapping[str, Relation] | None = None) -> StoredData:
        """Return the facts of the predicates of a schema alone, of which some need not have any.

        Args:
            schema: predicates and types.
            more: further relations, which the schema declares as well.
        """
        given = {**self.relations, **(more or {})}
        absent = self.runs.absent({name: p.arity for name, p in schema.items()}, given)
        return self.having({name: given.get(name) or absent[name] for name in schema}, schema)

    def having(self, relations: Mapping[str, Relation], schema: Schema | None) -> StoredData:
        """Return other facts in the same system, of the same interpretations."""
        found = copy(self)
        vars(found).pop("counts", None)
        found.relations, found.schema = dict(relations), schema
        return found

    def with_background(self, background: Program) -> StoredData:
        """Return the data with what a background program derives from them, marked as background."""
        for name in background.defined():
            if name in self.relations:
                raise InputError(
                    f"the background knowledge defines {name}, which is a predicate of the data",
                    hint="rename it there, or remove it from the data",
                )
        schema = self.schema
        if schema is not None:
            types = program_schema(background, schema)
            marked = {name: replace(own, background=True) for name, own in types.items()}
            schema = Schema({**schema.predicates, **marked}, schema.domains)
        return self.having({**self.relations, **self.runs.run(background, self.relations)}, schema)

    def __enter__(self) -> StoredData:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.session.close()

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of facts of each predicate."""
        return {
            name: self.session.value(f"SELECT count(*) FROM {relation.table}", f"counting {name}")
            for name, relation in self.relations.items()
        }

    def __len__(self) -> int:
        return sum(self.counts.values())

    def symbol(self, text: str) -> str:
        """Return the constant of a text: as `plain_constant` wrote it, or as somebody else did."""
        if self.plain or text[:1] not in ("'", '"'):
            return symbol_of_plain(text)
        return symbol_of(text)

    def atom(self, name: str, row: Sequence[str]) -> tuple[Atom, str]:
        """Return the atom of a row of a predicate, and its interpretation."""
        known = self.relations.get(name) or self.known_schema[name]
        texts = row[self.several :] if known.arity else ()
        constants = tuple(Constant(self.symbol(text)) for text in texts)
        return Atom(name, constants), row[0] if self.several else self.worlds[0]

    def bound(self, atom: Atom, variables: Sequence[Variable], row: Sequence[str]) -> Atom:
        """Return an atom with the values of a row for its variables."""
        values: dict[Term, Term] = {
            variable: Constant(self.symbol(text))
            for variable, text in zip(variables, row[self.several :], strict=False)
        }
        return Atom(atom.predicate, tuple(values.get(a, a) for a in atom.arguments))

    def read(self) -> KnowledgeBase:
        """Return all facts as a knowledge base in memory."""
        return read(self)

    def save(self, folder: str | Path) -> None:
        """Write the facts into a folder of files, each written by the system itself."""
        write_facts(self, Path(folder))

    @property
    def known_schema(self) -> Schema:
        """The predicates and their types; one type for all as long as nobody knows any."""
        if self.schema is not None:
            return self.schema
        return Schema.of(*(Predicate(n, ("thing",) * r.arity) for n, r in self.relations.items()))

    def every_world(self) -> str:
        """Return the query for a predicate without arguments that holds in all interpretations."""
        holds = f"{self.session.as_text(self.session.literal('true'))} AS {HOLDS}"
        return f"SELECT {WORLD}, {holds} FROM {self._worlds}" if self.several else f"SELECT {holds}"

    @property
    def worlds(self) -> tuple[str, ...]:
        """The names of all interpretations, one at least."""
        return self.interpretations or ("data",)

    def columns(self, name: str) -> list[str]:
        """Return the columns of a predicate, that of interpretations included."""
        return self.relations[name].columns(worlds=self.several)

    def missing_from(self, relation: Relation, other: Relation | None) -> str:
        """Return the query for rows of one relation that another one does not have."""
        columns = listed(relation.columns(worlds=self.several))
        every = f"SELECT {columns} FROM {relation.table}"
        return every if other is None else f"{every} EXCEPT SELECT {columns} FROM {other.table}"
