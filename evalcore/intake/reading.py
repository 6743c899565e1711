"""From the bytes of one file to a table ready for detection."""

from evalcore.intake.longform import widen
from evalcore.intake.model import NO_CHOICES, Choices, Table
from evalcore.intake.readers import read_cells
from evalcore.intake.signatures import recognise
from evalcore.intake.tools import TOOLS


def read(name: str, data: bytes, choices: Choices = NO_CHOICES) -> Table:
    """Read one file; a table with a row per model and example becomes a wide one.

    Raises:
        EvalError: The file is empty, too large, damaged, or in no known format.
    """
    return widen(recognise(read_cells(name, data, choices), TOOLS), choices)
