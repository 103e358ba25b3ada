"""What an experiment does: its configuration, and the cells of its grid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, NamedTuple

from logicoder.base.errors import UsageError
from logicoder.base.kinds import Choice, Kind, Name, Number, Several, Whole
from logicoder.base.setting import Adjustable, Setting, documented, setting, settings_of
from logicoder.evaluation.splits import PROTOCOLS
from logicoder.learner.parameters import LearnerParameters
from logicoder.mln.weight_parameters import WeightParameters

ORIGINAL, PLAIN, CEILING = "original", "plain", "ceiling"
LATENT, MASKED, HYBRID = "latent", "masked", "hybrid"
REPRESENTATIONS = (ORIGINAL, LATENT, MASKED, PLAIN, HYBRID)
"""See `Configuration.representations`."""

LEARNERS = ("busl", "exhaustive")
GENERATIVE = (ORIGINAL, LATENT, MASKED)
LEARNED = (LATENT, MASKED, HYBRID)
"""Those that rest on an auto-encoder."""


class Lengths(NamedTuple):
    """A cell of the grid: the lengths of clauses, and which constants they may name.

    >>> Lengths.parse("2x3")
    Lengths(encoder=2, decoder=3, constants=0)
    >>> str(Lengths.parse("1x2c10"))
    '1x2c10'

    Attributes:
        encoder: the most literals of an encoder body.
        decoder: the most literals of a decoder body.
        constants: clauses may name the constants of types that have at most so many.
    """

    encoder: int
    decoder: int
    constants: int = 0

    @classmethod
    def parse(cls, text: str) -> Lengths:
        """Return the lengths of a text such as `2x3` or `1x2c10`."""
        found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)(?:c(\d{1,12}))?", text.strip().lower(), re.ASCII)
        if found is None:
            raise UsageError(
                f"{text!r} is not a pair of lengths such as 2x3, or 1x2c10, which also names constants"
            )
        return cls(*(int(part or 0) for part in found.groups()))

    def __str__(self) -> str:
        """Return the text."""
        constants = f"c{self.constants}" if self.constants else ""
        return f"{self.encoder}x{self.decoder}{constants}"


@dataclass(frozen=True)
class Cell:
    """One way to make a model.

    Attributes:
        representation: what the model is over.
        learner: of generative networks: `busl` or `exhaustive`; `apart` for links that other facts of the
            same relation tell; None for the others.
        lengths: of the auto-encoder, as text; None without one. Of a ceiling, the length of bodies.
        compression: γ, as text.
        mask_weight: of masked reconstruction; None for the objective of the paper.
        sigma: standard deviation of the prior of direct networks.
        formula_constants: direct networks may name constants of types with at most so many in formulas.
    """

    representation: str
    learner: str | None = None
    lengths: str | None = None
    compression: str | None = None
    mask_weight: float | None = None
    sigma: float | None = None
    formula_constants: int = 0

    @property
    def name(self) -> str:
        """The cell as a file name.

        >>> Cell("hybrid", None, "2x3", "0.5", 5.0, 1.0, 10).name
        'hybrid-2x3-0.5-w5-k10-s1'
        """
        return "-".join(part for part in (self.model_name, self._prior) if part)

    @property
    def model_name(self) -> str:
        """The name without the prior: cells that share all but it are learned together."""
        weight = None if self.mask_weight is None else f"w{self.mask_weight:g}"
        constants = f"k{self.formula_constants}" if self.formula_constants else None
        parts = (self.representation, self.learner, self.lengths, self.compression, weight, constants)
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
        return f"{self.objective}-{self.lengths}-{self.compression}"


class LengthsText(Kind):
    """The text of lengths; see `Lengths`."""

    metavar = "ExD"
    wanted = "a pair of lengths such as 2x3, or 1x2c10, which also names constants"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return isinstance(value, str) and bool(Lengths.parse(value))

    def parse(self, text: str) -> str:
        """See `Kind.parse`."""
        return str(Lengths.parse(text))


FOLDS, GRID, MODELS, EFFORT = "Folds", "Grid", "Models", "Effort"

_FOLD = Name("the name of a fold", "FOLD")
LENGTHS = Several(LengthsText())
COMPRESSIONS = Several(settings_of(LearnerParameters)["compression"].kind)
POSITIVE = Number(0, above=True)
SIGMAS = Several(settings_of(WeightParameters)["sigma"].kind)
SECONDS = Number(0, above=True, metavar="SECONDS")
MASK_WEIGHT = Number(0, 1e6, above=True)
SEED = settings_of(LearnerParameters)["seed"].kind
JOBS = Setting(Whole(1, 1024), None, "number of processes", EFFORT, unset="one per core", name="jobs")


@documented
@dataclass(frozen=True)
class Configuration(Adjustable):
    """Everything that determines the results of an experiment, except the speed of the machine.

    Attributes:
        {settings}
    """

    protocol: str = setting("paper", Choice(PROTOCOLS), "how folds take turns", group=FOLDS)
    test: str | None = setting(
        None, _FOLD, "the test fold of the paper's protocol", unset="the last", group=FOLDS
    )
    validation: str | None = setting(
        None,
        _FOLD,
        "the fold on which models are chosen",
        unset="the one after the test fold; the first for leave-one-out",
        group=FOLDS,
    )
    representations: tuple[str, ...] = setting(
        REPRESENTATIONS,
        Several(Choice(REPRESENTATIONS), empty=True),
        "what to compare: original, latent, masked, plain, hybrid",
        more="`original`: a generative network over the data; `latent`: over latents, by the objective of "
        "the paper; `masked`: over latents, by masked reconstruction; `plain`: direct networks over the "
        "data; `hybrid`: direct networks over the data and the latents of masked reconstruction",
        group=MODELS,
    )
    learners: tuple[str, ...] = setting(
        ("busl",),
        Several(Choice(LEARNERS)),
        "learner of original, latent and masked networks: busl, exhaustive, or both",
        option="--learner",
        group=MODELS,
    )
    grid: tuple[str, ...] = setting(
        ("2x2", "2x3", "3x2", "3x3"),
        LENGTHS,
        "encoder and decoder lengths of latent and masked; 1x2c10 also names constants of types with "
        "at most 10",
        group=GRID,
    )
    compressions: tuple[str, ...] = setting(
        ("0.3", "0.5", "0.7"), COMPRESSIONS, "values of the compression of latent and masked", group=GRID
    )
    hybrid_grid: tuple[str, ...] = setting(
        ("1x2c10", "2x2", "3x1"), LENGTHS, "encoder and decoder lengths of hybrid", group=GRID
    )
    hybrid_compressions: tuple[str, ...] = setting(
        ("0.7", "1.5"), COMPRESSIONS, "values of the compression of hybrid", group=GRID
    )
    sigmas: tuple[float, ...] = setting(
        (0.5, 1.0, 3.0),
        SIGMAS,
        "priors of plain and hybrid networks: standard deviations of weights",
        group=GRID,
    )
    mask_weight: float = setting(
        1.0,
        MASK_WEIGHT,
        "for masked: how much a fact that is missing when masked counts; a mistake counts 1",
        more="decoder clauses are hard rules there, so false atoms do harm",
        group=MODELS,
    )
    hybrid_mask_weights: tuple[float, ...] = setting(
        (1.0, 5.0),
        Several(MASK_WEIGHT),
        "values of the mask weight of hybrid, whose clauses are weighted",
        more="a clause is worth having even if most of its atoms are false",
        group=GRID,
    )
    formula_constants: tuple[int, ...] = setting(
        (0, 10),
        Several(Whole(0)),
        "formulas of plain and hybrid networks name constants of types with at most this many",
        group=GRID,
    )
    max_literals: int = setting(3, Whole(2, 64), "maximum number of literals of a formula", group=MODELS)
    max_variables: int = setting(3, Whole(1, 64), "maximum number of variables of a formula", group=MODELS)
    ceilings: tuple[int, ...] = setting(
        (),
        Several(Whole(1, 64, metavar="K"), empty=True),
        "measure what all bodies of up to this many literals can reach together",
        option="--ceiling",
        group=MODELS,
    )
    ceiling_constants: int = setting(
        0, Whole(0), "bodies of ceilings name constants of types with at most this many", group=MODELS
    )
    effort: float = setting(
        30.0, POSITIVE, "effort of each selection, in the solver's deterministic seconds", group=EFFORT
    )
    selection_seconds: float = setting(
        45.0, SECONDS, "time limit of each selection", option="--selection-time", group=EFFORT
    )
    learning_seconds: float = setting(
        60.0,
        SECONDS,
        "time limit for learning one network with busl or exhaustive",
        option="--learning-time",
        group=EFFORT,
    )
    asking_seconds: float = setting(
        20.0, SECONDS, "time limit for sampling one question", option="--asking-time", group=EFFORT
    )
    seed: int = setting(0, SEED, "seed of the random numbers", group=EFFORT)

    def __post_init__(self) -> None:
        self.checked()
        if not (self.representations or self.ceilings):
            raise UsageError("there is nothing to compare: name `representations` or `ceilings`")

    def cells(self) -> Iterator[Cell]:
        """Yield the cells among which the validation fold chooses, for each variant."""
        for representation in self.representations:
            learners: Sequence[str | None] = self.learners if representation in GENERATIVE else (None,)
            sigmas: Sequence[float | None] = self.sigmas if representation in (PLAIN, HYBRID) else (None,)
            named = self.formula_constants if representation in (PLAIN, HYBRID) else (0,)
            for learner, place, constants, sigma in product(
                learners, self._grid_of(representation), named, sigmas
            ):
                yield Cell(representation, learner, *place, sigma, constants)

    def _grid_of(self, representation: str) -> list[tuple[str | None, str | None, float | None]]:
        """Return lengths, compressions and mask weights."""
        if representation == HYBRID:
            return list(product(self.hybrid_grid, self.hybrid_compressions, self.hybrid_mask_weights))
        if representation in LEARNED:
            weight = self.mask_weight if representation == MASKED else None
            return list(product(self.grid, self.compressions, [weight]))
        return [(None, None, None)]

    def ceiling_cells(self) -> list[Cell]:
        """Return the ceilings, which nothing has to choose."""
        return [Cell(CEILING, None, str(length)) for length in self.ceilings]

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain data."""
        return plain_data(asdict(self))


def plain_data(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as they come back from JSON: with lists in place of tuples."""
    return {name: _plain(value) for name, value in options.items()}


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
