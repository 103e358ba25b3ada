"""Several auto-encoders on top of each other: each learns on the latent facts of the one below."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from logicoder.autoencoder.coding import together
from logicoder.autoencoder.estimator import AutoEncoder
from logicoder.autoencoder.explaining import Explainer
from logicoder.autoencoder.layers import flattened, rename_latents, require_layers_that_fit
from logicoder.autoencoder.model import Model
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.autoencoder.storage import (
    StoredStack,
    is_stack,
    model_path,
    plain_parameters,
    plain_tuples,
    read_stack,
    reading_header,
)
from logicoder.base.errors import InfeasibleError, InputError, SearchError, UsageError, location_of
from logicoder.base.progress import LayerStarted, Reporter, silent
from logicoder.base.setting import documented, settings_of
from logicoder.base.stopping import PartToken, StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.learner.checkpoint import belongs_to
from logicoder.learner.parameters import StackParameters
from logicoder.logic.terms import Program

_log = logging.getLogger("logicoder")


@documented
class StackedAutoEncoder(Model, StackParameters):
    """Layers of auto-encoders: the first learns on the data, each other one on the latent facts below it.

    It is used like an `AutoEncoder`: what goes in are facts of the data, what comes out are facts of the
    topmost latent predicates, and back.

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

    Layers that are given themselves have parameters of their own. Otherwise those of the stack are for every
    layer, with three exceptions: the background belongs to the first one, `checkpoint` gets a folder for
    each, and limits on effort and time are for each layer.

    Attributes:
        layers_: the learned auto-encoders, from the data upwards. There are fewer than asked for where a
            layer could not make the representation smaller, or the search was interrupted.
        schema_: predicates and types of the data.
        facts_: facts to be reconstructed.
        loss_, missing_, false_, masked_: end to end, on the training data.
        latent_facts_: facts of the topmost latent predicates.
        size_: these, plus body literals of all layers.
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
        require_layers_that_fit(layers)
        made.layers_ = list(layers)
        return made

    # -- scikit-learn's contract ----------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "layers_")

    # -- learning -------------------------------------------------------------------------------------

    def fit(
        self,
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
        y: object = None,  # noqa: ARG002
        *,
        stop: StopToken | None = None,
    ) -> Self:
        """Learn one layer after the other.

        Ctrl-C keeps the layers so far, the best program of the present one included where there is one.

        Args:
            X: the data.
            y: ignored.
            stop: lets the caller end the search early.
        """
        kb = together(X)
        layers = self._fresh_layers()
        report: Reporter = self.reporter or silent
        self.__dict__.pop("_flat", None)
        self.layers_: list[AutoEncoder] = []
        self._stopped: str | None = None
        taken = set(kb.schema) | layers[0].background_predicates()
        data = kb
        origins: dict[str, frozenset[str]] = {}
        for number, layer in enumerate(layers, start=1):
            if number > 1 and not len(data):
                self._warn_of_less(number, len(layers), "there are no latent facts to learn from")
                break
            if number > 1 and layer.resume and not belongs_to(layer.checkpoint, data):
                layer.set_params(resume=False)  # the layer below has changed since
            token = PartToken(stop)
            report(LayerStarted(number, len(layers)))
            try:
                layer.fit(data, stop=token, origins=origins)
            except KeyboardInterrupt:
                if not self.layers_:
                    raise
                self._warn_of_less(number, len(layers), "interrupted")
                self._stopped = "interrupted"
                break
            except (InfeasibleError, SearchError) as error:
                if not self.layers_:
                    raise
                self._warn_of_less(number, len(layers), str(error).split("\n", 1)[0])
                self._stopped = token.reason if token.reason == "interrupted" else self._stopped
                break
            rename_latents(layer, number, taken)
            latent = layer.transform(data)
            if self.layers_ and not 0 < len(latent) < len(data):
                why = f"it has {len(latent):,} latent facts for {len(data):,}"
                self._warn_of_less(number, len(layers), why)
                break
            self.layers_.append(layer)
            taken |= set(layer.encoder_.defined())
            origins |= layer.encoder_.mentions() | layer.background_program().mentions()
            data = latent
            self._stopped = layer.stopped_ or self._stopped
            if token.reason == "interrupted" or (stop is not None and stop.stopped):
                break
        self._take_results(kb)
        return self

    def _fresh_layers(self) -> list[AutoEncoder]:
        settings_of(type(self))["layers"].check(self.layers)
        own = {name: value for name, value in self.get_params().items() if name != "layers"}
        if isinstance(self.layers, Sequence):
            if self.changed_params("layers", "reporter"):
                raise UsageError("layers that are given themselves have parameters of their own")
            told = {"reporter": self.reporter} if self.reporter else {}
            return [AutoEncoder(**{**layer.get_params(), **told}) for layer in self.layers]
        made = []
        for number in range(1, int(self.layers) + 1):
            parameters = own if number == 1 else {**own, "background": None}
            if self.checkpoint is not None:
                parameters = {**parameters, "checkpoint": Path(self.checkpoint) / f"layer{number}"}
            made.append(AutoEncoder(**parameters))
        return made

    def _warn_of_less(self, number: int, wanted: int, why: str) -> None:
        _log.warning("there is no layer %d of %d: %s; the layers below it are kept", number, wanted, why)

    def _take_results(self, kb: KnowledgeBase) -> None:
        outcome = self.reconstruct(kb)
        self.facts_ = outcome.facts
        self.loss_ = outcome.loss
        self.missing_ = len(outcome.missing)
        self.false_ = len(outcome.false)
        self.masked_ = sum(score.missing for score in self.masked(kb))
        self.latent_facts_ = outcome.latent_facts
        self.size_ = outcome.latent_facts + sum(
            clause.length for pair in self.programs() for program in pair for clause in program
        )
        self.stopped_: str | None = self._stopped
        seconds = Counter[str]()
        for layer in self.layers_:
            seconds.update(layer.statistics_["seconds"])
        self.statistics_: dict[str, Any] = {"seconds": dict(seconds)}

    # -- using ----------------------------------------------------------------------------------------

    @property
    def schema_(self) -> Schema | None:
        """Predicates and types of the data."""
        self._require_layers()
        return self.layers_[0].schema_

    @property
    def encoder_(self) -> Program:
        """The topmost latent predicates in terms of the data: all encoders as one program."""
        return self.flat()[0]

    @property
    def decoder_(self) -> Program:
        """The predicates of the data in terms of the topmost latent ones: all decoders as one program."""
        return self.flat()[1]

    def flat(self) -> tuple[Program, Program]:
        """Return encoder and decoder without what lies between the data and the topmost latent predicates.

        Predicates in between are replaced by their definitions, except where they are negated or recursive.
        """
        self._require_layers()
        return self._flat

    @cached_property
    def _flat(self) -> tuple[Program, Program]:
        return flattened(self.layers_)

    def programs(self) -> list[tuple[Program, Program]]:
        """Return the encoder and the decoder of each layer, from the data upwards."""
        self._require_layers()
        return [pair for layer in self.layers_ for pair in layer.programs()]

    def background_predicates(self) -> set[str]:
        """Return the predicates that the background program defines: data need not have them."""
        self._require_layers()
        return self.layers_[0].background_predicates()

    def known_part(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the knowledge base without the predicates that the first layer does not know."""
        self._require_layers()
        return self.layers_[0].known_part(kb)

    def transform(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> KnowledgeBase:  # noqa: N803
        """Return the facts of the topmost latent predicates; constants may be new."""
        self._require_layers()
        data = together(X)
        for layer in self.layers_:
            data = layer.transform(data)
        return data

    def inverse_transform(self, X: KnowledgeBase) -> KnowledgeBase:  # noqa: N803
        """Return the facts that the decoders derive from facts of the topmost latent predicates."""
        self._require_layers()
        facts = self.layers_[-1].inverse_transform(X)
        for layer in reversed(self.layers_[:-1]):
            # A decoder may have auxiliary predicates; only the latent ones concern the layer below.
            facts = layer.inverse_transform(facts.restricted(layer.encoder_.defined()))
        return facts

    def reconstruct(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> Reconstruction:  # noqa: N803
        """Encode and decode a knowledge base through all layers and compare."""
        self._require_layers()
        kb = together(X)
        latent = self.layers_[0].transform(kb)
        known = self.known_part(kb)
        levels = [known.with_schema(self.schema_ or known.schema), latent]
        for layer in self.layers_[1:]:
            levels.append(layer.transform(levels[-1]))
        back = levels[-1]
        for layer, level in zip(reversed(self.layers_), reversed(levels[:-1]), strict=True):
            back = layer.decode(back, level.schema).restricted(level.schema)
            if level is not levels[0]:
                back = back.with_schema(level.schema)
        return Reconstruction(levels[0], back, len(levels[-1]))

    def encoded(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> tuple[KnowledgeBase, KnowledgeBase]:  # noqa: N803
        """Return the data under the types of the model, background included, and the topmost latent facts."""
        self._require_layers()
        data, latent = self.layers_[0].encoded(X)
        for layer in self.layers_[1:]:
            latent = layer.transform(latent)
        return data, latent

    def background_program(self) -> Program:
        """Return the background program of the first layer."""
        self._require_layers()
        return self.layers_[0].background_program()

    def explainer(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> Explainer:  # noqa: N803
        """Run the programs of all layers once and return what explains any number of atoms."""
        self._require_layers()
        first, *others = self.layers_
        above: list[tuple[Program, Schema | None]] = [(layer.encoder_, None) for layer in others]
        above += [(layer.decoder_, layer.schema_) for layer in reversed(others)]
        return first.explainer(X, above)

    # -- keeping --------------------------------------------------------------------------------------

    _RESULTS: ClassVar[tuple[str, ...]] = (
        "facts_",
        "loss_",
        "missing_",
        "false_",
        "masked_",
        "latent_facts_",
        "size_",
        "stopped_",
        "statistics_",
    )

    def stored(self) -> StoredStack:
        """Return what the file of a stack keeps."""
        self._require_layers()
        header = {
            "layers": len(self.layers_),
            "parameters": self._plain_parameters(),
            "results": self._results(),
        }
        return StoredStack(header, tuple(layer.stored() for layer in self.layers_))

    def _plain_parameters(self) -> dict[str, Any]:
        if isinstance(self.layers, Sequence):
            return {"layers": len(self.layers)}
        return plain_parameters(self.get_params())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved stack (a file, or the folder that holds it)."""
        path = model_path(path)
        stored = read_stack(path)
        layers = [AutoEncoder.from_stored(layer, path) for layer in stored.layers]
        with reading_header("this stack", path, 2):
            made = cls(**plain_tuples(stored.header["parameters"]))
            made._set_results(stored.header["results"])
        try:
            require_layers_that_fit(layers)
        except InputError as error:
            raise InputError(error.message, location_of(path), error.hint) from None
        made.layers_, made.background = layers, layers[0].background
        return made

    def _require_layers(self) -> None:
        if not hasattr(self, "layers_"):
            raise UsageError("this StackedAutoEncoder has no layers yet: call fit, load, or from_layers")

    def __repr__(self) -> str:
        return f"StackedAutoEncoder({', '.join([repr(self.layers), *self.changed_params('layers')])})"


def load_model(path: str | Path) -> AutoEncoder | StackedAutoEncoder:
    """Read a saved model, of one layer or several."""
    return StackedAutoEncoder.load(path) if is_stack(path) else AutoEncoder.load(path)
