"""Valid files of every kind, made once by the commands themselves: what is damaged grows from these."""

from __future__ import annotations

import fcntl
import shutil
from functools import cache
from pathlib import Path

from typer.testing import CliRunner

from campaign.kind import FoundError
from logicoder.cli.app import app

DATA = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "v0_1" / "family"
SELECTED = ("--objective", "lexicographic", "--compression", "0.8", "--effort", "0.2")
EXPERIMENT = (
    "--grid", "1x1", "--compressions", "0.9", "--representations", "original,latent,plain", "--effort", "1",
    "--learning-time", "100", "--asking-time", "100", "--ceiling", "", "--jobs", "1",
)  # fmt: skip
LINKS = (
    "--grid", "1x1", "--compressions", "0.7", "--sigmas", "1", "--effort", "1", "--selection-time", "100",
    "--jobs", "1",
)  # fmt: skip

TINY_SELECTED = {"objective": "lexicographic", "compression": "0.8", "effort": 0.2}
_TINY = ("--objective", "lexicographic", "--compression", "0.8", "--effort", "0.2")
_FACTS = """\
father(ann,bob). father(ann,cid). mother(eve,bob). mother(eve,cid). mother(bob,dan).
parent(ann,bob). parent(ann,cid). parent(eve,bob). parent(eve,cid). parent(bob,dan). old(ann). old(eve).
"""

_COMMANDS = (
    ("fit", "tiny.pl", "-o", "tiny", "--checkpoint", "tiny-state", "--state", "tiny-following"),
    ("fit", "tiny.pl", *_TINY, "-o", "tiny-selection", "--checkpoint", "tiny-selection-state"),
    ("fit", "tiny.pl", *_TINY, "--layers", "2", "-o", "tiny-stack"),
    ("curve", "tiny.pl", "--effort", "0.2", "--points", "2", "-o", "tiny-curve"),
    ("encode", "tiny", "tiny.pl", "--lossless", "-o", "tiny-lossless"),
    ("encode", "tiny", "tiny.pl", "--lossless", "--packed", "-o", "tiny-packed"),
    ("encode", "tiny", "tiny.pl", "--engine", "duckdb", "--lossless", "-o", "tiny-stored"),
    ("fit", DATA, "-o", "message", "--checkpoint", "message-state"),
    ("fit", DATA, *SELECTED, "-o", "selection", "--checkpoint", "selection-state"),
    ("fit", DATA, *SELECTED, "--layers", "2", "-o", "stack"),
    ("curve", DATA, "--effort", "0.2", "--points", "3", "-o", "curve"),
    ("encode", "message", DATA, "--lossless", "-o", "lossless"),
    ("encode", "message", DATA, "--lossless", "--packed", "-o", "packed"),
    ("mln", "learn", DATA, "-o", "net.mln", "--checkpoint", "net-state.json"),
    ("generate", "shop", "-o", "shop.db"),
    ("inspect", "shop.db", "--mapping", "shop.toml"),
    ("generate", "university", "--people", "60", "--interpretations", "3", "--output-format", "alchemy",
     "-o", "folds"),
    ("experiment", "folds", "-o", "experiment", *EXPERIMENT),
    ("links", "graph", "-o", "links", *LINKS),
)  # fmt: skip


def command(folder: Path, *arguments: object) -> str:
    """Run a command in this process, names of the corpus in the folder; return what it says of an error.

    Raises:
        FoundError: for an internal error, or an exit code that means nothing.
    """
    given = [str(a) for a in arguments]
    placed = [
        str(folder / a) if given[i - 1] in _OUT or (a and len(a) < 99 and (folder / a).exists()) else a
        for i, a in enumerate(given)
    ]
    outcome = CliRunner().invoke(app, ["-q", *placed])
    said = outcome.stderr
    if outcome.exit_code not in (0, 1, 2) or "internal error" in said or "Traceback" in said:
        raise FoundError(f"{' '.join(given)}: exit code {outcome.exit_code}: {said[-600:]}")
    if outcome.exit_code and not said.strip():
        raise FoundError(f"{' '.join(given)}: exit code {outcome.exit_code} without a word")
    return said if outcome.exit_code else ""


_OUT = ("-o", "--checkpoint", "--mapping", "--state")


def tiny() -> Path:
    """Return a file of a dozen facts, of which all kinds of saved files are small."""
    return corpus() / "tiny.pl"


@cache
def corpus() -> Path:
    """Return a folder of valid files, made anew for every version of the sources and of this list."""
    folder = Path(__file__).resolve().parent.parent / "campaign-results" / "corpus"
    sources = (Path(__file__), *(Path(__file__).parent.parent / "src").rglob("*.py"))
    mark = f"{max(path.stat().st_mtime_ns for path in sources)}\n"
    done = folder / "done"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / "corpus.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not done.exists() or done.read_text() != mark:
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "graph").mkdir(parents=True)
            _write_graph(folder / "graph")
            (folder / "tiny.pl").write_text(_FACTS)
            for arguments in _COMMANDS:
                said = command(folder, *arguments)
                if said:
                    raise FoundError(f"{arguments}: {said}")
            done.write_text(mark)
    return folder


def _write_graph(folder: Path) -> None:
    """Write a small knowledge graph in three files; those of training mention everything."""
    people = [f"p{number}" for number in range(8)]
    facts = [(a, "above", b) for i, a in enumerate(people) for b in people[i + 1 :]]
    facts += [(b, "below", a) for a, _, b in facts]
    for name, part in (("train", facts[:-6]), ("valid", facts[-6:-3]), ("test", facts[-3:])):
        (folder / f"{name}.tsv").write_text("".join("\t".join(fact) + "\n" for fact in part))
