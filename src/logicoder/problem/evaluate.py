"""Checking a choice of decoders against a problem, independently of any solver."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from logicoder.problem.model import Inclusion, Problem


@dataclass(frozen=True)
class Violation:
    """A constraint that a choice does not satisfy."""

    family: str
    text: str


def encoders_of(problem: Problem, decoders: Iterable[int]) -> tuple[int, ...]:
    """Return the encoders that a choice of decoders selects: those whose latents it uses."""
    return tuple(sorted({latent for d in decoders for latent in problem.decoders[d].latents}))


def loss_of(problem: Problem, decoders: Iterable[int], family: str = "ordinary") -> tuple[int, int]:
    """Return missing and false atoms of a choice of decoders."""
    chosen = set(decoders)
    missing, false = problem.unreachable, 0
    for item in problem.families[family]:
        covered = not chosen.isdisjoint(item.decoders)
        if item.true and not covered:
            missing += item.weight
        elif not item.true and covered:
            false += item.weight
    return missing, false


def size_of(problem: Problem, decoders: Iterable[int]) -> int:
    """Return latent facts plus body literals of all selected clauses: the second goal of a search."""
    chosen = set(decoders)
    encoders = (problem.encoders[e] for e in encoders_of(problem, chosen))
    return sum(e.weight + e.literals for e in encoders) + sum(problem.decoders[d].literals for d in chosen)


def violations(problem: Problem, decoders: Iterable[int]) -> list[Violation]:
    """Return the constraints that a choice of decoders violates."""
    chosen = sorted(set(decoders))
    encoders = encoders_of(problem, chosen)
    found = []
    for constraint in problem.bottlenecks:
        total = sum(constraint.coefficients[e] for e in encoders)
        if total > constraint.bound:
            found.append(Violation("bottleneck", f"{constraint.name}: {total} > {constraint.bound}"))
    orders = (
        ("encoders", problem.encoder_generality, encoders),
        ("decoders", problem.decoder_generality, chosen),
    )
    for kind, order, members in orders:
        if order is not None:
            found.extend(_comparable(kind, order, list(members)))
    for requirement in problem.requirements:
        if set(chosen).isdisjoint(requirement.decoders):
            found.append(Violation("reconstruction", f"{requirement.predicate} has no decoder"))
    return found


def _comparable(kind: str, order: Inclusion, members: list[int]) -> list[Violation]:
    below: dict[int, set[int]] = {}
    for parent, child in order.edges:
        below.setdefault(parent, set()).add(child)
    by_node: dict[int, list[int]] = {}
    for member in members:
        by_node.setdefault(order.nodes[member], []).append(member)
    found = [
        Violation("generality", f"{kind} {same} are equal") for same in by_node.values() if len(same) > 1
    ]
    for node, general in by_node.items():
        seen: set[int] = set()
        work = list(below.get(node, ()))
        while work:
            child = work.pop()
            if child not in seen:
                seen.add(child)
                work.extend(below.get(child, ()))
        found.extend(
            Violation("generality", f"{kind} {general} are more general than {by_node[child]}")
            for child in sorted(seen & set(by_node))
        )
    return found
