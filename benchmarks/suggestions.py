"""Hide a tenth of the facts, learn from the rest, and see whether the suggestions find them again.

    python benchmarks/suggestions.py [--data FOLDER] [--json FILE] [NAME ...]

Precision@k is the share of hidden facts among the first k suggestions (of all, where there are fewer);
recall@k is the share of the hidden facts that are among them. The baseline ranks the atoms that are no known
facts by how often their arguments occur at their places in facts of the predicate.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
from common import parser_of, require_data, require_known

from logicoder import AutoEncoder, KnowledgeBase

KS = (10, 50, 100, 500)
SHARE = 0.1
SEED = 0
# A program without loss suggests nothing: the bottleneck must be tight. Effort, not the clock, ends a search.
COMMON = {
    "encoder_length": 1,
    "bottlenecks": ("average",),
    "max_corruption": 0.5,
    "max_decoders": 5000,
    "effort": 20,
}
SETTINGS: dict[str, dict[str, object]] = {
    "uwcse": {**COMMON, "compression": "0.6"},
    "umls": {**COMMON, "compression": "0.5"},
    "kinships": {**COMMON, "compression": "0.5"},
}
TRIPLES = ("umls", "kinships")

Key = tuple[str, str]
"""Interpretation and text of an atom."""


def read(folder: Path, name: str) -> KnowledgeBase:
    if name in TRIPLES:
        parts = (folder / name / f"{part}.txt" for part in ("train", "valid", "test"))
        return KnowledgeBase.from_path(*parts, format="triples", interpretations="one")
    return KnowledgeBase.from_path(folder / name)


def hide(kb: KnowledgeBase, share: float, seed: int) -> tuple[KnowledgeBase, set[Key]]:
    """Return the data without a random share of its facts, and these."""
    facts = list(kb)
    numbers = np.random.Generator(np.random.PCG64(seed))
    chosen = set(numbers.choice(len(facts), round(share * len(facts)), replace=False).tolist())
    kept = [fact for number, fact in enumerate(facts) if number not in chosen]
    parts = [
        KnowledgeBase.from_facts(
            [fact for fact in kept if fact.interpretation == world], schema=kb.schema, interpretation=world
        )
        for world in kb.interpretations
    ]
    hidden = {(facts[i].interpretation, str(facts[i])) for i in chosen}
    return KnowledgeBase.union(parts), hidden


def frequency_ranking(kb: KnowledgeBase, most: int) -> list[Key]:
    """Return the atoms that are no facts whose arguments occur most often at their places."""
    known = {(fact.interpretation, str(fact)) for fact in kb}
    scored: list[tuple[float, Key]] = []
    for part in kb.split():
        world = part.interpretations[0]
        for name in part.learnable:
            facts = [fact.arguments for fact in part.facts(name)]
            if not facts or not facts[0]:
                continue
            counts = []
            for column in zip(*facts, strict=True):
                values, numbers = np.unique(np.array(list(map(str, column))), return_counts=True)
                both = zip(numbers.tolist(), values.tolist(), strict=True)
                counts.append(sorted(both, reverse=True)[:60])
            for combination in product(*counts):
                score = float(np.prod([number / len(facts) for number, _ in combination])) * len(facts)
                text = f"{name}({','.join(value for _, value in combination)})"
                if (world, text) not in known:
                    scored.append((score, (world, text)))
    scored.sort(key=lambda item: (-item[0], item[1]))
    return [key for _, key in scored[:most]]


def at_k(ranking: list[Key], hidden: set[Key]) -> dict[int, tuple[float, float]]:
    """Return precision and recall of the first k, for each k."""
    hits = np.cumsum([key in hidden for key in ranking]) if ranking else np.zeros(1, int)
    found = {}
    for k in KS:
        right = int(hits[min(k, len(hits)) - 1])
        found[k] = (right / max(1, min(k, len(ranking))), right / len(hidden))
    return found


def measure(folder: Path, name: str) -> dict[str, object]:
    kb, hidden = hide(read(folder, name), SHARE, SEED)
    started = time.perf_counter()
    model = AutoEncoder(seed=SEED, **SETTINGS[name]).fit(kb)  # type: ignore[arg-type]
    seconds = time.perf_counter() - started
    ranking = [(row.interpretation, row.atom) for row in model.suggest(kb).of("add")]
    return {
        "data": name,
        "facts": len(kb),
        "hidden": len(hidden),
        "loss": model.loss_,
        "missing": model.missing_,
        "false": model.false_,
        "status": model.status_,
        "latent_facts": model.latent_facts_,
        "seconds": seconds,
        "suggestions": len(ranking),
        "found": len(hidden & set(ranking)),
        "suggest": at_k(ranking, hidden),
        "frequency": at_k(frequency_ranking(kb, max(KS)), hidden),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("names", nargs="*", default=list(SETTINGS), metavar="NAME")
    options = parser.parse_args()
    folder = require_data(options)
    require_known(options.names, list(SETTINGS))
    rows = []
    print(
        "| data | facts | hidden | suggestions | found | ranking |" + "".join(f" P@{k} | R@{k} |" for k in KS)
    )
    print("|---" * (6 + 2 * len(KS)) + "|")
    for name in options.names:
        row = measure(folder, name)
        rows.append(row)
        for ranking in ("suggest", "frequency"):
            first = f"| {name} | {row['facts']:,} | {row['hidden']} | {row['suggestions']} | {row['found']} "
            cells = "".join(f" {p:.2f} | {r:.3f} |" for p, r in row[ranking].values())  # type: ignore[attr-defined]
            print(f"{first if ranking == 'suggest' else '| | | | | '}| {ranking} |{cells}", flush=True)
        print(
            f"{name}: loss {row['loss']} = {row['missing']} missing + {row['false']} false, {row['status']}, "
            f"{row['latent_facts']} latent facts, {row['seconds']:.0f} s",
            file=sys.stderr,
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
