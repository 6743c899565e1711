"""The calibration of all classes side by side: of the class decided for, then of each class."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from evalcore.evaluation.class_calibration import ClassCalibration
from evalcore.intake.model import Dataset
from evalcore.metrics.calibration import ECE
from evalcore.metrics.calibration_line import CALIBRATION_INTERCEPT, CALIBRATION_SLOPE
from evalcore.metrics.calibration_tests import SPIEGELHALTER_P
from evalcore.metrics.probability import BRIER
from evalcore.options import Options
from evalcore.results import Estimates
from pages.figures.words import counted, named, number, with_interval
from pages.session import calibrated
from pages.widgets.clicked import explain_calibration
from pages.widgets.headline import section
from pages.widgets.metric_table import metric_table

DECIDED = "likeliest class"
AT_MOST = 100
"""So many classes are shown, the worst ones."""

SURE = 0.05
ADJUSTED = replace(
    SPIEGELHALTER_P,
    name="p value (Holm)",
    summary="How often a table of as many rows, all of true probabilities, would hold one that "
    "looks this far off: Spiegelhalter's test, adjusted for their number.",
)
SHOWN = (ECE, BRIER, CALIBRATION_SLOPE, CALIBRATION_INTERCEPT)


def every_class(dataset: Dataset, model: str, options: Options) -> None:
    """Show how true the probabilities of each class are, the worst first."""
    made = calibrated.of_classes(dataset, model, options)
    section("All classes", _finding(made))
    decided = _unlike(DECIDED, made.classes)
    rows = {decided: _row(made.decided, made.p_decided)} | {
        name: _row(found, made.p_values[name])
        for name, found in list(made.classes.items())[:AT_MOST]
    }
    clicked = metric_table(rows, (*SHOWN, ADJUSTED), of="class", key="all-classes")
    st.caption(_how(made, decided))
    explain_calibration(dataset, clicked, rows, model, options)


def _row(found: Estimates, p_value: float) -> Estimates:
    shown = {metric.key: found[metric.key] for metric in SHOWN}
    return {**shown, ADJUSTED.key: replace(found[ADJUSTED.key], value=p_value)}


def _finding(made: ClassCalibration) -> str:
    """Return which classes have probabilities that are surely not the true ones."""
    sure = [name for name, p_value in made.p_values.items() if p_value < SURE]
    worst = next(iter(made.classes))
    error = with_interval(made.classes[worst]["ece"])
    far = f"The worst calibration error is that of {named(worst)}: {error}."
    judged = f"untrue probabilities (adjusted p below {SURE})"
    if not sure:
        return f"No class is shown to have {judged}. {far}"
    have = f"({named(sure[0])}) has" if len(sure) == 1 else "have"
    return f"{len(sure)} of {counted(len(made.classes), 'class')} {have} {judged}. {far}"


def _how(made: ClassCalibration, decided: str) -> str:
    """Return what the rows of the table are, and what they hide."""
    left_out = len(made.classes) - AT_MOST
    cut = f" The {AT_MOST} worst are shown; {left_out:,} are not." if left_out > 0 else ""
    return (
        f"{decided[0].upper()}{decided[1:]}: the largest probability of each row, right where "
        "that class is the true one (confidence calibration). Other rows: the class against all "
        f"others (class-wise calibration), whose errors have a mean of {number(made.mean.value)}; "
        "it has no interval, since all classes share their rows. A rare class has a small error "
        f"easily: nearly all of its probabilities are near 0, and right. Brackets: 95% "
        f"intervals, each by itself.{cut}"
    )


def _unlike(name: str, others: Mapping[str, object]) -> str:
    """Return a name that none of the others has."""
    while name in others:
        name += " (decided for)"
    return name
