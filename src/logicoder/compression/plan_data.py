"""Plans as plain data, for files: clauses are text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from logicoder.compression.plan import FORMS, Domain, Plan, Step
from logicoder.compression.programs import Base
from logicoder.logic.parser import parse_program
from logicoder.logic.rules import clause_of, rule_of


def plain_plan(plan: Plan) -> list[dict[str, Any]]:
    """Return a plan as plain data."""
    return [
        {
            "predicate": step.predicate,
            "form": step.form,
            "domains": [[domain.place, *(domain.within or ())] for domain in step.domains],
            "layers": [
                [str(clause_of(step.predicate, rule.head, rule.body)) for rule in layer]
                for layer in step.layers
            ],
        }
        for step in plan
    ]


def plan_of_plain(data: Sequence[Mapping[str, Any]]) -> Plan:
    """Return the plan of plain data.

    Raises:
        ValueError: where the data is no plan.
    """
    return Plan(tuple(_step(item) for item in data))


def base_of_plain(item: Mapping[str, Any]) -> Base:
    """Return the base of plain data."""
    return Base(str(item["name"]), str(item["predicate"]), _form(item))


def _form(item: Mapping[str, Any]) -> str:
    form = item["form"]
    if form not in FORMS:
        raise ValueError(f"there is no form {form!r}")
    return str(form)


def _step(item: Mapping[str, Any]) -> Step:
    domains = []
    for place, *within in item["domains"]:
        domains.append(Domain(int(place), (str(within[0]), int(within[1])) if within else None))
    layers = tuple(
        tuple(rule_of(clause) for text in layer for clause in parse_program(str(text), "<plan>"))
        for layer in item["layers"]
    )
    return Step(str(item["predicate"]), _form(item), tuple(domains), layers)
