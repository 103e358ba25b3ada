"""Writing networks as `.mln` files: declarations, domains, then one clause per line."""

from __future__ import annotations

import math
from collections.abc import Iterable

from logicoder.base.errors import UsageError
from logicoder.kb.formats.alchemy.declarations import schema_text
from logicoder.kb.schema import Schema
from logicoder.mln.alchemy.notation import clause_text, constant_in_formula
from logicoder.mln.formulas import Formula


def network_text(schema: Schema, formulas: Iterable[Formula]) -> str:
    """Return the text of a network; weights have all their digits, and constants one notation everywhere."""
    declarations = schema_text(schema, constant_in_formula)
    lines = [formula_text(formula) for formula in formulas]
    return "\n".join([declarations, *lines] if lines else [declarations.rstrip()])


def formula_text(formula: Formula) -> str:
    """Return the line of a formula.

    >>> print(formula_text(Formula.parse("0.1 smokes(x) => cancer(x)")))
    0.1 !smokes(x) v cancer(x)
    """
    text = clause_text(formula.literals)
    if not text:
        raise UsageError("a formula without literals cannot be written")
    if formula.hard:
        return f"{text}."
    if not math.isfinite(formula.weight):
        raise UsageError(
            f"the weight {formula.weight} of {text} cannot be written; a formula that always holds is hard"
        )
    return f"{formula.weight!r} {text}"
