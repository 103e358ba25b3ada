"""The twelve settings of the paper on the four benchmarks: lengths 2, 3 on each side, compression .3, .5, .7.

    python benchmarks/twelve_settings.py [--data FOLDER] [--lines FILE] [--limit SECONDS] [--only CELL]

Each cell is a process of its own, so that its peak memory is its own. Results are appended to FILE, one JSON
object per line; cells that are there already are not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

from paper_setting import TRAINING

from logicoder import AutoEncoder, KnowledgeBase

LENGTHS = (2, 3)
COMPRESSIONS = ("0.3", "0.5", "0.7")


def measure(folder: Path, cell: str, limit: float) -> dict[str, object]:
    """Learn one cell in this process."""
    name, encoder, decoder, compression = cell.split(":")
    started = time.perf_counter()
    kb = KnowledgeBase.from_path(*(folder / name / f"{fold}.db" for fold in TRAINING[name]))
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
        "cell": cell,
        "facts": kb.size,
        "loss": model.loss_,
        "bound": model.bound_,
        "gap": model.gap_,
        "bound_scope": model.bound_scope_,
        "status": model.status_,
        "latents": candidates["after_naming_variants"],
        "evaluated": candidates["decoders_evaluated"],
        "rounds": candidates["rounds"],
        "latent_predicates": len(model.encoder_.defined()),
        "latent_facts": model.latent_facts_,
        "seconds": seconds,
        "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def main() -> None:
    """Run the cells that are missing, and print all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[1] / ".." / "shared" / "datasets"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOGICODER_DATA", default)))
    parser.add_argument("--lines", type=Path, default=Path("twelve_settings.jsonl"))
    parser.add_argument("--limit", type=float, default=420.0)
    parser.add_argument("--only", action="append", help="cells to run: data:encoder:decoder:compression")
    parser.add_argument("--cell", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"no benchmark data in {options.data}: see docs/datasets.md, then set LOGICODER_DATA")
    if options.cell:
        print(json.dumps(measure(options.data, options.cell, options.limit)))
        return
    cells = [f"{n}:{e}:{d}:{c}" for n, e, d, c in product(TRAINING, LENGTHS, LENGTHS, COMPRESSIONS)]
    done: dict[str, dict[str, object]] = {}
    if options.lines.exists():
        rows = map(json.loads, options.lines.read_text().splitlines())
        done = {row["cell"]: row for row in rows}
    header = f"{'cell':<18}{'loss':>6}{'bound':>6}{'gap':>7} {'scope':<11}{'latents':>8}{'evaluated':>12}"
    print(f"{header}{'rounds':>7}{'latent facts':>13}{'seconds':>9}{'GiB':>6}")
    for cell in options.only or cells:
        if cell not in done:
            command = [sys.executable, __file__, "--data", str(options.data), "--cell", cell]
            found = subprocess.run(
                [*command, "--limit", str(options.limit)], capture_output=True, text=True, check=False
            )
            if found.returncode:
                print(f"{cell:<18}failed: {found.stderr.strip().splitlines()[-1]}")
                continue
            done[cell] = json.loads(found.stdout)
            with options.lines.open("a") as file:
                file.write(json.dumps(done[cell]) + "\n")
        row = done[cell]
        print(
            f"{cell:<18}{row['loss']:>6}{row['bound']:>6}{row['gap']:>7.0%} {row['bound_scope']:<11}"
            f"{row['latents']:>8}{row['evaluated']:>12,}{row['rounds']:>7}{row['latent_facts']:>13,}"
            f"{row['seconds']:>9.1f}{row['gib']:>6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
