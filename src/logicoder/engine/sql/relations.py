"""Relations in a system: what queries read, under which columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session

WORLD = "w"
"""The column of the interpretation, where there are several."""

HOLDS = "a0"
"""The only column of a predicate without arguments: it holds if there is a row."""


def argument_columns(arity: int) -> list[str]:
    """Return the columns of the arguments.

    >>> argument_columns(2), argument_columns(0)
    (['a1', 'a2'], ['a0'])
    """
    return [f"a{place}" for place in range(1, arity + 1)] or [HOLDS]


@dataclass(frozen=True)
class Relation:
    """Facts of one predicate; no two rows are the same, and no value is missing.

    Attributes:
        table: the name of a table or view, quoted.
        arity: number of arguments.
    """

    table: str
    arity: int

    def columns(self, *, worlds: bool) -> list[str]:
        """Return its columns."""
        return [WORLD] * worlds + argument_columns(self.arity)


Relations = Mapping[str, Relation]


def listed(columns: Sequence[str], table: str = "") -> str:
    """Return columns as queries list them.

    >>> listed(["a1", "a2"], "t")
    't.a1, t.a2'
    """
    return ", ".join(f"{table}.{column}" if table else column for column in columns)


def same(left: str, right: str, columns: Sequence[str]) -> str:
    """Return the condition that rows of two tables agree.

    >>> same("d", "f", ["a1", "a2"])
    'd.a1 = f.a1 AND d.a2 = f.a2'
    """
    return " AND ".join(f"{left}.{column} = {right}.{column}" for column in columns)


def empty(session: Session, columns: Sequence[str]) -> str:
    """Return a query without rows."""
    values = ", ".join(f"{session.as_text('NULL')} AS {column}" for column in columns)
    return f"SELECT {values} WHERE 1 = 0"
