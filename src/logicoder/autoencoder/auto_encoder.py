"""`AutoEncoder`: scikit-learn's contract over knowledge bases, without importing scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from logicoder.autoencoder.codec import Codec, Data
from logicoder.autoencoder.fit_results import RESULTS, results_of
from logicoder.autoencoder.layer import Layer, together
from logicoder.autoencoder.layer_programs import require_latents
from logicoder.autoencoder.model_file import (
    StoredModel,
    model_path,
    plain_parameters,
    read_model,
    reading_header,
)
from logicoder.base.errors import LogicoderError, UsageError
from logicoder.base.progress import Improved, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.learner.checkpoint import Checkpoint
from logicoder.learner.learn import learn, learn_several
from logicoder.learner.settings import PRESETS, Settings
from logicoder.logic.dependencies import reach_of
from logicoder.logic.terms import Program
from logicoder.problem.bottlenecks import Bottleneck
from logicoder.problem.model import Problem


class AutoEncoder(Codec):
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
        encoder_length: greatest number of literals in an encoder body.
        decoder_length: greatest number of literals in a decoder body.
        compression: γ of the bottleneck; the exact fraction of its decimal text is used.
        max_latent_arity: greatest arity of a latent predicate; that of the data unless given.
        constants: name constants of types that have at most so many, in encoder bodies and decoder heads; 0
            for none.
        negation: allow negated literals.
        inequality: allow that two variables of a type are said to differ.
        recursion: allow recursive definitions, of latents and of the predicates of the data.
        naming_variants: keep one of the encoders with equal extensions and equal dependencies.
        signature_variants: keep one of the decoders with equal atoms and equal body predicates.
        max_corruption: drop decoders whose share of false atoms is not below this; None keeps them all.
        dominance: drop decoders that another one can stand for in every selection.
        drop_extensions: drop a decoder body of which a part derives no more false atoms; None puts those
            bodies last where there are more than `max_decoders` candidates. With `dominance`,
            None means yes.
        max_decoders: most decoder candidates to choose from; None for no limit.
        working_set: most latents that are combined with each other at once; where there are more, the others
            follow in rounds. None for no limit.
        rounds: most rounds of further candidates, made where a program still loses facts.
        max_bodies: most bodies of one length to look at for each head, on the way to decoders of three
            literals or more; None for no limit.
        max_tuples: encoder bodies whose join has more tuples are left out; the limit holds for up to a
            million facts and grows with more. None for no limit.
        max_encoders: most encoder candidates to evaluate; None for no limit.
        max_work: where the tuples of the combined latents times the predicates are more, decoders are sought
            head by head and judged by samples; None combines all latents for all heads in any case.
        max_memory: most memory of the process, such as `"4GiB"` or a number of bytes; None for 60 percent of
            what is available at the start. What does not fit is left out, and counted.
        generality: select at most one of two comparable clauses.
        reconstruct_all: demand a decoder for every predicate that has one of corruption below one half.
        bottlenecks: limits on the latent representation, objects or texts: `average`, `total`, `bits` (γ is
            the compression), `total=0.8`, `latents=10`, `largest=200`, `masked=0.5` (the share of the facts
            that may be missing when masked); see `logicoder.problem`.
        weights: what a mistake of each predicate counts (1 unless given), or `balanced`: inversely to the
            number of facts.
        limits: by predicate, limits on `clauses`, `loss`, `missing`, `false` or `masked`: numbers, or
            shares of its facts such as `"10%"`.
        require: clauses, predicates (`takes/2`) or shapes (`:- p(X,X).`) of which a selection must have each.
        forbid: clauses, predicates or shapes of which a selection must have none.
        objective: `lexicographic` minimises the loss, then latent facts plus body literals; `loss` only that;
            `bits` the description length of programs, latent facts and exceptions; `masked` the loss plus
            `mask_weight` times the masked loss, then latent facts plus body literals; `loss-then-masked` one
            after the other. The masked loss is the number of facts that come back only from latents that
            depend on their own predicate, or not at all.
        mask_weight: what a fact that is missing when masked counts, beside 1 for an ordinary mistake.
        solver: `auto`, `exact`, `lns`, `highs`, `rc2` or `clingo`.
        alpha: LNS: share of the selected decoders that stay selected in a round.
        beta: LNS: share of the unselected encoders that stay unselected in a round.
        effort: limit on the search in the solver's deterministic seconds; a tenth of it on large data.
        time_limit: seconds of the clock for the whole fit, of which the search gets at least two; None for no
            limit. Unlike `effort` it makes results depend on the machine's load. Candidates are enumerated
            to the end, unless that takes more than twice the limit (and ten seconds): then the fit fails.
        seed: seed of the search.
        jobs: threads that evaluate candidates, as many as there are cores unless given; results do not
            depend on it.
        background: a program of facts and clauses that encoders may use, or its text.
        checkpoint: folder that keeps the state of the run.
        resume: take up the state in that folder.
        reporter: called with progress events (see `logicoder.base.progress`).

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

    def __init__(
        self,
        encoder_length: int = 2,
        decoder_length: int = 2,
        compression: float | str | Fraction = 0.8,
        *,
        max_latent_arity: int | None = None,
        constants: int = 0,
        negation: bool = False,
        inequality: bool = False,
        recursion: bool = False,
        naming_variants: bool = True,
        signature_variants: bool = True,
        max_corruption: float | str | Fraction | None = None,
        dominance: bool = True,
        drop_extensions: bool | None = None,
        max_decoders: int | None = 20_000,
        working_set: int | None = 1_500,
        rounds: int = 8,
        max_bodies: int | None = 10_000,
        max_tuples: int | None = 5_000_000,
        max_encoders: int | None = 100_000,
        max_work: int | None = 8_000_000,
        max_memory: int | str | None = None,
        generality: bool = True,
        reconstruct_all: bool = True,
        bottlenecks: Sequence[Bottleneck | str] = ("total",),
        weights: Mapping[str, Any] | str | None = None,
        limits: Mapping[str, Mapping[str, Any]] | None = None,
        require: Program | str | None = None,
        forbid: Program | str | None = None,
        objective: str = "lexicographic",
        mask_weight: float | str | Fraction = 1,
        solver: str = "auto",
        alpha: float = 0.5,
        beta: float = 0.9,
        effort: float = 120.0,
        time_limit: float | None = None,
        seed: int = 0,
        jobs: int | None = None,
        background: Program | str | None = None,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        reporter: Reporter | None = None,
    ) -> None:
        self.encoder_length = encoder_length
        self.decoder_length = decoder_length
        self.compression = compression
        self.max_latent_arity = max_latent_arity
        self.constants = constants
        self.negation = negation
        self.inequality = inequality
        self.recursion = recursion
        self.naming_variants = naming_variants
        self.signature_variants = signature_variants
        self.max_corruption = max_corruption
        self.dominance = dominance
        self.drop_extensions = drop_extensions
        self.max_decoders = max_decoders
        self.working_set = working_set
        self.rounds = rounds
        self.max_bodies = max_bodies
        self.max_tuples = max_tuples
        self.max_encoders = max_encoders
        self.max_work = max_work
        self.max_memory = max_memory
        self.generality = generality
        self.reconstruct_all = reconstruct_all
        self.bottlenecks = bottlenecks
        self.weights = weights
        self.limits = limits
        self.require = require
        self.forbid = forbid
        self.objective = objective
        self.mask_weight = mask_weight
        self.solver = solver
        self.alpha = alpha
        self.beta = beta
        self.effort = effort
        self.time_limit = time_limit
        self.seed = seed
        self.jobs = jobs
        self.background = background
        self.checkpoint = checkpoint
        self.resume = resume
        self.reporter = reporter

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
        require_latents(made.encoder_, made.decoder_)
        return made

    # -- scikit-learn's contract ----------------------------------------------------------------------

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name."""
        for name, value in parameters.items():
            if name not in self._parameter_names():
                raise UsageError(f"AutoEncoder has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "encoder_")

    # -- learning -------------------------------------------------------------------------------------

    def fit(
        self,
        X: Data,  # noqa: N803
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
        kb = self._prepared(X)
        settings = self._settings()
        checkpoint = None
        if self.checkpoint is not None:
            checkpoint = Checkpoint(self.checkpoint, kb, settings, resume=self.resume)
        elif self.resume:
            raise UsageError("resume needs a checkpoint folder")
        mentioned = {name: frozenset(names) for name, names in (origins or {}).items()}
        learned = learn(
            kb,
            settings,
            report=self.reporter or silent,
            stop=stop,
            checkpoint=checkpoint,
            origins=reach_of(mentioned | self.background_program().mentions()),
        )
        self.__dict__ |= results_of(kb, learned)
        return self

    def fit_several(
        self,
        X: Data,  # noqa: N803
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
        kb = self._prepared(X)
        every = [dict(v) if isinstance(v, Mapping) else {"compression": v} for v in variations]
        found = learn_several(kb, self._settings(), every, report=self.reporter or silent)
        for variation, learned in zip(every, found, strict=True):
            if isinstance(learned, LogicoderError):
                yield learned
                continue
            model = type(self)(**self.get_params())
            model.set_params(**variation, reporter=None)
            model.__dict__ |= results_of(kb, learned)
            yield model

    def _settings(self) -> Settings:
        names = Settings.__dataclass_fields__
        return Settings(
            **{name: value for name, value in self.get_params().items() if name in names}
        ).checked()

    def _prepared(self, data: Data) -> KnowledgeBase:
        return Layer(Program(), Program(), background=self.background_program()).prepared(together(data))

    def background_program(self) -> Program:
        """Return the background program; an empty one where there is none."""
        if isinstance(self.background, str):
            return Program.parse(self.background, "<background>")
        return self.background or Program()

    # -- using and keeping; `Codec` has the rest ------------------------------------------------------

    encoder_: Program
    decoder_: Program
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
    _RESULTS = RESULTS

    def stack(self) -> list[Layer]:
        """Return the programs as the only layer."""
        if not hasattr(self, "encoder_"):
            raise UsageError("this AutoEncoder has no programs yet: call fit, load, or from_programs")
        return [Layer(self.encoder_, self.decoder_, self.schema_, self.background_program())]

    def plain_parameters(self) -> dict[str, Any]:
        """Return the parameters of the run as plain data."""
        return plain_parameters(self.get_params())

    def stored(self) -> StoredModel:
        """Return what a model file keeps."""
        (layer,) = self.stack()
        return StoredModel.of(layer, self.plain_parameters(), self._results(), self.history_)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved model (a file, or the folder that holds it)."""
        return cls.from_stored(read_model(path), model_path(path))

    @classmethod
    def from_stored(cls, stored: StoredModel, path: Path) -> Self:
        """Return the model that a file keeps."""
        with reading_header("this model", path, stored.line):
            made = cls(**stored.parameters())
            layer, made.history_ = stored.layer, stored.history()
            made.encoder_, made.decoder_, made.schema_ = layer.encoder, layer.decoder, layer.schema
            made.background = layer.background if len(layer.background) else None
            made._set_results(stored.header["results"])
        return made

    def __repr__(self) -> str:
        default = inspect.signature(type(self).__init__).parameters
        changed = [f"{n}={v!r}" for n, v in self.get_params().items() if v != default[n].default]
        return f"AutoEncoder({', '.join(changed)})"
