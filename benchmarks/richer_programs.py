"""What richer programs cost and buy: candidates, seconds and size with and without each switch.

    python benchmarks/richer_programs.py [--data FOLDER] [--effort E] [NAME ...]

Default settings (lengths 2/2, at most 0.8 of the facts as latent facts), so that among programs of the least
loss the size is minimised too: without that, the number of latent facts is left to chance and says nothing.
"""

from __future__ import annotations

from typing import Any

from common import TRAINING, parser_of, require_data, require_known, training_data

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
    parser = parser_of(__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(TRAINING)}; all unless given"
    )
    parser.add_argument("--effort", type=float, default=20.0)
    options = parser.parse_args()
    folder = require_data(options)
    require_known(options.names, list(TRAINING))
    print(
        f"{'data':<8} {'language':<13} {'latents':>7} {'evaluated':>10} {'decoders':>8} {'dec s':>6} "
        f"{'solve':>6} {'loss':>4} {'latent':>6} {'size':>5} {'proven':>7}"
    )
    for name in options.names or TRAINING:
        kb = training_data(folder, name)
        for language, switches in LANGUAGES.items():
            print(f"{name:<8} {language:<13} {row(kb, options.effort, switches)}", flush=True)


if __name__ == "__main__":
    main()
