"""What counts and weights of Markov logic cost: on the benchmarks, and on smokers of growing number.

    python benchmarks/mln_counting.py [--data FOLDER] [--people N,N,...] [--json FILE] [NAME ...]

For each data set all its interpretations are used, with all unit clauses and all clauses of two literals that
share a variable. CPU seconds; the slope is that of the logarithms of seconds over people.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import process_time

from common import Row
from mln_common import measure_all

from logicoder import KnowledgeBase
from logicoder.datasets.smokers import smokers
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Atom, Literal, Variable
from logicoder.mln import Formula, MarkovLogicNetwork
from logicoder.mln.counting import Counter
from logicoder.mln.formula_weights import learn_weights, with_unit_clauses
from logicoder.mln.formulas import Literals
from logicoder.mln.worlds import worlds_of

NAMES = ("uwcse", "imdb", "webkb", "cora_er")
KEPT = 30
FRIENDSHIP = """
    0 !friends(x,y) v friends(y,x)
    0 !friends(x,y) v !friends(y,z) v friends(x,z)
"""


def pairs(schema: Schema) -> Iterator[Literals]:
    """Yield all clauses of two literals that share one variable."""
    names = list(schema)
    for i, first in enumerate(names):
        for second in names[i:]:
            for a, b in product(range(schema[first].arity), range(schema[second].arity)):
                if schema[first].types[a] != schema[second].types[b]:
                    continue
                left = [Variable(f"X{k}") for k in range(schema[first].arity)]
                right = [Variable(f"Y{k}") for k in range(schema[second].arity)]
                right[b] = left[a]
                for signs in product((True, False), repeat=2):
                    atoms = Atom(first, tuple(left)), Atom(second, tuple(right))
                    yield tuple(Literal(atom, sign) for atom, sign in zip(atoms, signs, strict=True))


def measured(kb: KnowledgeBase) -> Row:
    """Count all clauses, and learn weights for some of them beside the unit clauses."""
    worlds, clauses = worlds_of(kb), list(pairs(kb.schema))
    counter, seconds = Counter(worlds), {}
    start = process_time()
    for clause in clauses:
        counter.satisfied(clause)
    seconds["satisfied"] = process_time() - start
    network = with_unit_clauses(MarkovLogicNetwork(kb.schema))
    some = clauses[:: -(-len(clauses) // KEPT)]
    formulas = (*network.formulas, *map(Formula, some))
    start = process_time()
    found = learn_weights(MarkovLogicNetwork(kb.schema, formulas), counter)
    seconds["weights"] = process_time() - start
    return {
        "clauses": len(clauses),
        "atoms": found.atoms,
        "rows": found.rows,
        **{key: round(value, 3) for key, value in seconds.items()},
        "wpll": round(found.value, 4),
    }


def smoked(people: int) -> Row:
    """Learn the planted weights, then those of a network that also explains friendships."""
    made = smokers(people, min(10, people - 1))
    worlds, seconds = worlds_of(made.kb), []
    friendship = MarkovLogicNetwork.parse(FRIENDSHIP, made.kb.schema).formulas
    rich = with_unit_clauses(MarkovLogicNetwork(made.kb.schema, made.network.formulas + friendship))
    for network, query in ((made.network, ["smokes", "cancer"]), (rich, None)):
        start = process_time()
        found = learn_weights(network, worlds, query=query)
        seconds.append(process_time() - start)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "people": people,
        "atoms": found.atoms,
        "rows": found.rows,
        "planted": round(seconds[0], 3),
        "friendship": round(seconds[1], 3),
        "MB": megabytes,
    }


def of_data(name: str, data: Path) -> list[Row]:
    """Measure all interpretations of a data set."""
    folder = data / name
    kb = KnowledgeBase.from_path(*sorted(folder.glob("*.db")), schema=folder / "schema.mln")
    return [{"name": name, **measured(kb)}]


if __name__ == "__main__":
    measure_all(__doc__, NAMES, of_data, smoked, ("planted", "friendship"))
