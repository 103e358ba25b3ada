"""Models of links: networks of each relation over data and latents, as scores of all atoms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from logicoder.evaluation.configuration import LATENT, PLAIN, Cell
from logicoder.evaluation.direct import DirectModel
from logicoder.evaluation.direct_learning import DirectSettings
from logicoder.evaluation.links.apart import bodies_apart
from logicoder.evaluation.links.configuration import APART, LinkConfiguration
from logicoder.evaluation.links.graph import Graph
from logicoder.evaluation.questions import Question
from logicoder.evaluation.tasks import add_latents
from logicoder.evaluation.vocabulary import Vocabulary, data_bodies, small_types
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program


def vocabulary_of(
    train: KnowledgeBase, cell: Cell, chosen: LinkConfiguration, encoder: Program, decoder: Program
) -> Vocabulary:
    """Return what the networks of a cell may say.

    Args:
        train: the facts to learn from.
        cell: which kind of network.
        chosen: how much is looked at.
        encoder: defines the latents; empty without any.
        decoder: rebuilds the relations.
    """
    found = Vocabulary(constants=small_types(train, chosen.formula_constants))
    steps: list[str] = []
    if cell.representation != LATENT:
        found.bodies += data_bodies(train, chosen.body_literals)
        steps += train.predicates
    if cell.representation != PLAIN:
        latents = add_latents(found, train, encoder, decoder)
        steps += [name for name, latent in latents.items() if latent.arity == 2]
    if cell.learner == APART:
        found.apart = {
            name: bodies_apart(
                name,
                [step for step in steps if step != name and name not in found.depends.get(step, ())],
                train.schema[name].types[0],
            )
            for name in train.predicates
        }
    return found


def settings_of(chosen: LinkConfiguration) -> DirectSettings:
    """Return how networks are learned: bodies of one literal come in pairs as well."""
    return DirectSettings(
        max_literals=chosen.body_literals + 2, max_variables=None, most=chosen.most_features, refined=20
    )


def scores_of(graph: Graph, model: DirectModel) -> NDArray[np.float64]:
    """Return the log odds of all atoms, given the training facts.

    Log odds, not probabilities: near one those are equal in the machine where log odds still differ.
    """
    found = np.zeros(graph.shape)
    domains = graph.train.constants()
    for number, relation in enumerate(graph.relations):
        asked = Question(relation, graph.train, domains)
        found[number] = model.log_odds(asked).reshape(graph.shape[1:])
    return found
