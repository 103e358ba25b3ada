"""Hide or falsify facts, learn from what is left, and see whether the suggestions find them.

    python benchmarks/suggestions.py [--data FOLDER] [--results FOLDER] [--seeds N] [--task TASK]
                                     [--effort E] [NAME ...]

Each measurement is a line of a file of the folder of results; what is there already is not measured again.

`hidden`: a tenth of the facts is taken away, and what is suggested to be there is ranked. `wrong`: in a
twentieth of the facts one argument is replaced by another value of its place, and the facts of the data are
ranked by how doubtful they are. Average precision is the mean, over what was to be found, of the precision at
its rank, nothing for what is not ranked; P@k the share of right ones among the first k.

Baselines: `frequency` ranks atoms by how often their arguments occur at their places in facts of the
predicate (facts by how seldom); `one rule` takes the rule of one or two literals that is best by itself for
each predicate; `best rule` every such rule, and each atom by the most precise one that derives it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from common import Journal, parser_of, require_data, require_known, say
from single_rules import SingleRules

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.datasets import family, university
from logicoder.datasets.shop import shop
from logicoder.logic.symbols import symbol_of
from logicoder.logic.terms import Atom, Constant

KS = (10, 50, 100)
HIDDEN, WRONG = 0.1, 0.05
EFFORT, LESS = 30.0, dict.fromkeys(("umls", "kinships", "nations", "wn18rr"), 1.0)
"""Of learning; less where five seeds would take long."""

SETTINGS = {"holdout": "0"}
"""Chosen, like all choices of decision 38, on Nations, Hinton's families, WebKB and other generated data."""

TRIPLES = ("umls", "kinships", "nations", "wn18rr")
GENERATED: dict[str, Callable[[], KnowledgeBase]] = {
    "family": lambda: family(6, 3, seed=11),
    "university": lambda: university(people=150, noise=0.02, seed=11).kb,
    "shop": lambda: _shop(11),
}
NAMES = (
    "uwcse", "imdb", "webkb", "cora_er", "umls", "kinships", "nations", "wn18rr", "hinton_family", *GENERATED
)  # fmt: skip
TITLES = {
    "family": "a family (generated)",
    "university": "a university (generated, noise 2%)",
    "shop": "a shop (generated)",
}
METHODS = ("suggest", "one rule", "best rule", "frequency")

Key = tuple[str, str]
"""Interpretation and text of an atom."""


def _shop(seed: int) -> KnowledgeBase:
    with tempfile.TemporaryDirectory() as folder:
        return KnowledgeBase.from_path(shop(Path(folder) / "shop.db", orders=600, seed=seed).path)


def read(folder: Path, name: str) -> KnowledgeBase:
    if name in GENERATED:
        return GENERATED[name]()
    if name in TRIPLES:
        parts = (next((folder / name).glob(f"{part}.txt*")) for part in ("train", "valid", "test"))
        return KnowledgeBase.from_path(*parts, format="triples", interpretations="one")
    return KnowledgeBase.from_path(folder / name)


def damaged(kb: KnowledgeBase, task: str, seed: int) -> tuple[KnowledgeBase, set[Key]]:
    """Return the data with facts taken away or falsified, and what is to be found."""
    rng = np.random.Generator(np.random.PCG64(seed))
    facts = [fact for name in kb.learnable for fact in kb.facts(name)]
    share = HIDDEN if task == "hidden" else WRONG
    chosen = set(rng.choice(len(facts), round(share * len(facts)), replace=False).tolist())
    known = {(fact.interpretation, str(fact)) for fact in facts}
    values: dict[tuple[str, str, int], list[object]] = {}
    for fact in facts:
        for place, value in enumerate(fact.arguments):
            values.setdefault((fact.interpretation, fact.predicate, place), []).append(value)
    kept: dict[str, list[tuple[object, ...]]] = {world: [] for world in kb.interpretations}
    sought = set()
    for number, fact in enumerate(facts):
        row = (fact.predicate, *fact.arguments)
        if number in chosen:
            if task == "hidden":
                sought.add((fact.interpretation, str(fact)))
                continue
            other = _other(fact, values, known, rng)
            if other is not None:
                row = other
                known.add((fact.interpretation, text_of(other)))
                sought.add((fact.interpretation, text_of(other)))
        kept[fact.interpretation].append(row)
    background = [name for name in kb.schema if name not in kb.learnable]
    for name in background:
        for fact in kb.facts(name):
            kept[fact.interpretation].append((fact.predicate, *fact.arguments))
    parts = [
        KnowledgeBase.from_facts(rows, schema=kb.schema, interpretation=world) for world, rows in kept.items()
    ]
    return KnowledgeBase.union(parts), sought


def text_of(row: tuple[object, ...]) -> str:
    """Return the text of an atom."""
    return str(Atom(str(row[0]), tuple(Constant(symbol_of(value)) for value in row[1:])))


def _other(fact, values, known, rng):  # type: ignore[no-untyped-def]
    """Return the fact with another value at one of its places; None where none is found soon."""
    for _ in range(20):
        if not fact.arguments:
            return None
        place = int(rng.integers(len(fact.arguments)))
        pool = values[fact.interpretation, fact.predicate, place]
        arguments = list(fact.arguments)
        arguments[place] = pool[int(rng.integers(len(pool)))]
        row = (fact.predicate, *arguments)
        if (fact.interpretation, text_of(row)) not in known:
            return row
    return None


def suggested(model: AutoEncoder, kb: KnowledgeBase, task: str) -> Iterator[Key]:
    """Iterate over what the model suggests, the best first."""
    for row in model.suggest(kb, weak=True):
        if (row.kind == "add") == (task == "hidden"):
            yield row.interpretation, row.atom


def scores_of(ranking: Iterator[Key], sought: set[Key]) -> dict[str, float]:
    """Return average precision and precision at k of a ranking; what occurs again does not count."""
    hits, seen = [], set()
    for key in ranking:
        if key not in seen:
            seen.add(key)
            hits.append(key in sought)
    right = np.cumsum(hits) if hits else np.zeros(0)
    precision = right / np.arange(1, len(hits) + 1)
    found = {"average": float(precision[np.array(hits, bool)].sum() / max(1, len(sought)))}
    for k in KS:
        found[f"P@{k}"] = float(right[min(k, len(right)) - 1] / k) if len(right) else 0.0
    return found


def measure(folder: Path, name: str, task: str, seed: int, effort: float) -> dict[str, Any]:
    kb, sought = damaged(read(folder, name), task, seed)
    started = time.process_time()
    model = AutoEncoder(seed=seed, **SETTINGS, effort=effort).fit(kb)  # type: ignore[arg-type]
    rules = SingleRules(model.encoded(kb)[0])
    rankings = {
        "suggest": suggested(model, kb, task),
        "one rule": rules.one_rule(task),
        "best rule": rules.best_rule(task),
        "frequency": rules.frequency(task),
    }
    scores = {method: scores_of(ranking, sought) for method, ranking in rankings.items()}
    seconds = time.process_time() - started
    say(f"{name}, {task}, seed {seed}: {seconds:.1f} s")
    return {"facts": len(kb), "sought": len(sought), "seconds": seconds, "scores": scores}


def interval(differences: list[float]) -> str:
    """Return mean and 95% interval of paired differences, by Student's t."""
    from scipy.stats import t  # noqa: PLC0415  (slow to import)

    mean, number = float(np.mean(differences)), len(differences)
    if number < 2:
        return f"{mean:+.3f}"
    half = float(t.ppf(0.975, number - 1) * np.std(differences, ddof=1) / number**0.5)
    return f"{mean:+.3f} ± {half:.3f}"


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Iterate over the lines of a table: means over seeds, and the gain over each baseline."""
    baselines = [method for method in METHODS if method != "suggest"]
    header = ["data", "facts", "sought", "AP", *(f"P@{k}" for k in KS)]
    header += [f"AP above {method}" for method in baselines]
    yield f"| {' | '.join(header)} |"
    yield "|---|" + "---:|" * (len(header) - 1)
    for name in dict.fromkeys(str(row["data"]) for row in rows):
        own = [row for row in rows if row["data"] == name]
        scores = [row["scores"]["suggest"] for row in own]
        cells = [TITLES.get(name, name), f"{own[0]['facts']:,}", f"{own[0]['sought']:,}"]
        cells.append(f"{np.mean([score['average'] for score in scores]):.3f}")
        cells += [f"{np.mean([score[f'P@{k}'] for score in scores]):.2f}" for k in KS]
        for method in baselines:
            others = [row["scores"][method] for row in own]
            cells.append(interval([a["average"] - b["average"] for a, b in zip(scores, others, strict=True)]))
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--results", type=Path, default=Path("bench-results"), help="folder of the results")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument(
        "--effort", type=float, help=f"of learning, as for `fit` (default: {EFFORT:g} or less)"
    )
    parser.add_argument("--task", choices=("hidden", "wrong"), default="hidden")
    parser.add_argument("names", nargs="*", default=list(NAMES), metavar="NAME")
    options = parser.parse_args()
    folder = require_data(options)
    require_known(options.names, NAMES)
    efforts = {name: options.effort or LESS.get(name, EFFORT) for name in options.names}
    journal = Journal(options.results / "suggestions.jsonl")
    rows = [
        journal.cell(
            {"data": name, "task": options.task, "seed": seed, "effort": efforts[name]},
            partial(measure, folder, name, options.task, seed, efforts[name]),
        )
        for name in options.names
        for seed in range(options.seeds)
    ]
    print("\n".join(table(rows)))
    told = ", ".join(f"{name} {effort:g}" for name, effort in efforts.items())
    print(f"\nEffort of learning: {told}. Processor seconds: {sum(row['seconds'] for row in rows):,.0f}.")


if __name__ == "__main__":
    main()
