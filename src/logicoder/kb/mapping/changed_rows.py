"""Rows that come or go after a table was read: those without a key, and those that get a second value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.symbols import quote

if TYPE_CHECKING:
    from logicoder.kb.mapping.data_mapping import DataMapping


def numbered_on(rows: KnowledgeBase, kb: KnowledgeBase, mapping: DataMapping) -> KnowledgeBase:
    """Return further rows of tables without a key, numbered after those that are there already.

    Args:
        rows: what was read of them, numbered from 1.
        kb: what is there.
        mapping: how tables become predicates.
    """
    symbols = list(rows.symbols)
    for name in mapping.numbered():
        entity = mapping.tables[name].entity or ""
        last = max(_numbers(kb, entity).values(), default=0)
        for place, number in _numbers(rows, entity).items():
            symbols[place] = quote(f"{entity}:{number + last}")
    facts = {name: rows.table(name) for name in rows.schema}
    return KnowledgeBase(rows.schema, symbols, rows.interpretations, {"true": facts})


def refuse_numbered(rows: KnowledgeBase, mapping: DataMapping) -> None:
    """Refuse rows that are to go, if nothing but their place in some file tells which they are."""
    for name in mapping.numbered():
        if _numbers(rows, mapping.tables[name].entity or ""):
            raise UsageError(
                f"the table {name} has no key, so the rows to remove cannot be identified; write the "
                f"facts instead, such as {next(iter(rows))}, into a file such as gone.pl"
            )


def _numbers(kb: KnowledgeBase, entity: str) -> dict[int, int]:
    """Return the numbers of rows, by the place of their constant among all."""
    before, _, after = quote(f"{entity}:1").rpartition("1")
    shape = re.compile(f"{re.escape(before)}([1-9][0-9]*){re.escape(after)}")
    found = ((place, shape.fullmatch(symbol)) for place, symbol in enumerate(kb.symbols))
    return {place: int(match[1]) for place, match in found if match}


def second_values(
    come: KnowledgeBase, gone: KnowledgeBase | None, kb: KnowledgeBase, mapping: DataMapping
) -> Iterator[str]:
    """Iterate over columns in which some row would have two values, each with an example.

    Args:
        come: facts to be added.
        gone: facts to be removed.
        kb: what is there.
        mapping: how tables become predicates.
    """
    for name in sorted(mapping.attributes().keys() & come.schema.keys()):
        removed = {fact.arguments for fact in gone.facts(name)} if gone and name in gone.schema else set()
        fresh = {fact.arguments[0]: fact for fact in come.facts(name) if len(fact.arguments) == 2}
        if not fresh:
            continue
        for fact in kb.facts(name) if name in kb.schema else ():
            other = fresh.get(fact.arguments[0])
            if other is not None and other.arguments != fact.arguments and fact.arguments not in removed:
                yield f"{other}, beside {fact}"
                break
