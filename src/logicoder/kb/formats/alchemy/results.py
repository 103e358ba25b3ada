"""Files of results: an atom and its probability in each line, in the notation of `.db` files, as in Alchemy.

Predicates come in alphabetical order, probable atoms first:

    cancer(Anna) 0.8175744761936437
    cancer(Bob) 0.5
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from logicoder.base.errors import InputError, Location, UsageError
from logicoder.base.files import atomic_writer, read_text
from logicoder.kb.file_names import file_stem, name_of_stem
from logicoder.kb.formats.alchemy.spelling import (
    NAME,
    QUOTED,
    Spelling,
    alchemy_name,
    constant_text,
    located_symbol,
)

SUFFIX = ".results"

_CONSTANT = rf'(?:{QUOTED}|[^\s(),"]++)'
_LINE = re.compile(
    rf"\s*+({NAME})(?:\s*+\(\s*+((?:{_CONSTANT}\s*+(?:,\s*+{_CONSTANT}\s*+)*+)?+)\))?+\s++(\S++)\s*+\Z"
)
_CONSTANTS = re.compile(_CONSTANT)

Arguments = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PredicateResults:
    """The probabilities of atoms of one predicate: the symbols of their arguments, and one number each."""

    atoms: Sequence[Arguments]
    probabilities: np.ndarray


Results = Mapping[str, Mapping[str, PredicateResults]]
"""By interpretation and predicate."""


def result_lines(part: Mapping[str, PredicateResults]) -> Iterator[str]:
    """Yield the lines of a results file.

    Raises:
        UsageError: if a name does not fit the notation.
    """
    texts: dict[str, str] = {}

    def text(symbol: str) -> str:
        if symbol not in texts:
            texts[symbol] = constant_text(symbol)
        return texts[symbol]

    for name in sorted(part):
        if not alchemy_name(name):
            raise UsageError(f"the predicate {name!r} is not a plain word, which the results format requires")
        found = part[name]
        lines = [
            (-p, f"{name}({','.join(map(text, atom))})" if atom else name)
            for atom, p in zip(found.atoms, found.probabilities.tolist(), strict=True)
        ]
        for negative, atom in sorted(lines):
            yield f"{atom} {0.0 - negative!r}"


def write_results(results: Results, path: str | Path) -> None:
    """Write a file for one interpretation, or a folder with a file for each of several.

    Raises:
        UsageError: if several interpretations would go into one file, or a name does not fit the notation.
    """
    path = Path(path)
    if len(results) == 1 and not path.is_dir():
        _write(next(iter(results.values())), path)
        return
    if path.suffix:
        raise UsageError(f"{path}: {len(results)} interpretations need a folder: a name without an extension")
    for name, part in results.items():
        _write(part, path / f"{file_stem(name)}{SUFFIX}")


def _write(part: Mapping[str, PredicateResults], path: Path) -> None:
    with atomic_writer(path) as stream:
        stream.writelines(f"{line}\n" for line in result_lines(part))


def read_results(path: str | Path, predicates: Collection[str] = ()) -> Results:
    """Read a results file, or all of a folder; interpretations are called after the files.

    Args:
        path: the file or folder.
        predicates: how predicates are spelled; their case does not matter in the file.

    Raises:
        InputError: with the line that is no result.
    """
    path = Path(path)
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix == SUFFIX)
        if not files:
            raise InputError(f"this folder has no {SUFFIX} file", Location(str(path)))
    return {name_of_stem(file.name.removesuffix(SUFFIX)): _read(file, Spelling(predicates)) for file in files}


def _read(path: Path, spell: Spelling) -> dict[str, PredicateResults]:
    found: dict[str, tuple[list[Arguments], list[float]]] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("//"):
            continue
        match = _LINE.match(line)
        probability = _probability(match[3]) if match else None
        if match is None or probability is None:
            raise InputError(
                f"this is not an atom with its probability: {line.strip()[:60]}",
                Location(str(path), number),
                "write a line such as smokes(Anna) 0.75",
            )
        tokens = _CONSTANTS.findall(match[2] or "")
        symbols = tuple(located_symbol(token, line, 0, str(path)) for token in tokens)
        atoms, probabilities = found.setdefault(spell(match[1]), ([], []))
        atoms.append(symbols)
        probabilities.append(probability)
    return {name: PredicateResults(atoms, np.array(p)) for name, (atoms, p) in found.items()}


def _probability(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
