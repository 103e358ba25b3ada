"""Predicting links: all units of work, chosen on the validation facts, tested once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from logicoder.autoencoder import AutoEncoder
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.evaluation.choosing import chosen_cells
from logicoder.evaluation.configuration import Cell
from logicoder.evaluation.direct_learning import learn_direct
from logicoder.evaluation.links.baselines import all_rules, frequency, most_similar_rule
from logicoder.evaluation.links.configuration import BASELINES, FREQUENCY, RULE, LinkConfiguration
from logicoder.evaluation.links.graph import Graph, files_of, read_graph
from logicoder.evaluation.links.models import scores_of, settings_of, vocabulary_of
from logicoder.evaluation.links.ranking import by_relation, link_scores, ranks
from logicoder.evaluation.running import Outcome, encoding_tasks, evaluation_tasks
from logicoder.evaluation.splits import Split
from logicoder.evaluation.store import ENCODING, TEST, VALIDATION, Store, Unit
from logicoder.evaluation.tasks import Task, estimator_of, evaluate_once, failure, learn_encodings
from logicoder.evaluation.working import Run
from logicoder.logic.terms import Program

PHASE = "links"
SPLIT = Split("links", ("train",), "valid", "test")

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class LinkPrediction(Outcome):
    """A comparison of models that predict links.

    Attributes:
        configuration: what was done.
    """

    configuration: LinkConfiguration


def predict_links(
    data: str | Path,
    folder: str | Path,
    configuration: LinkConfiguration | None = None,
    *,
    jobs: int = 1,
    report: Reporter = silent,
    stop: StopToken | None = None,
) -> LinkPrediction:
    """Do all that is still to be done of a comparison.

    Args:
        data: a folder with the files train, valid and test.
        folder: keeps everything; a later run with the same options goes on from it.
        configuration: what to do.
        jobs: as in an experiment, like the rest.
        report: told of the progress.
        stop: ends the run early.
    """
    started = perf_counter()
    data, chosen_options = Path(data), configuration or LinkConfiguration()
    graph_of.cache_clear()  # files may have changed since
    graph_of(str(data))
    store = Store(Path(folder))
    store.begin(data, list(files_of(data).values()), chosen_options)
    store.forget_failures()
    run = Run(
        Place(str(data), str(store.folder), chosen_options), store, jobs, report, stop or StopToken(), PHASE
    )
    cells = list(chosen_options.cells())
    encodings = encoding_tasks(SPLIT, cells)
    models, variants = ({getattr(cell, name) for cell in cells} for name in ("model_name", "variant"))
    chosen: dict[str, Cell] = {}
    with run.working({ENCODING: len(encodings), VALIDATION: len(models), TEST: len(variants)}):
        run.do(encodings)
        evaluations = evaluation_tasks(store, SPLIT, cells, VALIDATION)
        run.expect(VALIDATION, len(evaluations) - len(models))
        run.do(evaluations)
        if not run.stopped:
            chosen = chosen_cells(store, SPLIT, cells, "mrr")
        run.do(evaluation_tasks(store, SPLIT, chosen.values(), TEST))
    return LinkPrediction(store, chosen, not run.stopped, perf_counter() - started, chosen_options)


@lru_cache(maxsize=2)
def graph_of(data: str) -> Graph:
    """Return the graph of a folder."""
    return read_graph(data)


@dataclass(frozen=True)
class Place:
    """Where tasks are done: plain data, so that it can be handed to another process.

    Attributes:
        data: the folder of the graph.
        folder: the folder of results.
        configuration: what to do.
    """

    data: str
    folder: str
    configuration: LinkConfiguration

    @property
    def store(self) -> Store:
        """The folder of results."""
        return Store(Path(self.folder))

    def do(self, task: Task) -> None:
        """Do a task; units that are there already are left alone."""
        if task.role == ENCODING:
            estimator = estimator_of(task.cells[0], self.configuration)
            learn_encodings(self.store, task, lambda: graph_of(self.data).train, estimator)
        else:
            evaluate_once(self.store, task, lambda cells: self._evaluate(cells, task.role))

    def _evaluate(self, cells: list[Cell], role: str) -> None:
        store = self.store
        try:
            self._learn_and_rank(cells, role)
        except Exception as error:
            for cell in cells:
                if not store.has(SPLIT, cell.name, role):
                    store.write(SPLIT, cell.name, role, self._unit(cell, role) | failure(error))

    def _learn_and_rank(self, cells: list[Cell], role: str) -> None:
        graph = graph_of(self.data)
        started = perf_counter()
        for cell, (told, scores) in zip(cells, self._scored(graph, cells, role), strict=True):
            triples = graph.facts[_part(role)]
            found = ranks(scores, triples, graph.every)
            relations = by_relation(found, triples, graph.relations)
            unit = {
                **told,
                **self._unit(cell, role),
                "mean": link_scores(found).as_dict(),
                "relations": {name: own.as_dict() for name, own in relations.items()},
                "seconds": round(perf_counter() - started, 3),
            }
            started = perf_counter()
            self.store.write(SPLIT, cell.name, role, unit)

    def _unit(self, cell: Cell, role: str) -> Unit:
        known = {"variant": cell.variant, "fold": _part(role), "seed": self.configuration.seed}
        return {"cell": asdict(cell), **known}

    def _scored(self, graph: Graph, cells: list[Cell], role: str) -> Iterable[tuple[Unit, Scores]]:
        """Return the scores of all atoms for each cell, and what there is to say about them."""
        [first, *_] = cells
        if first.representation in BASELINES:
            return [_baseline(graph, first.representation)]
        return self._networks(graph, cells, role)

    def _networks(self, graph: Graph, cells: list[Cell], role: str) -> Iterable[tuple[Unit, Scores]]:
        [first, *_] = cells
        encoder = decoder = Program()
        if first.encoding is not None:
            auto = AutoEncoder.load(self.store.model_folder(SPLIT, first.encoding))
            encoder, decoder = auto.encoder_, auto.decoder_
        vocabulary = vocabulary_of(graph.train, first, self.configuration, encoder, decoder)
        sigmas = [cell.sigma or 1.0 for cell in cells]
        models = learn_direct(graph.train, encoder, vocabulary, sigmas, settings_of(self.configuration))
        for cell, model in zip(cells, models, strict=True):
            unit: Unit = {"features": {name: len(own.features) for name, own in model.networks.items()}}
            if role == TEST:
                folder = self.store.model_folder(SPLIT, cell.name)
                model.save(folder, graph.train.schema)
                unit["model"] = str(folder.relative_to(self.store.folder))
            yield unit, scores_of(graph, model)


def _part(role: str) -> str:
    """Return the facts that a role is about."""
    return "valid" if role == VALIDATION else "test"


def _baseline(graph: Graph, name: str) -> tuple[Unit, Scores]:
    if name == FREQUENCY:
        return {}, frequency(graph)
    if name == RULE:
        scores, rules = most_similar_rule(graph)
        return {"rules": {rule.head: str(rule) for rule in rules}}, scores
    return {}, all_rules(graph)
