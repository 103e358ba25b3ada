"""Proposed clauses, judged exactly: what each derives on data, and what it is worth beside a program.

Each clause is judged by itself. Its support and its exceptions are counted on the facts as they are; its bits
are those of the message with it, alone and in the list of clauses that the program has for its predicate, at
the best place and without those that it makes idle. Other predicates are said as before, so what no such list
can save bounds what accepting the clause can gain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from logicoder.autoencoder.auditor import Auditor
from logicoder.autoencoder.proposed_clauses import Proposal
from logicoder.autoencoder.verdict import Verdict
from logicoder.base.errors import UsageError
from logicoder.compression.message import Message
from logicoder.compression.plan import Plan
from logicoder.kb.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class Audit:
    """Verdicts, those of which the program gains most first, and what could not be judged last.

    Attributes:
        rows: the verdicts.
        bits: of the message as it is.
        plain_bits: of the plain facts.
    """

    rows: tuple[Verdict, ...]
    bits: float
    plain_bits: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        rows = [{**asdict(row), "accepted": row.accepted} for row in self.rows]
        for row in rows:
            row |= {
                k: round(row[k], 3) + 0.0 for k in ("bits", "alone", "beside", "bound") if row[k] is not None
            }
        return {"bits": round(self.bits, 3), "plain_bits": round(self.plain_bits, 3), "rules": rows}

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return "\n".join(
            f"line {row.line}: {row.problem}: {row.clause}"
            if row.problem
            else f"{'accept' if row.accepted else 'reject'}  {row.clause}  {row.true:,} of {row.derived:,}"
            for row in self.rows
        )


def audit(plan: Plan | None, kb: KnowledgeBase, proposals: Sequence[Proposal]) -> Audit:
    """Judge proposals beside a plan on data.

    Args:
        plan: how the data are said in few bits.
        kb: the data, background included.
        proposals: clauses over the predicates of the data.
    """
    if plan is None:
        raise UsageError("only models learned by description length can evaluate proposals")
    auditor = Auditor(Message.of(plan, kb))
    rows = []
    for proposal in proposals:
        if proposal.clause is None:
            rows.append(Verdict(proposal.line, proposal.text, proposal.problem))
            continue
        for body in proposal.clause.alternatives:  # each alternative is a clause of its own
            rows.append(auditor.verdict(proposal.line, replace(proposal.clause, alternatives=(body,))))
    rows.sort(key=lambda row: (bool(row.problem), -_gain(row), row.line))
    return Audit(tuple(rows), auditor.message.bits, auditor.message.plain_bits)


def _gain(row: Verdict) -> float:
    return float("-inf") if row.beside is None else row.beside
