"""The formulation of a selection problem, or of a neighbourhood in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from logicoder.problem.model import Inclusion, Problem
from logicoder.selection.formulation import (
    AnyOf,
    AtMost,
    AtMostOne,
    Equals,
    ExactlyOne,
    Formulation,
    Implies,
    Sum,
)
from logicoder.selection.structure import Structure

RELAXABLE = ("bottleneck", "generality", "reconstruction", "limit", "required")
"""The constraint families that can be left out, to find out which of them makes a problem infeasible.

The connection between encoders and decoders, and decoders that must be the only ones of their predicate, are
the meaning of the variables.
"""


class SelectionModel(Formulation):
    """The formulation of a problem, with the sums that goals and constraints are made of.

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
        super().__init__()
        self.structure = structure
        self.problem: Problem = structure.problem
        left_out = set(without)
        allowed = range(len(self.problem.encoders)) if encoders is None else sorted(encoders)
        self.encoders = {index: self.new() for index in allowed}
        self.decoders = {index: self.new() for index in structure.decoders_over(list(allowed))}
        self.fixed = [self.decoders[decoder] for decoder in forced]
        self._connect()
        self._nodes("generality" not in left_out and self.problem.decoder_generality is not None)
        self._exclude()
        self._coverage()
        self._constrain(left_out)

    def _constrain(self, left_out: set[str]) -> None:
        """Add all that is not the meaning of the variables."""
        problem = self.problem
        for item in problem.constraints:
            if item.family not in left_out:
                total = self.total(item.encoders, item.decoders, item.missing, item.false, item.masked)
                self.add(AtMost(total, item.bound))
        if "generality" not in left_out:
            self._ladder(problem.decoder_generality, self.decoders)
            self._ladder(problem.encoder_generality, self.encoders)
        if "reconstruction" not in left_out:
            for requirement in problem.requirements:
                self.add(AnyOf([self.decoders[d] for d in requirement.decoders if d in self.decoders]))
        if "required" not in left_out:
            for demand in problem.demands:
                wanted = [self.encoders[e] for e in demand.encoders if e in self.encoders]
                wanted += [self.decoders[d] for d in demand.decoders if d in self.decoders]
                self.add(AnyOf(wanted))

    def goal(self, name: str) -> Sum:
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
        total = self.total(
            [encoder.bits for encoder in problem.encoders],
            [decoder.bits for decoder in problem.decoders],
            exceptions,
            exceptions,
        )
        return total._replace(constant=total.constant + problem.fixed_bits)

    def total(
        self,
        encoders: Sequence[int] = (),
        decoders: Sequence[int] = (),
        missing: Sequence[int] = (),
        false: Sequence[int] = (),
        masked: Sequence[int] = (),
    ) -> Sum:
        """Return a weighted sum of what is selected and what is wrong; no coefficients stand for zeros."""
        literals: list[int] = []
        coefficients: list[int] = []
        constant = 0
        for weights, clauses in ((encoders, self.encoders), (decoders, self.decoders)):
            if weights:
                for index, variable in clauses.items():
                    if weights[index]:
                        literals.append(variable)
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
                        literals.append(mistake)
                        coefficients.append(factor)
        return Sum(literals, coefficients, constant)

    def know(self, decoders: Collection[int]) -> None:
        """Give a known selection as a hint."""
        chosen = set(decoders)
        encoders = {latent for d in chosen for latent in self.problem.decoders[d].latents}
        for clauses, known in ((self.decoders, chosen), (self.encoders, encoders)):
            self.hint.update((variable, index in known) for index, variable in clauses.items())

    def _connect(self) -> None:
        """ec_i is selected exactly when some selected decoder uses its latent."""
        users: dict[int, list[int]] = {index: [] for index in self.encoders}
        for index, variable in self.decoders.items():
            latents = self.problem.decoders[index].latents
            self.add(Implies(variable, [self.encoders[latent] for latent in latents]))
            for latent in latents:
                users[latent].append(variable)
        for index, using in users.items():
            self.add(AnyOf([*using, ~self.encoders[index]]))

    def _nodes(self, general: bool) -> None:
        """Make one variable per set of decoders with equal coverage: whether any of them is selected."""
        self._node_variables: dict[int, int] = {}
        for node, members in self.structure.members(list(self.decoders)).items():
            exclusive = general and bool(self.structure.single[node])
            self._node_variables[node] = self._any([self.decoders[m] for m in members], exclusive)

    def _any(self, variables: list[int], exclusive: bool) -> int:
        """Return a variable for "one of these is selected"; where `exclusive`, at most one of them may be."""
        if len(variables) == 1:
            return variables[0]
        chosen = self.new()
        self.add(ExactlyOne([*variables, ~chosen]) if exclusive else Equals(chosen, variables))
        return chosen

    def _exclude(self) -> None:
        """Let an exclusive decoder be the only one of its predicate."""
        alone: dict[str, list[int]] = {}
        others: dict[str, list[int]] = {}
        for index, variable in self.decoders.items():
            decoder = self.problem.decoders[index]
            (alone if decoder.exclusive else others).setdefault(decoder.predicate, []).append(variable)
        for predicate, exclusive in alone.items():
            company = others.get(predicate, [])
            self.add(AtMostOne([*exclusive, *([self._any(company, exclusive=False)] if company else [])]))

    def _coverage(self) -> None:
        """Make a variable for each class that may be wrong. One-sided clauses suffice: none is wished for.

        Kept as (predicate, number of atoms, literal); None stands for a certain mistake.
        """
        self._missing: list[tuple[int, int, int | None]] = []
        self._false: list[tuple[int, int, int | None]] = []
        self._masked: list[tuple[int, int, int | None]] = []
        for item in self.structure.coverage(list(self._node_variables)):
            nodes = [self._node_variables[n] for n in item.nodes]
            mistake: int | None = None
            if len(nodes) == 1:
                mistake = ~nodes[0] if item.true else nodes[0]
            elif nodes:
                mistake = self.new()
                wrong = AnyOf([*nodes, mistake]) if item.true else Implies(~mistake, [~n for n in nodes])
                self.add(wrong)
            if item.true:
                missing = self._masked if item.masked else self._missing
                missing.append((item.predicate, item.weight, mistake))
            elif nodes:
                self._false.append((item.predicate, item.weight, mistake))

    def _ladder(self, order: Inclusion | None, clauses: dict[int, int]) -> None:
        """At most one of two comparable clauses, without posting all pairs.

        `above[n]` says that a clause more general than node n is selected; it is passed down the edges.
        """
        if order is None:
            return
        members: dict[int, list[int]] = {}
        for index, clause in clauses.items():
            members.setdefault(order.nodes[index], []).append(clause)
        chosen = {node: self._any(group, exclusive=True) for node, group in members.items()}
        ladder = self.structure.ladders[id(order)]
        needed = ladder.between(chosen)
        above: dict[int, int] = {}
        for _, child in ladder.edges:
            if child in needed and child not in above:
                above[child] = self.new()
                if child in chosen:
                    self.add(Implies(chosen[child], [~above[child]]))
        for parent, child in ladder.edges:
            if child in above:
                if parent in chosen:
                    self.add(Implies(chosen[parent], [above[child]]))
                if parent in above:
                    self.add(Implies(above[parent], [above[child]]))
