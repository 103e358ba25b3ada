"""Facts in the tables of a database, as logicoder writes them: read back as they were, without a mapping.

A table holds the facts of a predicate in the columns `argument1`, `argument2` and so on, as text (see
`logicoder.logic.plain_constants`), and if there are several interpretations, theirs in `interpretation`. The
table `logicoder_facts` tells the schema, the interpretations, and which table holds which predicate.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import InputError
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.kb.schema import Schema
from logicoder.logic.plain_constants import symbol_of_plain

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.mapping.tables import TableSource

TOLD = "logicoder_facts"
"""The table that tells what the others hold."""
TOLD_COLUMNS = ("kind", "name", "text")
INTERPRETATION = "interpretation"
HOLDS = "holds"


def argument_columns(arity: int) -> list[str]:
    """Return the columns of a predicate's table; one without arguments has one column all the same."""
    return [f"argument{number}" for number in range(1, arity + 1)] or [HOLDS]


def holds_facts(source: TableSource) -> bool:
    """Whether the tables of a database are facts that logicoder wrote."""
    try:
        (told,) = source.tables([TOLD])
    except InputError:
        return False
    return tuple(told.columns) == TOLD_COLUMNS


@dataclass(frozen=True)
class ToldTables:
    """What the table `logicoder_facts` tells: schema, interpretations, and the table of each predicate."""

    schema: Schema
    interpretations: tuple[str, ...]
    tables: Mapping[str, str]


def told_tables(source: TableSource) -> ToldTables:
    """Return what the tables of a database that `holds_facts` are."""
    (table,) = source.tables([TOLD])
    columns = source.values(table, 1)
    told = list(zip(*(columns[name] for name in TOLD_COLUMNS), strict=True))
    return ToldTables(
        parse_schema("".join(text for kind, _, text in told if kind == "schema"), source.name),
        tuple(name for kind, name, _ in told if kind == "interpretation"),
        {name: called for kind, name, called in told if kind == "table"},
    )


def read_fact_tables(source: TableSource) -> KnowledgeBase:
    """Return the facts of a database that `holds_facts`; the source is closed in the end.

    Raises:
        InputError: if a table was changed so that it does not hold facts any more.
    """
    with closing(source):
        told = told_tables(source)
        builder = KnowledgeBaseBuilder(told.schema)
        worlds = [builder.interpretation(name) for name in told.interpretations]
        for predicate, called in told.tables.items():
            _read(source, builder, predicate, called, worlds)
        return builder.build()


def _read(
    source: TableSource, builder: KnowledgeBaseBuilder, predicate: str, called: str, worlds: list[int]
) -> None:
    (table,) = source.tables([called])
    values = source.values(table, 1)
    several = len(worlds) > 1
    arguments = [name for name in values if name not in (INTERPRETATION, HOLDS)]
    if arguments != [name for name in argument_columns(len(arguments)) if name != HOLDS] or (
        several and INTERPRETATION not in values
    ):
        raise source.refused(f"the table {called} does not have the columns of a predicate")
    rows = len(next(iter(values.values())))
    facts = np.empty((rows, len(arguments)), np.int32)
    for place, name in enumerate(arguments):
        known: dict[str, int] = {}
        for text in dict.fromkeys(values[name]):
            try:
                known[text] = builder.intern(symbol_of_plain(text))
            except (ValueError, TypeError):
                raise source.refused(f"the table {called} holds {text!r}, which is not a constant") from None
        facts[:, place] = [known[text] for text in values[name]]
    numbers = np.full(rows, worlds[0] if worlds else builder.interpretation("data"), np.int32)
    if several:
        numbers[:] = [builder.interpretation(name) for name in values[INTERPRETATION]]
    for world in np.unique(numbers).tolist():
        builder.add_rows(predicate, facts[numbers == world], world)
