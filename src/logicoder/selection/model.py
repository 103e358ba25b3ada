"""The CP-SAT model of a problem.

Decoders that rebuild the same atoms are one *node*: coverage and generality speak of nodes, which makes
the model far smaller than one constraint per clause and atom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from logicoder.problem.model import Inclusion, Problem

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

RELAXABLE = ("bottleneck", "generality", "reconstruction")
"""The constraint families that can be left out, to find out which of them makes a problem infeasible.

The fourth, the connection between encoders and decoders, is the meaning of the variables.
"""


class Structure:
    """What all models of one problem share: decoders by node, and coverage in terms of nodes.

    Args:
        problem: what to choose from.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        covers: list[list[int]] = [[] for _ in problem.decoders]
        for number, item in enumerate(problem.classes):
            for decoder in item.decoders:
                covers[decoder].append(number)
        groups: dict[tuple[int, ...], int] = {}
        node_of = [groups.setdefault(tuple(covered), len(groups)) for covered in covers]
        self.members: list[list[int]] = [[] for _ in groups]
        for decoder, node in enumerate(node_of):
            self.members[node].append(decoder)
        self.coverage = [tuple(sorted({node_of[d] for d in item.decoders})) for item in problem.classes]


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
        self.loss = self._coverage()
        self.size = sum(
            (problem.encoders[i].weight + problem.encoders[i].literals) * e for i, e in self.encoders.items()
        ) + sum(problem.decoders[i].literals * d for i, d in self.decoders.items())
        if "bottleneck" not in left_out:
            for constraint in problem.bottlenecks:
                terms = [constraint.coefficients[i] * encoder for i, encoder in self.encoders.items()]
                self.cp.add(sum(terms) <= constraint.bound)
        if "generality" not in left_out:
            if problem.decoder_generality is not None:
                self._ladder(problem.decoder_generality, self.decoders)
            if problem.encoder_generality is not None:
                self._ladder(problem.encoder_generality, self.encoders)
        if "reconstruction" not in left_out:
            for requirement in problem.requirements:
                self.cp.add_bool_or([self.decoders[d] for d in requirement.decoders if d in self.decoders])

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

    def _coverage(self) -> Any:
        """Return the loss. One-sided clauses suffice, since it is minimised."""
        terms: list[Any] = []
        constant = self.problem.unreachable
        for item, numbers in zip(self.problem.classes, self.structure.coverage, strict=True):
            nodes = [self._node_variables[n] for n in numbers if n in self._node_variables]
            if not nodes:
                constant += item.weight if item.true else 0
            elif len(nodes) == 1:
                terms.append(item.weight * (1 - nodes[0]) if item.true else item.weight * nodes[0])
            else:
                mistake = self.cp.new_bool_var("")
                if item.true:
                    self.cp.add_bool_or([*nodes, mistake])
                else:
                    for node in nodes:
                        self.cp.add_implication(node, mistake)
                terms.append(item.weight * mistake)
        return sum(terms) + constant

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
