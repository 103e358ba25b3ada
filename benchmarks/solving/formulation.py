"""A selection problem as clauses, at-most-one constraints and linear ones over 0/1 variables.

All solvers get exactly this, which follows the library's own model: decoders that rebuild the same atoms are
one node, and generality is passed down a ladder instead of being posted for all pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from logicoder.problem import CoverageClass, Inclusion, Problem


@dataclass
class Formulation:
    """Literals are the numbers of variables, from 1 on, or their negatives.

    Attributes:
        variables: how many there are.
        clauses: of each, one literal is true.
        at_most_one: of each, at most one variable is true.
        linear: (coefficients, variables, bound): the sum is at most the bound.
        costs: (weight, literal): what it costs if the literal is true; to be minimised.
        constant: what it costs in any case.
        decoders: the variables of the decoders.
    """

    variables: int = 0
    clauses: list[list[int]] = field(default_factory=list)
    at_most_one: list[list[int]] = field(default_factory=list)
    linear: list[tuple[list[int], list[int], int]] = field(default_factory=list)
    costs: list[tuple[int, int]] = field(default_factory=list)
    constant: int = 0
    decoders: range = range(0)

    def new(self, count: int) -> range:
        """Add variables."""
        self.variables += count
        return range(self.variables - count + 1, self.variables + 1)

    def any_of(self, members: Sequence[int], *, exclusive: bool) -> int:
        """Return a variable for "one of these is true"."""
        if len(members) == 1:
            return members[0]
        chosen = self.new(1)[0]
        self.clauses.extend([-member, chosen] for member in members)
        self.clauses.append([-chosen, *members])
        if exclusive:
            self.at_most_one.append(list(members))
        return chosen

    def selected(self, values: Sequence[bool]) -> tuple[int, ...]:
        """Return the decoders of a solution, given the value of each variable from the first on."""
        return tuple(i for i, variable in enumerate(self.decoders) if values[variable - 1])


def formulation_of(problem: Problem) -> Formulation:
    """Return the formulation of a problem without demands, exclusive decoders and limits on mistakes."""
    if problem.demands or any(d.exclusive for d in problem.decoders):
        raise SystemExit("demands and recursion are not written down for other solvers")
    result = Formulation()
    encoders = result.new(len(problem.encoders))
    decoders = result.decoders = result.new(len(problem.decoders))
    users: list[list[int]] = [[] for _ in encoders]
    for decoder, item in zip(decoders, problem.decoders, strict=True):
        for latent in item.latents:
            result.clauses.append([-decoder, encoders[latent]])
            users[latent].append(decoder)
    result.clauses.extend([-encoder, *using] for encoder, using in zip(encoders, users, strict=True))
    for requirement in problem.requirements:
        result.clauses.append([decoders[d] for d in requirement.decoders])
    for constraint in problem.constraints:
        if constraint.missing or constraint.false:
            raise SystemExit("limits on mistakes are not written down for other solvers")
        both = [*zip(constraint.encoders, encoders, strict=False)]
        both += zip(constraint.decoders, decoders, strict=False)
        kept = [(c, v) for c, v in both if c]
        result.linear.append(([c for c, _ in kept], [v for _, v in kept], constraint.bound))
    _coverage(result, problem)
    for order, clauses in ((problem.encoder_generality, encoders), (problem.decoder_generality, decoders)):
        if order is not None:
            _ladder(result, order, clauses)
    return result


def _coverage(result: Formulation, problem: Problem) -> None:
    covers: list[list[int]] = [[] for _ in problem.decoders]
    for number, item in enumerate(problem.classes):
        for decoder in item.decoders:
            covers[decoder].append(number)
    groups: dict[tuple[int, ...], list[int]] = {}
    for decoder, covered in enumerate(covers):
        groups.setdefault(tuple(covered), []).append(decoder)
    node_of = {}
    for members in groups.values():
        node = result.any_of([result.decoders[d] for d in members], exclusive=False)
        node_of.update(dict.fromkeys(members, node))
    result.constant = sum(t.unreachable * t.weight for t in problem.targets)
    for item in problem.classes:
        nodes = sorted({node_of[d] for d in item.decoders})
        cost = item.weight * problem.targets[item.predicate].weight
        if len(nodes) == 1:
            result.costs.append((cost, -nodes[0] if item.true else nodes[0]))
            continue
        mistake = result.new(1)[0]
        result.costs.append((cost, mistake))
        if item.true:
            result.clauses.append([*nodes, mistake])
        else:
            result.clauses.extend([-node, mistake] for node in nodes)


def _ladder(result: Formulation, order: Inclusion, clauses: Sequence[int]) -> None:
    """At most one of two comparable clauses: `above[n]` says that one above node n is selected."""
    members: dict[int, list[int]] = {}
    for clause, node in zip(clauses, order.nodes, strict=True):
        members.setdefault(node, []).append(clause)
    chosen = {node: result.any_of(group, exclusive=True) for node, group in members.items()}
    above: dict[int, int] = {}
    for _, child in order.edges:
        if child not in above:
            above[child] = result.new(1)[0]
            if child in chosen:
                result.clauses.append([-chosen[child], -above[child]])
    for parent, child in order.edges:
        if parent in chosen:
            result.clauses.append([-chosen[parent], above[child]])
        if parent in above:
            result.clauses.append([-above[parent], above[child]])


def uncompressed(problem: Problem) -> Problem:
    """Return a problem with a class for each ground atom, not a weighted one for all that are alike."""

    def apart(classes: Iterable[CoverageClass]) -> tuple[CoverageClass, ...]:
        return tuple(replace(item, weight=1) for item in classes for _ in range(item.weight))

    return replace(problem, families={name: apart(classes) for name, classes in problem.families.items()})
