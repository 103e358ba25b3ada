"""Facts as JSON, one object per line; a file is an interpretation.

    {"predicate": "father", "arguments": ["vader", "luke"]}
    {"predicate": "age", "arguments": ["luke", 19], "truth": "unknown"}

Text is an atom, a number a number, `true` and `false` the atoms of these names, and {"string": "Luke"} a
Prolog string. `truth` is `true` unless it is given. All that a knowledge base holds comes back as it was.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import InputError, shown
from logicoder.kb.formats.arrow_columns import LARGE, distinct_values, json_columns
from logicoder.kb.formats.grammar import Mention
from logicoder.kb.formats.text import TextFormat, blocks
from logicoder.kb.formats.tokens import SymbolIds, grouped
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.parser import place
from logicoder.logic.symbols import Text, symbol_of, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.knowledge_base import KnowledgeBase

_LINE = re.compile(r"[^\n]*[^\s][^\n]*")
_KEYS = {"predicate", "arguments", "truth"}
_SHAPE = 'a line is {"predicate": "father", "arguments": ["vader", "luke"]}'


class JsonLinesFormat(TextFormat):
    """JSON lines."""

    name = "jsonl"
    summary = "a JSON object per line: predicate and arguments"
    suffixes = (".jsonl", ".ndjson")

    def readers(
        self, builder: KnowledgeBaseBuilder, options: ReadOptions
    ) -> Callable[[Source], JsonLinesReader]:
        """See `TextFormat.readers`."""
        del options
        reader = JsonLinesReader(builder)
        return lambda source: reader  # noqa: ARG005

    def lines(self, kb: KnowledgeBase) -> Callable[[int, Path], Iterator[str]]:
        """See `TextFormat.lines`."""
        texts = [json.dumps(_plain(value_of(symbol)), ensure_ascii=False) for symbol in kb.symbols]

        def lines(world: int, path: Path) -> Iterator[str]:
            del path
            for name, truth, rows in blocks(kb, world):
                start = f'{{"predicate": {json.dumps(name, ensure_ascii=False)}, "arguments": ['
                end = "]}\n" if truth == "true" else f'], "truth": "{truth}"}}\n'
                for row in rows.tolist():
                    yield start + ", ".join([texts[i] for i in row]) + end

        return lines


class JsonLinesReader:
    """Reads one object after the other."""

    def __init__(self, builder: KnowledgeBaseBuilder) -> None:
        self._builder = builder
        self._ids = SymbolIds(builder, symbol_of)

    def load(self, text: str, source: str, world: int) -> None:
        """Add all facts of a text: by columns if it is large and all arguments are texts."""
        found = json_columns(text) if len(text) >= LARGE else None
        if found is None:
            for mention in self.mentions(text, source):
                self._builder.add(mention.predicate, mention.symbols, world, mention.truth)
            return
        predicates, arguments, arities = found
        names, named = distinct_values(predicates)
        values, codes = distinct_values(arguments)
        ids = self._ids.column(values, len(values))[codes]
        starts = np.cumsum(arities) - arities
        for chosen in grouped(named.astype(np.int64) * (int(arities.max(initial=0)) + 1) + arities):
            columns = np.arange(arities[chosen[0]])
            rows = ids[starts[chosen][:, None] + columns]
            self._builder.add_rows(names[named[chosen[0]]], rows, world)

    def mentions(self, text: str, source: str) -> Iterator[Mention]:
        """Iterate over the facts with their places."""
        for line in _LINE.finditer(text):
            try:
                found = json.loads(line[0], parse_constant=_refused)
                yield _mention(found, line.start())
            except json.JSONDecodeError as error:
                where = place(text, line.start() + error.pos, source)
                raise InputError(f"this is not JSON: {error.msg}", where, _SHAPE) from None
            except ValueError as error:
                raise InputError(str(error), place(text, line.start(), source), _SHAPE) from None


def _mention(found: Any, offset: int) -> Mention:
    if not isinstance(found, dict) or not {"predicate", "arguments"} <= found.keys() <= _KEYS:
        raise ValueError(f"{shown(found)} is not a fact")
    name, arguments, truth = found["predicate"], found["arguments"], found.get("truth", "true")
    if not isinstance(name, str) or not name:
        raise ValueError(f"{shown(name)} is not the name of a predicate")
    if not isinstance(arguments, list):
        raise ValueError(f"the arguments of {name} must be a list, not {shown(arguments)}")
    if truth not in TRUTHS:
        raise ValueError(f"the truth of a fact must be one of {', '.join(TRUTHS)}, not {shown(truth)}")
    return Mention(name, tuple(symbol_of(_value(argument)) for argument in arguments), truth, offset)


def _value(argument: Any) -> Any:
    if isinstance(argument, dict) and argument.keys() == {"string"} and isinstance(argument["string"], str):
        return Text(argument["string"])
    return argument


def _plain(value: Any) -> Any:
    return {"string": value.value} if isinstance(value, Text) else value


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is not a constant of a program")
