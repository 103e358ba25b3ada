"""Everything that a report shows, gathered from a model, its data and the record of its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.explainer import Explainer
from logicoder.autoencoder.following.state_file import Moment
from logicoder.autoencoder.predicate_scores import Totals
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.autoencoder.stored_explainer import StoredExplainer
from logicoder.engine.programs import with_derived
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.learner.goal import OF_BOTH
from logicoder.learner.parameters import ONE_RUN
from logicoder.report.clause_evidence import LayerEvidence, evidence_of, with_examples
from logicoder.report.level_counts import ArrayCounts
from logicoder.report.stored_counts import StoredCounts

if TYPE_CHECKING:
    from pathlib import Path

    from logicoder.autoencoder.audit import Audit
    from logicoder.autoencoder.auto_encoder import AutoEncoder
    from logicoder.autoencoder.stacked_auto_encoder import StackedAutoEncoder
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.logic.terms import Program


@dataclass(frozen=True)
class Content:
    """What a report is about.

    Attributes:
        model: the model.
        data: the facts that are shown.
        whole: all facts, which questions are about: the same, or where they are stored.
        totals: what came back of all facts.
        outcome: what came back of the facts that are shown.
        explainer: the programs, run on the data.
        layers: the clauses of each layer with what speaks for them.
        record: where the model comes from: `command`, `inputs`, `versions`, as in `run.json`.
        curve: a rate-distortion curve as in `curve.json`, if there is one.
        history: how the bits of encoded data went, as in `state.json`, if there is a state.
        remark: what the facts that are shown are a part of, where they are.
        audit: what became of clauses that somebody proposed, if there are any.
    """

    model: AutoEncoder | StackedAutoEncoder
    data: KnowledgeBase
    whole: KnowledgeBase | StoredData
    totals: Totals
    outcome: Reconstruction
    explainer: Explainer
    layers: list[LayerEvidence]
    record: Mapping[str, Any] = field(default_factory=dict)
    curve: Mapping[str, Any] | None = None
    history: Sequence[Moment] = ()
    remark: str = ""
    audit: Audit | None = None

    @classmethod
    def of(
        cls,
        model: AutoEncoder | StackedAutoEncoder,
        data: KnowledgeBase,
        record: Mapping[str, Any] | None = None,
        curve: Mapping[str, Any] | None = None,
        history: Sequence[Moment] = (),
        remark: str = "",
        rules: str | Path | Program | None = None,
        whole: StoredData | None = None,
    ) -> Content:
        """Run a model on data and gather what there is to show.

        Args:
            model: the model.
            data: the facts to show.
            record: where the model comes from.
            curve: a rate-distortion curve.
            history: how the bits of encoded data went.
            remark: what the data are a part of.
            rules: clauses to evaluate.
            whole: all facts, where the data are a part of them.
        """
        explainer = model.explainer(data)
        programs = model.programs()
        kept = explainer.kept_facts
        latent = explainer.levels[len(programs) - 1].outputs.restricted(programs[-1][0].defined())
        rebuilt = with_derived(kept, explainer.levels[-1].outputs)
        outcome = Reconstruction(explainer.data, rebuilt, with_derived(kept, latent))
        bases = {base.name: base.predicate for layer in model.stack() for base in layer.bases}
        layers = evidence_of(ArrayCounts(explainer), programs, bases=bases)
        totals = outcome.totals
        if whole is not None:
            counts = StoredCounts(StoredExplainer(model.stack(), whole), whole)
            layers = with_examples(evidence_of(counts, programs, bases=bases), layers)
            latent_facts = sum(layers[-1].latents[name] for name in programs[-1][0].defined())
            latent_facts += sum(counts.count(0, name) for name in layers[0].kept)
            totals = Totals(counts.scores(), latent_facts)
        audit = None if rules is None else model.audit(data, rules)
        return cls(
            model,
            data,
            data if whole is None else whole,
            totals,
            outcome,
            explainer,
            layers,
            record or {},
            curve,
            history,
            remark,
            audit,
        )

    @property
    def interpretations(self) -> int:
        """Number of interpretations of all facts."""
        return len(self.data.interpretations if isinstance(self.whole, KnowledgeBase) else self.whole.worlds)

    @property
    def partial(self) -> bool:
        """Whether only some facts are shown."""
        return self.whole is not self.data

    @property
    def runs(self) -> list[AutoEncoder]:
        """The auto-encoder of each layer."""
        return getattr(self.model, "layers_", None) or [self.model]

    def result(self, name: str) -> Any:
        """Return a result of the fit, or None where the model does not know it."""
        return getattr(self.model, f"{name}_", None)

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters of the fit."""
        given = self.model.get_params()
        own = given.keys() if self.result("plan") is None else OF_BOTH
        return {name: value for name, value in given.items() if name in own and name not in ONE_RUN}

    @property
    def goal(self) -> str:
        """What was minimised; models of version 0.1 say so in their settings alone."""
        return str(self.result("goal") or self.settings.get("objective"))

    @property
    def on_training_data(self) -> bool:
        """Whether the model was, as far as it knows, learned on this data."""
        known = self.result("facts"), self.result("loss")
        return known in ((None, None), (self.totals.facts, self.totals.loss))
