"""From latents and decoder candidates to the problem that a solver sees."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from logicoder.candidates.encoders import Latent, variable
from logicoder.candidates.lengths import Lengths
from logicoder.candidates.pruning import Decoder
from logicoder.engine.coverage import class_inclusions, coverage_classes, relation_inclusions
from logicoder.engine.database import WORLD, Database
from logicoder.logic.terms import Atom, Clause, Literal
from logicoder.problem.bits import millibits
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    PredicateItem,
    Problem,
    Requirement,
)


def latent_name(position: int) -> str:
    """Return the name of a latent predicate within a problem."""
    return f"latent{position + 1}"


def decoder_clause(decoder: Decoder, names: Mapping[int, str], predicate: str) -> Clause:
    """Return a decoder candidate as a clause, with names for its variables."""
    bound = len(set(decoder.head)) + decoder.shared
    following = bound
    literals = []
    for view in decoder.body:
        local: dict[int, int] = {}
        arguments = []
        for argument in view.arguments:
            # Head variables and shared existentials have the same number in all literals, others do not.
            common = argument < bound
            arguments.append(argument if common else local.setdefault(argument, following + len(local)))
        following += len(local)
        literals.append((names[view.latent], tuple(arguments)))
    used = dict.fromkeys((*decoder.head, *(a for _, arguments in literals for a in arguments)))
    letters = {number: variable(position) for position, number in enumerate(used)}
    body = tuple(Literal(Atom(name, tuple(letters[a] for a in arguments))) for name, arguments in literals)
    return Clause(Atom(predicate, tuple(letters[v] for v in decoder.head)), (body,))


def as_written(clause: Clause, propositions: Collection[str]) -> Clause:
    """Return a clause without the hidden variable that the engine gives to propositions: their world."""

    def written(atom: Atom) -> Atom:
        return replace(atom, arguments=()) if atom.predicate in propositions else atom

    bodies = tuple(
        tuple(replace(literal, atom=written(literal.atom)) for literal in body)
        for body in clause.alternatives
    )
    return Clause(written(clause.head), bodies)


def build_problem(
    database: Database,
    predicates: Sequence[str],
    input_predicates: Sequence[str],
    latents: Sequence[Latent],
    decoders: Sequence[Decoder],
    *,
    generality: bool,
    reconstruct_all: bool,
) -> Problem:
    """Return the optimisation problem over the latents that some decoder uses, without bottlenecks.

    Args:
        database: the data.
        predicates: predicates to be reconstructed.
        input_predicates: predicates that encoders may use, in the order of the latents' literals.
        latents: encoder candidates.
        decoders: decoder candidates over them.
        generality: whether at most one of two comparable clauses may be selected.
        reconstruct_all: whether every predicate needs a decoder.
    """
    used = sorted({latent for decoder in decoders for latent in decoder.latents})
    position = {latent: number for number, latent in enumerate(used)}
    names = {latent: latent_name(number) for latent, number in position.items()}
    world = database.type_ids([WORLD])
    propositions = {name for name in input_predicates if database.relation(name).types == world}
    propositions |= {names[i] for i in used if latents[i].relation.types == world}
    lengths = Lengths.of(database, len(input_predicates), len(predicates))
    encoders = []
    for i in used:
        latent = latents[i]
        clause = as_written(latent.clause(names[i], input_predicates), propositions)
        encoders.append(
            EncoderItem(
                str(clause),
                len(latent.relation),
                latent.literals,
                tuple(sorted(input_predicates[p] for p in latent.dependencies)),
                lengths.encoder([clause], latent.relation.types, len(latent.relation)),
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
    for index, name in enumerate(predicates):
        members = [decoder for decoder in decoders if decoder.predicate == index]
        offset = len(items)
        for d in members:
            clause = as_written(decoder_clause(d, names, name), propositions)
            items.append(
                DecoderItem(
                    str(clause),
                    name,
                    tuple(sorted(position[i] for i in d.latents)),
                    len(d.body),
                    d.true,
                    d.false,
                    lengths.decoder([clause]),
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
            local, reduced = class_inclusions(coverage, len(members))
            nodes.extend(int(n) + node_offset for n in local)
            edges.extend((a + node_offset, b + node_offset) for a, b in reduced)
            node_offset += int(local.max()) + 1
        good = tuple(offset + i for i, d in enumerate(members) if 2 * d.false < d.true + d.false)
        if good:
            requirements.append(Requirement(name, good))
        else:
            irreparable.append(name)
    encoder_order = relation_inclusions(database, [latents[i].relation for i in used]) if generality else None
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
