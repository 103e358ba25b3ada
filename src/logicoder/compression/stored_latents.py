"""Latent predicates with tables of their own: what several predicates, or several rows, say again and again.

`country(X,B)` follows from `city(X,A)` once it is known which city is in which country. The table that tells
it, `of(A,B) :- city(X,A), country(X,B)`, follows from the data; said first, it makes `country` needless. So
a wide table falls apart into a core and tables of columns that tell others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct
from logicoder.compression.definitions import relation_of
from logicoder.compression.goals import Goal, table_cost
from logicoder.compression.plan import Definition
from logicoder.compression.ways import Choice
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.shared_columns import (
    Dependency,
    SharedRows,
    dependencies,
    shared_rows,
)
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.latent_names import latent_names
from logicoder.logic.rules import UNEQUAL, Literal, Rule, literal

_FOR_EACH = {1: 2, 2: 1}
"""Rules with tables that are tried for each head, by how many columns tell: two together come on top."""

_MUCH_BETTER = 0.1
"""How much more of what a head takes two columns must save together than one does, or rules do."""

_MOST = 40
"""Tables that are tried in all."""

_FLAGS = 6.0
"""About what it takes to say how a table is said."""

Use = tuple[str, Rule]
"""A head, and a rule for it."""


@dataclass(frozen=True)
class StoredLatents:
    """Latent predicates that may be stored, and what they may be of use for.

    Attributes:
        definitions: what they follow from.
        relations: their facts.
        uses: rules with them.
    """

    definitions: tuple[Definition, ...] = ()
    relations: Mapping[str, Relation] = field(default_factory=dict)
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True)
class _Suggested:
    """Tables that serve one rule.

    Attributes:
        saved: what they save, about.
        head: the predicate that they serve.
        rule: the rule, with the place of a table among `tables` instead of its name.
        tables: the definitions.
        telling: how many columns tell together.
    """

    saved: float
    head: str
    rule: Rule
    tables: tuple[Rule, ...]
    telling: int = 1


def stored_latents(
    tables: RuleTables,
    spaces: Mapping[str, Space],
    choices: Mapping[str, Choice],
    goal: Goal,
    effort: Effort,
) -> Iterator[StoredLatents]:
    """Iterate over sets of latent predicates that may pay for their tables.

    Columns that tell others alone come first. With those that do so together they are a second set: a search
    among more tables does not always end better.

    Args:
        tables: the facts of the data.
        spaces: for each predicate that is to be said, its atoms.
        choices: how it is said without latent predicates.
        goal: what is to be small.
        effort: what it may cost.
    """
    found = [
        *_of_columns(tables, spaces, goal, effort),
        *_of_rows(tables, spaces, goal, effort),
        *_of_values(tables, spaces, goal),
    ]
    # What rules without any table save already is no merit of a table.
    saved = {name: table_cost(goal, space) - choices[name].cost for name, space in spaces.items()}
    found = [one for one in found if one.saved > saved[one.head]]
    # Two columns fit whatever there is by chance: they must be much better than one.
    simple = dict(saved)
    for one in found:
        if one.telling == 1:
            simple[one.head] = max(simple[one.head], one.saved)
    alone = [one for one in found if one.telling == 1]
    yield _worthwhile(alone, saved, tables, choices, effort)
    together = [
        one
        for one in found
        if one.telling > 1
        and one.saved > simple[one.head] + _MUCH_BETTER * table_cost(goal, spaces[one.head])
    ]
    if together:
        yield _worthwhile([*alone, *together], saved, tables, choices, effort)


def _worthwhile(
    found: list[_Suggested],
    saved: Mapping[str, float],
    tables: RuleTables,
    choices: Mapping[str, Choice],
    effort: Effort,
) -> StoredLatents:
    """Return the best of some latent predicates; none where all of them together save too little."""
    gains: dict[str, float] = {}
    for one in found:
        gains[one.head] = max(gains.get(one.head, 0.0), one.saved - saved[one.head])
    if sum(gains.values()) < effort.patience * sum(choice.cost for choice in choices.values()):
        return StoredLatents()  # not worth another search
    found.sort(key=lambda one: (-one.saved, one.head, one.rule))
    chosen: list[_Suggested] = []
    kept: dict[Rule, None] = {}
    times: Counter[tuple[str, int]] = Counter()
    for one in found:
        key = one.head, one.telling
        if times[key] < _FOR_EACH[one.telling] and len(kept.keys() | set(one.tables)) <= _MOST:
            times[key] += 1
            kept |= dict.fromkeys(one.tables)
            chosen.append(one)
    named = _named(list(kept), tables)
    relations = {}
    known = {name: tables.relation(name) for name in tables.names}
    for definition in named.values():
        try:
            relation = relation_of(definition, tables.database, known, effort)
        except JoinTooLargeError:
            continue
        relations[definition.name] = relation
    definitions = tuple(d for d in named.values() if d.name in relations)
    usable = {rule: d.name for rule, d in named.items() if d.name in relations}
    uses = [
        (one.head, _with_names(one.rule, [usable[rule] for rule in one.tables]))
        for one in chosen
        if all(rule in usable for rule in one.tables)
    ]
    return StoredLatents(definitions, relations, tuple(uses))


def _named(rules: Sequence[Rule], tables: RuleTables) -> dict[Rule, Definition]:
    # That values occur twice is no part of a name.
    short = [replace(rule, body=rule.body[: len(rule.head)]) for rule in rules]
    texts = [tuple(Definition("latent", (rule,)).clauses()) for rule in short]
    names = latent_names(texts, tables.names)
    return {rule: Definition(name, (rule,), stored=True) for rule, name in zip(rules, names, strict=True)}


def _with_names(rule: Rule, names: Sequence[str]) -> Rule:
    body = tuple(
        Literal(names[int(item.predicate[1:])], item.arguments) if item.predicate[0] == "\n" else item
        for item in rule.body
    )
    return Rule(rule.head, body)


def _table(number: int, arguments: tuple[int | str, ...]) -> Literal:
    """Return a literal of the table of some number, which has no name yet."""
    return Literal(f"\n{number}", arguments)


@dataclass(frozen=True)
class _Table:
    """A table before it is made: entities and values of its columns, and its facts."""

    sizes: tuple[int, ...]
    values: tuple[int, ...]
    facts: int

    def cost(self, goal: Goal) -> float:
        """Return about what it takes to say it, within types or within domains of its own."""
        within = prod(self.values)
        facts = min(self.facts, within)
        own = float(goal.rest(within, facts))
        own += sum(float(goal.rest(size, k)) for size, k in zip(self.sizes, self.values, strict=True))
        return min(own, float(goal.rest(prod(self.sizes), facts))) + _FLAGS + 4 * goal.literal


def _saved(goal: Goal, space: Space, derived: int, true: int, tables: Sequence[_Table]) -> float:
    """Return what a rule and its tables save; with the rule, domains of the head may be needless."""
    true = min(true, space.facts)
    left = space.facts - true
    costs = []
    for atoms, options, frame in (
        (space.atoms, space.options, goal.frame(space)),
        (prod(space.sizes), 0, 0.0),
    ):
        among = max(true, min(derived, atoms - left))
        rest = float(goal.rest(atoms - among, left, options))
        costs.append(frame + float(goal.layer(among, true)) + rest)
    return table_cost(goal, space) - min(costs) - sum(table.cost(goal) for table in tables)


# -- columns of several predicates ----------------------------------------------------------------------


def _of_columns(
    tables: RuleTables, spaces: Mapping[str, Space], goal: Goal, effort: Effort
) -> Iterator[_Suggested]:
    """Iterate over tables of values that two or three predicates have of the same things."""
    heads = [
        name
        for name, space in spaces.items()
        if space.packed and len(space.types) == 2 and not space.symmetric
    ]
    best: dict[tuple[str, ...], _Suggested] = {}
    for shared in shared_rows(tables, heads, effort):
        head = shared.head.predicate
        space = spaces[head]
        sizes = tuple(view.matrix.shape[1] for view in (*shared.told, shared.head))
        table = _Table(sizes, shared.values, shared.facts)
        saved = _saved(goal, space, shared.derived, shared.true, [table])
        if saved > 0:
            one = _Suggested(saved, head, *_shared_rule(shared), len(shared.told))
            key = head, *(view.predicate for view in shared.told)
            if key not in best or saved > best[key].saved:
                best[key] = one
    yield from best.values()


def _shared_rule(shared: SharedRows) -> tuple[Rule, tuple[Rule, ...]]:
    """Return the rule and the definition of its table, whose columns are in the order of predicates."""
    head = shared.head
    row, value = head.columns  # the places of the head's variables are 0 and 1, as they stand in it
    views = sorted((*shared.told, head), key=lambda view: (view.predicate, view.columns))
    telling = [view for view in views if view is not head]
    body, fresh = [], 2 + len(telling)
    for place, view in enumerate(telling):
        made, fresh = view.literal(row, 2 + place, fresh)
        body.append(made)
    body.append(_table(0, tuple(value if view is head else 2 + telling.index(view) for view in views)))
    rule = Rule((0, 1), tuple(body))
    rows, fresh = [len(views)], len(views) + 1
    body = []
    for again in range(shared.support):
        if again:
            rows.append(fresh)
            fresh += 1
        for place, view in enumerate(views):
            made, fresh = view.literal(rows[-1], place, fresh)
            body.append(made)
    if shared.support == 2:
        body.append(Literal(UNEQUAL, tuple(rows)))
    return rule, (Rule(tuple(range(len(views))), tuple(body)),)


# -- columns of one predicate -------------------------------------------------------------------------------


def _of_rows(
    tables: RuleTables, spaces: Mapping[str, Space], goal: Goal, effort: Effort
) -> Iterator[_Suggested]:
    """Iterate over wide tables that fall apart into a core and tables of columns that tell others."""
    for name, space in spaces.items():
        if len(space.types) < 3 or not space.facts:
            continue
        relation = tables.relation(name)
        values = [len(distinct(column)) for column in relation.columns]
        found = list(dependencies(relation, values, space.sizes, effort))
        chosen: list[Dependency] = []
        saved, fan = 0.0, np.ones(len(relation))
        while found and effort.spend(len(found) * len(relation)):
            options = [
                (_apart(goal, space, relation, values, [*chosen, one], fan * one.fan), -place)
                for place, one in enumerate(found)
            ]
            best, place = max(options)
            if best <= saved:
                break
            saved = best
            one = found[-place]
            chosen.append(one)
            fan = fan * one.fan
            found = [other for other in found if other.target != one.target and not _circle(chosen, other)]
        if chosen:
            yield _Suggested(saved, name, *_core_rule(name, relation.arity, chosen))


def _circle(chosen: Sequence[Dependency], other: Dependency) -> bool:
    """Whether a column would tell itself."""
    told_by = {one.target: one.sources for one in chosen}
    waiting = list(other.sources)
    while waiting:
        at = waiting.pop()
        if at == other.target:
            return True
        waiting += told_by.get(at, ())
    return False


def _apart(
    goal: Goal,
    space: Space,
    relation: Relation,
    values: Sequence[int],
    chosen: Sequence[Dependency],
    fan: np.ndarray,
) -> float:
    """Return what a core and some tables save."""
    told = {one.target for one in chosen}
    core = [column for column in range(relation.arity) if column not in told]
    rows, sizes = len(relation), space.sizes
    parts = [_Table(tuple(sizes[c] for c in core), tuple(values[c] for c in core), rows)]
    parts += [
        _Table(tuple(sizes[c] for c in (*one.sources, one.target)), one.values, one.facts) for one in chosen
    ]
    return _saved(goal, space, int(fan.sum()), rows, parts)


def _core_rule(name: str, arity: int, chosen: Sequence[Dependency]) -> tuple[Rule, tuple[Rule, ...]]:
    """Return the rule that joins a core with tables, and the definitions of all of these."""
    told = {one.target for one in chosen}
    parts = [tuple(column for column in range(arity) if column not in told)]
    waiting = list(chosen)
    known = set(parts[0])
    while waiting:  # a column comes after the one that tells it
        one = next(one for one in waiting if known.issuperset(one.sources))
        waiting.remove(one)
        known.add(one.target)
        parts.append((*one.sources, one.target))
    body = tuple(_table(number, part) for number, part in enumerate(parts))
    definitions = []
    for part in parts:
        made, _ = literal(name, arity, {column: place for place, column in enumerate(part)}, len(part))
        definitions.append(Rule(tuple(range(len(part))), (made,)))
    return Rule(tuple(range(arity)), body), tuple(definitions)


# -- values that nearly all have ----------------------------------------------------------------------------


def _of_values(tables: RuleTables, spaces: Mapping[str, Space], goal: Goal) -> Iterator[_Suggested]:
    """Iterate over predicates most of whose things have the same value: what has any is the table."""
    database = tables.database
    for name, space in spaces.items():
        if not space.packed or len(space.types) != 2 or space.symmetric:
            continue
        columns = key_columns(space.keys, space.sizes)
        for place, kind in enumerate(space.types):
            symbols, counts = np.unique(database.symbol_of[kind][columns[place]], return_counts=True)
            own = len(distinct(columns[1 - place]))
            true = int(counts.max(initial=0))
            saved = _saved(goal, space, own, true, [_Table((space.sizes[1 - place],), (own,), own)])
            if 2 * true > own and saved > 0:
                symbol = database.symbols[symbols[counts.argmax()]]
                head: tuple[int | str, ...] = (symbol, 0) if place == 0 else (0, symbol)
                both = (1, 0) if place == 0 else (0, 1)
                yield _Suggested(
                    saved, name, Rule(head, (_table(0, (0,)),)), (Rule((0,), (Literal(name, both),)),)
                )
