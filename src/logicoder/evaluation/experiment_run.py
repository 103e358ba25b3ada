"""An experiment over folds: models that answer questions about each predicate of a fold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from logicoder.autoencoder import AutoEncoder
from logicoder.base.files import write_text
from logicoder.base.progress import Reporter, silent
from logicoder.base.saved_json import Plain, read_json
from logicoder.base.stopping import StopToken
from logicoder.evaluation.comparison import Comparison, compare
from logicoder.evaluation.configuration import CEILING, GENERATIVE, HYBRID, Cell, Configuration
from logicoder.evaluation.fold_data import all_data, checked_files, explicit_negatives, training_data
from logicoder.evaluation.fold_scores import (
    PredicateScores,
    asked_predicates,
    scored,
    trivial_predicates,
)
from logicoder.evaluation.scores import mean_scores
from logicoder.evaluation.splits import Protocol as Folds
from logicoder.evaluation.splits import Split, protocol_of, turns_of
from logicoder.evaluation.store import VALIDATION, Store, Unit, failure
from logicoder.evaluation.tasks import Task, Workplace
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Program
from logicoder.mln.direct.design import DirectSettings, learn_direct
from logicoder.mln.direct.vocabulary import Vocabulary, data_bodies, small_types
from logicoder.mln.generative import Asking, GenerativeModel
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.predicate_questions import Prediction, Question, question_of
from logicoder.mln.structure.structure_learner import learn_structure

CEILING_SIGMA = 10**0.5
"""The prior of ceilings: that of a logistic regression with C = 10."""


@dataclass(frozen=True)
class Experiment(Comparison):
    """An experiment.

    Attributes:
        protocol: the splits, of the first choice if there are several; so is `chosen`.
        turns: the splits of each choice, and what was chosen.
    """

    protocol: Folds
    turns: tuple[tuple[Folds, dict[str, Cell]], ...]


def run_experiment(
    data: str | Path,
    folder: str | Path,
    configuration: Configuration | None = None,
    *,
    jobs: int = 1,
    report: Reporter = silent,
    stop: StopToken | None = None,
) -> Experiment:
    """Run everything that an experiment still has to do.

    Args:
        data: a folder with a file for each fold.
        folder: keeps configuration, models and results; a later run with the same options continues from it.
        configuration: the options; by default, those of the command.
        jobs: number of processes.
        report: called with progress events.
        stop: ends the run early; finished units are kept.
    """
    started = perf_counter()
    data, configuration = Path(data), configuration or Configuration()
    store = Store(Path(folder))
    all_data.cache_clear()  # files may have changed since
    folds = all_data(str(data)).interpretations
    protocols = turns_of(configuration.protocol, folds, configuration.test, configuration.validation)
    configuration = _without_usual_folds(configuration, folds)
    store.begin(data, checked_files(data, protocols), configuration)
    turns: list[tuple[Folds, dict[str, Cell]]] = []
    finished = True
    for protocol in protocols:
        if finished:
            chosen, finished = compare(
                Folders(str(data), str(store.folder), configuration),
                protocol,
                list(configuration.cells()),
                "auc_pr",
                unchosen=configuration.ceiling_cells(),
                phase="experiment",
                jobs=jobs,
                report=report,
                stop=stop,
            )
            turns.append((protocol, chosen))
    return Experiment(store, turns[0][1], finished, perf_counter() - started, protocols[0], tuple(turns))


def _without_usual_folds(chosen: Configuration, folds: Sequence[str]) -> Configuration:
    """Return the configuration without folds that are taken anyway: naming them is no other experiment."""
    if chosen.protocol == "nested":
        return chosen
    usual = protocol_of(chosen.protocol, folds).choosing.test
    test = None if chosen.test == usual else chosen.test
    chooser = protocol_of(chosen.protocol, folds, test).choosing.validation
    validation = None if chosen.validation == chooser else chosen.validation
    return replace(chosen, test=test, validation=validation)


class AnsweringModel(Protocol):
    """What answers questions."""

    def answer(self, question: Question) -> Prediction:
        """Return how probable the atoms of a predicate are."""


@dataclass(frozen=True)
class Folders(Workplace):
    """A folder of folds, and one of results."""

    configuration: Configuration

    def training(self, split: Split) -> KnowledgeBase:
        """Return the training folds."""
        return training_data(self.data, split.train)

    def evaluate(self, task: Task, cells: Sequence[Cell]) -> None:
        """Learn a model for each cell, and ask it for every predicate of a fold."""
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
    ) -> tuple[Sequence[AnsweringModel], dict[str, Any]]:
        """Return a model for each cell; they differ in the prior only."""
        [first, *_] = cells
        encoder, decoder = self.programs(split, first)
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
            return GenerativeModel(network, encoder, decoder, asking), read_json(
                notes_path, dict[str, Plain], "this record of a network", "delete it to learn again"
            )
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
    ) -> Sequence[AnsweringModel]:
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
            vocabulary.add_latents(train.schema, encoder, decoder)
        return vocabulary, DirectSettings(
            max_literals=chosen.max_literals, max_variables=chosen.max_variables
        )


def _asked(
    model: AnsweringModel, fold: KnowledgeBase, negatives: KnowledgeBase | None, trivial: set[str]
) -> Unit:
    """Ask a model for every predicate of a fold in turn, and score its answers."""
    found: dict[str, PredicateScores] = {}
    told: dict[str, Unit] = {}
    for name in asked_predicates(fold):
        answer = model.answer(question_of(fold, name))
        found[name] = scored(answer, fold, negatives)
        told[name] = {**found[name].all_atoms.as_dict(), "notes": dict(answer.notes)}
        told[name]["known"] = found[name].known.as_dict()
        told[name]["only_here"] = found[name].only_here
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
        "mean_known": mean_scores({name: scores.known for name, scores in found.items()}).as_dict(),
    }
    if only:
        unit["mean_explicit"] = mean_scores(only).as_dict()
    return unit
