"""Names and texts as SQL takes them: the one place where either becomes part of a query."""

from __future__ import annotations


def quoted(name: str) -> str:
    """Return a name as SQL takes it, whatever it is: a keyword, with blanks, with quotation marks.

    >>> print(quoted('a "select" b'))
    "a ""select"" b"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL takes it.

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"


def spark_quoted(name: str) -> str:
    """Return a name as Spark takes it.

    >>> print(spark_quoted("a`b"))
    `a``b`
    """
    return "`" + name.replace("`", "``") + "`"


def spark_literal(text: str) -> str:
    r"""Return a text as Spark takes it: what follows a backslash is special.

    >>> print(spark_literal("it's"))
    'it\'s'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
