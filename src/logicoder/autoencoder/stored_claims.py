"""What a message expects of predicates whose facts stay where they are: their atoms, judged by counts.

The claims are those of `logicoder.autoencoder.claims`. Here every atom that any of them derives is a row of
one table, with the claim that it belongs to: the first that derives it, as coverage classes decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from logicoder.autoencoder.claims import CLOSURES, DENSE, GENERAL, Record
from logicoder.autoencoder.converses import Turned, converses_in
from logicoder.autoencoder.stored_base_rates import StoredBaseRates
from logicoder.compression.stored_message import StoredMessage
from logicoder.engine.sql.bit_masks import has
from logicoder.engine.sql.join_sizes import JoinSizes, most_tuples
from logicoder.engine.sql.query_coverage import FACT, covered_atoms
from logicoder.engine.sql.relations import WORLD, argument_columns, listed
from logicoder.engine.sql.space_counts import MOST_RULES
from logicoder.logic.rules import Rule

if TYPE_CHECKING:
    from logicoder.compression.plan import Step

CLAIM, INSIDE = "c", "i"
"""Columns beside those of an atom: its claim, and whether it is within the domains."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StoredClaim(Record):
    """Atoms of a predicate that something derives beyond what the claims before it do.

    Attributes:
        number: of the claim, in the column of the table.
        inside: whether these are the atoms within the domains, or those outside.
        atoms: how many there are.
    """

    number: int
    inside: bool
    atoms: int

    @property
    def test(self) -> str:
        """The condition that a row belongs to it."""
        return f"({CLAIM} = {self.number} AND {INSIDE} = {int(self.inside)})"


@dataclass(frozen=True)
class StoredExpected:
    """What is expected of one predicate.

    Attributes:
        predicate: its name.
        table: every atom that a claim derives, with the claim, whether it is inside, and whether a fact.
        claims: the claims, those of the message first.
        rates: how common values are.
        unexplained: the table of facts that no claim derives that speaks for them.
        odd: the table of those among them that no claim derives that is mostly right, lift or no lift.
        missing: how many are unexplained.
        odds: how many are odd.
    """

    predicate: str
    table: str
    claims: tuple[StoredClaim, ...]
    rates: StoredBaseRates
    unexplained: str
    odd: str
    missing: int
    odds: int

    @property
    def judged(self) -> bool:
        """Whether there is a claim that is mostly right."""
        return any(claim.mostly_right for claim in self.claims)


@dataclass(frozen=True)
class _Source:
    """What derives atoms: its evidence, the query for them, and the clause that it turns round."""

    evidence: str
    query: str
    turned: Turned | None = None


class StoredClaims:
    """The claims of a message about stored data.

    Args:
        message: the plan and the data.
    """

    def __init__(self, message: StoredMessage) -> None:
        self._message, self._data, self._counts = message, message.data, message.counts
        self._session = message.data.session
        self._world = [WORLD] if message.data.several else []
        self._sizes = JoinSizes(self._data, self._data.relations)
        self._most = most_tuples(self._data)

    def __iter__(self) -> Iterator[StoredExpected]:
        converses = converses_in(self._message.plan)
        for step in self._message.plan:
            # Tables of latent predicates are made of the data, and nothing can be wrong with them.
            if step.predicate in self._message.known:
                yield self._expected(step, converses.get(step.predicate, ()))

    def _expected(self, step: Step, converses: Sequence[Turned]) -> StoredExpected:
        name, session = step.predicate, self._session
        closing, base = self._closed(step)
        sources = [*closing, *self._rules(step, converses), *self._rest(step)][:MOST_RULES]
        columns = listed(self._data.columns(name))
        flag = self._data.mapping is not None and len(self._message.schema[name].types) == 1
        rates = StoredBaseRates(self._data, name, self._counts.plain(name)[0] if flag else 0)
        given = f"SELECT {columns} FROM ({base}) AS g" if base else ""
        claims: list[StoredClaim] = []
        table = ""
        if sources:
            covered = self._covered(step, sources)
            claims, standing = self._claims(name, covered, sources)
            whens = " ".join(f"WHEN {has(number)} THEN {number}" for number in standing)
            told = f"CASE {whens} ELSE -1 END AS {CLAIM}" if standing else f"-1 AS {CLAIM}"
            query = f"SELECT {columns}, {told}, {INSIDE}, {FACT} FROM {covered}"
            table = session.table(query, f"judging what is expected of {name}")
            session.drop(covered)
            lift = rates.lift(table, [f"{CLAIM} = {number}" for number in standing])
            lifts = dict(zip(standing, lift, strict=True))
            claims = [replace(claim, lifts=lifts[claim.number]) for claim in claims]

        def left(known: Iterable[StoredClaim]) -> tuple[str, int]:
            """Return the table of facts that neither the base nor claims explain, and how many these are."""
            tests = " OR ".join(claim.test for claim in known)
            parts = [given] if given else []
            parts += [f"SELECT {columns} FROM {table} WHERE {tests}"] if tests else []
            rest = f"SELECT {columns} FROM {self._data.relations[name].table}"
            query = f"{rest} EXCEPT ({' UNION '.join(parts)})" if parts else rest
            found = session.table(query, f"looking for facts of {name} that nothing explains")
            return found, session.value(f"SELECT count(*) FROM {found}", f"counting {name}")

        right = [claim for claim in claims if claim.mostly_right]
        odd = left(right)
        unexplained = odd if all(claim.lifts for claim in right) else left(c for c in right if c.lifts)
        (first, missing), (second, odds) = unexplained, odd
        return StoredExpected(name, table, tuple(claims), rates, first, second, missing, odds)

    # -- what derives atoms -------------------------------------------------------------------------------

    def _closed(self, step: Step) -> tuple[list[_Source], str]:
        """Return what a diagonal told apart and a closure derive, and the query for the base of a closure."""
        name, found = step.predicate, []
        facts = self._data.relations[name].table
        if step.paired:
            columns = listed([*self._world, "a2 AS a1", "a1 AS a2"])
            turned = f"SELECT {columns} FROM {facts} WHERE a1 <> a2"  # otherwise it would speak for itself
            found.append(_Source(CLOSURES["symmetric"].format(name), turned))
        if step.apart:
            entities, _ = self._counts.listed_entities(self._message.schema[name].types[0])
            query = f"SELECT {listed([*self._world, 'v AS a1', 'v AS a2'])} FROM {entities}"
            found.append(_Source(f"{name}(X,X).", query))
        closed = self._message.closed(step)
        if closed is None:
            return found, ""
        columns = listed(self._data.columns(name))
        derived = f"SELECT {columns} FROM {closed.derived} EXCEPT SELECT {columns} FROM {closed.base}"
        evidence = CLOSURES.get(step.form, "").format(name)
        if step.recursion is not None:
            evidence = _text(name, step.recursion)
        found.append(_Source(evidence, self._both_sides(step, derived)))
        return found, self._both_sides(step, f"SELECT {columns} FROM {closed.base}")

    def _rules(self, step: Step, converses: Sequence[Turned]) -> Iterator[_Source]:
        name = step.predicate
        closes = step.recursion is not None or step.form in ("transitive", "equivalence")
        for rule in [] if closes else step.rules:
            if self._sizes.within(rule, self._most):  # what cannot be listed is no evidence
                query = self._both_sides(step, self._message.query(name, rule))
                yield _Source(_text(name, rule), query)
        for turned in converses:
            if self._sizes.within(turned.converse, self._most):
                query = self._message.query(name, turned.converse)
                yield _Source(_text(name, turned.converse), query, turned)

    def _both_sides(self, step: Step, query: str) -> str:
        if not step.paired:
            return query
        turned = listed([*self._world, "a2 AS a1", "a1 AS a2"])
        columns = listed(self._data.columns(step.predicate))
        return f"SELECT {columns} FROM ({query}) AS s UNION SELECT {turned} FROM ({query}) AS s"

    def _rest(self, step: Step) -> Iterator[_Source]:
        """Iterate over the claim of all atoms within the domains, if facts are dense among them."""
        name = step.predicate
        types = self._message.schema[name].types
        if len(types) > len(GENERAL):
            return
        if not types:
            if self._data.counts[name] >= DENSE * len(self._data.worlds):
                yield _Source(GENERAL[0].format(name), self._data.every_world())
            return
        values = self._values(step)
        if self._counts.possible([counts for _, counts in values]) * DENSE > self._data.counts[name]:
            return
        columns = argument_columns(len(types))
        selected = [f"v{place}.v AS {column}" for place, column in enumerate(columns)]
        sources = ", ".join(f"{table} AS v{place}" for place, (table, _) in enumerate(values))
        world = [f"v0.{WORLD}" for _ in self._world]
        where = f" WHERE v0.{WORLD} = v1.{WORLD}" if self._world and len(types) == 2 else ""
        query = f"SELECT {listed([*world, *selected])} FROM {sources}{where}"
        yield _Source(GENERAL[len(types) - 1].format(name), query)

    def _values(self, step: Step) -> list[tuple[str, dict[str | None, int]]]:
        """Return the values of each place: those in the facts where its domain is told, else all."""
        look = self._message.look(step)
        found = []
        for place, kind in enumerate(self._message.schema[step.predicate].types):
            places = (0, 1) if look.symmetric else (place,)
            told = place in look.told
            found.append(
                self._counts.values(step.predicate, places) if told else self._counts.listed_entities(kind)
            )
        return found

    # -- judging ------------------------------------------------------------------------------------------

    def _covered(self, step: Step, sources: Sequence[_Source]) -> str:
        """Return the table of all atoms, each with the sources that derive it as bits of a number."""
        facts = self._data.relations[step.predicate]
        inside, domains = [], []
        look = self._message.look(step)
        own = argument_columns(facts.arity)
        for place, (table, _) in enumerate(self._values(step)):
            if place in look.told:
                # Joins with what has every value once: Spark tests for existence in conditions alone.
                on = [f"d{place}.v = s.{own[place]}", *(f"d{place}.{c} = s.{c}" for c in self._world)]
                domains.append(f"LEFT JOIN {table} AS d{place} ON {' AND '.join(on)}")
                inside.append(f"d{place}.v IS NOT NULL")
        within = f"CASE WHEN {' AND '.join(inside)} THEN 1 ELSE 0 END" if inside else "1"
        queries = [source.query for source in sources]
        query = covered_atoms(self._data, facts, queries, [f"{within} AS {INSIDE}"], domains)
        shown = "; ".join(source.evidence for source in sources[:3])
        return self._session.table(query, f"deriving what is expected of {step.predicate} ({shown})")

    def _claims(
        self, name: str, covered: str, sources: Sequence[_Source]
    ) -> tuple[list[StoredClaim], list[int]]:
        """Return the claims, in order, and the numbers of those sources that stand."""
        query = f"SELECT m0, {INSIDE}, {FACT}, count(*) FROM {covered} GROUP BY m0, {INSIDE}, {FACT}"
        left = [tuple(map(int, row)) for row in self._session.rows(query, f"counting claims about {name}")]
        found, standing = list[StoredClaim](), list[int]()
        for number, source in enumerate(sources):
            fresh = [row for row in left if row[0] >> number & 1]
            total = sum(count for *_, count in fresh)
            true = sum(count for _, _, fact, count in fresh if fact)
            if source.turned is not None and 2 * true <= total:
                continue
            standing.append(number)
            left = [row for row in left if not row[0] >> number & 1]
            inside = sum(count for _, within, _, count in fresh if within)
            for within, atoms, derived in ((True, inside, inside), (False, total - inside, total)):
                if atoms:
                    claim = StoredClaim(
                        evidence=source.evidence,
                        true=true,
                        derived=derived,
                        turned=source.turned,
                        number=number,
                        inside=within,
                        atoms=atoms,
                    )
                    found.append(claim)
        return found, standing


def _text(predicate: str, rule: Rule) -> str:
    return str(rule.clause(predicate))
