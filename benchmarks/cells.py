"""One fit in the paper's setting, at some lengths and compression, in a process of its own.

    python benchmarks/cells.py DATA:ENCODER:DECODER:COMPRESSION [--data FOLDER] [--limit SECONDS]

A process of its own has a peak memory of its own. Prints one JSON object.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from common import HERE, Row, parser_of, python, require_data, run, training_data

from logicoder import AutoEncoder


def learn(folder: Path, cell: str, limit: float | None) -> Row:
    """Learn one cell in this process."""
    name, encoder, decoder, compression = cell.split(":")
    started = time.perf_counter()
    kb = training_data(folder, name)
    read = time.perf_counter() - started
    model = AutoEncoder.from_preset(
        "paper",
        encoder_length=int(encoder),
        decoder_length=int(decoder),
        compression=compression,
        time_limit=limit,
    ).fit(kb)
    seconds = time.perf_counter() - started
    if model.reconstruct(kb).loss != model.loss_:
        raise SystemExit(f"{cell}: the reconstruction disagrees with the solver")
    candidates = model.statistics_["candidates"]
    return {
        "facts": kb.size,
        "loss": model.loss_,
        "bound": model.bound_,
        "gap": model.gap_,
        "bound_scope": model.bound_scope_,
        "status": model.status_,
        "latents": candidates["after_naming_variants"],
        "evaluated": candidates["decoders_evaluated"],
        "decoders": candidates["decoders"],
        "rounds": candidates["rounds"],
        "latent_predicates": len(model.encoder_.defined()),
        "latent_facts": model.latent_facts_,
        "seconds": seconds,
        "phases": {"read": read, **model.statistics_["seconds"]},
    }


def measured(folder: Path, cell: str, limit: float | None, patience: float) -> Row:
    """Learn one cell in a process that is ended after `patience` seconds; or return its `error`."""
    command = python(HERE / "cells.py", cell, "--data", folder)
    if limit is not None:
        command += ["--limit", str(limit)]
    finished = run(command, patience)
    process = {"end_to_end": finished.seconds, "cpu": finished.cpu, "gib": finished.gib}
    if finished.code != 0:
        return {"error": finished.why, **process}
    return {**json.loads(finished.output.splitlines()[-1]), **process}


def main() -> None:
    """Learn, and print what came of it."""
    parser = parser_of(__doc__)
    parser.add_argument("cell", metavar="CELL")
    parser.add_argument("--limit", type=float)
    options = parser.parse_args()
    print(json.dumps(learn(require_data(options), options.cell, options.limit)))


if __name__ == "__main__":
    main()
