"""The types of the predicates that a program defines, from the types of the data it reads."""

from __future__ import annotations

from collections.abc import Mapping

from logicoder.base.errors import InputError
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Body, Clause, Literal, Program, Variable


def program_schema(program: Program, inputs: Schema, outputs: Schema | None = None) -> Schema:
    """Return the schema of the predicates that `program` defines over `inputs`.

    Types flow between body and head, through recursion too. `outputs` declares head predicates whose types
    are known beforehand (a decoder's heads are the predicates of the data).

    Raises:
        InputError: for an unknown predicate, a wrong arity, a variable of two types, an unsafe clause.
    """
    known: dict[str, list[str | None]] = {}
    for clause in program:
        head = clause.head
        declared = outputs.get(head.predicate) if outputs else None
        if declared is not None and declared.arity != head.arity:
            raise _complain(clause, f"{head.predicate} has {declared.arity} arguments in the data")
        if head.predicate in inputs and declared is None:
            raise _complain(clause, f"{head.predicate} is a predicate of the data; a clause cannot define it")
        start: list[str | None] = list(declared.types) if declared is not None else [None] * head.arity
        if len(known.setdefault(head.predicate, start)) != head.arity:
            raise _complain(clause, f"{head.predicate} is defined with another number of arguments elsewhere")
    defined = set(known)
    _settle(program, known, inputs, defined)
    for name, kinds in known.items():
        for position, kind in enumerate(kinds):
            if kind is None:
                # An argument that only ever holds constants has a type of its own, which flows on.
                kinds[position] = f"{name}_{position + 1}"
                _settle(program, known, inputs, defined)
    for clause in program:
        _check(clause, known, inputs, defined)
    return Schema({name: Predicate(name, tuple(filter(None, kinds))) for name, kinds in known.items()})


def _settle(program: Program, known: dict[str, list[str | None]], inputs: Schema, defined: set[str]) -> None:
    """Let types flow between heads and bodies until nothing changes."""
    changed = True
    while changed:
        changed = False
        for clause in program:
            changed |= _flow(clause, known, inputs, defined)


def _types_of(
    atom: Atom, known: Mapping[str, list[str | None]], inputs: Schema, defined: set[str]
) -> list[str | None]:
    return known[atom.predicate] if atom.predicate in defined else list(inputs[atom.predicate].types)


def _flow(clause: Clause, known: dict[str, list[str | None]], inputs: Schema, defined: set[str]) -> bool:
    changed = False
    for body in clause.alternatives:
        kinds = _known_kinds(clause, body, known, inputs, defined)
        own = (x.atom for x in body if not x.inequality and x.atom.predicate in defined)
        for atom in (clause.head, *own):
            slots = known[atom.predicate]
            for position, argument in enumerate(atom.arguments):
                if slots[position] is None and isinstance(argument, Variable) and argument in kinds:
                    slots[position] = kinds[argument]
                    changed = True
    return changed


def _known_kinds(
    clause: Clause, body: Body, known: dict[str, list[str | None]], inputs: Schema, defined: set[str]
) -> dict[Variable, str]:
    """Return the types of variables as far as the literals of a body and the head tell them."""
    kinds: dict[Variable, str] = {}
    atoms = []
    for literal in body:
        if literal.inequality:
            continue
        if literal.atom.predicate not in defined and literal.atom.predicate not in inputs:
            names = ", ".join((*inputs, *sorted(defined)))
            raise _complain(
                clause, f"there is no predicate {literal.atom.predicate}", f"choose from: {names}"
            )
        types = _types_of(literal.atom, known, inputs, defined)
        if len(types) != literal.atom.arity:
            raise _complain(
                clause, f"{literal.atom.predicate} has {len(types)} arguments, not {literal.atom.arity}"
            )
        atoms.append(literal.atom)
    for atom in (*atoms, clause.head):
        for argument, kind in zip(atom.arguments, _types_of(atom, known, inputs, defined), strict=True):
            if isinstance(argument, Variable) and kind is not None:
                kinds.setdefault(argument, kind)
    for literal in body:
        compared = [kinds[v] for v in literal.atom.variables() if v in kinds]
        if literal.inequality and compared and not literal.orders:
            kinds |= {v: kinds.get(v, compared[0]) for v in literal.atom.variables()}
    return kinds


def _check(clause: Clause, known: dict[str, list[str | None]], inputs: Schema, defined: set[str]) -> None:
    for body in clause.alternatives:
        places: dict[Variable, tuple[str, Atom]] = {}
        atoms = [*(literal.atom for literal in body if not literal.inequality), clause.head]
        for atom in atoms:
            for argument, kind in zip(atom.arguments, _types_of(atom, known, inputs, defined), strict=True):
                if not isinstance(argument, Variable) or kind is None:
                    continue
                before, where = places.setdefault(argument, (kind, atom))
                if before != kind:
                    guessed = inputs.guessed() & {where.predicate, atom.predicate}
                    raise _complain(
                        clause,
                        f"{argument} is of type {before} in {where} but of type {kind} in {atom}",
                        "these types are guesses: declare the predicates, or read the data with types='one' "
                        "(--types one)"
                        if guessed
                        else None,
                    )
        bound = {v for literal in body if literal.binds for v in literal.atom.variables()}
        for variable in clause.head.variables():
            if variable not in bound:
                raise _complain(
                    clause, f"the head variable {variable} is not bound by a positive body literal"
                )
        for literal in body:
            name = literal.atom.predicate
            if literal.inequality:
                _check_inequality(clause, literal, bound, {v: kind for v, (kind, _) in places.items()})
            elif not literal.positive:
                is_open = name not in defined and inputs[name].open_world
                _check_negated(clause, literal.atom, bound, is_open=is_open)


def _check_negated(clause: Clause, atom: Atom, bound: set[Variable], *, is_open: bool) -> None:
    for variable in atom.variables():
        if variable.is_anonymous:
            if is_open:
                raise _complain(
                    clause,
                    f"the negated {atom} says that there is no such atom",
                    f"{atom.predicate} is open: what is not listed is unknown, so that is never known",
                )
        elif variable not in bound:
            raise _complain(
                clause,
                f"the variable {variable} of the negated {atom} is not bound by a positive literal",
                "negation is safe only over bound variables; _ stands for anything: there is no such atom",
            )


def _check_inequality(
    clause: Clause, literal: Literal, bound: set[Variable], kinds: Mapping[Variable, str]
) -> None:
    variables = literal.atom.variables()
    for variable in variables:
        if variable not in bound:
            raise _complain(
                clause, f"the variable {variable} of {literal} is not bound by a positive literal"
            )
    if len({kinds[v] for v in variables}) > 1 and not literal.orders:
        listed = " and ".join(f"{v} of type {kinds[v]}" for v in variables)
        raise _complain(clause, f"{literal} compares {listed}", "only terms of the same type can be compared")


def _complain(clause: Clause, message: str, hint: str | None = None) -> InputError:
    return InputError(f"in the clause {clause}\n  {message}", hint=hint)
