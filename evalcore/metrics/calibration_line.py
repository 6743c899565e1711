"""Calibration as a line: do the log odds of the truth follow those of the model?"""

from collections.abc import Callable
from typing import Any

import numpy as np

from evalcore.metrics import sources
from evalcore.metrics.logistic import CalibrationLine
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Source


def _of_line(part: Callable[[CalibrationLine], tuple[float, float]], **declaration: Any) -> Metric:
    """Declare a coefficient by the function that gives it with its standard error."""
    return Metric(
        family=Family.PROBABILITY,
        needs=CalibrationLine,
        compute=lambda line: part(line)[0],
        with_error=part,
        low=-np.inf,
        high=np.inf,
        better=Better.NEITHER,
        interval=IntervalBy.STANDARD_ERROR,
        **declaration,
    )


_EXTREME = "a probability is exactly 0 or 1, or the truth holds only one class"
_NO_LINE = f"{_EXTREME}, or the probabilities tell the classes apart without error"

CALIBRATION_SLOPE = _of_line(
    lambda line: line.slope,
    key="calibration_slope",
    name="Calibration slope",
    summary="1 is right; above 1 the probabilities are too timid, below 1 too extreme, and below 0 "
    "they run backwards.",
    formula=r"\hat{b}: \; \mathrm{logit} P(y = 1) = a + b \, \mathrm{logit}(p)",
    source=sources.COX,
    undefined_when=_NO_LINE,
    synonyms=("Cox slope",),
    misleads="A slope of 1 does not mean calibrated: the curve may bend.",
)

CALIBRATION_INTERCEPT = _of_line(
    lambda line: line.intercept,
    key="calibration_intercept",
    name="Calibration intercept",
    summary="The log odds of what happens where the model says one half; right is 0 with slope 1.",
    formula=r"\hat{a}: \; \mathrm{logit} P(y = 1) = a + b \, \mathrm{logit}(p)",
    source=sources.COX,
    undefined_when=_NO_LINE,
    synonyms=("Cox intercept",),
    misleads="It is not calibration in the large, for which the slope is held at 1.",
)

CALIBRATION_IN_THE_LARGE = _of_line(
    lambda line: line.in_the_large,
    key="calibration_in_the_large",
    name="Calibration in the large",
    summary="Probabilities are too low on the whole (above 0) or too high (below 0), in log odds.",
    formula=r"\hat{a}: \; \mathrm{logit} P(y = 1) = a + \mathrm{logit}(p)",
    source=Source(
        "Van Calster et al. (2016), A calibration hierarchy for risk models was defined, Journal "
        "of Clinical Epidemiology 74",
        "https://doi.org/10.1016/j.jclinepi.2015.12.005",
    ),
    undefined_when=_EXTREME,
    synonyms=("CITL", "mean calibration"),
    misleads="Errors of opposite sign cancel.",
)
