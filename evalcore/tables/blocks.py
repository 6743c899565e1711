"""Long arrays in slices that fit the processor's cache."""

from collections.abc import Iterator

BLOCK = 1 << 15
"""Rows that are usually looked at in one go."""


def blocks(rows: int, size: int = BLOCK) -> Iterator[slice]:
    """Cut so many rows into slices of `size`, the last one shorter.

    >>> list(blocks(40_000))
    [slice(0, 32768, None), slice(32768, 40000, None)]
    """
    return (slice(start, min(start + size, rows)) for start in range(0, rows, size))
