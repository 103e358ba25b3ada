"""Which files hold the data, in which format, and which interpretation each belongs to."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from logicoder.base.errors import InputError, LogicoderError, UsageError, location_of, shown, whole_characters
from logicoder.base.files import is_special, line_blocks
from logicoder.base.input_record import keep_data
from logicoder.kb.file_names import name_of_stem, stem_of, suffix_of
from logicoder.kb.formats import FORMATS, all_formats, format_named, formats_of, suffixes_of, the_only
from logicoder.kb.formats.alchemy.declarations import SCHEMA_FILE
from logicoder.kb.formats.interface import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from logicoder.kb.formats.interface import Format

Interpretations = Literal["auto", "file", "folder", "one"]

# What people put beside data, and is none.
_NO_DATA = re.compile(r"(?:readme|licen[cs]e|copying|notice|changelog|source|citation)\.txt\Z", re.IGNORECASE)
_NO_DATA_SUFFIXES = (".md", ".mln")
_START = 1 << 16
# Control characters that occur in no text.
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a]")


def find_sources(
    paths: Sequence[str | Path], name: str | None, interpretations: Interpretations
) -> list[Source]:
    """Return the files that paths, folders and globs stand for, with format and interpretation.

    Raises:
        InputError: if something is not there, cannot be listed, or mixes formats.
        UsageError: if an option is wrong, or the format cannot be told from the names.
    """
    kind = None if name is None else format_named(name)
    if interpretations not in get_args(Interpretations):
        allowed = ", ".join(get_args(Interpretations))
        raise UsageError(f"interpretations must be one of {allowed}, not {shown(interpretations)}")
    if not paths:
        raise UsageError("name at least one file or folder")
    given = expand(paths)
    kind = kind or _format_of_folders(given)
    found = [_data_files(path, kind) if path.is_dir() else [path] for path in given]
    files = list(dict.fromkeys(file for several in found for file in several))
    kind = kind or _format_of(files)
    keep_data(files)
    if interpretations == "one":
        return [Source(path, kind, "data") for path in files]
    if interpretations == "folder" or (interpretations == "auto" and kind.file_holds != "interpretation"):
        keys = [_absolute(path).parent for path in files]
        names = _unique({key: whole_characters(key.name) for key in keys})
    else:
        keys = [_absolute(path) for path in files]
        names = _unique({key: stem_of(key) for key in keys})
    return [Source(path, kind, names[key]) for path, key in zip(files, keys, strict=True)]


def may_have_format(paths: Sequence[str | Path], name: str) -> bool:
    """Whether files may be read in a format, as far as their names tell, or nothing of them tells another."""
    try:
        sources = find_sources(paths, name, "auto")
    except LogicoderError:
        return False
    return all(one.suffix in one.format.suffixes or not formats_of(one.path) for one in sources)


def find_schemas(paths: Sequence[str | Path]) -> list[Path]:
    """Return the schemas that lie in the given folders, or as `schema.mln` beside the given files."""
    found: list[Path] = []
    for path in expand(paths):
        if not path.is_dir():
            beside = path.parent / SCHEMA_FILE
            # What lies beside a pipe or a device is not about the data that come through it.
            found += [beside] if beside.is_file() and not is_special(path) else []
            continue
        files = [file for file in listed(path) if file.suffix == ".mln" and not file.name.startswith(".")]
        named = [file for file in files if file.name == SCHEMA_FILE]
        if len(files) > 1 and not named:
            raise InputError(
                f"this folder has several .mln files: {', '.join(file.name for file in files)}",
                location_of(path),
                f"pass the one that declares the predicates with --schema, or rename it to {SCHEMA_FILE}",
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
        elif glob.has_magic(str(given)) and "\0" not in str(given):
            matches = [Path(match) for match in sorted(glob.glob(str(given), recursive=True))]
            files = [file for file in matches if _is_data(file)]
            if not files:
                raise InputError("no data file matches this pattern", location_of(path))
            found += files
        else:
            raise InputError("there is no such file or folder", location_of(path))
    return found


def _format_of_folders(given: Sequence[Path]) -> Format | None:
    """Return the format that all paths have as folders of certain files, if there is one."""
    if not all(path.is_dir() and os.access(path, os.R_OK | os.X_OK) for path in given):
        return None
    return next((one for one in all_formats() if all(one.folder_files(path) for path in given)), None)


def _data_files(folder: Path, kind: Format | None) -> list[Path]:
    """Return the data files of a folder; the folders in it are looked into only for tables."""
    possible = [kind] if kind else all_formats()
    files = (kind.folder_files(folder) if kind else []) or _files_in(folder, possible)
    below: list[Path] = []
    tables = [one for one in possible if one.file_holds == "predicate"]
    if tables and (kind or not files):
        inner = [path for path in listed(folder) if path.is_dir() and not path.name.startswith(".")]
        below = [file for path in inner for file in _files_in(path, tables)]
    if files and below:
        raise InputError(
            f"this folder has both tables ({files[0].name}) and folders of tables ({below[0].parent.name})",
            location_of(folder),
            "a folder of tables is one interpretation: move the tables into a separate folder",
        )
    if not files and not below:
        raise InputError(
            f"no data files ({', '.join(suffixes_of(possible))}) in this folder",
            location_of(folder),
            "subfolders are searched only for tables: pass them yourself",
        )
    return files or below


def _files_in(folder: Path, possible: Iterable[Format]) -> list[Path]:
    suffixes = suffixes_of(possible)
    return [file for file in listed(folder) if suffix_of(file) in suffixes and _is_data(file)]


def _format_of(files: Sequence[Path]) -> Format:
    """Return the format that all files have."""
    kinds: dict[tuple[str, ...], tuple[Path, Sequence[Format]]] = {}
    for file in files:
        found = formats_of(file)
        kinds.setdefault(tuple(one.name for one in found), (file, found))
    if () in kinds:
        known = ", ".join(FORMATS.names)
        raise UsageError(
            f"{kinds[()][0]}: the file extension does not determine the format; pass --format "
            f"with one of {known}"
        )
    (first, possible), *others = kinds.values()
    if others:
        raise InputError(
            f"{first.name} and {others[0][0].name} have different formats",
            location_of(others[0][0]),
            "read one format at a time, or select the files of a folder with --format",
        )
    if {one.name for one in possible} == {"tables", "triples"}:
        for file in files:
            require_text(file)  # no choice of a format would help
    return the_only(possible, first)


def require_text(path: Path) -> None:
    """Refuse a file without any text.

    Raises:
        InputError: with what it is instead.
    """
    start = next(line_blocks(path, _START), b"")
    if not start.strip():
        hint = "remove it, or read empty files as predicates without facts with --format tables"
        raise InputError("this file is empty", location_of(path), hint)
    if _NO_TEXT.search(start) and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("this is not text", location_of(path), "export it as text, for example as CSV")


def _unique(names: dict[Path, str]) -> dict[Path, str]:
    """Decode the names of files or folders, and add the folder above where two agree."""
    names = {path: name_of_stem(name) for path, name in names.items()}
    counts = Counter(names.values())
    names = {
        p: whole_characters(p.parent.name) + f"/{name}" if counts[name] > 1 else name
        for p, name in names.items()
    }
    counts = Counter(names.values())
    return {path: whole_characters(str(path)) if counts[name] > 1 else name for path, name in names.items()}


def listed(folder: Path) -> list[Path]:
    """Return what is in a folder."""
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


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))
