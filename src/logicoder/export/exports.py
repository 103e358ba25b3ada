"""Exporting the programs of a model to a language by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logicoder.base.errors import UsageError, shown
from logicoder.base.plugins import Registry
from logicoder.engine.programs import beside, derived_beside
from logicoder.export.compared_values import compared_by_facts
from logicoder.export.script import Script, free_name
from logicoder.kb.mapping.ordered_types import comparisons
from logicoder.logic.gloss import glosses
from logicoder.logic.latent_names import renamed
from logicoder.logic.terms import Atom, Clause, Constant, Literal, Program, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from logicoder.export.interface import Export, Exporter
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.mapping.data_mapping import DataMapping
    from logicoder.kb.schema import Schema

EXPORTERS: Registry[type[Exporter]] = Registry(
    "logicoder.exporters",
    "language",
    {
        "prolog": "logicoder.export.prolog_clauses:PrologExporter",
        "asp": "logicoder.export.asp_and_datalog:AspExporter",
        "datalog": "logicoder.export.asp_and_datalog:DatalogExporter",
        "sql:sqlite": "logicoder.export.sql:SqliteExporter",
        "sql:duckdb": "logicoder.export.sql:DuckdbExporter",
        "sql:postgresql": "logicoder.export.sql:PostgresqlExporter",
        "sql:spark": "logicoder.export.spark:SparkExporter",
        "alchemy": "logicoder.export.alchemy:AlchemyExporter",
        "sparql": "logicoder.export.sparql:SparqlExporter",
    },
)
PARTS = ("both", "encoder", "decoder")


def export_program(
    program: Program,
    to: str,
    *,
    remarks: Mapping[str, str] | None = None,
    facts: KnowledgeBase | None = None,
    mapping: DataMapping | None = None,
) -> Export:
    """Return a program in another language.

    >>> program = Program.parse("path(X,Y) :- edge(X,Y).")
    >>> print(export_program(program, "sql:sqlite").text)
    CREATE TABLE IF NOT EXISTS "edge" ("argument1" TEXT NOT NULL, "argument2" TEXT NOT NULL);
    CREATE VIEW "path" ("argument1", "argument2") AS
    SELECT DISTINCT t1."argument1", t1."argument2"
    FROM "edge" AS t1;
    <BLANKLINE>

    Args:
        program: the clauses.
        to: the name of the language.
        remarks: a line of comment for some predicates.
        facts: facts of the predicates that the program reads, to be written with it.
        mapping: how the predicates come from tables: comparisons with cuts are written as facts and, in SQL,
            predicates that the program reads as views of the tables. A predicate with the name of a table
            is called `NAME_facts` then.

    Raises:
        UsageError: if the language cannot express something, and for facts beside a mapping in SQL.
    """
    program, facts = compared_by_facts(program, facts, mapping)
    if mapping is None:
        return EXPORTERS[to]().export(Script.of(program, remarks, facts))
    if to.startswith("sql:") and facts is not None:
        raise UsageError("views of tables need no facts: leave out either the mapping or the data")
    used = program.arities()
    known = [
        Clause(Atom(name, (Constant(symbol),)))
        for name, (_, symbols) in comparisons(mapping).items()
        if used.get(name) == 1
        for symbol in symbols
    ]
    return EXPORTERS[to]().export(Script.of(Program((*known, *program)), remarks, facts, mapping))


def export_model(
    model: Any,
    to: str,
    *,
    part: str = "both",
    facts: KnowledgeBase | None = None,
    mapping: DataMapping | None = None,
) -> Export:
    """Return the programs of a model in another language; those of a stack as if it had one layer.

    Args:
        model: the model, of one layer or several.
        to: the name of the language.
        part: `encoder`, `decoder`, or `both`: one program in which the facts that come
            back are called `NAME_decoded`.
        facts: data to be written with the program; latent facts for the decoder.
        mapping: how the data comes from tables, see `export_program`.

    Raises:
        UsageError: if the language cannot express something.
    """
    if part not in PARTS:
        raise UsageError(f"part must be one of {', '.join(PARTS)}, not {shown(part)}")
    encoder = Program((*model.background_program(), *model.encoder_, *_bases(model)))
    _refuse_open_negation(encoder, model.schema_)
    if part == "decoder":
        return export_program(model.decoder_, to, facts=facts, mapping=mapping)
    remarks = glosses(model.encoder_)
    if part == "encoder":
        return export_program(encoder, to, remarks=remarks, facts=facts, mapping=mapping)
    taken = {*encoder.arities(), *model.decoder_.arities(), *(model.schema_ or ())}
    names: dict[str, str] = {}
    for name in model.decoder_.defined():
        names[name] = free_name(f"{name}_decoded", taken)
        taken.add(names[name])
    program = Program((*encoder, *(renamed(clause, names) for clause in model.decoder_)))
    return export_program(program, to, remarks=remarks, facts=facts, mapping=mapping)


def _bases(model: Any) -> Program:
    """Return what defines the facts that are kept because clauses leave them over.

    Of a closed relation some facts are kept from which the others follow; no language says which as a rule,
    so they are read like data.
    """
    layers = model.stack()
    bases = [base for layer in layers[:1] for base in layer.bases if base.form == "rest"]
    if not bases:
        return Program()
    given = derived_beside(layers[0].given_clauses(bases), {base.predicate for base in bases})
    arities = {**given.arities(), **model.decoder_.arities()}
    clauses = []
    for base in bases:
        arguments = tuple(Variable(f"X{place}") for place in range(1, arities[base.predicate] + 1))
        body = [Literal(Atom(base.predicate, arguments))]
        derived = beside(base.predicate)
        if derived in given.defined():
            body.append(Literal(Atom(derived, arguments), positive=False))
        clauses.append(Clause(Atom(base.name, arguments), (tuple(body),)))
    return Program((*given, *clauses))


def _refuse_open_negation(program: Program, schema: Schema | None) -> None:
    """Refuse what no other system knows: a negated atom that is neither true nor false."""
    for clause in program:
        for literal in clause.literals():
            declared = schema.get(literal.atom.predicate) if schema else None
            if not literal.positive and declared is not None and declared.open_world:
                raise UsageError(
                    f"the clause {clause}\n  negates {declared.name}, whose unlisted atoms are unknown, but "
                    f"other systems treat them as false"
                )
