"""Constants as plain text, as tables of databases hold them: no two the same, and each can be read back."""

from __future__ import annotations

from logicoder.logic.symbols import BadEscapeError, symbol_of, value_of


def plain_constant(symbol: str) -> str:
    """Return a text for a constant, as people would write it, so that no two constants have the same.

    An atom is its own text, unless that reads like a number or starts with a quotation mark; such atoms, and
    strings, keep their quotation marks.

    >>> [plain_constant(symbol) for symbol in ("luke", "'Luke'", "7", "'7'", "'007'", '"7"', "2.5")]
    ['luke', 'Luke', '7', "'7'", '007', '"7"', '2.5']
    """
    value = value_of(symbol)
    if not isinstance(value, str):
        return symbol
    odd = value[:1] in ("'", '"') or any(c == "\0" or "\ud800" <= c < "\ue000" for c in value)
    if odd or _is_number(value):
        return symbol if symbol[0] == "'" else f"'{symbol}'"
    return value


def symbol_of_plain(text: str) -> str:
    """Return the constant that a text stands for: the inverse of `plain_constant`.

    >>> [symbol_of_plain(text) for text in ("luke", "Luke", "7", "'7'", "007", '"7"', "2.5")]
    ['luke', "'Luke'", '7', "'7'", "'007'", '"7"', '2.5']

    Raises:
        ValueError: for a quotation mark that nothing closes, and the like.
    """
    if text[:1] in ("'", '"'):
        if len(text) < 2 or text[-1] != text[0]:
            raise ValueError(f"the quotation mark of {text} is not closed")
        try:
            return symbol_of(value_of(text))
        except BadEscapeError as error:
            raise ValueError(str(error)) from None
    return text if _is_number(text) else symbol_of(text)


def _is_number(text: str) -> bool:
    """Whether a text is the canonical one of a number."""
    for kind in (int, float):
        try:
            return symbol_of(kind(text)) == text
        except ValueError:
            continue
    return False
