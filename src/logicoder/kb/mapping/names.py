"""Names of tables and columns as names of types and predicates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER = re.compile(r"[^a-z0-9]+")
_IE = re.compile(r"(?:\A|_)(?:movi|cooki|zombi|calori|selfi|browni|pi|ti|di|li)es\Z")
_NO_PLURAL = re.compile(
    # In one word, `wars` is the end of a title; others are words of one thing, or short for several.
    r"(?:ss|us|is|news|series|species|[a-z]wars"
    r"|(?:\A|_)(?:mars|gas|bias|alias|atlas|canvas|lens|chaos|texas|dns|gps|sms|css|aws|ios|pos|cos|mathematics"
    r"|physics|economics|politics))\Z"
)
_KEY_WORDS = ("id", "key", "code", "nr", "no", "number", "ref", "fk")


def identifier(name: str) -> str:
    """Return a name in small letters, digits and underscores, starting with a letter.

    >>> identifier("OrderLines"), identifier("ship country"), identifier("CustomerID"), identifier("Größe")
    ('order_lines', 'ship_country', 'customer_id', 'grosse')
    """
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode()
    found = _OTHER.sub("_", _CAMEL.sub("_", plain).lower()).strip("_")
    return found if found[:1].isalpha() else f"t_{found}".rstrip("_")


def singular(name: str) -> str:
    """Return the singular of an identifier, as far as its ending tells.

    >>> [singular(name) for name in ("customers", "cities", "boxes", "movies", "status", "species")]
    ['customer', 'city', 'box', 'movie', 'status', 'species']
    >>> [singular(name) for name in ("sizes", "quizzes", "waltzes")]
    ['size', 'quiz', 'waltz']
    >>> [singular(name) for name in ("wars", "starwars", "cars", "natural_gas", "metrics")]
    ['war', 'starwars', 'car', 'natural_gas', 'metric']
    """
    if _NO_PLURAL.search(name):
        return name
    if name.endswith("ies") and not _IE.search(name):
        return name[:-3] + "y"
    if name.endswith("zzes"):
        return name[:-3]
    if name.endswith(("xes", "ches", "shes", "sses", "tzes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and len(name) > 2 else name


def without_key_word(name: str) -> str:
    """Return the identifier of a foreign key without the word that says so.

    >>> without_key_word("customer_id"), without_key_word("id"), without_key_word("manager")
    ('customer', 'id', 'manager')
    """
    stem, _, last = name.rpartition("_")
    return stem if stem and last in _KEY_WORDS else name


def is_generic(name: str) -> bool:
    """Whether an identifier says no more than that it is a key."""
    return name in _KEY_WORDS or name in ("name", "title", "rowid", "uuid", "guid", "pk")


def last_word(name: str) -> str:
    """Return the last word of an identifier."""
    return name.rpartition("_")[2]


def unused(name: str, taken: Container[str]) -> str:
    """Return a name, numbered if it is taken.

    >>> unused("order", {"order", "order_2"})
    'order_3'
    """
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def is_key_name(column: str, table: str) -> bool:
    """Whether a column is called like the key of its table.

    >>> [is_key_name(column, "cars") for column in ("ID", "car_id", "maker_id")]
    [True, True, False]
    """
    thing = singular(identifier(table))
    return identifier(column) in ("id", "key", f"{thing}_id", f"{thing}id", f"{thing}_key")
