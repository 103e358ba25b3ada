"""The knowledge base: true, false and unknown ground atoms over one or more interpretations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from logicoder.base.errors import InputError, UsageError, shown
from logicoder.base.sorted_keys import distinct
from logicoder.kb.argument_types import AUTO
from logicoder.kb.given_facts import Row, key_of, rows_of
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable
from logicoder.logic.symbols import Value, atom_text, symbol_of, value_of

if TYPE_CHECKING:
    from pathlib import Path

    from logicoder.engine.query import Answers
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.mapping.data_mapping import DataMapping

Truth = Literal["true", "false", "unknown"]
TRUTHS: tuple[Truth, ...] = ("true", "false", "unknown")


@dataclass(frozen=True)
class Fact:
    """One ground atom of a knowledge base, with constants as Python values.

    >>> print(Fact("father", ("vader", "luke")))
    father(vader,luke)
    """

    predicate: str
    arguments: tuple[Value, ...]
    interpretation: str = ""
    truth: Truth = "true"

    def __str__(self) -> str:
        name = atom_text(self.predicate)
        return f"{name}({','.join(map(symbol_of, self.arguments))})" if self.arguments else name


class KnowledgeBase:
    """Ground atoms over typed constants, columnar, in one or more interpretations.

    Build one with `from_facts`, `from_path`, `from_sql` or `from_frames`; it is immutable.

    >>> kb = KnowledgeBase.from_facts([("father", "vader", "luke"), ("saber", "vader", "red")])
    >>> len(kb), kb.predicates
    (2, ('father', 'saber'))
    >>> print(*kb)
    father(vader,luke) saber(vader,red)
    """

    def __init__(
        self,
        schema: Schema,
        symbols: Sequence[str],
        interpretations: Sequence[str],
        tables: Mapping[Truth, Mapping[str, FactTable]],
        mapping: DataMapping | None = None,
    ) -> None:
        self.schema = schema
        self.mapping = mapping
        """How tables became these predicates, with all cuts of numbers; None if they were facts already."""
        self.symbols = tuple(symbols)
        self.interpretations = tuple(interpretations)
        self._tables = {truth: dict(tables.get(truth, {})) for truth in TRUTHS}

    # -- construction ---------------------------------------------------------------------------------

    @classmethod
    def from_facts(
        cls,
        facts: Iterable[Row] | Mapping[str, Iterable[Any]],
        *,
        schema: Schema | None = None,
        interpretation: str = "data",
        negatives: Iterable[Row] | Mapping[str, Iterable[Any]] = (),
        unknown: Iterable[Row] | Mapping[str, Iterable[Any]] = (),
        types: str = AUTO,
    ) -> KnowledgeBase:
        """Build a knowledge base of one interpretation from tuples `(predicate, constant, ...)`.

        A fact may also be text, `"father(vader,luke)"`, or a `Fact`. A mapping has rows by predicate.

        >>> print(*KnowledgeBase.from_facts({"father": [("vader", "luke")], "jedi": ["luke"]}))
        father(vader,luke) jedi(luke)

        Args:
            facts: the true atoms.
            schema: declared predicates; by default, types are inferred.
            interpretation: the name of the interpretation.
            negatives: atoms that are explicitly false.
            unknown: atoms whose truth is not known.
            types: for undeclared predicates, `auto` (types where there is strong evidence for them), `one`
                type for all, or `infer`: see `logicoder.kb.argument_types`.
        """
        from logicoder.kb.builder import KnowledgeBaseBuilder  # noqa: PLC0415  (the builder makes knowledge bases)

        builder = KnowledgeBaseBuilder(schema, types=types)
        world = builder.interpretation(interpretation)
        groups: tuple[tuple[Truth, Any], ...] = (("true", facts), ("false", negatives), ("unknown", unknown))
        for truth, rows in groups:
            for number, row in enumerate(rows_of(rows), start=1):
                name, *symbols = key_of(row, number)
                builder.add(name, symbols, world, truth)
        return builder.build()

    @classmethod
    def from_path(cls, *paths: str | Path, **options: Any) -> KnowledgeBase:
        """Read files, folders or globs; see `logicoder.kb.reader.read_knowledge_base` for the options."""
        from logicoder.kb.reader import read_knowledge_base  # noqa: PLC0415  (readers build on this module)

        return read_knowledge_base(*paths, **options)

    @classmethod
    def from_sql(
        cls,
        where: Any,
        mapping: DataMapping | str | Path | None = None,
        tables: Sequence[str] | None = None,
        sample: int | None = None,
    ) -> KnowledgeBase:
        """Read the tables of a database as typed predicates; nothing is ever written to it.

        Args:
            where: an SQLite file, a URL such as `postgresql://host/name`, or a connection of `sqlite3` or an
                engine of SQLAlchemy, whose database is opened again.
            mapping: how tables become predicates, or a TOML file that describes it; by default, the
                proposal of `logicoder.kb.mapping.proposal`.
            tables: which tables to read if there is no mapping; by default, all except views.
            sample: read at most this many rows of each table, evenly spread.

        Raises:
            InputError: for a database that cannot be read, or does not fit the mapping.
        """
        from logicoder.kb.mapping.table_reader import from_sql  # noqa: PLC0415  (readers build on this module)

        return from_sql(where, mapping, tables, sample)

    @classmethod
    def from_frames(cls, frames: Mapping[str, Any], **options: Any) -> KnowledgeBase:
        """Build a knowledge base from pandas or polars DataFrames, one per predicate."""
        from logicoder.kb.frames import from_frames  # noqa: PLC0415  (readers build on this module)

        return from_frames(frames, **options)

    @classmethod
    def from_triples(cls, triples: str | Path | Iterable[Any], **options: Any) -> KnowledgeBase:
        """Build a knowledge base from triples of subject, predicate and object, or from a file of them."""
        from logicoder.kb.graphs import from_triples  # noqa: PLC0415  (readers build on this module)

        return from_triples(triples, **options)

    @classmethod
    def from_graph(cls, graph: Any, **options: Any) -> KnowledgeBase:
        """Build a knowledge base from a NetworkX graph; see `logicoder.kb.graphs.from_graph`."""
        from logicoder.kb.graphs import from_graph  # noqa: PLC0415  (readers build on this module)

        return from_graph(graph, **options)

    @classmethod
    def from_rdf(cls, source: str | Path, **options: Any) -> KnowledgeBase:
        """Build a knowledge base from RDF: a file, or text in Turtle; see `logicoder.kb.formats.rdf`."""
        from logicoder.kb.formats.rdf import from_rdf  # noqa: PLC0415  (readers build on this module)

        return from_rdf(source, **options)

    @classmethod
    def in_place(cls, *paths: str | Path, engine: str = "auto", **options: Any) -> StoredData:
        """Return data that stays where it is, read by an engine: DuckDB, PostgreSQL or Spark.

        The result is not a knowledge base in memory; pass it to `AutoEncoder.fit` and other methods in place
        of one, and close it with `with`.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     KnowledgeBase.from_facts([("likes", "ann", "bob")]).save(folder, "parquet")
        ...     with KnowledgeBase.in_place(folder) as data:
        ...         print(len(data))
        1

        Args:
            paths: files, folders or patterns of Parquet or CSV, a DuckDB file, the URL of a PostgreSQL
                server, or tables of Spark's catalog.
            engine: `duckdb`, `postgresql` or `spark`; `auto` takes PostgreSQL for a URL, otherwise DuckDB.
            options: as for `from_path` (`schema`, `format`, `interpretations`, `header`, `types`), `mapping`
                as for `from_sql`, and `max_memory` and `jobs` of the engine.
        """
        from logicoder.engine.sql.stored_sources import stored_in_place  # noqa: PLC0415  (a call upwards)

        return stored_in_place(paths, engine, **options)

    @classmethod
    def from_spark(cls, frames: Any, *, folder: str | Path | None = None) -> StoredData:
        """Return data that stays in Spark: a frame of triples, or a frame for each predicate; see `in_place`.

        Args:
            frames: a `pyspark.sql.DataFrame` with columns for head, relation and tail, or a mapping from
                names of predicates to frames whose columns are the arguments. The name of a table stands for
                its frame.
            folder: where tables are kept meanwhile, which all executors must reach; None for what Spark's
                setting `spark.logicoder.folder` names, or a temporary folder if Spark runs on this machine.
        """
        from logicoder.engine.sql.spark_sources import stored_frames  # noqa: PLC0415  (a call upwards)

        return stored_frames(frames, folder)

    @classmethod
    def union(cls, parts: Iterable[KnowledgeBase]) -> KnowledgeBase:
        """Return one knowledge base with the interpretations of all parts, kept apart."""
        from logicoder.kb.builder import union  # noqa: PLC0415  (the builder makes knowledge bases)

        return union(list(parts))

    # -- content --------------------------------------------------------------------------------------

    @property
    def predicates(self) -> tuple[str, ...]:
        """Names of the predicates that have facts, including background predicates."""
        return tuple(name for name in self.schema if len(self.table(name)))

    @cached_property
    def learnable(self) -> tuple[str, ...]:
        """The predicates to be reconstructed: those with facts that are not background (P)."""
        return tuple(name for name in self.predicates if not self.schema[name].background)

    def table(self, predicate: str, truth: Truth = "true") -> FactTable:
        """Return the atoms of a predicate as ids."""
        if truth not in self._tables or not isinstance(predicate, str):
            raise UsageError(f"{shown(predicate)}, {shown(truth)}: expected a name, and one of {TRUTHS}")
        found = self._tables[truth].get(predicate)
        if found is not None:
            return found
        if predicate not in self.schema:
            raise UsageError(f"there is no predicate {predicate}; choose from: {', '.join(self.schema)}")
        return FactTable.empty(self.schema[predicate].arity)

    def count(self, predicate: str | None = None, truth: Truth = "true") -> int:
        """Number of distinct atoms of a predicate, or of all predicates."""
        names = self.schema if predicate is None else (predicate,)
        return sum(len(self.table(name, truth)) for name in names)

    @cached_property
    def size(self) -> int:
        """F: the number of facts to be reconstructed, over all interpretations."""
        return sum(len(self.table(name)) for name in self.learnable)

    def __len__(self) -> int:
        return self.count()

    def facts(self, predicate: str | None = None, truth: Truth = "true") -> Iterator[Fact]:
        """Iterate over the atoms of a predicate, or of all predicates."""
        values = self._values
        for name in self.schema if predicate is None else (predicate,):
            table = self.table(name, truth)
            for world, row in zip(table.worlds.tolist(), table.arguments.tolist(), strict=True):
                yield Fact(name, tuple(values[i] for i in row), self.interpretations[world], truth)

    @cached_property
    def _values(self) -> tuple[Value, ...]:
        return tuple(map(value_of, self.symbols))

    def __iter__(self) -> Iterator[Fact]:
        return self.facts()

    def __contains__(self, fact: object) -> bool:
        """Whether a fact, given as text, as a tuple or as a `Fact`, is true in some interpretation."""
        if not isinstance(fact, str | Fact | Sequence):
            return False
        return key_of(fact) in self._keys

    @cached_property
    def _keys(self) -> frozenset[tuple[str, ...]]:
        return frozenset(
            (name, *(self.symbols[i] for i in row))
            for name in self.schema
            for row in self.table(name).arguments.tolist()
        )

    def constants(self) -> dict[str, tuple[str, ...]]:
        """Return the symbols of each type, from facts and declared domains, sorted."""
        domains = self.schema.domains
        found = {kind: set(domains.get(kind, ())) for kind in self.schema.types()}
        for name, predicate in self.schema.items():
            for truth in TRUTHS:
                arguments = self.table(name, truth).arguments
                for column, kind in enumerate(predicate.types):
                    found[kind].update(self.symbols[i] for i in distinct(arguments[:, column]).tolist())
        return {kind: tuple(sorted(symbols)) for kind, symbols in found.items()}

    # -- parts ----------------------------------------------------------------------------------------

    def split(self) -> list[KnowledgeBase]:
        """Return one knowledge base per interpretation."""
        return [self._worlds_only([world]) for world in range(len(self.interpretations))]

    def _worlds_only(self, worlds: Sequence[int]) -> KnowledgeBase:
        renumber = np.full(len(self.interpretations), -1, np.int32)
        renumber[list(worlds)] = np.arange(len(worlds), dtype=np.int32)
        tables: dict[Truth, dict[str, FactTable]] = {}
        for truth in TRUTHS:
            tables[truth] = {}
            for name, table in self._tables[truth].items():
                part = table.select(renumber[table.worlds] >= 0)
                tables[truth][name] = FactTable(renumber[part.worlds], part.arguments)
        worlds_left = [self.interpretations[w] for w in worlds]
        return KnowledgeBase(self.schema, self.symbols, worlds_left, tables, self.mapping)

    def restricted(self, predicates: Iterable[str]) -> KnowledgeBase:
        """Return the knowledge base of some of its predicates."""
        schema = self.schema.restricted(predicates)
        tables = {t: {n: table for n, table in self._tables[t].items() if n in schema} for t in TRUTHS}
        return KnowledgeBase(schema, self.symbols, self.interpretations, tables, self.mapping)

    def with_schema(self, schema: Schema) -> KnowledgeBase:
        """Return the same atoms under other types; every predicate with atoms must be in the schema."""
        if not isinstance(schema, Schema):
            raise UsageError(f"a schema must be a Schema, not {shown(schema)}")
        for name, predicate in self.schema.items():
            if any(len(self.table(name, truth)) for truth in TRUTHS):
                if name not in schema:
                    raise InputError(
                        f"the predicate {name} has facts but is not in the schema",
                        hint=f"the schema knows: {', '.join(schema)}",
                    )
                if schema[name].arity != predicate.arity:
                    raise InputError(
                        f"{name} has {predicate.arity} arguments in the data "
                        f"and {schema[name].arity} in the schema"
                    )
        tables = {t: {n: table for n, table in self._tables[t].items() if n in schema} for t in TRUTHS}
        return KnowledgeBase(schema, self.symbols, self.interpretations, tables, self.mapping)

    # -- results --------------------------------------------------------------------------------------

    def save(self, path: str | Path, format: str | None = None) -> None:  # noqa: A002
        """Write to a file or a folder; see `logicoder.kb.writer.write_knowledge_base`."""
        from logicoder.kb.writer import write_knowledge_base  # noqa: PLC0415  (writers build on this module)

        write_knowledge_base(self, path, format)

    def to_frames(self, library: str = "pandas") -> dict[str, Any]:
        """Return a DataFrame per predicate; see `logicoder.kb.frames.to_frames`."""
        from logicoder.kb.frames import to_frames  # noqa: PLC0415  (writers build on this module)

        return to_frames(self, library)

    # -- questions ------------------------------------------------------------------------------------

    def query(self, text: str) -> Answers:
        r"""Answer a conjunctive query in Prolog syntax; with `;` and safe `\+`.

        >>> kb = KnowledgeBase.from_facts([("father", "vader", "luke"), ("jedi", "luke")])
        >>> kb.query("father(X, Y), jedi(Y)").rows
        [('vader', 'luke')]
        """
        from logicoder.engine.query import query  # noqa: PLC0415  (a call upwards, see pyproject.toml)

        return query(self, text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KnowledgeBase):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, object]) -> KnowledgeBase:
        """Return itself, as it does not change: scikit-learn copies the parameters of estimators."""
        return self

    def _content(self) -> tuple[object, ...]:
        atoms = frozenset(
            (truth, fact.predicate, tuple(map(symbol_of, fact.arguments)), fact.interpretation)
            for truth in TRUTHS
            for fact in self.facts(truth=truth)
        )
        used = {name: p for name, p in self.schema.items() if any(self.count(name, t) for t in TRUTHS)}
        return atoms, frozenset(self.interpretations), frozenset(map(str, used.values()))

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from logicoder.report.notebook import knowledge_base_html  # noqa: PLC0415  (upwards, see pyproject.toml)

        return knowledge_base_html(self)

    def __repr__(self) -> str:
        sizes = len(self), len(self.predicates), len(self.interpretations)
        counts = zip(sizes, ("fact", "predicate", "interpretation"), strict=True)
        parts = (f"{number:,} {noun}{'s' if number != 1 else ''}" for number, noun in counts)
        return f"<KnowledgeBase: {', '.join(parts)}>"
