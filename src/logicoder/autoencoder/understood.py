"""What a model says about data: why an atom comes back, what looks wrong, what it found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from logicoder.autoencoder.audit import Audit, audit
from logicoder.autoencoder.explainer import Explainer
from logicoder.autoencoder.explanation import Explanation
from logicoder.autoencoder.features import Features, features_of
from logicoder.autoencoder.insight import Insights
from logicoder.autoencoder.insights import insights_of
from logicoder.autoencoder.layer import Layer, encode_through, together
from logicoder.autoencoder.masked_scores import MaskedScore, masked_scores
from logicoder.autoencoder.message_suggestions import suggest_by_message
from logicoder.autoencoder.program_suggestions import suggest_from
from logicoder.autoencoder.proposed_clauses import proposals_in
from logicoder.autoencoder.stored_explainer import StoredExplainer
from logicoder.autoencoder.stored_insights import stored_insights
from logicoder.autoencoder.stored_suggestions import suggest_stored
from logicoder.autoencoder.suggestions import Suggestions
from logicoder.base.errors import UsageError, require
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.engine.sql.sample import at_hand
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.knowledge_base import Fact, KnowledgeBase
from logicoder.logic.terms import Atom, Program

Data = KnowledgeBase | Iterable[KnowledgeBase]
"""One knowledge base, or several that are taken as one with more interpretations."""


class Understood(ABC):
    """What has programs of one layer or several, and is asked about them."""

    encoder_: Any
    decoder_: Any
    max_sample: int

    @abstractmethod
    def stack(self) -> list[Layer]:
        """Return the programs of each layer, from the data upwards; an error where there are none yet."""

    def origins(self) -> Program:
        """Return what the facts that represent the data depend on, as a program."""
        layers = self.stack()
        return layers[0].origins() if len(layers) == 1 else Program((*layers[0].background, *self.encoder_))

    def encoded(self, X: Data) -> tuple[KnowledgeBase, KnowledgeBase]:  # noqa: N803
        """Return the data under the types of the model, background included, and the topmost latent facts."""
        levels = encode_through(self.stack(), together(X))
        return levels[0], levels[-1]

    def explainer(self, X: Data | StoredData) -> Explainer:  # noqa: N803
        """Run the programs of all layers once and return what explains any number of atoms."""
        data = self._at_hand(X)
        if isinstance(data, StoredData):
            return StoredExplainer(self.stack(), data)
        first, *above = self.stack()
        return first.explained(data, above)

    def _at_hand(self, X: Data | StoredData) -> KnowledgeBase | StoredData:  # noqa: N803
        """Return data in memory, unless they are stored and more facts than may be brought there."""
        return at_hand(X, self.max_sample) if isinstance(X, StoredData) else together(X)

    def explain(
        self,
        X: Data | StoredData,  # noqa: N803
        atom: str | Atom | Fact,
        *,
        interpretation: str | None = None,
        limit: int = 3,
        depth: int = 12,
    ) -> Explanation:
        """Explain why an atom of the data or of a latent predicate is derived, or what is missing for it.

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
            interpretation: the interpretation to examine; by default, all in which the atom is found.
            limit: maximum number of derivations to show.
            depth: maximum number of clauses on the way down to the data.
        """
        return self.explainer(X).explain(atom, interpretation=interpretation, limit=limit, depth=depth)

    def suggest(
        self,
        X: Data | StoredData,  # noqa: N803
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
            weak: for models learned by description length: also list suggestions that are more likely wrong
                than right.
        """
        layers, data = self.stack(), self._at_hand(X)
        if isinstance(data, StoredData):
            return suggest_stored(layers, data, predicates, most=self.max_sample, weak=weak)
        if len(layers) == 1 and layers[0].plan is not None:
            return suggest_by_message(layers[0].plan, self.encoded(data)[0], predicates, weak=weak)
        return suggest_from(self.explainer(data), predicates)

    def insights(self, X: Data | StoredData) -> Insights:  # noqa: N803
        """Return what the model found, in sentences with counts: what follows from what, and what is kept.

        >>> from logicoder import AutoEncoder
        >>> pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
        >>> kb = KnowledgeBase.from_facts({"likes": pairs, "liked": [(y, x) for x, y in pairs]})
        >>> print(AutoEncoder().fit(kb).insights(kb).of("redundant")[0])
        likes is the inverse of liked: 40 of 40.
        """
        layer, data = self.stack()[0], self._at_hand(X)
        if isinstance(data, StoredData):
            return stored_insights(layer, data)
        return insights_of(layer.plan, self.encoded(data)[0])

    def audit(
        self,
        X: Data,  # noqa: N803
        rules: str | Path | Program,
        *,
        format: str = "auto",  # noqa: A002
    ) -> Audit:
        """Evaluate clauses from any source: support, exceptions, and bits saved alone and in the program.

        >>> from logicoder import AutoEncoder
        >>> pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
        >>> kb = KnowledgeBase.from_facts({"likes": pairs, "liked": [(y, x) for x, y in pairs]})
        >>> print(AutoEncoder().fit(kb).audit(kb, "likes(A,B) :- liked(B,A).  likes(A,B) :- likes(B,A)."))
        reject  likes(A,B) :- liked(B,A).  40 of 40
        reject  likes(A,B) :- likes(B,A).  8 of 40

        Args:
            X: the data.
            rules: clauses as a program or as text, or the file that holds them.
            format: `prolog`, `amie` or `anyburl`; `auto` recognises the text.
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
        """Return what latents say about the ground atoms of a predicate they do not depend on, as a matrix.

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
            original: also use literals of the data as features, except those of the predicate.
            constants: name the constants of types that have at most this many, alone and with each feature.
            domains: further constants, by type, that exist in every interpretation.
            like: features, such as those of training data, whose columns to use.
        """
        require("predicate", predicate, str)
        require("like", like, Features, type(None))
        data, latent = self.encoded(X)
        if predicate not in data.schema or data.schema[predicate].background:
            known = ", ".join(data.learnable)
            raise UsageError(f"there is no predicate {predicate} to predict; choose from: {known}")
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
