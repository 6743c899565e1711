"""Long arrays in slices that fit the processor's cache."""

from collections.abc import Iterator

_BLOCK = 1 << 15


def blocks(rows: int, least: int = 1) -> Iterator[slice]:
    """Cut so many rows into slices, of at least a number of rows where there are so many.

    >>> list(blocks(40_000))
    [slice(0, 32768, None), slice(32768, 40000, None)]
    """
    step = max(_BLOCK, least)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))
