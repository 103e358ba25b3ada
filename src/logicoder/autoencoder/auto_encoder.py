"""`AutoEncoder`: scikit-learn's contract over knowledge bases, without importing scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import Any, Self

from logicoder.autoencoder.fit_results import results_of
from logicoder.autoencoder.following.followed import Followed
from logicoder.autoencoder.layer import Layer, together
from logicoder.autoencoder.layer_programs import require_known, require_latents
from logicoder.autoencoder.message_fit import fit_message
from logicoder.autoencoder.model_codec import Codec
from logicoder.autoencoder.model_file import (
    StoredModel,
    given_parameters,
    model_path,
    plain_parameters,
    read_model,
    reading_header,
)
from logicoder.autoencoder.stored_fit import engine_record, fit_stored, select_for_stored
from logicoder.autoencoder.understood import Data
from logicoder.base.errors import LogicoderError, UsageError, require, shown
from logicoder.base.numbers import share_of
from logicoder.base.progress import Improved, silent
from logicoder.base.setting import documented, settings_of
from logicoder.base.stopping import StopToken
from logicoder.compression.plan import Plan
from logicoder.compression.plan_programs import Base
from logicoder.engine.sql.sample import at_hand
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_sources import Opening
from logicoder.kb.canonical_order import in_canonical_order
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.mapping.data_mapping import DataMapping
from logicoder.kb.schema import Schema
from logicoder.learner.checkpoint import Checkpoint
from logicoder.learner.goal import selects
from logicoder.learner.learn import learn, learn_several
from logicoder.learner.parameters import Parameters
from logicoder.learner.presets import PRESETS
from logicoder.learner.settings import Settings
from logicoder.logic.dependencies import reach_of
from logicoder.logic.terms import Program
from logicoder.problem.model import Problem

Origins = Mapping[str, Iterable[str]] | None


@documented
class AutoEncoder(Codec, Parameters):
    """Learns an encoder and a decoder program from relational facts.

    By default, it looks for the shortest message that conveys all facts: some are kept, and clauses rebuild
    the others. With any setting of the selection, such as `compression`, a solver selects the clauses: it
    minimises the loss (facts that do not come back, plus atoms that come back but are not facts), with at
    most `compression` times as many latent facts as facts.

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
        status_: `optimal` or `feasible`; like bound and gap, it refers to the objective.
        bits_: description length of programs, latent facts and exceptions.
        plain_bits_: description length of the facts themselves.
        domain_bits_: the same with domains of arguments, without any clause (by description length only).
        bits_saved_: the difference between `bits_` and `domain_bits_`, or `plain_bits_` if there are none.
        exceptions_: missing and false atoms if each predicate is corrected before the next one is rebuilt.
        kept_: predicates that are kept as they are.
        bases_: what is kept of predicates that the decoder rebuilds otherwise.
        kept_facts_: number of facts of each predicate that represents the data.
        clauses_: what each clause saves, and how often it is right.
        unseen_: how a program learned from one part of the data does on the other.
        goal_: the objective that was minimised.
        mapping_: how tables became the predicates of the data, as plain data; None if the data consisted of
            facts.
        format_: the format that was named for the data on the command line, or None.
        size_: latent facts plus body literals of all clauses.
        size_bound_: proven lower bound on the size at this loss; 0 where none is known.
        stopped_: why the search ended early, or None.
        bound_scope_: what the bound covers: `pruned` candidates, all `enumerated` ones, the `language`, or
            `none`: no bound above zero is proven.
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
            raise UsageError(f"there is no preset {shown(name)}; choose from: {', '.join(PRESETS)}")
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
            schema: types of the input predicates; by default, those of the data each time.
            parameters: parameters of the estimator.
        """
        require("encoder", encoder, Program, str)
        require("decoder", decoder, Program, str)
        require("schema", schema, Schema, type(None))
        made = cls(**parameters)
        made.encoder_ = Program.parse(encoder, "<encoder>") if isinstance(encoder, str) else encoder
        made.decoder_ = Program.parse(decoder, "<decoder>") if isinstance(decoder, str) else decoder
        made.schema_ = schema
        made.history_ = []
        require_latents(made.encoder_, made.decoder_)
        return made

    # -- scikit-learn's contract ----------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "encoder_")

    # -- learning -------------------------------------------------------------------------------------

    def fit(
        self,
        X: Data | StoredData,  # noqa: N803
        y: object = None,  # noqa: ARG002
        *,
        stop: StopToken | None = None,
        origins: Origins = None,
    ) -> Self:
        """Learn the programs from a knowledge base, or from several, which are joined.

        Ctrl-C during the selection keeps the best program so far; see `stopped_`.

        Args:
            X: the data, in memory or where it is stored.
            y: ignored.
            stop: lets the caller end the search early.
            origins: for masking, what predicates of the data were derived from, if they were; what the
                background derives is known anyway.
        """
        began, settings = monotonic(), self._settings()
        if self.resume and self.checkpoint is None:
            raise UsageError("`resume` needs a checkpoint folder: set `checkpoint`")
        if isinstance(X, StoredData):
            return self._fit_stored(X, settings, stop, origins)
        if self.engine not in ("auto", "arrays"):
            kb = together(X)
            with StoredData.of(kb, Opening(self.engine, max_memory=self.max_memory).session()) as stored:
                return self._fit_stored(stored, settings, stop, origins)._mapped(kb.mapping)
        kb = self._prepared(X)
        return self._fit_read(kb, settings.left_since(began), stop, origins)

    def _fit_read(
        self, kb: KnowledgeBase, settings: Settings, stop: StopToken | None, origins: Origins
    ) -> Self:
        """Learn from data in memory, background included."""
        folder = self.checkpoint
        kept = nullcontext() if folder is None else Checkpoint(folder, kb, settings, resume=self.resume)
        with kept as checkpoint:
            if not selects(settings):
                self._take(self._message(kb, settings, stop=stop, checkpoint=checkpoint))
                return self._mapped(kb.mapping)
            selected = learn(
                kb,
                settings,
                report=self.reporter or silent,
                stop=stop,
                checkpoint=checkpoint,
                origins=self._reach(origins),
            )
        self._take(results_of(kb, settings, selected))
        return self._mapped(kb.mapping)

    def _reach(self, origins: Origins) -> dict[str, frozenset[str]]:
        """Return all that predicates of the data and of the background were derived from."""
        mentioned = {name: frozenset(names) for name, names in (origins or {}).items()}
        return reach_of(mentioned | self.background_program().mentions())

    def _fit_stored(
        self, data: StoredData, settings: Settings, stop: StopToken | None, origins: Origins
    ) -> Self:
        """Learn from data that stay where they are; all of them are read where they are few enough."""
        began, whole = monotonic(), at_hand(data, self.max_sample)
        if isinstance(whole, KnowledgeBase):
            kb = self._prepared(whole)
            self._fit_read(kb, settings.left_since(began), stop, origins)
            self.statistics_["engine"] = engine_record(data, len(whole))
            return self._mapped(data.mapping)
        options: dict[str, Any] = {
            "most": self.max_sample,
            "checkpoint": self.checkpoint,
            "resume": self.resume,
            "report": self.reporter or silent,
            "stop": stop,
        }
        background = self.background_program()
        if selects(settings):
            reach = self._reach(origins)
            results = select_for_stored(data, settings, background, origins=reach, **options)
        else:
            results = fit_stored(data, settings, background, self._share(), **options)
        self._take(results)
        return self._mapped(data.mapping)

    def relearn(self, X: Data) -> Self:  # noqa: N803
        """Learn again from changed data, starting from the present program.

        Raises:
            UsageError: if the model was not learned by description length.
        """
        start = self.stack()[0].plan
        if start is None:
            raise UsageError("only models learned by description length can be learned again")
        kb = self._prepared(X)
        self._take(self._message(kb, self._settings(), start=start))
        return self._mapped(kb.mapping)

    def follow(self, X: Data) -> Followed:  # noqa: N803
        """Return an encoding of data that you can update by adding and removing facts."""
        return Followed(self.stack()[0], together(X))

    def _mapped(self, mapping: DataMapping | None) -> Self:
        """Keep how tables became predicates."""
        if mapping is not None:
            from logicoder.kb.mapping.plain_mapping import plain_mapping  # noqa: PLC0415  (only of tables)

            self.mapping_ = plain_mapping(mapping)
        return self

    def fit_several(
        self,
        X: Data,  # noqa: N803
        variations: Sequence[float | str | Fraction | Mapping[str, Any]],
    ) -> Iterator[Self | LogicoderError]:
        """Learn one model for each of several compressions; the candidates are enumerated once.

        The time limit applies to each selection. If no program is possible, the result is the error instead.
        With the objective `masked`, mask weights may vary as well: then a variation is a mapping such as
        `{"compression": "0.7", "mask_weight": 5}`.

        >>> from logicoder.datasets import star_wars_figure
        >>> found = AutoEncoder(reconstruct_all=False).fit_several(star_wars_figure(), ["0.5", "0.7"])
        >>> [model.loss_ for model in found]
        [1, 0]
        """
        settings = self._settings()
        kb = self._prepared(X)
        every = [dict(v) if isinstance(v, Mapping) else {"compression": v} for v in variations]
        found = learn_several(kb, settings, every, report=self.reporter or silent)
        for variation, learned in zip(every, found, strict=True):
            if isinstance(learned, LogicoderError):
                yield learned
                continue
            model = type(self)(**self.get_params())
            model.set_params(**variation, reporter=None)
            model._take(results_of(kb, settings, learned))
            yield model

    def _message(self, kb: KnowledgeBase, settings: Settings, **options: Any) -> dict[str, Any]:
        report = self.reporter or silent
        return fit_message(kb, settings, self.background_program(), self._share(), report=report, **options)

    def _share(self) -> Fraction | None:
        return None if self.holdout is None else share_of(self.holdout)

    def _take(self, results: dict[str, Any]) -> None:
        """Keep results; those of an earlier fit are gone."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        self.__dict__ |= results

    def _settings(self) -> Settings:
        self.checked()
        return Settings(**{name: getattr(self, name) for name in settings_of(Settings)})

    def _prepared(self, data: Data) -> KnowledgeBase:
        layer = Layer(Program(), Program(), background=self.background_program())
        return in_canonical_order(layer.prepared(together(data)))

    def background_program(self) -> Program:
        """Return the background program, which may be empty."""
        if isinstance(self.background, str):
            return Program.parse(self.background, "<background>")
        return self.background or Program()

    # -- using and keeping; `Codec` has the rest ------------------------------------------------------

    encoder_: Program
    decoder_: Program
    kept_: tuple[str, ...] = ()
    bases_: tuple[Base, ...] = ()
    plan_: Plan | None = None
    mapping_: Mapping[str, Any] | None = None
    format_: str | None = None
    schema_: Schema | None
    history_: list[Improved]
    problem_: Problem
    objective_: float
    bound_: float
    gap_: float
    status_: str
    bound_scope_: str
    size_bound_: int
    bits_: float
    plain_bits_: float
    bits_saved_: float
    domain_bits_: float
    exceptions_: int
    clauses_: list[dict[str, Any]]
    kept_facts_: dict[str, int]
    unseen_: dict[str, Any] | None
    goal_: str

    def stack(self) -> list[Layer]:
        """Return the programs as the only layer."""
        if not hasattr(self, "encoder_"):
            raise UsageError("this AutoEncoder has no programs yet: call fit, load, or from_programs")
        beside = self.kept_, self.bases_, self.plan_, self.mapping_, self.format_
        return [Layer(self.encoder_, self.decoder_, self.schema_, self.background_program(), *beside)]

    def plain_parameters(self) -> dict[str, Any]:
        """Return the parameters of the run as plain data."""
        return plain_parameters(self.get_params())

    def stored(self) -> StoredModel:
        """Return what a model file keeps."""
        (layer,) = self.stack()
        return StoredModel.of(layer, self.plain_parameters(), self._results(), self.history_)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved model (a file, or the folder that contains it)."""
        return cls.from_stored(read_model(path), model_path(path))

    @classmethod
    def from_stored(cls, stored: StoredModel, path: Path) -> Self:
        """Return the model in a file."""
        with reading_header("the header of this model", path, stored.line):
            made = cls().set_params(**given_parameters(stored.header.parameters)).checked()
        layer, made.history_ = stored.layer, list(stored.header.history)
        require_known(layer, path)
        made.encoder_, made.decoder_, made.schema_ = layer.encoder, layer.decoder, layer.schema
        made.kept_, made.bases_, made.plan_ = layer.kept, layer.bases, layer.plan
        made.mapping_, made.format_ = layer.mapping, layer.format
        made.background = layer.background if len(layer.background) else None
        made.__dict__ |= stored.header.results
        return made

    def __repr__(self) -> str:
        return f"AutoEncoder({', '.join(self.changed_params())})"
