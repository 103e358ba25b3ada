"""Selection problems for other solvers: one formulation over 0/1 variables, and a translation for each."""
