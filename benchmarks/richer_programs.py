"""What richer programs cost and buy: candidates, seconds and size with and without each switch.

    python benchmarks/richer_programs.py [--data FOLDER] [--effort E] [NAME ...]

Default settings (lengths 2/2, at most 0.8 of the facts as latent facts), so that among programs of the least
loss the size is minimised too: without that, the number of latent facts is left to chance and says nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from paper_setting import TRAINING

from logicoder import AutoEncoder, KnowledgeBase

LANGUAGES: dict[str, dict[str, Any]] = {
    "plain": {},
    "constants 12": {"constants": 12},
    "negation": {"negation": True},
    "inequality": {"inequality": True},
    "recursion": {"recursion": True},
}


def row(kb: KnowledgeBase, effort: float, switches: dict[str, Any]) -> str:
    """Learn and return the columns of the table."""
    model = AutoEncoder(effort=effort, **switches).fit(kb)
    if model.reconstruct(kb).loss != model.loss_:
        raise SystemExit("the reconstruction disagrees with the solver")
    counts, seconds = model.statistics_["candidates"], model.statistics_["seconds"]
    proven = "yes" if model.size_ == model.size_bound_ else f">= {model.size_bound_}"
    return (
        f"{counts['after_naming_variants']:>7} {counts['decoders_evaluated']:>10} {counts['decoders']:>8} "
        f"{seconds['decoders']:>6.1f} {seconds['solve']:>6.1f} {model.loss_:>4} {model.latent_facts_:>6} "
        f"{model.size_:>5} {proven:>7}"
    )


def main() -> None:
    """Measure every language on every benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[1] / ".." / "shared" / "datasets"
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(TRAINING)}; all unless given"
    )
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOGICODER_DATA", default)))
    parser.add_argument("--effort", type=float, default=20.0)
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"no benchmark data in {options.data}: see docs/datasets.md, then set LOGICODER_DATA")
    unknown = sorted(set(options.names) - set(TRAINING))
    if unknown:
        sys.exit(f"there is no benchmark {unknown[0]!r}; choose from: {', '.join(TRAINING)}")
    print(
        f"{'data':<8} {'language':<13} {'latents':>7} {'evaluated':>10} {'decoders':>8} {'dec s':>6} "
        f"{'solve':>6} {'loss':>4} {'latent':>6} {'size':>5} {'proven':>7}"
    )
    for name in options.names or TRAINING:
        kb = KnowledgeBase.from_path(*(options.data / name / f"{fold}.db" for fold in TRAINING[name]))
        for language, switches in LANGUAGES.items():
            print(f"{name:<8} {language:<13} {row(kb, options.effort, switches)}", flush=True)


if __name__ == "__main__":
    main()
