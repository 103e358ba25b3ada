"""Which programs are considered? Language bias, enumeration, pruning: everything that builds a problem."""
