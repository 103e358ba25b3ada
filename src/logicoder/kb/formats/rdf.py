"""RDF: N-Triples, Turtle, N3 and RDF/XML, one interpretation per file; read by pyoxigraph (extra `rdf`).

A class is a predicate of one argument, `person(anna)` for `ex:anna a ex:Person`, and a property one of two
arguments. Names are shortened: to what follows the last `#` or `/` where that tells names apart, else with
the prefix before it (`foaf_name`), else not at all. Predicates start with a small letter. Blank nodes are
atoms such as `'_:b0'`; those without a label are numbered as they occur. Literals are numbers and truth
values where that is their datatype, and strings otherwise, so that the text "anna" is not the resource
`anna`; a language follows after `@` (`"Wien@de"`), and the name of a datatype other than `xsd:string` after
`^^` (`"2024-05-01^^date"`).
Facts are written as N-Triples, and come back as they were.
"""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, unquote

from logicoder.base.errors import InputError, Location, MissingExtraError, UsageError
from logicoder.base.files import read_bytes
from logicoder.kb.file_names import suffix_of
from logicoder.kb.formats.interface import Format, LocatedAtom
from logicoder.kb.formats.text import blocks, used_symbols, write_interpretations
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.symbols import Text, symbol_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.knowledge_base import KnowledgeBase

Key = TypeVar("Key")
Triple = tuple[Any, Any, Any]

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS = frozenset(
    f"{_XSD}{name}"
    for name in (
        *("integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger"),
        *("positiveInteger", "negativeInteger", "nonPositiveInteger", "unsignedInt", "unsignedLong"),
        *("unsignedShort", "unsignedByte"),
    )
)
_NAMES = "http://logicoder.invalid/"
"""What names start with where they are written: a domain that never will be."""
_ESCAPES = {c: f"\\u{ord(c):04X}" for c in map(chr, [*range(32), 34, 92, 127])}
_LABELS = re.compile(rb"""_:([^\s<>"(){}\[\];,]*[^\s<>"(){}\[\];,.])|nodeID\s*=\s*["']([^"']+)""")
"""How texts name blank nodes: in Turtle and N-Triples, and in XML."""
_SYNTAX = {".nt": "N_TRIPLES", ".ttl": "TURTLE", ".n3": "N3", ".rdf": "RDF_XML", ".owl": "RDF_XML"}


class RdfFormat(Format):
    """Graphs of subjects, predicates and objects."""

    name = "rdf"
    summary = "RDF: N-Triples, Turtle, N3 or RDF/XML"
    suffixes = tuple(_SYNTAX)

    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """See `Format.read`."""
        for atom in self.located(sources, options):
            builder.add(
                atom.predicate, atom.symbols, builder.interpretation(atom.world), location=atom.where()
            )

    def located(self, sources: Sequence[Source], options: ReadOptions) -> Iterator[LocatedAtom]:
        """See `Format.located`: the library tells lines of errors only, so the place is the file."""
        del options
        graphs = graphs_of([source.path for source in sources])
        names = Names(graphs)
        for source, graph in zip(sources, graphs, strict=True):
            place = Location(str(source.path))
            for predicate, symbols in names.facts(graph):
                yield LocatedAtom(predicate, symbols, "true", source.world, lambda place=place: place)  # type: ignore[misc]

    def refuse(self, kb: KnowledgeBase) -> None:
        """See `Format.refuse`."""
        for name, predicate in kb.schema.items():
            for truth in TRUTHS[1:]:
                if kb.count(name, truth):
                    raise UsageError(f"{name} has {truth} atoms, and RDF holds true facts only; write Prolog")
            if kb.count(name) and (predicate.arity not in (1, 2) or _small(name) != name or not name):
                raise UsageError(
                    f"{predicate}: in RDF, names of classes and properties must start with a "
                    f"lower-case letter"
                )

    def write(self, kb: KnowledgeBase, path: Path, remark: str | None = None) -> None:
        """See `Format.write`; as N-Triples, which are Turtle and N3, too."""
        if _SYNTAX.get(suffix_of(path)) == "RDF_XML":
            raise UsageError(f"{path}: RDF is written as N-Triples; name a file .nt or .ttl")
        terms = {i: _term(symbol) for i, symbol in used_symbols(kb).items()}

        def lines(world: int, path: Path) -> Iterator[str]:
            del path
            for name, _, rows in blocks(kb, world):
                for row in rows.tolist():
                    subject, *others = (terms[i] for i in row)
                    if subject[0] != "<":
                        raise UsageError(f"{name}: in RDF, the subject cannot be a literal such as {subject}")
                    called = f"<{_NAMES}{quote(name, safe='')}>"
                    parts = (called, *others) if others else (f"<{TYPE}>", called)
                    yield f"{subject} {' '.join(parts)} .\n"

        write_interpretations(self, kb, path, lines, [] if remark is None else [f"# {remark}\n"])


def _term(symbol: str) -> str:
    """Return a constant as a term of N-Triples.

    >>> print(_term("luke"), _term("7"), _term('"Luke"'))
    <http://logicoder.invalid/luke> "7"^^<http://www.w3.org/2001/XMLSchema#integer> "Luke"

    Raises:
        UsageError: for one that would not come back.
    """
    value = value_of(symbol)
    if isinstance(value, str):
        if not value:
            raise UsageError("the empty atom cannot be written as RDF; write Prolog")
        return f"<{_NAMES}{quote(value, safe='')}>"
    if isinstance(value, Text):
        return '"' + "".join(_ESCAPES.get(c, c) for c in value.value) + '"'
    if isinstance(value, float) and value.is_integer():
        raise UsageError(f"{symbol} would come back from RDF as a whole number; write Prolog")
    return f'"{symbol}"^^<{_XSD}{"integer" if isinstance(value, int) else "double"}>'


class Graph:
    """The triples of a text, and its prefixes by what they stand for.

    Args:
        text: what was read.
        path: from where; None for a text.
        numbers: for blank nodes that the text does not name.
    """

    def __init__(self, text: bytes, path: Path | None = None, numbers: Iterator[int] | None = None) -> None:
        try:
            import pyoxigraph  # noqa: PLC0415  (an extra)
        except ImportError:
            raise MissingExtraError("pyoxigraph", "rdf", "reading RDF") from None
        source = "<text>" if path is None else str(path)
        syntax = getattr(pyoxigraph.RdfFormat, _SYNTAX.get(suffix_of(path) if path else "", "TURTLE"))
        base = None if path is None else path.absolute().as_uri()
        try:
            reader: Any = pyoxigraph.parse(text, format=syntax, base_iri=base)
            triples = [(t.subject, t.predicate, t.object) for t in reader]
        except (SyntaxError, ValueError) as error:
            place = Location(source, getattr(error, "lineno", None), getattr(error, "offset", None))
            message = re.sub(r"^Parser error at line .*?: ", "", str(getattr(error, "msg", error)))
            raise InputError(f"this is not RDF: {message}", place) from None
        self.triples = _numbered(triples, text, count(1) if numbers is None else numbers)
        self.prefixes = {iri: prefix for prefix, iri in reader.prefixes.items()}


def graphs_of(paths: Iterable[Path]) -> list[Graph]:
    """Read files of RDF, in which different blank nodes have different names."""
    numbers = count(1)
    return [Graph(read_bytes(path), path, numbers) for path in paths]


def _numbered(triples: list[Triple], text: bytes, numbers: Iterator[int]) -> list[Triple]:
    """Number the blank nodes without a label as they occur: the reader gives them new names every time."""
    import pyoxigraph  # noqa: PLC0415  (an extra)

    nodes = {
        term.value: term
        for subject, _, thing in triples
        for term in (subject, thing)
        if isinstance(term, pyoxigraph.BlankNode)
    }
    if not nodes:
        return triples
    named = {label.decode(errors="replace") for found in _LABELS.findall(text) for label in found if label}
    free = (name for number in numbers if (name := f"anon{number}") not in named)
    names = {
        label: node if label in named else pyoxigraph.BlankNode(next(free)) for label, node in nodes.items()
    }

    def renamed(term: Any) -> Any:
        return names[term.value] if isinstance(term, pyoxigraph.BlankNode) else term

    return [(renamed(subject), predicate, renamed(thing)) for subject, predicate, thing in triples]


class Names:
    """Short names for the IRIs of some graphs: those of predicates among each other, and all others."""

    def __init__(self, graphs: Sequence[Graph]) -> None:
        prefixes = {iri: prefix for graph in graphs for iri, prefix in graph.prefixes.items()}
        classes, properties, others = set[str](), set[str](), set[str]()
        for subject, predicate, thing in (triple for graph in graphs for triple in graph.triples):
            is_class = _is_class(predicate, thing)
            (classes if is_class else properties).add(thing.value if is_class else predicate.value)
            others.update(x.value for x in (subject, thing) if _is_iri(x) and not (is_class and x is thing))
        # A class and a property of the same IRI have different numbers of arguments.
        keys = [("class", iri) for iri in sorted(classes)] + [("property", iri) for iri in sorted(properties)]
        named = _shortest({key: [*map(_small, _spellings(key[1], prefixes)), " ".join(key)] for key in keys})
        self._predicates: Mapping[tuple[str, str], str] = named
        self._things = _shortest({iri: list(_spellings(iri, prefixes)) for iri in sorted(others)})

    def facts(self, graph: Graph) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Iterate over the facts of a graph."""
        for subject, predicate, thing in graph.triples:
            if _is_class(predicate, thing):
                yield self._predicates["class", thing.value], (self._symbol(subject),)
            else:
                name = self._predicates["property", predicate.value]
                yield name, (self._symbol(subject), self._symbol(thing))

    def _symbol(self, term: Any) -> str:
        if hasattr(term, "datatype"):
            return literal_symbol(term.value, term.language, term.datatype.value)
        return symbol_of(self._things[term.value] if _is_iri(term) else str(term))


def literal_symbol(text: str, language: str | None, datatype: str) -> str:
    """Return the constant of a literal.

    >>> [literal_symbol("7", None, _XSD + kind) for kind in ("integer", "string", "date")]
    ['7', '"7"', '"7^^date"']
    """
    if language:
        return symbol_of(Text(f"{text}@{language}"))
    if datatype == f"{_XSD}boolean" and text in ("true", "false", "1", "0"):
        return "true" if text in ("true", "1") else "false"
    if datatype in _NUMBERS:
        try:
            return symbol_of(Decimal(text))
        except (InvalidOperation, ValueError):  # not a number in spite of its datatype, or INF
            pass
    if datatype == f"{_XSD}string":
        return symbol_of(Text(text))
    return symbol_of(Text(f"{text}^^{_local(datatype) or datatype}"))


def from_rdf(source: str | Path, **options: Any) -> KnowledgeBase:
    """Build a knowledge base from RDF.

    Args:
        source: a file, or text in Turtle, of which N-Triples are a part.
        options: those of `KnowledgeBase.from_path` for a file, of `KnowledgeBase.from_facts` for text. With a
            mapping (`auto`), classes are tables of entities, and literals are typed like columns.

    Raises:
        InputError: for what is not RDF, with its place.
        MissingExtraError: if pyoxigraph is not installed.
    """
    from logicoder.kb.builder import KnowledgeBaseBuilder  # noqa: PLC0415  (builders know all of this room)
    from logicoder.kb.knowledge_base import KnowledgeBase  # noqa: PLC0415

    if isinstance(source, Path) or not re.search(r"[\s<>]", source):
        how = {} if "mapping" in options else {"format": "rdf"}
        return KnowledgeBase.from_path(source, **how, **options)
    interpretation = options.pop("interpretation", "data")
    builder = KnowledgeBaseBuilder(options.pop("schema", None), **options)
    world = builder.interpretation(interpretation)
    graph = Graph(source.encode())
    for name, symbols in Names([graph]).facts(graph):
        builder.add(name, symbols, world)
    return builder.build()


def _is_class(predicate: Any, thing: Any) -> bool:
    """Whether a triple says of which class something is: neither literals nor triples are classes."""
    return predicate.value == TYPE and hasattr(thing, "value") and not hasattr(thing, "datatype")


def _is_iri(term: Any) -> bool:
    return hasattr(term, "value") and str(term).startswith("<")  # quoted triples begin likewise


def _local(iri: str) -> str:
    return unquote(re.split(r"[#/]", iri.rstrip("#/"))[-1])


def _small(name: str) -> str:
    return name[:1].lower() + name[1:]


def _spellings(iri: str, prefixes: Mapping[str, str]) -> Iterable[str]:
    """Return ways to write an IRI, the shortest first."""
    local = _local(iri)
    if local:
        yield local
        for start, prefix in prefixes.items():
            if prefix and iri.startswith(start) and "/" not in iri[len(start) :]:
                yield f"{prefix}_{local}"
    yield iri


def _shortest(spellings: Mapping[Key, list[str]]) -> dict[Key, str]:
    """Return for each key the first of its spellings that no other key has."""
    uses = Counter(text for several in spellings.values() for text in dict.fromkeys(several))
    return {
        key: next((t for t in several if uses[t] == 1), several[-1]) for key, several in spellings.items()
    }
