"""Reading whole files with clear errors, and writing files so that none is ever half-written."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from logicoder.base.errors import InputError, Location, OutputError, location_of


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked when its name ends in `.gz`."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except FileNotFoundError:
        raise InputError("there is no such file", location_of(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", location_of(path)) from None
    except PermissionError:
        raise InputError("no permission to read this file", location_of(path)) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"this is not a sound gzip file ({error})", location_of(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", location_of(path)) from None


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 text file (also `.gz`); binary content is refused with its place."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise InputError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text",
            Location(str(path), line, column),
            "this looks like a binary file"
            if b"\0" in data
            else "convert the file to UTF-8 (for instance: iconv -f latin1 -t utf-8)",
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise InputError(
            "this is a binary file (it has a NUL byte)",
            Location(str(path), line, nul - text.rfind("\n", 0, nul)),
        )
    return text


def sha256_of(path: Path) -> str:
    """Return the SHA-256 sum of a file's bytes."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def atomic_writer(path: Path) -> Iterator[TextIO]:
    """Open a text file beside `path` and rename it at the end: the old file, or the whole new one.

    A name that ends in `.gz` is written compressed.
    """
    path = Path(path)
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as raw:
            if path.suffix == ".gz":
                with gzip.open(raw, "wt", encoding="utf-8") as packed:
                    yield packed
            else:
                stream = open(raw.fileno(), "w", encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115
                with stream:
                    yield stream
            raw.flush()
            os.fsync(raw.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise OutputError(f"{path}: the character {character!r} cannot be written as UTF-8") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, or leave what was there."""
    with atomic_writer(path) as stream:
        stream.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole binary file, or leave what was there."""
    with atomic_writer(path) as stream:
        stream.buffer.write(data)
