"""Candidates as lazy joins in polars, collected together; a body is shared by all its targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.question import Answer, Engine, Literal, Question, Tables, plan_of


class PolarsJoins(Engine):
    """Lazy joins."""

    name = "polars, bodies shared"

    def load(self, tables: Tables) -> None:
        """Take the data in: a data frame for each relation."""
        import polars  # noqa: PLC0415  (only where it is installed)

        self.pl = polars
        self.frames = {
            name: polars.DataFrame({f"c{i}": column for i, column in enumerate(columns)}).lazy()
            for name, columns in tables.items()
        }

    def _literal(self, literal: Literal) -> Any:
        """Return a literal as a frame with a column for each variable."""
        pl, frame = self.pl, self.frames[literal.table]
        place: dict[int, int] = {}
        for column, variable in enumerate(literal.variables):
            if variable in place:
                frame = frame.filter(pl.col(f"c{place[variable]}") == pl.col(f"c{column}"))
            place.setdefault(variable, column)
        return frame.select([pl.col(f"c{column}").alias(f"v{v}") for v, column in place.items()])

    def _conjunction(self, head: Sequence[int], body: Sequence[Literal]) -> Any:
        plan = plan_of(head, body)
        frame = self._literal(plan.first)
        if plan.second is not None:
            on = [f"v{v}" for v in plan.common]
            frame = frame.join(self._literal(plan.second), on=on, how="semi" if plan.semi else "inner")
        frame = frame.select([self.pl.col(f"v{v}").alias(f"h{i}") for i, v in enumerate(head)])
        return frame.unique() if plan.repeats else frame

    def prepare(self, questions: Sequence[Question]) -> list[Any]:
        """Return a lazy frame of one row for each question."""
        pl, plans = self.pl, []
        for question in questions:
            parts = [self._conjunction(question.head, body) for body in question.bodies]
            derived = parts[0] if len(parts) == 1 else pl.concat(parts).unique()
            on = [f"h{i}" for i in range(len(question.head))]
            for place, target in enumerate(question.targets):
                known = self.frames[target].rename({f"c{i}": f"h{i}" for i in range(len(question.head))})
                derived = derived.join(
                    known.with_columns(pl.lit(1, dtype=pl.Int64).alias(f"t{place}")), on=on, how="left"
                )
            sums = [pl.col(f"t{place}").sum() for place in range(len(question.targets))]
            plans.append(derived.select([pl.len().alias("size"), *sums]))
        return plans

    def run(self, prepared: list[Any]) -> list[Any]:
        """Collect all."""
        return list(self.pl.collect_all(prepared))

    def answers(self, questions: Sequence[Question], found: list[Any]) -> list[Answer]:
        """Return the answers."""
        rows = [frame.row(0) for frame in found]
        return [Answer(int(row[0]), tuple(map(int, row[1:]))) for row in rows[: len(questions)]]
