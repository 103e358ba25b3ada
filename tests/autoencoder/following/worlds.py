"""Random data with random plans: every form, domains, constants, tests, latents, recursion and background."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from logicoder import KnowledgeBase
from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.lossless import encode_losslessly
from logicoder.compression.goals import Bits
from logicoder.compression.measured_plan import measured
from logicoder.compression.message import Message
from logicoder.compression.plan import Definition, Domain, Plan, Step
from logicoder.compression.plan_programs import programs_of_choices
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.rules import rule_of
from logicoder.logic.terms import Clause, Program

SCHEMA = Schema.of(
    Predicate("u", ("t",)),
    Predicate("c", ("t", "k")),
    Predicate("p", ("t", "t")),
    Predicate("q", ("t", "t")),
    Predicate("r", ("t", "t")),
    Predicate("s", ("t", "t", "k")),
)
RULES = """
u(X) :- p(X,_).
u(X) :- q(_,X), \\+ p(X,X).
u(X) :- c(X,k1).
c(X,k1) :- u(X).
c(X,Y) :- s(X,_,Y).
p(X,Y) :- q(Y,X).
p(X,Y) :- q(X,Z), r(Z,Y).
p(X,Y) :- u(X), q(X,Y).
p(X,Y) :- r(X,Y), X \\= Y.
p(X,Y) :- l(X,Y).
q(X,Y) :- p(Y,X).
q(X,Y) :- r(X,Z), r(Y,Z).
q(X,Y) :- u(X), u(Y), X \\= Y.
q(X,Y) :- l(X,Y).
q(X,e1) :- u(X).
r(X,Y) :- p(X,Z), q(Z,Y).
r(X,Y) :- c(X,Z), c(Y,Z).
r(X,Y) :- q(X,Y), \\+ p(X,Y).
s(X,Y,Z) :- p(X,Y), c(X,Z).
s(X,Y,k2) :- r(X,Y).
c(X,Y) :- p(X,Z), n(Z,Y).
r(X,Y) :- m(X,Z), m(Z,Y).
m(X,Y) :- q(Y,X).
n(X,Y) :- c(X,Y).
p(X,Y) :- b(X,Y).
u(X) :- h(X).
"""
RECURSIVE = """
r(X,Y) :- r(X,Z), q(Z,Y).
q(X,Y) :- r(X,Z), q(Z,Y).
p(X,Y) :- p(X,Z), s(Z,Y,_).
c(X,Y) :- q(X,Z), c(Z,Y).
r(X,Y) :- r(X,Z), m(Z,Y).
n(X,Y) :- p(Z,X), n(Z,Y).
m(X,Y) :- m(X,Z), p(Y,Z).
"""
BACKGROUND = Program.parse(
    r"""b(X,Y) :- q(X,Y). b(X,Z) :- q(X,Y), b(Y,Z). g(e0). g(e1).
    h(X) :- g(X), \+ b(X,X). h(X) :- u(X), b(X,_)."""
)
KNOWN = Schema.of(
    *SCHEMA.values(),
    Predicate("b", ("t", "t"), background=True),
    Predicate("g", ("t",), background=True),
    Predicate("h", ("t",), background=True),
)
TYPES = {**{name: own.types for name, own in SCHEMA.items()}, "m": ("t", "t"), "n": ("t", "k")}
FORMS = ("plain", "plain", "apart", "symmetric", "symmetric", "transitive", "equivalence")
PAIRED = ("symmetric", "equivalence")


@cache
def rules(text=RULES):
    """Return candidate rules by predicate."""
    found = {name: [] for name in TYPES}
    for line in text.strip().splitlines():
        clause = Clause.parse(line)
        found[clause.head.predicate].append(rule_of(clause))
    return found


def definition(name, stored, *texts):
    return Definition(name, tuple(rule_of(Clause.parse(text)) for text in texts), stored)


LATENTS = (
    definition("l", False, "l(X,Y) :- r(X,Y).", "l(X,Y) :- s(X,Y,_)."),
    definition("m", True, "m(X,Y) :- s(X,Y,_)."),
    definition("n", True, "n(X,Y) :- p(Z,X), c(Z,Y)."),
)


def random_fact(rng, name, size):
    kinds = SCHEMA[name].types
    return (name, *(f"e{rng.randrange(size)}" if kind == "t" else f"k{rng.randrange(3)}" for kind in kinds))


def random_plan(rng, background):
    latents = tuple(latent for latent in LATENTS if rng.random() < 0.5)
    order = [*SCHEMA, *(latent.name for latent in latents if latent.stored)]
    rng.shuffle(order)
    shorthands = {latent.name: latent.needs for latent in latents if not latent.stored}
    steps, known = [], {"b", "h"} if background else set()
    for name in order:
        usable = known | {own for own, needs in shorthands.items() if needs <= known}
        chosen = [rule for rule in rules()[name] if rule.predicates <= usable]
        along = [rule for rule in rules(RECURSIVE)[name] if rule.predicates <= usable | {name}]
        rng.shuffle(chosen)
        form = rng.choice(FORMS) if name in ("p", "q", "r", "m") else "plain"
        layers = tuple((rule,) for rule in chosen[: rng.randrange(3)])
        if along and rng.random() < 0.5:
            form = "plain" if TYPES[name][0] != TYPES[name][1] else rng.choice(("plain", "apart"))
            layers = (*layers[:1], (rng.choice(along),))
        layers = layers[:1] if form in ("transitive", "equivalence") else layers
        domains = []
        for place in [0] if form in PAIRED else range(len(TYPES[name])):
            kind = TYPES[name][place]
            others = [(n, i) for n in sorted(known - {"b", "h"}) for i, k in enumerate(TYPES[n]) if k == kind]
            if rng.random() < 0.4:
                within = rng.choice(others) if others and rng.random() < 0.6 else None
                domains.append(Domain(place, within))
        steps.append(Step(name, form, tuple(domains), layers))
        known.add(name)
    return Plan(tuple(steps), latents)


def random_data(rng, size, worlds):
    """Facts with some structure, so that rules hold and closures close something."""
    parts = []
    for world in range(worlds):
        facts = {random_fact(rng, name, size) for name in SCHEMA for _ in range(rng.randrange(2, 12))}
        for _ in range(5):
            a, b = (f"e{rng.randrange(size)}" for _ in range(2))
            for more in (
                {("p", a, b), ("q", b, a)},
                {("r", a, b), ("r", b, a)},
                {("p", b, a), ("u", a)},
            ):
                facts |= more if rng.random() < 0.8 else set()
        parts.append(KnowledgeBase.from_facts(sorted(facts), schema=SCHEMA, interpretation=f"w{world}"))
    return KnowledgeBase.union(parts)


def facts_of(rows):
    """Return facts of several interpretations as a knowledge base; None where there are none."""
    worlds = {}
    for world, row in rows:
        worlds.setdefault(world, []).append(row)
    parts = [
        KnowledgeBase.from_facts(
            sorted(own), interpretation=world, schema=SCHEMA.restricted({row[0] for row in own})
        )
        for world, own in sorted(worlds.items())
    ]
    return KnowledgeBase.union(parts) if parts else None


def random_case(seed):
    """Return a random generator, a layer, data and their interpretations; None where there is no program."""
    rng = random.Random(seed)  # noqa: S311
    size, worlds = rng.choice((4, 6, 9)), rng.choice((1, 1, 2))
    background = BACKGROUND if rng.random() < 0.4 else Program()
    schema = KNOWN if len(background) else SCHEMA
    kb, plan = random_data(rng, size, worlds), random_plan(rng, len(background))
    empty = Layer(Program(), Program(), schema, background)
    message = Message.of(plan, empty.prepared(kb))
    choices, _ = measured(message, Bits(message.code))
    tables = RuleTables(message.database, {name: message.database.relation(name) for name in schema})
    made = programs_of_choices(choices, tables, background.defined(), message.plan.latents)
    layer = replace(
        empty, encoder=made.encoder, decoder=made.decoder, kept=made.kept, bases=made.bases, plan=plan
    )
    try:
        encode_losslessly([layer], kb)
    except KeyError:  # a closed relation without any base, which no search would choose
        return None
    return rng, layer, kb, size, worlds


def random_change(rng, kb, size, worlds):
    """Return facts to be added and facts to be removed; some are there already."""
    present = [(fact.interpretation, (fact.predicate, *fact.arguments)) for fact in kb]
    most = rng.choice((1, 2, 4, 10))
    removed = {rng.choice(present) for _ in range(most) if present and rng.random() < 0.6}
    names = list(SCHEMA)
    added = {
        (f"w{rng.randrange(worlds)}", random_fact(rng, rng.choice(names), size + 1))
        for _ in range(most)
        if rng.random() < 0.6
    }
    return added, removed


def check_same(followed, layer):
    """Compare with encoding everything anew, to the last fact and bit."""
    assert followed.counts is not None
    kb = followed.data()
    anew, found = encode_losslessly([layer], kb), followed.encoding()

    def facts(own):
        return {(fact.interpretation, str(fact)) for fact in own}

    assert facts(found.latent) == facts(anew.latent)
    assert facts(found.exceptions.listed) == facts(anew.exceptions.listed)
    assert facts(found.exceptions.false) == facts(anew.exceptions.false)
    for name in ("plain", "latent", "exceptions", "program"):
        assert abs(getattr(followed.bits, name) - getattr(anew.bits, name)) < 1e-6
    # Even where the plain facts would be shorter.
    message, counted = Message.of(layer.plan, layer.prepared(kb)), followed.counts.uncapped(followed.store)
    assert abs(message.program_bits - counted.program) < 1e-6
    assert abs(sum(part.bits for part in message.parts) - counted.latent - counted.exceptions) < 1e-6
