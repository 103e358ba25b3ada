"""Saved files of every kind, damaged, read by the library itself: what loads is also used."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path

from campaign.corpus import DATA, TINY_SELECTED, corpus, tiny
from campaign.fuzzing import Fuzzing, Target, bucket
from logicoder import KnowledgeBase
from logicoder.autoencoder.exceptions_file import read_exceptions
from logicoder.autoencoder.following.state_file import read_history
from logicoder.autoencoder.packed_file import read_packed
from logicoder.autoencoder.run_record import read_run_record
from logicoder.autoencoder.stacked_auto_encoder import load_model
from logicoder.evaluation.figures import read_results
from logicoder.evaluation.store import Store
from logicoder.learner.bottleneck_curve import Curve
from logicoder.learner.checkpoint import Checkpoint
from logicoder.learner.settings import Settings
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.structure.state import StructureCheckpoint
from logicoder.mln.structure.structure_settings import Settings as StructureSettings
from logicoder.problem import load_problem

FIXTURES = DATA.parent


@cache
def _data(path: Path) -> KnowledgeBase:
    return KnowledgeBase.from_path(path)


def _model(path: Path) -> object:
    model = load_model(path)
    model.reconstruct(_data(tiny()))
    again = path.with_name("again.alp")
    model.save(again)
    load_model(again)
    return str(model)[:20], bucket(len(again.read_bytes()))


def _exceptions(path: Path) -> object:
    found = read_exceptions(path)
    found.save(path.with_name("again.pl"))
    return bucket(len(str(found)))


def _curve(path: Path) -> object:
    found = Curve.load(path)
    return bucket(len(found.text())), bucket(len(str(found.as_dict())))


def _record(path: Path) -> object:
    return bool(read_run_record(path.with_name("model.alp")))


def _problem(path: Path) -> object:
    return bucket(len(load_problem(path).decoders))


def _packed(path: Path) -> object:
    return bucket(len(read_packed(path.parent)))


def _message_state(path: Path) -> object:
    with Checkpoint(path.parent, _data(tiny()), Settings(), resume=True) as found:
        return found.plan() is not None


def _selection_state(path: Path) -> object:
    settings = Settings(**TINY_SELECTED).checked()
    with Checkpoint(path.parent, _data(tiny()), settings, resume=True) as found:
        return found.problem() is None, found.selection() is None


def _history(path: Path) -> object:
    return bucket(len(read_history(path.parent)))


def _structure(path: Path) -> object:
    return StructureCheckpoint(path, _data(DATA), StructureSettings()).load() is not None


def _experiment(path: Path) -> object:
    folder = next(parent for parent in path.parents if (parent / "configuration.json").exists())
    store = Store(folder)
    store.configuration()
    store.forget_failures()
    return bucket(len(list(store.units())))


def _links(path: Path) -> object:
    return bucket(len(list(Store(path.parent.parent.parent).units())))


def _summary(path: Path) -> object:
    return len(read_results([path.parent]))


def _network(path: Path) -> object:
    return bucket(len(MarkovLogicNetwork.load(path).formulas))


_LOADERS: dict[str, Callable[[Path], object]] = {
    "tiny/model.alp": _model,
    "tiny/run.json": _record,
    "tiny-selection/model.alp": _model,
    "tiny-selection/run.json": _record,
    "tiny-stack/model.alp": _model,
    "tiny-curve/curve.json": _curve,
    "tiny-state/checkpoint.json": _message_state,
    "tiny-state/plan.json": _message_state,
    "tiny-selection-state/checkpoint.json": _selection_state,
    "tiny-selection-state/candidates.json": _selection_state,
    "tiny-selection-state/best.json": _selection_state,
    "tiny-selection-state/problem.json.gz": _selection_state,
    "tiny-lossless/exceptions.pl": _exceptions,
    "tiny-packed/known.json": _packed,
    "tiny-packed/message.bin": _packed,
    "tiny-following/state.json": _history,
    "tiny-following/exceptions.pl": _exceptions,
    "net.mln": _network,
    "net-state.json": _structure,
    "experiment/configuration.json": _experiment,
    "experiment/summary.json": _summary,
    "v0_1/model.alp": _model,
    "v0_1/stack.alp": _model,
    "v0_1/curve.json": _curve,
    "v0_1/problem.json": _problem,
    "v0_1/lossless/exceptions.pl": _exceptions,
    "v0_2/model.alp": _model,
    "v0_2/run.json": _record,
    "v0_2/lossless/exceptions.pl": _exceptions,
    "v0_2/packed/known.json": _packed,
    "v0_2/state/state.json": _history,
}


@cache
def _targets() -> dict[str, Target]:
    found = {name: _target(name, read) for name, read in _LOADERS.items()}
    for folder, read in (("experiment", _experiment), ("links", _links)):
        for path in _samples(corpus() / folder):
            name = str(path.relative_to(corpus()))
            beside = {"configuration.json": (corpus() / folder / "configuration.json").read_bytes()}
            found[name] = Target(str(path.relative_to(corpus() / folder)), [path.read_bytes()], read, beside)
    return found


def _samples(folder: Path) -> list[Path]:
    """Return a few files of finished units: the smallest of each role."""
    roles: dict[str, Path] = {}
    for path in sorted((folder / "units").rglob("*.json"), key=lambda path: path.stat().st_size):
        roles.setdefault(path.name.split(".")[-2], path)
    return list(roles.values())


def _target(name: str, read: Callable[[Path], object]) -> Target:
    source = (FIXTURES.parent if name.startswith("v0_") else corpus()) / name
    data, packed = source.read_bytes(), source.suffix == ".gz"
    beside = {
        path.name: path.read_bytes()
        for path in source.parent.iterdir()
        if path.is_file() and path != source and path.stat().st_size < 10**5
    }
    alone = name.startswith("v0_1") or "/" not in name
    return Target(
        source.name, [gzip.decompress(data) if packed else data], read, {} if alone else beside, packed
    )


LOADERS = Fuzzing("loaders", _targets)
