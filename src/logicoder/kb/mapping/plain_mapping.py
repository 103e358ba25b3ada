"""Mappings as plain data, to be kept in other files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from logicoder.base.errors import InputError, Location
from logicoder.kb.mapping.data_mapping import DataMapping
from logicoder.kb.mapping.mapping_file import argument_entry, mapping_of, type_entry


def plain_mapping(mapping: DataMapping) -> dict[str, Any]:
    """Return a mapping as dictionaries, lists, texts and numbers, ready for JSON; evidence is left out."""
    types = {
        kind.name: {
            name: [_plain_point(cut) for cut in value] if name == "cuts" else value
            for name, value in type_entry(kind).items()
        }
        for kind in mapping.types.values()
    }
    tables: dict[str, Any] = {}
    for name, table in mapping.essential().tables.items():
        rows = {"relation": table.relation} if table.entity is None else {"entity": table.entity}
        key = {} if table.entity is None else {"key": list(table.key)}
        tables[name] = {**rows, **key, "columns": [argument_entry(one) for one in table.arguments]}
    return {"types": types, "tables": tables}


def mapping_from_plain(content: Any, source: str = "mapping") -> DataMapping:
    """Return the mapping that `plain_mapping` made plain data of.

    Args:
        content: what was read.
        source: the file that it is from, for messages.

    Raises:
        InputError: for what is no such data.
    """
    if not isinstance(content, dict):
        raise InputError("a mapping is an object with types and tables", Location(source))
    kinds = content.get("types", {})
    types = kinds
    if isinstance(kinds, dict):
        types = {name: _with_dates(entry, source) for name, entry in kinds.items()}
    return mapping_of({**content, "types": types}, source)


def _plain_point(cut: Any) -> Any:
    return cut.isoformat() if isinstance(cut, datetime) else cut


def _with_dates(entry: Any, source: str) -> Any:
    """Return the entry of a type with its dates as such."""
    if not isinstance(entry, dict) or entry.get("kind") != "date" or not isinstance(entry.get("cuts"), list):
        return entry
    try:
        return {**entry, "cuts": [datetime.fromisoformat(cut) for cut in entry["cuts"]]}
    except (TypeError, ValueError):
        raise InputError("the cuts of a type of dates must be dates", Location(source)) from None
