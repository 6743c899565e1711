"""What errors are looked at by, and how they are spread along it."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from evalcore.curves.error_groups import ErrorGroups
from evalcore.outcomes import Floats
from evalcore.tables.cloud import Cloud, Trend
from pages.escape import shorten, visible
from pages.figures.clouds import light


@dataclass(frozen=True)
class Against:
    """Something that errors may go with.

    Attributes:
        name: Its short name, or that of the column.
        spoken: As it stands in a sentence.
        column: Whether it is a column of the file.
        dates: Whether its values are moments, in microseconds since 1970.
    """

    name: str
    spoken: str
    column: bool = False
    dates: bool = False

    @property
    def axis(self) -> str:
        """What stands at the axis."""
        return shorten(visible(self.name), 40)

    def positions(self, values: Floats) -> NDArray[Any]:
        """Return (m,) values as they are drawn."""
        return values.astype("datetime64[us]") if self.dates else light(values)

    def written(self, axis: str = "x") -> str:
        """Return the plotly template of a value."""
        return f"%{{{axis}|%-d %b %Y %H:%M}}" if self.dates else f"%{{{axis}:,.4~g}}"


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of one model from small to large values of something.

    Attributes:
        by: What they are looked at by.
        cloud: Every row: its value and its error.
        trend: How errors are spread along the values.
        groups: Tenths of the rows.
        left_out: Rows of the model without such a value.
    """

    by: Against
    cloud: Cloud
    trend: Trend
    groups: ErrorGroups
    left_out: int = 0


PREDICTED = Against("predicted", "the predicted number")
