"""Make the gallery: learn each data set with the default settings, draw it, and write the table of the page.

    python scripts/gallery.py [NAME ...]

The data sets are those of `docs/reference/datasets.md`, in the folder that `LOGICODER_DATA` names. Pictures
and numbers change when the learner does, so everything on the page that was measured is made here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "gallery.md"
PICTURES = ROOT / "docs" / "explanation" / "gallery"
NUMBERS = PICTURES / "gallery.json"

COLUMNS = {
    "facts": "facts",
    "latent_facts": "kept",
    "decoder_clauses": "clauses",
    "exceptions": "exceptions",
    "plain_bits": "plain bits",
    "bits": "bits",
}
"""What `fit --json` says, and how the table calls it."""

MOST_CLAUSES = 6
"""Clauses that are shown of each data set: those that save most."""

_PART = re.compile(r"(<!-- gallery(?:: (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Exhibit:
    """A data set: its title and files, how they are read, and what is drawn."""

    title: str
    files: tuple[str, ...]
    triples: bool = False
    plots: tuple[str, ...] = ("architecture",)


EXHIBITS = {
    "webkb": Exhibit(
        "WebKB",
        ("cornell.db", "texas.db", "washington.db", "wisconsin.db"),
        plots=("architecture", "predicates"),
    ),
    "imdb": Exhibit("IMDB", tuple(f"imdb{n}.db" for n in range(1, 6))),
    "uwcse": Exhibit("UW-CSE", ("ai.db", "graphics.db", "language.db", "systems.db", "theory.db")),
    "cora_er": Exhibit("Cora-ER", tuple(f"cora{n}.db" for n in range(1, 6))),
    "umls": Exhibit("UMLS", ("train.txt",), triples=True, plots=("architecture", "search")),
    "nations": Exhibit("Nations", ("train.txt",), triples=True),
}


def made(name: str, data: Path, folder: Path) -> dict[str, Any]:
    """Learn a data set, keep its pictures, and return its row of the table."""
    exhibit = EXHIBITS[name]
    files = [str(data / name / file) for file in exhibit.files]
    reading = ["--format", "triples"] if exhibit.triples else []
    learned = logicoder("fit", *files, *reading, "--json", "--quiet", "-o", folder / "model")
    result = json.loads(learned)
    reading = ["--data-format", "triples"] if exhibit.triples else []
    wanted = [word for plot in exhibit.plots for word in ("--what", plot)]
    logicoder("plot", folder / "model", *files, *reading, *wanted, "-o", folder / "plots")
    shutil.rmtree(PICTURES / name, ignore_errors=True)
    shutil.copytree(folder / "plots", PICTURES / name)
    best = sorted(result["clauses"], key=lambda clause: -clause["saved"])[:MOST_CLAUSES]
    return {key: round(result[key]) for key in COLUMNS} | {"best": [clause["clause"] for clause in best]}


def logicoder(*words: object) -> str:
    """Run the command and return what it prints."""
    command = [sys.executable, "-m", "logicoder", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def updated(text: str, rows: dict[str, dict[str, Any]]) -> str:
    """Return the text of the page with its table and its clauses made anew."""

    def part(found: re.Match[str]) -> str:
        made = (
            table(rows) if found[2] is None else "\n".join(["```prolog", *rows[found[2]]["best"], "```", ""])
        )
        return found[1] + made + found[3]

    return _PART.sub(part, text)


def table(rows: dict[str, dict[str, Any]]) -> str:
    """Return the table of the page."""
    lines = [f"| data | {' | '.join(COLUMNS.values())} |", "|---|" + "---:|" * len(COLUMNS)]
    for name, exhibit in EXHIBITS.items():
        numbers = " | ".join(f"{rows[name][key]:,}" for key in COLUMNS)
        lines.append(f"| [{exhibit.title}](#{exhibit.title.lower()}) | {numbers} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    data = Path(os.environ.get("LOGICODER_DATA") or ROOT / ".." / "shared" / "datasets").resolve()
    rows = json.loads(NUMBERS.read_text(encoding="utf-8")) if NUMBERS.exists() else {}
    for name in sys.argv[1:] or EXHIBITS:
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = made(name, data, Path(folder))
        print(name, rows[name], flush=True)
        NUMBERS.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
