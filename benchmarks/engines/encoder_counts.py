"""The DuckDB engine beside plain queries for the same counts: bodies of two literals over FB15k-237.

    python benchmarks/engines/encoder_counts.py [--relations NUMBER]

All connected bodies of two literals over the largest relations, with each choice of head variables, whose
joins the engine would make: how many head tuples there are, as for encoders; and for pairs, how many of them
are facts of each of these relations, as for decoders. The engine counts as it does while it learns: one by
one, and by coverage classes. Plain queries are what a careful person writes by hand: distinct only where
tuples repeat, and a semi-join where a literal only filters. They read the same texts, and once more whole
numbers in their place, in a database in memory. Processor seconds of two threads; a difference in any count
ends the run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from common import Journal, Stopwatch, require_data, speed_parser, table

from engines.duckdb_sql import count_query
from engines.question import Literal, Question
from logicoder.engine.sql.join_sizes import JoinSizes, most_tuples
from logicoder.engine.sql.space_counts import MOST_RULES, Look, SpaceCounts
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_sources import Opening, open_stored
from logicoder.logic.rules import Literal as RuleLiteral
from logicoder.logic.rules import Rule, clause_of

THREADS = 2
_SECOND = ((1, 2), (2, 1), (0, 2), (2, 0), (0, 1), (1, 0))
"""The variables of the second literal, where those of the first are 0 and 1."""

Counts = dict[Any, int]


def rules_over(names: Sequence[str]) -> Iterator[Rule]:
    """Yield all bodies of two literals, each with all heads of one variable or two."""
    for first, second in combinations_with_replacement(names, 2):
        for variables in _SECOND:
            if first == second and variables in ((0, 1), (2, 0)):
                continue  # the same literal twice, and what comes in another order
            body = (RuleLiteral(first, (0, 1)), RuleLiteral(second, variables))
            known = sorted({0, 1, *variables})
            heads = [(v,) for v in known] + [(a, b) for a in known for b in known if a < b]
            for head in heads:
                yield Rule(head, body)


def sizes_by_engine(data: StoredData, rules: Sequence[Rule]) -> Counts:
    """Return the number of head tuples of each body, by the engine's own queries."""
    found = {}
    for rule in rules:
        clause = clause_of("latent", rule.head, rule.body)
        query = data.runs.queries.select(clause.head, clause.alternatives[0], data.relations)
        found[rule] = data.session.value(f"SELECT count(*) FROM ({query}) AS tuples", "counting")  # noqa: S608
    return found


def facts_by_engine(data: StoredData, rules: Sequence[Rule], names: Sequence[str]) -> Counts:
    """Return how many head tuples of each body are facts of each relation, by coverage classes."""
    counts = SpaceCounts(data, data.known_schema)
    found: Counts = {}
    for name in names:
        for start in range(0, len(rules), MOST_RULES):
            some = rules[start : start + MOST_RULES]
            classes = counts.classes(Look(name), some, data.relations)
            for place, rule in enumerate(some):
                found[rule, name] = sum(true for mask, _, true in classes if mask >> place & 1)
    return found


class Plain:
    """Tables of a database in memory, and queries as written by hand."""

    def __init__(self, data: StoredData, names: Sequence[str], *, numbers: bool) -> None:
        import duckdb  # noqa: PLC0415  (an extra)

        self._tables = {name: f"r{place}" for place, name in enumerate(names)}
        self.connection = duckdb.connect(":memory:", config={"threads": THREADS})
        codes: dict[str, int] = {}
        for name, own in self._tables.items():
            rows = data.session.rows(f"SELECT a1, a2 FROM {data.relations[name].table}", "copying")  # noqa: S608
            columns: list[list[Any]] = [[row[0] for row in rows], [row[1] for row in rows]]
            if numbers:
                columns = [[codes.setdefault(text, len(codes)) for text in column] for column in columns]
            query = f"CREATE TABLE {own} AS SELECT unnest($1) AS c0, unnest($2) AS c1"
            self.connection.execute(query, columns)

    def _question(self, rule: Rule) -> Question:
        body = tuple(Literal(self._tables[item.predicate], item.arguments) for item in rule.body)
        return Question(rule.head, (body,), ())

    def sizes(self, rules: Sequence[Rule]) -> Counts:
        """Return the number of head tuples of each body."""
        return {rule: self._row(rule, ())[1] for rule in rules}

    def facts(self, rules: Sequence[Rule], names: Sequence[str]) -> Counts:
        """Return how many head tuples of each body are facts of each relation: a query for each of both."""
        return {(rule, name): self._row(rule, [self._tables[name]])[2][0] for rule in rules for name in names}

    def _row(self, rule: Rule, targets: Sequence[str]) -> tuple[Any, ...]:
        (found,) = self.connection.execute(count_query(0, self._question(rule), targets)).fetchall()
        return tuple(found)


def timed(work: Callable[[], Counts]) -> tuple[Counts, float]:
    """Return counts, and the processor seconds that they took."""
    watch = Stopwatch()
    with watch.running():
        found = work()
    return found, watch.cpu


def main() -> None:
    """Count in all ways, and show the table."""
    parser = speed_parser(__doc__)
    parser.add_argument("--relations", type=int, default=4)
    options = parser.parse_args()
    train = require_data(options) / "fb15k237" / "train.txt.gz"
    with open_stored([train], Opening("duckdb", format="triples", jobs=THREADS)) as data:
        names = sorted(data.counts, key=lambda name: (-data.counts[name], name))[: options.relations]
        sizes = JoinSizes(data, data.relations)
        rules = [rule for rule in rules_over(names) if sizes.within(rule, most_tuples(data))]
        pairs = [rule for rule in rules if len(rule.head) == 2]
        texts, numbers = (Plain(data, names, numbers=given) for given in (False, True))
        rows = []
        for what, asked, engine, plain in (
            ("head tuples", rules, lambda: sizes_by_engine(data, rules), lambda way: way.sizes(rules)),
            (
                f"facts of {len(names)} relations",
                pairs,
                lambda: facts_by_engine(data, pairs, names),
                lambda way: way.facts(pairs, names),
            ),
        ):
            found, seconds = timed(engine)
            by_text, text_seconds = timed(lambda plain=plain: plain(texts))  # type: ignore[misc]
            by_number, number_seconds = timed(lambda plain=plain: plain(numbers))  # type: ignore[misc]
            if not found == by_text == by_number:
                wrong = next(key for key in found if not found[key] == by_text[key] == by_number[key])
                sys.exit(f"{wrong}: {found[wrong]}, {by_text[wrong]} and {by_number[wrong]}")
            rows.append([what, len(asked), *(f"{s:.2f}" for s in (seconds, text_seconds, number_seconds))])
            journal = Journal(options.results / "encoder_counts.jsonl")
            journal.add(
                {
                    "what": what,
                    "bodies": len(asked),
                    "engine": seconds,
                    "texts": text_seconds,
                    "numbers": number_seconds,
                }
            )
    print(table(("counts", "bodies", "engine", "plain, texts", "plain, numbers"), rows))


if __name__ == "__main__":
    main()
