"""The paper's setting (lengths 2/2, compression 0.5) on the four benchmarks: loss, bound, seconds by phase.

    python benchmarks/paper_setting.py [--data FOLDER] [--json FILE]

Machines differ and are shared: beside the seconds stands their ratio to a fixed piece of numpy work that is
timed in the same run.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from common import TRAINING, parser_of, require_data, say, table, training_data, yardstick

from logicoder import AutoEncoder

HEADER = ("data", "facts", "evaluated", "decoders", "loss", "bound", "status")
PHASES = ("encoders", "decoders", "problem", "solve", "total")


def measure(folder: Path, name: str) -> dict[str, Any]:
    """Read, learn, reconstruct."""
    started = time.perf_counter()
    kb = training_data(folder, name)
    read = time.perf_counter() - started
    model = AutoEncoder.from_preset("paper").fit(kb)
    total = time.perf_counter() - started
    if model.reconstruct(kb).loss != model.loss_:
        raise SystemExit(f"{name}: the reconstruction disagrees with the solver")
    return {
        "data": name,
        "facts": kb.size,
        "decoders_evaluated": model.statistics_["candidates"]["decoders_evaluated"],
        "decoders": model.statistics_["candidates"]["decoders"],
        "latent_facts": model.latent_facts_,
        "loss": model.loss_,
        "bound": model.bound_,
        "status": model.status_,
        "seconds": {"read": read, **model.statistics_["seconds"], "total": total},
        "yardsticks": total / yardstick(),
    }


def main() -> None:
    """Measure all four and print a table."""
    parser = parser_of(__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    folder = require_data(options)
    rows = []
    for name in TRAINING:
        say(name)
        rows.append(measure(folder, name))
    cells = [
        [
            row["data"],
            *(f"{row[key]:,}" for key in ("facts", "decoders_evaluated", "decoders", "loss", "bound")),
            row["status"],
            *(f"{row['seconds'][phase]:.2f}" for phase in PHASES),
            f"{row['yardsticks']:.1f}",
        ]
        for row in rows
    ]
    print(table((*HEADER, *PHASES, "yardsticks"), cells))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
