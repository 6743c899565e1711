"""The error of a model on new rows, from bootstrap samples and the rows that each left out."""

from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats
from evalcore.resampling.splits import TEST, Splits

OUT = 1 - float(np.exp(-1))
"""The share of rows that a bootstrap sample of many holds: 0.632."""


@dataclass(frozen=True)
class Errors632:
    """Error rates on new rows.

    Attributes:
        train: On the rows that the model was trained on: too low.
        left_out: On rows that bootstrap samples left out, each row counting alike: too high.
        no_information: If decisions had nothing to do with the truth.
        overfitting: From 0, as good on other rows, to 1, no better there than without information.
        point632: 0.368 times the first and 0.632 times the second.
        point632_plus: The same with more weight on the second, the more the model overfits.
    """

    train: float
    left_out: float
    no_information: float
    overfitting: float
    point632: float
    point632_plus: float


def errors_632(train: float, left_out: float, no_information: float) -> Errors632:
    """Weigh the error on training rows and that on rows left out.

    Source: Efron and Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap
    method, Journal of the American Statistical Association 92.

    >>> made = errors_632(train=0.0, left_out=0.3, no_information=0.5)
    >>> round(made.point632, 4), round(made.overfitting, 4), round(made.point632_plus, 4)
    (0.1896, 0.6, 0.2434)
    """
    capped = min(left_out, no_information)
    over = capped > train and no_information > train
    overfitting = (capped - train) / (no_information - train) if over else 0.0
    weight = OUT / (1 - (1 - OUT) * overfitting)
    return Errors632(
        train,
        left_out,
        no_information,
        overfitting,
        (1 - OUT) * train + OUT * left_out,
        (1 - weight) * train + weight * capped,
    )


def left_out_error(splits: Splits, losses: Floats) -> float:
    """Return the mean loss of rows when left out, each row counting alike.

    Args:
        splits: Bootstrap splits of n rows.
        losses: (S, n) loss of each row by the model of each split; only those of rows left out
            count.

    Raises:
        EvalError: No row is ever left out.
    """
    out = splits.role == TEST
    times = out.sum(axis=0)
    if not times.any():
        raise EvalError("none-left-out", "No row was left out of any sample: draw more samples.")
    sums = np.where(out, losses, 0.0).sum(axis=0)
    return float((sums[times > 0] / times[times > 0]).mean())
