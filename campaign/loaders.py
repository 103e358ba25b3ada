"""Saved files read by the library itself, by the hundred: what loads is also used."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from campaign.corpus import DATA, corpus
from campaign.damage import damaged
from campaign.kind import Case, FoundError, packed, unpacked
from logicoder import KnowledgeBase
from logicoder.autoencoder.exceptions_file import read_exceptions
from logicoder.autoencoder.packed_file import read_packed
from logicoder.autoencoder.run_record import read_run_record
from logicoder.autoencoder.stacked_auto_encoder import load_model
from logicoder.base.errors import LogicoderError
from logicoder.kb.mapping.mapping_file import read_mapping
from logicoder.learner.curve import Curve
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.problem import load_problem

BATCH = 40
FIXTURES = DATA.parent


@cache
def _data() -> KnowledgeBase:
    return KnowledgeBase.from_path(DATA)


def _model(path: Path) -> None:
    model = load_model(path)
    model.reconstruct(_data())
    model.save(path.with_name("again.alp"))
    load_model(path.with_name("again.alp"))


def _exceptions(path: Path) -> None:
    found = read_exceptions(path)
    found.save(path.with_name("again.pl"))


def _curve(path: Path) -> None:
    found = Curve.load(path)
    found.text()
    found.as_dict()


_LOADERS: dict[str, Callable[[Path], Any]] = {
    "message/model.alp": _model,
    "selection/model.alp": _model,
    "stack/model.alp": _model,
    "curve/curve.json": _curve,
    "selection/run.json": lambda path: read_run_record(path.with_name("model.alp")),
    "selection-state/problem.json.gz": load_problem,
    "lossless/exceptions.pl": _exceptions,
    "packed/known.json": lambda path: read_packed(path.parent),
    "net.mln": MarkovLogicNetwork.load,
    "shop.toml": read_mapping,
}
_OLD: dict[str, Callable[[Path], Any]] = {
    "model.alp": _model,
    "stack.alp": _model,
    "curve.json": _curve,
    "problem.json": load_problem,
    "lossless/exceptions.pl": _exceptions,
}


class Loaders:
    """Whatever a saved file holds, it loads, or an error says what is wrong with it."""

    unit = "inputs"
    seconds = 120

    def case(self, random: Random) -> Case:
        """Return a file, and where random damage starts from."""
        old = random.random() < 0.3
        name = random.choice(list(_OLD if old else _LOADERS))
        return {"old": old, "name": name, "seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:
        """Load damaged versions, or the one that the case is about."""
        logging.getLogger("logicoder").setLevel(logging.ERROR)
        old, name = case["old"], case["name"]
        load = (_OLD if old else _LOADERS)[name]
        source = (FIXTURES if old else corpus()) / name
        path = folder / Path(name).name.removesuffix(".gz")
        for beside in source.parent.iterdir():
            if beside.is_file() and beside.stat().st_size < 10**5:
                (folder / beside.name).write_bytes(beside.read_bytes())
        if "data" in case:
            versions = iter([unpacked(case["data"])])
        else:
            random, data = Random(case["seed"]), source.read_bytes()
            sound = gzip.decompress(data) if source.suffix == ".gz" else data
            versions = (damaged(random, sound, []) for _ in range(BATCH))
        tried = 0
        for data in versions:
            path.write_bytes(data)
            tried += 1
            try:
                load(path)
            except LogicoderError as error:
                if not str(error).strip():
                    raise FoundError("an error without a word", {**case, "data": packed(data)}) from None
            except Exception as error:
                raise FoundError(f"{name}: {error!r}", {**case, "data": packed(data)}) from error
        return tried
