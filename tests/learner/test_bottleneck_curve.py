"""The rate-distortion curve: monotone, its bounds true, every point that of a fit of its own."""

from __future__ import annotations

import builtins
import sys
from fractions import Fraction
from itertools import pairwise

import pytest

from logicoder import AutoEncoder, UsageError
from logicoder.base.errors import InfeasibleError, MissingExtraError, SearchError
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import StopToken
from logicoder.datasets import star_wars, star_wars_figure
from logicoder.learner import plotting
from logicoder.learner.bottleneck_curve import Curve, CurvePoint, _with_shared_bounds, rate_distortion

OPTIONS = {"encoder_length": 1, "decoder_length": 2}
COMPRESSIONS = ["0.2", "0.35", "0.5", "0.6", "0.7", "1"]


@pytest.fixture(scope="module")
def curve() -> Curve:
    return rate_distortion(star_wars(), COMPRESSIONS, encoder_length=1, decoder_length=1)


def check_monotone(curve: Curve) -> None:
    known = [point for point in curve if point.objective is not None]
    infeasible = [point.status == "infeasible" for point in curve]
    assert infeasible == sorted(infeasible, reverse=True)
    for tight, loose in pairwise(known):
        assert tight.compression < loose.compression
        assert tight.objective >= loose.objective
        assert tight.bound >= loose.bound
    for point in known:
        assert point.bound <= point.objective
        assert (point.status == "optimal") == (point.bound == point.objective)


@pytest.mark.parametrize(
    ("kind", "data", "parameters"),
    [
        ("total", star_wars, {"encoder_length": 1, "decoder_length": 1}),
        ("total", star_wars_figure, {**OPTIONS, "reconstruct_all": False}),
        ("average", star_wars_figure, OPTIONS),
        ("bits", star_wars_figure, {**OPTIONS, "reconstruct_all": False, "weights": "balanced"}),
        ("total", star_wars_figure, {**OPTIONS, "objective": "bits"}),
    ],
)
def test_every_point_is_that_of_a_fit_of_its_own(kind, data, parameters) -> None:
    kb = data()
    values = [*COMPRESSIONS, "2", "5"] if kind == "bits" else COMPRESSIONS
    curve = rate_distortion(kb, values, bottlenecks=[kind], **parameters)
    check_monotone(curve)
    assert curve.complete
    assert {point.status for point in curve} >= {"optimal"}
    for point in curve:
        model = AutoEncoder(**parameters, compression=point.compression, bottlenecks=(kind,))
        if point.status == "infeasible":
            with pytest.raises(InfeasibleError, match="no program of these candidates"):
                model.fit(kb)
            continue
        model.fit(kb)
        assert model.status_ == "optimal"
        assert (point.objective, point.status) == (model.objective_, "optimal")
        if model.stopped_ is None and point.stopped is None and model.objective == "lexicographic":
            assert point.size == model.size_
        rebuilt = AutoEncoder.from_programs(point.encoder, point.decoder, schema=kb.schema).reconstruct(kb)
        assert (rebuilt.loss, rebuilt.latent_facts) == (point.loss, point.latent_facts)
        if kind == "total":
            assert point.latent_facts <= point.compression * kb.size


def test_little_effort_gives_true_bounds(curve) -> None:
    quick = rate_distortion(
        star_wars(), COMPRESSIONS, encoder_length=1, decoder_length=1, effort=0.01, solver="lns"
    )
    check_monotone(quick)
    for rough, exact in zip(quick, curve, strict=False):
        if rough.objective is not None and exact.objective is not None:
            assert rough.bound <= exact.objective <= rough.objective


def test_bounds_are_handed_down() -> None:
    points = [
        CurvePoint(Fraction(1, 10), "infeasible"),
        CurvePoint(Fraction(1, 5), "feasible", 9, 9, 2),
        CurvePoint(Fraction(1, 2), "feasible", 6, 6, 3),
        CurvePoint(Fraction(1), "optimal", 6, 6, 6),
    ]
    found = _with_shared_bounds(points)
    assert [point.bound for point in found] == [None, 6, 6, 6]
    assert [point.status for point in found] == ["infeasible", "feasible", "optimal", "optimal"]


def test_the_same_curve_every_time(curve) -> None:
    again = rate_distortion(star_wars(), COMPRESSIONS, encoder_length=1, decoder_length=1)
    assert again.points == curve.points


def test_who_stops_keeps_the_finished_points(curve) -> None:
    stop = StopToken()

    def report(event: object) -> None:
        if isinstance(event, PhaseAdvanced) and event.phase == "solve" and event.done == 4:
            stop.stop("interrupted")

    cut = rate_distortion(
        star_wars(), COMPRESSIONS, encoder_length=1, decoder_length=1, report=report, stop=stop
    )
    assert not cut.complete
    assert 4 <= len(cut) <= 5
    for mine, other in zip(cut.points[:4], curve.points, strict=False):
        assert (mine.loss, mine.encoder) == (other.loss, other.encoder)


def test_a_stop_before_the_first_program() -> None:
    stop = StopToken()
    stop.stop("time limit")
    with pytest.raises(SearchError):
        rate_distortion(star_wars_figure(), ["1"], stop=stop, **OPTIONS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"compressions": []}, "greater than 0"),
        ({"compressions": ["0", "1"]}, "greater than 0"),
        ({"compressions": ["much"]}, "each of them a number greater than 0"),
        ({"points": 0}, "at least 1"),
        ({"bottlenecks": ["latents=3"]}, "without a value; choose one of: average, total, bits"),
        ({"bottlenecks": ["total=0.5"]}, "without a value"),
        ({"compression": 0.5}, "no parameter 'compression'"),
        ({"colour": "blue"}, "no parameter 'colour'"),
    ],
)
def test_wrong_arguments_are_named(arguments, said) -> None:
    with pytest.raises(UsageError, match=said):
        rate_distortion(star_wars_figure(), **arguments)


class TestPictures:
    def test_plain_characters(self, curve) -> None:
        for width, height in ((40, 5), (60, 12), (100, 20)):
            lines = curve.text(width, height).splitlines()
            assert max(map(len, lines)) <= width + 8
            assert all(len(line) <= width for line in lines[:-2])
            assert "".join(lines).isascii()
            assert len(lines) == height + 4
        stars = [line.index("*") for line in curve.text(80, 30).splitlines() if "*" in line]
        assert stars == sorted(stars), "the loss falls from left to right"

    def test_a_band_between_bound_and_program(self) -> None:
        point = CurvePoint(Fraction(1, 2), "feasible", 10, 10, 5)
        lonely = Curve((point,), 9, 9.0, ("total",), "loss", "pruned", {}, {}, True)
        column = [line.strip(" |0123456789.")[:1] for line in lonely.text(40, 11).splitlines()[1:12]]
        assert column == ["*", *":" * 5, *[""] * 5]

    @pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
    def test_files(self, curve, tmp_path, suffix) -> None:
        pytest.importorskip("matplotlib", reason="pictures need matplotlib")
        first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
        curve.plot(first)
        curve.plot(str(second))
        assert first.read_bytes() == second.read_bytes()
        assert first.stat().st_size > 1000

    def test_the_error_names_the_extra(self, curve, tmp_path, monkeypatch) -> None:
        real = builtins.__import__

        def without(name: str, *rest: object, **options: object) -> object:
            if name.partition(".")[0] == "matplotlib":
                raise ImportError(name)
            return real(name, *rest, **options)

        monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(MissingExtraError, match=r"pip install 'matplotlib>="):
            curve.plot(tmp_path / "curve.svg")

    def test_other_formats_are_refused(self, curve, tmp_path) -> None:
        with pytest.raises(UsageError, match=r"\*.svg, \*.png, \*.pdf"):
            curve.plot(tmp_path / "curve.gif")


def drawn_curve() -> Curve:
    """No program, then one with a bound below its loss, then one without loss."""
    points = (
        CurvePoint(Fraction(1, 5), "infeasible"),
        CurvePoint(Fraction(1, 2), "feasible", loss=8, objective=8.0, bound=4.0, latent_facts=10),
        CurvePoint(Fraction(1), "optimal", loss=0, objective=0.0, bound=0.0, latent_facts=20),
    )
    return Curve(points, 20, 100.0, ("total",), "loss", "enumerated", {}, {}, complete=True)


def test_characters() -> None:
    """Every point has its column: x where there is no program, * for the loss and : down to the bound."""
    lines = drawn_curve().text(width=40, height=5).splitlines()
    rows = [line.partition("|")[2] for line in lines[1:6]]
    places = [{row.find(mark) for row in rows} - {-1} for mark in "x*:"]
    assert [row.strip() for row in rows] == ["*", ":", ":", "", "x                       *"], rows
    assert len(places[0]) == 1
    assert places[2] < places[1]


def test_the_picture_reaches_down_to_a_bound_of_zero() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure  # noqa: PLC0415  (an extra)

    axes = Figure().add_subplot()
    plotting._draw(drawn_curve(), axes)
    corners = axes.collections[0].get_paths()[0].vertices
    assert {tuple(corner) for corner in corners.tolist()} >= {(0.5, 8.0), (1.0, 8.0), (1.0, 0.0), (0.5, 0.0)}


def test_points_without_a_program_do_not_end_a_curve(monkeypatch, caplog) -> None:
    """The effort may not suffice for a small bottleneck, and suffice for a large one."""
    solve = rate_distortion.__globals__["_solved"]

    def solved(problem, *arguments):
        if not asked:
            asked.append(problem)
            raise SearchError("no program was found before the search ended (effort)")
        return solve(problem, *arguments)

    asked: list[object] = []
    monkeypatch.setitem(rate_distortion.__globals__, "_solved", solved)
    found = rate_distortion(star_wars_figure(), ["0.7", "1"], reconstruct_all=False)
    assert [(point.status, point.loss) for point in found] == [("not found", None), ("optimal", 0)]
    assert found.complete
    assert "x" in found.text()
    assert "with more `effort`, the search may find" in caplog.text
