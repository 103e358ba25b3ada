"""A knowledge graph with its three files: facts to learn from, to choose by, and to be tested on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logicoder.base.errors import InputError, UsageError, location_of
from logicoder.base.files import read_text
from logicoder.kb.file_names import suffix_of
from logicoder.kb.formats.records import delimiter_of, records
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.kb.sources import find_sources
from logicoder.logic.parser import place
from logicoder.logic.symbols import symbol_of_field

logger = logging.getLogger("logicoder")

PARTS = ("train", "valid", "test")
MOST_ATOMS = 100_000_000
"""Of all relations together: every one of them gets a score."""

Triples = NDArray[np.int64]
"""A row for each fact: relation, head, tail, as numbers."""


@dataclass(frozen=True, eq=False)
class KnowledgeGraph:
    """The facts of a knowledge graph, numbered.

    Attributes:
        train: the facts to learn from, as a knowledge base.
        entities: all entities, those of the training facts, in the order of their numbers.
        relations: likewise.
        facts: those of each part as numbers.
    """

    train: KnowledgeBase
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    facts: dict[str, Triples]

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many relations, heads and tails there are: the shape of scores of all atoms."""
        return len(self.relations), len(self.entities), len(self.entities)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Which atoms are facts of training."""
        return self.holding(self.facts["train"])

    @cached_property
    def every(self) -> NDArray[np.bool_]:
        """Which atoms are facts of any part."""
        return self.holding(np.concatenate(list(self.facts.values())))

    def holding(self, triples: Triples) -> NDArray[np.bool_]:
        """Return which atoms are among some facts."""
        found = np.zeros(self.shape, np.bool_)
        found[tuple(triples.T)] = True
        return found


def files_of(folder: Path) -> dict[str, Path]:
    """Return the file of each part of a graph.

    Raises:
        InputError: if it is no folder, or a part is missing or there twice.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(
            "this is a file; pass the folder that contains train, valid and test", location_of(folder)
        )
    found: dict[str, list[Path]] = {part: [] for part in PARTS}
    for source in find_sources([folder], "triples", "file"):
        if source.stem in found:
            found[source.stem].append(source.path)
    for part, paths in found.items():
        if len(paths) != 1:
            said = (
                f"there are several files of {part} facts" if paths else f"there is no file of {part} facts"
            )
            raise InputError(
                f"{said} in this folder",
                location_of(folder),
                "it must contain train, valid and test, each a file of triples: train.txt, train.tsv or "
                "train.csv, possibly compressed as .gz",
            )
    return {part: paths[0] for part, paths in found.items()}


def read_graph(folder: str | Path) -> KnowledgeGraph:
    """Read a graph from a folder that holds train, valid and test."""
    files = files_of(Path(folder))
    # A declared schema is left aside: an entity is an entity, whatever its type.
    parts = {
        part: KnowledgeBase.from_path(path, format="triples", schema=Schema({}), strangers=True, types="one")
        for part, path in files.items()
    }
    train = parts["train"]
    [entities] = train.constants().values()
    if len(train.predicates) * len(entities) ** 2 > MOST_ATOMS:
        raise UsageError(
            f"{folder}: {len(train.predicates)} relations of {len(entities):,} entities make "
            f"{len(train.predicates) * len(entities) ** 2:,} atoms; every atom gets a score, "
            f"so there must be at most {MOST_ATOMS:,}"
        )
    for part in PARTS[1:]:
        _check_known(files[part], set(entities), set(train.predicates))
    numbers = {part: _numbered(kb, entities, train.predicates) for part, kb in parts.items()}
    graph = KnowledgeGraph(train, entities, train.predicates, numbers)
    _warn_of_repetitions(graph, files)
    return graph


def _warn_of_repetitions(graph: KnowledgeGraph, files: Mapping[str, Path]) -> None:
    """Warn of facts that are in two parts: whoever knows them there need not predict them here."""
    for one, two, said in (
        ("valid", "train", "training facts"),
        ("test", "train", "training facts"),
        ("test", "valid", "validation facts"),
    ):
        again = int(graph.holding(graph.facts[two])[tuple(graph.facts[one].T)].sum())
        if again:
            logger.warning("%s: %s of %s facts are %s, too", files[one], again, len(graph.facts[one]), said)


def _check_known(path: Path, entities: set[str], relations: set[str]) -> None:
    """Make sure that training facts mention all that others do: nothing can be said of anything else."""
    text = read_text(path)
    for record in records(text, delimiter_of(suffix_of(path), text, triples=True), str(path)):
        head, relation, tail = record
        for what, field, known in (
            ("entity", head, symbol_of_field(head.text) in entities),
            ("relation", relation, relation.text in relations),
            ("entity", tail, symbol_of_field(tail.text) in entities),
        ):
            if not known:
                raise InputError(
                    f"no training fact mentions the {what} {field.text}",
                    place(text, field.start, str(path)),
                    "nothing can be learned about it: remove the row, or move one with it to train",
                )


def _numbered(kb: KnowledgeBase, entities: Sequence[str], relations: Sequence[str]) -> Triples:
    places = {symbol: number for number, symbol in enumerate(entities)}
    symbols = np.array([places.get(symbol, -1) for symbol in kb.symbols], np.int64)
    rows = [np.empty((0, 3), np.int64)]
    for number, relation in enumerate(relations):
        if relation in kb.schema:
            pairs = symbols[kb.table(relation).arguments]
            rows.append(np.column_stack([np.full(len(pairs), number), pairs]))
    return np.concatenate(rows)
