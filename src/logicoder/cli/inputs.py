"""Reading what the options name, and remembering which files that were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from logicoder.base.progress import Reporter, silent

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase, Program, Schema, StackedAutoEncoder
    from logicoder.base.stopping import StopToken
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.mapping.data_mapping import DataMapping

AUTO = "auto"
"""Instead of a mapping: the one that is proposed. Instead of an engine: the one that suits the data."""
MAPPING_FILE = "mapping.toml"
"""Beside a model, the mapping of the tables that it was learned from."""

_PARTS = ("train", "test", "valid")
"""Names of files that say which part of the data they hold, not what it is."""


@dataclass(frozen=True)
class EngineOptions:
    """The options that say what is asked about data: arrays, or the system that holds them."""

    engine: str = "auto"
    max_sample: int | None = None


@dataclass(frozen=True)
class DataOptions:
    """The options that say what the data is; `used` becomes the mapping of tables, once they are read."""

    paths: Sequence[Path | str]
    schema: Path | None = None
    format: Any = None
    interpretations: Any = "auto"
    types: Any = "auto"
    header: bool | None = None
    lenient: bool = False
    mapping: Path | DataMapping | None = None
    sample: int | None = None
    used: list[DataMapping] = field(default_factory=list, compare=False)

    @property
    def name(self) -> str:
        """What the data may be called: their file or folder, or the folder of several files; or ''."""
        paths = [path for path in self.paths if isinstance(path, Path)]
        if len(paths) < len(self.paths) or not paths:
            return ""
        folders = {path.resolve().parent for path in paths}
        named = paths[0].resolve() if len(paths) == 1 else folders.pop() if len(folders) == 1 else Path()
        name = named.name.split(".")[0]
        return f"{named.parent.name}/{name}" if name in _PARTS else name

    def read(
        self, schema: Schema | None = None, *, strangers: bool = False, empty: bool = False
    ) -> KnowledgeBase:
        """Read the data under a schema: the one of the options, the one given here, or one with the data.

        Args:
            schema: what is declared unless the options name a file.
            strangers: take predicates that this schema does not declare, too.
            empty: take files without any fact, too.
        """
        from logicoder import KnowledgeBase, Schema  # noqa: PLC0415  (numpy takes its time)
        from logicoder.kb.fact_tables import holds_facts, read_fact_tables  # noqa: PLC0415
        from logicoder.kb.mapping.table_reader import read_tables, retyped, source_of  # noqa: PLC0415

        if self.of_tables():
            source = source_of(self.paths)
            if self.mapping is None and holds_facts(source):
                kb = read_fact_tables(source)
            else:
                kb, used = read_tables(source, self.mapping, None, self.sample)
                self.used[:] = [used]
            return retyped(kb, schema) if isinstance(schema, Schema) else kb
        return KnowledgeBase.from_path(
            *self.paths,
            schema=self.schema if self.schema is not None else schema,
            format=self.format,
            interpretations=self.interpretations,
            types=self.types,
            header="auto" if self.header is None else self.header,
            strangers=strangers and self.schema is None,
            empty=empty,
            lenient=self.lenient,
            sample=self.sample,
        )

    def engine(self, asked: str) -> str:
        """Return the engine for the data: the one that was asked for, or one that suits them."""
        from logicoder.engine.sql.choice import ARRAYS, chosen_engine  # noqa: PLC0415  (numpy takes its time)

        # Some rows of each table, as they were asked for, come into memory.
        return ARRAYS if asked == AUTO and self.sample is not None else chosen_engine(self.paths, asked)

    def stored(
        self,
        engine: str,
        *,
        schema: Schema | None = None,
        max_memory: Any = None,
        stop: StopToken | None = None,
        report: Reporter = silent,
    ) -> StoredData:
        """Open the data where they are.

        Args:
            engine: which system reads them.
            schema: what is declared unless the options name a file.
            max_memory: what the engine may take.
            stop: ends whatever query is running.
            report: told of tables that are read.
        """
        from logicoder.base.errors import UsageError  # noqa: PLC0415
        from logicoder.engine.sql.stored_sources import Opening, open_stored  # noqa: PLC0415

        if self.sample is not None:
            raise UsageError("--sample reads rows of each table into memory: choose --engine arrays")
        opening = Opening(
            engine,
            self.schema if self.schema is not None else schema,
            self.format,
            self.interpretations,
            "auto" if self.header is None else self.header,
            self._mapping(),
            max_memory,
            stop=stop,
            strangers=schema is not None,
            types=self.types,
            report=report,
        )
        found = open_stored(self.paths, opening)
        self.used[:] = [] if found.mapping is None else [found.mapping]
        return found

    def _mapping(self) -> DataMapping | Literal["auto"] | None:
        """Return the mapping that was named, or that a proposal is wanted."""
        from logicoder.kb.mapping.mapping_file import read_mapping  # noqa: PLC0415  (numpy takes its time)

        if not isinstance(self.mapping, Path):
            return self.mapping
        return "auto" if str(self.mapping) == AUTO else read_mapping(self.mapping)

    def of_tables(self) -> bool:
        """Whether the data is tables that need a mapping: a database, or whatever a mapping is named for."""
        from logicoder.kb.mapping.table_reader import are_tables  # noqa: PLC0415

        return self.format is None and (self.mapping is not None or are_tables(self.paths))

    def of_model(self, model: AutoEncoder | StackedAutoEncoder, path: Path) -> DataOptions:
        """Return the options with what a model knows of data like those it was learned from.

        That is the format, if it had to be named then and goes with the files, or the mapping of tables.

        Args:
            model: the model.
            path: where it is: the mapping of its tables lies beside it.
        """
        from logicoder.kb.mapping.named_columns import are_rows_of  # noqa: PLC0415  (numpy takes its time)
        from logicoder.kb.mapping.table_reader import is_database  # noqa: PLC0415
        from logicoder.kb.sources import may_have_format  # noqa: PLC0415

        if self.mapping is not None or self.format is not None:
            return self
        known = model.stack()[0].format
        databases = any(map(is_database, self.paths))
        if known is not None and not databases and may_have_format(self.paths, known):
            return replace(self, format=known)
        mapping = self.mapping_of(path)
        if self.of_tables() or (mapping is not None and are_rows_of(self.paths, mapping)):
            return replace(self, mapping=mapping)
        return self

    def mapping_of(self, model: Path) -> DataMapping | None:
        """Return the mapping that was named, or the one beside a model or in it, if there is one."""
        from logicoder.autoencoder import load_model  # noqa: PLC0415  (numpy takes its time)
        from logicoder.kb.mapping.data_mapping import DataMapping  # noqa: PLC0415
        from logicoder.kb.mapping.mapping_file import read_mapping  # noqa: PLC0415
        from logicoder.kb.mapping.plain_mapping import mapping_from_plain  # noqa: PLC0415

        named = self.mapping or _mapping_beside(model)
        if named is not None:
            return named if isinstance(named, DataMapping) else read_mapping(named)
        kept = load_model(model).stack()[0].mapping
        return None if kept is None else mapping_from_plain(kept, str(model))

    def files(self) -> list[Path]:
        """Return the files that `read` reads."""
        from logicoder.kb.sources import find_schemas, find_sources  # noqa: PLC0415

        if self.of_tables():
            mapping = [self.mapping] if isinstance(self.mapping, str | Path) else []
            named = [Path(path) for path in (*self.paths, *mapping)]
            return [path for path in named if path.is_file()]
        sources = find_sources(self.paths, self.format, self.interpretations)
        schemas = find_schemas(self.paths)[:1] if self.schema is None else [self.schema]
        return [source.path for source in sources] + schemas


def _mapping_beside(model: Path) -> Path | None:
    from logicoder.autoencoder.model_file import model_path  # noqa: PLC0415

    path = model_path(model).with_name(MAPPING_FILE)
    return path if path.is_file() else None


def read_background(paths: Sequence[Path]) -> Program | None:
    """Return the background knowledge of several files as one program."""
    from logicoder import Program  # noqa: PLC0415
    from logicoder.base.files import read_text  # noqa: PLC0415

    if not paths:
        return None
    programs = [Program.parse(read_text(path), str(path)) for path in paths]
    return Program(tuple(clause for program in programs for clause in program))


def read_texts(given: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of an option that takes files or texts."""
    from logicoder.base.files import read_text  # noqa: PLC0415

    return tuple(read_text(path) if (path := _file(item)) else item for item in given)


def _file(text: str) -> Path | None:
    """Return a text as a path if it names a file; what ends like one must be there."""
    if text.endswith(".pl"):
        return Path(text)
    try:
        return Path(text) if Path(text).is_file() else None
    except (OSError, ValueError):  # too long for a name, or with a null character
        return None


@contextmanager
def asked_for_model(
    model: AutoEncoder | StackedAutoEncoder, options: DataOptions, path: Path, asking: EngineOptions
) -> Iterator[KnowledgeBase | StoredData]:
    """Read data under the types of a model, or open them where they are; see `read_for_model`."""
    from logicoder.engine.sql.choice import ARRAYS  # noqa: PLC0415  (numpy takes its time)

    engine = options.engine(asking.engine)
    if engine == ARRAYS:
        yield read_for_model(model, options, path)
        return
    if asking.max_sample is not None:
        model.set_params(max_sample=asking.max_sample)
    with options.of_model(model, path).stored(engine, schema=model.stack()[0].schema) as stored:
        yield stored


def read_for_model(
    model: AutoEncoder | StackedAutoEncoder, options: DataOptions, path: Path
) -> KnowledgeBase:
    """Read data under the types that a model was learned with; constants and predicates may be new to it.

    Args:
        model: the model.
        options: what the data is.
        path: where the model is: the mapping of its tables lies beside it.
    """
    from logicoder import Schema  # noqa: PLC0415

    options = options.of_model(model, path)
    if model.schema_ is None:
        return options.read()
    derived = model.background_predicates()
    known = Schema({name: p for name, p in model.schema_.items() if name not in derived})
    return options.read(known, strangers=True)
