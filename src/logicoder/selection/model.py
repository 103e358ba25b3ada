"""The CP-SAT model of a problem.

Decoders that rebuild the same atoms are one *node*: coverage and generality speak of nodes, which makes
the model far smaller than one constraint per clause and atom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from logicoder.problem.masking import MASKED
from logicoder.problem.model import CoverageClass, Inclusion, Problem

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

RELAXABLE = ("bottleneck", "generality", "reconstruction", "limit", "required")
"""The constraint families that can be left out, to find out which of them makes a problem infeasible.

The connection between encoders and decoders, and decoders that must be the only ones of their predicate, are
the meaning of the variables.
"""


class Structure:
    """What all models of one problem share: decoders by node, and coverage in terms of nodes.

    Args:
        problem: what to choose from.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        masked = problem.families.get(MASKED, ())
        covers: list[list[int]] = [[] for _ in problem.decoders]
        for number, item in enumerate((*problem.classes, *masked)):
            for decoder in item.decoders:
                covers[decoder].append(number)
        groups: dict[tuple[int, ...], int] = {}
        node_of = [groups.setdefault(tuple(covered), len(groups)) for covered in covers]
        self.members: list[list[int]] = [[] for _ in groups]
        for decoder, node in enumerate(node_of):
            self.members[node].append(decoder)

        def covered(classes: Iterable[CoverageClass]) -> list[tuple[CoverageClass, tuple[int, ...]]]:
            return [(item, tuple(sorted({node_of[d] for d in item.decoders}))) for item in classes]

        self.coverage = covered(problem.classes)
        self.masked = covered(masked)


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
        allowed = range(len(problem.encoders)) if encoders is None else sorted(encoders)
        self.encoders: dict[int, Any] = {i: self.cp.new_bool_var(f"e{i}") for i in allowed}
        self.decoders: dict[int, Any] = {
            i: self.cp.new_bool_var(f"d{i}")
            for i, decoder in enumerate(problem.decoders)
            if all(latent in self.encoders for latent in decoder.latents)
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
        for index, variable in self.decoders.items():
            self.cp.add_hint(variable, index in chosen)
        for index, variable in self.encoders.items():
            self.cp.add_hint(variable, index in encoders)

    def _connect(self) -> None:
        """ec_i is selected exactly when some selected decoder uses its latent."""
        users: dict[int, list[Any]] = {index: [] for index in self.encoders}
        for index, variable in self.decoders.items():
            for latent in self.problem.decoders[index].latents:
                self.cp.add_implication(variable, self.encoders[latent])
                users[latent].append(variable)
        for index, using in users.items():
            self.cp.add_bool_or([*using, ~self.encoders[index]])

    def _nodes(self, order: Inclusion | None) -> None:
        """Make one variable per set of decoders with equal coverage: whether any of them is selected."""
        self._node_variables: dict[int, Any] = {}
        for node, members in enumerate(self.structure.members):
            present = [self.decoders[m] for m in members if m in self.decoders]
            if present:
                exclusive = order is not None and len({order.nodes[m] for m in members}) == 1
                self._node_variables[node] = self._any(present, exclusive)

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
        for coverage, missing in (
            (self.structure.coverage, self._missing),
            (self.structure.masked, self._masked),
        ):
            for item, numbers in coverage:
                nodes = [self._node_variables[n] for n in numbers if n in self._node_variables]
                if item.true:
                    missing.append((item.predicate, item.weight, self._mistake(nodes, true=True)))
                elif nodes:
                    self._false.append((item.predicate, item.weight, self._mistake(nodes, true=False)))

    def _mistake(self, nodes: list[Any], *, true: bool) -> Any:
        """Return what says that a class is wrong, given the nodes that cover it."""
        if not nodes:
            return None
        if len(nodes) == 1:
            return ~nodes[0] if true else nodes[0]
        mistake = self.cp.new_bool_var("")
        if true:
            self.cp.add_bool_or([*nodes, mistake])
        else:
            for node in nodes:
                self.cp.add_implication(node, mistake)
        return mistake

    def _ladder(self, order: Inclusion, clauses: dict[int, Any]) -> None:
        """At most one of two comparable clauses, without posting all pairs.

        `above[n]` says that a clause more general than node n is selected; it is passed down the edges.
        """
        members: dict[int, list[Any]] = {}
        for index, clause in clauses.items():
            members.setdefault(order.nodes[index], []).append(clause)
        chosen = {node: self._any(group, exclusive=True) for node, group in members.items()}
        above: dict[int, Any] = {}
        for _, child in order.edges:
            if child not in above:
                above[child] = self.cp.new_bool_var("")
                if child in chosen:
                    self.cp.add_implication(chosen[child], ~above[child])
        for parent, child in order.edges:
            if parent in chosen:
                self.cp.add_implication(chosen[parent], above[child])
            if parent in above:
                self.cp.add_implication(above[parent], above[child])
