"""Long arrays in slices that fit the processor's cache."""

from collections.abc import Iterator

_BLOCK = 1 << 15


def blocks(rows: int) -> Iterator[slice]:
    """Cut so many rows into slices.

    >>> list(blocks(40_000))
    [slice(0, 32768, None), slice(32768, 40000, None)]
    """
    return (slice(start, min(start + _BLOCK, rows)) for start in range(0, rows, _BLOCK))
