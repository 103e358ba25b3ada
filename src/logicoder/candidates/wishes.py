"""What a user requires or forbids: clauses, predicates, and shapes of bodies.

A text holds any number of

    l(X,Y) :- mother(X,Y) ; father(X,Y).   % an encoder clause, whatever the latent is called
    mother(X,Y) :- l(X,Y), w(X).           % a decoder clause, if l and w are defined in the same text
    takes/2.                               % encoders that mention a predicate
    :- p(X,X).                             % encoders whose body holds literals of this shape
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from logicoder.base.errors import InputError, UsageError, shown
from logicoder.logic.clause_shapes import column_orders, contains, reordered, same_clause
from logicoder.logic.parser import QUOTED, Parser, place
from logicoder.logic.terms import Atom, Body, Clause, Constant, Program
from logicoder.problem.model import Demand, Problem

_BODY = "the body of a decoder is a conjunction, or a disjunction of single literals"
_INDICATOR = re.compile(rf"(?P<name>[^\W\d_A-Z]\w*|{QUOTED})\s*/\s*(?P<arity>\d+)\s*\.?")


@dataclass(frozen=True)
class Mention:
    """Encoders that mention a predicate."""

    predicate: str
    arity: int

    def fits(self, definition: Program) -> bool:
        """Whether a definition of a latent predicate is meant."""
        return any(
            (literal.atom.predicate, literal.atom.arity) == (self.predicate, self.arity)
            for clause in definition
            for literal in clause.literals()
        )

    def __str__(self) -> str:
        return f"{Atom(self.predicate)}/{self.arity}"


@dataclass(frozen=True)
class Shape:
    """Encoders with a body that holds literals of a shape."""

    body: Body

    def fits(self, definition: Program) -> bool:
        """Whether a definition of a latent predicate is meant."""
        return any(contains(clause, self.body) for clause in definition)

    def __str__(self) -> str:
        return f":- {', '.join(map(str, self.body))}."


@dataclass(frozen=True)
class EncoderClause:
    """One encoder clause, up to names and orders."""

    clause: Clause

    def fits(self, definition: Program) -> bool:
        """Whether a definition of a latent predicate is meant."""
        return len(definition) == 1 and bool(column_orders(self.clause, definition.clauses[0]))

    def __str__(self) -> str:
        return str(self.clause)


@dataclass(frozen=True)
class DecoderClause:
    """One decoder clause; `definitions` holds the encoder clauses of its latent predicates by name."""

    clause: Clause
    definitions: tuple[tuple[str, EncoderClause], ...]

    def fits(self, decoder: Program, definitions: Mapping[str, Program]) -> bool:
        """Whether a decoder is meant; `definitions` are those of the latent predicates it uses."""
        if len(decoder) != 1:
            return False
        used = decoder.clauses[0].body_predicates()
        choices: list[list[tuple[str, str, tuple[int, ...]]]] = []
        for mine, encoder in self.definitions:
            choices.append(
                [
                    (mine, other, order)
                    for other in sorted(used)
                    if len(definitions[other]) == 1
                    for order in column_orders(encoder.clause, definitions[other].clauses[0])
                ]
            )
        return any(same_clause(self._translated(choice), decoder.clauses[0]) for choice in product(*choices))

    def _translated(self, choice: Sequence[tuple[str, str, tuple[int, ...]]]) -> Clause:
        names = {mine: (other, order) for mine, other, order in choice}
        bodies = tuple(
            tuple(
                replace(literal, atom=reordered(literal.atom, *names[literal.atom.predicate]))
                for literal in body
            )
            for body in self.clause.alternatives
        )
        return Clause(self.clause.head, bodies)

    def __str__(self) -> str:
        return str(self.clause)


EncoderWish = Mention | Shape | EncoderClause


@dataclass(frozen=True)
class Wishes:
    """All that is required, or all that is forbidden.

    Attributes:
        encoders: wishes about encoders.
        decoders: wishes about decoders.
    """

    encoders: tuple[EncoderWish, ...] = ()
    decoders: tuple[DecoderClause, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.encoders or self.decoders)

    @classmethod
    def of(cls, given: object, arities: Mapping[str, int], outputs: Collection[str], option: str) -> Wishes:
        """Return the wishes of a text, a program, or several of them.

        Args:
            given: None, text or `Program`, or a sequence of these.
            arities: the input predicates.
            outputs: those to be reconstructed.
            option: `require` or `forbid`, for errors.
        """
        parts = [given] if isinstance(given, str | Program) else list(given or ())  # type: ignore[call-overload]
        encoders: list[EncoderWish] = []
        decoders: list[DecoderClause] = []
        for part in parts:
            if not isinstance(part, str | Program):
                raise UsageError(f"{option} takes a Program or a string, not {shown(part)}")
            items = list(part) if isinstance(part, Program) else list(_items(part, f"<{option}>"))
            found = _classified(items, arities, outputs, option)
            encoders.extend(found.encoders)
            decoders.extend(found.decoders)
        return cls(tuple(encoders), tuple(decoders))

    def about_encoder(self, definition: Program) -> bool:
        """Whether some wish is about an encoder as such."""
        return any(wish.fits(definition) for wish in self.encoders)

    def names_encoder(self, definition: Program) -> bool:
        """Whether an encoder is named clause by clause: alone, or as part of a decoder."""
        return any(
            wish.fits(definition)
            for wish in (
                *(w for w in self.encoders if isinstance(w, EncoderClause)),
                *(encoder for decoder in self.decoders for _, encoder in decoder.definitions),
            )
        )

    def about_decoder(self, decoder: Program, definitions: Mapping[str, Program]) -> bool:
        """Whether some wish is about a decoder."""
        return any(wish.fits(decoder, definitions) for wish in self.decoders)


def with_demands(problem: Problem, required: Wishes) -> Problem:
    """Return a problem that demands what is required; what is not among its candidates is an error."""
    if not required:
        return problem
    programs = [encoder.program for encoder in problem.encoders]
    definitions = {program.clauses[0].head.predicate: program for program in programs}
    demands = []
    for wish in required.encoders:
        members = tuple(i for i, program in enumerate(programs) if wish.fits(program))
        if not members:
            raise _absent(wish)
        demands.append(Demand(str(wish), encoders=members))
    for clause in required.decoders:
        name = clause.clause.head.predicate
        matching = tuple(
            index
            for index, item in enumerate(problem.decoders)
            if item.predicate == name and clause.fits(item.program, definitions)
        )
        if not matching:
            raise _absent(clause)
        demands.append(Demand(str(clause), decoders=matching))
    return replace(problem, demands=tuple(demands))


def _absent(wish: EncoderWish | DecoderClause) -> UsageError:
    kind = "decoder" if isinstance(wish, DecoderClause) else "encoder"
    reasons = "it is too long, derives nothing, or was pruned"
    if kind == "encoder":
        reasons = "it is too long, derives nothing, or no decoder candidate uses it"
    return UsageError(
        f"{wish} is required, but not among the {kind} candidates: {reasons} "
        "(`encoder_length`, `decoder_length`, `max_latent_arity`, `max_corruption`, `max_decoders`, "
        "`disjunctive_decoders`)"
    )


# -- reading -------------------------------------------------------------------------------------------


def _items(text: str, source: str) -> Iterator[Clause | Mention | Shape]:
    parser = Parser(text, source)
    while not parser.at_end:
        indicator = _INDICATOR.match(text, parser.offset)
        if indicator is not None:
            name = indicator["name"]
            if name.startswith("'"):
                name = Parser(name + ".", source).atom().predicate
            yield Mention(name, int(indicator["arity"]))
            parser = Parser(text, source, indicator.end())
        elif parser.peek(":-", "<-"):
            parser.advance()
            start = parser.offset
            alternatives = parser.alternatives()
            parser.expect(".", "at the end of the pattern")
            if len(alternatives) != 1 or not alternatives[0]:
                raise InputError("a pattern is a conjunction of literals", place(text, start, source))
            yield Shape(alternatives[0])
        else:
            yield parser.clause()


def _classified(
    items: Sequence[Clause | Mention | Shape],
    arities: Mapping[str, int],
    outputs: Collection[str],
    option: str,
) -> Wishes:
    """Tell encoder clauses from decoder clauses; those that only define latents of decoders are no wishes."""
    clauses = [item for item in items if isinstance(item, Clause)]
    for item in items:
        body = () if isinstance(item, Mention) else item.body if isinstance(item, Shape) else item.literals()
        for literal in body:
            if literal.orders:
                raise UsageError(
                    f"{option}: {literal} is not in the search space; comparisons with cuts are, such as "
                    f"price(X) >= 50"
                )
    own = {clause.head.predicate: clause for clause in clauses if clause.head.predicate not in arities}
    encoders: list[EncoderWish] = []
    decoders: list[DecoderClause] = []
    defining: set[str] = set()
    for clause in clauses:
        if clause.head.predicate in arities:
            decoders.append(_decoder(clause, own, arities, outputs, option))
            defining.update(clause.body_predicates())
    for item in items:
        if isinstance(item, Clause):
            if item.head.predicate in arities:
                continue
            _check_inputs([x.atom for x in item.literals() if not x.inequality], arities, item, option)
            if item.head.predicate not in defining:
                encoders.append(EncoderClause(item))
        else:
            atoms = [Atom(item.predicate, (Constant("a"),) * item.arity)] if isinstance(item, Mention) else []
            atoms += [x.atom for x in item.body if not x.inequality] if isinstance(item, Shape) else []
            _check_inputs(atoms, arities, item, option)
            encoders.append(item)
    return Wishes(tuple(encoders), tuple(decoders))


def _decoder(
    clause: Clause,
    own: Mapping[str, Clause],
    arities: Mapping[str, int],
    outputs: Collection[str],
    option: str,
) -> DecoderClause:
    head = clause.head
    unknown = sorted(clause.body_predicates() - set(own))
    mixed = clause.is_disjunction and any(len(body) > 1 for body in clause.alternatives)
    if unknown or mixed or clause.is_fact:
        what = f"{unknown[0]} is not a latent predicate" if unknown else _BODY
        raise UsageError(
            f"{option}: in the clause {clause}\n  {what}; a decoder clause needs the encoder clauses of its "
            f"latent predicates along with it, and an encoder clause needs a head other than {head.predicate}"
        )
    if head.predicate not in outputs or head.arity != arities[head.predicate]:
        raise UsageError(f"{option}: the clause {clause}\n  rebuilds no predicate of the data")
    for literal in clause.literals():
        if not literal.inequality and literal.atom.arity != own[literal.atom.predicate].head.arity:
            raise UsageError(
                f"{option}: in the clause {clause}\n  {literal.atom} has the wrong number of arguments"
            )
    return DecoderClause(
        clause, tuple((name, EncoderClause(own[name])) for name in sorted(clause.body_predicates()))
    )


def _check_inputs(atoms: Sequence[Atom], arities: Mapping[str, int], item: object, option: str) -> None:
    for atom in atoms:
        if arities.get(atom.predicate) != atom.arity:
            known = ", ".join(f"{name}/{arity}" for name, arity in arities.items())
            raise UsageError(
                f"{option}: in {item}\n  there is no predicate {atom.predicate}/{atom.arity} in the data; "
                f"it has: {known}"
            )
