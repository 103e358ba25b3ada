"""Units of work: learn auto-encoders, and evaluate what is learned on them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from logicoder.autoencoder import AutoEncoder
from logicoder.evaluation.configuration import Cell, Lengths
from logicoder.evaluation.encodings import Selecting, estimator_of, learn_encodings
from logicoder.evaluation.splits import Split
from logicoder.evaluation.store import ENCODING, Store
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program


@dataclass(frozen=True)
class Task:
    """Some units that are best done together.

    Attributes:
        split: the folds.
        role: `encoding` to learn auto-encoders, `validation` or `test` to learn networks and ask them.
        cells: of auto-encoders that are chosen from the same candidates; or of networks on the same programs,
            which differ in the prior at most.
    """

    split: Split
    role: str
    cells: tuple[Cell, ...]

    @property
    def names(self) -> list[str]:
        """The names of the units."""
        if self.role == ENCODING:
            return list(dict.fromkeys(cell.encoding for cell in self.cells if cell.encoding))
        return [cell.name for cell in self.cells]

    def done(self, store: Store) -> bool:
        """Whether all units are there."""
        return all(store.has(self.split, name, self.role) for name in self.names)


@dataclass(frozen=True)
class Workplace(ABC):
    """Where tasks are done: plain data, so that it can be handed to another process.

    Attributes:
        data: the folder of the data.
        folder: the folder of results.
        configuration: what to do.
    """

    data: str
    folder: str
    configuration: Selecting

    @property
    def store(self) -> Store:
        """The folder of results."""
        return Store(Path(self.folder))

    def do(self, task: Task) -> None:
        """Do a task; units that are there already are left alone."""
        if task.role == ENCODING:
            estimator = estimator_of(task.cells[0], self.configuration)
            learn_encodings(self.store, task.split, task.cells, lambda: self.training(task.split), estimator)
        else:
            self._evaluate_once(task)

    @abstractmethod
    def training(self, split: Split) -> KnowledgeBase:
        """Return the training data of a split."""

    @abstractmethod
    def evaluate(self, task: Task, cells: Sequence[Cell]) -> None:
        """Learn the models of some cells of a task, evaluate them, and write their units."""

    def programs(self, split: Split, cell: Cell) -> tuple[Program, Program]:
        """Return encoder and decoder that a cell rests on; empty ones where it rests on none."""
        if cell.encoding is None:
            return Program(), Program()
        model = AutoEncoder.load(self.store.model_folder(split, cell.encoding))
        return model.encoder_, model.decoder_

    def _evaluate_once(self, task: Task) -> None:
        """Evaluate the cells of a task that are not there yet, one of each prior.

        The others rest on the same programs, so they have the same numbers; their units say whose these are.
        """
        store, split, role = self.store, task.split, task.role
        first: dict[float | None, Cell] = {}
        for cell in task.cells:
            first.setdefault(cell.sigma, cell)
        missing = [cell for cell in first.values() if not store.has(split, cell.name, role)]
        if missing:
            self.evaluate(task, missing)
        for cell in task.cells:
            if not store.has(split, cell.name, role):
                same = store.read(split, first[cell.sigma].name, role)
                own = {"name": cell.name, "cell": asdict(cell), "same_as": first[cell.sigma].name}
                store.write(split, cell.name, role, same | own)


def encoding_tasks(split: Split, cells: Iterable[Cell]) -> list[Task]:
    """Return the tasks of auto-encoders: those that share candidates are one."""
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        if cell.objective is not None:
            groups.setdefault((cell.mask_weight is None, cell.lengths), []).append(cell)
    # Long clauses take longest: they come first, so that no core is idle at the end.
    tasks = [Task(split, ENCODING, tuple(group)) for group in groups.values()]
    return sorted(tasks, key=lambda task: -_length(task.cells[0]))


def evaluation_tasks(store: Store, split: Split, cells: Iterable[Cell], role: str) -> list[Task]:
    """Return the tasks of networks: those on the same programs, or that differ in the prior only, are one."""
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in cells:
        programs = store.programs(split, cell)
        key = (cell.variant, programs or cell.model_name, cell.formula_constants)
        groups.setdefault(key, []).append(cell)
    return [Task(split, role, tuple(group)) for group in groups.values()]


def _length(cell: Cell) -> int:
    lengths = Lengths.parse(cell.lengths or "")
    return lengths.encoder + lengths.decoder
