"""What models of one layer and of several share: using their programs, understanding them, keeping them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, cast, overload

from logicoder.autoencoder.exceptions_file import Exceptions
from logicoder.autoencoder.layer import (
    decode_through,
    encode_through,
    reconstruct_through,
    together,
)
from logicoder.autoencoder.lossless import LosslessEncoding, decode_losslessly, encode_losslessly
from logicoder.autoencoder.model_difference import Difference, compare_models
from logicoder.autoencoder.model_file import StoredModel, StoredStack, model_path, write_model
from logicoder.autoencoder.packed_file import write_packed
from logicoder.autoencoder.predicate_scores import PredicateScore
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.autoencoder.run_record import Inputs, run_record_path, write_run_record
from logicoder.autoencoder.saved_results import RESULTS, Results
from logicoder.autoencoder.stored_codec import (
    StoredEncoding,
    StoredReconstruction,
    decoded_in_place,
    encoded_in_place,
)
from logicoder.autoencoder.stored_layer import StoredExceptions
from logicoder.autoencoder.understood import Data, Understood
from logicoder.base.errors import UsageError, require
from logicoder.base.stopping import StopToken
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.gloss import glosses
from logicoder.logic.terms import Program


class Codec(Understood):
    """What encodes facts and decodes them again by the programs of one layer or several.

    Attributes:
        encoder_: the topmost latent predicates in terms of the data.
        decoder_: the predicates of the data in terms of the topmost latent ones.
        scores_: how each predicate of the training data came back.
    """

    scores_: tuple[PredicateScore, ...]
    facts_: int
    loss_: int
    missing_: int
    false_: int
    masked_: int
    latent_facts_: int
    size_: int
    stopped_: str | None
    statistics_: dict[str, Any]

    @abstractmethod
    def fit(self, X: Any, y: object = None, *, stop: StopToken | None = None) -> Self:
        """Learn the programs."""

    @abstractmethod
    def __sklearn_is_fitted__(self) -> bool:
        """Whether there are programs."""

    @abstractmethod
    def stored(self) -> StoredModel | StoredStack:
        """Return what a model file keeps."""

    # -- the programs ---------------------------------------------------------------------------------

    def programs(self) -> list[tuple[Program, Program]]:
        """Return the encoder and the decoder of each layer, from the data upwards."""
        return [(layer.encoder, layer.decoder) for layer in self.stack()]

    def background_program(self) -> Program:
        """Return the background program, which may be empty."""
        return self.stack()[0].background

    def background_predicates(self) -> set[str]:
        """Return the predicates that the background program defines: data need not have them."""
        return set(self.background_program().defined())

    @property
    def glosses_(self) -> dict[str, str]:
        """The meaning of each latent predicate in plain words."""
        self.stack()
        return glosses(self.encoder_)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from logicoder.report.notebook import model_html  # noqa: PLC0415  (a call upwards, see pyproject.toml)

        return model_html(self)

    # -- using ----------------------------------------------------------------------------------------

    @overload
    def fit_transform(self, X: Data, y: object = None) -> KnowledgeBase: ...

    @overload
    def fit_transform(self, X: StoredData, y: object = None) -> StoredData: ...

    def fit_transform(self, X: Data | StoredData, y: object = None) -> KnowledgeBase | StoredData:  # noqa: ARG002
        """Learn the programs and return the latent facts."""
        return self.fit(X).transform(X)

    @overload
    def transform(self, X: Data) -> KnowledgeBase: ...

    @overload
    def transform(self, X: StoredData) -> StoredData: ...

    def transform(self, X: Data | StoredData) -> KnowledgeBase | StoredData:
        """Return the facts of the topmost latent predicates; constants may be new.

        Predicates that the model does not know are left out, with a warning. Of stored data, the result is
        made and kept by their engine, and is closed with them.
        """
        return encoded_in_place(self.stack(), X) if isinstance(X, StoredData) else self.encoded(X)[1]

    @overload
    def inverse_transform(self, X: KnowledgeBase) -> KnowledgeBase: ...

    @overload
    def inverse_transform(self, X: StoredData) -> StoredData: ...

    def inverse_transform(self, X: KnowledgeBase | StoredData) -> KnowledgeBase | StoredData:
        """Return the facts that the decoders derive from facts of the topmost latent predicates."""
        if isinstance(X, StoredData):
            return decoded_in_place(self.stack(), X)
        return decode_through(self.stack(), together(X))

    @overload
    def reconstruct(self, X: Data) -> Reconstruction: ...

    @overload
    def reconstruct(self, X: StoredData) -> StoredReconstruction: ...

    def reconstruct(self, X: Data | StoredData) -> Reconstruction | StoredReconstruction:
        """Encode and decode data and compare: missing and false facts, loss, per predicate."""
        layers = self.stack()
        if isinstance(X, StoredData):
            return StoredReconstruction(layers, X)
        kb = together(X)
        return reconstruct_through(layers, kb, encode_through(layers, kb))

    def score(self, X: Data | StoredData, y: object = None) -> float:  # noqa: ARG002
        """Return 1 - loss / facts: one is perfect, zero no better than an empty reconstruction."""
        outcome = self.reconstruct(X)
        return 1.0 - outcome.loss / max(1, outcome.facts)

    def known_part(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the knowledge base without the predicates that the model does not know."""
        return self.stack()[0].known_part(together(kb))

    @overload
    def encode_losslessly(self, kb: KnowledgeBase) -> LosslessEncoding: ...

    @overload
    def encode_losslessly(self, kb: StoredData) -> StoredEncoding: ...

    def encode_losslessly(self, kb: KnowledgeBase | StoredData) -> LosslessEncoding | StoredEncoding:
        """Return latent facts and exceptions from which `decode_losslessly` makes the same data.

        Predicates that the model does not know are kept among the exceptions.

        Raises:
            InputError: for data that `transform` rejects as well.
        """
        if isinstance(kb, StoredData):
            return StoredEncoding.of(self.stack(), kb)
        return encode_losslessly(self.stack(), together(kb))

    @overload
    def decode_losslessly(
        self, latent: KnowledgeBase, exceptions: Exceptions | str | Path
    ) -> KnowledgeBase: ...

    @overload
    def decode_losslessly(self, latent: StoredData, exceptions: StoredExceptions) -> StoredData: ...

    def decode_losslessly(
        self, latent: KnowledgeBase | StoredData, exceptions: Exceptions | StoredExceptions | str | Path
    ) -> KnowledgeBase | StoredData:
        """Return the data that was encoded.

        Args:
            latent: the latent facts.
            exceptions: the exceptions or, of latent facts in memory, the file that contains them.

        Raises:
            InputError: if model, latent facts and exceptions do not belong together.
            UsageError: if the exceptions are not where the latent facts are.
        """
        layers = self.stack()
        if isinstance(latent, StoredData) and isinstance(exceptions, StoredExceptions):
            return decoded_in_place(layers, latent, exceptions)
        if isinstance(latent, StoredData) or isinstance(exceptions, StoredExceptions):
            raise UsageError("pass latent facts and exceptions of the same encoding")
        return decode_losslessly(layers, latent, exceptions)

    def encode_packed(self, kb: KnowledgeBase, folder: str | Path) -> int:
        """Write data as bytes, coded by the plan of the model; `read_packed` reads them.

        Returns:
            the number of bytes, without what the receiver is assumed to know: predicates and constants.

        Raises:
            UsageError: if the model was not learned by description length.
        """
        layers = self.stack()
        if layers[0].plan is None:
            raise UsageError("only models learned by description length can pack data")
        return write_packed(layers[0].plan, kb, Path(folder))

    def diff(self, other: Codec, X: Data | None = None) -> Difference:
        """Compare with another model: clauses up to names and, on data, what both derive.

        Args:
            other: the other model.
            X: data on which to compare latent predicates and reconstructions.
        """
        require("other", other, Codec)
        for model in (self, other):
            model.stack()
        return compare_models(self, other, None if X is None else together(X))

    # -- keeping --------------------------------------------------------------------------------------

    def save(self, path: str | Path, *, inputs: Inputs = (), command: Sequence[str] | None = None) -> None:
        """Write the model as readable text, with a `run.json` next to it that records where it comes from.

        Args:
            path: the file, or an existing folder to hold `model.alp`.
            inputs: data files to record with their SHA-256 sums, or the sums of what was read, if known.
            command: the command line to record.
        """
        stored = self.stored()
        path = model_path(path)
        write_model(path, stored)
        write_run_record(
            run_record_path(path),
            parameters=self.plain_parameters(),
            results=stored.header.results,
            inputs=inputs,
            command=command,
        )

    @abstractmethod
    def plain_parameters(self) -> dict[str, Any]:
        """Return the parameters of the run as plain data."""

    def _results(self) -> Results:
        found = {name: getattr(self, name) for name in RESULTS if name in vars(self)}
        return cast(Results, found)

    def __sklearn_tags__(self) -> Any:
        """Describe the estimator to scikit-learn, which is imported by whoever asks."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags  # noqa: PLC0415  (optional)

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False),
        )
