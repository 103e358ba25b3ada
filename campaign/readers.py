"""Facts in every format, programs, networks, mappings and configurations, damaged.

They are read, or refused with their place; and nothing is lost on the way.
"""

from __future__ import annotations

import gzip
import io
import logging
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.parquet

from campaign.fuzzing import Fuzzing, Target, bucket
from campaign.kind import FoundError
from logicoder import KnowledgeBase, Program
from logicoder.base.toml import toml_of
from logicoder.kb.mapping.mapping_file import mapping_text, read_mapping
from logicoder.kb.mapping.table_reader import read_tables, source_of
from logicoder.mln.alchemy.network_reader import read_network

_SCHEMA = b"likes(person,person)\nage(person,number)\nold(person)\n"
_TEXTS: dict[str, tuple[str, list[bytes]]] = {
    "prolog": ("one.pl", [
        b"likes(ann,bob). likes(bob,'O\\'Neil').\nage(ann,7). old(bob). \\+ old(ann).\n",
        b"% a comment\n:- dynamic p/2.\np(a, \"text\", -1.5e3). /* q(b). */ p('',[]). q.\n",
        b"likes(X,Y) :- old(X).\np(f(a),0'c). p(0x1f,1_000). r(a;b).\n",
    ]),
    "alchemy": ("one.db", [
        b'Likes(Ann,Bob)\n!Old(Ann)\nAge(Ann,"7")\n// words\n?Old(Bob)\n', b"P(A)\nQ(B,C)\n",
    ]),
    "tables": ("likes.csv", [
        b"ann,bob\nbob,'x'\n\"a,b\",\"say \"\"x\"\"\"\n", b"person,other\nann,7\nbob,8\n", b"a;b\nc;d\n",
    ]),
    "triples": ("graph.tsv", [b"ann\tlikes\tbob\nbob\tage\t7\n", b"head\trelation\ttail\na\tr\tb\n"]),
    "jsonl": ("one.jsonl", [
        b'["likes","ann","bob"]\n["age","ann",7]\n',
        b'{"predicate": "likes", "arguments": ["ann", 1.5]}\n'
        b'{"predicate": "old", "arguments": [], "truth": "false"}\n',
    ]),
    "rdf": ("one.nt", [
        b'<http://x/ann> <http://x/likes> <http://x/bob> .\n'
        b'<http://x/ann> <http://x/age> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
        b'_:b <http://x/p> "a"@en .\n',
    ]),
    "turtle": ("one.ttl", [
        b'@prefix x: <http://x/> .\nx:ann x:likes x:bob, [ x:age 7 ] ; a x:Person .\n'
        b'x:l x:is ( 1 2.5 true ) .\n',
    ]),
    "records": ("people.json", [
        b'[{"name": "ann", "age": 7, "born": "2001-02-03"}, {"name": "bob", "age": null, "tags": ["x"]}]\n',
        b'[{"id": 1, "tags": ["x", "y"], "pets": [{"kind": "cat", "toys": ["a"]}], "at": {"lat": 1.5}},'
        b' {"id": 2, "tags": [], "pets": [{"kind": "dog", "toys": [null]}], "at": {"lat": 2}}]\n',
    ]),
    "named columns": ("people.csv", [
        b"id,name,age,born\n1,ann,7,2001-02-03\n2,bob,8,2001-02-04\n3,cid,,2002-01-01\n",
    ]),
    "popper": ("exs.pl", [b"pos(old(ann)).\nneg(old(bob)).\n"]),
    "aleph": ("data.f", [b"old(ann).\n"]),
    "boostsrl": ("pos.txt", [b"old(ann).\nold(cid).\n"]),
}  # fmt: skip
_BESIDE = {
    "popper": {"bk.pl": b"likes(ann,bob).\n", "bias.pl": b"head_pred(old,1).\nbody_pred(likes,2).\n"},
    "aleph": {"data.b": b":- modeh(1,old(+person)).\nlikes(ann,bob).\n", "data.n": b"old(bob).\n"},
    "boostsrl": {"neg.txt": b"old(bob).\n", "facts.txt": b"likes(ann,bob).\n",
                 "bk.txt": b"mode: likes(+p,-p).\n"},
}  # fmt: skip
_NAMED = {"turtle": "rdf", "records": None, "named columns": None}


def _read(path: Path, **options: Any) -> object:
    """Read facts; every so often, what was read must come back from Prolog."""
    found = KnowledgeBase.from_path(path, **options)
    shape = tuple(sorted((p.arity, p.open_world, len(set(p.types))) for p in found.schema.values()))
    effect = (shape[:4], len(found.interpretations), bucket(len(found)))
    if hash(effect) % 16 == 0 and path.is_file():
        again = path.parent.parent / "again.pl"
        found.save(again, "prolog")
        back = KnowledgeBase.from_path(again)
        if sorted(map(str, back)) != sorted(map(str, found)):
            raise FoundError(f"{len(found)} facts became {len(back)} others")
    return effect


def _read_folder(path: Path, **options: Any) -> object:
    return _read(path.parent, **options)


def _beside(path: Path) -> object:
    """Read sound facts under a damaged declaration."""
    return _read(path.with_name("one.pl"), schema=path)


def _program(path: Path) -> object:
    program = Program.parse(path.read_text(errors="replace"))
    if Program.parse(str(program)) != program:
        raise FoundError("a program is read as another than it is written")
    return bucket(len(program.clauses)), max((len(c.alternatives) for c in program), default=0)


def _query(path: Path) -> object:
    return bucket(len(_people().query(path.read_text(errors="replace"))))


def _network(path: Path) -> object:
    return bucket(len(read_network(path).formulas))


def _mapping(path: Path) -> object:
    return bucket(len(read_mapping(path).tables))


def _mapped(path: Path) -> object:
    kb, _ = read_tables(source_of([path.with_name("people.csv")]), path, None, None)
    return bucket(len(kb))


def _toml(path: Path) -> object:
    return len(toml_of(path.read_text(errors="replace"), str(path)))


@cache
def _people() -> KnowledgeBase:
    return KnowledgeBase.from_facts([("likes", "ann", "bob"), ("old", "bob"), ("age", "ann", 7)])


def _parquet(*names: str) -> bytes:
    stream = io.BytesIO()
    table = pyarrow.table({"name": ["ann", "bob"], "age": [7, None], "note": ["x", "y"]})
    pyarrow.parquet.write_table(table.select(names), stream, compression="none")
    return stream.getvalue()


def _arrow() -> bytes:
    stream = io.BytesIO()
    pyarrow.feather.write_feather(
        pyarrow.table({"name": ["ann", "bob"], "age": [7, 8]}), stream, compression="uncompressed"
    )
    return stream.getvalue()


def _database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            "PRAGMA page_size=512; VACUUM; CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, age REAL);"
            "INSERT INTO people VALUES (1,'ann',7),(2,'bob',NULL),(3,x'00ff','x');"
        )
        return connection.serialize()


_NETWORK = b"""\
person = {Ann, Bob}
likes(person,person)
old(person)
1.5 old(x) ^ likes(x,y) => old(y)
-0.3 EXIST y likes(x,y) v !old(x)
old(x) <=> likes(x,x).
"""
_PROGRAM = b"""\
friend(X,Y) :- likes(X,Y), likes(Y,X).
alone(X) :- age(X,_), \\+ friend(X,X), X \\= ann.  % words
path(X,Z) :- likes(X,Z) ; likes(X,Y), path(Y,Z).
young(X) :- age(X,A), A < 9.
"""


@cache
def _proposed() -> list[bytes]:
    """Return a mapping as the library proposes it."""
    logging.getLogger("logicoder").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "people.csv"
        table.write_bytes(_TEXTS["named columns"][1][0])
        return [mapping_text(read_tables(source_of([table]), None, None, None)[1]).encode()]


@cache
def _targets() -> dict[str, Target]:
    found: dict[str, Target] = {}
    for name, (file, sound) in _TEXTS.items():
        beside = _BESIDE.get(name, {})
        read: Callable[[Path], object] = partial(
            _read_folder if beside else _read, format=_NAMED.get(name, name)
        )
        found[name] = Target(file, sound, read, beside)
        found[f"{name}, any"] = Target(file, sound, _read_folder if beside else _read, beside)
    for name in ("prolog", "alchemy", "tables", "jsonl"):
        file, sound = _TEXTS[name]
        folder = partial(_read_folder, format=name)
        found[f"{name}, declared"] = Target(file, sound, folder, {"schema.mln": _SCHEMA})
        found[f"{name}, packed"] = Target(f"{file}.gz", sound, partial(_read, format=name), packed=True)
    file, sound = _TEXTS["prolog"]
    found["lenient"] = Target(file, sound, partial(_read, lenient=True))
    found["schema"] = Target("schema.mln", [_SCHEMA], _beside, {"one.pl": sound[0].split(b"\n", 1)[0]})
    found["gzip"] = Target("one.pl.gz", [gzip.compress(sound[0])], _read)
    found["parquet facts"] = Target("age.parquet", [_parquet("name", "age")], _read)
    found["parquet"] = Target("people.parquet", [_parquet("name", "age", "note")], _read)
    found["arrow"] = Target("people.arrow", [_arrow()], _read)
    found["sqlite"] = Target("people.db", [_database()], _read)
    found["program"] = Target("program.pl", [_PROGRAM], _program)
    found["query"] = Target("query", [b"likes(X,Y), \\+ old(X), X \\= Y", b"age(ann,A), A >= 7"], _query)
    found["network"] = Target("one.mln", [_NETWORK], _network)
    found["mapping"] = Target("mapping.toml", _proposed(), _mapping)
    table = {"people.csv": _TEXTS["named columns"][1][0]}
    found["mapped"] = Target("mapping.toml", _proposed(), _mapped, table)
    found["configuration"] = Target("fit.toml", [b'seed = 3\n[fit]\neffort = 0.5\nlimit = ["a=1"]\n'], _toml)
    return found


READERS = Fuzzing("readers", _targets)
