"""Formats of facts: one module each, behind `logicoder.kb.formats.interface.Format`.

Those of other packages are found through the entry points of the group `logicoder.formats`; see
`docs/howto/extending.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError
from logicoder.base.plugins import Registry
from logicoder.kb.file_names import suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from logicoder.kb.formats.interface import Format

FORMATS: Registry[type[Format]] = Registry(
    "logicoder.formats",
    "format",
    {
        "prolog": "logicoder.kb.formats.prolog:PrologFormat",
        "alchemy": "logicoder.kb.formats.alchemy.atoms:AlchemyFormat",
        "tables": "logicoder.kb.formats.table_files:TableFormat",
        "triples": "logicoder.kb.formats.triples:TripleFormat",
        "jsonl": "logicoder.kb.formats.json_lines:JsonLinesFormat",
        "parquet": "logicoder.kb.formats.parquet:ParquetFormat",
        "rdf": "logicoder.kb.formats.rdf:RdfFormat",
        "popper": "logicoder.kb.formats.projects:PopperFormat",
        "aleph": "logicoder.kb.formats.projects:AlephFormat",
        "boostsrl": "logicoder.kb.formats.projects:BoostSrlFormat",
    },
)


def format_named(name: str) -> Format:
    """Return a format by its name."""
    return FORMATS[name]()


def all_formats() -> list[Format]:
    """Return all formats there are."""
    return [kind() for kind in FORMATS.all().values()]


def formats_of(path: Path) -> tuple[Format, ...]:
    """Return the formats that a file may have: by the ending of its name and, if need be, by its content."""
    suffix = suffix_of(path)
    found = tuple(one for one in all_formats() if suffix in one.suffixes)
    if len(found) < 2 or not path.is_file():
        return found
    return tuple(one for one in found if one.recognise(path)) or found


def the_only(found: Iterable[Format], path: Path) -> Format:
    """Return the format of a file, if there is no choice.

    Raises:
        UsageError: if there is one, with what there is to choose from.
    """
    first, *others = found
    if others:
        from logicoder.kb.mapping.file_source import SUFFIXES  # noqa: PLC0415  (it knows formats)

        choice = "".join(f"\n  --format {one.name:10}{one.summary}" for one in (first, *others))
        if suffix_of(path) in SUFFIXES and any(one.file_holds == "predicate" for one in (first, *others)):
            choice += (
                "\n  --mapping auto     tables whose first row names columns: keys and attributes of entities"
            )
        raise UsageError(f"{path}: choose its format:{choice}")
    return first


def suffixes_of(formats: Iterable[Format]) -> tuple[str, ...]:
    """Return all endings of some formats."""
    return tuple(dict.fromkeys(suffix for one in formats for suffix in one.suffixes))
