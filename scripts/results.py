"""Measure what the results page shows, part by part, and write its tables: `make results`.

    python scripts/results.py [PART ...] [--again] [--list] [--adopt]

Each part is a benchmark that prints a table. Its output is kept in `docs/explanation/results/PART.json` with
the command, the version and the machine, and written into the pages between `<!-- results: PART -->` and
`<!-- end -->`. A part that has such a file is not run again unless you pass `--again`. Benchmarks keep their
rows in `bench-results/parts/PART` until the part is finished, so a run that was ended continues where it
stopped. Tests compare the pages with the files.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "explanation" / "results"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
ROWS = ROOT / "bench-results" / "parts"

_PLACE = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SOURCE = re.compile(r"^`(.+)`, version (.+?); (.+)\.$", re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)

TITLES = {
    "webkb": "WebKB",
    "imdb": "IMDB",
    "uwcse": "UW-CSE",
    "cora_er": "Cora-ER",
    "umls": "UMLS",
    "kinships": "Kinships",
    "nations": "Nations",
    "wn18rr": "WN18RR",
    "fb15k237": "FB15k-237",
    "hinton_family": "Hinton's families",
    "mutagenesis": "Mutagenesis",
}
"""What pages call the data sets."""


@dataclass(frozen=True)
class Part:
    """A table of the results.

    Attributes:
        command: what prints it, after `python`.
        minutes: about how long that takes on two idle cores.
        table: which of the tables that are printed; None for all that is printed.
    """

    command: str
    minutes: int
    table: int | None = 0


_LENGTHS = "imdb webkb uwcse cora_er umls kinships nations wn18rr hinton_family"
_SELECTED = "hinton_family imdb webkb uwcse cora_er 'university, noise 0'"
PARTS = {
    "stored": Part(f"benchmarks/compression.py --stored {_LENGTHS}", 15, 1),
    "compression": Part("benchmarks/compression.py", 20),
    "selection": Part(f"benchmarks/compression.py --selection 40 {_SELECTED}", 4, -1),
    "limits": Part("benchmarks/limits.py --time 10 --memory 512MiB", 7),
    "planted": Part("benchmarks/planted.py --seeds 6", 20),
    "paper-setting": Part("benchmarks/paper_setting.py", 1),
    "twelve-settings": Part("benchmarks/twelve_settings.py --limit 60", 30),
    "experiments-generative": Part("benchmarks/experiments.py generative", 60),
    "experiments-direct": Part("benchmarks/experiments.py direct --seeds 1", 60),
    "links": Part("benchmarks/links.py", 35),
    "suggestions-hidden": Part("benchmarks/suggestions.py --task hidden", 6),
    "suggestions-wrong": Part("benchmarks/suggestions.py --task wrong", 6),
    "structure": Part("benchmarks/mln_structure.py", 3, -1),
    "features": Part("benchmarks/relational_features.py", 3),
    "following": Part("benchmarks/following.py", 2),
    "engines": Part("benchmarks/stored.py", 40),
    "candidates": Part("benchmarks/bench.py --only candidate_speed --only large_joins", 8, None),
    "solvers": Part("benchmarks/bench.py --only solvers", 6, None),
    "reading": Part("benchmarks/bench.py --only reading --only cold_start", 3, None),
}


def measured(name: str) -> dict[str, Any]:
    """Run the command of a part, and return what its file holds."""
    from logicoder import __version__  # noqa: PLC0415  (not needed to write pages)

    part = PARTS[name]
    folder = _rows_of(name, __version__)
    load = os.getloadavg()[0]
    script, *words = shlex.split(part.command)
    if "LOGICODER_DATA" in os.environ:
        os.environ["LOGICODER_DATA"] = str(Path(os.environ["LOGICODER_DATA"]).absolute())
    done = subprocess.run(  # noqa: S603
        [sys.executable, ROOT / script, *words], cwd=folder, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{name}: {part.command} failed; what it measured is kept: run it again to continue")
    shutil.rmtree(folder)
    return {
        "command": f"python {part.command}",
        "version": __version__,
        "machine": f"{os.cpu_count()} cores, load {load:.1f}, Python {sys.version.split()[0]}",
        "text": fragment(done.stdout, part.table).splitlines(),
    }


def _rows_of(name: str, version: str) -> Path:
    """Return the folder in which a part is run, where benchmarks keep the rows of a run that was ended.

    It is removed after the run, and so are rows of another version: a table has rows of one version only.
    """
    folder = ROWS / name
    mark = folder / "version"
    if folder.exists() and not (mark.exists() and mark.read_text(encoding="utf-8") == version):
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    mark.write_text(version, encoding="utf-8")
    return folder


def fragment(printed: str, number: int | None) -> str:
    r"""Return one of the tables in what a command printed, with data sets by their titles.

    >>> print(fragment("some words\n| data | bits |\n|---|---|\n| uwcse | 7 |\nmore", 0))
    | data | bits |
    |---|---|
    | UW-CSE | 7 |
    """
    text = printed if number is None else _TABLE.findall(printed)[number]
    return re.sub(
        r"^((?:\| )?)(\w+)(?=,? )", lambda m: f"{m[1]}{TITLES.get(m[2], m[2])}", text, flags=re.MULTILINE
    ).strip()


def file_of(name: str) -> Path:
    """Return the file of a part."""
    return RESULTS / f"{name}.json"


def updated(text: str) -> str:
    """Return a page with the tables of all parts that have been measured."""

    def put(match: re.Match[str]) -> str:
        if not file_of(match[2]).exists():
            return match[0]
        found = json.loads(file_of(match[2]).read_text(encoding="utf-8"))
        source = f"`{found['command']}`, version {found['version']}; {found['machine']}."
        return f"{match[1]}" + "\n".join(found["text"]) + f"\n\n{source}\n{match[3]}"

    return _PLACE.sub(put, text)


def adopted(text: str) -> None:
    """Take tables that were edited on a page into the files, for instance after a merge."""
    for match in _PLACE.finditer(text):
        path, inside = file_of(match[2]), "\n".join(match[0].splitlines()[1:-1])
        if not _TABLE.search(inside):
            continue  # a place that was moved or is new; its table comes from the file
        told = _SOURCE.search(inside)
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if told:
            known |= {"command": told[1], "version": told[2], "machine": told[3]}
        known = {"command": f"python {PARTS[match[2]].command}", "version": "?", "machine": "?"} | known
        known["text"] = _SOURCE.sub("", inside).strip().splitlines()
        _write(path, known)


def _write(path: Path, found: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)


def _listed() -> None:
    for name, part in PARTS.items():
        state = "missing"
        if file_of(name).exists():
            found = json.loads(file_of(name).read_text(encoding="utf-8"))
            state = f"version {found['version']}; {found['machine']}"
        print(f"{name:<22}{part.minutes:>4} min  {state}")


def main() -> None:
    """Run what is missing, and bring the pages up to date."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--again", action="store_true", help="measure parts again that have results")
    parser.add_argument(
        "--list", action="store_true", help="list the parts and what is there, and run nothing"
    )
    parser.add_argument("--adopt", action="store_true", help="take tables edited on the pages into the files")
    options = parser.parse_args()
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        sys.exit(f"there is no part {unknown[0]}; choose from: {', '.join(PARTS)}")
    if options.list:
        return _listed()
    if options.adopt:
        for page in PAGES:
            adopted(page.read_text(encoding="utf-8"))
    for name in () if options.adopt else options.parts or PARTS:
        if options.again or not file_of(name).exists():
            print(
                f"{name}: about {PARTS[name].minutes} minutes on two idle cores", file=sys.stderr, flush=True
            )
            _write(file_of(name), measured(name))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if updated(text) != text:
            page.write_text(updated(text), encoding="utf-8")
            print(page.relative_to(ROOT))
    return None


if __name__ == "__main__":
    main()
