"""Several auto-encoders on top of each other: each learns on the latent facts of the one below."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from logicoder.autoencoder.auto_encoder import AutoEncoder
from logicoder.autoencoder.layer import Layer, reconstruct_through
from logicoder.autoencoder.layer_programs import flattened, require_layers_that_fit, with_own_names
from logicoder.autoencoder.masked_scores import masked_scores
from logicoder.autoencoder.model_codec import Codec
from logicoder.autoencoder.model_file import (
    StackHeader,
    StoredStack,
    given_parameters,
    is_stack,
    model_path,
    plain_parameters,
    portable,
    read_stack,
    reading_header,
)
from logicoder.autoencoder.predicate_scores import Totals
from logicoder.autoencoder.stored_fit import engine_record
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.autoencoder.stored_layers import StoredLayers, latent_data
from logicoder.autoencoder.understood import Data
from logicoder.base.errors import InfeasibleError, InputError, SearchError, UsageError, location_of, require
from logicoder.base.progress import LayerStarted, Reporter, silent
from logicoder.base.setting import documented, settings_of
from logicoder.base.stopping import PartToken, StopToken
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.learner.checkpoint import belongs_to
from logicoder.learner.stack_parameters import StackParameters
from logicoder.logic.terms import Program

_log = logging.getLogger("logicoder")


@documented
class StackedAutoEncoder(Codec, StackParameters):
    """Layers of auto-encoders: the first learns on the data, each other one on the latent facts below it.

    Use it like an `AutoEncoder`: it maps facts of the data to facts of the topmost latent predicates, and
    back.

    >>> kb = KnowledgeBase.from_facts([
    ...     ("mother", "padme", "luke"), ("mother", "padme", "leia"),
    ...     ("father", "vader", "luke"), ("father", "vader", "leia"),
    ...     ("woman", "padme"), ("man", "vader"),
    ... ])
    >>> stack = StackedAutoEncoder(2, compression=1.5).fit(kb)
    >>> stack.inverse_transform(stack.transform(kb)) == kb
    True

    Args:
        {settings}

    If you pass the layers, each has its own parameters. If you pass their number, all have those of the
    stack, with three exceptions: the background belongs to the first layer, `checkpoint` gets a folder for
    each, and limits on effort and time apply to each separately.

    Attributes:
        layers_: the learned auto-encoders, from the data upwards. There are fewer than requested if
            a layer could not make the representation smaller, or if the search was interrupted.
        schema_: predicates and types of the data.
        facts_: facts to be reconstructed.
        loss_: missing and false atoms, end to end, on the training data; likewise `missing_`, `false_` and
            `masked_`.
        latent_facts_: facts of the topmost latent predicates.
        size_: latent facts plus body literals of all layers.
        stopped_: why the search of a layer ended early, or None.
    """

    @classmethod
    def from_preset(cls, name: str, layers: int = 2, **overrides: Any) -> Self:
        """Return a stack whose layers have the parameters of a preset; see `AutoEncoder.from_preset`."""
        return cls(layers, **AutoEncoder.from_preset(name, **overrides).get_params())

    @classmethod
    def from_layers(cls, layers: Sequence[AutoEncoder]) -> Self:
        """Return a stack of auto-encoders that have programs already.

        >>> below = AutoEncoder.from_programs("p(X) :- a(X) ; b(X).", "a(X) :- p(X).")
        >>> above = AutoEncoder.from_programs("q(X) :- p(X).", "p(X) :- q(X).")
        >>> print(StackedAutoEncoder.from_layers([below, above]).encoder_)
        q(X) :- a(X) ; b(X).
        """
        made = cls(list(layers))
        for layer in layers:
            require("each layer", layer, AutoEncoder)
        require_layers_that_fit([below for layer in layers for below in layer.stack()])
        made.layers_ = list(layers)
        return made

    # -- scikit-learn's contract ----------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "layers_")

    # -- learning -------------------------------------------------------------------------------------

    def fit(
        self,
        X: Data | StoredData,  # noqa: N803
        y: object = None,  # noqa: ARG002
        *,
        stop: StopToken | None = None,
    ) -> Self:
        """Learn one layer after the other.

        Ctrl-C keeps the layers so far, the best program of the present one included where there is one.

        Args:
            X: the data, in memory or where it is stored.
            y: ignored.
            stop: lets the caller end the search early.
        """
        kb = self._at_hand(X)
        layers = self._fresh_layers()
        if isinstance(X, StoredData):  # the engine is there, or no longer needed
            layers = [layer.set_params(engine="arrays") for layer in layers]
        levels = self._learned(layers, kb, stop)
        if isinstance(kb, StoredData):
            self._take_counts(kb)
        else:
            self._take_results(kb, levels)
        if isinstance(X, StoredData):
            sizes = [layer.statistics_.get("engine", {}).get("facts_in_memory") for layer in self.layers_[:1]]
            self.statistics_["engine"] = engine_record(X, sizes[0] or len(kb))
        return self

    def _learned(
        self, layers: Sequence[AutoEncoder], kb: KnowledgeBase | StoredData, stop: StopToken | None
    ) -> list[Any]:
        """Learn as many layers as there can be; return what each reads, and what the last one makes."""
        report: Reporter = self.reporter or silent
        self.__dict__.pop("_flat", None)
        self.layers_: list[AutoEncoder] = []
        self.stopped_ = None
        given = kb.known_schema if isinstance(kb, StoredData) else kb.schema
        taken = set(given) | layers[0].background_predicates()
        levels: list[Any] = [kb]
        origins: dict[str, frozenset[str]] = {}
        for number, layer in enumerate(layers, start=1):
            data = levels[-1]
            if number > 1 and not len(data):
                self._warn_of_less(number, len(layers), "there are no latent facts to learn from")
                break
            if number > 1 and layer.resume and not _belongs_to(layer, data):
                layer.set_params(resume=False)  # the layer below has changed since
            token = PartToken(stop)
            report(LayerStarted(number, len(layers)))
            try:
                layer.fit(data, stop=token, origins=origins)
            except KeyboardInterrupt:
                if not self.layers_:
                    raise
                self._warn_of_less(number, len(layers), "interrupted")
                self.stopped_ = "interrupted"
                break
            except (InfeasibleError, SearchError) as error:
                if not self.layers_:
                    raise
                self._warn_of_less(number, len(layers), str(error).split("\n", 1)[0])
                self.stopped_ = token.reason if token.reason == "interrupted" else self.stopped_
                break
            layer.encoder_, layer.decoder_ = with_own_names(layer.encoder_, layer.decoder_, number, taken)
            typed, latent = _encoded(layer, data)
            if self.layers_ and not 0 < len(latent) < len(data):
                why = f"it has {len(latent):,} latent facts for {len(data):,}"
                self._warn_of_less(number, len(layers), why)
                break
            levels = [*(levels if self.layers_ else [typed]), latent]
            self.layers_.append(layer)
            taken |= set(layer.encoder_.defined())
            origins |= layer.encoder_.mentions() | layer.background_program().mentions()
            self.stopped_ = layer.stopped_ or self.stopped_
            if token.reason == "interrupted" or (stop is not None and stop.stopped):
                break
        return levels

    def _fresh_layers(self) -> list[AutoEncoder]:
        settings_of(type(self))["layers"].check(self.layers)
        own = {name: value for name, value in self.get_params().items() if name != "layers"}
        if isinstance(self.layers, Sequence):
            if self.changed_params("layers", "reporter"):
                raise UsageError("a list of layers takes no further parameters: set them on each layer")
            told = {"reporter": self.reporter} if self.reporter else {}
            return [AutoEncoder(**_selecting({**layer.get_params(), **told})) for layer in self.layers]
        made = []
        for number in range(1, int(self.layers) + 1):
            parameters = own if number == 1 else {**own, "background": None}
            if self.checkpoint is not None:
                parameters = {**parameters, "checkpoint": Path(self.checkpoint) / f"layer{number}"}
            made.append(AutoEncoder(**_selecting(parameters)))
        return made

    def _warn_of_less(self, number: int, wanted: int, why: str) -> None:
        _log.warning("there is no layer %d of %d: %s; the layers below it are kept", number, wanted, why)

    def _take_results(self, kb: KnowledgeBase, levels: Sequence[KnowledgeBase]) -> None:
        outcome = reconstruct_through(self.stack(), kb, levels)
        masked = masked_scores(self.origins(), self.decoder_, levels[0], levels[-1])
        self._take(outcome.totals, sum(score.missing for score in masked))

    def _take_counts(self, data: StoredData) -> None:
        """Take results that the engine counts: of all facts, through all layers."""
        data.session.stop = StopToken()  # what was learned before somebody said stop is counted
        stack = StoredLayers(self.stack(), data)
        top = stack.encoded()
        scores = tuple(stack.scores(top, stack.exceptions(top)))
        masked = stack.masked(self.origins(), self.decoder_, top)
        self._take(Totals(scores, sum(map(stack.count, top.values()))), masked)

    def _take(self, totals: Totals, masked: int) -> None:
        self.scores_, self.facts_, self.loss_ = totals.predicates, totals.facts, totals.loss
        self.missing_, self.false_, self.masked_ = totals.missing, totals.false, masked
        self.latent_facts_ = totals.latent_facts
        self.size_ = totals.latent_facts + sum(
            clause.length for pair in self.programs() for program in pair for clause in program
        )
        seconds = Counter[str]()
        for layer in self.layers_:
            seconds.update(layer.statistics_["seconds"])
        self.statistics_ = {"seconds": dict(seconds)}

    # -- the programs; `Codec` has what they are used for ---------------------------------------------

    def stack(self) -> list[Layer]:
        """Return the programs of each layer, from the data upwards."""
        if not hasattr(self, "layers_"):
            raise UsageError("this StackedAutoEncoder has no layers yet: call fit, load, or from_layers")
        return [below for layer in self.layers_ for below in layer.stack()]

    def flat(self) -> tuple[Program, Program]:
        """Return encoder and decoder without what lies between the data and the topmost latent predicates.

        Predicates in between are replaced by their definitions, except where they are negated or recursive.
        """
        self.stack()
        return self._flat

    @cached_property
    def _flat(self) -> tuple[Program, Program]:
        return flattened(self.stack())

    @property
    def encoder_(self) -> Program:
        """The topmost latent predicates in terms of the data: all encoders as one program."""
        return self.flat()[0]

    @property
    def decoder_(self) -> Program:
        """The predicates of the data in terms of the topmost latent ones: all decoders as one program."""
        return self.flat()[1]

    @property
    def schema_(self) -> Schema | None:
        """Predicates and types of the data."""
        return self.stack()[0].schema

    # -- keeping --------------------------------------------------------------------------------------

    def stored(self) -> StoredStack:
        """Return what the file of a stack keeps."""
        self.stack()
        header = StackHeader(
            layers=len(self.layers_),
            parameters=portable(self.plain_parameters()),
            results=self._results(),
        )
        return StoredStack(header, tuple(layer.stored() for layer in self.layers_))

    def plain_parameters(self) -> dict[str, Any]:
        """Return the parameters of the run as plain data."""
        if isinstance(self.layers, Sequence):
            return {"layers": len(self.layers)}
        return plain_parameters(self.get_params())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved stack (a file, or the folder that holds it)."""
        path = model_path(path)
        stored = read_stack(path)
        layers = [AutoEncoder.from_stored(layer, path) for layer in stored.layers]
        with reading_header("the header of this stack", path, 2):
            made = cls().set_params(**given_parameters(stored.header.parameters)).checked()
        made.__dict__ |= stored.header.results
        made.layers_ = layers
        try:
            require_layers_that_fit(made.stack())
        except InputError as error:
            raise InputError(error.message, location_of(path), error.hint) from None
        made.background = layers[0].background
        return made

    def __repr__(self) -> str:
        return f"StackedAutoEncoder({', '.join([repr(self.layers), *self.changed_params('layers')])})"


def _encoded(layer: AutoEncoder, data: Any) -> tuple[Any, Any]:
    """Return data under the types of a layer, and what it makes of them, both where they were."""
    if not isinstance(data, StoredData):
        return layer.encoded(data)
    (own,) = layer.stack()
    data.session.stop = StopToken()
    return data, latent_data(own, data, StoredLayer(own, data).encoded())


def _belongs_to(layer: AutoEncoder, data: Any) -> bool:
    """Whether a layer above the first can be resumed: those of stored data are learned anew."""
    return not isinstance(data, StoredData) and belongs_to(layer.checkpoint, data)


def _selecting(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a layer whose clauses a solver selects: others have few latents."""
    if parameters["objective"] == "stored":
        raise UsageError(
            "the objective stored does not support layers: it makes no latent facts to continue with"
        )
    return {**parameters, "compression": "0.8"} if parameters["compression"] is None else parameters


def load_model(path: str | Path) -> AutoEncoder | StackedAutoEncoder:
    """Read a saved model, of one layer or several."""
    return StackedAutoEncoder.load(path) if is_stack(path) else AutoEncoder.load(path)
