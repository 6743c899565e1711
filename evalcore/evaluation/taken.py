"""Some rows of what a model said: those of a fold, or those that other models share."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Outcomes

Places = NDArray[np.intp]


def taken(outcomes: Outcomes, places: Places) -> Outcomes:
    """Return some rows of a model's answers."""
    names = ("truth", "score", "label", "probabilities", "prediction", "weight")
    arrays = {name: getattr(outcomes, name, None) for name in names}
    chosen: dict[str, Any] = {n: array[places] for n, array in arrays.items() if array is not None}
    rows = places + 1 if outcomes.rows is None else outcomes.rows[places]
    return replace(outcomes, rows=rows, **chosen)
