"""Units of work that learn auto-encoders: those that share candidates are learned together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from time import perf_counter
from typing import Any, Protocol

from logicoder.autoencoder import AutoEncoder
from logicoder.evaluation.configuration import Cell, Lengths
from logicoder.evaluation.splits import Split
from logicoder.evaluation.store import ENCODING, Store, Unit, failure
from logicoder.kb.knowledge_base import KnowledgeBase


class Selecting(Protocol):
    """What configurations say about learning auto-encoders; see `Configuration`."""

    @property
    def effort(self) -> float: ...  # noqa: D102
    @property
    def selection_seconds(self) -> float: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


def estimator_of(cell: Cell, chosen: Selecting) -> AutoEncoder:
    """Return what learns the auto-encoder of a cell, and others from the same candidates, on one core."""
    lengths = Lengths.parse(cell.lengths or "")
    common: dict[str, Any] = {
        "encoder_length": lengths.encoder,
        "decoder_length": lengths.decoder,
        "constants": lengths.constants,
        "effort": chosen.effort,
        "time_limit": chosen.selection_seconds,
        "seed": chosen.seed,
        "jobs": 1,
    }
    if cell.mask_weight is None:
        return AutoEncoder.from_preset("paper", **common)
    return AutoEncoder(objective="masked", mask_weight=cell.mask_weight, **common)


def learn_encodings(
    store: Store,
    split: Split,
    cells: Sequence[Cell],
    read: Callable[[], KnowledgeBase],
    estimator: AutoEncoder,
) -> None:
    """Learn the auto-encoders of some cells that are not there yet, and keep them.

    Args:
        store: where they are kept.
        split: the folds.
        cells: those that rest on the auto-encoders.
        read: reads the training data.
        estimator: learns them, once it knows in what they differ.
    """
    missing = [c for c in _by_encoding(cells) if not store.has(split, c.encoding or "", ENCODING)]
    if not missing:
        return
    train = read()
    started = perf_counter()
    outcomes: Iterator[AutoEncoder | Exception]
    outcomes = estimator.fit_several(train, [_variation(cell) for cell in missing])
    for cell in missing:
        unit: Unit = {"cell": asdict(cell), "train": split.train, "seed": estimator.get_params()["seed"]}
        outcome: AutoEncoder | Exception
        try:
            outcome = next(outcomes)
        except Exception as error:
            outcome = error
            outcomes = iter([error] * len(missing))
        if isinstance(outcome, Exception):
            unit |= failure(outcome)
        else:
            folder = store.model_folder(split, cell.encoding or "")
            outcome.save(folder / "model.alp")
            unit |= _encoding_unit(outcome) | {"model": str(folder.relative_to(store.folder))}
        unit["seconds"] = round(perf_counter() - started, 3)
        started = perf_counter()
        store.write(split, cell.encoding or "", ENCODING, unit)


def _variation(cell: Cell) -> dict[str, Any]:
    """Return what auto-encoders of the same candidates differ in."""
    masking = {} if cell.mask_weight is None else {"mask_weight": cell.mask_weight}
    return {"compression": cell.compression, **masking}


def _by_encoding(cells: Sequence[Cell]) -> list[Cell]:
    """Return one cell for each auto-encoder."""
    return list({cell.encoding: cell for cell in reversed(cells)}.values())[::-1]


def _encoding_unit(model: AutoEncoder) -> Unit:
    return {
        "loss": model.loss_,
        "masked": model.masked_,
        "facts": model.facts_,
        "latent_facts": model.latent_facts_,
        "latent_predicates": len(model.encoder_.defined()),
        "decoder_clauses": len(model.decoder_),
        "programs": sha256(f"{model.encoder_}\n{model.decoder_}".encode()).hexdigest(),
        "status": model.status_,
        "stopped": model.stopped_,
        "variables": model.statistics_["problem"]["variables"],
        "phases": {name: round(value, 3) for name, value in model.statistics_["seconds"].items()},
    }
