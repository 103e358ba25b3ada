"""Data that stay where they are: a session, a relation for each predicate, and their types once known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from logicoder.engine.sql.program_runs import ProgramRuns
from logicoder.engine.sql.relations import WORLD, Relation, listed
from logicoder.kb.schema import Schema
from logicoder.logic.plain_constants import plain_constant

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
    ) -> None:
        self.session, self.relations, self.name, self.schema = session, dict(relations), name, schema
        self.interpretations, self.mapping, self.plain = tuple(interpretations), mapping, plain
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
        return cls(session, relations, "the data", kb.schema, kb.interpretations, plain=True)

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

    def columns(self, name: str) -> list[str]:
        """Return the columns of a predicate, that of interpretations included."""
        return self.relations[name].columns(worlds=self.several)

    def missing_from(self, relation: Relation, other: Relation | None) -> str:
        """Return the query for rows of one relation that another one does not have."""
        columns = listed(relation.columns(worlds=self.several))
        every = f"SELECT {columns} FROM {relation.table}"
        return every if other is None else f"{every} EXCEPT SELECT {columns} FROM {other.table}"
