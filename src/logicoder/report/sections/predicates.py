"""The predicates: how each comes back, as bars and as a table that sorts."""

from __future__ import annotations

from logicoder.logic.symbols import atom_text
from logicoder.report.charts import bar, legend
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import Column, Row, table
from logicoder.report.sections.findings import facts_link
from logicoder.report.sections.frame import section


def predicates(content: Content) -> Markup:
    """Return how each predicate came back, as bars and numbers."""
    scores = content.totals.predicates
    rows = [
        Row(
            (
                element("a", element("code", atom_text(score.predicate)), href=facts_link(score.predicate)),
                # Shares: beside a predicate of thousands of facts nothing could be seen of one of ten.
                bar(
                    (("good", score.rebuilt), ("missing", score.missing), ("false", score.false)),
                    score.facts + score.false,
                ),
                *(score.facts, score.rebuilt, score.missing, score.false),
                round(100 * score.rebuilt / score.facts, 1) if score.facts else None,
            ),
            f"predicate-{place}",
        )
        for place, score in enumerate(scores)
    ]
    columns = (
        Column("predicate"),
        Column("shares", sorts=False),
        *(
            Column(name, numeric=True)
            for name in ("facts", "reconstructed", "missing", "false", "% reconstructed")
        ),
    )
    return section(
        "predicates",
        "Predicates",
        legend((("good", "reconstructed"), ("missing", "missing"), ("false", "false"))),
        table("How each predicate comes back", columns, rows, sortable=True),
    )
