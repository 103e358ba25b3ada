"""Keys and foreign keys of tables: the declared ones, and those that names, kinds and values give away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from logicoder.kb.mapping.column_profile import ColumnProfile
from logicoder.kb.mapping.names import identifier, is_generic, singular
from logicoder.kb.mapping.tables import ForeignKey, SourceTable

Profiles = Mapping[str, ColumnProfile]
"""What the columns of a table look like, by name."""

_KEY_LOOKS = ("integer", "text")
_MOST_LEADING = 4
"""A key of several columns has at most so many."""


class AllRows(Protocol):
    """Answers about all rows of tables, of which some were read."""

    def tells_apart(self, table: str, columns: Sequence[str]) -> bool:
        """Return whether columns have values in all rows of a table, which are different in each."""

    def among(self, table: str, column: str, target: str, key: str) -> tuple[int, int]:
        """Return how many of the values of a column are values of another one, and how many there are."""


@dataclass(frozen=True)
class Key:
    """The columns that tell the rows of a table apart, and why they are thought to."""

    columns: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Reference:
    """Columns that hold keys of a table; those that were not found good enough are not `taken`."""

    columns: tuple[str, ...]
    table: str
    why: str
    taken: bool = True


def key_of(table: SourceTable, profiles: Profiles) -> Key | None:
    """Return the key of a table: the declared one, or a column that is unique and named like one."""
    if table.key:
        return Key(table.key, "primary key")
    whole, one = identifier(table.name), singular(identifier(table.name))
    named = {f"{stem}_{word}" for stem in (whole, one) for word in ("id", "key", "code", "nr", "no")}
    named |= {f"{whole}id", f"{one}id", one, "id", "key", "code", "nr", "uuid"}
    for position, (name, column) in enumerate(profiles.items()):
        called = identifier(name)
        fits = called in named or (position == 0 and (called.endswith("_id") or called == "name"))
        if fits and column.unique and column.looks in _KEY_LOOKS:
            return Key((name,), f"no key is declared; {name} is different in all {column.rows:,} rows")
    return None


def columns_by_name(tables: Mapping[str, Profiles]) -> dict[str, list[tuple[str, ColumnProfile]]]:
    """Return the columns of all tables, with their tables, by their names as identifiers."""
    found: dict[str, list[tuple[str, ColumnProfile]]] = {}
    for table, columns in tables.items():
        for name, column in columns.items():
            found.setdefault(identifier(name), []).append((table, column))
    return found


def key_by_use(
    table: SourceTable, profiles: Profiles, known: Mapping[str, Sequence[tuple[str, ColumnProfile]]]
) -> Key | None:
    """Return the column of a table without a key that others refer to by the table's name.

    Such a column is different in all rows, and holds all values of columns called like `district_id`.

    Args:
        table: the table.
        profiles: its columns.
        known: the columns of all tables, see `columns_by_name`.
    """
    whole = identifier(table.name)
    names = {f"{s}{end}" for s in (whole, singular(whole)) for end in ("_id", "id", "_key", "_code", "_nr")}
    users = [
        column
        for name in sorted(names)
        for owner, column in known.get(name, ())
        if owner != table.name and column.distinct > 1
    ]
    for name, column in profiles.items():
        fits = column.unique and column.looks in _KEY_LOOKS
        if fits and any(user.looks == column.looks and user.values <= column.values for user in users):
            return Key((name,), f"no key is declared; {name} holds all values that others call {whole}_id")
    return None


def leading_key(
    profiles: Profiles,
    values: Mapping[str, Sequence[object]],
    apart: Callable[[Sequence[str]], bool] = lambda _: True,
) -> Key | None:
    """Return the fewest columns at the start of a table that tell its rows apart, all of them filled in.

    Numbers with fractions tell rows apart by chance, and are part of no key.

    Args:
        profiles: the columns.
        values: of the rows that were read.
        apart: whether columns tell all others apart as well.
    """
    columns: list[str] = []
    for name, column in list(profiles.items())[:_MOST_LEADING]:
        if column.looks not in (*_KEY_LOOKS, "date") or column.present < column.rows or "" in column.values:
            return None
        columns.append(name)
        if len(set(zip(*(values[c] for c in columns), strict=True))) == column.rows and apart(columns):
            said = "is" if len(columns) == 1 else "are"
            return Key(
                tuple(columns),
                f"no key is declared; {' and '.join(columns)} {said} different in all {column.rows:,} rows",
            )
    return None


class References:
    """Finds foreign keys; it knows all tables and their keys.

    Args:
        tables: all tables.
        profiles: their columns.
        keys: the keys of those that have one.
        sampled: tables of which some rows were read.
        every: answers about all rows; None where nobody can.
    """

    def __init__(
        self,
        tables: Mapping[str, SourceTable],
        profiles: Mapping[str, Profiles],
        keys: Mapping[str, Key],
        sampled: Collection[str] = (),
        every: AllRows | None = None,
    ) -> None:
        self._profiles = profiles
        self._keys = keys
        self._sampled, self._every = sampled, every
        # What a column that holds keys of a table may be called: there may be thousands of tables.
        self._called: dict[str, list[str]] = {}
        for name in tables:
            key = keys.get(name)
            if key is None or len(key.columns) != 1:
                continue
            column, whole = identifier(key.columns[0]), identifier(name)
            stems = {whole, singular(whole)}
            aliases = (
                stems
                | {f"{s}_{column}" for s in stems}
                | {f"{s}_id" for s in stems}
                | {f"{s}id" for s in stems}
            )
            if not is_generic(column):
                aliases.add(column)
            aliases |= {f"{stem}_{word}" for stem in stems for word in ("key", "code", "nr")}
            for alias in aliases:
                self._called.setdefault(alias, []).append(name)

    def of(self, table: SourceTable) -> list[Reference]:
        """Return the foreign keys of a table, those that were considered but not taken included."""
        found = [self._declared(key, table) for key in table.foreign_keys if key.table in self._keys]
        known = {column for reference in found for column in reference.columns}
        own = self._keys.get(table.name)
        for name, column in self._profiles[table.name].items():
            if name in known or column.looks not in _KEY_LOOKS:
                continue
            same = bool(own and own.columns == (name,))
            reference = self._same_key(table.name, name) if same else self._found(table.name, name, column)
            if reference is not None:
                found.append(reference)
        return found

    def _declared(self, declared: ForeignKey, table: SourceTable) -> Reference:
        columns, target, why = declared.columns, declared.table, "declared foreign key"
        key = self._keys[target].columns
        places = dict(zip(declared.referred or key, columns, strict=False))
        if len(columns) != len(key) or set(places) != set(key):
            others = ", ".join(declared.referred)
            return Reference(
                columns, target, f"{why} to {others} of {target}, which is not its key", taken=False
            )
        if len(key) == 1:
            column = self._profiles[table.name][columns[0]]
            included, number = self._among(table.name, columns[0], column, target)
            if included < number:
                why += f"; {number - included:,} of {number:,} values are no key of {target}"
        return Reference(tuple(places[column] for column in key), target, why)

    def _found(self, table: str, name: str, column: ColumnProfile) -> Reference | None:
        """Return the table that a column refers to, by its name and its values."""
        words = identifier(name).split("_")
        best: Reference | None = None
        for start in range(len(words)):
            for target in self._called.get("_".join(words[start:]), ()):
                (key,) = self._keys[target].columns
                if (table, name) == (target, key) or self._profiles[target][key].looks != column.looks:
                    continue
                included, number = self._among(table, name, column, target)
                share = f"{included:,} of {number:,} values are keys of {target}"
                if included == number:
                    return Reference((name,), target, f"not declared: the name fits, and {share}")
                if included and best is None:
                    why = f"it may refer to {target}, but only {share}"
                    best = Reference((name,), target, why, taken=False)
        return best

    def _same_key(self, table: str, name: str) -> Reference | None:
        """Return the table whose things the rows of this one are, too: its key has that name, and all values.

        Of tables with the same keys, the later ones refer to the first.
        """
        called = identifier(name)
        if is_generic(called):
            return None
        names = list(self._profiles)
        for target in self._called.get(called, ()):
            (key,) = self._keys[target].columns
            if target == table or identifier(key) != called:
                continue
            included, number = self._among(table, name, self._profiles[table][name], target)
            if included < number:
                continue
            back, others = self._among(target, key, self._profiles[target][key], table)
            if back < others or names.index(target) < names.index(table):
                why = f"not declared: {target} has the same key, and all {number:,} values are among its"
                return Reference((name,), target, why)
        return None

    def _among(self, table: str, name: str, column: ColumnProfile, target: str) -> tuple[int, int]:
        """Return how many values of a column are keys of a table, and how many there are."""
        (key,) = self._keys[target].columns
        if self._every is not None and (table in self._sampled or target in self._sampled):
            return self._every.among(table, name, target, key)
        values = column.values - {""}
        return len(values & self._profiles[target][key].values), len(values)
