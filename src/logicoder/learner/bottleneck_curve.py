"""The rate-distortion curve: one enumeration of candidates, many bottlenecks, each solved from the last."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct, structs

from logicoder.base.clock import Clock
from logicoder.base.effort import StoppedError
from logicoder.base.errors import (
    InfeasibleError,
    InputError,
    LogicoderError,
    SearchError,
    UsageError,
    location_of,
    require,
)
from logicoder.base.numbers import exact_fraction, number_of
from logicoder.base.progress import PhaseAdvanced, Reporter, silent
from logicoder.base.saved_json import Count, Number, read_json
from logicoder.base.setting import require_known, settings_of
from logicoder.base.stopping import PartToken, StopToken
from logicoder.candidates.candidate_counts import CandidateCounts
from logicoder.engine.sql.sample import at_hand
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.canonical_order import in_canonical_order
from logicoder.learner.background import with_background
from logicoder.learner.bound_scope import bound_scope
from logicoder.learner.learn import Learned, enumerate_problem
from logicoder.learner.parameters import COMPRESSIONS, POINTS
from logicoder.learner.run import solver_of
from logicoder.learner.selected_programs import programs_of
from logicoder.learner.settings import Settings
from logicoder.learner.stored import SAMPLE, limited, sample_of
from logicoder.learner.stored_selection import Demanded, SelectionCounts, tell_unmet
from logicoder.learner.time_budget import TimeBudget
from logicoder.logic.terms import Program
from logicoder.problem.bottlenecks import RELATIVE_BOTTLENECKS, bottlenecks_of, with_bottlenecks
from logicoder.problem.model import Problem
from logicoder.selection import Solution, in_units

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.problem.bottlenecks import Bottleneck

P = TypeVar("P")

logger = logging.getLogger("logicoder")

INFEASIBLE, NOT_FOUND = "infeasible", "not found"
CURVE_FILE = "curve.json"

_SEARCH = 0.7
"""The part of a time limit that is spent on a sample; all facts are counted in the rest."""


@dataclass(frozen=True)
class CurvePoint:
    """The best program under one bottleneck; where no program is allowed, most attributes are None.

    Attributes:
        compression: γ of the bottleneck.
        status: `optimal`, `feasible`, `infeasible` where no program satisfies the constraints, or `not found`
            where the effort did not suffice to find one.
        loss: missing and false atoms.
        objective: what was minimised; the loss, unless there are weights or the objective is `bits`.
        bound: proven lower bound on the objective of every program under this bottleneck.
        latent_facts: latent facts of the data.
        latent_predicates: latent predicates.
        size: latent facts plus body literals.
        bits: description length.
        stopped: why the search ended early, or None.
        encoder: the encoder program.
        decoder: the decoder program.
    """

    compression: Fraction
    status: str
    loss: int | None = None
    objective: float | None = None
    bound: float | None = None
    latent_facts: int | None = None
    latent_predicates: int | None = None
    size: int | None = None
    bits: float | None = None
    stopped: str | None = None
    encoder: Program | None = None
    decoder: Program | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the point as plain data; `objective`, which also names a setting, is called `minimised`."""
        names = {item.name: item.name for item in fields(self)} | {"objective": "minimised"}
        found = {told: getattr(self, name) for name, told in names.items()}
        found["compression"] = number_of(self.compression)
        for name in ("encoder", "decoder"):
            found[name] = None if found[name] is None else list(map(str, found[name]))
        return found

    @classmethod
    def of_stored(cls, stored: _StoredPoint) -> CurvePoint:
        """Return the point of plain data, as `as_dict` made it."""
        reached, bound = stored.minimised, stored.bound
        if (reached is None) != (bound is None) or (reached or 0) * 1.000001 + 1e-6 < (bound or 0):
            raise ValueError(f"the bound {bound} is not below what was reached, {reached}")
        if (bound or 0) < 0:
            raise ValueError(f"the bound {bound} is negative")
        found = structs.asdict(stored)
        found["objective"] = found.pop("minimised")
        found["compression"] = exact_fraction("compression", stored.compression)
        for name in ("encoder", "decoder"):
            found[name] = None if found[name] is None else Program.parse("\n".join(found[name]))
        return cls(**found)


class _StoredPoint(Struct):
    """A point as `CurvePoint.as_dict` tells it."""

    compression: Number | str
    status: str
    loss: Count | None
    minimised: Number | None
    bound: Number | None
    latent_facts: Count | None
    latent_predicates: Count | None
    size: Count | None
    bits: Number | None
    stopped: str | None
    encoder: tuple[str, ...] | None
    decoder: tuple[str, ...] | None


class _CurveOf(Struct, Generic[P], frozen=True):
    """A curve of points as they are, or as a file tells them."""

    points: tuple[P, ...]
    facts: Count
    plain_bits: Number
    bottlenecks: tuple[str, ...]
    objective: str
    bound_scope: str
    candidates: CandidateCounts
    seconds: dict[str, Number]
    complete: bool
    sample: Count | None = None


class Curve(_CurveOf[CurvePoint], frozen=True):
    """Loss against the size of the latent representation.

    Attributes:
        points: from the smallest to the largest compression.
        facts: F, the facts to be reconstructed.
        plain_bits: description length of the facts themselves.
        bottlenecks: the bottlenecks as texts; those without a value take the compression of each point.
        objective: what was minimised.
        bound_scope: what the bounds cover: all `enumerated` candidates, or those left: `pruned`.
        candidates: counts of candidates, step by step.
        seconds: time of each phase.
        complete: whether all points were solved; false if the run was stopped.
        sample: number of facts in the sample for which programs were chosen, if there are more; all figures
            are those of all facts.
    """

    def __iter__(self) -> Any:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def as_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        points = [point.as_dict() for point in self.points]
        return {**structs.asdict(self), "bottlenecks": list(self.bottlenecks), "points": points}

    @classmethod
    def load(cls, path: str | Path) -> Curve:
        """Read a curve that was saved as `curve.json`; the file, or the folder that holds it."""
        path = Path(path) / CURVE_FILE if Path(path).is_dir() else Path(path)
        hint = "logicoder curve --output makes one"
        found = structs.asdict(read_json(path, _CurveOf[_StoredPoint], "this curve", hint))
        try:
            return cls(**{**found, "points": tuple(map(CurvePoint.of_stored, found["points"]))})
        except (LogicoderError, ValueError) as error:
            raise InputError(f"this curve is damaged: {error}", location_of(path), hint) from None

    def text(self, width: int = 80, height: int = 16) -> str:
        """Return the curve as a plot of plain characters."""
        from logicoder.learner.plotting import text_plot  # noqa: PLC0415  (it knows of curves)

        return text_plot(self, width, height)

    def plot(self, path: str | Path) -> None:
        """Write the curve as a picture; the extension says how: .svg, .png or .pdf. Needs matplotlib."""
        from logicoder.learner.plotting import save_plot  # noqa: PLC0415  (it knows of curves)

        save_plot(self, Path(path))


def rate_distortion(
    kb: KnowledgeBase | StoredData,
    compressions: Iterable[float | str | Fraction] | None = None,
    *,
    points: int = POINTS.default,
    background: Program | None = None,
    report: Reporter = silent,
    stop: StopToken | None = None,
    max_sample: int = SAMPLE,
    **parameters: Any,
) -> Curve:
    """Return the rate-distortion curve of a knowledge base.

    Candidates are enumerated once. Bottlenecks are solved from the smallest to the largest, each started
    from the program of the one before, which satisfies it as well. A bound proved for a larger bottleneck
    holds for all smaller ones.

    >>> from logicoder.datasets import star_wars_figure
    >>> curve = rate_distortion(star_wars_figure(), ["0.5", "0.7", "1"], reconstruct_all=False)
    >>> [(point.latent_facts, point.loss, point.status) for point in curve]
    [(4, 1, 'optimal'), (6, 0, 'optimal'), (8, 0, 'optimal')]

    Args:
        kb: the facts; for more stored ones than `max_sample`, a sample chooses the programs, and all facts
            are counted.
        compressions: values of γ; by default, `points` values up to 1, evenly spaced.
        points: how many values.
        background: a program that encoders may use.
        report: called with phases and improvements.
        stop: ends the run early; the points so far are kept.
        max_sample: maximum number of stored facts to bring into memory.
        parameters: settings of the learner, as of `AutoEncoder`; at least one of the `bottlenecks` must leave
            its value open: `total`, `average` or `bits`.
    """
    values = _compressions(compressions, points)
    settings = _settings(parameters)
    kinds = bottlenecks_of(settings.bottlenecks)
    if all(kind == kind.at(Fraction(1)) for kind in kinds):
        raise UsageError(
            "a curve needs a bottleneck without a value; choose one of: " + ", ".join(RELATIVE_BOTTLENECKS)
        )
    if background is not None:
        require("background", background, Program)
    stop = stop or StopToken()
    if isinstance(kb, StoredData):
        whole = at_hand(kb, max_sample)
        if isinstance(whole, StoredData):
            began = monotonic()
            with limited(whole, settings, stop, report):
                known, kb = sample_of(whole, background or Program(), max_sample, report)
                counts = SelectionCounts(known, kb.schema)
                searching = settings.left_since(began)
                if searching.time_limit is not None:  # all facts are counted in the rest of it
                    searching = replace(searching, time_limit=_SEARCH * searching.time_limit)
                return _curve(kb, kinds, values, searching, PartToken(stop), report, counts)
        kb = whole
    if background is not None:
        kb = with_background(kb, background)
    return _curve(kb, kinds, values, settings, stop, report)


def _curve(
    kb: KnowledgeBase,
    kinds: Sequence[Bottleneck],
    values: Sequence[Fraction],
    settings: Settings,
    stop: StopToken,
    report: Reporter,
    whole: SelectionCounts | None = None,
) -> Curve:
    """Return the curve of what is in memory; `whole` tells what selections come to in all facts."""
    kb = in_canonical_order(kb)
    if not kb.size:
        raise InputError("there are no facts to learn from")
    plain = None if whole is None else whole.plain_bits()
    budget = TimeBudget.begin(settings, stop)
    clock = Clock(report)
    if any(kind.kind in ("average", "bits") for kind in kinds):
        # Under these bottlenecks dominance could lose the best program of some point.
        settings = replace(settings, dominance=False)
    problem, candidates = enumerate_problem(kb, replace(settings, bottlenecks=()), clock, stop)
    if candidates["pruned"].get("partly_combined"):
        logger.warning("a curve is computed without rounds, so not all latents are combined with each other")
    budget.begin_search()
    found: list[CurvePoint] = []
    with clock.phase("solve", len(values)) as counts:
        start: tuple[int, ...] | None = None
        for number, value in enumerate(values):
            report(PhaseAdvanced("solve", number, len(values)))
            bounded = with_bottlenecks(problem, [kind.at(value) for kind in kinds])
            try:
                solution = _solved(bounded, settings, stop, report, start)
            except SearchError:
                if stop.stopped:
                    break  # before this point had any program
                found.append(CurvePoint(value, NOT_FOUND))
                continue
            if solution is None:  # of stored data, a sample proves nothing
                found.append(CurvePoint(value, INFEASIBLE if whole is None else NOT_FOUND))
                continue
            programs = programs_of(bounded, solution, set(kb.schema))
            counted = Learned(*programs, bounded, solution, candidates, {}, [], "")
            demanded: list[Demanded] = []
            if whole is not None:
                try:
                    counted, demanded = whole.of(counted, replace(settings, compression=value))
                except StoppedError:
                    break  # before all facts were counted
                tell_unmet(demanded, f"compression {float(value):g}: ")
            point = _point(counted, value)
            met = all(one.holds for one in demanded)
            found.append(point if met else replace(point, status="feasible"))
            start = solution.decoders
            if stop.stopped:
                break
        counts["points"] = len(found)
    if any(point.status == NOT_FOUND for point in found):
        logger.warning("some points have no program: with more `effort`, the search may find one")
    if whole is not None and not found:
        raise SearchError("no program was counted on all facts in time; allow more time with `time_limit`")
    return Curve(
        _with_shared_bounds(found) if whole is None else tuple(found),
        kb.size if whole is None else whole.facts,
        problem.plain_bits / 1000 if plain is None else plain,
        tuple(map(str, kinds)),
        settings.goal,
        bound_scope(candidates, replace(settings, bottlenecks=kinds)) if whole is None else "none",
        candidates,
        clock.seconds,
        len(found) == len(values),
        None if whole is None else kb.size,
    )


def _compressions(given: Iterable[float | str | Fraction] | None, points: int) -> list[Fraction]:
    if given is None:
        POINTS.check(points)
        return [Fraction(number, points) for number in range(1, points + 1)]
    values = list(given) if isinstance(given, Iterable) else given
    COMPRESSIONS.check(values)
    return sorted({exact_fraction("a compression", value) for value in values})


def _settings(parameters: dict[str, Any]) -> Settings:
    require_known("rate_distortion", parameters, settings_of(Settings).keys() - {"compression"})
    return Settings(**parameters).checked()


def _solved(
    problem: Problem, settings: Settings, stop: StopToken, report: Reporter, start: tuple[int, ...] | None
) -> Solution | None:
    """Return the best selection, or None where none is allowed."""
    try:
        return solver_of(settings).solve(
            problem, seed=settings.seed, stop=stop, report=report, start=start, explain=False
        )
    except InfeasibleError:
        return None


def _point(learned: Learned, value: Fraction) -> CurvePoint:
    problem, solution = learned.problem, learned.solution
    return CurvePoint(
        value,
        solution.status,
        solution.loss,
        in_units(problem, solution.goal, solution.objective),
        in_units(problem, solution.goal, solution.bound),
        sum(problem.encoders[e].weight for e in solution.encoders),
        len(solution.encoders),
        solution.size,
        solution.bits / 1000,
        solution.stopped,
        learned.encoder,
        learned.decoder,
    )


def _with_shared_bounds(points: Sequence[CurvePoint]) -> tuple[CurvePoint, ...]:
    """Hand bounds down: a larger bottleneck allows everything that a smaller one does."""
    found: list[CurvePoint] = []
    best = 0.0
    for point in reversed(points):
        if point.bound is not None and point.objective is not None:
            best = max(best, point.bound)
            status = "optimal" if best == point.objective else point.status
            point = replace(point, bound=best, status=status)  # noqa: PLW2901
        found.append(point)
    return tuple(reversed(found))
