"""What a message means, in sentences with exact counts: what follows from what, and what is kept.

Every sentence has the clauses that it is about, how often it holds on the data at hand, some of the atoms
where it does not, and the bits that it saves. They come in the order of these bits; what concerns the data
alone (functions, keys) comes after them, and what nothing explains last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from logicoder.autoencoder.counted_facts import Counted, CountedFacts, Followed, Included
from logicoder.autoencoder.insight_words import DETERMINED, NARROWED, USUALLY, WHERE, in_words, meaning
from logicoder.base.errors import UsageError
from logicoder.compression.goals import Bits, table_cost
from logicoder.compression.measured_plan import measured
from logicoder.compression.message import Message
from logicoder.compression.plan import Definition, Plan
from logicoder.compression.plan_programs import decodes
from logicoder.compression.ways import Choice, Layer
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.gloss import gloss
from logicoder.logic.rules import UNEQUAL, Literal, clause_of
from logicoder.logic.symbols import atom_text, value_of
from logicoder.logic.terms import Clause

_LEAST = 5
"""Facts of a predicate from which on it is said to be a function."""

_EACH = " X has one Y."

_SURE = 10
"""Facts beside one atom that is not a fact, from which on a value is said to be determined."""

_NEARLY = 0.9
"""The share of facts from which on a predicate nearly follows, if as few derived atoms are no facts."""

_FORMS = {
    "symmetric": "is symmetric",
    "transitive": "is transitive",
    "equivalence": "is an equivalence",
}


@dataclass(frozen=True)
class Insight:
    """One sentence.

    Attributes:
        kind: `redundant`, `nearly`, `partly`, `closed`, `shorthand`, `function`, `key`, `constant`,
            `within` or `kept`.
        predicate: what it is about.
        text: the sentence.
        bits: what this saves; 0 where it saves nothing by itself.
        holds: how often it holds.
        total: of how many.
        clauses: the clauses behind it.
        underived: some facts that the clauses do not derive.
        false: some atoms that the clauses derive but that are no facts.
    """

    kind: str
    predicate: str
    text: str
    bits: float = 0.0
    holds: int = 0
    total: int = 0
    clauses: tuple[str, ...] = ()
    underived: tuple[str, ...] = ()
    false: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def exceptions(self) -> dict[str, tuple[str, ...]]:
        """Some atoms where it does not hold, by what is the matter with them."""
        return {"not derived": self.underived, "derived, but not a fact": self.false}


@dataclass(frozen=True)
class Insights:
    """Sentences, those that save most first.

    Attributes:
        rows: the sentences.
        bits: of the message.
        plain_bits: of the plain facts.
    """

    rows: tuple[Insight, ...]
    bits: float
    plain_bits: float

    @property
    def findings(self) -> tuple[Insight, ...]:
        """The sentences about what follows from what, those that save most first."""
        return self.of("redundant", "nearly", "partly", "closed", "shorthand")

    def of(self, *kinds: str) -> tuple[Insight, ...]:
        """Return the sentences of some kinds."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "bits": round(self.bits, 3),
            "plain_bits": round(self.plain_bits, 3),
            "insights": [asdict(row) for row in self.rows],
        }

    def __iter__(self) -> Iterator[Insight]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))


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
    told += [row for latent in plan.latents for row in _shorthand(latent, choices)]
    told.sort(key=lambda row: (-row.bits, row.predicate))
    told += _of_all_data(facts)
    told += (_inclusion(found, facts.attributes) for found in facts.included(_LEAST))
    constant = {row.predicate for row in told if row.kind == "constant"}
    kept = [
        name
        for name in sorted(choices.keys() - constant)
        if facts.count(name) and not _decoding(choices[name]) and not _closed(choices[name])
    ]
    if kept:
        names = ", ".join(map(atom_text, kept))
        told.append(Insight("kept", kept[0], f"Kept, because nothing explains it: {names}.", clauses=()))
    return Insights(tuple(told), bits, plain_bits)


def _decoding(choice: Choice) -> list[Layer]:
    return [layer for layer in choice.layers if decodes(choice, layer)]


def _closed(choice: Choice) -> bool:
    return choice.closure is not None or choice.form == "symmetric"


def _of_choice(name: str, choice: Choice, goal: Bits, facts: Counted, plan: Plan) -> Iterator[Insight]:
    """Iterate over what is to be said of a predicate that is not simply kept."""
    layers = _decoding(choice)
    clauses = [clause_of(name, rule.head, rule.body) for layer in layers for rule in layer.rules]
    saved = max(0.0, table_cost(goal, choice.space) - choice.cost)
    if _closed(choice):
        false = facts.followed(name, _both_ways(name, choice), plan).wrong if choice.closure is None else 0
        yield _closure(name, choice, clauses, saved, facts.count(name), false)
    elif clauses:
        tables = {latent.name: latent for latent in plan.latents}
        found = facts.followed(name, clauses, plan)
        known = in_words(clauses, tables, facts.attributes, facts.ranges)
        if known.startswith(DETERMINED) and _SURE * found.wrong > found.holds:
            known = known.replace(DETERMINED, NARROWED)
        shown = f"The range of {atom_text(name)}" if known and name in facts.ranges else atom_text(name)
        yield _following(name, shown, clauses, known, saved, found)


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
    if choice.closure is not None:
        base, false = choice.closure.base, choice.closure.false
    else:
        base = choice.space.facts - sum(layer.true for layer in _decoding(choice))
    text = f"{atom_text(name)} {_FORMS.get(choice.form, 'extends step by step')}: "
    if clauses:
        text += f"{_if(clauses)}; "
    said = f"{base:,} of its {facts:,} facts determine the others"
    text += said if base else f"that says all {facts:,} facts"
    text += f", except for {false:,} that would be false." if false else "."
    return Insight("closed", name, text, saved, facts - base, facts, tuple(map(str, clauses)))


def _following(
    name: str, shown: str, clauses: Sequence[Clause], known: str, saved: float, found: Followed
) -> Insight:
    """Return the sentence about a predicate that follows from others."""
    holds, facts, wrong = found.holds, found.facts, found.wrong
    more = f", and it gives {wrong:,} that {'is not a fact' if wrong == 1 else 'are not facts'}"
    counts = f"{holds:,} of {facts:,}" + (more if wrong else "")
    exactly = holds == facts and not wrong
    near = holds >= _NEARLY * facts and wrong <= (1 - _NEARLY) * facts
    kind = "redundant" if exactly else "nearly" if near else "partly"
    share = "Most" if 2 * holds > facts else "A part"
    inner = shown[0].lower() + shown[1:] if shown.startswith("The ") else shown
    if known.startswith((NARROWED, USUALLY)) and WHERE not in known:
        text = f"{shown} is {known}"
    elif kind == "partly" and WHERE in known:
        text = f"{share} of {inner} follows: {known}"
    elif kind == "partly" and (share == "A part" or not known):
        text = f"{share} of {inner} follows: {_if(clauses)}"
    elif known and len(clauses[0].head.arguments) == 1:
        text = f"{shown} holds {'exactly' if exactly else 'mostly'} where {known}"
    elif known:
        besides = "" if exactly else ", with exceptions,"
        text = f"{shown} is{besides} {known}"
    else:
        text = f"{shown} {'is redundant' if exactly else 'nearly follows'}: {_if(clauses)}"
    text = f"{text}: {counts}."
    return Insight(
        kind, name, text, saved, holds, facts, tuple(map(str, clauses)), found.underived, found.false
    )


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


def _inclusion(found: Included, things: Mapping[str, str]) -> Insight:
    """Return the sentence about a place all of whose values stand at another place, too."""
    name, place, other, column, own, size = found
    if other in things and column == 0:
        whose = f"with {atom_text(name)}" if place == 0 else f"that {atom_text(name)} names"
        text = f"Every {atom_text(things[other])} {whose} has {atom_text(other)}, too: {own:,} of {own:,}."
        return Insight("within", name, text, 0.0, own, own)
    first, second = (f"argument {i + 1} of {atom_text(n)}" for n, i in ((name, place), (other, column)))
    text = f"Every value of {first} is one of {second}: {own:,} of its {size:,} values."
    return Insight("within", name, text, 0.0, own, size)


def _of_all_data(counted: Counted) -> Iterator[Insight]:
    """Iterate over what holds of the data by themselves; what the keys of tables make so, in one sentence."""
    expected: list[Insight] = []
    for name in counted.learnable:
        for row in _of_data(counted, name):
            if name in counted.attributes and row.kind == "function" and row.text.endswith(_EACH):
                expected.append(row)
            else:
                yield row
    if expected:
        names = ", ".join(atom_text(row.predicate) for row in expected)
        text = f"By the keys of their tables, each X has one Y: {names}."
        facts = sum(row.total for row in expected)
        yield Insight("function", expected[0].predicate, text, 0.0, facts, facts)


def _of_data(counted: Counted, name: str) -> Iterator[Insight]:
    """Iterate over what holds of the facts of a predicate by themselves: functions and keys."""
    arity, facts = counted.arity(name), counted.count(name)
    if arity < 2 or facts < _LEAST:
        return
    for place in range(arity):
        if counted.distinct(name, [place]) == 1:
            what = (
                atom_text(name)
                if name in counted.attributes
                else f"Argument {place + 1} of {atom_text(name)}"
            )
            text = f"{what} is always {value_of(counted.value(name, place))}: {facts:,} of {facts:,}."
            yield Insight("constant", name, text, 0.0, facts, facts)
    single = [place for place in range(arity) if counted.distinct(name, [place]) == facts]
    shown = atom_text(name)
    if arity > 2:
        for place in single:
            text = f"Argument {place + 1} of {shown} is a key: no two of its {facts:,} facts share a value."
            yield Insight("key", name, text, 0.0, facts, facts)
        for pair in combinations(sorted(set(range(arity)) - set(single)), 2):
            if counted.distinct(name, pair) == facts:
                both = " and ".join(str(place + 1) for place in pair)
                text = f"Arguments {both} of {shown} are a key: no two of its {facts:,} facts share them."
                yield Insight("key", name, text, 0.0, facts, facts)
    elif single == [0, 1]:
        yield Insight("function", name, f"{shown} pairs {facts:,} values one to one.", 0.0, facts, facts)
    elif single:
        each = _EACH if single == [0] else " Y has one X."
        text = f"{shown}(X,Y) is a function: each of {facts:,}{each}"
        yield Insight("function", name, text, 0.0, facts, facts)
