"""Checking a choice of decoders against a problem, independently of any solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logicoder.problem.bits import millibits, surplus_bits
from logicoder.problem.masking import MASKED
from logicoder.problem.model import Inclusion, LinearConstraint, Problem


@dataclass(frozen=True)
class Violation:
    """A constraint that a choice does not satisfy."""

    family: str
    text: str


def encoders_of(problem: Problem, decoders: Iterable[int]) -> tuple[int, ...]:
    """Return the encoders that a choice of decoders selects: those whose latents it uses."""
    return tuple(sorted({latent for d in decoders for latent in problem.decoders[d].latents}))


def mistakes_of(
    problem: Problem, decoders: Iterable[int], family: str = "ordinary"
) -> tuple[list[int], list[int]]:
    """Return the numbers of missing and of false atoms of each predicate."""
    chosen = set(decoders)
    missing = [target.unreachable for target in problem.targets]
    false = [0] * len(problem.targets)
    for item in problem.families[family]:
        covered = not chosen.isdisjoint(item.decoders)
        if item.true and not covered:
            missing[item.predicate] += item.weight
        elif not item.true and covered:
            false[item.predicate] += item.weight
    return missing, false


def masked_of(problem: Problem, decoders: Iterable[int]) -> list[int]:
    """Return the facts of each predicate that are missing when it is masked; zeros without that family."""
    if MASKED not in problem.families:
        return [0] * len(problem.targets)
    return mistakes_of(problem, decoders, MASKED)[0]


def loss_of(problem: Problem, decoders: Iterable[int], family: str = "ordinary") -> tuple[int, int]:
    """Return missing and false atoms of a choice of decoders."""
    missing, false = mistakes_of(problem, decoders, family)
    return sum(missing), sum(false)


def weighted_loss_of(problem: Problem, mistakes: tuple[Sequence[int], Sequence[int]]) -> int:
    """Return the weighted loss of some missing and false atoms by predicate, in weight units."""
    return sum(t.weight * (m + f) for t, m, f in zip(problem.targets, *mistakes, strict=True))


def size_of(problem: Problem, decoders: Iterable[int]) -> int:
    """Return latent facts plus body literals of all selected clauses: the second goal of a search."""
    chosen = set(decoders)
    encoders = (problem.encoders[e] for e in encoders_of(problem, chosen))
    return sum(e.weight + e.literals for e in encoders) + sum(problem.decoders[d].literals for d in chosen)


def bits_of(
    problem: Problem, decoders: Iterable[int], mistakes: tuple[Sequence[int], Sequence[int]] | None = None
) -> int:
    """Return the description length of a choice of decoders, in millibits.

    Programs, latent facts and exceptions, as `docs/explanation/semantics.md` has it. With more latent
    predicates than the code provides for, each latent literal takes the longer code that so many need.
    """
    chosen = set(decoders)
    encoders = encoders_of(problem, chosen)
    missing, false = mistakes_of(problem, chosen) if mistakes is None else mistakes
    total = problem.fixed_bits
    total += sum(problem.encoders[e].bits for e in encoders)
    total += sum(problem.decoders[d].bits for d in chosen)
    total += sum(t.exception_bits * (m + f) for t, m, f in zip(problem.targets, missing, false, strict=True))
    literals = sum(problem.decoders[d].literals for d in chosen)
    return total + millibits(surplus_bits(len(encoders), problem.latent_cap, literals))


def sum_of(
    constraint: LinearConstraint,
    encoders: Iterable[int],
    decoders: Iterable[int],
    mistakes: tuple[Sequence[int], Sequence[int]],
    masked: Sequence[int] = (),
) -> int:
    """Return the left-hand side of a constraint."""
    total = sum(constraint.encoders[e] for e in encoders) if constraint.encoders else 0
    total += sum(constraint.decoders[d] for d in decoders) if constraint.decoders else 0
    parts = ((constraint.missing, mistakes[0]), (constraint.false, mistakes[1]), (constraint.masked, masked))
    for coefficients, counts in parts:
        if coefficients:
            total += sum(c * n for c, n in zip(coefficients, counts, strict=True))
    return total


def violations(problem: Problem, decoders: Iterable[int]) -> list[Violation]:
    """Return the constraints that a choice of decoders violates."""
    chosen = sorted(set(decoders))
    encoders = encoders_of(problem, chosen)
    found = []
    mistakes = mistakes_of(problem, chosen) if problem.constraints else ([], [])
    masked = masked_of(problem, chosen)
    for constraint in problem.constraints:
        total = sum_of(constraint, encoders, chosen, mistakes, masked)
        if total > constraint.bound:
            found.append(Violation(constraint.family, f"{constraint.name}: {total} > {constraint.bound}"))
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
    for demand in problem.demands:
        if set(chosen).isdisjoint(demand.decoders) and set(encoders).isdisjoint(demand.encoders):
            found.append(Violation("required", f"{demand.name} is not selected"))
    found.extend(_accompanied(problem, chosen))
    return found


def _accompanied(problem: Problem, chosen: Sequence[int]) -> list[Violation]:
    """Return the exclusive decoders that are not alone."""
    by_predicate: dict[str, list[int]] = {}
    for decoder in chosen:
        by_predicate.setdefault(problem.decoders[decoder].predicate, []).append(decoder)
    return [
        Violation("exclusive", f"decoder {decoder} must be the only one of {name}")
        for name, members in by_predicate.items()
        for decoder in members
        if problem.decoders[decoder].exclusive and len(members) > 1
    ]


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
