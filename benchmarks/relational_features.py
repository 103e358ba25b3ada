"""Features of relational data for classification: LatentFeatures beside featuretools' deep feature synthesis.

    pip install featuretools 'pandas<2.3'
    python benchmarks/relational_features.py [mutagenesis] [uwcse]

The same entities, the same folds, the same classifiers. Accuracy is the mean of ten folds, repeated three
times; features are made once, without what is to be predicted.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from common import parser_of, require_data, require_known, say, table
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from logicoder import KnowledgeBase, LatentFeatures

DEPTH = 2
"""How many relations are followed by all."""

CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "logistic regression": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000, C=0.1)),
    "random forest": lambda: RandomForestClassifier(300, random_state=0),
}


@dataclass
class Task:
    """Entities to be classified.

    Attributes:
        kb: the facts.
        entity: the type of the entities.
        target: predicates that are left out, since they tell the class.
        entities: the names of the entities.
        classes: of each.
    """

    kb: KnowledgeBase
    entity: str
    target: list[str]
    entities: list[str]
    classes: list[Any]


def mutagenesis(folder: Any) -> Task:
    """Is a molecule mutagenic?"""
    kb = KnowledgeBase.from_sql(folder / "mutagenesis" / "mutagenesis.sqlite")
    label = {fact.arguments[0]: fact.arguments[1] for fact in kb.facts("mole_label")}
    return Task(kb, "mole", ["mole_label"], sorted(label), [label[mole] for mole in sorted(label)])


def uwcse(folder: Any) -> Task:
    """Is somebody a professor? What only students or only professors have is left out."""
    kb = KnowledgeBase.from_path(folder / "uwcse")
    professors = {fact.arguments[0] for fact in kb.facts("professor")}
    people = sorted(professors | {fact.arguments[0] for fact in kb.facts("student")})
    target = [
        "professor",
        "student",
        "hasposition",
        "inphase",
        "yearsinprogram",
        "advisedby",
        "tempadvisedby",
    ]
    return Task(kb, "person", target, people, [person in professors for person in people])


TASKS = {"mutagenesis": mutagenesis, "uwcse": uwcse}


def latent_features(task: Task) -> np.ndarray:
    """Return what a learned model keeps."""
    features = LatentFeatures(task.entity, task.kb, target=task.target, depth=DEPTH)
    return np.asarray(features.fit(task.entities).transform(task.entities))


def all_features(task: Task) -> np.ndarray:
    """Return the same of all predicates, without a model."""
    from sklearn.frozen import FrozenEstimator  # noqa: PLC0415

    from logicoder import AutoEncoder, Program  # noqa: PLC0415

    nothing = AutoEncoder.from_programs(Program(), Program())
    features = LatentFeatures(
        task.entity, task.kb, model=FrozenEstimator(nothing), target=task.target, depth=DEPTH
    )
    return np.asarray(features.fit(task.entities).transform(task.entities))


def deep_features(task: Task) -> np.ndarray:
    """Return featuretools' columns."""
    import featuretools  # noqa: PLC0415  (no dependency)
    import pandas  # noqa: PLC0415

    matrix, definitions = featuretools.dfs(
        entityset=entity_set(task),
        target_dataframe_name=task.entity,
        max_depth=DEPTH,
        verbose=False,
    )
    encoded, _ = featuretools.encode_features(matrix, definitions, top_n=20)
    encoded = encoded.reindex(task.entities).apply(pandas.to_numeric, errors="coerce").astype(float)
    filled = encoded.fillna(encoded.mean()).fillna(0.0)
    return np.asarray(filled.loc[:, filled.nunique() > 1])


def entity_set(task: Task) -> Any:
    """Return the facts as tables: one for each type of many constants, and one for each other relation."""
    import featuretools  # noqa: PLC0415  (no dependency)
    import pandas  # noqa: PLC0415

    constants = task.kb.constants()
    things = {kind for kind, symbols in constants.items() if len(symbols) > 20 or kind == task.entity}
    rows: dict[str, dict[Any, dict[str, Any]]] = {kind: {} for kind in things}
    relations = []
    for name in task.kb.predicates:
        predicate = task.kb.schema[name]
        if name in task.target or predicate.background:
            continue
        facts = [fact.arguments for fact in task.kb.facts(name)]
        for kind, values in zip(predicate.types, zip(*facts, strict=True), strict=True):
            if kind in things:
                rows[kind].update({value: rows[kind].get(value, {}) for value in values})
        own, *others = predicate.types
        once = len({fact[0] for fact in facts}) == len(facts)
        if own in things and once and len(others) < 2 and not things.intersection(others):
            for fact in facts:  # a column of the entity's own table
                rows[own][fact[0]][name] = fact[1] if others else "yes"
        else:
            relations.append((name, predicate.types, facts))
    entities = featuretools.EntitySet()
    for kind in sorted(things):
        frame = pandas.DataFrame.from_dict(rows[kind], orient="index").astype("category")
        frame.insert(0, kind, list(rows[kind]))
        entities.add_dataframe(dataframe_name=kind, dataframe=frame.reset_index(drop=True), index=kind)
    for name, types, facts in relations:
        columns = {f"{name}_{i}": list(values) for i, values in enumerate(zip(*facts, strict=True))}
        frame = pandas.DataFrame({"row": range(len(facts)), **columns})
        values = [f"{name}_{i}" for i, kind in enumerate(types) if kind not in things]
        frame[values] = frame[values].astype("category")
        entities.add_dataframe(dataframe_name=name, dataframe=frame, index="row")
        for i, kind in enumerate(types):
            if kind in things:
                entities.add_relationship(kind, kind, name, f"{name}_{i}")
    return entities


METHODS = {
    "LatentFeatures": latent_features,
    "all predicates, no model": all_features,
    "deep feature synthesis": deep_features,
}


def main() -> None:
    """Compare on each data set."""
    parser = parser_of(__doc__)
    parser.add_argument("tasks", nargs="*", default=list(TASKS))
    arguments = parser.parse_args()
    require_known(arguments.tasks, list(TASKS))
    warnings.simplefilter("ignore")
    found = []
    for name in arguments.tasks:
        task = TASKS[name](require_data(arguments))
        for method, make in METHODS.items():
            start = time.process_time()
            try:
                rows = make(task)
            except ImportError as error:
                say(f"{method}: {error}")
                continue
            say(f"{name}, {method}: {time.process_time() - start:.1f} processor seconds")
            accuracies = []
            for model in CLASSIFIERS.values():
                folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
                scores = cross_val_score(model(), rows, task.classes, cv=folds)
                error = scores.reshape(3, 10).mean(axis=1).std()
                accuracies.append(f"{scores.mean():.3f} ± {error:.3f}")
            found.append((name, method, rows.shape[1], *accuracies))
    print(table(("data", "features", "columns", *CLASSIFIERS), found, left=2))


if __name__ == "__main__":
    main()
