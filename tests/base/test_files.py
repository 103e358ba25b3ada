"""Files: nothing is replaced that must not be, sums are those of what was read, and limits hold."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.waiting import until

from logicoder import InputError, KnowledgeBase
from logicoder.base.errors import OutputError
from logicoder.base.files import (
    line_blocks,
    read_bytes,
    read_text,
    settle,
    staged_folder,
    write_bytes,
    write_text,
)
from logicoder.base.input_record import recorded_inputs


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.pl"
    os.mkfifo(path)
    return path


def fed(path: Path, data: bytes) -> threading.Thread:
    """Return the thread that writes into a pipe, once."""
    thread = threading.Thread(target=path.write_bytes, args=(data,), daemon=True)
    thread.start()
    return thread


class TestWriting:
    def test_a_pipe_is_written_to_and_stays(self, pipe: Path) -> None:
        found: list[str] = []
        reader = threading.Thread(target=lambda: found.append(pipe.read_text()), daemon=True)
        reader.start()
        write_text(pipe, "p(a).\n")
        reader.join(10)
        assert found == ["p(a).\n"]
        assert stat.S_ISFIFO(pipe.stat().st_mode)

    def test_a_device_stays_one(self) -> None:
        KnowledgeBase.from_facts([("p", "a")]).save(os.devnull, "prolog")
        write_text(Path(os.devnull), "nothing")
        assert stat.S_ISCHR(os.stat(os.devnull).st_mode)

    def test_a_link_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "far").mkdir()
        target, link = tmp_path / "far" / "file", tmp_path / "link"
        target.write_text("old")
        link.symlink_to(target)
        write_text(link, "new")
        assert link.is_symlink()
        assert target.read_text() == "new"
        assert list(target.parent.iterdir()) == [target]

    def test_data_are_not_replaced(self, tmp_path: Path) -> None:
        data, link = tmp_path / "data.pl", tmp_path / "link.html"
        data.write_text("p(a).")
        link.symlink_to(data)
        with recorded_inputs():
            KnowledgeBase.from_path(data)
            for path in (data, link):
                with pytest.raises(OutputError, match="this is the data"):
                    write_text(path, "new")
        assert data.read_text() == "p(a)."
        write_text(link, "new")
        assert data.read_text() == "new"

    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
    def test_a_file_keeps_its_mode(self, tmp_path: Path, mode: int) -> None:
        path = tmp_path / "file"
        path.touch()
        path.chmod(mode)
        write_text(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == mode

    def test_a_stage_that_fails_changes_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("old")
        with suppress(OutputError), staged_folder(tmp_path) as stage:
            write_text(stage / "a", "new")
            raise OutputError("full")
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
        assert (tmp_path / "a").read_text() == "old"

    def test_a_stage_puts_all_files_into_their_places(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("old")
        (tmp_path / "kept").write_text("kept")
        with staged_folder(tmp_path) as stage:
            write_text(stage / "a", "new")
            write_text(stage / "below" / "b", "b")
        texts = {str(p.relative_to(tmp_path)): p.read_text() for p in tmp_path.rglob("*") if p.is_file()}
        assert texts == {"a": "new", "kept": "kept", "below/b": "b"}

    def test_a_stage_writes_through(self, pipe: Path, far: Path) -> None:
        far.write_text("old")
        far.chmod(0o600)
        folder = pipe.parent
        (folder / "link.gz").symlink_to(far)
        texts: list[str] = []
        reader = threading.Thread(target=lambda: texts.append(pipe.read_text()), daemon=True)
        reader.start()
        with staged_folder(folder) as stage:
            write_text(stage / pipe.name, "through")
            write_bytes(stage / "link.gz", b"new")
        reader.join(10)
        assert texts == ["through"]
        assert pipe.is_fifo()
        assert gzip.decompress(far.read_bytes()) == b"new"
        assert stat.S_IMODE(far.stat().st_mode) == 0o600
        assert not list(folder.glob(".*"))


@pytest.fixture
def far() -> Iterator[Path]:
    """A file on another disk, where there is one."""
    memory = Path("/dev", "shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder) / "far"


class TestReading:
    def test_the_sum_is_that_of_what_was_read(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"first")
        with recorded_inputs() as record:
            read_bytes(path)
            path.write_bytes(b"second")
            read_bytes(path)
        assert record.sums == {path: hashlib.sha256(b"first").hexdigest()}

    def test_a_pipe_is_read_once(self, pipe: Path) -> None:
        """To name the place of a fault the text is looked at again."""
        fed(pipe, b"p(a).\np(a,b).\n")
        with pytest.raises(InputError, match=r"pipe\.pl:2:1"):
            KnowledgeBase.from_path(pipe)

    def test_a_pipe_has_a_sum(self, pipe: Path) -> None:
        fed(pipe, b"p(a).\n")
        with recorded_inputs() as record:
            assert len(KnowledgeBase.from_path(pipe)) == 1
        assert record.sums[pipe] == hashlib.sha256(b"p(a).\n").hexdigest()

    def test_a_bomb_is_refused_before_it_goes_off(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.pl.gz"
        with gzip.open(path, "wb", compresslevel=1) as stream:
            for _ in range(100):
                stream.write(bytes(1 << 20))
        with path.open("ab") as file:  # what follows does not hide it
            file.write(gzip.compress(os.urandom(2 << 20)))
        with pytest.raises(InputError, match="more than 64 MiB, unpacked; no text is packed that small"):
            read_bytes(path)
        with pytest.raises(InputError, match="more than 64 MiB, unpacked; no text is packed that small"):
            list(line_blocks(path, 1 << 20))

    @pytest.mark.parametrize("suffix", ["", ".gz"])
    def test_blocks_of_a_pipe_are_those_of_a_file(self, tmp_path: Path, suffix: str) -> None:
        """It gives its content only once; within a record, it may be asked for again."""
        lines = b"".join(b"p(%d).\n" % number for number in range(500))
        data = gzip.compress(lines) if suffix else lines
        path, pipe = tmp_path / f"file.pl{suffix}", tmp_path / f"pipe.pl{suffix}"
        path.write_bytes(data)
        os.mkfifo(pipe)
        with recorded_inputs() as record:
            fed(pipe, data)
            expected = list(line_blocks(path, 100))
            assert list(line_blocks(pipe, 100)) == expected
            assert next(line_blocks(pipe, 100)) == expected[0]
        assert record.sums[pipe] == record.sums[path]

    def test_a_device_is_no_file(self) -> None:
        with pytest.raises(InputError, match="device"):
            read_bytes(Path("/dev/zero"))
        assert read_bytes(Path(os.devnull)) == b""


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [(b"\xff", 1, 1), (b"p(a).\nq(\xff).\n", 2, 3), ("p(ä).\nß".encode() + b"\xe9", 2, 2)],
)
def test_the_place_of_what_is_no_text(tmp_path, content, line, column):
    (tmp_path / "data.pl").write_bytes(content)
    with pytest.raises(InputError, match="is not UTF-8 text") as caught:
        read_text(tmp_path / "data.pl")
    place = caught.value.location
    assert (place.source, place.line, place.column) == (str(tmp_path / "data.pl"), line, column)


def test_the_place_of_what_is_not_there(tmp_path):
    with pytest.raises(InputError) as caught:
        read_bytes(tmp_path / "data.pl")
    assert str(caught.value.location) == str(tmp_path / "data.pl")


def test_memory_shown_as_a_folder_is_no_device():
    shared = Path("/dev/shm")  # noqa: S108  (in a folder of its own)
    if not os.access(shared, os.W_OK):
        pytest.skip("there is no such folder")
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        write_text(Path(folder) / "new" / "x", "text")
        assert (Path(folder) / "new" / "x").read_text() == "text"


@pytest.mark.parametrize("steps", range(6))
def test_a_kill_between_two_renames_loses_nothing(tmp_path, monkeypatch, steps):
    """The files are those of before or the new ones, whichever step was the last; never some of both."""
    names = ("one", "two/three", "two/four")

    def write(text):
        with staged_folder(tmp_path) as stage:
            for name in names:
                (stage / name).parent.mkdir(exist_ok=True)
                (stage / name).write_text(text)

    write("old")
    with monkeypatch.context() as patched:
        left = iter(range(steps))

        def counted(done):
            return lambda *given: os._exit(9) if next(left, None) is None else done(*given)

        patched.setattr(os, "rename", counted(os.rename))
        patched.setattr(os, "replace", counted(os.replace))
        child = os.fork()
        if child == 0:
            write("new")
            os._exit(0)
        until(lambda: os.waitpid(child, os.WNOHANG)[0], "the other process has ended")
    settle(tmp_path)
    assert {(tmp_path / name).read_text() for name in names} == {"new" if steps else "old"}
    assert not list(tmp_path.glob(".whole*"))
