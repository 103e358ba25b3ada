"""Models of neighbourhoods leave out what cannot matter, and nothing else."""

from __future__ import annotations

from itertools import chain, combinations, product

from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.base.stopping import StopToken
from logicoder.problem import violations
from logicoder.problem.evaluate import mistakes_of, weighted_loss_of
from logicoder.problem.model import Inclusion
from logicoder.selection.cp_sat import run
from logicoder.selection.selection_model import SelectionModel
from logicoder.selection.structure import Ladder, Structure

from .random_problems import REPEATABLE, worlds


def subsets(items):
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


@settings(REPEATABLE, max_examples=150)
@given(worlds(), st.data())
def test_the_best_selection_of_a_neighbourhood(world, data) -> None:
    problem = world.problem()
    encoders = data.draw(st.sets(st.sampled_from(range(len(problem.encoders)))))
    over = [i for i, d in enumerate(problem.decoders) if encoders.issuperset(d.latents)]
    forced = data.draw(st.sets(st.sampled_from(over), max_size=1)) if over else set()
    losses = [
        weighted_loss_of(problem, mistakes_of(problem, chosen))
        for chosen in subsets(over)
        if forced.issubset(chosen) and not violations(problem, chosen)
    ]
    model = SelectionModel(Structure(problem), encoders=encoders, forced=forced)
    model.objective = model.goal("loss")
    outcome = run(model, seed=0, effort=10.0, stop=StopToken())
    event(outcome.status)
    assert outcome.value == min(losses, default=None)


@settings(REPEATABLE, max_examples=200)
@given(worlds(), st.data())
def test_classes_in_terms_of_some_nodes(world, data) -> None:
    problem = world.problem()
    structure = Structure(problem)
    nodes = sorted(set(structure.node_of.tolist()))
    present = data.draw(st.sets(st.sampled_from(nodes))) if nodes else set()
    expected: dict[tuple[int, bool, frozenset[int]], int] = {}
    for item in problem.classes:
        covering = frozenset(int(structure.node_of[d]) for d in item.decoders) & present
        key = (item.predicate, item.true, covering)
        expected[key] = expected.get(key, 0) + item.weight
    found = structure.coverage(sorted(present))
    assert {(c.predicate, c.true, frozenset(c.nodes)): c.weight for c in found} == expected
    assert len(found) == len(expected)


@settings(REPEATABLE, max_examples=300)
@given(
    st.integers(1, 7).flatmap(
        lambda size: st.tuples(
            st.sets(
                st.tuples(st.integers(0, size), st.integers(0, size)).filter(lambda edge: edge[0] < edge[1])
            ),
            st.sets(st.integers(0, size)),
            st.permutations(range(size + 1)),
        )
    )
)
def test_nodes_between_those_that_are_present(case) -> None:
    """A helper is needed where one present node may be above, and one at or below."""
    pairs, present, names = case
    edges = [(names[a], names[b]) for a, b in pairs]
    above = set(edges)
    for _ in names:
        above |= {(a, d) for (a, b), (c, d) in product(above, above) if b == c}
    expected = {
        node
        for node in names
        if any((p, node) in above for p in present)
        and (node in present or any((node, p) in above for p in present))
    }
    ladder = Ladder(Inclusion(tuple(range(len(names))), tuple(edges)))
    assert ladder.between(present) == expected
