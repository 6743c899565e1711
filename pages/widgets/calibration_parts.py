"""The page about calibration, part by part."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.curves.calibration import CalibrationCurve
from evalcore.evaluation.recalibrated import Recalibrated
from evalcore.intake.model import Dataset
from evalcore.metrics import catalog
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.results import Estimates
from pages.escape import shorten, visible
from pages.figures import recalibration, reliability
from pages.figures.scene import Scene
from pages.figures.theme import level
from pages.figures.words import P_VALUES, cell, number, p_value
from pages.session import calibrated, current, picked
from pages.session.calibrated import Recalibrations
from pages.session.question import Question
from pages.widgets.calibration_words import CALLED, helps, how, saved
from pages.widgets.chart import chart
from pages.widgets.headline import section
from pages.widgets.list_box import list_box
from pages.widgets.whole_number import whole_number

BINNINGS = {"uniform": "equal width", "quantile": "equal counts"}
ALL, AFTER = "All models beside each other", "As given, and recalibrated out of fold"
GIVEN = "as given"
SHOWN = (
    "brier",
    "log_loss",
    "ece",
    "mce",
    "calibration_slope",
    "calibration_intercept",
    "calibration_in_the_large",
    "hosmer_lemeshow_p",
    "spiegelhalter_p",
)


def pick_model(question: Question, dataset: Dataset) -> str:
    """Show the models that give probabilities, if there are several; return the one picked."""
    names, chosen = list(calibrated.models(question)), current.model(dataset)
    chosen = chosen if chosen in names else names[0]
    if len(names) > 1:
        picked.show_model(chosen)
        st.selectbox(
            "Model", names, key=picked.MODEL, on_change=picked.take_model, width=240,
            format_func=lambda name: visible(shorten(name, 40)),
        )  # fmt: skip
    return chosen


def ask() -> Options:
    """Ask how the probabilities are put into bins."""
    bins = whole_number("Bins", (2, 50), 10, key="bins", width=130)
    binning = list_box("Bins of", BINNINGS, key="binning", width=170)
    return Options(bins=bins, binning=binning)


def pictures(question: Question, model: str, scene: Scene, options: Options) -> None:
    """Show the diagram of the chosen model beside its numbers."""
    made = calibrated.reliability(question, model, options)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart(reliability.draw(scene, made), reliability.alt(scene, made), key="reliability")
    with right:
        _numbers(calibrated.estimates(question, model, options))
        _parts(question, model, options)


def recalibrated(dataset: Dataset, question: Question, scene: Scene, options: Options) -> None:
    """Show all models, and what recalibrating one, judged on other rows, would give."""
    assert scene.chosen is not None
    made = calibrated.recalibrations(dataset, question, scene.chosen, options)
    every = calibrated.curves(question, options)
    if made is None:
        section("Would recalibration help?", "To tell that takes rows of both classes.")
        return
    section("Would recalibration help?", helps(made))
    left, right = st.columns(2 if len(every) > 1 else [2, 3])
    curves = _recalibrated(question, made, options)
    after = recalibration.draw(replace(scene, names=tuple(curves), chosen=None), curves, AFTER)
    if len(every) > 1:
        beside = recalibration.draw(scene, every, ALL)
        level(after, beside)
        with right:
            chart(beside, recalibration.alt(every, ALL), key="calibration")
    with left:
        chart(after, recalibration.alt(curves, AFTER), key="recalibration")
    with right if len(every) == 1 else st.container():
        frame = pd.DataFrame([_given(made), *(_row(k, m) for k, m in made.methods.items())])
        st.dataframe(frame, hide_index=True, key="recalibrated", alt="Before and after")
        slope = calibrated.estimates(question, scene.chosen, options)["calibration_slope"]
        st.caption(how(made, slope))


def _numbers(found: Estimates) -> None:
    metrics = [catalog.by_key()[key] for key in SHOWN]
    frame = pd.DataFrame(
        {
            "number": [metric.name for metric in metrics],
            "value": [_value(metric.key, found[metric.key]) for metric in metrics],
        }
    )
    st.dataframe(frame, hide_index=True, key="numbers", alt="How true the probabilities are")
    whys = [found[key].why for key in SHOWN if not found[key].defined]
    whole = [why for why in dict.fromkeys(whys) if not any(why != w and why in w for w in whys)]
    undefined = f" No number where {'; '.join(whole)}." if whole else ""
    st.caption(
        "Brackets: 95% intervals. The p values ask whether true probabilities would look this bad "
        "by chance; Hosmer and Lemeshow's is that for rows new to the model." + undefined
    )


def _value(key: str, estimate: Estimate) -> str:
    if key.endswith(P_VALUES) and estimate.defined:
        return p_value(estimate.value)
    return cell(estimate) if estimate.defined else number(estimate.value)


def _parts(question: Question, model: str, options: Options) -> None:
    """Show the three parts of the Brier score without bins, which add up exactly."""
    fit = calibrated.reliability(question, model, options).fit
    parts = {
        "miscalibration": fit.miscalibration,
        "− discrimination": -fit.discrimination,
        "+ uncertainty of the task": fit.uncertainty,
        "= Brier score": fit.miscalibration - fit.discrimination + fit.uncertainty,
    }
    frame = pd.DataFrame({"part": list(parts), "value": [number(v, 4) for v in parts.values()]})
    st.dataframe(frame, hide_index=True, key="parts", alt="The parts of the Brier score")
    st.caption("By the isotonic fit, so exact and free of bins (CORP).")


def _given(made: Recalibrations) -> dict[str, str]:
    return {"probabilities": GIVEN, "Brier score saved": "", **_judged(made.estimates)}


def _row(key: str, made: Recalibrated) -> dict[str, str]:
    gap = {"Brier score saved": saved(made.saved["brier"])}
    return {"probabilities": CALLED[key], **gap, **_judged(made.estimates)}


def _judged(found: Estimates) -> dict[str, str]:
    names = {"brier": "Brier score", "log_loss": "log loss", "ece": "ECE"}
    return {name: _short(found[key]) for key, name in names.items()}


def _short(estimate: Estimate) -> str:
    return cell(estimate) if estimate.defined else number(estimate.value)


def _recalibrated(
    question: Question, made: Recalibrations, options: Options
) -> Mapping[str, CalibrationCurve]:
    """Return the bins of the probabilities as given, and as each method moves them."""
    tables = {GIVEN: made.before} | {
        CALLED[key]: one.table for key, one in made.methods.items() if one.table is not None
    }
    return {name: calibrated.binned(table, options) for name, table in tables.items()}
