"""Mappings as TOML: written with the evidence as comments, edited by people, read back with care."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, Location, shown
from logicoder.base.files import read_text, write_text
from logicoder.base.toml import toml_of
from logicoder.kb.mapping.bins import BINS, PARTS, QUANTILES, WAYS
from logicoder.kb.mapping.data_mapping import ORDERED, TEXT, Argument, DataMapping, TableMapping, ValueType

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_BINS = re.compile(rf"(?:{'|'.join(WAYS)}):[1-9][0-9]{{0,3}}\Z")
_KINDS = ("text", "code", *ORDERED)

_HEAD = """\
# How tables become predicates. What stands behind a number sign is evidence, or a proposal that was not
# taken: remove the sign to take it. Types with cuts are ordered: their values are bins, and [10..50) is
# from 10 to below 50. Instead of cuts, bins = "informative:8" chooses them from the data, where other columns
# change; so do "quantiles:4" and "widths:10". Clauses compare, price(X) >= 50, unless compare = false.
# The rows of a table with key = [] are numbered.
"""


def mapping_text(mapping: DataMapping, source: str = "") -> str:
    """Return a mapping as TOML."""
    lines = [*([f"# {_line(source)}"] if source else []), _HEAD]
    lines.append("[types]")
    for kind in mapping.types.values():
        lines.append(f"{_key(kind.name)} = {_inline(type_entry(kind))}{_remark(kind.why)}")
    for table in mapping.tables.values():
        lines.append("")
        if table.left_out:
            lines.append(f"# [tables.{_key(table.table)}] is left out{_remark(table.why, ': ')}")
            continue
        lines.append(f"[tables.{_key(table.table)}]{_remark(table.why)}")
        if table.entity is not None:
            lines.append(f"entity = {_value(table.entity)}")
            lines.append(f"key = {_value(list(table.key))}")
        if table.relation is not None:
            lines.append(f"relation = {_value(table.relation)}")
        lines.append("columns = [")
        lines += [_argument_line(argument) for argument in table.arguments]
        lines.append("]")
    return "\n".join(lines) + "\n"


def type_entry(kind: ValueType) -> dict[str, Any]:
    """Return what stands in the file for a type."""
    parts: dict[str, Any] = {"kind": kind.kind}
    if kind.cuts is not None:
        parts["cuts"] = list(kind.cuts)
    elif kind.bins is not None:
        parts["bins"] = kind.bins
    return parts if kind.compare else {**parts, "compare": False}


def argument_entry(argument: Argument) -> dict[str, Any]:
    """Return what stands in the file for an argument."""
    parts: dict[str, Any] = {"column": argument.columns[0]}
    if len(argument.columns) > 1:
        parts = {"columns": list(argument.columns)}
    for name in ("predicate", "refers", "type", "part"):
        if getattr(argument, name):
            parts[name] = getattr(argument, name)
    if argument.holds is not None:
        parts["holds"] = list(argument.holds)
    return parts


def _argument_line(argument: Argument) -> str:
    sign = "# " if argument.left_out else ""
    remark = f"left out: {argument.why}" if argument.left_out else argument.why
    return f"  {sign}{_inline(argument_entry(argument))},{_remark(remark)}"


def _inline(parts: dict[str, Any]) -> str:
    return "{ " + ", ".join(f"{_key(name)} = {_value(value)}" for name, value in parts.items()) + " }"


def _key(name: str) -> str:
    return name if _BARE.match(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat().removesuffix("T00:00:00")
    # JSON's strings are TOML's, but for a character that TOML wants escaped.
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        if isinstance(value, str)
        else repr(value)
    )


def _remark(text: str, sign: str = "  # ") -> str:
    return f"{sign}{_line(text)}" if text else ""


def _line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def write_mapping(mapping: DataMapping, path: Path, source: str = "") -> None:
    """Write a mapping to a file."""
    write_text(path, mapping_text(mapping, source))


def read_mapping(path: Path) -> DataMapping:
    """Read a mapping from a file.

    Raises:
        InputError: for a file that is no mapping, with the entry that is wrong.
    """
    return parse_mapping(read_text(path), str(path))


def parse_mapping(text: str, source: str = "mapping") -> DataMapping:
    """Return the mapping that a TOML text describes."""
    return mapping_of(toml_of(text, source), source)


def mapping_of(content: dict[str, Any], source: str = "mapping") -> DataMapping:
    """Return the mapping that the entries of a file describe."""
    return _Reader(source).mapping(content)


class _Reader:
    """Reads the entries of a mapping, and says which one is wrong."""

    def __init__(self, source: str) -> None:
        self._source = source

    def mapping(self, content: dict[str, Any]) -> DataMapping:
        self._only(content, "the file", ("types", "tables"))
        kinds = self._get(content, "the file", "types", dict, {})
        tables = self._get(content, "the file", "tables", dict, {})
        if not tables:
            raise self._error("the mapping has no tables", "`logicoder inspect` writes one to start from")
        types = {name: self._type(name, entry) for name, entry in kinds.items()}
        found = DataMapping({name: self._table(name, entry) for name, entry in tables.items()}, types)
        self._check(found)
        return found

    def _type(self, name: str, entry: Any) -> ValueType:
        where = f"types.{name}"
        self._only(entry, where, ("kind", "cuts", "bins", "compare"))
        compare = self._get(entry, where, "compare", bool, True)
        kind = self._one_of(self._get(entry, where, "kind", str, "text"), where, _KINDS)
        cuts, bins = self._get(entry, where, "cuts", list), self._get(entry, where, "bins", str)
        if kind not in ORDERED:
            if cuts is not None or bins is not None or "compare" in entry:
                raise self._error(
                    f"{where}: {kind} has neither bins nor an order", 'write kind = "number" or kind = "date"'
                )
            return ValueType(name, kind)
        if bins is not None and (cuts is not None or not _BINS.match(bins)):
            allowed = " or ".join(f"{way}:{BINS}" for way in WAYS)
            raise self._error(f"{where}: bins must be {allowed}, in place of cuts")
        if cuts is None:
            return ValueType(name, kind, None, bins or f"{QUANTILES}:{BINS}", compare)
        points = tuple(self._point(cut, kind, where) for cut in cuts)
        if list(points) != sorted(set(points)):
            raise self._error(f"{where}: cuts must be in ascending order")
        return ValueType(name, kind, points, None, compare)

    def _point(self, cut: Any, kind: str, where: str) -> Any:
        if kind == "date" and isinstance(cut, date):
            return (
                cut.replace(tzinfo=None)
                if isinstance(cut, datetime)
                else datetime(cut.year, cut.month, cut.day)
            )
        if kind == "number" and isinstance(cut, int | float) and not isinstance(cut, bool):
            return cut
        raise self._error(f"{where}: {shown(cut)} is not a {kind}")

    def _table(self, name: str, entry: Any) -> TableMapping:
        where = f"tables.{name}"
        self._only(entry, where, ("entity", "key", "relation", "columns"))
        entity, relation = self._get(entry, where, "entity", str), self._get(entry, where, "relation", str)
        if (entity is None) == (relation is None):
            raise self._error(
                f"{where}: rows are either entities or facts of a relation: give one of the two"
            )
        key = tuple(self._texts(entry, where, "key"))
        if (entity is None) == ("key" in entry):
            raise self._error(
                f"{where}: an entity needs a key, and a relation has none", "key = [] numbers the rows"
            )
        columns = self._get(entry, where, "columns", list, [])
        arguments = tuple(self._argument(one, f"{where}, column {i}") for i, one in enumerate(columns, 1))
        for argument in arguments:
            if bool(argument.predicate) != bool(entity):
                needs = "needs a predicate" if entity else "has no predicate of its own in a relation"
                raise self._error(f"{where}: the column {argument.columns[0]} {needs}")
        return TableMapping(name, entity, key, relation, arguments)

    def _argument(self, entry: Any, where: str) -> Argument:
        self._only(entry, where, ("column", "columns", "predicate", "refers", "type", "holds", "part"))
        one = self._get(entry, where, "column", str)
        columns = (one,) if one is not None else tuple(self._texts(entry, where, "columns"))
        if not columns:
            raise self._error(f"{where}: name the column")
        refers, kind = self._get(entry, where, "refers", str), self._get(entry, where, "type", str)
        holds, part = self._get(entry, where, "holds", list), self._get(entry, where, "part", str)
        if sum(given is not None for given in (refers, kind, holds)) != 1:
            raise self._error(f"{where} ({columns[0]}): give one of refers, type and holds")
        if part is not None:
            self._one_of(part, where, PARTS)
        predicate = self._get(entry, where, "predicate", str, "")
        return Argument(columns, predicate, refers, kind, None if holds is None else tuple(holds), part)

    def _check(self, mapping: DataMapping) -> None:
        """Refuse what names something that is not there, and predicates that mean two things."""
        signatures: dict[str, tuple[str, ...]] = {}
        for name, table in mapping.tables.items():
            for argument in table.arguments:
                where = f"tables.{name}, column {argument.columns[0]}"
                if argument.refers is not None:
                    target = mapping.tables.get(argument.refers)
                    if target is None or target.entity is None:
                        raise self._error(
                            f"{where}: {argument.refers} is not the table of an entity in this mapping"
                        )
                    if len(target.key) != len(argument.columns):
                        raise self._error(
                            f"{where}: the key of {argument.refers} has {len(target.key)} columns"
                        )
                elif len(argument.columns) > 1:
                    raise self._error(f"{where}: several columns are a key: name its table with refers")
                elif argument.type not in (None, TEXT, *mapping.types) and not argument.part:
                    raise self._error(f"{where}: the type {argument.type} is not among the types")
            for predicate, types in signatures_of(mapping, table):
                if signatures.setdefault(predicate, types) != types:
                    raise self._error(f"{predicate} has different types in different places", "rename one")

    def _only(self, entry: Any, where: str, known: Iterable[str]) -> None:
        if not isinstance(entry, dict):
            raise self._error(f"{where}: this must be a table of entries, not {shown(entry)}")
        for name in entry:
            if name not in known:
                raise self._error(f"{where}: there is no entry {name!r}", f"choose from: {', '.join(known)}")

    def _get(self, entry: dict[str, Any], where: str, name: str, kind: type, default: Any = None) -> Any:
        found = entry.get(name, default)
        if found is not default and not isinstance(found, kind):
            raise self._error(f"{where}: {name} must be a {_WORDS[kind]}, not {shown(found)}")
        return found

    def _texts(self, entry: dict[str, Any], where: str, name: str) -> list[str]:
        found: list[str] = self._get(entry, where, name, list, [])
        if not all(isinstance(one, str) for one in found):
            raise self._error(f"{where}: {name} must be a list of texts")
        return found

    def _one_of(self, found: Any, where: str, known: Iterable[str]) -> Any:
        if found not in known:
            raise self._error(f"{where}: {shown(found)} is none of {', '.join(known)}")
        return found

    def _error(self, message: str, hint: str | None = None) -> InputError:
        return InputError(message, Location(self._source), hint)


_WORDS: dict[type, str] = {str: "text", bool: "truth value", list: "list", dict: "table of entries"}


def signatures_of(mapping: DataMapping, table: TableMapping) -> list[tuple[str, tuple[str, ...]]]:
    """Return the predicates that a table gives facts of, with their types."""
    if table.relation is not None:
        return [(table.relation, tuple(mapping.type_of(argument) for argument in table.used))]
    own = table.entity or ""
    return [
        (argument.predicate, tuple(filter(None, (own, mapping.type_of(argument))))) for argument in table.used
    ]
