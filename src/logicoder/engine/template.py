"""A start for a new engine: copy this file, fill in what is missing, and declare it as an entry point.

    [project.entry-points."logicoder.engines"]
    mine = "my_package.engine:MyEngine"

The order in which to fill it in: `facts`, `domain_sizes`, `possible_atoms`, `sizes`, `constants`,
`selections` and `evaluate` are enough for encoders; `fact_counts`, `count`, `choose`, `coverage`,
`generality`, `inclusions` and `dominance` for programs of small data; `missed` for rounds; `grow`,
`count_recursive` and `count_disjunctive` for long, recursive and disjunctive decoders; `promises`,
`promising` and `complete` for large data; `run` and `materialise` for using what was learned. `interface`
says what each answers, and `tests/engine/sets` answers it with Python's sets.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from logicoder.engine.handles import Decoder, Extension
from logicoder.engine.interface import Engine, type_numbers
from logicoder.kb.knowledge_base import KnowledgeBase


@dataclass(frozen=True, eq=False)
class TemplateExtension(Extension):
    """An extension, with what it takes to find its facts again: here the name of a table."""

    table: str


@dataclass(frozen=True, eq=False)
class TemplateDecoder(Decoder):
    """A decoder, with the number of its row in a table of candidates, by which its atoms are found."""

    row: int


class TemplateEngine(Engine, ABC):
    """An engine whose operations are still to be written: a class derived from it can be used once all are.

    What to keep in mind where the data are in a database: candidates are rows of a table, never queries of
    their own. Each shape of body (`shapes`) is one join over a table of candidates; counts, and two sums of
    hashes as a fingerprint, come from one GROUP BY over the distinct pairs of candidate and atom; coverage
    classes from another one over the sorted sets of candidates of each atom. Only counts leave the engine.
    """

    name: ClassVar[str] = "template"

    def __init__(self, kb: KnowledgeBase, *, constants: int = 0, jobs: int = 1) -> None:
        # Constants of types with at most `constants` of them must exist in every interpretation.
        self._kb = kb
        self._most_constants = constants
        self._jobs = jobs
        # Entities are constants by type and interpretation: joins over them cannot cross interpretations.
        self._types = type_numbers(kb.schema)
