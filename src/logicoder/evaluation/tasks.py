"""Units of work of an experiment: make representations, learn models on them, ask them about a fold."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from logicoder.autoencoder import AutoEncoder
from logicoder.base.errors import LogicoderError
from logicoder.base.files import read_text, write_text
from logicoder.engine.signatures import program_schema
from logicoder.evaluation.configuration import CEILING, GENERATIVE, HYBRID, Cell, Configuration, Lengths
from logicoder.evaluation.data import all_data, explicit_negatives, training_data
from logicoder.evaluation.direct_learning import DirectSettings, learn_direct
from logicoder.evaluation.generative import Asking, GenerativeModel
from logicoder.evaluation.questions import (
    Answer,
    PredicateScores,
    Question,
    asked_predicates,
    question_of,
    scored,
    trivial_predicates,
)
from logicoder.evaluation.scores import mean_scores
from logicoder.evaluation.splits import Split
from logicoder.evaluation.store import ENCODING, VALIDATION, Store, Unit
from logicoder.evaluation.vocabulary import (
    Vocabulary,
    data_bodies,
    depends_of,
    latent_bodies,
    small_types,
)
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Program
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.structure.learn import learn_structure

logger = logging.getLogger("logicoder")

CEILING_SIGMA = 10**0.5
"""The prior of ceilings: that of a logistic regression with C = 10."""


class Model(Protocol):
    """What answers questions."""

    def answer(self, question: Question) -> Answer:
        """Return how probable the atoms of a predicate are."""


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
class Workplace:
    """Where tasks are done: plain data, so that it can be handed to another process.

    Attributes:
        data: the folder of the folds.
        folder: the folder of the experiment.
        configuration: what to do.
    """

    data: str
    folder: str
    configuration: Configuration

    def do(self, task: Task) -> None:
        """Do a task; units that are there already are left alone."""
        if task.role == ENCODING:
            estimator = estimator_of(task.cells[0], self.configuration)
            learn_encodings(self.store, task, lambda: training_data(self.data, task.split.train), estimator)
        else:
            evaluate_once(self.store, task, lambda cells: self._learn_and_ask(task, cells))

    @property
    def store(self) -> Store:
        """The folder of the experiment."""
        return Store(Path(self.folder))

    def _learn_and_ask(self, task: Task, cells: Sequence[Cell]) -> None:
        store, split = self.store, task.split
        name = (split.validation if task.role == VALIDATION else split.test) or ""
        train = training_data(self.data, split.train)
        fold = training_data(self.data, (name,))
        trivial = trivial_predicates(all_data(self.data))
        started = perf_counter()
        try:
            models, notes = self._models(train, split, cells)
        except Exception as error:
            for cell in cells:
                store.write(split, cell.name, task.role, self._unit(cell, split, name) | failure(error))
            return
        learning = perf_counter() - started
        for cell, model in zip(cells, models, strict=True):
            started = perf_counter()
            unit = self._unit(cell, split, name) | {"learned": notes}
            try:
                unit |= _asked(model, fold, explicit_negatives(self.data, name, fold.schema), trivial)
            except Exception as error:
                unit |= failure(error)
            asking = perf_counter() - started
            unit["seconds"] = {"learning": round(learning, 3), "asking": round(asking, 3)}
            store.write(split, cell.name, task.role, unit)

    def _unit(self, cell: Cell, split: Split, fold: str) -> Unit:
        folder = self.store.model_folder(split, cell.name)
        return {
            "cell": asdict(cell),
            "variant": cell.variant,
            "train": split.train,
            "fold": fold,
            "seed": self.configuration.seed,
            "model": str(folder.relative_to(self.store.folder)),
        }

    def _models(
        self, train: KnowledgeBase, split: Split, cells: Sequence[Cell]
    ) -> tuple[Sequence[Model], dict[str, Any]]:
        """Return a model for each cell; they differ in the prior only."""
        [first, *_] = cells
        encoder = decoder = Program()
        if first.encoding is not None:
            model = AutoEncoder.load(self.store.model_folder(split, first.encoding))
            encoder, decoder = model.encoder_, model.decoder_
        if first.representation in GENERATIVE:
            generative, notes = self._generative(train, split, first, encoder, decoder)
            return [generative], notes
        return self._direct(train, split, cells, encoder, decoder), {}

    def _generative(
        self, train: KnowledgeBase, split: Split, cell: Cell, encoder: Program, decoder: Program
    ) -> tuple[GenerativeModel, dict[str, Any]]:
        chosen = self.configuration
        folder = self.store.model_folder(split, cell.name)
        asking = Asking(seconds=chosen.asking_seconds, seed=chosen.seed)
        data = (
            train
            if not len(encoder)
            else AutoEncoder.from_programs(encoder, decoder, schema=train.schema).transform(train)
        )
        path, notes_path = folder / "network.mln", folder / "learned.json"
        if notes_path.exists():  # it is written last
            network = MarkovLogicNetwork.load(path, data.schema)
            return GenerativeModel(network, encoder, decoder, asking), json.loads(read_text(notes_path))
        found = learn_structure(
            data,
            method=cell.learner or "busl",
            max_literals=chosen.max_literals,
            max_variables=chosen.max_variables,
            seed=chosen.seed,
            time_limit=chosen.learning_seconds,
        )
        network = MarkovLogicNetwork(Schema(found.network.schema.predicates), found.network.formulas)
        model = GenerativeModel(network, encoder, decoder, asking)
        model.save(folder)
        notes = {"formulas": len(network), "finished": found.finished, "wpll": found.value}
        write_text(notes_path, json.dumps(notes) + "\n")
        return model, notes

    def _direct(
        self, train: KnowledgeBase, split: Split, cells: Sequence[Cell], encoder: Program, decoder: Program
    ) -> Sequence[Model]:
        [first, *_] = cells
        vocabulary, settings = self._language(train, first, encoder, decoder)
        sigmas = [CEILING_SIGMA if cell.sigma is None else cell.sigma for cell in cells]
        models = learn_direct(train, encoder, vocabulary, sigmas, settings)
        if first.representation != CEILING:
            for cell, model in zip(cells, models, strict=True):
                model.save(self.store.model_folder(split, cell.name), Schema(train.schema.predicates))
        return models

    def _language(
        self, train: KnowledgeBase, cell: Cell, encoder: Program, decoder: Program
    ) -> tuple[Vocabulary, DirectSettings]:
        chosen = self.configuration
        if cell.representation == CEILING:
            bodies = data_bodies(
                train, int(cell.lengths or 1), constants=chosen.ceiling_constants, disjunctions=True
            )
            named = small_types(train, chosen.ceiling_constants)
            everything = 10**9
            return Vocabulary(bodies, constants=named), DirectSettings(
                max_literals=2, max_variables=None, most=everything, refined=everything, least_gain=-1.0
            )
        vocabulary = Vocabulary(
            data_bodies(train, chosen.max_literals - 1),
            constants=small_types(train, cell.formula_constants),
        )
        if cell.representation == HYBRID:
            add_latents(vocabulary, train, encoder, decoder)
        return vocabulary, DirectSettings(
            max_literals=chosen.max_literals, max_variables=chosen.max_variables
        )


def failure(error: Exception) -> Unit:
    """Return why a unit has no result; what nobody expected is marked, since it may not happen again.

    >>> failure(MemoryError())
    {'failed': 'out of memory', 'unexpected': True}
    >>> failure(ZeroDivisionError("division by zero"))
    {'failed': 'ZeroDivisionError: division by zero', 'unexpected': True}
    """
    logger.debug("a unit failed", exc_info=error)
    kind = "out of memory" if isinstance(error, MemoryError) else type(error).__name__
    if isinstance(error, LogicoderError):
        return {"failed": str(error) or kind}
    return {"failed": f"{kind}: {error}" if str(error) else kind, "unexpected": True}


def _variation(cell: Cell) -> dict[str, Any]:
    """Return what auto-encoders of the same candidates differ in."""
    masking = {} if cell.mask_weight is None else {"mask_weight": cell.mask_weight}
    return {"compression": cell.compression, **masking}


class Selecting(Protocol):
    """What configurations say about learning auto-encoders; see `Configuration`."""

    @property
    def effort(self) -> float: ...  # noqa: D102
    @property
    def selection_seconds(self) -> float: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


def estimator_of(cell: Cell, chosen: Selecting) -> AutoEncoder:
    """Return what learns the auto-encoder of a cell, and others from the same candidates, on one core."""
    lengths = Lengths.parse(cell.lengths or "")
    common: dict[str, Any] = {
        "encoder_length": lengths.encoder,
        "decoder_length": lengths.decoder,
        "constants": lengths.constants,
        "effort": chosen.effort,
        "time_limit": chosen.selection_seconds,
        "seed": chosen.seed,
        "jobs": 1,
    }
    if cell.mask_weight is None:
        return AutoEncoder.from_preset("paper", **common)
    return AutoEncoder(objective="masked", mask_weight=cell.mask_weight, **common)


def learn_encodings(
    store: Store, task: Task, read: Callable[[], KnowledgeBase], estimator: AutoEncoder
) -> None:
    """Learn the auto-encoders of a task that are not there yet, and keep them.

    Args:
        store: where they are kept.
        task: names them.
        read: reads the training data.
        estimator: learns them, once it knows in what they differ.
    """
    split = task.split
    missing = [c for c in _by_encoding(task.cells) if not store.has(split, c.encoding or "", ENCODING)]
    if not missing:
        return
    train = read()
    started = perf_counter()
    outcomes: Iterator[AutoEncoder | Exception]
    outcomes = estimator.fit_several(train, [_variation(cell) for cell in missing])
    for cell in missing:
        unit: Unit = {"cell": asdict(cell), "train": split.train, "seed": estimator.get_params()["seed"]}
        outcome: AutoEncoder | Exception
        try:
            outcome = next(outcomes)
        except Exception as error:
            outcome = error
            outcomes = iter([error] * len(missing))
        if isinstance(outcome, Exception):
            unit |= failure(outcome)
        else:
            folder = store.model_folder(split, cell.encoding or "")
            outcome.save(folder / "model.alp")
            unit |= _encoding_unit(outcome) | {"model": str(folder.relative_to(store.folder))}
        unit["seconds"] = round(perf_counter() - started, 3)
        started = perf_counter()
        store.write(split, cell.encoding or "", ENCODING, unit)


def evaluate_once(store: Store, task: Task, evaluate: Callable[[list[Cell]], None]) -> None:
    """Evaluate the cells of a task that are not there yet, one of each prior.

    The others rest on the same programs, so they have the same numbers; their units say whose these are.

    Args:
        store: keeps the units.
        task: the cells.
        evaluate: writes the units of the cells that it is given.
    """
    split, role = task.split, task.role
    first: dict[float | None, Cell] = {}
    for cell in task.cells:
        first.setdefault(cell.sigma, cell)
    missing = [cell for cell in first.values() if not store.has(split, cell.name, role)]
    if missing:
        evaluate(missing)
    for cell in task.cells:
        if not store.has(split, cell.name, role):
            same = store.read(split, first[cell.sigma].name, role)
            own = {"name": cell.name, "cell": asdict(cell), "same_as": first[cell.sigma].name}
            store.write(split, cell.name, role, same | own)


def add_latents(vocabulary: Vocabulary, train: KnowledgeBase, encoder: Program, decoder: Program) -> Schema:
    """Add latents and decoder clauses to a vocabulary; return the latents with their types."""
    depends = depends_of(encoder)
    latents = program_schema(encoder, train.schema, None)
    vocabulary.bodies += latent_bodies(latents, encoder, depends)
    vocabulary.decoder, vocabulary.depends = decoder, depends
    return latents


def _by_encoding(cells: Sequence[Cell]) -> list[Cell]:
    """Return one cell for each auto-encoder."""
    return list({cell.encoding: cell for cell in reversed(cells)}.values())[::-1]


def _encoding_unit(model: AutoEncoder) -> Unit:
    return {
        "loss": model.loss_,
        "masked": model.masked_,
        "facts": model.facts_,
        "latent_facts": model.latent_facts_,
        "latent_predicates": len(model.encoder_.defined()),
        "decoder_clauses": len(model.decoder_),
        "programs": sha256(f"{model.encoder_}\n{model.decoder_}".encode()).hexdigest(),
        "status": model.status_,
        "stopped": model.stopped_,
        "variables": model.statistics_["problem"]["variables"],
        "phases": {name: round(value, 3) for name, value in model.statistics_["seconds"].items()},
    }


def _asked(model: Model, fold: KnowledgeBase, negatives: KnowledgeBase | None, trivial: set[str]) -> Unit:
    """Ask a model for every predicate of a fold in turn, and score its answers."""
    found: dict[str, PredicateScores] = {}
    told: dict[str, Unit] = {}
    for name in asked_predicates(fold):
        answer = model.answer(question_of(fold, name))
        found[name] = scored(answer, fold, negatives)
        told[name] = {**found[name].all_atoms.as_dict(), "notes": dict(answer.notes)}
        explicit = found[name].explicit
        if explicit is not None:
            told[name]["explicit"] = explicit.as_dict()
    every = {name: scores.all_atoms for name, scores in found.items()}
    only = {name: scores.explicit for name, scores in found.items() if scores.explicit is not None}
    unit: Unit = {
        "predicates": told,
        "trivial": sorted(trivial & set(every)),
        "mean": mean_scores(every).as_dict(),
        "mean_nontrivial": mean_scores(every, trivial).as_dict(),
    }
    if only:
        unit["mean_explicit"] = mean_scores(only).as_dict()
    return unit
