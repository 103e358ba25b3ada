"""`AutoEncoder`: scikit-learn's contract over knowledge bases, without importing scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Self

from logicoder.autoencoder.coding import Coding, together
from logicoder.autoencoder.storage import (
    StoredModel,
    history_of_plain,
    model_path,
    plain_parameters,
    plain_schema,
    plain_tuples,
    read_model,
    reading_header,
    schema_of_plain,
)
from logicoder.base.errors import InputError, LogicoderError, UsageError
from logicoder.base.progress import Improved, silent
from logicoder.base.setting import documented, settings_of
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.learner.checkpoint import Checkpoint
from logicoder.learner.learn import Learned, learn, learn_several
from logicoder.learner.parameters import PRESETS, Parameters
from logicoder.learner.settings import Settings
from logicoder.logic.terms import Program
from logicoder.problem.evaluate import masked_of
from logicoder.problem.masking import reach_of, with_masking
from logicoder.selection import in_units


@documented
class AutoEncoder(Coding, Parameters):
    """Learns an encoder and a decoder program from relational facts.

    The loss is the number of facts that do not come back plus the number of atoms that come back wrongly;
    the bottleneck limits the latent facts to `compression` times the facts of the data.

    >>> kb = KnowledgeBase.from_facts([
    ...     ("mother", "padme", "luke"), ("mother", "padme", "leia"),
    ...     ("father", "vader", "luke"), ("father", "vader", "leia"),
    ...     ("woman", "padme"), ("man", "vader"),
    ... ])
    >>> alp = AutoEncoder(compression=1.5).fit(kb)
    >>> alp.loss_, alp.status_
    (0, 'optimal')
    >>> alp.inverse_transform(alp.transform(kb)) == kb
    True

    Args:
        {settings}

    Attributes:
        encoder_: the encoder program.
        decoder_: the decoder program.
        loss_: missing and false atoms on the training data.
        masked_: the masked loss: facts that do not come back from latents independent of their predicate.
        objective_: what was minimised first: the weighted loss (the loss, without weights), or the bits.
        bound_: proven lower bound on the objective.
        gap_: (objective - bound) / max(1, objective).
        status_: `optimal` or `feasible`; like bound and gap it concerns the objective.
        bits_: description length of programs, latent facts and exceptions.
        plain_bits_: description length of the facts themselves.
        bits_saved_: the difference.
        size_: latent facts plus body literals of all clauses.
        size_bound_: proven lower bound on the size at this loss; 0 where none is known.
        stopped_: why the search ended early, or None.
        bound_scope_: what the bound covers: `pruned` candidates, all `enumerated` ones, or the `language`.
        history_: every improvement, in order.
        statistics_: counts of candidates and times of phases.
    """

    # -- other ways to make one -----------------------------------------------------------------------

    @classmethod
    def from_preset(cls, name: str, **overrides: Any) -> Self:
        """Return an estimator with the parameters of a preset; `paper` is the setting of the paper.

        >>> AutoEncoder.from_preset("paper", seed=7).get_params()["max_corruption"]
        0.5
        """
        if name not in PRESETS:
            raise UsageError(f"there is no preset {name!r}; choose from: {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **overrides})

    @classmethod
    def from_programs(
        cls,
        encoder: Program | str,
        decoder: Program | str,
        *,
        schema: Schema | None = None,
        **parameters: Any,
    ) -> Self:
        """Return a fitted estimator of hand-written programs.

        >>> alp = AutoEncoder.from_programs(
        ...     "parent(X,Y) :- mother(X,Y) ; father(X,Y).  woman(X) :- mother(X,_).",
        ...     "mother(X,Y) :- parent(X,Y), woman(X).",
        ... )
        >>> kb = KnowledgeBase.from_facts([("mother", "padme", "luke"), ("father", "vader", "luke")])
        >>> print(*alp.reconstruct(kb).missing)
        father(vader,luke)

        Args:
            encoder: clauses over the input predicates.
            decoder: clauses over the latent predicates.
            schema: types of the input predicates; otherwise those of the data each time.
            parameters: parameters of the estimator.
        """
        made = cls(**parameters)
        made.encoder_ = Program.parse(encoder, "<encoder>") if isinstance(encoder, str) else encoder
        made.decoder_ = Program.parse(decoder, "<decoder>") if isinstance(decoder, str) else decoder
        made.schema_ = schema
        made.history_ = []
        latent = set(made.encoder_.defined())
        for clause in made.decoder_:
            strangers = sorted(clause.body_predicates() - latent - set(made.decoder_.defined()))
            if strangers:
                raise InputError(
                    f"in the clause {clause}\n  the encoder defines no latent predicate {strangers[0]}",
                    hint=f"it defines: {', '.join(sorted(latent))}",
                )
        return made

    # -- scikit-learn's contract ----------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "encoder_")

    # -- learning -------------------------------------------------------------------------------------

    def fit(
        self,
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
        y: object = None,  # noqa: ARG002
        *,
        stop: StopToken | None = None,
        origins: Mapping[str, Iterable[str]] | None = None,
    ) -> Self:
        """Learn the programs from a knowledge base, or from several as one with more interpretations.

        Ctrl-C during the selection keeps the best program so far; see `stopped_`.

        Args:
            X: the data.
            y: ignored.
            stop: lets the caller end the search early.
            origins: for masking, what predicates of the data were derived from, if they were; what the
                background derives is known anyway.
        """
        settings = self._settings()
        kb = self._prepared(together(X))
        checkpoint = None
        if self.checkpoint is not None:
            checkpoint = Checkpoint(self.checkpoint, kb, settings, resume=self.resume)
        elif self.resume:
            raise UsageError("`resume` needs a folder: `checkpoint`")
        learned = learn(
            kb,
            settings,
            report=self.reporter or silent,
            stop=stop,
            checkpoint=checkpoint,
            origins=self._reach(origins or {}),
        )
        self._take(kb, learned)
        return self

    def fit_several(
        self,
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
        variations: Sequence[float | str | Fraction | Mapping[str, Any]],
    ) -> Iterator[Self | LogicoderError]:
        """Learn one model for each of several compressions; the candidates are enumerated once.

        The time limit is that of each selection. Where no program is allowed, the error takes its place.
        With the objective `masked`, mask weights may vary as well: then a variation is a mapping such as
        `{"compression": "0.7", "mask_weight": 5}`.

        >>> from logicoder.datasets import star_wars_figure
        >>> found = AutoEncoder(reconstruct_all=False).fit_several(star_wars_figure(), ["0.5", "0.7"])
        >>> [model.loss_ for model in found]
        [1, 0]
        """
        settings = self._settings()
        kb = self._prepared(together(X))
        every = [dict(v) if isinstance(v, Mapping) else {"compression": v} for v in variations]
        found = learn_several(kb, settings, every, report=self.reporter or silent)
        for variation, learned in zip(every, found, strict=True):
            if isinstance(learned, LogicoderError):
                yield learned
                continue
            model = type(self)(**self.get_params())
            model.set_params(**variation, reporter=None)
            model._take(kb, learned)
            yield model

    def _reach(self, origins: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
        """Return all that predicates of data and background depend on."""
        mentioned = {name: frozenset(names) for name, names in origins.items()}
        return reach_of(mentioned | self.background_program().mentions())

    def _settings(self) -> Settings:
        self.checked()
        return Settings(**{name: getattr(self, name) for name in settings_of(Settings)})

    def _take(self, kb: KnowledgeBase, learned: Learned) -> None:
        solution = learned.solution
        self.schema_ = kb.schema
        self.encoder_ = learned.encoder
        self.decoder_ = learned.decoder
        self.history_: list[Improved] = learned.history
        self.facts_ = kb.size
        self.loss_ = solution.loss
        self.size_ = solution.size
        self.size_bound_ = solution.size_bound
        self.missing_ = solution.missing
        self.masked_ = sum(masked_of(with_masking(learned.problem), solution.decoders))
        self.false_ = solution.false
        self.objective_ = in_units(learned.problem, solution.goal, solution.objective)
        self.bound_ = in_units(learned.problem, solution.goal, solution.bound)
        self.gap_ = solution.gap
        self.status_ = solution.status
        self.stopped_ = solution.stopped
        self.bound_scope_ = learned.bound_scope
        self.bits_ = solution.bits / 1000
        self.plain_bits_ = learned.problem.plain_bits / 1000
        self.bits_saved_ = (learned.problem.plain_bits - solution.bits) / 1000
        self.problem_ = learned.problem
        self.latent_facts_ = sum(learned.problem.encoders[e].weight for e in solution.encoders)
        self.statistics_ = {
            "candidates": learned.candidates,
            "problem": {
                "variables": learned.problem.variables,
                "atoms": learned.problem.atoms,
                "classes": len(learned.problem.classes),
            },
            "seconds": learned.seconds,
        }

    # -- keeping --------------------------------------------------------------------------------------

    _RESULTS: ClassVar[tuple[str, ...]] = (
        "facts_",
        "loss_",
        "objective_",
        "bits_",
        "plain_bits_",
        "bits_saved_",
        "size_",
        "size_bound_",
        "missing_",
        "false_",
        "masked_",
        "bound_",
        "gap_",
        "status_",
        "stopped_",
        "bound_scope_",
        "latent_facts_",
        "statistics_",
    )

    def stored(self) -> StoredModel:
        """Return what a model file keeps."""
        self._require_programs()
        header = {
            "parameters": plain_parameters(self.get_params()),
            "schema": plain_schema(self.schema_),
            "results": self._results(),
            "history": [asdict(event) for event in self.history_],
            "encoder_clauses": len(self.encoder_),
            "decoder_clauses": len(self.decoder_),
        }
        return StoredModel(header, self.background_program(), self.encoder_, self.decoder_)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved model (a file, or the folder that holds it)."""
        return cls.from_stored(read_model(path), model_path(path))

    @classmethod
    def from_stored(cls, stored: StoredModel, path: Path) -> Self:
        """Return the model that a file keeps."""
        with reading_header("this model", path, stored.line):
            made = cls(**plain_tuples(stored.header["parameters"]))
            made.background = stored.background if len(stored.background) else None
            made.encoder_, made.decoder_ = stored.encoder, stored.decoder
            made.schema_ = schema_of_plain(stored.header["schema"])
            made.history_ = history_of_plain(stored.header["history"])
            made._set_results(stored.header["results"])
        return made

    def __repr__(self) -> str:
        return f"AutoEncoder({', '.join(self.changed_params())})"
