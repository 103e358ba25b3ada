"""The same facts in other files, in another order and under other names: the same program."""

from __future__ import annotations

from pathlib import Path
from random import Random

from campaign.kind import Case, FoundError
from logicoder import AutoEncoder, KnowledgeBase, LogicoderError

_WAYS = (
    {},
    {"objective": "lexicographic", "compression": "0.8", "effort": 0.02},
    {"preset": "paper", "effort": 0.02},
)


class Permutations:
    """Orders and names change nothing."""

    unit = "fits"
    seconds = 120

    def case(self, random: Random) -> Case:
        """Return random facts of a few predicates, and how to learn."""
        names = [f"p{i}" for i in range(random.choice((2, 3, 4)))]
        arity = {name: random.choice((1, 2, 2)) for name in names}
        things = [f"a{i}" for i in range(random.choice((3, 5, 8)))]
        facts = {
            name: [
                [random.choice(things) for _ in range(arity[name])] for _ in range(random.randrange(1, 15))
            ]
            for name in names
        }
        return {"facts": facts, "way": random.randrange(len(_WAYS)), "seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:
        """Learn from the facts as they are, and permuted."""
        facts = [(name, *row) for name, rows in case["facts"].items() for row in rows]
        random = Random(case["seed"])
        expected = _learned(_written(folder / "one", facts), case["way"])
        things = sorted({a for _, *row in facts for a in row})
        other = [f"b{i}" for i in range(len(things))]
        random.shuffle(other)
        renamed = dict(zip(things, other, strict=True))
        random.shuffle(facts)
        moved = [(name, *(renamed[a] for a in row)) for name, *row in facts]
        found = _learned(_written(folder / "two", moved), case["way"])
        if found != expected:
            raise FoundError(f"another order gave another program:\n{expected}\n{found}")
        return 2


def _written(path: Path, facts: list[tuple[str, ...]]) -> Path:
    path.with_suffix(".pl").write_text("".join(f"{name}({','.join(row)}).\n" for name, *row in facts))
    return path.with_suffix(".pl")


def _learned(path: Path, way: int) -> str:
    given = dict(_WAYS[way])
    preset = given.pop("preset", None)
    try:
        model = AutoEncoder(**given) if preset is None else AutoEncoder.from_preset(str(preset), **given)
        return str(model.fit(KnowledgeBase.from_path(path, types="one")).programs())
    except LogicoderError as error:
        return type(error).__name__
