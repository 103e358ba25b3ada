"""Candidates as rules, many of them grounded together by clingo; a body is shared by all its targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engines.question import Answer, Engine, Question, Tables


def _atom(name: str, variables: Sequence[int]) -> str:
    return f"{name}({','.join(f'V{v}' for v in variables)})"


def rules_of(number: int, question: Question) -> str:
    """Return the rules of a question: d<number> for derived atoms, t<number>_<target> for true ones.

    >>> from engines.question import Literal
    >>> rules_of(0, Question((0,), ((Literal("p", (0, 1)),),), ("q",)))
    'd0(V0) :- p(V0,V1). t0_0(V0) :- d0(V0), q(V0).'
    """
    head = _atom(f"d{number}", question.head)
    rules = [
        f"{head} :- {', '.join(_atom(literal.table, literal.variables) for literal in body)}."
        for body in question.bodies
    ]
    for place, target in enumerate(question.targets):
        true = _atom(f"t{number}_{place}", question.head)
        rules.append(f"{true} :- {head}, {_atom(target, question.head)}.")
    return " ".join(rules)


class ClingoGrounding(Engine):
    """Grounding; nothing is left to be solved. Counting the atoms is not timed."""

    name = "clingo, bodies shared"
    light = 100
    heavy = 1

    def load(self, tables: Tables) -> None:
        """Keep the facts as text; each batch has a grounder of its own, which takes them in untimed."""
        self.facts = {
            name: "".join(f"{name}({','.join(map(str, row))})." for row in np.column_stack(columns).tolist())
            for name, columns in tables.items()
        }

    def prepare(self, questions: Sequence[Question]) -> Any:
        """Return a grounder that knows the facts and has parsed the rules."""
        import clingo  # noqa: PLC0415  (only where it is installed)

        control = clingo.Control(["--warn=none"])
        used = {literal.table for q in questions for body in q.bodies for literal in body}
        used |= {target for q in questions for target in q.targets}
        control.add("facts", [], "".join(self.facts[name] for name in sorted(used)))
        control.ground([("facts", [])])
        control.add("rules", [], "\n".join(rules_of(i, question) for i, question in enumerate(questions)))
        return control

    def run(self, prepared: Any) -> Any:
        """Ground the rules."""
        prepared.ground([("rules", [])])
        return prepared

    def answers(self, questions: Sequence[Question], found: Any) -> list[Answer]:
        """Count the atoms of each predicate."""

        def count(name: str, arity: int) -> int:
            return sum(1 for _ in found.symbolic_atoms.by_signature(name, arity))

        return [
            Answer(
                count(f"d{i}", len(q.head)),
                tuple(count(f"t{i}_{place}", len(q.head)) for place in range(len(q.targets))),
            )
            for i, q in enumerate(questions)
        ]
