"""Networks that predict one predicate at a time, from everything that does not depend on it."""
