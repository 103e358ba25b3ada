"""Recursive definitions end to end: hidden closures, inheritance, noise, and what stands beside them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase, Predicate, Schema
from logicoder.problem import Demand, Problem
from logicoder.problem.evaluate import violations
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver

FAMILY = Schema.of(Predicate("parent", ("person", "person")), Predicate("ancestor", ("person", "person")))


def closed(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    found = set(pairs)
    while more := {(x, z) for x, y in pairs for w, z in found if w == y} - found:
        found |= more
    return found


def tree(seed: int, people: int) -> set[tuple[str, str]]:
    """Everybody but the first has one parent, who is older."""
    rng = random.Random(seed)  # noqa: S311
    return {(f"p{rng.randrange(i)}", f"p{i}") for i in range(1, people)}


def families(missing: int = 0, added: int = 0) -> KnowledgeBase:
    """Two trees, with some ancestors forgotten and some invented."""
    rng = random.Random(7)  # noqa: S311
    parts = []
    for number, people in enumerate((11, 9)):
        parents = tree(number, people)
        ancestors = closed(parents)
        if number == 0:
            others = [(f"p{i}", f"p{j}") for i in range(people) for j in range(people)]
            invented = rng.sample([pair for pair in others if pair not in ancestors], added)
            # None of the parents: those would be grandparents of somebody else.
            ancestors -= set(rng.sample(sorted(ancestors - parents), missing))
            ancestors |= set(invented)
        rows = [("parent", *pair) for pair in sorted(parents)]
        rows += [("ancestor", *pair) for pair in sorted(ancestors)]
        parts.append(KnowledgeBase.from_facts(rows, schema=FAMILY, interpretation=f"family{number}"))
    return KnowledgeBase.union(parts)


@pytest.mark.parametrize(("missing", "added"), [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_ancestors_need_no_latent_facts_of_their_own(missing, added) -> None:
    kb = families(missing, added)
    parents = kb.count("parent")
    assert kb.count("ancestor") > 1.5 * parents
    # Room for the parents and no more than a latent fact besides.
    model = AutoEncoder(1, 1, bottlenecks=(f"total={parents + 1}/{kb.size}",), recursion=True).fit(kb)
    assert (model.loss_, model.false_, model.missing_) == (missing + added, missing, added)
    assert (model.latent_facts_, model.status_) == (parents, "optimal")
    outcome = model.reconstruct(kb)
    assert (len(outcome.false), len(outcome.missing)) == (missing, added)
    recursive = [clause for clause in model.decoder_ if "ancestor" in clause.body_predicates()]
    assert len(recursive) == 1

    plain = AutoEncoder(1, 1, bottlenecks=(f"total={parents + 1}/{kb.size}",)).fit(kb)
    assert plain.loss_ > model.loss_


def test_new_families(tmp_path) -> None:
    """The program is kept as text, and holds for people it has never seen."""
    model = AutoEncoder(1, 1, 0.6, recursion=True).fit(families())
    model.save(tmp_path / "ancestors.alp")
    loaded = AutoEncoder.load(tmp_path / "ancestors.alp")
    assert loaded.encoder_ == model.encoder_
    assert loaded.decoder_ == model.decoder_
    parents = tree(99, 20)
    rows = [("parent", *pair) for pair in parents] + [("ancestor", *pair) for pair in closed(parents)]
    other = KnowledgeBase.from_facts(rows, schema=FAMILY, interpretation="new")
    assert loaded.reconstruct(other).loss == 0
    assert len(loaded.transform(other)) == len(parents)
    alone = loaded.transform(other.restricted(["parent"]))
    derived = {tuple(map(str, fact.arguments)) for fact in loaded.inverse_transform(alone).facts("ancestor")}
    assert derived == closed(parents)


def test_instances_are_inherited() -> None:
    """Base and step differ: instance_of starts at the classes of things and climbs the hierarchy."""
    direct = {("cat", "feline"), ("feline", "mammal"), ("mammal", "animal"), ("dog", "canine")}
    direct |= {("canine", "mammal"), ("trout", "fish"), ("fish", "animal"), ("animal", "being")}
    kinds = {("tom", "cat"), ("rex", "dog"), ("tina", "trout"), ("leo", "feline"), ("zoe", "being")}
    above = closed(direct)
    instances = kinds | {(thing, upper) for thing, kind in kinds for lower, upper in above if lower == kind}
    schema = Schema.of(
        *(Predicate(name, ("thing", "thing")) for name in ("kind", "direct", "superclass", "instance_of"))
    )
    tables = {"kind": kinds, "direct": direct, "superclass": above, "instance_of": instances}
    kb = KnowledgeBase.from_facts(
        [(name, *pair) for name, pairs in tables.items() for pair in sorted(pairs)], schema=schema
    )
    room = len(direct) + len(kinds)
    model = AutoEncoder(1, 1, bottlenecks=(f"total={room}/{kb.size}",), recursion=True).fit(kb)
    assert (model.loss_, model.latent_facts_, model.status_) == (0, room, "optimal")
    clauses = [clause for clause in model.decoder_ if clause.head.predicate == "instance_of"]
    (step,) = (clause for clause in clauses if "instance_of" in clause.body_predicates())
    (base,) = (clause for clause in clauses if clause is not step)
    (latent,) = step.body_predicates() - {"instance_of"}
    assert base.body_predicates().isdisjoint({latent})


def path_with_a_way_back() -> KnowledgeBase:
    """A path, whose closure has an additional edge to the start: it would close a cycle."""
    edges = {(f"n{i}", f"n{i + 1}") for i in range(5)}
    rows = [("edge", *pair) for pair in edges] + [("reach", *pair) for pair in closed(edges)]
    rows += [("back", "n5", "n0"), ("reach", "n5", "n0")]
    return KnowledgeBase.from_facts(
        rows, schema=Schema.of(*(Predicate(n, ("node", "node")) for n in ("edge", "back", "reach")))
    )


@cache
def exclusive_problem(generality: bool) -> Problem:
    options = {"bottlenecks": (), "recursion": True, "generality": generality, "dominance": False}
    return AutoEncoder(1, 1, objective="loss", **options).fit(path_with_a_way_back()).problem_


class TestExclusion:
    """Other clauses of the head would feed the recursion, so that there are none."""

    def test_a_fact_is_rather_lost_than_added_to_a_recursion(self) -> None:
        kb = path_with_a_way_back()
        # Room for edge and back, but not for reach.
        model = AutoEncoder(1, 1, bottlenecks=("total=8/22",), recursion=True).fit(kb)
        mine = [clause for clause in model.decoder_ if clause.head.predicate == "reach"]
        assert len(mine) == 2
        assert sum("reach" in clause.body_predicates() for clause in mine) == 1
        assert (model.loss_, model.missing_, model.status_) == (1, 1, "optimal")
        assert model.reconstruct(kb).loss == 1

    @pytest.mark.parametrize("kind", [ExactSolver, LnsSolver, AutoSolver])
    @pytest.mark.parametrize("generality", [True, False])
    def test_no_solver_selects_both_even_if_both_are_demanded(self, generality, kind) -> None:
        problem = exclusive_problem(generality)
        mine = [i for i, decoder in enumerate(problem.decoders) if decoder.predicate == "reach"]
        recursive = tuple(i for i in mine if problem.decoders[i].exclusive)
        plain = tuple(i for i in mine if not problem.decoders[i].exclusive)
        assert recursive
        assert plain

        def chosen(*demanded: tuple[int, ...]) -> set[int]:
            demands = tuple(Demand(str(n), decoders=some) for n, some in enumerate(demanded))
            solution = kind().solve(replace(problem, demands=demands))
            assert not violations(replace(problem, demands=demands), solution.decoders)
            return set(mine) & set(solution.decoders)

        assert len(chosen(recursive)) == 1
        assert chosen(plain) <= set(plain)
        with pytest.raises(InfeasibleError):
            chosen(recursive, plain)
