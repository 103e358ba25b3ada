"""What richer programs cost and buy: candidates, seconds and size with and without each switch.

    python benchmarks/richer_programs.py [--data FOLDER] [--effort E] [NAME ...]

Default settings (lengths 2/2, at most 0.8 of the facts as latent facts), so that among programs of the least
loss the size is minimised too: without that, the number of latent facts is left to chance and says nothing.
"""

from __future__ import annotations

from typing import Any

from common import TRAINING, parser_of, require_data, require_known, say, table, training_data

from logicoder import AutoEncoder, KnowledgeBase

HEADER = (
    *("data", "language", "latents", "decoders evaluated", "to choose from", "loss", "latent facts", "size"),
    "size proved least",
)
LANGUAGES: dict[str, dict[str, Any]] = {
    "plain": {},
    "constants 12": {"constants": 12},
    "negation": {"negation": True},
    "inequality": {"inequality": True},
    "recursion": {"recursion": True},
}


def row(kb: KnowledgeBase, effort: float, switches: dict[str, Any]) -> list[str]:
    """Learn and return the columns of the table."""
    model = AutoEncoder(compression=0.8, effort=effort, **switches).fit(kb)
    if model.reconstruct(kb).loss != model.loss_:
        raise SystemExit("the reconstruction disagrees with the solver")
    counts = model.statistics_["candidates"]
    numbers = (counts["after_naming_variants"], counts["decoders_evaluated"], counts["decoders"])
    proven = "yes" if model.size_ == model.size_bound_ else "no"
    return [*(f"{n:,}" for n in (*numbers, model.loss_, model.latent_facts_, model.size_)), proven]


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
    rows = []
    for name in options.names or TRAINING:
        kb = training_data(folder, name)
        for language, switches in LANGUAGES.items():
            say(f"{name}, {language}")
            rows.append([name, language, *row(kb, options.effort, switches)])
    print(table(HEADER, rows, 2))


if __name__ == "__main__":
    main()
