"""What models of one layer and of several share: scikit-learn's contract, and how they are kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from logicoder.autoencoder.lossless import LosslessCoding
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.autoencoder.run_record import run_record_path, write_run_record
from logicoder.autoencoder.storage import StoredModel, StoredStack, model_path, write_model
from logicoder.autoencoder.understanding import Understanding
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase


class Model(LosslessCoding, Understanding):
    """What learns programs, encodes and decodes by them, and can be saved."""

    _RESULTS: ClassVar[tuple[str, ...]]
    """The attributes that a saved model keeps beside programs and parameters."""

    @abstractmethod
    def fit(self, X: Any, y: object = None, *, stop: StopToken | None = None) -> Self:  # noqa: N803
        """Learn the programs."""

    @abstractmethod
    def reconstruct(self, X: Any) -> Reconstruction:  # noqa: N803
        """Encode and decode a knowledge base and compare."""

    @abstractmethod
    def stored(self) -> StoredModel | StoredStack:
        """Return what a model file keeps."""

    def fit_transform(self, X: KnowledgeBase | Iterable[KnowledgeBase], y: object = None) -> KnowledgeBase:  # noqa: ARG002, N803
        """Learn the programs and return the latent facts."""
        return self.fit(X).transform(X)

    def score(self, X: KnowledgeBase | Iterable[KnowledgeBase], y: object = None) -> float:  # noqa: ARG002, N803
        """Return 1 - loss / facts: one is perfect, zero no better than an empty reconstruction."""
        outcome = self.reconstruct(X)
        return 1.0 - outcome.loss / max(1, outcome.facts)

    def __sklearn_tags__(self) -> Any:
        """Describe the estimator to scikit-learn, which is imported by whoever asks."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags  # noqa: PLC0415  (optional)

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False),
        )

    def save(
        self, path: str | Path, *, inputs: Sequence[Path] = (), command: Sequence[str] | None = None
    ) -> None:
        """Write the model as readable text, and a `run.json` beside it that says where it comes from.

        Args:
            path: the file, or an existing folder to hold `model.alp`.
            inputs: data files to be recorded with their SHA-256 sums.
            command: the command line to be recorded.
        """
        stored = self.stored()
        path = model_path(path)
        write_model(path, stored)
        write_run_record(
            run_record_path(path),
            parameters=stored.header["parameters"],
            results=stored.header["results"],
            inputs=inputs,
            command=command,
        )

    def _results(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._RESULTS if hasattr(self, name)}

    def _set_results(self, found: Mapping[str, Any]) -> None:
        for name in set(self._RESULTS) & set(found):
            setattr(self, name, found[name])
