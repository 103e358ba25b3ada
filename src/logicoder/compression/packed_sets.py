"""Subsets of known sets as bytes: how many elements, and which, in close to `code.set_bits` bits.

A set of k among N numbers is written from the first number on. In a dense set every number is a decision,
whose probability is the share of elements among the numbers left. In a sparse one the numbers lie in buckets:
the decision is whether the next element lies in the present bucket or in a later one, and where in the bucket
it lies is a choice. Buckets hold one element in sixteen of them, so that few of them hold two.
"""

from __future__ import annotations

from collections.abc import Sequence

from logicoder.compression.arithmetic_coder import ArithmeticDecoder, ArithmeticEncoder

_SPARSE = 16


def _bucket_bits(total: int, size: int) -> int:
    """Return the logarithm of the size of a bucket."""
    return max(0, (total // (_SPARSE * size)).bit_length() - 1) if size else 0


def write_set(encoder: ArithmeticEncoder, total: int, chosen: Sequence[int]) -> None:
    """Write a subset of the numbers below `total`.

    Args:
        encoder: where to.
        total: how many numbers there are.
        chosen: the elements, in ascending order.
    """
    encoder.choose(len(chosen), total + 1)
    write_members(encoder, total, chosen)


def write_members(encoder: ArithmeticEncoder, total: int, chosen: Sequence[int]) -> None:
    """Write which of the numbers below `total` are elements, where it is known how many."""
    size = len(chosen)
    if 2 * size > total:  # then its complement is the smaller one to write
        inside = set(chosen)
        chosen = [number for number in range(total) if number not in inside]
        size = len(chosen)
    low = _bucket_bits(total, size)
    buckets = ((total - 1) >> low) + 1 if total else 0
    present, left = 0, size
    for number in chosen:
        target = number >> low
        while present < target:
            encoder.decide(False, left, left + buckets - present - 1 if low else buckets - present)
            present += 1
        encoder.decide(True, left, left + buckets - present - 1 if low else buckets - present)
        left -= 1
        if low:
            encoder.choose(number & ((1 << low) - 1), 1 << low)
        else:
            present += 1


def read_set(decoder: ArithmeticDecoder, total: int) -> list[int]:
    """Read a subset of the numbers below `total`."""
    return read_members(decoder, total, decoder.choose(total + 1))


def read_members(decoder: ArithmeticDecoder, total: int, size: int) -> list[int]:
    """Read which of the numbers below `total` are elements, where it is known how many."""
    turned = 2 * size > total
    left = total - size if turned else size
    low = _bucket_bits(total, left)
    buckets = ((total - 1) >> low) + 1 if total else 0
    present = 0
    found: list[int] = []
    while left:
        if decoder.decide(left, left + buckets - present - 1 if low else buckets - present):
            left -= 1
            found.append((present << low) + (decoder.choose(1 << low) if low else 0))
            present += not low
        else:
            present += 1
    if low:
        found.sort()
    if turned:
        outside = set(found)
        return [number for number in range(total) if number not in outside]
    return found
