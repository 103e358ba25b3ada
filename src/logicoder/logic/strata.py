"""Strata of a program: which predicates are evaluated together, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError

if TYPE_CHECKING:
    from logicoder.logic.terms import Program


def strata(program: Program) -> list[set[str]]:
    """Return the defined predicates in the order of evaluation, mutually recursive ones together."""
    defined = set(program.defined())
    uses: dict[str, set[str]] = {name: set() for name in program.defined()}
    for clause in program:
        uses[clause.head.predicate] |= clause.body_predicates() & defined
    order = _components(uses)
    for component in order:
        for clause in program:
            if clause.head.predicate in component:
                for literal in clause.literals():
                    if not literal.positive and literal.atom.predicate in component:
                        raise InputError(
                            f"in the clause {clause}\n  {literal.atom.predicate} depends on its own negation"
                        )
    return order


def _components(uses: Mapping[str, set[str]]) -> list[set[str]]:
    """Tarjan's strongly connected components, what is used first coming first; without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []
    for root in uses:
        if root in index:
            continue
        work = [(root, iter(sorted(uses[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, successors = work[-1]
            for following in successors:
                if following not in index:
                    index[following] = low[following] = len(index)
                    stack.append(following)
                    work.append((following, iter(sorted(uses[following]))))
                    break
                if following in stack:
                    low[node] = min(low[node], index[following])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while True:
                        member = stack.pop()
                        component.add(member)
                        if member == node:
                            break
                    found.append(component)
    return found
