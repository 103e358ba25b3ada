"""What an experiment does: its configuration, and the cells of its grid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any, NamedTuple

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
        found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)(?:c(\d+))?", text.strip().lower(), re.ASCII)
        if found is None:
            raise UsageError(
                f"{text!r} is not two lengths such as 2x3, nor such as 1x2c10, which names constants, too"
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
        grid: lengths of `latent` and `masked`, as texts; see `Lengths`.
        compressions: values of γ of `latent` and `masked`, as text.
        hybrid_grid: lengths of `hybrid`.
        hybrid_compressions: values of γ of `hybrid`.
        sigmas: priors of direct networks.
        mask_weight: what a fact that is missing when masked counts, beside 1 for an ordinary mistake, in the
            representation `masked`. There decoder clauses are hard rules, so false atoms hurt.
        hybrid_mask_weights: likewise in `hybrid`, where they are weighted formulas: a clause is worth having
            even if most of its atoms are false.
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
    grid: tuple[str, ...] = ("2x2", "2x3", "3x2", "3x3")
    compressions: tuple[str, ...] = ("0.3", "0.5", "0.7")
    hybrid_grid: tuple[str, ...] = ("1x2c10", "2x2", "3x1")
    hybrid_compressions: tuple[str, ...] = ("0.7", "1.5")
    sigmas: tuple[float, ...] = (0.5, 1.0, 3.0)
    mask_weight: float = 1.0
    hybrid_mask_weights: tuple[float, ...] = (1.0, 5.0)
    formula_constants: tuple[int, ...] = (0, 10)
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
        lists = [field.name for field in fields(self) if isinstance(field.default, tuple)]
        for name in lists:
            if not getattr(self, name) and name not in ("representations", "ceilings"):
                raise UsageError(f"{name} must not be empty")
        for text in (*self.grid, *self.hybrid_grid):
            Lengths.parse(text)

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
