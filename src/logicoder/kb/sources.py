"""Which files hold the data, in which format, and which interpretation each belongs to."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args
from urllib.parse import unquote

from logicoder.base.errors import InputError, UsageError, location_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Format = Literal["prolog", "alchemy", "tables", "triples"]
Interpretations = Literal["auto", "file", "folder", "one"]

FORMATS: tuple[Format, ...] = get_args(Format)
SUFFIXES: dict[Format, tuple[str, ...]] = {
    "prolog": (".pl",),
    "alchemy": (".db",),
    "tables": (".csv", ".tsv", ".txt"),
    "triples": (".csv", ".tsv", ".txt"),
}
SCHEMA_FILE = "schema.mln"

# What people put beside data, and is none.
_NO_DATA = re.compile(r"(?:readme|licen[cs]e|copying|notice|changelog|source|citation)\.txt\Z", re.IGNORECASE)
_NO_DATA_SUFFIXES = (".md", ".mln")

# Everything but letters, digits and harmless signs; a dot or a space only in the middle.
_UNSAFE = re.compile(r"[^\w \-.()+,=@~]|^\.|[. ]\Z")

TABLES_OR_TRIPLES = (
    "say what it holds:\n"
    "  --format tables    one file per predicate, named by the file; a row is a fact\n"
    "  --format triples   one fact per row: head, relation, tail"
)


@dataclass(frozen=True)
class Source:
    """A file of facts.

    Attributes:
        path: where it is.
        format: how to read it.
        world: the name of its interpretation.
    """

    path: Path
    format: Format
    world: str

    @property
    def suffix(self) -> str:
        """The ending of the name, without `.gz`, in lower case."""
        return suffix_of(self.path)

    @property
    def stem(self) -> str:
        """What the name of the file says: it names a predicate or an interpretation."""
        return name_of_stem(_stem(self.path))


def find_sources(
    paths: Sequence[str | Path], kind: Format | None, interpretations: Interpretations
) -> list[Source]:
    """Return the files that paths, folders and globs stand for, with format and interpretation.

    Raises:
        InputError: if something is not there, cannot be listed, or mixes formats.
        UsageError: if an option is wrong, or the format cannot be told from the names.
    """
    if kind is not None and kind not in FORMATS:
        raise UsageError(f"format must be one of {', '.join(FORMATS)}, not {kind!r}")
    if interpretations not in get_args(Interpretations):
        allowed = ", ".join(get_args(Interpretations))
        raise UsageError(f"interpretations must be one of {allowed}, not {interpretations!r}")
    if not paths:
        raise UsageError("name at least one file or folder")
    found = [_data_files(path, kind) if path.is_dir() else [path] for path in expand(paths)]
    files = list(dict.fromkeys(file for several in found for file in several))
    kind = kind or _format_of(files)
    if interpretations == "one":
        return [Source(path, kind, "data") for path in files]
    if interpretations == "folder" or (interpretations == "auto" and kind == "tables"):
        keys = [_absolute(path).parent for path in files]
        names = _unique({key: key.name for key in keys})
    else:
        keys = [_absolute(path) for path in files]
        names = _unique({key: _stem(key) for key in keys})
    return [Source(path, kind, names[key]) for path, key in zip(files, keys, strict=True)]


def find_schemas(paths: Sequence[str | Path]) -> list[Path]:
    """Return the schemas that lie in the given folders, or as `schema.mln` beside the given files."""
    found: list[Path] = []
    for path in expand(paths):
        if not path.is_dir():
            beside = path.parent / SCHEMA_FILE
            found += [beside] if beside.is_file() else []
            continue
        files = [file for file in _listed(path) if file.suffix == ".mln" and not file.name.startswith(".")]
        named = [file for file in files if file.name == SCHEMA_FILE]
        if len(files) > 1 and not named:
            raise InputError(
                f"this folder has several .mln files: {', '.join(file.name for file in files)}",
                location_of(path),
                f"name the one that declares the predicates with --schema, or call it {SCHEMA_FILE}",
            )
        found += named or files
    return list(dict.fromkeys(found))


def expand(paths: Iterable[str | Path]) -> list[Path]:
    """Return existing files and folders; patterns such as `fold*.db` are expanded."""
    found: list[Path] = []
    for given in paths:
        path = Path(given)
        try:
            exists = path.exists()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", location_of(path)) from None
        if exists:
            found.append(path)
        elif glob.has_magic(str(given)):
            matches = [Path(match) for match in sorted(glob.glob(str(given), recursive=True))]
            files = [file for file in matches if _is_data(file)]
            if not files:
                raise InputError("no data file matches this pattern", location_of(path))
            found += files
        else:
            raise InputError("there is no such file or folder", location_of(path))
    return found


def _data_files(folder: Path, kind: Format | None) -> list[Path]:
    """Return the data files of a folder; the folders in it are looked into only for tables."""
    files = _files_in(folder, kind)
    below: list[Path] = []
    if kind == "tables" or (kind is None and not files):
        inner = [path for path in _listed(folder) if path.is_dir() and not path.name.startswith(".")]
        below = [file for path in inner for file in _files_in(path, "tables")]
    if files and below:
        raise InputError(
            f"this folder has both tables ({files[0].name}) and folders of tables ({below[0].parent.name})",
            location_of(folder),
            "a folder of tables is one interpretation: move the tables into a folder of their own",
        )
    if not files and not below:
        raise InputError(
            f"no data files ({', '.join(_suffixes(kind))}) in this folder",
            location_of(folder),
            "folders within it are only looked into for tables: name them yourself",
        )
    return files or below


def _files_in(folder: Path, kind: Format | None) -> list[Path]:
    suffixes = _suffixes(kind)
    return [file for file in _listed(folder) if suffix_of(file) in suffixes and _is_data(file)]


def _suffixes(kind: Format | None) -> tuple[str, ...]:
    if kind:
        return SUFFIXES[kind]
    return tuple(dict.fromkeys(suffix for several in SUFFIXES.values() for suffix in several))


def _format_of(files: Sequence[Path]) -> Format:
    kinds: dict[str, Path] = {}
    for file in files:
        kinds.setdefault(next((f for f in FORMATS if suffix_of(file) in SUFFIXES[f]), ""), file)
    if "" in kinds:
        known = ", ".join(FORMATS)
        raise UsageError(f"{kinds['']}: the name does not tell the format; --format takes {known}")
    if len(kinds) > 1:
        (_, first), (_, second) = list(kinds.items())[:2]
        raise InputError(
            f"{first.name} and {second.name} are of different formats",
            location_of(second),
            "read one format at a time, or say which files of a folder are meant with --format",
        )
    (kind, file), *_ = kinds.items()
    if kind == "tables":
        raise UsageError(f"{file}: {TABLES_OR_TRIPLES}")
    return kind  # type: ignore[return-value]


def _unique(names: dict[Path, str]) -> dict[Path, str]:
    """Decode the names of files or folders, and add the folder above where two agree."""
    names = {path: name_of_stem(name) for path, name in names.items()}
    counts = Counter(names.values())
    names = {p: f"{p.parent.name}/{name}" if counts[name] > 1 else name for p, name in names.items()}
    counts = Counter(names.values())
    return {path: str(path) if counts[name] > 1 else name for path, name in names.items()}


def file_stem(name: str) -> str:
    """Return a name for a file: what a file name should not hold is percent-encoded.

    >>> file_stem("fold 1"), file_stem("/people/born"), file_stem(".x")
    ('fold 1', '%2Fpeople%2Fborn', '%2Ex')
    """
    encoded = _UNSAFE.sub(
        lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "surrogatepass")), name
    )
    return encoded or "%"


def name_of_stem(stem: str) -> str:
    """Return the name that `file_stem` wrote; any other stem is its own name.

    >>> name_of_stem("%2Fpeople%2Fborn"), name_of_stem("100%25 and 5%")
    ('/people/born', '100%25 and 5%')
    """
    if "%" not in stem:
        return stem
    name = "" if stem == "%" else unquote(stem)
    return name if file_stem(name) == stem else stem


def _listed(folder: Path) -> list[Path]:
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InputError("no permission to read this folder", location_of(folder))
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", location_of(folder)) from None


def _is_data(path: Path) -> bool:
    """Whether a file may hold data, as far as its name tells."""
    hidden = path.name.startswith(".")
    other = path.suffix in _NO_DATA_SUFFIXES or _NO_DATA.match(path.name)
    return not hidden and not other and os.path.isfile(path)


def suffix_of(path: Path) -> str:
    """Return the ending of a file's name, without `.gz`, in lower case."""
    return Path(_without_gz(path)).suffix.lower()


def _stem(path: Path) -> str:
    return Path(_without_gz(path)).stem


def _without_gz(path: Path) -> str:
    return path.name[:-3] if path.name.lower().endswith(".gz") else path.name


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))
