"""From latents and decoder candidates to the problem that a solver sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from logicoder.candidates.encoders import Latent, variable
from logicoder.candidates.language import EncoderLanguage
from logicoder.candidates.lengths import Lengths
from logicoder.candidates.pruning import Decoder
from logicoder.engine.coverage import class_inclusions, coverage_classes, relation_inclusions
from logicoder.engine.database import WORLD, Database
from logicoder.logic.terms import Atom, Body, Clause, Constant, Literal, Program
from logicoder.problem.bits import millibits
from logicoder.problem.masking import is_eligible
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    PredicateItem,
    Problem,
    Requirement,
)


def latent_name(position: int, taken: Collection[str] = ()) -> str:
    """Return the name of a latent predicate within a problem, where the data has predicates of other names.

    >>> latent_name(0), latent_name(0, ["latent7"])
    ('latent1', 'latent_1')
    """
    prefix = "latent"
    while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in taken):
        prefix += "_"
    return f"{prefix}{position + 1}"


def decoder_clause(decoder: Decoder, names: Mapping[int, str], predicate: str) -> Clause:
    """Return the clause of a decoder candidate, with names for its variables."""
    target, body = decoder.target, decoder.body
    bound = len(target.types) + body.shared
    following = bound
    literals = []
    for view in body.views:
        local: dict[int, int] = {}
        arguments = []
        for argument in view.arguments:
            # Head variables and shared existentials have the same number in all literals, others do not.
            common = argument < bound
            arguments.append(argument if common else local.setdefault(argument, following + len(local)))
        following += len(local)
        literals.append((view, tuple(arguments)))
    head_variables = [v for v in target.arguments if v >= 0]
    used = dict.fromkeys((*head_variables, *(a for _, arguments in literals for a in arguments)))
    letters = {number: variable(position) for position, number in enumerate(used)}
    found = [
        Literal(Atom(names[view.latent], tuple(letters[a] for a in arguments)), view.positive)
        for view, arguments in literals
    ]
    if body.unequal:
        found.append(Literal.unequal(letters[0], letters[1]))
    terms = (letters[v] if v >= 0 else Constant(target.constants[-1 - v][1]) for v in target.arguments)
    return Clause(Atom(predicate, tuple(terms)), (tuple(found),))


def decoder_definition(decoder: Decoder, names: Mapping[int, str], predicate: str) -> Program:
    """Return the clauses of a decoder candidate: one, or two if it is recursive."""
    base = decoder_clause(decoder, names, predicate)
    step = decoder.body.step
    if step is None:
        return Program((base,))
    start, end = (1, 2) if decoder.body.left else (0, 1)
    numbers = {0: start, 1: end} | {a: a + 1 for a in step.arguments if a > 1}
    order = dict.fromkeys((0, 2, start, end, *(numbers[a] for a in step.arguments)))
    letters = {number: variable(position) for position, number in enumerate(order)}
    literal = Literal(Atom(names[step.latent], tuple(letters[numbers[a]] for a in step.arguments)))

    def linked(first: int, second: int) -> Atom:
        ends = (letters[first], letters[second])
        return Atom(predicate, tuple(ends[v] for v in decoder.target.arguments))

    again = Literal(linked(0, 1) if decoder.body.left else linked(1, 2))
    body = (again, literal) if decoder.body.left else (literal, again)
    return Program((base, Clause(linked(0, 2), (body,))))


def as_written(program: Program, propositions: Collection[str]) -> Program:
    """Return clauses without the hidden variable that the engine gives to propositions: their world."""
    if not propositions:
        return program

    def written(atom: Atom) -> Atom:
        return replace(atom, arguments=()) if atom.predicate in propositions else atom

    def body(literals: Body) -> Body:
        return tuple(replace(literal, atom=written(literal.atom)) for literal in literals)

    return Program(
        tuple(Clause(written(clause.head), tuple(map(body, clause.alternatives))) for clause in program)
    )


def _dependencies(mentioned: Iterable[str], origins: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the predicates that a definition depends on: those it mentions, and what they came from."""
    direct = set(mentioned)
    return tuple(sorted(direct.union(*(origins.get(name, ()) for name in direct))))


def build_problem(
    database: Database,
    predicates: Sequence[str],
    language: EncoderLanguage,
    latents: Sequence[Latent],
    decoders: Sequence[Decoder],
    *,
    generality: bool,
    reconstruct_all: bool,
    masking: bool = False,
    origins: Mapping[str, frozenset[str]] | None = None,
) -> Problem:
    """Return the optimisation problem over the latents that some decoder uses, without bottlenecks.

    Args:
        database: the data.
        predicates: predicates to be reconstructed.
        language: the language of the latents' definitions.
        latents: encoder candidates.
        decoders: decoder candidates over them.
        generality: whether at most one of two comparable clauses may be selected.
        reconstruct_all: whether every predicate needs a decoder.
        masking: whether the masked loss counts; then only clauses of equal eligibility are compared.
        origins: what predicates of the data were derived from, if they were: latents depend on that too.
    """
    used = sorted({latent for decoder in decoders for latent in decoder.latents})
    position = {latent: number for number, latent in enumerate(used)}
    names = {latent: latent_name(number, database.kb.schema) for latent, number in position.items()}
    world = database.type_ids([WORLD])
    input_predicates = language.predicates
    propositions = {name for name in input_predicates if database.relation(name).types == world}
    propositions |= {names[i] for i in used if latents[i].relation.types == world}
    lengths = Lengths.of(database, len(input_predicates), len(predicates))
    encoders = []
    for i in used:
        latent = latents[i]
        definition = as_written(latent.definition(names[i], language), propositions)
        encoders.append(
            EncoderItem(
                str(definition),
                len(latent.relation),
                latent.literals,
                _dependencies((input_predicates[p] for p in latent.dependencies), origins or {}),
                lengths.encoder(definition.clauses, latent.relation.types, len(latent.relation)),
            )
        )
    targets: list[PredicateItem] = []
    items: list[DecoderItem] = []
    classes: list[CoverageClass] = []
    nodes: list[int] = []
    edges: list[tuple[int, int]] = []
    requirements: list[Requirement] = []
    irreparable: list[str] = []
    atoms = node_offset = plain_bits = 0
    by_predicate: dict[int, list[Decoder]] = {}
    for decoder in decoders:
        by_predicate.setdefault(decoder.predicate, []).append(decoder)
    for index, name in enumerate(predicates):
        members = by_predicate.get(index, [])
        offset = len(items)
        for d in members:
            definition = as_written(decoder_definition(d, names, name), propositions)
            items.append(
                DecoderItem(
                    str(definition),
                    name,
                    tuple(sorted(position[i] for i in d.latents)),
                    d.body.literals,
                    d.true,
                    d.false,
                    lengths.decoder(definition.clauses),
                    exclusive=d.body.step is not None,
                )
            )
        relation = database.relation(name)
        types = relation.types
        coverage = coverage_classes(database, types, [d.atoms for d in members], name)
        covering: list[list[int]] = [[] for _ in range(len(coverage.weight))]
        for clause, number in zip(coverage.clause.tolist(), coverage.coverage_class.tolist(), strict=True):
            covering[number].append(clause + offset)
        classes.extend(
            CoverageClass(bool(true), int(weight), tuple(sorted(cover)), index)
            for true, weight, cover in zip(coverage.true, coverage.weight, covering, strict=True)
        )
        targets.append(
            PredicateItem(name, len(relation), coverage.uncovered, exception_bits=lengths.exception(types))
        )
        plain_bits += lengths.table(types, len(relation))
        atoms += coverage.atoms
        if generality and members:
            kinds = [masking and is_eligible(item, encoders) for item in items[offset:]]
            local, reduced = class_inclusions(coverage, kinds)
            nodes.extend(n + node_offset for n in local)
            edges.extend((a + node_offset, b + node_offset) for a, b in reduced)
            node_offset += max(local) + 1
        good = tuple(offset + i for i, d in enumerate(members) if 2 * d.false < d.true + d.false)
        if good:
            requirements.append(Requirement(name, good))
        else:
            irreparable.append(name)
    encoder_order = (
        relation_inclusions(
            database,
            [latents[i].relation for i in used],
            [encoder.dependencies if masking else () for encoder in encoders],
        )
        if generality
        else None
    )
    return Problem(
        targets=tuple(targets),
        encoders=tuple(encoders),
        decoders=tuple(items),
        families={"ordinary": tuple(classes)},
        encoder_generality=Inclusion(tuple(encoder_order[0]), tuple(encoder_order[1]))
        if encoder_order
        else None,
        decoder_generality=Inclusion(tuple(nodes), tuple(edges)) if generality else None,
        requirements=tuple(requirements) if reconstruct_all else (),
        irreparable=tuple(irreparable),
        atoms=atoms,
        latent_cap=lengths.code.latents,
        fixed_bits=millibits(lengths.code.fixed),
        plain_bits=plain_bits,
    )
