"""Reading what the options name, and remembering which files that were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.cli.options import Format, Interpretations, Types

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase, Program, Schema


@dataclass(frozen=True)
class DataOptions:
    """The options that say what the data is."""

    paths: Sequence[Path]
    schema: Path | None = None
    format: Format | None = None
    interpretations: Interpretations = Interpretations.AUTO
    types: Types = Types.ONE

    def read(self, schema: Schema | None = None) -> KnowledgeBase:
        """Read the data under a schema: the one of the options, the one given here, or one with the data."""
        from logicoder import KnowledgeBase  # noqa: PLC0415  (numpy takes its time)

        return KnowledgeBase.from_path(
            *self.paths,
            schema=self.schema if self.schema is not None else schema,
            format=plain(self.format),
            interpretations=plain(self.interpretations),
            types=plain(self.types),
        )

    def files(self) -> list[Path]:
        """Return the files that `read` reads."""
        from logicoder.kb.sources import find_schemas, find_sources  # noqa: PLC0415

        sources = find_sources(self.paths, plain(self.format), plain(self.interpretations))
        schemas = find_schemas(self.paths)[:1] if self.schema is None else [self.schema]
        return [source.path for source in sources] + schemas


def plain(choice: Format | Interpretations | Types | None) -> Any:
    """Return the plain text of a choice, which the library declares as literal types."""
    return None if choice is None else choice.value


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


def named_files(*options: Sequence[str] | None) -> list[Path]:
    """Return the files among the values of options that take files or texts."""
    return [path for given in options for item in given or () if (path := _file(item))]


def _file(text: str) -> Path | None:
    """Return a text as a path if it names a file."""
    try:
        return Path(text) if Path(text).is_file() else None
    except (OSError, ValueError):  # too long for a name, or with a null character
        return None


def read_for_model(model: AutoEncoder, options: DataOptions) -> KnowledgeBase:
    """Read data under the types that a model was learned with; its constants may be new."""
    from logicoder import Schema  # noqa: PLC0415

    if model.schema_ is None:
        return options.read()
    derived = model.background_predicates()
    return options.read(Schema({name: p for name, p in model.schema_.items() if name not in derived}))
