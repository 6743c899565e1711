"""How much memory and time reading may take, and what is said where it takes more."""

import os
from dataclasses import dataclass
from pathlib import Path

from evalcore.errors import EvalError
from evalcore.text import counted

MEGABYTE = 2**20

MEMORY = 1500 * MEGABYTE
"""Bytes of memory: 1e7 rows of CSV (240 MB) take 620 MB, a bomb of 46 KB takes 5 GB and more."""

SECONDS, SECONDS_PER_MEGABYTE, SECONDS_AT_MOST = 6, 2, 120
"""Seconds of a processor: a workbook, the slowest format, takes 1 to 2 for each megabyte."""

RESULT, DONE, MEMORY_ENDED, TIME_ENDED, CRASHED = b"r", b"d", b"m", b"t", b"c"
"""What the process that reads says of a job: here is the result, or how it ended."""

_VARIABLES = {"memory": "EVALBOARD_READ_MB", "seconds": "EVALBOARD_READ_SECONDS"}


@dataclass(frozen=True)
class Limits:
    """What reading may take.

    Attributes:
        memory: Bytes of memory.
        seconds: Seconds of a processor, for files of any size; None for those that grow with it.
    """

    memory: int = MEMORY
    seconds: int | None = None

    def cpu(self, size: int) -> int:
        """Return the seconds of a processor that files of so many bytes may take.

        >>> Limits().cpu(1000), Limits().cpu(10 * 2**20), Limits().cpu(2**30)
        (6, 26, 120)
        """
        if self.seconds is not None:
            return self.seconds
        grown = SECONDS + SECONDS_PER_MEGABYTE * size // MEGABYTE
        return min(grown, SECONDS_AT_MOST)


def limits() -> Limits:
    """Return the limits that the environment sets, else those of every installation."""
    memory, seconds = (_number(name) for name in _VARIABLES.values())
    return Limits(MEMORY if memory is None else memory * MEGABYTE, seconds)


def _number(variable: str) -> int | None:
    """Return a positive whole number of the environment; None where there is none."""
    text = os.environ.get(variable, "").strip()
    return int(text) if text.isdecimal() and int(text) > 0 else None


MOST_DESCRIPTORS = 250
"""File descriptors in one message: the system takes at most 253."""


def ended(how: bytes, size: int) -> EvalError:
    """Return what is said of files of so many bytes whose reading ended without a result."""
    if how == MEMORY_ENDED:
        return too_much_memory()
    return too_slow(limits().cpu(size)) if how == TIME_ENDED else crashed()


def too_much_memory() -> EvalError:
    """Return what is said of a file that takes more memory than it may."""
    return EvalError(
        "too-large",
        f"Reading took more than {limits().memory // MEGABYTE:,} MB of memory and was stopped. "
        f"{_LESS}, or save it as Parquet; or raise the limit ({_VARIABLES['memory']}).",
    )


def too_slow(seconds: int) -> EvalError:
    """Return what is said of a file that takes longer than it may."""
    return EvalError(
        "too-slow",
        f"Reading took more than {counted(seconds, 'second')} of a processor and was stopped. "
        f"{_LESS}, or save it as CSV or Parquet; or raise the limit ({_VARIABLES['seconds']}).",
    )


_LESS = "Keep only the columns with the truth and the predictions"


def crashed() -> EvalError:
    """Return what is said of a file at which reading itself broke down."""
    return EvalError(
        "reader-crash",
        "Reading broke down at this file; the fault is ours. Save it in another format, such as "
        "CSV or Parquet, and please report it.",
    )


def stopped() -> EvalError:
    """Return what is said where a reader stopped the reading."""
    return EvalError("cancelled", "The reading was stopped before it was done.")


def memory_used(process: int) -> int:
    """Return the bytes of memory that a process uses; 0 where the system does not tell."""
    return _pages(process, 1)


def reserved() -> int:
    """Return the bytes that this process has reserved to write to, used or not."""
    return _pages("self", 5)


def _pages(process: int | str, field: int) -> int:
    try:
        told = Path(f"/proc/{process}/statm").read_text("ascii")
    except OSError:
        return 0
    return int(told.split()[field]) * os.sysconf("SC_PAGE_SIZE")
