"""What a message means, in sentences with exact counts: what follows from what, and what is kept.

Every sentence has the clauses that it is about, how often it holds on the data at hand, some of the atoms
where it does not, and the bits that it saves. They come in the order of these bits; what concerns the data
alone (functions, keys) comes after them, and what nothing explains last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from logicoder.autoencoder.case_words import GOING, USUALLY, WHERE, value_words
from logicoder.autoencoder.counted_facts import Counted, CountedFacts, Followed
from logicoder.autoencoder.insight import Insight, Insights
from logicoder.autoencoder.insight_words import (
    DETERMINED,
    NARROWED,
    in_common,
    in_words,
    meaning,
)
from logicoder.autoencoder.insights_of_data import of_data, of_dependency
from logicoder.autoencoder.told_clauses import (
    among,
    spelled_out,
    within_domains,
    without_domains,
    without_needless,
    without_special_cases,
)
from logicoder.base.errors import UsageError
from logicoder.compression.goals import Bits, Goal, table_cost
from logicoder.compression.measured_plan import measured
from logicoder.compression.message import Message
from logicoder.compression.plan import Definition, Plan
from logicoder.compression.plan_programs import LEAST_FALSE, decodes
from logicoder.compression.ways import Choice, Layer
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.gloss import gloss
from logicoder.logic.parser import parse_clause
from logicoder.logic.rules import UNEQUAL, Literal, clause_of
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Clause, Constant

_SURE = 10
"""Facts beside one atom that is not a fact, from which on a value is said to be determined."""

_NEARLY = 0.9
"""The share of facts from which on a predicate nearly follows, if as few derived atoms are no facts."""

_NARROWER = 0.5
"""The share of possible atoms up to which a clause narrows down where facts are."""

_FORMS = {
    "symmetric": "is symmetric",
    "transitive": "is transitive",
    "equivalence": "is an equivalence",
}


def insights_of(plan: Plan | None, kb: KnowledgeBase) -> Insights:
    """Return what a plan says about data.

    Args:
        plan: how the data are said in few bits.
        kb: the data, background included; they need not be those that the plan was learned from.
    """
    message = Message.of(required(plan), kb)
    goal = Bits(message.code)
    found = measured(message, goal)
    if found is None:
        raise UsageError("clauses or closures of this model derive too much on this data")
    choices = {name: choice for name, choice in found[0].items() if name in kb.schema}
    bits = message.bits, message.plain_bits
    return insights_in(message.plan, choices, goal, CountedFacts(message.database), *bits)


def required(plan: Plan | None) -> Plan:
    """Return a plan, which there must be."""
    if plan is None:
        raise UsageError("only models learned by description length have insights")
    return plan


def insights_in(
    plan: Plan, choices: Mapping[str, Choice], goal: Bits, facts: Counted, bits: float, plain_bits: float
) -> Insights:
    """Return what choices of a plan say about facts.

    Args:
        plan: how the data are said.
        choices: how each predicate of the data is said, with counts.
        goal: what that costs.
        facts: counts about the data.
        bits: of the message.
        plain_bits: of the plain facts.
    """
    told = [row for name, choice in choices.items() for row in _of_choice(name, choice, goal, facts, plan)]
    listed = {clause for row in told for clause in row.clauses}
    told += [
        row
        for latent in plan.latents
        for row in _shorthand(latent, choices)
        if not listed.issuperset(row.clauses)
    ]
    told.sort(key=lambda row: (-row.bits, row.predicate))
    explained = {row.predicate for row in told if row.kind in ("redundant", "nearly", "closed")}
    told += _of_columns(facts, told, explained, choices.keys())
    told += of_data(facts)
    explained = {row.predicate for row in told if row.kind in ("constant", "among", "determined")}
    kept = [
        name
        for name in sorted(choices.keys() - explained)
        if facts.count(name) and not _decoding(choices[name]) and not _closed(choices[name])
    ]
    if kept:
        it, names = "them" if len(kept) > 1 else "it", ", ".join(map(atom_text, kept))
        told.append(Insight("kept", kept[0], f"Kept, because nothing explains {it}: {names}.", clauses=()))
    return Insights(tuple(told), bits, plain_bits)


def _of_columns(
    facts: Counted, told: Sequence[Insight], explained: Set[str], names: Set[str]
) -> Iterator[Insight]:
    """Iterate over columns that others determine, unless that is said already, be it the other way round."""
    paired: dict[Set[str], int] = {}
    for row in told:
        read = {name for text in row.clauses for name in parse_clause(text).body_predicates()}
        paired[frozenset((row.predicate, *(read & names)))] = row.holds
    for own in sorted(facts.dependencies().values(), key=lambda own: -own.bits):
        pair = frozenset((own.predicate, own.by))
        if explained.isdisjoint(pair) and paired.get(pair, 0) < own.holds:
            paired[pair] = own.holds
            yield of_dependency(own, facts)


def _decoding(choice: Choice) -> list[Layer]:
    return [layer for layer in choice.layers if decodes(choice, layer)]


def _closed(choice: Choice) -> bool:
    return choice.closure is not None or choice.form == "symmetric"


def _of_choice(name: str, choice: Choice, goal: Bits, facts: Counted, plan: Plan) -> Iterator[Insight]:
    """Iterate over what is to be said of a predicate that is not simply kept."""
    clauses = _clauses(name, _decoding(choice), choice, facts, plan)
    saved = max(0.0, _plain_cost(goal, choice.space) - choice.cost)
    # Clauses that give both p(x,y) and p(y,x) say more than that the relation is symmetric.
    whole = (
        clauses and choice.closure is None and facts.followed(name, clauses, plan).holds == facts.count(name)
    )
    if _closed(choice) and not whole:
        both = [] if choice.closure is not None else _both_ways(name, choice)
        false = within_domains(both, choice.space, facts, plan)[1].wrong if both else 0
        yield _closure(name, choice, clauses, saved, facts.count(name), false)
    elif clauses:
        clauses, found = within_domains(clauses, choice.space, facts, plan)
        told = _told(clauses, found, facts, plan)
        row = _following(name, clauses, told, saved, found, facts)
        # The list of what goes with what is no concept, and what is spelled out needs no name.
        used = {predicate for clause in clauses for predicate in clause.body_predicates()}
        if not any(words in row.text for words in (DETERMINED, NARROWED, GOING, USUALLY)):
            used -= {predicate for clause in told.clauses for predicate in clause.body_predicates()}
        listed = [str(c) for own in plan.latents if own.name in used for c in own.clauses()]
        yield replace(row, clauses=(*row.clauses, *listed))
    else:
        yield from _among(name, choice, saved, facts, plan)


def _plain_cost(goal: Goal, space: Space) -> float:
    """Return what the facts take as a table, both of p(x,y) and p(y,x) where both are facts."""
    if not space.symmetric:
        return table_cost(goal, space)
    ordered = replace(space, one_sided=0)
    return goal.frame(ordered) + float(goal.rest(2 * space.atoms, 2 * space.facts - space.one_sided))


def _clauses(name: str, layers: Sequence[Layer], choice: Choice, facts: Counted, plan: Plan) -> list[Clause]:
    """Return the clauses of layers as the program has them: without p(x,x) where most of that is false."""
    found = []
    for rule in (rule for layer in layers for rule in layer.rules):
        clause = rule.clause(name)
        if choice.space.apart and rule.head == (0, 1) and choice.closure is None:
            different = clause_of(name, rule.head, (*rule.body, Literal(UNEQUAL, rule.head)))
            whole, less = (facts.followed(name, [one], plan) for one in (clause, different))
            false, true = whole.wrong - less.wrong, whole.holds - less.holds
            clause = different if false >= LEAST_FALSE and false > true else clause
        found.append(clause)
    return found


def _among(name: str, choice: Choice, saved: float, facts: Counted, plan: Plan) -> Iterator[Insight]:
    """Iterate over what is to be said of a predicate that clauses do not say, but narrow down."""
    for layer in choice.layers[:1]:
        few = layer.derived <= _NARROWER * choice.space.atoms
        if not few or layer.true < _NEARLY * choice.space.facts or len(layer.rules) > 1:
            continue
        clauses = _clauses(name, [layer], choice, facts, plan)
        found = facts.followed(name, clauses, plan)
        usually = "" if found.holds == found.facts else "mostly "
        path = in_words(clauses, {}, facts.attributes, ())
        shared = in_common(clauses[0], facts.attributes)
        if path and name in facts.attributes:
            text = f"{atom_text(name)} is {usually or 'always '}{path}"
        elif shared:
            said = f"{shared[0].upper()}{shared[1:]}" if name in facts.attributes else ""
            text = said or f"{atom_text(name)}(X,Y) {usually}holds only where {shared}"
            text += ", mostly" if said and usually else ""
        else:
            text = f"{clauses[0].head} {usually}holds only with {gloss(clauses).partition(': ')[2]}"
        text += f": {found.holds:,} of {found.facts:,}, among {found.holds + found.wrong:,} candidates."
        yield Insight(
            "among", name, text, saved, found.holds, found.facts, tuple(map(str, clauses)), found.underived
        )


def _both_ways(name: str, choice: Choice) -> list[Clause]:
    """Return clauses for all that a symmetric relation is said to hold, read from its facts as they are."""
    apart = (Literal(UNEQUAL, (0, 1)),) if choice.space.apart else ()
    rules = [rule for layer in _decoding(choice) for rule in layer.rules]
    clauses = [
        clause_of(name, head, (*rule.body, *apart)) for rule in rules for head in (rule.head, rule.head[::-1])
    ]
    return [*clauses, clause_of(name, (1, 0), (Literal(name, (0, 1)),))]


def _closure(
    name: str, choice: Choice, clauses: Sequence[Clause], saved: float, facts: int, false: int
) -> Insight:
    """Return the sentence about a relation that is closed."""
    missing = 0
    if choice.closure is not None:
        sides = 2 if choice.space.symmetric else 1  # of p(x,y) and p(y,x) one is counted
        base, false, missing = (
            choice.closure.base,
            sides * choice.closure.false,
            sides * choice.closure.missing,
        )
    else:
        base = choice.space.facts - sum(layer.true for layer in _decoding(choice))
    text = f"{atom_text(name)} {_FORMS.get(choice.form, 'extends step by step')}: "
    if clauses:
        text += f"{_if(clauses)}; "
    one = base <= 1
    others = f"{max(0, facts - base - missing):,} others" if missing else "the others"
    said = f"{base:,} of its {facts:,} facts determine{'s' if one else ''} {others}"
    text += (
        said if base else f"that gives {f'{facts - missing:,} of its' if missing else 'all'} {facts:,} facts"
    )
    what = "that is not a fact" if false == 1 else "that are not facts"
    text += f", and {'gives' if one else 'give'} {false:,} {what}." if false else "."
    return Insight("closed", name, text, saved, facts - base - missing, facts, tuple(map(str, clauses)))


class _Told(NamedTuple):
    """Clauses as a sentence has them, what they say in a few words, and which values they are about."""

    clauses: Sequence[Clause]
    known: str
    within: str


def _told(clauses: Sequence[Clause], found: Followed, facts: Counted, plan: Plan) -> _Told:
    """Return what a sentence says of clauses, which holds of what they derive."""
    spelled = without_special_cases(spelled_out(clauses, plan.latents))
    bare, places = without_domains(spelled)
    own = bare if all(body for clause in bare for body in clause.alternatives) else spelled
    within = among(spelled, places, facts.attributes) if own is bare else ""
    tables = {latent.name: latent for latent in plan.latents}
    demanding = without_needless(own, found, facts, plan)
    known = in_words(demanding, tables, facts.attributes, facts.ranges)
    if known.startswith(DETERMINED) and _SURE * found.wrong > found.holds:
        known = known.replace(DETERMINED, NARROWED)
    return _Told(own, known, within)


def _following(
    name: str, derived: Sequence[Clause], told: _Told, saved: float, found: Followed, counted: Counted
) -> Insight:
    """Return the sentence about a predicate that follows from others."""
    (clauses, known, within), things = told, counted.attributes
    by_range = known.startswith((DETERMINED, NARROWED)) and name in counted.ranges
    shown = f"The range of {atom_text(name)}" if by_range else atom_text(name)
    holds, facts, wrong = found.holds, found.facts, found.wrong
    exactly = holds == facts and not wrong
    near = holds >= _NEARLY * facts and wrong <= (1 - _NEARLY) * facts
    kind = "redundant" if exactly else "nearly" if near else "partly"
    share = "All" if holds == facts else "Most" if 2 * holds > facts else "A part"
    follows = "follows" if wrong <= holds else "is among what follows"
    false = found.false
    alone = "" if 2 * holds <= facts else _value_alone(clauses, things)
    usual = (known.startswith(USUALLY) and 2 * holds > facts) or bool(alone)
    one_value = name in things and len(clauses[0].head.arguments) == 2
    counts = f"{holds:,} of {facts:,}" + ("" if usual else _besides(found, one_value=one_value))
    if alone:
        text, false = alone, ()
    elif usual:  # what has another value is among the facts that do not follow
        text, false = f"{shown} is {known}", ()
    elif known.startswith(NARROWED):
        text = f"{shown} is {known}"
    elif kind == "partly" and (WHERE in known or GOING in known):
        text = f"{share} of {atom_text(name)} {follows}: {known}"
    elif kind == "partly" and (2 * holds <= facts or wrong > holds or not known):
        text = f"{share} of {atom_text(name)} {follows}: {_if(clauses)}"
    elif kind != "partly" and len(clauses) == 1 and (shared := in_common(clauses[0], things)):
        text = f"{shown}(X,Y) holds {'exactly' if exactly else 'mostly'} where {shared}"
    elif known and len(clauses[0].head.arguments) == 1:
        text = f"{shown} holds {'exactly' if exactly else 'mostly'} where {known}"
    elif known:
        besides = "" if exactly else ", with exceptions,"
        text = f"{shown} is{besides} {known}"
    else:
        text = f"{shown} {'is redundant' if exactly else 'nearly follows'}: {_if(clauses)}"
    text = f"{text}{within}: {counts}."
    return Insight(kind, name, text, saved, holds, facts, tuple(map(str, derived)), found.underived, false)


def _value_alone(clauses: Sequence[Clause], things: Mapping[str, str]) -> str:
    """Return that a place mostly has one value, if one clause says no more; empty otherwise."""
    head = clauses[0].head
    constants = [(place, a) for place, a in enumerate(head.arguments) if isinstance(a, Constant)]
    bare, places = without_domains(clauses)
    if len(clauses) > 1 or len(constants) != 1 or not places or any(bare[0].alternatives):
        return ""
    ((place, value),) = constants
    own = atom_text(head.predicate)
    whose = own if head.predicate in things and place == 1 else f"Argument {place + 1} of {own}"
    return f"{whose} is {USUALLY}{value_words(value.symbol)}"


def _besides(found: Followed, *, one_value: bool) -> str:
    """Return in words what clauses derive besides facts."""
    if not found.wrong:
        return ""
    if not one_value:
        what = "that is not a fact" if found.wrong == 1 else "that are not facts"
        return f", and it gives {found.wrong:,} {what}"
    other, none = found.wrong - found.elsewhere, found.elsewhere
    said = [f"{other:,} other value{'s' if other > 1 else ''}"] if other else []
    values = "" if other else " value" if none == 1 else " values"
    said += [f"{none:,}{values} where there is none"] if none else []
    return f", and it gives {', and '.join(said)}"


def _if(clauses: Sequence[Clause]) -> str:
    """Return clauses in words: the head once where all have the same."""
    bodies = [gloss([clause]).partition(": ")[2] or str(clause) for clause in clauses]
    if len({clause.head for clause in clauses}) == 1:
        return f"{clauses[0].head}, if {'; or '.join(bodies)}"
    return "; ".join(f"{c.head}, if {body}" for c, body in zip(clauses, bodies, strict=True))


def _shorthand(latent: Definition, choices: Mapping[str, Choice]) -> Iterator[Insight]:
    users = [name for name, choice in choices.items() if latent.name in choice.needs]
    if not users:
        return
    clauses = list(latent.clauses())
    named = ", ".join(map(atom_text, users))
    role = f"a concept behind {named}" if len(users) == 1 else f"a concept that {named} have in common"
    text = f"{atom_text(latent.name)} is {role}: {meaning(clauses) or gloss(clauses)}."
    yield Insight("shorthand", latent.name, text, 0.0, 0, 0, tuple(map(str, clauses)))
