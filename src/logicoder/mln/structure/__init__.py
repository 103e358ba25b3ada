"""Which clauses? Structure learning: bottom-up from the data, or all clauses within limits."""
