"""How the bits of encoded data went while facts came and went."""

from __future__ import annotations

from logicoder.report.charts import Line, line_chart
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import Column, Row, table
from logicoder.report.sections.frame import section


def over_time(content: Content) -> Markup | None:
    """Return the bits over time, where there is a state."""
    history = content.history
    if not history:
        return None
    points = list(enumerate(history))
    expected, share = [], 1.0
    for i, moment in points:
        share = moment.share if moment.learned or not i else share
        expected.append((i, moment.plain_bits * (1 - share)))
    lines = [
        Line(
            "bits saved", "best", [(i, moment.plain_bits - moment.bits) for i, moment in points], steps=False
        ),
        Line("with the share of when it was learned", "bound", expected, steps=False),
    ]
    columns = [Column("update", numeric=True), Column("program")]
    names = ("facts", "added", "removed", "bits", "plain bits")
    columns += [Column(name, numeric=True) for name in (*names, "saved, %")]
    rows = [
        Row(
            (
                i,
                "learned" if moment.learned else "as before",
                *(moment.facts, moment.added, moment.removed, moment.bits, moment.plain_bits),
                round(100 * (1 - moment.share), 1),
            )
        )
        for i, moment in points
    ]
    last = history[-1]
    saved = last.plain_bits - last.bits
    told = f"Bits over time: {saved:,.0f} of {last.plain_bits:,.0f} saved after the last update"
    return section(
        "time",
        "Over time",
        element("p", f"{told}.", class_="note"),
        line_chart(lines, f"{told}; the numbers follow in a table", "updates", "bits"),
        table("The encoding after each update", columns, rows, sortable=True),
    )
