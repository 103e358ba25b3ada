"""How do tables become typed predicates? A mapping: proposed from keys and values, edited by people."""
