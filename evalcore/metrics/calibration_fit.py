"""Calibration as a line: does the log odds of the truth follow the log odds of the model?"""

from typing import Any

import numpy as np

from evalcore.metrics import sources
from evalcore.metrics.logistic import fit
from evalcore.metrics.spec import Better, Family, Interval, Metric, Source
from evalcore.tables.scores import ScoreTable

_VAN_CALSTER = Source(
    "Van Calster et al. (2016), A calibration hierarchy for risk models was defined, Journal of "
    "Clinical Epidemiology 74",
    "https://doi.org/10.1016/j.jclinepi.2015.12.005",
)


def calibration_slope(clip: float = 0.0, key: str = "") -> Metric:
    """Declare the slope of the truth's log odds on the model's, probabilities in [clip, 1 - clip].

    Golden values agree with R's glm.
    """

    def with_error(table: ScoreTable) -> tuple[float, float]:
        line = fit(table, clip)
        return line.slope, line.slope_error

    return _fitted(
        "calibration_slope",
        clip,
        key=key,
        with_error=with_error,
        name="Calibration slope",
        summary="1 is right; below 1 the probabilities are too extreme, above 1 too timid.",
        formula=r"\hat{b}: \; \mathrm{logit} P(y = 1) = a + b \, \mathrm{logit}(p)",
        source=sources.COX,
        synonyms=("Cox slope",),
        misleads="A slope of 1 does not mean calibrated: the curve may bend.",
    )


def calibration_intercept(clip: float = 0.0, key: str = "") -> Metric:
    """Declare the intercept fitted together with the slope."""

    def with_error(table: ScoreTable) -> tuple[float, float]:
        line = fit(table, clip)
        return line.intercept, line.intercept_error

    return _fitted(
        "calibration_intercept",
        clip,
        key=key,
        with_error=with_error,
        name="Calibration intercept",
        summary="The truth's log odds where the model says one half; right is 0 with slope 1.",
        formula=r"\hat{a}: \; \mathrm{logit} P(y = 1) = a + b \, \mathrm{logit}(p)",
        source=sources.COX,
        synonyms=("Cox intercept",),
        misleads="It is not calibration-in-the-large, for which the slope is held at 1.",
    )


def calibration_in_the_large(clip: float = 0.0, key: str = "") -> Metric:
    """Declare the intercept with the slope held at 1."""

    def with_error(table: ScoreTable) -> tuple[float, float]:
        line = fit(table, clip, slope=1.0)
        return line.intercept, line.intercept_error

    return _fitted(
        "calibration_in_the_large",
        clip,
        key=key,
        with_error=with_error,
        name="Calibration in the large",
        summary="Whether probabilities are too low (above 0) or too high (below 0) on the whole, "
        "in log odds.",
        formula=r"\hat{a}: \; \mathrm{logit} P(y = 1) = a + \mathrm{logit}(p)",
        source=_VAN_CALSTER,
        synonyms=("CITL", "mean calibration"),
        misleads="Errors of opposite sign cancel.",
    )


def _fitted(stem: str, clip: float, *, key: str, with_error: Any, **declaration: Any) -> Metric:
    return Metric(
        key=key or (f"{stem}({clip:g})" if clip else stem),
        family=Family.PROBABILITY,
        needs=ScoreTable,
        compute=lambda table: with_error(table)[0],
        with_error=with_error,
        low=-np.inf,
        high=np.inf,
        better=Better.NEITHER,
        interval=Interval.STANDARD_ERROR,
        undefined_when="a probability is exactly 0 or 1, whose log odds are infinite, or the "
        "probabilities do not overlap between the classes",
        parameters={"clip": float(clip)} if clip else {},
        **declaration,
    )


CALIBRATION_SLOPE = calibration_slope()
CALIBRATION_INTERCEPT = calibration_intercept()
CALIBRATION_IN_THE_LARGE = calibration_in_the_large()
