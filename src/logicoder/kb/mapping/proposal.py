"""Proposing a mapping: what tables and columns most likely mean, with the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from logicoder.kb.mapping.column_profile import ColumnProfile, profile
from logicoder.kb.mapping.copied_texts import CopiedTexts
from logicoder.kb.mapping.cut_choice import with_cuts
from logicoder.kb.mapping.data_mapping import TEXT, Argument, DataMapping, Kind, TableMapping
from logicoder.kb.mapping.keys import (
    AllRows,
    Key,
    Reference,
    References,
    columns_by_name,
    key_by_use,
    key_of,
    leading_key,
)
from logicoder.kb.mapping.names import identifier, last_word, singular, unused, without_key_word
from logicoder.kb.mapping.value_types import Attribute, value_types

if TYPE_CHECKING:
    from logicoder.kb.mapping.tables import TableData

MOST_CODES = 12
"""Whole numbers of at most so many values are codes, not quantities."""
NEARLY_UNIQUE = 0.8
"""Text with more values than this share of its rows says which row it is, not what it is like."""
_FEW = 5
"""In so few rows nothing is nearly unique."""
_CODE_WORDS = ("id", "code", "nr", "no", "zip", "postcode", "number", "phone", "key")


def propose_mapping(data: Mapping[str, TableData], every: AllRows | None = None) -> DataMapping:
    """Return the mapping that tables suggest.

    Args:
        data: the tables with their values; keys and types are judged by these.
        every: answers about all rows, where only some were read: it judges keys then.
    """
    return with_cuts(_Proposal(data, every).mapping(), data)


class _Proposal:
    """One proposal: keys first, then what refers to them, then all other columns."""

    def __init__(self, data: Mapping[str, TableData], every: AllRows | None = None) -> None:
        self._data, self._every = data, every
        self._sampled = {name for name, one in data.items() if one.rows < one.table.rows}
        self._profiles = {
            name: {c: profile(c, one.table.columns.get(c, ""), one.values[c]) for c in one.values}
            for name, one in data.items()
        }
        tables = {name: one.table for name, one in data.items()}
        found = {
            name: self._kept(name, key_of(table, self._profiles[name])) for name, table in tables.items()
        }
        known = columns_by_name(self._profiles)
        for name, table in tables.items():
            if found[name] is None and data[name].rows:
                columns = self._profiles[name]
                found[name] = self._kept(name, key_by_use(table, columns, known))
                if found[name] is None and (every is not None or name not in self._sampled):
                    apart = partial(self._apart, name)
                    found[name] = leading_key(columns, data[name].values, apart)
        self._keys: dict[str, Key] = {name: key for name, key in found.items() if key is not None}
        finder = References(tables, self._profiles, self._keys, self._sampled, every)
        self._references = {name: finder.of(table) for name, table in tables.items()}
        for name in data:
            if name not in self._keys and (key := self._kept(name, self._joint_key(name))) is not None:
                self._keys[name] = key
        self._copied = CopiedTexts(self._profiles, lambda column: _left_out(column) is None)
        self._listed = {name: column for name in data if (column := self._listed_column(name)) is not None}
        self._relations = {name for name in data if self._is_relation(name)}
        for name, one in data.items():
            if name not in self._keys and name not in self._relations and one.rows:
                self._keys[name] = Key((), "no columns tell them apart, so they are numbered")
        self._entities = self._entity_names()

    def _apart(self, name: str, columns: Sequence[str]) -> bool:
        """Whether columns that tell the rows apart that were read do so with all rows."""
        return self._every is None or name not in self._sampled or self._every.tells_apart(name, columns)

    def _kept(self, name: str, key: Key | None) -> Key | None:
        """Return a key, if it tells all rows apart."""
        return key if key is not None and self._apart(name, key.columns) else None

    def mapping(self) -> DataMapping:
        """Return the whole mapping."""
        attributes = [a for name in self._data for a in self._attributes(name)]
        types, described = value_types(attributes, set(self._entities.values()))
        self._predicates: set[str] = set()
        return DataMapping({name: self._table(name, types) for name in self._data}, described)

    def _taken(self, name: str) -> list[Reference]:
        order = {column: place for place, column in enumerate(self._profiles[name])}
        taken = [reference for reference in self._references[name] if reference.taken]
        return sorted(taken, key=lambda reference: order[reference.columns[0]])

    def _joint_key(self, name: str) -> Key | None:
        """Return the foreign keys of a table as its key, if it has further columns and no two rows agree."""
        columns = tuple(column for reference in self._taken(name) for column in reference.columns)
        rows = list(zip(*(self._data[name].values[column] for column in columns), strict=True))
        if len(self._taken(name)) < 2 or len(columns) == len(self._profiles[name]):
            return None
        if len(set(rows)) < len(rows) or any(None in row for row in rows):
            return None
        return Key(
            columns, f"no key is declared; {' and '.join(columns)} are different in all {len(rows):,} rows"
        )

    def _listed_column(self, name: str) -> ColumnProfile | None:
        """Return the column of values that things have several of, as films have genres.

        The rows say nothing else, no two of them say the same, and nothing refers to them.
        """
        taken, columns = self._taken(name), self._profiles[name]
        if len(taken) != 1 or len(columns) != 1 + len(taken[0].columns) or self._is_referred(name):
            return None
        (column,) = (c for c in columns.values() if c.name not in taken[0].columns)
        kind = None if self._left_out(name, column) else _kind(column, None)
        rows = list(zip(*self._data[name].values.values(), strict=True))
        own = self._keys.get(name)
        if kind not in ("text", "code") or (own is not None and len(own.columns) < len(columns)):
            return None
        return column if len(set(rows)) == len(rows) > 0 and self._apart(name, list(columns)) else None

    def _is_referred(self, name: str) -> bool:
        """Whether some columns are keys of a table."""
        return any(r.table == name for several in self._references.values() for r in several if r.taken)

    def _is_relation(self, name: str) -> bool:
        """Whether rows only say what is related to what: nothing refers to them, and all columns are keys."""
        if name in self._listed:
            return True
        taken = self._taken(name)
        covered = {column for reference in taken for column in reference.columns}
        key = self._keys.get(name)
        others = set(self._profiles[name]) - covered
        if len(taken) < 2 or (key is not None and len(taken) > 2) or others - set(key.columns if key else ()):
            return False
        if self._is_referred(name):
            return False
        if not others:
            return True
        if any(self._profiles[name][column].looks == "text" for column in others):
            return False  # rows have names
        # A number of its own for each row says nothing, unless the same pair is there twice.
        one, other = (list(zip(*(self._data[name].values[c] for c in r.columns), strict=True)) for r in taken)
        return len(set(zip(one, other, strict=True))) == len(one)

    def _entity_names(self) -> dict[str, str]:
        """Return the type of the rows of each table that has a key."""
        names: dict[str, str] = {}
        given: set[str] = set()
        same = {name: target for name in self._keys if (target := self._extends(name)) is not None}
        for name in self._keys:
            if name not in self._relations and name not in same:
                whole = identifier(name)
                one = singular(whole)
                names[name] = unused(one if one not in given else whole, given)
                given.add(names[name])
        for name in same:
            target, seen = name, {name}
            while target in same and same[target] not in seen:
                target = same[target]
                seen.add(target)
            # Tables that extend each other in a circle are things of their own.
            names[name] = names.get(target) or unused(singular(identifier(name)), given)
        return {name: names[name] for name in self._data if name in names}

    def _extends(self, name: str) -> str | None:
        """Return the table whose things the rows of this one describe further: its key is their key."""
        key = self._keys[name].columns
        targets = [r.table for r in self._taken(name) if r.columns == key and r.table != name]
        return targets[0] if targets and targets[0] not in self._relations else None

    def _attributes(self, name: str) -> list[Attribute]:
        """Return the columns with a type of values."""
        if name in self._listed:
            (reference,), column = self._taken(name), self._listed[name]
            return [Attribute(name, self._entities[reference.table], column, _kind(column, None) or "text")]
        if name not in self._entities:
            return []
        return [
            Attribute(name, self._entities[name], column, kind)
            for column in self._other_columns(name)
            if (kind := _kind(column, self._left_out(name, column))) is not None
        ]

    def _left_out(self, name: str, column: ColumnProfile) -> str | None:
        """Return why a column gives no facts, if it gives none.

        Text that is nearly unique does, if another table repeats it: that may be a copy.
        """
        why = _left_out(column)
        return None if why and column.looks == "text" and self._copied.has(name, column) else why

    def _other_columns(self, name: str) -> list[ColumnProfile]:
        referring = {column for reference in self._taken(name) for column in reference.columns}
        key = self._keys[name].columns
        own = {*key} if len(key) == 1 else set()
        return [c for c in self._profiles[name].values() if c.name not in referring and c.name not in own]

    def _table(self, name: str, types: Mapping[tuple[str, str], str]) -> TableMapping:
        rows = self._data[name].rows
        taken = self._taken(name)
        if name in self._relations:
            arguments = [Argument(r.columns, refers=r.table, why=r.why) for r in taken]
            why = f"{rows:,} rows of {len(taken)} foreign keys and nothing else"
            if (column := self._listed.get(name)) is not None:
                value = Argument((column.name,), type=types[name, column.name], why=_evidence(column))
                arguments.insert(0 if next(iter(self._profiles[name])) == column.name else 1, value)
                why = f"{rows:,} rows of a foreign key and a value, and nothing else"
            relation = self._predicate(singular(identifier(name)))
            return TableMapping(name, relation=relation, arguments=tuple(arguments), why=why)
        if name not in self._entities:
            return TableMapping(name, why="it has no rows", left_out=True)
        entity, key = self._entities[name], self._keys[name]
        prefix = singular(identifier(name))
        why = f"{rows:,} rows; {key.why}"
        extends = self._extends(name)
        if extends is not None and self._entities[extends] == entity:
            why += f", which is the key of {extends}"
            taken = [reference for reference in taken if reference.columns != key.columns]
        arguments_of = [
            *self._reference_arguments(prefix, taken),
            *self._column_arguments(name, prefix, types),
        ]
        order = {column: place for place, column in enumerate(self._profiles[name])}
        arguments_of.sort(key=lambda argument: order[argument.columns[0]])
        return TableMapping(name, entity, key.columns, arguments=tuple(arguments_of), why=why)

    def _reference_arguments(self, prefix: str, taken: Sequence[Reference]) -> list[Argument]:
        found = []
        for reference in taken:
            called = without_key_word(identifier(reference.columns[0]))
            several = sum(other.table == reference.table for other in taken) > 1
            joint = len(reference.columns) > 1
            if not several and (joint or reference.columns == self._keys[reference.table].columns):
                called = singular(identifier(reference.table))
            predicate = self._predicate(f"{prefix}_{called}")
            found.append(Argument(reference.columns, predicate, reference.table, why=reference.why))
        return found

    def _column_arguments(
        self, name: str, prefix: str, types: Mapping[tuple[str, str], str]
    ) -> list[Argument]:
        refused = {r.columns[0]: r.why for r in self._references[name] if not r.taken and len(r.columns) == 1}
        found = []
        for column in self._other_columns(name):
            predicate = self._predicate(f"{prefix}_{identifier(column.name)}")
            said = "; ".join(filter(None, (_evidence(column), refused.get(column.name))))
            left_out = self._left_out(name, column)
            kind = types.get((name, column.name))
            holds = (column.holds,) if column.looks == "truth" else None
            found.append(
                Argument(
                    (column.name,),
                    predicate,
                    type=kind if kind or holds else TEXT,
                    holds=holds,
                    why=left_out or said,
                    left_out=left_out is not None,
                )
            )
        return found

    def _predicate(self, wanted: str) -> str:
        name = unused(wanted, self._predicates)
        self._predicates.add(name)
        return name


def _left_out(column: ColumnProfile) -> str | None:
    """Return why a column gives no facts, if it gives none."""
    if column.looks == "nothing":
        return "it has no values"
    if column.looks == "bytes":
        return "it holds bytes (a BLOB)"
    if column.looks == "text" and column.present > _FEW and column.distinct > NEARLY_UNIQUE * column.present:
        return f"text with {column.distinct:,} values in {column.present:,} rows"
    if _is_code(column) and column.present > _FEW and column.distinct > NEARLY_UNIQUE * column.present:
        return f"numbers that look like codes, with {column.distinct:,} values in {column.present:,} rows"
    return None


def _kind(column: ColumnProfile, left_out: str | None) -> Kind | None:
    """Return the kind of the type of a column; None if it needs none."""
    if column.looks == "truth" or left_out:
        return None
    if column.looks == "integer":
        return "code" if _is_code(column) else "number"
    return {"number": "number", "date": "date"}.get(column.looks, "text")  # type: ignore[return-value]


def _is_code(column: ColumnProfile) -> bool:
    named = last_word(identifier(column.name)) in _CODE_WORDS
    return column.looks == "integer" and (named or column.distinct <= MOST_CODES)


def _evidence(column: ColumnProfile) -> str:
    missing = column.rows - column.present
    parts = [f"{column.distinct:,} value{'s' if column.distinct != 1 else ''}"]
    if missing:
        parts.append(f"{missing:,} missing")
    if column.looks == "truth":
        parts.append("no fact if it is false")
    elif column.looks == "integer":
        few = f"at most {MOST_CODES} values" if column.distinct <= MOST_CODES else "by its name"
        parts.append(f"whole numbers: codes ({few})" if _is_code(column) else "whole numbers: a quantity")
    else:
        parts.append({"number": "numbers", "date": "dates"}.get(column.looks, "text"))
    return ", ".join(parts)
