"""What an experiment does: its configuration, and the cells of its grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from logicoder.base.errors import UsageError
from logicoder.evaluation.splits import PROTOCOLS

ORIGINAL, PLAIN, CEILING = "original", "plain", "ceiling"
LATENT, MASKED, HYBRID = "latent", "masked", "hybrid"
REPRESENTATIONS = (ORIGINAL, LATENT, MASKED, PLAIN, HYBRID)
"""See `Configuration.representations`."""

LEARNERS = ("busl", "exhaustive")
GENERATIVE = (ORIGINAL, LATENT, MASKED)
LEARNED = (LATENT, MASKED, HYBRID)
"""Those that rest on an auto-encoder."""


@dataclass(frozen=True)
class Cell:
    """One way to make a model.

    Attributes:
        representation: what the model is over.
        learner: of generative networks: `busl` or `exhaustive`; `apart` for links that other facts of the
            same relation tell; None for the others.
        encoder_length: of the auto-encoder; None without one. Of a ceiling, the length of bodies.
        decoder_length: likewise.
        compression: γ, as text.
        mask_weight: of masked reconstruction; None for the objective of the paper.
        sigma: standard deviation of the prior of direct networks.
    """

    representation: str
    learner: str | None = None
    encoder_length: int | None = None
    decoder_length: int | None = None
    compression: str | None = None
    mask_weight: float | None = None
    sigma: float | None = None

    @property
    def name(self) -> str:
        """The cell as a file name.

        >>> Cell("hybrid", None, 2, 3, "0.5", 5.0, 1.0).name
        'hybrid-2x3-0.5-s1'
        """
        return "-".join(part for part in (self.model_name, self._prior) if part)

    @property
    def model_name(self) -> str:
        """The name without the prior: cells that share all but it are learned together."""
        lengths = self.encoder_length and (
            f"{self.encoder_length}x{self.decoder_length}"
            if self.decoder_length
            else f"{self.encoder_length}"
        )
        parts = (self.representation, self.learner, lengths, self.compression)
        return "-".join(str(part) for part in parts if part)

    @property
    def _prior(self) -> str:
        return "" if self.sigma is None else f"s{self.sigma:g}"

    @property
    def variant(self) -> str:
        """What is compared: the representation, with the learner where there is one."""
        return f"{self.representation} {self.learner}" if self.learner else self.representation

    @property
    def objective(self) -> str | None:
        """Which kind of auto-encoder it rests on: that of the paper, or masked with a weight."""
        if self.representation not in LEARNED:
            return None
        return "paper" if self.mask_weight is None else f"masked{self.mask_weight:g}"

    @property
    def encoding(self) -> str | None:
        """The name of the auto-encoder that it rests on."""
        if self.objective is None:
            return None
        return f"{self.objective}-{self.encoder_length}x{self.decoder_length}-{self.compression}"


@dataclass(frozen=True)
class Configuration:
    """All that determines the results of an experiment, but for the speed of the machine.

    Attributes:
        protocol: `paper` or `leave-one-out`.
        test: the test fold of the paper's protocol.
        validation: the fold that chooses.
        representations: `original`: a generative network over the data; `latent`: over latents, by the
            objective of the paper; `masked`: over latents, by masked reconstruction; `plain`: direct networks
            over the data; `hybrid`: direct networks over the data and the latents of masked reconstruction.
        learners: of generative networks.
        lengths: encoder and decoder lengths of the grid.
        compressions: values of γ, as text.
        sigmas: priors of direct networks.
        mask_weight: what a fact that is missing when masked counts, beside 1 for an ordinary mistake, in the
            representation `masked`. There decoder clauses are hard rules, so false atoms hurt.
        hybrid_mask_weight: likewise in `hybrid`, where they are weighted formulas: a clause is worth having
            even if most of its atoms are false.
        constants: auto-encoders may name the constants of types that have at most so many.
        formula_constants: direct networks may name constants of types with at most so many in formulas.
        max_literals: the most literals of a formula.
        max_variables: the most variables of a formula.
        ceilings: lengths of bodies of the ceilings that are measured.
        ceiling_constants: ceilings with constants of types that have at most so many.
        effort: of each selection, in deterministic seconds.
        selection_seconds: the most time of each selection.
        learning_seconds: the most time of learning the structure of one generative network.
        asking_seconds: the most time of sampling for one question.
        seed: of everything.
    """

    protocol: str = "paper"
    test: str | None = None
    validation: str | None = None
    representations: tuple[str, ...] = REPRESENTATIONS
    learners: tuple[str, ...] = ("busl",)
    lengths: tuple[tuple[int, int], ...] = ((2, 2), (2, 3), (3, 2), (3, 3))
    compressions: tuple[str, ...] = ("0.3", "0.5", "0.7")
    sigmas: tuple[float, ...] = (0.5, 1.0, 3.0)
    mask_weight: float = 1.0
    hybrid_mask_weight: float = 5.0
    constants: int = 0
    formula_constants: int = 0
    max_literals: int = 3
    max_variables: int = 3
    ceilings: tuple[int, ...] = ()
    ceiling_constants: int = 0
    effort: float = 30.0
    selection_seconds: float = 45.0
    learning_seconds: float = 60.0
    asking_seconds: float = 20.0
    seed: int = 0

    def __post_init__(self) -> None:
        _known("protocol", [self.protocol], PROTOCOLS)
        _known("representations", self.representations, REPRESENTATIONS)
        _known("learners", self.learners, LEARNERS)
        if not (self.representations or self.ceilings):
            raise UsageError("there is nothing to compare: name representations or ceilings")
        for name in ("learners", "lengths", "compressions", "sigmas"):
            if not getattr(self, name):
                raise UsageError(f"{name} must not be empty")

    def cells(self) -> Iterator[Cell]:
        """Yield the cells among which the validation fold chooses, for each variant."""
        for representation in self.representations:
            learners: Sequence[str | None] = self.learners if representation in GENERATIVE else (None,)
            sigmas: Sequence[float | None] = self.sigmas if representation in (PLAIN, HYBRID) else (None,)
            grid: list[tuple[int | None, int | None, str | None]] = [(None, None, None)]
            if representation in LEARNED:
                grid = [(e, d, c) for e, d in self.lengths for c in self.compressions]
            mask = {MASKED: self.mask_weight, HYBRID: self.hybrid_mask_weight}.get(representation)
            for learner in learners:
                for encoder, decoder, compression in grid:
                    for sigma in sigmas:
                        yield Cell(representation, learner, encoder, decoder, compression, mask, sigma)

    def ceiling_cells(self) -> list[Cell]:
        """Return the ceilings, which nothing has to choose."""
        return [Cell(CEILING, None, length) for length in self.ceilings]

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain data."""
        return plain_data(asdict(self))

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Configuration:
        """Return the configuration of plain data."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: _tuple(value) for name, value in found.items() if name in names})


def _known(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise UsageError(f"{option}: there is no {name!r}; choose from: {', '.join(known)}")


def plain_data(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as they come back from JSON: with lists in place of tuples."""
    return {name: _plain(value) for name, value in options.items()}


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _tuple(value: Any) -> Any:
    return tuple(_tuple(item) for item in value) if isinstance(value, list) else value
