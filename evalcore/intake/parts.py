"""A column of predictions: what it holds, of which model, of which class."""

from dataclasses import dataclass
from enum import Enum

from evalcore.intake.assignment import Reason


class Kind(Enum):
    """What a column of predictions holds."""

    LABEL = "label"
    SCORE = "score"
    PROBABILITY = "probability"
    NUMBER = "number"


@dataclass(frozen=True)
class Part:
    """One column of one model's predictions.

    Attributes:
        model: The model's name as the column tells it; "" if it tells none.
        of: For a probability: the class it is about.
        reason: Why the column is taken for this.
        unit: Whether its values lie in [0, 1], as far as that is known.
    """

    column: str
    kind: Kind
    model: str
    reason: Reason
    of: str | None = None
    unit: bool = False
