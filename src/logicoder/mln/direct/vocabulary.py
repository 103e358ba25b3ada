"""The features that a network may use: bodies over the data, over latents, and decoder clauses.

The language is that of the paper: formulas of at most so many literals and variables. Latents widen what
can be said within it. For each predicate only what does not depend on it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from logicoder.candidates.encoder_limits import EncoderLimits
from logicoder.candidates.encoders import EncoderEnumeration
from logicoder.candidates.language import EncoderLanguage, Switches
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.arrays.array_handles import relation_of
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.signatures import program_schema
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.dependencies import depends_of, eligible_clauses
from logicoder.logic.terms import Atom, Clause, Program, Variable
from logicoder.mln.direct.conditions import Condition, Equal, Feature, Holds, Named, placements

MOST_TUPLES = 5_000_000
"""Bodies whose join has more tuples are left out."""


@dataclass(frozen=True, eq=False)
class Body:
    """A derived predicate.

    Attributes:
        definition: its clause.
        types: the types of its arguments.
        dependencies: the predicates of the data that it depends on.
        own_variables: the variables of its body that are not in its head.
        relation: what it holds of, over the entities of `database`; None where that was not evaluated.
        database: numbers these entities.
    """

    definition: Clause
    types: tuple[str, ...]
    dependencies: frozenset[str]
    own_variables: int
    relation: Relation | None = None
    database: Database | None = None

    @property
    def name(self) -> str:
        """The name of the derived predicate."""
        return self.definition.head.predicate


@dataclass
class Vocabulary:
    """All that formulas may say.

    Attributes:
        bodies: derived predicates.
        decoder: clauses of the predicates themselves over latents, with what latents depend on.
        depends: what each latent depends on.
        constants: by type, constants that formulas may name in the arguments of the predicate they are about.
        apart: by predicate, bodies that speak of the predicate itself, but never of the atom they are asked
            about; their arguments are those of the atom.
    """

    bodies: list[Body] = field(default_factory=list)
    decoder: Program = field(default_factory=Program)
    depends: dict[str, frozenset[str]] = field(default_factory=dict)
    constants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    apart: Mapping[str, Sequence[Body]] = field(default_factory=dict)

    def features(self, atoms: GroundAtoms, max_variables: int | None) -> Iterator[Feature]:
        """Yield the features for a predicate, simple ones first.

        Args:
            atoms: the ground atoms of the predicate.
            max_variables: the most variables of a formula; predicates of more arguments get no others.
        """
        name, kinds = atoms.predicate, atoms.kinds
        for first, second in combinations(range(len(kinds)), 2):
            if kinds[first] == kinds[second]:
                yield (Equal(first, second),)
        for body in self.bodies:
            if name in body.dependencies:
                continue
            variables = len(kinds) + body.own_variables
            if max_variables is not None and body.own_variables and variables > max_variables:
                continue
            for places in placements(kinds, body.types):
                yield (Holds(body.definition, places),)
        for body in self.apart.get(name, ()):
            yield (Holds(body.definition, tuple(range(len(kinds)))),)
        for number, clause in enumerate(eligible_clauses(self.decoder, name, self.depends)):
            if clause.head.predicate == name and name not in clause.body_predicates():
                head = Atom(f"{name}_decoded_{number}", clause.head.arguments)
                yield (Holds(Clause(head, clause.alternatives), tuple(range(len(kinds)))),)

    def add_latents(self, schema: Schema, encoder: Program, decoder: Program) -> Schema:
        """Add the latents of an encoder and the clauses of a decoder; return the latents with their types.

        Args:
            schema: the predicates of the data.
            encoder: defines the latents.
            decoder: rebuilds the data.
        """
        latents = program_schema(encoder, schema)
        self.depends = depends_of(encoder)
        self.bodies += latent_bodies(latents, encoder)
        self.decoder = decoder
        return latents

    def named(self, atoms: GroundAtoms) -> list[Condition]:
        """Return the conditions that an argument is a certain constant."""
        return [
            Named(place, symbol)
            for place, kind in enumerate(atoms.kinds)
            for symbol in self.constants.get(kind, ())
        ]


def small_types(kb: KnowledgeBase, most: int) -> dict[str, tuple[str, ...]]:
    """Return the constants of types that have at most so many, over all interpretations."""
    return {kind: symbols for kind, symbols in kb.constants().items() if 0 < len(symbols) <= most}


def data_bodies(
    kb: KnowledgeBase,
    length: int,
    *,
    constants: int = 0,
    disjunctions: bool = False,
    prefix: str = "body",
    advanced: Callable[[int], None] = lambda _: None,
) -> list[Body]:
    """Return every body of at most so many literals over the data, with every head, evaluated.

    Args:
        kb: the data.
        length: the most literals.
        constants: name the constants of types that have at most so many.
        disjunctions: whether disjunctions of literals count besides conjunctions.
        prefix: how the derived predicates are called.
        advanced: told of each body that is evaluated.
    """
    engine = ArrayEngine(kb, constants=constants)
    language = EncoderLanguage(engine, kb.schema, kb.predicates, Switches(constants))
    largest = max(kb.schema[name].arity for name in kb.predicates)
    enumeration = EncoderEnumeration(
        language,
        length,
        largest,
        limits=EncoderLimits(max_tuples=MOST_TUPLES),
    )
    kinds = {number: kind for kind, number in engine.database.types.items()}
    found = []
    for number, latent in enumerate(enumeration.run(advanced)):
        if len(latent.bodies) > 1 and not disjunctions:
            continue
        [clause] = latent.definition(f"{prefix}_{number}", language)
        own = {v for literal in clause.literals() for v in literal.atom.variables()}
        types = tuple(kinds[kind] for kind in latent.extension.types)
        names = frozenset(kb.predicates[i] for i in latent.dependencies)
        extra = len(own - set(clause.head.variables()))
        found.append(Body(clause, types, names, extra, relation_of(latent.extension), engine.database))
    return found


def latent_bodies(schema: Schema, encoder: Program) -> list[Body]:
    """Return each latent with its arguments, and with only some of them; not evaluated.

    Args:
        schema: the latents with their types.
        encoder: defines them.
    """
    found = []
    for name, depends in depends_of(encoder).items():
        types = schema[name].types
        variables = tuple(Variable(chr(ord("A") + i)) for i in range(len(types)))
        for size in range(len(types), 0, -1):
            for number, kept in enumerate(combinations(range(len(types)), size)):
                head = Atom(f"{name}_part_{size}_{number}", tuple(variables[i] for i in kept))
                clause = Clause.parse(f"{head} :- {Atom(name, variables)}.")
                kinds = tuple(types[i] for i in kept)
                found.append(Body(clause, kinds, depends, len(types) - size))
    return found
