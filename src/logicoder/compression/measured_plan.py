"""What a plan comes to on data: its choices with all counts, as a search would have found them."""

from __future__ import annotations

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct, union
from logicoder.compression.codec import form_of
from logicoder.compression.definitions import with_definitions
from logicoder.compression.domains import Taken
from logicoder.compression.goals import Goal
from logicoder.compression.message import Message
from logicoder.compression.plan import Step
from logicoder.compression.ways import Choice, Layer, with_cost
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.closed_forms import closure_of
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, SpacesOf

_NOTHING = np.empty(0, np.int64)


def measured(message: Message, goal: Goal) -> tuple[dict[str, Choice], dict[str, Taken]] | None:
    """Return the choices of a plan on data, and where domains are taken from; None where joins are too large.

    Args:
        message: the plan and the data.
        goal: what choices cost.
    """
    database = message.database
    effort = Effort.of(database.kb.size, len(database.symbols))
    known = with_definitions(message.said, message.plan.latents, database)
    choices, taken = {}, {}
    for step in message.plan:
        tables = RuleTables(database, {name: known[name] for name in {step.predicate, *step.needs}})
        try:
            choice = _choice(step, database, tables, goal, effort)
        except JoinTooLargeError:
            choice = None
        if choice is None:
            return None
        choices[step.predicate] = choice
        taken[step.predicate] = tuple((d.place, *d.within) for d in step.domains if d.within is not None)
    return choices, taken


def _choice(step: Step, database: Database, tables: RuleTables, goal: Goal, effort: Effort) -> Choice | None:
    spaces = SpacesOf(database, step.predicate, tables.relation(step.predicate))
    space = spaces.space(step.told, apart=step.apart, symmetric=step.paired)
    atoms = [space.within(tables.atoms(space.types, rule, effort)) for rule in step.seeds]
    form = form_of(step, tables)
    if form is None:
        choice = Choice(space, step.form, 0.0, _layers(space, step, atoms), None, step.mentioned)
    else:
        closure = closure_of(space, form, distinct(np.concatenate([_NOTHING, *atoms])))
        if closure is None:
            return None
        layers = tuple(Layer((rule,), closure.given, 0, 0.0) for rule in step.rules)
        choice = Choice(space, step.form, 0.0, layers, closure, step.mentioned)
    return with_cost(goal, choice)


def _layers(space: Space, step: Step, atoms: list[Keys]) -> tuple[Layer, ...]:
    covered = space.keys[:0]
    found = []
    waiting = iter(atoms)
    for layer in step.layers:
        own = distinct(np.concatenate([next(waiting) for _ in layer]))
        fresh = np.setdiff1d(own, covered, assume_unique=True)
        covered = union(covered, fresh)
        found.append(Layer(layer, len(fresh), int(space.true(fresh).sum()), 0.0))
    return tuple(found)
