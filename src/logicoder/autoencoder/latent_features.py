"""A transformer of scikit-learn: entities as rows of numbers, by what a model keeps of their facts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logicoder.autoencoder.auto_encoder import AutoEncoder
from logicoder.autoencoder.entity_features import EntityFeatures, FeaturePath, Numbers
from logicoder.base.errors import MissingExtraError, UsageError
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.symbols import Value, symbol_of, value_of

try:
    from sklearn.base import BaseEstimator, TransformerMixin, clone
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise MissingExtraError("scikit-learn", "sklearn", "LatentFeatures") from None

if TYPE_CHECKING:
    from pathlib import Path


_log = logging.getLogger("logicoder")

_NOTHING = 1e-9


class LatentFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns each entity of a type into a row of numbers: what latent and kept predicates say about it.

    Pass entities to `fit` and `transform`, by their names in the data (`'order:17'`) or by their keys (17);
    scikit-learn can split them. If you pass a knowledge base instead, the rows are all entities of the
    type, sorted. Facts count unless a model of the data derives them from others. The facts that you want to
    predict must not be among them: name their predicate as `target`. scikit-learn copies estimators; to keep
    a fitted model, pass `sklearn.frozen.FrozenEstimator(model)`.

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> facts = [("knows", f"p{i}", f"p{i // 2}") for i in range(40)] + [("tall", f"p{i}") for i in range(20)]
    >>> kb = KnowledgeBase.from_facts(facts)
    >>> model = AutoEncoder.from_programs("known(X,Y) :- knows(X,Y).", "knows(X,Y) :- known(X,Y).")
    >>> features = LatentFeatures("thing", kb, model=model, target="tall", depth=1)
    >>> people = [f"p{i}" for i in range(40)]
    >>> pipeline = make_pipeline(features, LogisticRegression()).fit(people, [i < 20 for i in range(40)])
    >>> pipeline.score(people, [i < 20 for i in range(40)])
    1.0
    >>> list(pipeline[0].get_feature_names_out())
    ['known(_,A)']

    Args:
        entity: the type whose entities are the rows.
        data: the facts: a knowledge base, or what `KnowledgeBase.from_path` reads; None: what `fit` is given.
        model: a fitted model, or one to be fitted to the data; None: `AutoEncoder()`.
        target: predicates that are left out of the data.
        depth: how many relations a path may follow.
        values: an argument with at most this many constants has a column for each of them.
        alike: a column is left out if its correlation with an earlier one is greater, whatever its sign.
        exceptions: whether facts that the programs do not derive also count.
        most: maximum number of columns; those of short paths come first.
    """

    def __init__(
        self,
        entity: str = "thing",
        data: KnowledgeBase | str | Path | None = None,
        *,
        model: Any = None,
        target: str | Sequence[str] = (),
        depth: int = 2,
        values: int = 20,
        alike: float = 0.95,
        exceptions: bool = True,
        most: int = 1000,
    ) -> None:
        self.entity = entity
        self.data = data
        self.model = model
        self.target = target
        self.depth = depth
        self.values = values
        self.alike = alike
        self.exceptions = exceptions
        self.most = most

    def fit(self, X: Any, y: Any = None) -> LatentFeatures:  # noqa: ARG002, N803  (as scikit-learn calls them)
        """Learn a model of the data, unless there is one, and which columns tell entities apart.

        Args:
            X: entities, or a knowledge base if there is no `data`.
            y: ignored.

        Raises:
            UsageError: for a type that the data does not have.
        """
        self.model_ = self._fitted_model(self._data_for(X))
        facts = self._facts(X)
        if self.entity not in facts.schema.types():
            known = ", ".join(facts.schema.types())
            raise UsageError(f"the data has no type {self.entity}; it has: {known}")
        found = EntityFeatures(facts, self.values)
        entities = self._entities(X, facts)
        self.paths_: list[FeaturePath] = []
        self.fill_: list[float] = []
        kept = np.empty((0, len(entities)))
        for path in found.paths(self.entity, self.depth):
            column = found.column(path, entities)
            there = column[~np.isnan(column)]
            fill = float(there.mean()) if len(there) else 0.0
            column = np.where(np.isnan(column), fill, column)
            # A column that is the same for all entities, or nearly the same as another, says nothing.
            centred = column - column.mean()
            length = float(np.sqrt(centred @ centred))
            if length < _NOTHING * max(1.0, float(np.abs(column).max(initial=0.0))):
                continue
            if np.abs(kept @ centred).max(initial=0.0) > self.alike * length:
                continue
            kept = np.vstack([kept, centred / length])
            self.paths_.append(path)
            self.fill_.append(fill)
            if len(self.paths_) >= self.most:
                break
        return self

    def transform(self, X: Any) -> Numbers:  # noqa: N803
        """Return a row for each entity; a warning says how many the data does not know."""
        check_is_fitted(self)
        facts = self._facts(X)
        found, entities = EntityFeatures(facts, self.values), self._entities(X, facts)
        rows = np.zeros((len(entities), len(self.paths_)))
        for number, (path, fill) in enumerate(zip(self.paths_, self.fill_, strict=True)):
            if all(step.predicate in facts.schema for step in path.steps):
                rows[:, number] = found.column(path, entities)
            rows[:, number][np.isnan(rows[:, number])] = fill
        return rows

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Return what each column counts; A is the entity."""
        check_is_fitted(self)
        return np.array([str(path) for path in self.paths_], dtype=object)

    def entities(self, X: Any) -> list[Value]:  # noqa: N803
        """Return the rows, as the data names them."""
        check_is_fitted(self)
        return [value_of(symbol) for symbol in self._entities(X, self._facts(X))]

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether `fit` was called."""
        return hasattr(self, "paths_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that rows need not be numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _data_for(self, given: Any) -> KnowledgeBase:
        data = self.data if self.data is not None else given
        if not isinstance(data, KnowledgeBase):
            if self.data is None:
                raise UsageError(
                    "entities alone are not enough: pass the facts as `data`, or fit to a knowledge base"
                )
            data = KnowledgeBase.from_path(data)
        left_out = {self.target} if isinstance(self.target, str) else set(self.target)
        unknown = left_out.difference(data.schema)
        if unknown:
            raise UsageError(f"the data has no predicate {', '.join(sorted(unknown))} to leave out")
        # Declared, but without facts: a model that was learned with them still knows what they are.
        known = [name for name in data.schema if name not in left_out]
        tables = {truth: {name: data.table(name, truth) for name in known} for truth in TRUTHS}
        return KnowledgeBase(data.schema, data.symbols, data.interpretations, tables, data.mapping)

    def _fitted_model(self, data: KnowledgeBase) -> Any:
        model = AutoEncoder() if self.model is None else self.model
        if hasattr(model, "__sklearn_is_fitted__") and model.__sklearn_is_fitted__():
            return model
        return clone(model).fit(data)

    def _facts(self, given: Any) -> KnowledgeBase:
        """Return what the model keeps of the data, and the facts that it does not derive."""
        data = self._data_for(given)
        latent: KnowledgeBase = self.model_.transform(data)
        if not self.exceptions:
            return latent
        missing = self.model_.reconstruct(data).missing
        return _together(latent, missing)

    def _entities(self, given: Any, facts: KnowledgeBase) -> list[str]:
        if isinstance(given, KnowledgeBase):
            return list(facts.constants().get(self.entity, ()))
        known = set(self._data_for(given).constants().get(self.entity, ()))
        symbols = [self._symbol(one, known) for one in _flat(given)]
        strange = [symbol for symbol in symbols if symbol not in known]
        if strange:
            _log.warning(
                "%d of %d entities, such as %s, are not of type %s in the data: their rows are zeros",
                len(strange),
                len(symbols),
                strange[0],
                self.entity,
            )
        return symbols

    def _symbol(self, given: Any, known: set[str]) -> str:
        symbol = symbol_of(given)
        return symbol if symbol in known else symbol_of(f"{self.entity}:{given}")


def _flat(given: Any) -> list[Any]:
    """Return the entities of a list, an array, a series or a frame of one column."""
    array = np.asarray(given, dtype=object)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise UsageError("pass the entities as one column")
    return list(array)


def _together(latent: KnowledgeBase, missing: KnowledgeBase) -> KnowledgeBase:
    """Return latent facts and, under names of their own, exceptions."""
    schema = dict(latent.schema.items())
    rows = {name: [fact.arguments for fact in latent.facts(name)] for name in latent.predicates}
    for name in missing.predicates:
        called = f"{name} unexpected"
        if called not in schema:
            schema[called] = Predicate(called, missing.schema[name].types)
            rows[called] = [fact.arguments for fact in missing.facts(name)]
    return KnowledgeBase.from_facts(rows, schema=Schema(schema, latent.schema.domains))
