"""Predicting links: all units of work, chosen on the validation facts, tested once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.evaluation.comparison import Comparison, compare
from logicoder.evaluation.configuration import LATENT, Cell
from logicoder.evaluation.links.baselines import all_rules, frequency, most_similar_rule
from logicoder.evaluation.links.knowledge_graph import KnowledgeGraph, files_of, read_graph
from logicoder.evaluation.links.link_configuration import APART, BASELINES, FREQUENCY, RULE, LinkConfiguration
from logicoder.evaluation.links.link_ranks import by_relation, link_scores, ranks
from logicoder.evaluation.splits import Protocol, Split
from logicoder.evaluation.store import TEST, VALIDATION, Store, Unit, failure
from logicoder.evaluation.tasks import Task, Workplace
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program
from logicoder.mln.direct.design import DirectSettings, learn_direct
from logicoder.mln.direct.link_vocabulary import link_vocabulary
from logicoder.mln.direct.predicate_networks import DirectModel
from logicoder.mln.direct.vocabulary import Vocabulary
from logicoder.mln.predicate_questions import Question

PHASE = "links"
SPLIT = Split("links", ("train",), "valid", "test")

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class LinkPrediction(Comparison):
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
    """Run everything that a comparison of link predictors still has to do.

    Args:
        data: a folder with the files train, valid and test.
        folder: keeps everything; a later run with the same options continues from it.
        configuration: the options; by default, those of the command.
        jobs: number of processes.
        report: called with progress events.
        stop: ends the run early.
    """
    started = perf_counter()
    data, configuration = Path(data), configuration or LinkConfiguration()
    graph_of.cache_clear()  # files may have changed since
    graph_of(str(data))
    store = Store(Path(folder))
    store.begin(data, list(files_of(data).values()), configuration)
    chosen, finished = compare(
        GraphFolders(str(data), str(store.folder), configuration),
        Protocol(SPLIT, (SPLIT,)),
        list(configuration.cells()),
        "mrr",
        phase=PHASE,
        jobs=jobs,
        report=report,
        stop=stop,
    )
    return LinkPrediction(store, chosen, finished, perf_counter() - started, configuration)


@lru_cache(maxsize=2)
def graph_of(data: str) -> KnowledgeGraph:
    """Return the graph of a folder."""
    return read_graph(data)


@dataclass(frozen=True)
class GraphFolders(Workplace):
    """The folder of a graph, and one of results."""

    configuration: LinkConfiguration

    def training(self, split: Split) -> KnowledgeBase:  # noqa: ARG002  (there is one split)
        """Return the training facts."""
        return graph_of(self.data).train

    def evaluate(self, task: Task, cells: Sequence[Cell]) -> None:
        """Learn a model for each cell, and rank the facts of a part."""
        store, role = self.store, task.role
        try:
            self._learn_and_rank(cells, role)
        except Exception as error:
            for cell in cells:
                if not store.has(SPLIT, cell.name, role):
                    store.write(SPLIT, cell.name, role, self._unit(cell, role) | failure(error))

    def _learn_and_rank(self, cells: Sequence[Cell], role: str) -> None:
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

    def _scored(
        self, graph: KnowledgeGraph, cells: Sequence[Cell], role: str
    ) -> Iterable[tuple[Unit, Scores]]:
        """Return the scores of all atoms for each cell, and what there is to say about them."""
        [first, *_] = cells
        if first.representation in BASELINES:
            return [_baseline(graph, first.representation)]
        return self._networks(graph, cells, role)

    def _networks(
        self, graph: KnowledgeGraph, cells: Sequence[Cell], role: str
    ) -> Iterable[tuple[Unit, Scores]]:
        [first, *_] = cells
        encoder, decoder = self.programs(SPLIT, first)
        vocabulary, settings = language_of(graph.train, first, self.configuration, encoder, decoder)
        sigmas = [cell.sigma or 1.0 for cell in cells]
        models = learn_direct(graph.train, encoder, vocabulary, sigmas, settings)
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


def _baseline(graph: KnowledgeGraph, name: str) -> tuple[Unit, Scores]:
    if name == FREQUENCY:
        return {}, frequency(graph)
    if name == RULE:
        scores, rules = most_similar_rule(graph)
        return {"rules": {rule.head: str(rule) for rule in rules}}, scores
    return {}, all_rules(graph)


def language_of(
    train: KnowledgeBase, cell: Cell, chosen: LinkConfiguration, encoder: Program, decoder: Program
) -> tuple[Vocabulary, DirectSettings]:
    """Return what the networks of a cell may say, and how they are learned.

    Args:
        train: the facts to learn from.
        cell: which kind of network.
        chosen: how much is looked at.
        encoder: defines the latents; empty without any.
        decoder: rebuilds the relations.
    """
    vocabulary = link_vocabulary(
        train,
        encoder,
        decoder,
        literals=0 if cell.representation == LATENT else chosen.body_literals,
        constants=chosen.formula_constants,
        apart=cell.learner == APART,
    )
    # Bodies of one literal come in pairs as well.
    return vocabulary, DirectSettings(
        max_literals=chosen.body_literals + 2, max_variables=None, most=chosen.most_features, refined=20
    )


def scores_of(graph: KnowledgeGraph, model: DirectModel) -> Scores:
    """Return the log odds of all atoms, given the training facts.

    Log odds, not probabilities: near one those are equal in the machine where log odds still differ.
    """
    found = np.zeros(graph.shape)
    domains = graph.train.constants()
    for number, relation in enumerate(graph.relations):
        asked = Question(relation, graph.train, domains)
        found[number] = model.log_odds(asked).reshape(graph.shape[1:])
    return found
