"""Rules over the data's own predicates: what they derive, counted for all heads at once."""
