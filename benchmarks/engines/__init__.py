"""Other engines that answer the same questions: SQL in DuckDB, joins in polars, grounding by clingo."""
