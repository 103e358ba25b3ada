"""Sessions in pages: commands of `console` blocks are run, and what is shown must be printed."""

from __future__ import annotations

import glob
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import PATIENCE

from cli.helpers import invoke

_BLOCK_NOT_RUN = re.compile(r"<!-- not run: \S[^>]* -->\n\Z")
_PAGE_NOT_RUN = re.compile(r"^<!-- commands of this page are not run: \S[^>]* -->$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code in a page, and whether a comment before it says why it is not run."""

    language: str
    text: str
    marked: bool

    @property
    def steps(self):
        """The commands, each with the lines that are shown below it."""
        text = (
            self.text
            if self.language == "console"
            else re.sub("^", "$ ", self.text.strip(), flags=re.MULTILINE)
        )
        for step in _PROMPT.split(text)[1:]:
            command, _, shown = step.partition("\n")
            yield re.split(r"\s{2,}#|\s+$", command)[0], shown


def blocks_of(text):
    """Return the blocks of a page, in order."""
    page = _PAGE_NOT_RUN.search(text) is not None
    return [
        Block(found[1], found[2], page or _BLOCK_NOT_RUN.search(text, 0, found.start()) is not None)
        for found in _BLOCK.finditer(text)
    ]


def run(command, shown=""):
    """Run a command of a page in the current folder and compare with what the page shows."""
    first, *rest = shlex.split(command)
    if first == "cat":
        if shown and not Path(rest[0]).exists():  # the page shows a file that the reader has
            Path(rest[0]).write_text(shown, encoding="utf-8")
        return
    printed = _printed(command)
    for line in filter(None, map(str.strip, shown.splitlines())):
        assert line == "..." or _words(line) in _words(printed), (command, line, printed)


def _words(text):
    return " ".join(text.split())


def _printed(command):
    command, _, target = command.partition(" || ")[0].partition(" > ")
    text = ""
    for part in command.split(" | "):
        text = _one(part, text)
    if target:
        Path(target).write_text(text, encoding="utf-8")
    return text


def _one(command, standard_input):
    """Run one command of a pipe and return what it prints."""
    command, _, source = command.partition(" < ")
    name, *words = shlex.split(command)
    if name == "logicoder":
        Path("standard.input").write_text(standard_input, encoding="utf-8")
        words = ["standard.input" if word == "/dev/stdin" else word for word in words]
        return invoke(*(path for word in words for path in sorted(glob.glob(word)) or [word])).stdout
    if name == "ls":
        return "\n".join(sorted(path.name for path in Path(words[0]).iterdir()))
    if name == "sqlite3":
        with closing(sqlite3.connect(words[0])) as database:
            if source:
                database.executescript(Path(source).read_text(encoding="utf-8"))
                return ""
            return "\n".join("|".join(map(str, row)) for row in database.execute(words[1]))
    if name == "clingo":
        done = subprocess.run(
            [sys.executable, "-m", "clingo"],
            input=standard_input,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert "\nSATISFIABLE" in done.stdout, (done.stdout, done.stderr)
        return done.stdout
    raise AssertionError(f"{command!r} cannot be run here: write <!-- not run: why --> before its block")
