"""How useful latent facts are to predict a predicate from all the others: average precision on a test fold.

The features are those of `AutoEncoder.features`. A logistic regression is trained on all ground atoms of the
training folds and ranks all ground atoms of the test fold; nothing is sampled. Atoms with the same features
are one row with a weight, so that even large predicates cost little.
"""

from __future__ import annotations

from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.autoencoder.features import Features, features_of
from logicoder.engine.arrays.ground_atoms import GroundAtoms

C = 10.0
"""Inverse strength of the L2 penalty."""


def precision(train: Features, test: Features) -> float:
    """Return the average precision on some features of a logistic regression of others."""
    features, truth, weights, _ = train.rows()
    asked, answers, counts, _ = test.rows()
    if not train.names or truth.all():
        scores = counts * 0.0
    else:
        model = LogisticRegression(C=C, max_iter=5000)
        model.fit(features, truth, sample_weight=weights)
        scores = model.decision_function(asked)
    # Rows with equal features but another truth are the same to the model, yet their sums may round apart.
    return float(average_precision_score(answers, scores.round(9), sample_weight=counts))


def scored_predicates(train: KnowledgeBase, test: KnowledgeBase) -> list[str]:
    """Return the predicates with facts in both."""
    return [name for name in train.learnable if name in test.learnable]


def downstream(
    train: KnowledgeBase, test: KnowledgeBase, model: AutoEncoder | None = None
) -> dict[str, dict[str, float]]:
    """Return the average precision of each predicate, by kind of features.

    Without a model the features are `original`: single literals of the data. With one they are `latent`
    literals; `clauses`: these and the decoder clauses; `hybrid`: original literals as well.
    """
    found = {}
    for name in scored_predicates(train, test):
        sides = [_features(kb, name, model) for kb in (train, test)]
        found[name] = {kind: precision(*(side[kind] for side in sides)) for kind in sides[0]}
    return found


def _features(kb: KnowledgeBase, name: str, model: AutoEncoder | None) -> dict[str, Features]:
    if model is not None:
        clauses = model.features(kb, name)
        literals = clauses.select(lambda text: ":-" not in text)
        return {
            "latent": literals,
            "clauses": clauses,
            "hybrid": model.features(kb, name, original=True),
        }
    nothing = Program()
    plain = features_of(
        GroundAtoms(kb, name), nothing, nothing, kb.restricted([]), original=True, constants=0, like=None
    )
    return {"original": plain}
