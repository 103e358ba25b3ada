"""Arithmetic coding: choices as bytes, each in as many bits as its probability deserves.

All arithmetic is that of whole numbers, so that every machine reads what another one wrote.
"""

from __future__ import annotations

_BYTES = 7
_WIDTH = 8 * _BYTES
_LEAST = 1 << (_WIDTH - 8)
_MASK = (1 << _WIDTH) - 1
_FINE = 24
"""One choice is made among at most 2 to this number of parts; larger ones are made in several steps."""


def _scaled(ones: int, total: int) -> tuple[int, int]:
    """Return a probability strictly between 0 and 1 as a fraction whose denominator is small enough."""
    down = max(0, total.bit_length() - _FINE)
    return (ones, total) if not down else (min(max(1, ones >> down), (total >> down) - 1), total >> down)


def _steps(total: int) -> tuple[int, list[int]]:
    """Return among how many to choose first, and how many bits follow in each further step."""
    down = max(0, (total - 1).bit_length() - _FINE)
    return ((total - 1) >> down) + 1, [_FINE] * (down // _FINE) + [down % _FINE] * bool(down % _FINE)


class ArithmeticEncoder:
    """Writes choices.

    >>> encoder = ArithmeticEncoder()
    >>> for digit in (3, 1, 4, 1, 5, 9):
    ...     encoder.choose(digit, 10)
    >>> len(encoder.finished())
    3
    """

    def __init__(self) -> None:
        self._low, self._range = 0, _MASK
        self._out = bytearray()

    def _take(self, start: int, size: int, total: int) -> None:
        """Say that the choice lies in a part of what there is to choose from."""
        part = self._range // total
        self._low += part * start
        self._range = part * size if start + size < total else self._range - part * start
        self._carry()
        while self._range < _LEAST:
            self._out.append(self._low >> (_WIDTH - 8))
            self._low = (self._low << 8) & _MASK
            self._range <<= 8

    def _carry(self) -> None:
        if self._low > _MASK:  # it goes over into the bytes that are written already
            self._low &= _MASK
            place = len(self._out) - 1
            while self._out[place] == 0xFF:
                self._out[place] = 0
                place -= 1
            self._out[place] += 1

    def decide(self, holds: bool, ones: int, total: int) -> None:
        """Say yes or no, where `ones` of `total` cases are yes; nothing is written where that is certain."""
        if 0 < ones < total:
            ones, total = _scaled(ones, total)
            self._take(0 if holds else ones, ones if holds else total - ones, total)

    def choose(self, number: int, total: int) -> None:
        """Say one of `total` numbers from 0 on, all of them alike."""
        first, rest = _steps(total)
        left = sum(rest)
        self._take(number >> left, 1, first)
        for bits in rest:
            left -= bits
            self._take((number >> left) & ((1 << bits) - 1), 1, 1 << bits)

    def finished(self) -> bytes:
        """Return all bytes; zeros at the end are left out, as a reader takes them for granted."""
        for bits in range(_WIDTH, -1, -8):
            rounded = -(-self._low >> bits) << bits
            if rounded < self._low + self._range:
                self._low = rounded
                break
        self._carry()
        return bytes(self._out + self._low.to_bytes(_BYTES, "big")).rstrip(b"\0")


class ArithmeticDecoder:
    """Reads choices.

    >>> encoder = ArithmeticEncoder()
    >>> encoder.decide(True, 1, 1000)
    >>> encoder.choose(10**30, 10**40)
    >>> decoder = ArithmeticDecoder(encoder.finished())
    >>> decoder.decide(1, 1000), decoder.choose(10**40) == 10**30
    (True, True)
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, _BYTES
        self._range = _MASK
        self._code = int.from_bytes(data[:_BYTES].ljust(_BYTES, b"\0"), "big")

    def _find(self, total: int) -> int:
        return min(self._code // (self._range // total), total - 1)

    def _take(self, start: int, size: int, total: int) -> None:
        part = self._range // total
        self._code -= part * start
        self._range = part * size if start + size < total else self._range - part * start
        while self._range < _LEAST:
            following = self._data[self._place] if self._place < len(self._data) else 0
            self._code = (self._code << 8) | following
            self._range <<= 8
            self._place += 1

    def decide(self, ones: int, total: int) -> bool:
        """Read yes or no; see `ArithmeticEncoder.decide`."""
        if not 0 < ones < total:
            return ones > 0
        ones, total = _scaled(ones, total)
        holds = self._find(total) < ones
        self._take(0 if holds else ones, ones if holds else total - ones, total)
        return holds

    def choose(self, total: int) -> int:
        """Read a number; see `ArithmeticEncoder.choose`."""
        first, rest = _steps(total)
        number = 0
        for size in (first, *(1 << bits for bits in rest)):
            digit = self._find(size)
            self._take(digit, 1, size)
            number = number * size + digit
        return number
