"""Facts of stored data as files, which the system itself writes: a file for each predicate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.files import staged_folder, write_text
from logicoder.engine.sql.relations import WORLD, Relation, listed
from logicoder.kb.file_names import file_stem
from logicoder.kb.formats.alchemy.declarations import SCHEMA_FILE, schema_text

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData


def write_facts(data: StoredData, folder: Path) -> None:
    """Write facts into a folder as `KnowledgeBase.save` does, so that they can be read as data again.

    There is a file, or a folder of files, for each predicate; of several interpretations each has a folder.
    """
    schema = data.schema
    with staged_folder(folder) as stage:
        if schema is not None and set(data.relations) <= set(schema):
            write_text(stage / SCHEMA_FILE, schema_text(schema))
        if not data.several:
            write_each(data, data.relations, stage)
            return
        for name, relation in data.relations.items():
            query = f"SELECT {WORLD}, count(*) FROM {relation.table} GROUP BY {WORLD}"
            for world, _ in sorted(data.session.rows(query, f"counting {name}")):
                own = stage / file_stem(world)
                own.mkdir(exist_ok=True)
                columns = relation.columns(worlds=False)
                rows = f"SELECT {listed(columns)} FROM {relation.table}"
                test = f"{WORLD} = {data.session.literal(world)}"
                data.session.write(f"{rows} WHERE {test}", columns, str(own), file_stem(name))


def write_each(data: StoredData, relations: Mapping[str, Relation], folder: Path) -> None:
    """Write relations into files, a column for the interpretation included where there are several."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, relation in relations.items():
        columns = relation.columns(worlds=data.several)
        query = f"SELECT {listed(columns)} FROM {relation.table}"
        data.session.write(query, columns, str(folder), file_stem(name))
