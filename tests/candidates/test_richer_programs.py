"""Constants, negation, inequality, recursion: every candidate means what its text says, none is missing.

The engine that runs the texts is checked against clingo elsewhere; what the candidates should be is written
down here without the enumeration.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder
from logicoder.candidates.candidate_clauses import decoder_definition
from logicoder.candidates.language import Switches
from logicoder.engine import run_program
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.arrays.array_handles import ArrayExtension, atoms_of
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.handles import Decoder, Extension
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.logic import Atom, Clause, Constant, Literal, Program, Variable

from .asking import ALL, chosen, encoder_enumeration, ignore, question_of
from .random_data import CONSTANTS, REPEATABLE, data_with_latents, plain_data

EVERYTHING = Switches(constants=3, negation=True, inequality=True, recursion=True)
Row = tuple[str, ...]


def rows(engine: ArrayEngine, extension: Extension) -> set[Row]:
    found = engine.materialise(extension)
    assert len(found) == len(set(found))
    return set(found)


def atoms(engine: ArrayEngine, decoder: Decoder) -> set[Row]:
    types = engine.facts(decoder.predicate).types
    return rows(engine, ArrayExtension.of(Relation(types, atoms_of(decoder))))


def facts(kb: KnowledgeBase, name: str, truth: str = "true") -> set[Row]:
    return {(fact.interpretation, *map(str, fact.arguments)) for fact in kb.facts(name, truth)}


class TestEncoders:
    @settings(REPEATABLE, max_examples=30)
    @given(plain_data(most_predicates=2, arities=(1, 2, 2)))
    def test_definitions_derive_their_extensions(self, kb: KnowledgeBase) -> None:
        enumeration = encoder_enumeration(kb, 2, 2, EVERYTHING, constants=ALL, merge_naming_variants=False)
        found = enumeration.run(ignore)
        assert found
        names = [f"latent{number}" for number in range(len(found))]
        program = Program(
            tuple(
                clause
                for name, latent in zip(names, found, strict=True)
                for clause in latent.definition(name, enumeration.language)
            )
        )
        assert Program.parse(str(program)) == program
        derived = run_program(program, kb)
        for name, latent in zip(names, found, strict=True):
            clauses = [clause for clause in program if clause.head.predicate == name]
            assert facts(derived, name) == rows(enumeration.language.engine, latent.extension), clauses
            assert latent.literals == sum(clause.length for clause in clauses)
            mentioned = {p for clause in clauses for p in clause.body_predicates()} - {name}
            assert latent.dependencies == {kb.predicates.index(p) for p in mentioned}

    @settings(REPEATABLE, max_examples=12)
    @given(plain_data(most_predicates=2, arities=(1, 2, 2)), st.booleans(), st.booleans(), st.booleans())
    def test_no_conjunction_is_missing_and_none_comes_twice(
        self, kb: KnowledgeBase, constants: bool, negation: bool, inequality: bool
    ) -> None:
        switches = Switches(3 if constants else 0, negation, inequality)
        enumeration = encoder_enumeration(kb, 2, 2, switches, merge_naming_variants=False)
        found = [
            form(latent.definition("l", enumeration.language).clauses[0])
            for latent in enumeration.run(ignore)
            if len(latent.bodies) == 1
        ]
        assert len(found) == len(set(found))
        expected = {
            form(clause)
            for clause in conjunctive_clauses(kb, switches)
            if len(run_program(Program((clause,)), kb))
        }
        event(f"about {len(expected) // 50 * 50} clauses")
        assert set(found) == expected

    def test_recursive_definitions_reach_what_plain_ones_do_not(self) -> None:
        chain = KnowledgeBase.from_facts([("edge", f"n{i}", f"n{i + 1}") for i in range(6)], types="one")
        enumeration = encoder_enumeration(chain, 1, 2, Switches(recursion=True))
        texts = {str(latent.definition("l", enumeration.language)) for latent in enumeration.run(ignore)}
        forward = "l(X,Y) :- edge(X,Y).\nl(X,Y) :- edge(X,Z), l(Z,Y)."
        backward = "l(X,Y) :- edge(Y,X).\nl(X,Y) :- edge(Y,Z), l(X,Z)."
        assert texts & {forward, backward}


def form(clause: Clause) -> str:
    """Return one text for all renamings of a clause, orders of its literals and of its head variables."""
    variables = sorted({v for literal in clause.literals() for v in literal.atom.variables()})
    texts = []
    for order in permutations(range(len(variables))):
        names = {v: Variable(f"V{n}") for v, n in zip(variables, order, strict=True)}
        literals = []
        for literal in clause.literals():
            arguments = [str(names.get(a, a)) for a in literal.atom.arguments]
            if literal.inequality:
                arguments.sort()
            literals.append(f"{literal.positive}{literal.atom.predicate}({','.join(arguments)})")
        texts.append(f"{sorted(str(names[v]) for v in clause.head.variables())}{sorted(literals)}")
    return min(texts)


def conjunctive_clauses(kb: KnowledgeBase, switches: Switches) -> list[Clause]:
    """Return all clauses of one or two literals, from all texts that could be one."""
    variables = {kind: [Variable(f"{kind.title()}{i}") for i in range(3)] for kind in CONSTANTS}
    literals: list[Literal] = []
    for predicate in kb.schema.values():
        choices = []
        for place, kind in enumerate(predicate.types):
            present = sorted({str(fact.arguments[place]) for fact in kb.facts(predicate.name)})
            choices.append([*variables[kind], *(map(Constant, present) if switches.constants else ())])
        for arguments in product(*choices):
            literals.append(Literal(Atom(predicate.name, arguments)))
            if switches.negation:
                literals.append(Literal(Atom(predicate.name, arguments), positive=False))
    if switches.inequality:
        literals.extend(Literal.unequal(*pair) for v in variables.values() for pair in combinations(v, 2))
    found = []
    for count in (1, 2):
        for body in combinations(literals, count):
            if any(not literal.atom.variables() for literal in body):
                continue
            bound = {v for literal in body if literal.binds for v in literal.atom.variables()}
            used = {v for literal in body for v in literal.atom.variables()}
            if used != bound or (
                count == 2 and set(body[0].atom.variables()).isdisjoint(body[1].atom.variables())
            ):
                continue
            for size in (1, 2):
                for head in combinations(sorted(used), size):
                    found.append(Clause(Atom("l", head), (tuple(body),)))
    return found


def decoders_of(kb: KnowledgeBase, length: int, switches: Switches) -> tuple[ArrayEngine, list[Decoder]]:
    engine = ArrayEngine(kb, constants=ALL)
    question = question_of(engine, kb, length, None, switches)
    counted = list(engine.count(question, ignore))
    if switches.recursion:
        plain = question_of(engine, kb, length)
        linked = [head for head in plain.heads if len(head.types) == 2 and len(set(head.types)) == 1]
        counted += engine.count_recursive(replace(plain, heads=linked), ignore)
        named = question_of(engine, kb, length, None, Switches(switches.constants))
        counted += engine.count_disjunctive(named, ignore)
    return engine, chosen(engine, question, counted)


def definition_of(decoder: Decoder, kb: KnowledgeBase) -> Program:
    latents = [name for name in kb.schema if name.startswith("l")]
    return decoder_definition(decoder.head, decoder.body, dict(enumerate(latents)))


class TestDecoders:
    @settings(REPEATABLE, max_examples=100)
    @given(data_with_latents(), st.sampled_from((1, 2, 2, 3)))
    def test_definitions_derive_their_atoms(self, kb: KnowledgeBase, length: int) -> None:
        engine, found = decoders_of(kb, length, EVERYTHING)
        latents = kb.restricted([name for name in kb.schema if name.startswith("l")])
        data = kb.schema.restricted([name for name in kb.schema if name.startswith("p")])
        texts = set()
        for decoder in found[:: max(1, len(found) // 40)]:
            program = definition_of(decoder, kb)
            assert Program.parse(str(program)) == program
            texts.add(str(program))
            name = program.clauses[0].head.predicate
            predicate = kb.schema[name]
            derived = facts(run_program(program, latents, data), name)
            assert atoms(engine, decoder) == derived, program
            assert decoder.true == len(derived & facts(kb, name)) > 0
            if predicate.open_world:
                assert decoder.false == len(derived & facts(kb, name, "false"))
            else:
                assert decoder.false == len(derived - facts(kb, name) - facts(kb, name, "unknown"))
            assert decoder.body.literals == sum(clause.length for clause in program)
            event(kind_of(decoder))
        assert len(texts) == len(found[:: max(1, len(found) // 40)])

    @settings(REPEATABLE, max_examples=40)
    @given(data_with_latents())
    def test_every_negated_literal_beside_a_full_one_is_there(self, kb: KnowledgeBase) -> None:
        _, found = decoders_of(kb, 2, Switches(negation=True))
        texts = {
            decoder_form(definition_of(decoder, kb).clauses[0])
            for decoder in found
            if not all(view.positive for view in decoder.body.views)
        }
        expected = {
            decoder_form(clause)
            for clause in negated_clauses(kb)
            if rebuilds_something(Program((clause,)), kb) and says_something(clause, kb)
        }
        assert texts == expected

    def test_the_step_of_a_recursion_may_be_another_latent_than_its_base(self) -> None:
        kb = KnowledgeBase.from_facts(
            [
                *(("p0", x, y) for x, y in ("ab", "ac", "ad", "cd", "bc", "bd")),
                *(("l0", x, y) for x, y in ("cd", "bd")),
                *(("l1", x, y) for x, y in ("ab", "bc")),
                *(("l2", x, y) for x, y in ("ab", "bc", "cd")),
            ],
            schema=Schema.of(
                *(Predicate(n, ("t", "t"), background=n != "p0") for n in ("p0", "l0", "l1", "l2"))
            ),
        )
        _, found = decoders_of(kb, 1, Switches(recursion=True))
        outcomes = {str(definition_of(d, kb)): (d.true, d.false) for d in found if d.body.step is not None}
        assert outcomes["p0(X,Y) :- l2(X,Y).\np0(X,Y) :- l2(X,Z), p0(Z,Y)."] == (6, 0)
        assert outcomes["p0(X,Y) :- l0(X,Y).\np0(X,Y) :- l1(X,Z), p0(Z,Y)."] == (3, 0)
        assert outcomes["p0(X,Y) :- l1(X,Y).\np0(X,Y) :- p0(X,Z), l0(Z,Y)."] == (4, 0)


def kind_of(decoder: Decoder) -> str:
    if decoder.body.alternatives:
        return "alternatives"
    if decoder.body.step is not None:
        return "recursion on the left" if decoder.body.left else "recursion on the right"
    if decoder.body.unequal:
        return "inequality"
    if decoder.head.constants:
        return "constant in the head"
    return "plain" if all(view.positive for view in decoder.body.views) else "negation"


def decoder_form(clause: Clause) -> str:
    variables = {v for literal in clause.literals() for v in literal.atom.variables()}
    fixed = {v: Variable(f"H{i}") for i, v in enumerate(clause.head.variables())}
    rest = sorted(variables - set(fixed))
    texts = []
    for order in permutations(range(len(rest))):
        names = fixed | {v: Variable(f"E{n}") for v, n in zip(rest, order, strict=True)}
        head = [str(names[a]) for a in clause.head.arguments]
        body = sorted(
            f"{literal.positive}{literal.atom.predicate}{[str(names[a]) for a in literal.atom.arguments]}"
            for literal in clause.literals()
        )
        texts.append(f"{clause.head.predicate}{head}{body}")
    return min(texts)


def negated_clauses(kb: KnowledgeBase) -> list[Clause]:
    """Return `p :- l, not m` where l binds the head variables and m speaks of them alone."""
    latents = [p for p in kb.schema.values() if p.name.startswith("l")]
    found = []
    for data in (p for p in kb.schema.values() if p.name.startswith("p")):
        places = [[Variable(f"{kind.title()}{i}") for i in range(3)] for kind in data.types]
        for head in product(*places):
            heads = {
                kind: [v for v, k in zip(head, data.types, strict=True) if k == kind] for kind in CONSTANTS
            }
            for first, second in product(latents, repeat=2):
                own = [
                    [*heads[kind], *(Variable(f"Own{kind.title()}{i}") for i in range(3))]
                    for kind in first.types
                ]
                for left in product(*own):
                    if not set(head) <= set(left):
                        continue
                    for right in product(*(heads[kind] for kind in second.types)):
                        if (first.name, left) != (second.name, right):
                            body = (
                                Literal(Atom(first.name, left)),
                                Literal(Atom(second.name, right), positive=False),
                            )
                            found.append(Clause(Atom(data.name, head), (body,)))
    return list({decoder_form(clause): clause for clause in found}.values())


def rebuilds_something(program: Program, kb: KnowledgeBase) -> bool:
    name = program.clauses[0].head.predicate
    latents = kb.restricted([other for other in kb.schema if other.startswith("l")])
    derived = run_program(program, latents, kb.schema.restricted([name]))
    return bool(facts(derived, name) & facts(kb, name))


def says_something(clause: Clause, kb: KnowledgeBase) -> bool:
    """Whether the negated literal is true of anything: otherwise negating it is idle."""
    negated = next(literal.atom for literal in clause.literals() if not literal.positive)
    head = Atom("said", negated.variables())
    return len(run_program(Program((Clause(head, ((Literal(negated),),)),)), kb)) > 0


@pytest.mark.parametrize("most", [0, 1, 2])
def test_only_constants_of_small_types_are_named(most: int) -> None:
    kb = KnowledgeBase.from_facts(
        [("likes", "ann", "red"), ("likes", "bob", "blue"), ("likes", "cy", "red")],
        schema=Schema.of(Predicate("likes", ("person", "colour"))),
    )
    enumeration = encoder_enumeration(kb, 1, 2, Switches(constants=most))
    texts = {str(latent.definition("l", enumeration.language)) for latent in enumeration.run(ignore)}
    named = {"l(X) :- likes(X,blue).", "l(X) :- likes(X,red)."}
    assert texts & named == (named if most >= 2 else set())


def test_a_constant_in_a_head_is_itself_in_worlds_that_do_not_mention_it() -> None:
    """Many colours are declared but few occur: the type is small all the same."""
    colours = ("blue", "red", *(f"colour{i}" for i in range(20)))
    schema = Schema(
        {
            "likes": Predicate("likes", ("person", "colour")),
            "tall": Predicate("tall", ("person",)),
        },
        {"colour": colours},
    )
    worlds = {
        "one": [("likes", "ann", "red"), ("likes", "bob", "red"), ("tall", "ann"), ("tall", "bob")],
        "two": [("likes", "cy", "blue"), ("tall", "cy")],
    }
    kb = KnowledgeBase.union(
        [KnowledgeBase.from_facts(rows, schema=schema, interpretation=name) for name, rows in worlds.items()]
    )
    alp = AutoEncoder(1, 1, bottlenecks=("latents=1",), constants=5, reconstruct_all=False).fit(kb)
    assert (alp.loss_, alp.reconstruct(kb).loss) == (0, 0)
