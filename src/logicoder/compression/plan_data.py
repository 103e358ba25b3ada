"""Plans as plain data, for files: clauses are text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from logicoder.compression.plan import FORMS, Definition, Domain, Plan, Step
from logicoder.compression.programs import Base
from logicoder.logic.parser import parse_program
from logicoder.logic.rules import Rule, clause_of, rule_of


def plain_plan(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain data."""
    return {
        "latents": [
            {"name": d.name, "clauses": _texts(d.name, d.rules), "stored": d.stored} for d in plan.latents
        ],
        "steps": [
            {
                "predicate": step.predicate,
                "form": step.form,
                "domains": [[domain.place, *(domain.within or ())] for domain in step.domains],
                "layers": [_texts(step.predicate, layer) for layer in step.layers],
            }
            for step in plan
        ],
    }


def _texts(predicate: str, rules: Iterable[Rule]) -> list[str]:
    return [str(clause_of(predicate, rule.head, rule.body)) for rule in rules]


def plan_of_plain(data: Mapping[str, Any]) -> Plan:
    """Return the plan of plain data.

    Raises:
        ValueError: where the data is no plan.
    """
    latents = (
        Definition(str(item["name"]), _rules(item["clauses"]), bool(item.get("stored")))
        for item in data["latents"]
    )
    return Plan(tuple(_step(item) for item in data["steps"]), tuple(latents))


def _rules(texts: Iterable[Any]) -> tuple[Rule, ...]:
    return tuple(rule_of(clause) for text in texts for clause in parse_program(str(text), "<plan>"))


def base_of_plain(item: Mapping[str, Any]) -> Base:
    """Return the base of plain data."""
    form = _form(item, ("rest", "recursive", *FORMS))
    return Base(str(item["name"]), str(item["predicate"]), form, str(item.get("clause", "")))


def _form(item: Mapping[str, Any], known: tuple[str, ...] = FORMS) -> str:
    form = item["form"]
    if form not in known:
        raise ValueError(f"there is no form {form!r}")
    return str(form)


def _step(item: Mapping[str, Any]) -> Step:
    domains = []
    for place, *within in item["domains"]:
        domains.append(Domain(int(place), (str(within[0]), int(within[1])) if within else None))
    layers = tuple(_rules(layer) for layer in item["layers"])
    return Step(str(item["predicate"]), _form(item), tuple(domains), layers)
