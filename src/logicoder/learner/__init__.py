"""How do they work together? The loop: enumerate, evaluate, prune, select."""
