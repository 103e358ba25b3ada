"""What models of one layer and of several share: using their programs, understanding them, keeping them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

from logicoder.autoencoder.audit import Audit, audit
from logicoder.autoencoder.difference import Difference, compare_models
from logicoder.autoencoder.exceptions_file import Exceptions
from logicoder.autoencoder.explainer import Explainer
from logicoder.autoencoder.explanation import Explanation
from logicoder.autoencoder.features import Features, features_of
from logicoder.autoencoder.insights import Insights, insights_of
from logicoder.autoencoder.layer import (
    Layer,
    decode_through,
    encode_through,
    reconstruct_through,
    together,
)
from logicoder.autoencoder.lossless import LosslessEncoding, decode_losslessly, encode_losslessly
from logicoder.autoencoder.masked_scores import MaskedScore, masked_scores
from logicoder.autoencoder.message_suggestions import suggest_by_message
from logicoder.autoencoder.model_file import StoredModel, StoredStack, model_path, write_model
from logicoder.autoencoder.packed_file import write_packed
from logicoder.autoencoder.program_suggestions import suggest_from
from logicoder.autoencoder.proposals import proposals_in
from logicoder.autoencoder.reconstruction import PredicateScore, Reconstruction
from logicoder.autoencoder.run_record import Inputs, run_record_path, write_run_record
from logicoder.autoencoder.saved_results import RESULTS, Results
from logicoder.autoencoder.suggestions import Suggestions
from logicoder.base.errors import UsageError, require
from logicoder.base.stopping import StopToken
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.kb.knowledge_base import Fact, KnowledgeBase
from logicoder.logic.gloss import glosses
from logicoder.logic.terms import Atom, Program

Data = KnowledgeBase | Iterable[KnowledgeBase]
"""One knowledge base, or several that are taken as one with more interpretations."""


class Codec(ABC):
    """What encodes facts and decodes them again by the programs of one layer or several.

    Attributes:
        encoder_: the topmost latent predicates in terms of the data.
        decoder_: the predicates of the data in terms of the topmost latent ones.
        scores_: how each predicate of the training data came back.
    """

    encoder_: Any
    decoder_: Any
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

    """The attributes that a saved model keeps beside programs and parameters."""

    @abstractmethod
    def stack(self) -> list[Layer]:
        """Return the programs of each layer, from the data upwards; an error where there are none yet."""

    @abstractmethod
    def fit(self, X: Any, y: object = None, *, stop: StopToken | None = None) -> Self:  # noqa: N803
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
        """Return the background program; an empty one where there is none."""
        return self.stack()[0].background

    def origins(self) -> Program:
        """Return what the facts that represent the data depend on, as a program."""
        layers = self.stack()
        return layers[0].origins() if len(layers) == 1 else Program((*layers[0].background, *self.encoder_))

    def background_predicates(self) -> set[str]:
        """Return the predicates that the background program defines: data need not have them."""
        return set(self.background_program().defined())

    @property
    def glosses_(self) -> dict[str, str]:
        """What each latent predicate means, in a line of plain words."""
        self.stack()
        return glosses(self.encoder_)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from logicoder.report.notebook import model_html  # noqa: PLC0415  (a call upwards, see pyproject.toml)

        return model_html(self)

    # -- using ----------------------------------------------------------------------------------------

    def fit_transform(self, X: Data, y: object = None) -> KnowledgeBase:  # noqa: ARG002, N803
        """Learn the programs and return the latent facts."""
        return self.fit(X).transform(X)

    def transform(self, X: Data) -> KnowledgeBase:  # noqa: N803
        """Return the facts of the topmost latent predicates; constants may be new.

        Predicates that the model does not know are left out, with a warning.
        """
        return self.encoded(X)[1]

    def inverse_transform(self, X: KnowledgeBase) -> KnowledgeBase:  # noqa: N803
        """Return the facts that the decoders derive from facts of the topmost latent predicates."""
        return decode_through(self.stack(), together(X))

    def reconstruct(self, X: Data) -> Reconstruction:  # noqa: N803
        """Encode and decode a knowledge base and compare: missing and false facts, loss, per predicate."""
        layers, kb = self.stack(), together(X)
        return reconstruct_through(layers, kb, encode_through(layers, kb))

    def score(self, X: Data, y: object = None) -> float:  # noqa: ARG002, N803
        """Return 1 - loss / facts: one is perfect, zero no better than an empty reconstruction."""
        outcome = self.reconstruct(X)
        return 1.0 - outcome.loss / max(1, outcome.facts)

    def encoded(self, X: Data) -> tuple[KnowledgeBase, KnowledgeBase]:  # noqa: N803
        """Return the data under the types of the model, background included, and the topmost latent facts."""
        levels = encode_through(self.stack(), together(X))
        return levels[0], levels[-1]

    def known_part(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the knowledge base without the predicates that the model does not know."""
        return self.stack()[0].known_part(together(kb))

    def encode_losslessly(self, kb: KnowledgeBase) -> LosslessEncoding:
        """Return latent facts and exceptions from which `decode_losslessly` makes the same knowledge base.

        Predicates that the model does not know are kept among the exceptions.

        Raises:
            InputError: for data that `transform` refuses as well.
        """
        return encode_losslessly(self.stack(), together(kb))

    def decode_losslessly(self, latent: KnowledgeBase, exceptions: Exceptions | str | Path) -> KnowledgeBase:
        """Return the knowledge base that was encoded.

        Args:
            latent: the latent facts.
            exceptions: what belongs to them, or the file that holds it.

        Raises:
            InputError: if model, latent facts and exceptions do not belong together.
        """
        return decode_losslessly(self.stack(), latent, exceptions)

    def encode_packed(self, kb: KnowledgeBase, folder: str | Path) -> int:
        """Write data as bytes, in as few bits as the plan of the model says; `read_packed` reads them.

        Returns:
            the number of bytes, without what the receiver is taken to know: predicates and constants.

        Raises:
            UsageError: for a model that was not learned by description length.
        """
        layers = self.stack()
        if layers[0].plan is None:
            raise UsageError("only models that were learned by description length can pack data")
        return write_packed(layers[0].plan, kb, Path(folder))

    # -- understanding --------------------------------------------------------------------------------

    def explainer(self, X: Data) -> Explainer:  # noqa: N803
        """Run the programs of all layers once and return what explains any number of atoms."""
        first, *above = self.stack()
        return first.explained(together(X), above)

    def explain(
        self,
        X: Data,  # noqa: N803
        atom: str | Atom | Fact,
        *,
        interpretation: str | None = None,
        limit: int = 3,
        depth: int = 12,
    ) -> Explanation:
        """Say why an atom of the data or of a latent predicate is derived, or what it lacks.

        >>> from logicoder import AutoEncoder
        >>> alp = AutoEncoder.from_programs("l(X,Y) :- p(X,Y), q(Y).", "p(X,Y) :- l(X,Y).")
        >>> kb = KnowledgeBase.from_facts([("p", "a", "b"), ("q", "c")])
        >>> print(alp.explain(kb, "p(a,b)"))
        p(a,b): a fact, but missing
        └─ p(X,Y) :- l(X,Y).
           └─ ✗ l(a,b)  not derived
              └─ l(X,Y) :- p(X,Y), q(Y).
                 ├─ p(a,b)  fact
                 └─ ✗ q(b)  not a fact
        <BLANKLINE>
        l  X, Y: p(X,Y), and q(Y)

        Args:
            X: the data.
            atom: the atom, as text or as a fact; with variables, the first atoms that match are explained.
            interpretation: the interpretation to look at; otherwise all in which the atom is found.
            limit: most derivations of the atom to show.
            depth: most clauses on the way down to the data.
        """
        return self.explainer(X).explain(atom, interpretation=interpretation, limit=limit, depth=depth)

    def suggest(
        self,
        X: Data,  # noqa: N803
        *,
        predicates: Collection[str] = (),
        weak: bool = False,
    ) -> Suggestions:
        """Return likely errors of the data, the best first: values to change, facts to add, facts to check.

        >>> from logicoder import AutoEncoder
        >>> alp = AutoEncoder.from_programs("l(X) :- p(X).", "q(X) :- l(X).  p(X) :- l(X).")
        >>> kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a"), ("q", "c")])
        >>> print(alp.suggest(kb))
        add     0.50  q(b)
        check   0.50  q(c)

        Args:
            X: the data.
            predicates: only suggestions about these.
            weak: whether a model that was learned by description length is to list what is less likely than
                not, too.
        """
        layers = self.stack()
        if len(layers) == 1 and layers[0].plan is not None:
            return suggest_by_message(layers[0].plan, self.encoded(X)[0], predicates, weak=weak)
        return suggest_from(self.explainer(X), predicates)

    def insights(self, X: Data) -> Insights:  # noqa: N803
        """Return what the model found, in sentences with counts: what follows from what, and what is kept.

        >>> from logicoder import AutoEncoder
        >>> pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
        >>> kb = KnowledgeBase.from_facts({"likes": pairs, "liked": [(y, x) for x, y in pairs]})
        >>> print(AutoEncoder().fit(kb).insights(kb).of("redundant")[0])
        likes is the inverse of liked: 40 of 40.
        """
        return insights_of(self.stack()[0].plan, self.encoded(X)[0])

    def audit(
        self,
        X: Data,  # noqa: N803
        rules: str | Path | Program,
        *,
        format: str = "auto",  # noqa: A002
    ) -> Audit:
        """Judge clauses from anywhere: support, exceptions, and bits saved alone and beside the program.

        >>> from logicoder import AutoEncoder
        >>> pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
        >>> kb = KnowledgeBase.from_facts({"likes": pairs, "liked": [(y, x) for x, y in pairs]})
        >>> print(AutoEncoder().fit(kb).audit(kb, "likes(A,B) :- liked(B,A).  likes(A,B) :- likes(B,A)."))
        reject  likes(A,B) :- liked(B,A).  40 of 40
        reject  likes(A,B) :- likes(B,A).  8 of 40

        Args:
            X: the data.
            rules: clauses as a program or as text, or the file that holds them.
            format: `prolog`, `amie` or `anyburl`; `auto` tells by looking at the text.
        """
        return audit(self.stack()[0].plan, self.encoded(X)[0], proposals_in(rules, format))

    def features(
        self,
        X: Data,  # noqa: N803
        predicate: str,
        *,
        original: bool = False,
        constants: int = 0,
        domains: Mapping[str, Sequence[str]] | None = None,
        like: Features | None = None,
    ) -> Features:
        """Return what latents that do not depend on a predicate say of its ground atoms, as a sparse matrix.

        >>> from logicoder import AutoEncoder
        >>> alp = AutoEncoder.from_programs("l(X) :- p(X).", "q(X) :- l(X).  p(X) :- l(X).")
        >>> kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a"), ("q", "c")])
        >>> found = alp.features(kb, "q")
        >>> found.names
        ('l(A)', 'q(X) :- l(X).')
        >>> for atom, row, truth in zip(found.atoms.facts(), found.matrix.toarray(), found.truth):
        ...     print(atom, *row, truth)
        q(a) 1 1 True
        q(b) 1 1 False
        q(c) 0 0 True

        Args:
            X: the data.
            predicate: the predicate whose atoms are the rows.
            original: literals of the data count as features as well, save those of the predicate.
            constants: name the constants of types that have at most so many, alone and with each feature.
            domains: further constants, by type, that exist in every interpretation.
            like: features, of training data perhaps, whose columns these shall have.
        """
        require("predicate", predicate, str)
        require("like", like, Features, type(None))
        data, latent = self.encoded(X)
        if predicate not in data.schema or data.schema[predicate].background:
            known = ", ".join(data.learnable)
            raise UsageError(f"there is no predicate {predicate} to predict; known are: {known}")
        return features_of(
            GroundAtoms(data, predicate, domains),
            self.origins(),
            self.decoder_,
            latent,
            original=original,
            constants=constants,
            like=like,
        )

    def masked(self, X: Data) -> list[MaskedScore]:  # noqa: N803
        """Return how each predicate comes back from latents that do not depend on it.

        >>> from logicoder import AutoEncoder
        >>> kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a"), ("q", "b"), ("q", "c")])
        >>> alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).  q(X) :- l(X).")
        >>> [(score.predicate, score.missing) for score in alp.masked(kb)]
        [('p', 2), ('q', 1)]
        """
        data, latent = self.encoded(X)
        return masked_scores(self.origins(), self.decoder_, data, latent)

    def diff(self, other: Codec, X: Data | None = None) -> Difference:  # noqa: N803
        """Compare with another model: clauses up to names, and on data what both derive.

        Args:
            other: the other model.
            X: data to compare latent predicates and reconstructions on.
        """
        require("other", other, Codec)
        for model in (self, other):
            model.stack()
        return compare_models(self, other, None if X is None else together(X))

    # -- keeping --------------------------------------------------------------------------------------

    def save(self, path: str | Path, *, inputs: Inputs = (), command: Sequence[str] | None = None) -> None:
        """Write the model as readable text, and a `run.json` beside it that says where it comes from.

        Args:
            path: the file, or an existing folder to hold `model.alp`.
            inputs: data files to be recorded with their SHA-256 sums; with sums of what was read, if known.
            command: the command line to be recorded.
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
