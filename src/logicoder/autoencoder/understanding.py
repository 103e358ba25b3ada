"""What models of one or several layers have to say: explanations, suggestions, differences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from logicoder.autoencoder.comparing import Difference, compare_models
from logicoder.autoencoder.explaining import Explainer
from logicoder.autoencoder.explanation import Explanation
from logicoder.autoencoder.features import Features, features_of
from logicoder.autoencoder.masking import MaskedScore, masked_scores
from logicoder.autoencoder.suggesting import Suggestions, suggest_from
from logicoder.base.errors import UsageError
from logicoder.engine.ground_atoms import GroundAtoms
from logicoder.kb.knowledge_base import Fact, KnowledgeBase
from logicoder.logic.gloss import glosses
from logicoder.logic.terms import Atom, Program


class Understanding(ABC):
    """Explanations, suggestions, features and differences of whatever has programs and an `explainer`."""

    encoder_: Any
    decoder_: Any

    @abstractmethod
    def __sklearn_is_fitted__(self) -> bool:
        """Whether there are programs."""

    @abstractmethod
    def programs(self) -> list[tuple[Program, Program]]:
        """Return the encoder and the decoder of each layer."""

    @abstractmethod
    def explainer(self, X: Any) -> Explainer:  # noqa: N803
        """Run the programs once and return what explains any number of atoms."""

    @abstractmethod
    def encoded(self, X: Any) -> tuple[KnowledgeBase, KnowledgeBase]:  # noqa: N803
        """Return the data under the types of the model, background included, and the latent facts."""

    @abstractmethod
    def background_program(self) -> Program:
        """Return the background program; an empty one where there is none."""

    def explain(
        self,
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
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
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
        *,
        predicates: Collection[str] = (),
    ) -> Suggestions:
        """Return atoms that may be missing from the data and facts that look odd, the best first.

        >>> from logicoder import AutoEncoder
        >>> alp = AutoEncoder.from_programs("l(X) :- p(X).", "q(X) :- l(X).  p(X) :- l(X).")
        >>> kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a"), ("q", "c")])
        >>> print(alp.suggest(kb))
        add    0.50  q(b)
        check  0.50  q(c)

        Args:
            X: the data.
            predicates: only suggestions about these.
        """
        return suggest_from(self.explainer(X), predicates)

    def features(
        self,
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
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
        data, latent = self.encoded(X)
        if predicate not in data.schema or data.schema[predicate].background:
            known = ", ".join(data.learnable)
            raise UsageError(f"there is no predicate {predicate} to predict; known are: {known}")
        encoder = Program((*self.background_program(), *self.encoder_))
        return features_of(
            GroundAtoms(data, predicate, domains),
            encoder,
            self.decoder_,
            latent,
            original=original,
            constants=constants,
            like=like,
        )

    def masked(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> list[MaskedScore]:  # noqa: N803
        """Return how each predicate comes back from latents that do not depend on it.

        >>> from logicoder import AutoEncoder
        >>> kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a"), ("q", "b"), ("q", "c")])
        >>> alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).  q(X) :- l(X).")
        >>> [(score.predicate, score.missing) for score in alp.masked(kb)]
        [('p', 2), ('q', 1)]
        """
        data, latent = self.encoded(X)
        return masked_scores(self.encoder_, self.decoder_, self.background_program(), data, latent)

    def diff(
        self,
        other: Understanding,
        X: KnowledgeBase | Iterable[KnowledgeBase] | None = None,  # noqa: N803
    ) -> Difference:
        """Compare with another model: clauses up to names, and on data what both derive.

        Args:
            other: the other model.
            X: data to compare latent predicates and reconstructions on.
        """
        for model in (self, other):
            model._require_encoder()
        return compare_models(self, other, X)

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from logicoder.report.notebook import model_html  # noqa: PLC0415  (a call upwards, see pyproject.toml)

        return model_html(self)

    @property
    def glosses_(self) -> dict[str, str]:
        """What each latent predicate means, in a line of plain words."""
        self._require_encoder()
        return glosses(self.encoder_)

    def _require_encoder(self) -> None:
        if not hasattr(self, "encoder_"):
            raise UsageError("this model has no programs yet: call fit, load, or from_programs")
