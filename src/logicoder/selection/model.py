"""The CP-SAT model of a problem.

Decoders that rebuild the same atoms are one *node*: coverage and generality speak of nodes, which makes
the model far smaller than one constraint per clause and atom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.problem.masking import MASKED
from logicoder.problem.model import Inclusion, Problem

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

_SEED = 20190401

RELAXABLE = ("bottleneck", "generality", "reconstruction", "limit", "required")
"""The constraint families that can be left out, to find out which of them makes a problem infeasible.

The connection between encoders and decoders, and decoders that must be the only ones of their predicate, are
the meaning of the variables.
"""


class Structure:
    """What all models of one problem share, so that a model of a neighbourhood takes time for that alone.

    Args:
        problem: what to choose from.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._classes = (*problem.classes, *problem.families.get(MASKED, ()))
        covers: list[list[int]] = [[] for _ in problem.decoders]
        for number, item in enumerate(self._classes):
            for decoder in item.decoders:
                covers[decoder].append(number)
        groups: dict[tuple[int, ...], int] = {}
        self.node_of = np.array(
            [groups.setdefault(tuple(covered), len(groups)) for covered in covers], np.int64
        )
        pairs = [(number, node) for covered, node in groups.items() for number in covered]
        self._coverage = np.array(sorted(pairs), np.int64).reshape(-1, 2)
        self._nodes = len(groups)
        # A set of nodes is told by the sum of their random numbers, 128 bits (as in `engine.coverage`).
        generator = np.random.Generator(np.random.PCG64(_SEED))
        self._random = generator.integers(0, 2**64, size=(2, self._nodes), dtype=np.uint64, endpoint=False)
        self._kinds = np.zeros((len(self._classes), 3), np.uint64)
        self._kinds[:, 0] = [2 * item.predicate + item.true for item in self._classes]
        self._kinds[len(problem.classes) :, 0] += np.uint64(2 * len(problem.targets))
        self._weights = np.array([item.weight for item in self._classes], np.int64)
        width = max((len(decoder.latents) for decoder in problem.decoders), default=1)
        self._latents = np.array(
            [d.latents + d.latents[-1:] * (width - len(d.latents)) for d in problem.decoders], np.int64
        ).reshape(len(problem.decoders), width)
        self.single = self._single(problem.decoder_generality)
        self.ladders = {
            id(order): Ladder(order)
            for order in (problem.decoder_generality, problem.encoder_generality)
            if order is not None
        }

    def _single(self, order: Inclusion | None) -> np.ndarray:
        """Return which sets of decoders with equal coverage are one node of generality."""
        if order is None:
            return np.zeros(self._nodes, np.bool_)
        of_order = np.array(order.nodes, np.int64)
        least, most = np.full(self._nodes, len(of_order)), np.full(self._nodes, -1)
        np.minimum.at(least, self.node_of, of_order)
        np.maximum.at(most, self.node_of, of_order)
        return np.asarray(least == most)

    def decoders_over(self, encoders: Sequence[int]) -> list[int]:
        """Return the decoders that use no others than some encoders, ascending."""
        allowed = np.zeros(len(self.problem.encoders), np.bool_)
        allowed[encoders] = True
        return list(np.flatnonzero(allowed[self._latents].all(axis=1)).tolist())

    def members(self, decoders: Sequence[int]) -> dict[int, list[int]]:
        """Return some decoders, ascending, by their node, ascending."""
        found: dict[int, list[int]] = {}
        nodes = self.node_of[decoders]
        for place in np.argsort(nodes, kind="stable").tolist():
            found.setdefault(int(nodes[place]), []).append(decoders[place])
        return found

    def coverage(self, nodes: Sequence[int]) -> list[Covered]:
        """Return the coverage classes in terms of some nodes, those that none of these tell apart as one."""
        present = np.zeros(self._nodes, np.bool_)
        present[nodes] = True
        pairs = self._coverage[present[self._coverage[:, 1]]]
        marks = self._kinds.copy()
        for half in (1, 2):
            np.add.at(marks[:, half], pairs[:, 0], self._random[half - 1, pairs[:, 1]])
        _, first, inverse = np.unique(marks, axis=0, return_index=True, return_inverse=True)
        weights = np.zeros(len(first), np.int64)
        np.add.at(weights, inverse.ravel(), self._weights)
        borders = np.searchsorted(pairs[:, 0], np.arange(len(marks) + 1))
        found = []
        for group in np.argsort(first).tolist():
            number = int(first[group])
            item = self._classes[number]
            masked = number >= len(self.problem.classes)
            covering = pairs[borders[number] : borders[number + 1], 1].tolist()
            found.append(Covered(item.predicate, item.true, int(weights[group]), covering, masked))
        return found


@dataclass(frozen=True)
class Covered:
    """Atoms of one predicate and truth that the same nodes cover.

    Attributes:
        predicate: index of the predicate.
        true: whether they are facts.
        weight: number of atoms.
        nodes: the nodes, ascending.
        masked: whether only eligible decoders count.
    """

    predicate: int
    true: bool
    weight: int
    nodes: list[int]
    masked: bool = False


class Ladder:
    """The strict inclusions between nodes, from the top down."""

    def __init__(self, order: Inclusion) -> None:
        self.edges = order.edges
        children: dict[int, list[int]] = {}
        waiting: dict[int, int] = {}
        for parent, child in order.edges:
            children.setdefault(parent, []).append(child)
            waiting[child] = waiting.get(child, 0) + 1
        self._downwards: list[tuple[int, int]] = []
        """The inclusions; those into a node come before those out of it."""
        ready = [node for node in children if node not in waiting]
        while ready:
            parent = ready.pop()
            for child in children.get(parent, ()):
                self._downwards.append((parent, child))
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)

    def between(self, present: Collection[int]) -> set[int]:
        """Return the nodes below one of those that are present that are present or above one of them."""
        below: set[int] = set()
        for parent, child in self._downwards:
            if parent in present or parent in below:
                below.add(child)
        needed = set(present)
        for parent, child in reversed(self._downwards):
            if child in needed:
                needed.add(parent)
        return below & needed


class SelectionModel:
    """Variables and constraints of a problem, or of a neighbourhood in it.

    Args:
        structure: the problem, prepared.
        without: constraint families to leave out.
        encoders: the encoders that may be selected; all of them unless given.
        forced: decoders that must be selected.
    """

    def __init__(
        self,
        structure: Structure,
        without: Iterable[str] = (),
        encoders: Collection[int] | None = None,
        forced: Collection[int] = (),
    ) -> None:
        from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

        self.structure = structure
        self.problem = problem = structure.problem
        self.cp: CpModel = cp_model.CpModel()
        self._weighted_sum = cp_model.LinearExpr.weighted_sum
        left_out = set(without)
        allowed = list(range(len(problem.encoders))) if encoders is None else sorted(encoders)
        self.encoders: dict[int, Any] = {i: self.cp.new_bool_var(f"e{i}") for i in allowed}
        self.decoders: dict[int, Any] = {
            i: self.cp.new_bool_var(f"d{i}") for i in structure.decoders_over(allowed)
        }
        for decoder in forced:
            self.cp.add(self.decoders[decoder] == 1)
        self._connect()
        self._nodes(problem.decoder_generality if "generality" not in left_out else None)
        self._exclude()
        self._coverage()
        for constraint in problem.constraints:
            if constraint.family not in left_out:
                self.cp.add(
                    self.total(
                        constraint.encoders,
                        constraint.decoders,
                        constraint.missing,
                        constraint.false,
                        constraint.masked,
                    )
                    <= constraint.bound
                )
        if "generality" not in left_out:
            if problem.decoder_generality is not None:
                self._ladder(problem.decoder_generality, self.decoders)
            if problem.encoder_generality is not None:
                self._ladder(problem.encoder_generality, self.encoders)
        if "reconstruction" not in left_out:
            for requirement in problem.requirements:
                self.cp.add_bool_or([self.decoders[d] for d in requirement.decoders if d in self.decoders])
        if "required" not in left_out:
            for demand in problem.demands:
                wanted = [self.encoders[e] for e in demand.encoders if e in self.encoders]
                wanted += [self.decoders[d] for d in demand.decoders if d in self.decoders]
                self.cp.add_bool_or(wanted)

    def goal(self, name: str) -> Any:
        """Return what a goal minimises: the weighted `loss`, the `masked` one, `both`, `size`, or `bits`."""
        problem = self.problem
        weights = [target.weight for target in problem.targets]
        if name == "loss":
            return self.total(missing=weights, false=weights)
        if name == "masked":
            return self.total(masked=weights)
        if name == "both":
            numerator, denominator = problem.mask
            ordinary = [denominator * weight for weight in weights]
            return self.total(
                missing=ordinary, false=ordinary, masked=[numerator * weight for weight in weights]
            )
        if name == "size":
            return self.total(
                [encoder.weight + encoder.literals for encoder in problem.encoders],
                [decoder.literals for decoder in problem.decoders],
            )
        exceptions = [target.exception_bits for target in problem.targets]
        return (
            self.total(
                [encoder.bits for encoder in problem.encoders],
                [decoder.bits for decoder in problem.decoders],
                exceptions,
                exceptions,
            )
            + problem.fixed_bits
        )

    def total(
        self,
        encoders: Sequence[int] = (),
        decoders: Sequence[int] = (),
        missing: Sequence[int] = (),
        false: Sequence[int] = (),
        masked: Sequence[int] = (),
    ) -> Any:
        """Return a weighted sum of what is selected and what is wrong; no coefficients stand for zeros."""
        variables: list[Any] = []
        coefficients: list[int] = []
        constant = 0
        for weights, clauses in ((encoders, self.encoders), (decoders, self.decoders)):
            if weights:
                for index, variable in clauses.items():
                    if weights[index]:
                        variables.append(variable)
                        coefficients.append(weights[index])
        unreachable = [target.unreachable for target in self.problem.targets]
        for weights, mistakes, certain in (
            (missing, self._missing, unreachable),
            (false, self._false, [0] * len(unreachable)),
            (masked, self._masked, unreachable),
        ):
            if weights:
                constant += sum(w * n for w, n in zip(weights, certain, strict=True))
                for predicate, number, mistake in mistakes:
                    factor = weights[predicate] * number
                    if mistake is None:
                        constant += factor
                    elif factor:
                        variables.append(mistake)
                        coefficients.append(factor)
        return self._weighted_sum(variables, coefficients) + constant

    def hint(self, decoders: Collection[int]) -> None:
        """Tell the solver of a known solution."""
        chosen = set(decoders)
        encoders = {latent for d in chosen for latent in self.problem.decoders[d].latents}
        hint = self.cp.proto.solution_hint
        for clauses, hinted in ((self.decoders, chosen), (self.encoders, encoders)):
            hint.vars.extend([variable.index for variable in clauses.values()])
            hint.values.extend([int(index in hinted) for index in clauses])

    def _connect(self) -> None:
        """ec_i is selected exactly when some selected decoder uses its latent."""
        users: dict[int, list[Any]] = {index: [] for index in self.encoders}
        for index, variable in self.decoders.items():
            latents = self.problem.decoders[index].latents
            self.cp.add_bool_and([self.encoders[latent] for latent in latents]).only_enforce_if(variable)
            for latent in latents:
                users[latent].append(variable)
        for index, using in users.items():
            self.cp.add_bool_or([*using, ~self.encoders[index]])

    def _nodes(self, order: Inclusion | None) -> None:
        """Make one variable per set of decoders with equal coverage: whether any of them is selected."""
        self._node_variables: dict[int, Any] = {}
        for node, members in self.structure.members(list(self.decoders)).items():
            exclusive = order is not None and bool(self.structure.single[node])
            self._node_variables[node] = self._any([self.decoders[m] for m in members], exclusive)

    def _any(self, variables: list[Any], exclusive: bool) -> Any:
        """Return a variable for "one of these is selected"; where `exclusive`, at most one of them may be."""
        if len(variables) == 1:
            return variables[0]
        chosen = self.cp.new_bool_var("")
        if exclusive:
            self.cp.add_exactly_one([*variables, ~chosen])
        else:
            self.cp.add_max_equality(chosen, variables)
        return chosen

    def _exclude(self) -> None:
        """Let an exclusive decoder be the only one of its predicate."""
        alone: dict[str, list[Any]] = {}
        others: dict[str, list[Any]] = {}
        for index, variable in self.decoders.items():
            decoder = self.problem.decoders[index]
            (alone if decoder.exclusive else others).setdefault(decoder.predicate, []).append(variable)
        for predicate, exclusive in alone.items():
            company = others.get(predicate, [])
            self.cp.add_at_most_one([*exclusive, *([self._any(company, exclusive=False)] if company else [])])

    def _coverage(self) -> None:
        """Make a variable for each class that may be wrong. One-sided clauses suffice: none is wished for.

        Kept as (predicate, number of atoms, variable or its negation); None stands for a certain mistake.
        """
        self._missing: list[tuple[int, int, Any]] = []
        self._false: list[tuple[int, int, Any]] = []
        self._masked: list[tuple[int, int, Any]] = []
        for item in self.structure.coverage(list(self._node_variables)):
            nodes = [self._node_variables[n] for n in item.nodes]
            mistake: Any = None
            if len(nodes) == 1:
                mistake = ~nodes[0] if item.true else nodes[0]
            elif nodes:
                mistake = self.cp.new_bool_var("")
                if item.true:
                    self.cp.add_bool_or([*nodes, mistake])
                else:
                    self.cp.add_bool_and([~node for node in nodes]).only_enforce_if(~mistake)
            if item.true:
                missing = self._masked if item.masked else self._missing
                missing.append((item.predicate, item.weight, mistake))
            elif nodes:
                self._false.append((item.predicate, item.weight, mistake))

    def _ladder(self, order: Inclusion, clauses: dict[int, Any]) -> None:
        """At most one of two comparable clauses, without posting all pairs.

        `above[n]` says that a clause more general than node n is selected; it is passed down the edges.
        """
        members: dict[int, list[Any]] = {}
        for index, clause in clauses.items():
            members.setdefault(order.nodes[index], []).append(clause)
        chosen = {node: self._any(group, exclusive=True) for node, group in members.items()}
        ladder = self.structure.ladders[id(order)]
        needed = ladder.between(chosen)
        above: dict[int, Any] = {}
        for _, child in ladder.edges:
            if child in needed and child not in above:
                above[child] = self.cp.new_bool_var("")
                if child in chosen:
                    self.cp.add_implication(chosen[child], ~above[child])
        for parent, child in ladder.edges:
            if child in above:
                if parent in chosen:
                    self.cp.add_implication(chosen[parent], above[child])
                if parent in above:
                    self.cp.add_implication(above[parent], above[child])
