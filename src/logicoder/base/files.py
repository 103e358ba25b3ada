"""Reading whole files with clear errors, and writing files so that none is ever half-written."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, TextIO

from logicoder.base.errors import InputError, Location, OutputError, location_of
from logicoder.base.input_record import current_record
from logicoder.base.memory import available_memory, size_text

_BLOCK = 1 << 20
_SMALL = 64 << 20
_STAGED, _WHOLE = ".staged.", ".whole."
"""How folders are called whose files are being written, and whose files are whole."""
_PACKED_SMALL = "unpacked; no text is packed that small"
_MOST_PACKED = 200
"""Unpacked, a file may have so many bytes, or so many for each packed one: text never shrinks that much."""


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say in words why a file cannot be read."""
    try:
        yield
    except (FileNotFoundError, ValueError) as error:
        if isinstance(error, ValueError) and "\0" not in str(path):
            raise
        raise InputError("there is no such file", location_of(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", location_of(path)) from None
    except PermissionError:
        raise InputError("no permission to read this file", location_of(path)) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"this is not a valid gzip file ({error})", location_of(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", location_of(path)) from None


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked when its name ends in `.gz`."""
    with _readable(path):
        data = _content(path)
        return _unpacked(path, data) if path.suffix == ".gz" else data


def line_blocks(path: Path, size: int) -> Generator[bytes, None, None]:
    """Iterate over the content of a file in blocks of whole lines, unpacked like `read_bytes`.

    A regular file is noted as read once all of it was, and never is in memory as a whole. The last block may
    lack a line end.

    Args:
        path: the file.
        size: as many bytes are read at a time; a block has no more of them, but for lines that are longer.
    """
    if not path.is_file():  # a pipe gives its content only once: a record keeps it
        yield from _whole_lines(iter(partial(io.BytesIO(read_bytes(path)).read, size), b""))
        return
    with _readable(path), path.open("rb") as file:
        digest = hashlib.sha256()
        source = _Digested(file, digest)
        if path.suffix == ".gz":
            yield from _whole_lines(_unpacked_blocks(path, file, gzip.GzipFile(fileobj=source), size))
        else:
            yield from _whole_lines(iter(partial(source.read, size), b""))
        record = current_record()
        if record is not None:
            record.sums.setdefault(path, digest.hexdigest())


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over blocks that end where lines do; the last one may lack a line end."""
    rest = b""
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if end:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
    if rest:
        yield rest


def _unpacked_blocks(path: Path, file: IO[bytes], stream: gzip.GzipFile, size: int) -> Iterator[bytes]:
    """Iterate over what a file holds that is being read; refuse it as soon as that is too much."""
    total = 0
    while block := stream.read(size):
        total += len(block)
        if total > (most := _most_unpacked(file.tell())):
            raise _too_much(path, most, _PACKED_SMALL)
        yield block


class _Digested(io.RawIOBase):
    """Adds all that is read to a sum."""

    def __init__(self, stream: IO[bytes], digest: hashlib._Hash) -> None:
        self._stream = stream
        self._digest = digest

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._digest.update(data)
        return data


def _content(path: Path) -> bytes:
    """Return the bytes of a file or pipe, and note them in the open record."""
    record = current_record()
    if record is not None and path in record.streams:
        return record.streams[path]
    with path.open("rb") as stream:
        mode = os.fstat(stream.fileno()).st_mode
        endless = stat.S_ISCHR(mode) and not stream.isatty() and not os.path.samefile(path, os.devnull)
        if endless or stat.S_ISBLK(mode):
            raise InputError("this is a device, not a file", location_of(path))
        data = stream.read(_BLOCK)
        if len(data) == _BLOCK:  # less fits into any memory, and asking takes longer than reading
            most = available_memory() // 2
            data = _limited(path, stream, lambda: most, "half of the memory that is available", data)
    if record is not None:
        record.note(path, data, regular=stat.S_ISREG(mode))
    return data


def _unpacked(path: Path, data: bytes) -> bytes:
    source = io.BytesIO(data)
    available = available_memory() // 2
    with gzip.open(source) as stream:
        return _limited(path, stream, lambda: min(available, _most_unpacked(source.tell())), _PACKED_SMALL)


def _most_unpacked(packed: int) -> int:
    """Return how much text so many bytes may hold, so that a bomb is refused before it fills the memory."""
    return max(_SMALL, _MOST_PACKED * packed)


def _limited(
    path: Path, stream: IO[bytes] | gzip.GzipFile, most: Callable[[], int], why: str, start: bytes = b""
) -> bytes:
    """Read a stream to its end, after its start; refuse it as soon as it has too many bytes."""
    blocks = [start]
    size = len(start)
    while block := stream.read(_BLOCK):
        size += len(block)
        if size > (limit := most()):
            raise _too_much(path, limit, why)
        blocks.append(block)
    return b"".join(blocks)


def _too_much(path: Path, most: int, why: str) -> InputError:
    return InputError(f"this has more than {size_text(most)}, {why}", location_of(path))


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
            else "convert the file to UTF-8, for example with: iconv -f latin1 -t utf-8",
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise InputError(
            "this is a binary file (it contains a NUL byte)",
            Location(str(path), line, nul - text.rfind("\n", 0, nul)),
        )
    return text


def sha256_of(path: Path) -> str:
    """Return the SHA-256 sum of a file's bytes."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', error)}", location_of(path)) from None
    return digest.hexdigest()


@contextmanager
def atomic_writer(path: Path, *, settled: bool = False) -> Iterator[TextIO]:
    """Open a text file beside `path` and rename it at the end: the old file, or the whole new one.

    A link is followed, a device or pipe is written to as it is, and a file that is replaced keeps its mode. A
    name that ends in `.gz` is written compressed. Data of the open record are not replaced.

    Args:
        path: where to write.
        settled: what is written was checked and compressed before.
    """
    path = Path(path)
    packs = not settled and path.suffix == ".gz"
    if "\0" in str(path):
        raise OutputError(f"{str(path)!r} is not a file name: it contains a NUL character")
    temporary: Path | None = None
    try:
        if is_special(path):
            with path.open("wb") as raw, _text(raw, packs=packs) as stream:
                yield stream
            return
        target = Path(os.path.realpath(path))
        record = current_record()
        if record is not None and target in record.data and not settled:
            raise OutputError(f"{path}: cannot be written: this is the data; choose another file")
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as raw:
            with _text(raw, packs=packs) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        _take_mode(temporary, target)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise OutputError(f"{path}: the character {character!r} cannot be written as UTF-8") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def is_special(path: Path) -> bool:
    """Whether there is a device, a pipe, or an open file of this process, which nothing may replace."""
    # Standard output may be any file by another name; /dev/shm holds files like those of other folders.
    if os.path.abspath(path).startswith(("/dev/fd/", "/dev/std", "/proc/")):
        return not path.is_dir()
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def _text(raw: IO[bytes], *, packs: bool) -> Iterator[TextIO]:
    """Write text into a stream of bytes, perhaps compressed."""
    if packs:
        with gzip.open(raw, "wt", encoding="utf-8") as packed:
            yield packed
    else:
        with open(raw.fileno(), "w", encoding="utf-8", newline="\n", closefd=False) as stream:
            yield stream


def _take_mode(temporary: Path, target: Path) -> None:
    """Give a new file the mode and owner of the one that it replaces, or those of any new file."""
    try:
        old = target.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        return
    with suppress(OSError):  # of another owner, and we may not give files away
        os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(stat.S_IMODE(old.st_mode))


@contextmanager
def staged_folder(folder: Path) -> Iterator[Path]:
    """Give a folder to write into, whose files go to their places in `folder` once all of them are there.

    Until then, and if anything fails, `folder` stays as it is. All of them change at once: the folder gets
    another name when it is whole, and if the process is killed after that, `settle` does the rest.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        settle(folder)
        stage = Path(tempfile.mkdtemp(prefix=_STAGED, suffix=".part", dir=folder))
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        yield stage
        whole = stage.with_name(stage.name.replace(_STAGED, _WHOLE, 1))
        os.rename(stage, whole)
        _put(whole, folder)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def settle(folder: Path) -> None:
    """Finish what a killed process had begun: bring files to their places that all were written."""
    with suppress(OSError):  # another process was quicker, we may not write there, or there is no such folder
        for whole in sorted(folder.glob(f"{_WHOLE}*")):
            _put(whole, folder)


def _put(whole: Path, folder: Path) -> None:
    for file in sorted((f for f in whole.rglob("*") if f.is_file()), key=lambda f: -len(f.parts)):
        target = Path(os.path.realpath(folder / file.relative_to(whole)))
        target.parent.mkdir(parents=True, exist_ok=True)
        _take_place(file, target)
    shutil.rmtree(whole, ignore_errors=True)


def _take_place(file: Path, target: Path) -> None:
    """Put a file where another one may be; what is special, or lies on another disk, gets its content."""
    if not is_special(target) and file.stat().st_dev == target.parent.stat().st_dev:
        _take_mode(file, target)
        os.replace(file, target)
        return
    with file.open("rb") as content, atomic_writer(target, settled=True) as stream:
        shutil.copyfileobj(content, stream.buffer)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, or leave what was there."""
    with atomic_writer(path) as stream:
        stream.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole binary file, or leave what was there."""
    with atomic_writer(path) as stream:
        stream.buffer.write(data)
