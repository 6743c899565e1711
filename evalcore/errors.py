"""Messages for the reader: errors that stop, notices that do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ROWS_LISTED = 1000
"""A notice or an error lists at most this many rows; its count is always whole."""


@dataclass(frozen=True)
class Offer:
    """A way out that an error or a notice proposes: one choice, ready to be taken.

    Attributes:
        label: What it does, such as "Read as log-odds".
        choice: The field of `Choices` that it settles, such as "scale".
        value: The value in words, such as "logit"; a column where the field maps models to them;
            several words where the field holds several.
    """

    label: str
    choice: str
    value: str | tuple[str, ...]


class EvalError(Exception):
    """The input or an option cannot be used; the message is a sentence for the reader.

    Attributes:
        code: Short stable name, such as "infinite-score".
        message: What is wrong, where, and what to do.
        rows: The data rows concerned, 1 being the first; at most `ROWS_LISTED`.
        column: The column concerned, if there is one.
        offers: For a question: the answers, each a choice that settles it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        rows: Sequence[int] = (),
        column: str | None = None,
        offers: Sequence[Offer] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rows = tuple(int(row) for row in rows[:ROWS_LISTED])
        self.column = column
        self.offers = tuple(offers)


@dataclass(frozen=True)
class Notice:
    """Something the reader must know that does not stop the evaluation.

    Attributes:
        code: Short stable name, such as "missing-score".
        message: A sentence with the count.
        severity: "warning" where a number may mislead because of it, else "info".
        rows: The data rows concerned, 1 being the first; at most `ROWS_LISTED`.
        column: The column concerned, if there is one.
        offers: What the reader may choose instead.
    """

    code: str
    message: str
    severity: Literal["info", "warning"] = "info"
    rows: tuple[int, ...] = ()
    column: str | None = None
    offers: tuple[Offer, ...] = ()
