"""Scores of predictions about one predicate of a fold."""

from itertools import product

import numpy as np

from logicoder.evaluation.fold_scores import scored
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.mln.predicate_questions import Prediction, question_of


def test_constants_that_only_the_predicate_mentions_can_be_left_out():
    """Of the courses c and d, only `teaches` mentions d; ann is known from elsewhere, eve is not."""
    fold = KnowledgeBase.from_facts(
        ["teaches(ann,c)", "teaches(eve,d)", "person(ann)", "person(bob)", "course(c)", "course(e)"],
        schema=Schema.of(
            Predicate("teaches", ("person", "course")),
            Predicate("person", ("person",)),
            Predicate("course", ("course",)),
        ),
    )
    world = question_of(fold, "teaches").world
    atoms = list(product(world.domains["person"], world.domains["course"]))
    assert len(atoms) == world.groundings("teaches") == 9
    probabilities = np.array([0.9 if atom == ("eve", "d") else 0.1 * len(atoms[0]) for atom in atoms])
    found = scored(Prediction("teaches", probabilities), fold)
    assert (found.all_atoms.positives, found.all_atoms.negatives) == (2, 7)
    assert (found.known.positives, found.known.negatives) == (1, 3)
    assert found.only_here == (2, 6)
    assert found.known.auc_roc == 0.5 < found.all_atoms.auc_roc
    assert scored(Prediction("person", np.full(3, 0.5)), fold).only_here == (1, 3)
