"""What is a program? Terms, atoms, literals, clauses and programs, with a parser and a printer."""

from logicoder.logic.terms import Atom, Clause, Constant, Literal, Program, Term, Variable

__all__ = ["Atom", "Clause", "Constant", "Literal", "Program", "Term", "Variable"]
