"""The paper's setting (lengths 2/2, compression 0.5) on the four benchmarks: loss, bound, seconds by phase.

    python benchmarks/paper_setting.py [--data FOLDER] [--json FILE]

Machines differ and are shared: beside the seconds stands their ratio to a fixed piece of numpy work that is
timed in the same run.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from common import TRAINING, parser_of, require_data, training_data, yardstick

from logicoder import AutoEncoder


def measure(folder: Path, name: str) -> dict[str, object]:
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
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"{'data':<8} {'facts':>7} {'evaluated':>10} {'decoders':>8} {'loss':>5} {'bound':>5} {'status':<9}"
        f"{'enc':>7} {'dec':>7} {'problem':>8} {'solve':>7} {'total s':>8} {'yardsticks':>11}"
    )
    for name in TRAINING:
        row = measure(folder, name)
        rows.append(row)
        seconds = row["seconds"]
        print(
            f"{row['data']:<8} {row['facts']:>7} {row['decoders_evaluated']:>10} {row['decoders']:>8} "
            f"{row['loss']:>5} {row['bound']:>5} {row['status']:<9}"
            f"{seconds['encoders']:>7.2f} {seconds['decoders']:>7.2f} {seconds['problem']:>8.2f} "
            f"{seconds['solve']:>7.2f} {seconds['total']:>8.2f} {row['yardsticks']:>11.1f}",
            flush=True,
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
